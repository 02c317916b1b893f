//! Connect Four on any small board: a stone falls to the lowest free cell of a column, and four stones of one side in a
//! row win.
//!
//! There are two encodings of the same board. In `cells`, each cell is a letter: 0 empty, 1 stone of P1 (`X`), 2 stone
//! of P2 (`O`). In `columns`, a column of height H consists of H + 1 bits. The highest 1 is a marker right above the
//! topmost stone; each bit below it is a stone, 0 of P1 and 1 of P2.
//!
//! Some boards cannot occur in play: those with a stone above an empty cell, with a column without a marker, or with
//! numbers of stones that do not fit the side to move. They count as drawn, which makes the sets of a retrograde solve
//! of 5x5 six times smaller. On all other boards, the side to move has lost if the opponent has four in a row. Own rows
//! do not matter, because only the side that has just moved can have completed one.

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::game::Game;
use crate::grid::Grid;
use crate::layer::LayerInfo;
use crate::layout::{Layout, names};
use crate::maps::Symmetry;
use crate::spec::{FamilyInfo, Spec};

mod explicit;
mod options;
mod orders;
#[cfg(feature = "sets")]
mod symbolic;
mod text;

use options::{Encoding, Options, read};

/// The registry entry of Connect Four.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "connect",
    parameters: "WxH[,row=N][,encoding=cells|columns] (columns x rows, at most 64 cells; N in a row win, 1 to 64; \
                 encoding=columns takes W(H+1) bits, at most 127)",
    defaults: "row=4, encoding=cells",
    example: "connect:7x6",
    usual: "connect:7x6",
    in_reach: Some("connect:5x5"),
    small: &[
        "connect:3x3,row=3",
        "connect:4x2,row=2",
        "connect:3x3,row=3,encoding=columns",
        "connect:4x2,row=3,encoding=columns",
    ],
    layers: "cells: one per cell, letters: empty, X (P1), O (P2); columns: one bit per cell and one more per \
        column; the highest 1 marks the height, and the bits below it are stones: 0 is X, 1 is O",
    note: "drop a stone into a column; four stones in a row, vertically, horizontally or diagonally, win; a \
        full board is a draw",
    build: |spec, order| Ok(Arc::new(Connect::new(spec, order)?)),
    orders: |spec| Ok(names(&orders::named(&read(spec)?))),
};

/// The version of the rules, incremented with every change of the rules; see [`Game::rules_version`].
const RULES_VERSION: u32 = 1;
const EMPTY: u8 = 0;
#[derive(Debug)]
struct Connect {
    options: Options,
    cell_states: Vec<u16>,
    shape: Shape,
    layout: Layout,
}

impl Connect {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let options = read(spec)?;
        let letters = match options.encoding {
            Encoding::Cells => 3,
            Encoding::Columns => 2,
        };
        let num_cells = options.squares.width() * options.levels();
        Ok(Self {
            options,
            cell_states: vec![letters; num_cells],
            shape: Shape::uniform(num_cells, letters)?,
            layout: Layout::choose(orders::named(&options), order)?,
        })
    }
}

impl Game for Connect {
    fn spec(&self) -> String {
        self.options.spec()
    }

    fn rules(&self) -> String {
        let Options { squares, row, encoding } = self.options;
        let words = match encoding {
            Encoding::Cells => "Each cell is one letter.",
            Encoding::Columns => {
                "Each column is one bit per cell plus one more, where the highest 1 marks the height; a board \
                 with a column without a 1 also counts as drawn."
            }
        };
        format!(
            "connect, rules version {RULES_VERSION}. Board of {} columns and {} rows, empty at the start; X is \
             P1 and moves first, O is P2. A move drops a stone of the mover into a column that is not full, \
             where it comes to rest on the highest stone or on the floor. The side to move has lost if the \
             opponent has {row} stones in a row (horizontally, vertically or diagonally), regardless of the \
             other stones; otherwise, a full board is a draw. A board that cannot occur, because a stone lies \
             above an empty cell or the numbers of stones do not fit the side to move, counts as drawn. {words}",
            squares.width(),
            squares.height(),
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        self.options.named()
    }

    /// Returns the left-right reflection.
    fn symmetries(&self) -> Vec<Symmetry> {
        Grid::new(self.options.squares.width(), self.options.levels()).mirror().into_iter().collect()
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        self.layer_infos()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
