//! A game described by Python data: letters, steps, and sets of terminal positions.
//!
//! The engine never calls Python. `Game.check` compares rules written as a Python function with this description.

mod explicit;
pub mod make;
mod notation;
mod symbolic;

use nerode::dfa::Dfa;
use nerode::games::{Game, LayerInfo, Layout, Position, SideSwap, Symmetry, Value};

use crate::moves::Moves;
use crate::shape::Shape;

/// The terminal positions, by value for the side to move.
#[derive(Clone)]
pub struct Ended {
    pub win: Dfa,
    pub loss: Dfa,
    pub draw: Dfa,
}

/// A game as data. Every cell of the board is a layer of the word.
pub struct OwnGame {
    pub name: String,
    pub description: String,
    pub shape: Shape,
    pub layout: Layout,
    /// The names of the cells.
    pub labels: Vec<String>,
    /// The number of cells in a row of a drawing of the board.
    pub width: Option<usize>,
    pub start: Position,
    pub moves: [Moves; 2],
    pub ended: [Ended; 2],
    pub no_move: Value,
    pub always_ends: bool,
    pub fingerprint: String,
}

impl OwnGame {
    /// Returns a hash of everything that determines legal moves and values.
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

    fn shape(&self) -> &nerode::dfa::Shape {
        &self.shape.inner
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let of = |(label, letters): (&String, &Vec<String>)| LayerInfo {
            label: label.clone(),
            letters: letters.clone(),
        };
        self.labels.iter().zip(&self.shape.names).map(of).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
