//! Breakthrough (Dan Troyka, 2000): pawns step straight or diagonally forward, capture diagonally, and win on the far rank.
//!
//! Letters: 0 empty, 1 white pawn (P1, moves up), 2 black pawn (P2, moves down). Every board is a position for either
//! side, so the rules also decide boards that cannot occur in play. The first rule that applies to the side to move
//! decides: a pawn of that side on its goal rank wins; a pawn of the opponent on the opponent's goal rank loses; having
//! no legal move loses. The last case occurs only for a side without pawns, because the most advanced pawn can always
//! step diagonally. An opponent without pawns has not lost yet, because it is the other side's turn.

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

/// The registry entry of Breakthrough.
pub(crate) const FAMILY: FamilyInfo = FamilyInfo {
    family: "breakthrough",
    parameters: "WxH (width 2 or more, height 4 or more, at most 80 cells)",
    defaults: "",
    example: "breakthrough:5x6",
    usual: "breakthrough:8x8",
    in_reach: Some("breakthrough:5x5"),
    small: &["breakthrough:2x4", "breakthrough:2x5"],
    layers: "one per cell; letters: empty, white pawn (P1, moves up), black pawn (P2, moves down)",
    note: "pawns move one cell forward, straight or diagonally, and capture diagonally; reaching the far rank \
        or capturing all opposing pawns wins",
    build: |spec, order| Ok(Arc::new(Breakthrough::new(spec, order)?)),
    orders: |spec| Ok(names(&read(spec)?.orders())),
};

/// The version of the rules, incremented with every change of the rules; see [`Game::rules_version`].
const RULES_VERSION: u32 = 1;
const EMPTY: u8 = 0;
const WHITE: u8 = 1;
const BLACK: u8 = 2;
/// The largest number of cells: 3^80 is the last power of 3 for which all counts fit into 128 bits.
const MOST_CELLS: usize = 80;

/// The figures of pawns in pictures.
const LOOKS: [Figure; 2] = [Figure::of(Look::Pawn, Side::P1, true), Figure::of(Look::Pawn, Side::P2, false)];

#[derive(Debug)]
struct Breakthrough {
    grid: Grid,
    notation: GridNotation,
    shape: Shape,
    layout: Layout,
}

fn read(spec: &Spec<'_>) -> Result<Grid> {
    let [width, height] = spec.numbers([("width", 2..=MOST_CELLS / 4), ("height", 4..=MOST_CELLS / 2)])?;
    spec.only_options(&[])?;
    if width * height > MOST_CELLS {
        return Err(spec.error(format!("{} cells, but at most {MOST_CELLS} are possible", width * height)));
    }
    Ok(Grid::new(width, height))
}

impl Breakthrough {
    fn new(spec: &Spec<'_>, order: Option<&str>) -> Result<Self> {
        let grid = read(spec)?;
        Ok(Self {
            grid,
            notation: GridNotation { grid, symbols: &['.', 'w', 'b'], sides: ["w", "b"] },
            shape: Shape::uniform(grid.num_cells(), 3)?,
            layout: Layout::choose(grid.orders(), order)?,
        })
    }
}

impl Notation for Breakthrough {
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

    /// Formats a move such as `c7d6`, with `x` between the squares of a capture.
    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let square = |leaving: bool| {
            let change = mv.iter().find(|change| (change.after == EMPTY) == leaving);
            change.map(|change| usize::from(change.cell))
        };
        let name = |cell: Option<usize>| cell.map(|cell| self.grid.square(cell)).unwrap_or_default();
        let captured =
            square(false).and_then(|cell| position.board.get(cell)).is_some_and(|&was| was != EMPTY);
        format!("{}{}{}", name(square(true)), if captured { "x" } else { "" }, name(square(false)))
    }
}

impl Game for Breakthrough {
    fn spec(&self) -> String {
        format!("breakthrough:{}x{}", self.grid.width(), self.grid.height())
    }

    fn rules(&self) -> String {
        format!(
            "breakthrough, rules version {RULES_VERSION}. Board of {} x {} cells (width x height). White (P1, \
             moves first) starts on the two lowest ranks and moves up, black (P2) on the two highest and moves \
             down. A pawn moves one rank forward: straight onto an empty cell, or diagonally onto an empty \
             cell or a cell with an opposing pawn, which is captured. The side to move has won if one of its \
             pawns is on its farthest rank. Otherwise, it has lost if an opposing pawn is on the opponent's \
             farthest rank, or if it has no legal move, that is, no pawns. There are no draws.",
            self.grid.width(),
            self.grid.height()
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("width", self.grid.width().to_string()), ("height", self.grid.height().to_string())]
    }

    /// Returns the left-right reflection.
    fn symmetries(&self) -> Vec<Symmetry> {
        self.grid.mirror().into_iter().collect()
    }

    /// Returns the map that rotates the board by half a turn and changes the colour of the pawns.
    fn side_swap(&self) -> Option<SideSwap> {
        Some(SideSwap::uniform(self.grid.half_turn(), &[0, 2, 1]))
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
