//! Games defined by a rules text in the Regular Boardgames language.
//!
//! A file declares players, pieces, bounded variables and a board, and gives the rules as a regular expression over actions. A
//! path through the expression walks over the board: it moves in directions, tests pieces, places pieces, and counts. [`read`]
//! turns a text into a [`Rulebook`], or returns an [`Error`] with its location; [`Rulebook::canonical`] prints the rules.

mod board;
mod book;
mod compile;
mod fault;
mod game;
mod language;
mod library;
mod limits;
mod names;
mod open;
mod play;
mod print;
mod read;
mod rows;
mod turns;
mod variant;
mod warn;

pub use board::{Board, Shape, Square};
pub use book::{Action, Arithmetic, Bounded, Comparison, Mover, Register, Rulebook, Rules, Value};
pub use fault::{At, Error, File, Result, Span};
pub use language::{LANGUAGE, open_text, orders_of_text, solvable};
pub use library::{Bundled, bundled};
pub use limits::FILE_BYTES;
pub use open::{board_size, varied, with_board, with_variant};
pub use play::{Begin, Change, Interpreter, Perft, Ply, State, Successor, Turn};
pub use read::read;
pub use variant::Variant;
