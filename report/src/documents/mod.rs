//! The documents about positions that the page shows, and about requests without an answer: the service sends them, and the
//! module for browsers creates them.

mod about;
mod answer;
mod best_line;
mod drawing;
mod problem;
mod setup;

pub use about::About;
pub use answer::{Answer, Choice, Found, Searched};
pub use best_line::Line;
pub use drawing::{Drawing, Piece, Places};
pub use problem::Problem;
pub use setup::{Change, Setup};

/// The version of all documents.
pub const SCHEMA_VERSION: u32 = 1;
