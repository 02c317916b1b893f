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
mod library;
mod limits;
mod open;
mod play;
mod print;
mod read;
mod variant;
mod warn;

pub use board::{Board, Shape, Square};
pub use book::{Action, Arithmetic, Bounded, Comparison, Mover, Register, Rulebook, Rules, Value};
pub use fault::{At, Error, File, Result, Span};
pub use library::{Bundled, bundled};
pub use limits::FILE_BYTES;
pub use open::{board_size, open_text, orders_of_text, solvable, varied, with_board, with_variant};
pub(crate) use open::{is_named, open_named, orders_of};
pub use play::{Begin, Change, Interpreter, Perft, Ply, State, Successor, Turn};
pub use read::read;
pub use variant::Variant;
