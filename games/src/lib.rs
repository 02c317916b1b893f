//! Board games described twice: as relations on sets of positions ([`SymbolicGame`]) and as plain rules on one position
//! ([`ExplicitGame`]), with a notation that reads and prints both.
//!
//! This crate knows boards, sides and rules; it knows no solver. Adding a game is one file under `rules/`, one line in
//! [`registry`], and a corpus under `tests/data/`.
#![forbid(unsafe_code)]

pub mod error;
pub mod explicit;
pub mod game;
pub mod grid;
pub mod morris;
pub mod registry;
pub mod side;
pub mod symbolic;

mod layout;
mod notation;
mod rules;
mod spec;

pub use error::{Error, Result};
pub use explicit::{CellChange, ExplicitGame, Move};
pub use game::{Game, Notation, Position, PositionClass, Relabelling, SideSwap, Symmetry};
pub use side::{Side, Value};
pub use symbolic::{LayerInfo, SymbolicGame, Terminal};
