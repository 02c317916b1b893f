//! The service, which makes solutions available over HTTP, for a page in a browser and for other programs, and also
//! over a pair of pipes.
//!
//! It only reads, except that it may solve small games in a temporary folder. Requests name solutions by id and never by
//! path. Look-ups run on separate threads, of which a limited number runs at the same time. A request is cancelled
//! when its client disconnects.
#![forbid(unsafe_code)]

mod access;
mod answer_cache;
mod api;
mod assets;
mod caching;
mod engine;
mod extract;
mod guard;
mod listen;
mod problem;
mod router;
mod shelf;
pub mod site;
mod solving;
mod state;
mod uci;
mod work;

pub use access::Access;
pub use engine::{answer_line, too_long_line};
pub use listen::{Settings, serve};
pub use shelf::{Shelf, Shown};
pub use uci::{Talk, Word};
