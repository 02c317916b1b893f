//! A game that Python describes by data: letters, steps, and sets of positions where it is over.
//!
//! The engine never calls Python: rules written as a Python function are compared with this description by `Game.check`.

mod explicit;
pub mod make;
mod notation;
mod symbolic;

use nerode::dfa::Dfa;
use nerode::games::{Game, Layout, Position, SideSwap, Symmetry, Value};

use crate::moves::Moves;
use crate::shape::Shape;

/// Positions where the game is over, by value for the side to move.
#[derive(Clone)]
pub struct Ended {
    pub win: Dfa,
    pub loss: Dfa,
    pub draw: Dfa,
}

/// A game as data. A cell of the board is a layer of the word.
pub struct OwnGame {
    pub name: String,
    pub description: String,
    pub shape: Shape,
    pub layout: Layout,
    /// Names of the cells.
    pub labels: Vec<String>,
    /// Cells of a row, where the board is drawn.
    pub width: Option<usize>,
    pub start: Position,
    pub moves: [Moves; 2],
    pub ended: [Ended; 2],
    pub no_move: Value,
    pub always_ends: bool,
    pub fingerprint: String,
}

impl OwnGame {
    /// A hash of all that decides what is legal, won, drawn or lost.
    pub fn hash(&self) -> nerode::dfa::Result<String> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.name.as_bytes());
        hasher.update(format!("{:?}{:?}{:?}", self.shape.inner, self.start, self.no_move).as_bytes());
        for side in 0..2 {
            hasher.update(self.moves[side].text().as_bytes());
            let ended = &self.ended[side];
            for set in [&ended.win, &ended.loss, &ended.draw] {
                hasher.update(&set.to_bytes()?);
            }
        }
        Ok(hasher.finalize().to_hex()[..16].to_string())
    }
}

impl Game for OwnGame {
    fn spec(&self) -> String {
        self.name.clone()
    }

    fn rules(&self) -> String {
        self.description.clone()
    }

    fn rules_version(&self) -> u32 {
        1
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    fn side_swap(&self) -> Option<SideSwap> {
        None
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
