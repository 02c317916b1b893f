//! Othello (reversi) on boards of any small size: a disc that brackets opposing discs in a row turns them over.
//!
//! Letters: 0 empty, 1 black disc (P1, moves first), 2 white disc (P2). Every board is a position for either side. The same
//! rules apply to boards that cannot occur in play, such as those without discs in the middle. A side that cannot turn over any
//! disc passes if the other side can. If neither side can, the game is over, so two passes never follow each other.

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::explicit::Move;
use crate::game::{Game, Notation, Position};
use crate::grid::Grid;
use crate::layer::LayerInfo;
use crate::layout::{Layout, names};
use crate::maps::{Relabelling, SideSwap, Symmetry};
use crate::notation::GridNotation;
use crate::picture::{Figure, Look, Picture};
use crate::side::Side;
use crate::spec::{FamilyInfo, Spec};

mod around;
mod explicit;
mod options;
#[cfg(feature = "sets")]
mod symbolic;

use options::Scoring;

/// The registry entry of Othello.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "othello",
    parameters: "WxH[,margin=N][,empties=nobody|winner] (width and height 3 or more, at most 80 cells; with a margin black wins \
                 when ahead by N or more and loses otherwise, N from 1 - W*H to W*H)",
    defaults: "no margin: most discs win, equal numbers are a draw; empties=nobody",
    example: "othello:4x4",
    usual: "othello:8x8",
    in_reach: Some("othello:4x4"),
    small: &["othello:3x3", "othello:3x3,margin=-8,empties=winner"],
    layers: "one per cell; letters: empty, black disc (P1, moves first), white disc (P2)",
    note: "a new disc flips the opposing discs that it brackets in a row; most discs at the end win",
    build: |spec, order| Ok(Arc::new(Othello::new(spec, order)?)),
    orders: |spec| Ok(names(&options::read(spec)?.0.orders())),
};

/// The version of the rules, incremented with every change of the rules; see [`Game::rules_version`].
const RULES_VERSION: u32 = 1;
const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;

/// The figures of discs in pictures.
const LOOKS: [Figure; 2] = [Figure::of(Look::Disc, Side::P1, false), Figure::of(Look::Disc, Side::P2, true)];

#[derive(Debug)]
struct Othello {
    grid: Grid,
    scoring: Scoring,
    notation: GridNotation,
    shape: Shape,
    layout: Layout,
    /// The cells around each cell, for the explicit rules.
    around: Vec<around::Around>,
}

impl Othello {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let (grid, scoring) = options::read(spec)?;
        Ok(Self {
            grid,
            scoring,
            notation: GridNotation { grid, symbols: &['.', 'b', 'w'], sides: ["b", "w"] },
            shape: Shape::uniform(grid.num_cells(), 3)?,
            layout: Layout::choose(grid.orders(), order)?,
            around: around::around(grid),
        })
    }

    /// Returns the four cells in the middle, where a middle file or rank counts together with the preceding one. The
    /// first two cells are white at the start, and the other two are black.
    fn middle(&self) -> [usize; 4] {
        let (file, rank) = (self.grid.width() / 2, self.grid.height() / 2);
        [(file - 1, rank - 1), (file, rank), (file - 1, rank), (file, rank - 1)]
            .map(|(file, rank)| self.grid.cell(file, rank))
    }
}

impl Notation for Othello {
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

    /// Returns the cell of the new disc, such as `c4`, or `pass`.
    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let was_empty = |cell: usize| position.board.get(cell) == Some(&EMPTY);
        let placed = mv.iter().map(|change| usize::from(change.cell)).find(|&cell| was_empty(cell));
        placed.map_or_else(|| "pass".to_string(), |cell| self.grid.square(cell))
    }
}

impl Game for Othello {
    fn spec(&self) -> String {
        format!("othello:{}x{}{}", self.grid.width(), self.grid.height(), self.scoring.differences())
    }

    fn rules(&self) -> String {
        let squares =
            |cells: &[usize]| -> Vec<String> { cells.iter().map(|&c| self.grid.square(c)).collect() };
        let middle = self.middle();
        let (white, black) = middle.split_at(2);
        format!(
            "othello, rules version {RULES_VERSION}. Board of {} x {} cells (width x height); at the start \
             there are white discs on {} and black discs on {}. Black is P1 and moves first. A move places a \
             disc of the mover on an empty cell so that in at least one of the eight directions an adjacent, \
             gapless row of opposing discs ends at a disc of the mover; all discs of all such rows are \
             flipped. A side without a move passes, which counts as a ply, if the other side has a move; if \
             neither side has one, the game is over. {}",
            self.grid.width(),
            self.grid.height(),
            squares(white).join(" and "),
            squares(black).join(" and "),
            self.scoring.in_words()
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        [
            vec![("width", self.grid.width().to_string()), ("height", self.grid.height().to_string())],
            self.scoring.options(),
        ]
        .concat()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.grid.symmetries()
    }

    /// Returns `true` if the map preserves the middle four cells, which are never empty and are off-centre on odd boards.
    fn keeps_admissible(&self, map: &Relabelling) -> bool {
        let middle = self.middle();
        middle.iter().all(|&cell| middle.contains(&map.image[cell]))
    }

    /// Returns the map that changes the colour of every disc, unless there is a margin, which makes the sides unequal.
    fn side_swap(&self) -> Option<SideSwap> {
        let same_cells = || (0..self.grid.num_cells()).collect();
        self.scoring.margin.is_none().then(|| SideSwap::uniform(same_cells(), &[EMPTY, WHITE, BLACK]))
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
