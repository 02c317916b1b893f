//! The game of the amazons (Walter Zamkauskas, 1988): an amazon moves like a chess queen and then shoots an arrow,
//! which also moves like a queen and permanently blocks its destination. A player who cannot move loses.
//!
//! Letters: 0 empty, 1 white amazon (P1), 2 black amazon (P2), 3 arrow. Every board is a position for either side, with
//! any numbers of amazons and arrows. The game ends only when the side to move has no legal move. An amazon with an
//! empty neighbouring cell can step there and shoot at the cell that it has left. A side therefore has no move exactly
//! when all its amazons are enclosed, or when it has none.

mod explicit;
#[cfg(feature = "sets")]
mod symbolic;

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::explicit::{ExplicitGame, Move};
use crate::game::{Game, Notation, Position};
use crate::grid::Grid;
use crate::layer::LayerInfo;
use crate::layout::{Layout, names};
use crate::maps::{Relabelling, SideSwap, Symmetry};
use crate::notation::GridNotation;
use crate::picture::{Figure, Look, Picture};
use crate::side::Side;
use crate::spec::{FamilyInfo, Spec};

/// The registry entry of the game of the amazons.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "amazons",
    parameters: "WxH[,start=ROWS] (width x height, at most 63 cells; ROWS as in positions, such as 2b/3/w2)",
    defaults: "start: four amazons per side, one cell from the corners, on boards of at least 4 cells in each \
        direction",
    example: "amazons:5x6",
    usual: "amazons:10x10",
    in_reach: Some("amazons:4x4"),
    small: &[
        "amazons:2x2,start=1b/w1",
        "amazons:2x3,start=1b/2/w1",
        "amazons:3x2,start=1b1/w1w",
        "amazons:6x1,start=wx3b",
    ],
    layers: "one per cell; letters: empty, white amazon (P1), black amazon (P2), arrow",
    note: "amazons move like chess queens and then shoot an arrow that blocks a cell permanently; a player who \
        cannot move loses",
    build: |spec, order| Ok(Arc::new(Amazons::new(spec, order)?)),
    orders: |spec| Ok(names(&read(spec)?.0.orders())),
};

/// The version of the rules, incremented with every change of the rules; see [`Game::rules_version`].
const RULES_VERSION: u32 = 1;
const EMPTY: u8 = 0;
const WHITE: u8 = 1;
const BLACK: u8 = 2;
const ARROW: u8 = 3;
const SYMBOLS: [char; 4] = ['.', 'w', 'b', 'x'];
/// The largest number of cells: 4^63 is the last power of 4 for which all counts fit into 128 bits.
const MOST_CELLS: usize = 63;
/// The shortest edge of a board with a standard start position.
const STANDARD_EDGE: usize = 4;

/// The figures of amazons and arrows in pictures.
const LOOKS: [Figure; 3] = [
    Figure::of(Look::Amazon, Side::P1, true),
    Figure::of(Look::Amazon, Side::P2, false),
    Figure { look: Look::Block, owner: None, light: false },
];

#[derive(Debug)]
struct Amazons {
    grid: Grid,
    notation: GridNotation,
    start: Vec<u8>,
    shape: Shape,
    layout: Layout,
}

fn read(spec: &Spec<'_>) -> Result<(Grid, Vec<u8>)> {
    let [width, height] = spec.numbers([("width", 1..=MOST_CELLS), ("height", 1..=MOST_CELLS)])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, but at most {MOST_CELLS} are possible", width * height)));
    }
    spec.only_options(&["start"])?;
    let grid = Grid::new(width, height);
    let start = match spec.option("start") {
        Some(rows) => {
            let read = grid.parse_rows(rows, &SYMBOLS);
            read.map_err(|reason| spec.error(format!("start '{rows}': {reason}")))?
        }
        None => standard_start(grid).ok_or_else(|| {
            spec.error(format!(
                "a board with fewer than {STANDARD_EDGE} cells in a row or column has no standard start; add \
                 start=ROWS"
            ))
        })?,
    };
    Ok((grid, start))
}

