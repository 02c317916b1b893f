//! The documents about positions that the page shows: the service sends them, and the module for browsers creates them.

mod about;
mod answer;
mod best_line;
mod drawing;
mod setup;

pub use about::About;
pub use answer::{Answer, Choice, Found, Searched};
pub use best_line::Line;
pub use drawing::{Drawing, Piece, Places};
pub use setup::{Change, Setup};

/// The version of all documents.
pub const SCHEMA_VERSION: u32 = 1;
