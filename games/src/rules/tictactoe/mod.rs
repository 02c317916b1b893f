//! Tic-tac-toe on any small board: each turn places a mark on an empty cell, and `k` marks of one side in a row win.
//!
//! Letters: 0 empty, 1 `X` (P1), 2 `O` (P2). Every board is a position for either side, with any numbers of marks. If
//! both sides have a row, which cannot occur in play, the side to move has won.

mod explicit;
#[cfg(feature = "sets")]
mod symbolic;

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::explicit::Move;
use crate::game::{Game, Notation, Position};
use crate::grid::Grid;
use crate::layer::LayerInfo;
use crate::layout::{Layout, names};
use crate::maps::{SideSwap, Symmetry};
use crate::notation::GridNotation;
use crate::picture::{Figure, Look, Picture};
use crate::side::Side;
use crate::spec::{FamilyInfo, Spec};

/// The registry entry of tic-tac-toe.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "tictactoe",
    parameters: "WxH[,k=K] (width x height, at most 36 cells; K in a row win, 1 to the longer edge)",
    defaults: "k=3",
    example: "tictactoe:3x3",
    usual: "tictactoe:3x3",
    in_reach: None,
    small: &[
        "tictactoe:2x2,k=2",
        "tictactoe:2x3,k=1",
        "tictactoe:3x2,k=2",
        "tictactoe:1x6",
        "tictactoe:3x3",
        "tictactoe:2x3,k=2,misere",
    ],
    layers: "one per cell; letters: empty, X (P1), O (P2)",
    note: "place a mark on an empty cell; K marks in a row, vertically, horizontally or diagonally, win; a \
        full board is a draw",
    build: |spec, order| Ok(Arc::new(TicTacToe::new(spec, order)?)),
    orders: |spec| Ok(names(&read(spec)?.0.orders())),
};

/// The version of the rules, incremented with every change of the rules; see [`Game::rules_version`].
const RULES_VERSION: u32 = 1;
const EMPTY: u8 = 0;
const MOST_CELLS: usize = 36;
const USUAL_ROW: usize = 3;

/// The figures of marks in pictures.
const LOOKS: [Figure; 2] =
    [Figure::of(Look::Cross, Side::P1, false), Figure::of(Look::Ring, Side::P2, false)];

#[derive(Debug)]
struct TicTacToe {
    grid: Grid,
    notation: GridNotation,
    row: usize,
    shape: Shape,
    layout: Layout,
    /// The bit of each cell on a board with a free column, and the distance between neighbouring bits in each of the
    /// four directions, for the explicit rules.
    bits: Vec<u64>,
    strides: [usize; 4],
}

fn read(spec: &Spec<'_>) -> Result<(Grid, usize)> {
    let [width, height] = spec.numbers([("width", 1..=MOST_CELLS), ("height", 1..=MOST_CELLS)])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, but at most {MOST_CELLS} are possible", width * height)));
    }
    spec.only_options(&["k"])?;
    let longest = width.max(height);
    let row = spec.number_option("k", USUAL_ROW, 1..=longest)?;
    if row > longest {
        return Err(spec.error(format!("the default k={row} does not fit on the board; add k=K")));
    }
    Ok((Grid::new(width, height), row))
}

/// Returns the letter that `side` places.
fn mark(side: Side) -> u8 {
    match side {
        Side::P1 => 1,
        Side::P2 => 2,
    }
}

impl TicTacToe {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let (grid, row) = read(spec)?;
        // Bits are counted along the longer edge, so that the cells and the free column after each line fit into 64 bits.
        let (long, turned) = (grid.width().max(grid.height()), grid.height() > grid.width());
        let bit = |cell| {
            let (along, across) = (grid.file(cell), grid.rank(cell));
            let (along, across) = if turned { (across, along) } else { (along, across) };
            1u64 << (across * (long + 1) + along)
        };
        Ok(Self {
            grid,
            notation: GridNotation { grid, symbols: &['.', 'X', 'O'], sides: ["X", "O"] },
            row,
            shape: Shape::uniform(grid.num_cells(), 3)?,
            layout: Layout::choose(grid.orders(), order)?,
            bits: (0..grid.num_cells()).map(bit).collect(),
            strides: [1, long, long + 1, long + 2],
        })
    }
}

impl Notation for TicTacToe {
    fn position_form(&self) -> String {
        self.notation.form()
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.notation.parse(text).map_err(|reason| self.position_error(text, reason))
    }

    fn format_position(&self, position: &Position) -> String {
        self.notation.format(position)
    }

    fn draw(&self, position: &Position) -> String {
        self.notation.draw(position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.notation.picture(&position.board, &LOOKS))
    }

    fn draw_texts(&self, texts: &[String]) -> String {
        self.grid.draw_texts(texts)
    }

    /// Formats a move as the cell of the mark, such as `b2`.
    fn format_move(&self, _position: &Position, mv: &Move) -> String {
        mv.iter().map(|change| self.grid.square(usize::from(change.cell))).collect()
    }
}

impl Game for TicTacToe {
    fn spec(&self) -> String {
        let board = format!("tictactoe:{}x{}", self.grid.width(), self.grid.height());
        if self.row == USUAL_ROW { board } else { format!("{board},k={}", self.row) }
    }

    fn rules(&self) -> String {
        format!(
            "tictactoe, rules version {RULES_VERSION}. Board of {} x {} cells (width x height), empty at the \
             start; X is P1 and moves first, O is P2. A move places the mover's mark on an empty cell. The \
             side to move has won if it has {row} marks in a row (horizontally, vertically or diagonally). \
             Otherwise, it has lost if the opponent has {row} marks in a row. Otherwise, a full board is a \
             draw.",
            self.grid.width(),
            self.grid.height(),
            row = self.row
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        vec![
            ("width", self.grid.width().to_string()),
            ("height", self.grid.height().to_string()),
            ("k", self.row.to_string()),
        ]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.grid.symmetries()
    }

    /// Returns the map that changes the colour of the marks.
    fn side_swap(&self) -> Option<SideSwap> {
        Some(SideSwap::uniform((0..self.grid.num_cells()).collect(), &[0, 2, 1]))
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        self.notation.layers(self.layout.cells())
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