/// Returns the standard start position: four amazons per side, each one cell from a corner along an edge. White's
/// amazons are near the corners of the first rank, and black's are near those of the last. Other programs use this
/// position on 6x5 and 6x6; here, it is used on every board whose edges are long enough.
fn standard_start(grid: Grid) -> Option<Vec<u8>> {
    let (right, top) = (grid.width() - 1, grid.height() - 1);
    if grid.width().min(grid.height()) < STANDARD_EDGE {
        return None;
    }
    let mut board = vec![EMPTY; grid.num_cells()];
    for (colour, edge, inner) in [(WHITE, 0, 1), (BLACK, top, top - 1)] {
        for (file, rank) in [(1, edge), (right - 1, edge), (0, inner), (right, inner)] {
            board[grid.cell(file, rank)] = colour;
        }
    }
    Some(board)
}

/// Returns the letter of `side`.
fn colour(side: Side) -> u8 {
    match side {
        Side::P1 => WHITE,
        Side::P2 => BLACK,
    }
}

impl Amazons {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let (grid, start) = read(spec)?;
        Ok(Self {
            grid,
            notation: GridNotation { grid, symbols: &SYMBOLS, sides: ["w", "b"] },
            start,
            shape: Shape::uniform(grid.num_cells(), SYMBOLS.len() as u16)?,
            layout: Layout::choose(grid.orders(), order)?,
        })
    }
}

impl Notation for Amazons {
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

    /// Formats a move such as `d1-d7/g7`: the origin and the destination of the amazon, and the cell of its arrow.
    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let own = colour(position.side);
        let square = |wanted: &dyn Fn(usize, u8) -> bool| {
            let cells = mv.iter().map(|change| (usize::from(change.cell), change.after));
            let found = cells.into_iter().find(|&(cell, after)| wanted(cell, after));
            found.map(|(cell, _)| self.grid.square(cell)).unwrap_or_default()
        };
        let from = square(&|cell, _| position.board.get(cell) == Some(&own));
        let (to, at) = (square(&|_, after| after == own), square(&|_, after| after == ARROW));
        format!("{from}-{to}/{at}")
    }
}

impl Game for Amazons {
    fn spec(&self) -> String {
        let board = format!("amazons:{}x{}", self.grid.width(), self.grid.height());
        if standard_start(self.grid).as_ref() == Some(&self.start) {
            return board;
        }
        format!("{board},start={}", self.grid.format_rows(&self.start, &SYMBOLS))
    }

    fn rules(&self) -> String {
        let (start, side) = self.start();
        format!(
            "amazons, rules version {RULES_VERSION}. Board of {} x {} cells (width x height). Start, rows from \
             the top: {}. White is P1 and moves first. In a turn, one of the mover's amazons moves like a \
             chess queen, one or more cells along a rank, file or diagonal over empty cells onto an empty \
             cell. From there it shoots an arrow, which flies in the same way onto an empty cell, possibly the \
             cell that the amazon has just left. Nothing can enter or cross a cell with an arrow or an amazon; \
             arrows are permanent, and nothing is captured. A side to move without a legal turn loses. There \
             are no draws.",
            self.grid.width(),
            self.grid.height(),
            self.notation.format(&Position { board: start, side })
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        vec![
            ("width", self.grid.width().to_string()),
            ("height", self.grid.height().to_string()),
            ("start", self.grid.format_rows(&self.start, &SYMBOLS)),
        ]
    }

    /// Returns all symmetries of the board, which preserve values for any start position.
    fn symmetries(&self) -> Vec<Symmetry> {
        self.grid.symmetries()
    }

    /// Returns `true` if the map preserves the arrows of the start position.
    fn keeps_admissible(&self, map: &Relabelling) -> bool {
        (0..self.start.len())
            .all(|cell| (self.start[cell] == ARROW) == (self.start[map.image[cell]] == ARROW))
    }

    /// Returns the map that changes the colour of the amazons and leaves them in place.
    fn side_swap(&self) -> Option<SideSwap> {
        Some(SideSwap::uniform((0..self.grid.num_cells()).collect(), &[EMPTY, BLACK, WHITE, ARROW]))
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
