//! The service: solutions opened at an address, for a page in a browser and for other programs; and the same over a pair of pipes.
//!
//! It asks the facade, like any other user of the library, and only reads. Requests name solutions by their ids and never by
//! paths. Look-ups run on threads of their own, a bounded number at once; a request ends when its client goes.

mod api;
mod asked;
mod assets;
mod caching;
mod engine;
mod guard;
mod kept;
mod listen;
mod problem;
mod router;
mod shelf;
mod solving;
mod state;
mod uci;
mod work;

pub use engine::answer_line;
pub use listen::{Settings, serve};
pub use shelf::{Shelf, Shown};
pub use uci::{Talk, Word};
