//! Games whose rules are a text: the language of Regular Boardgames.
//!
//! A file names players, pieces, bounded variables and a board, and gives the rules as a regular expression over actions. A path
//! through the expression walks the board: it goes in directions, looks at pieces, puts pieces, and counts. [`read`] makes a
//! [`Rulebook`] of a text, or an [`Error`] with the place; [`Rulebook::canonical`] prints it.

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
pub use play::{Begin, Change, Interpreter, Perft, Ply, State, Told, Turn};
pub use read::read;
pub use variant::Variant;
