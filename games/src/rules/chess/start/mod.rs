//! The game from its start position, with one cell for the square of each king and one cell for the content of each square.
//!
//! A rook that may castle and a pawn that may be captured en passant have letters of their own. A king is represented
//! both on its square and in its own cell. The cells of the kings come first, so that whether a king is attacked
//! depends on little more than the squares along its lines.

use std::sync::Arc;

use nerode_dfa::Shape;

use crate::error::Result;
use crate::game::Game;
use crate::grid::Grid;
use crate::layer::LayerInfo;
use crate::layout::{Layout, Order, names};
use crate::maps::{SideSwap, Symmetry};
use crate::side::Side;
use crate::spec::Spec;

use super::fen::SYMBOLS;
use super::men::{Kind, Man, RULES_VERSION};

#[cfg(feature = "sets")]
mod attacks;
mod explicit;
#[cfg(feature = "sets")]
mod letters;
#[cfg(feature = "sets")]
mod steps;
#[cfg(feature = "sets")]
mod symbolic;
mod text;

/// The parameter that selects this game instead of an endgame.
pub(super) const NAME: &str = "start";

const EDGE: usize = 8;
const SQUARES: usize = EDGE * EDGE;
/// The number of cells for the kings' squares, which precede the cells of the squares.
const KINGS: usize = 2;
/// The number of letters for empty squares and men, as in a FEN.
const LETTERS: u8 = SYMBOLS.len() as u8;
/// The letter of a rook that may castle and of a pawn that may be captured en passant. It exists only on squares where
/// such men can stand.
const SPECIAL: u8 = LETTERS;
/// The men at the start, beginning with the first rank.
const MEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// The game from its start position.
#[derive(Debug)]
pub(super) struct Start {
    grid: Grid,
    cell_states: Vec<u16>,
    shape: Shape,
    layout: Layout,
}

fn named() -> Vec<Order> {
    let with_kings =
        |cells: Vec<usize>| (0..KINGS).chain(cells.into_iter().map(|cell| cell + KINGS)).collect();
    Grid::new(EDGE, EDGE).orders().into_iter().map(|(name, cells)| (name, with_kings(cells))).collect()
}

/// Returns the names of the letter orders.
pub(super) fn orders(spec: &Spec<'_>) -> Result<Vec<String>> {
    spec.only_options(&[])?;
    Ok(names(&named()))
}

/// Opens the game.
pub(super) fn open(spec: &Spec<'_>, order: Option<&str>) -> Result<Arc<dyn Game>> {
    spec.only_options(&[])?;
    let grid = Grid::new(EDGE, EDGE);
    let mut cell_states = vec![SQUARES as u16; KINGS];
    cell_states
        .extend((0..SQUARES).map(|square| u16::from(LETTERS) + u16::from(special(grid, square).is_some())));
    let layout = Layout::choose(named(), order)?;
    let shape = Shape::new(layout.cells().iter().map(|&cell| cell_states[cell]).collect())?;
    Ok(Arc::new(Start { grid, cell_states, shape, layout }))
}

/// Returns the man that the letter [`SPECIAL`] represents on `square`.
fn special(grid: Grid, square: usize) -> Option<Man> {
    let (file, rank) = (grid.file(square), grid.rank(square));
    let corner = file == 0 || file + 1 == EDGE;
    match rank {
        0 if corner => Some(Man { side: Side::P1, kind: Kind::Rook }),
        3 => Some(Man { side: Side::P1, kind: Kind::Pawn }),
        4 => Some(Man { side: Side::P2, kind: Kind::Pawn }),
        7 if corner => Some(Man { side: Side::P2, kind: Kind::Rook }),
        _ => None,
    }
}

/// Returns the letter of a man without special rights.
fn letter(man: Man) -> u8 {
    SYMBOLS.iter().position(|known| *known == man.symbol()).unwrap_or(0) as u8
}

/// Returns the man that a letter represents on `square`.
fn man(grid: Grid, square: usize, letter: u8) -> Option<Man> {
    match SYMBOLS.get(usize::from(letter)) {
        Some(&symbol) => Man::of_symbol(symbol),
        None => special(grid, square),
    }
}

impl Game for Start {
    fn spec(&self) -> String {
        format!("chess:{NAME}")
    }

    fn rules(&self) -> String {
        format!(
            "chess, rules version {RULES_VERSION}. The whole game from its start; white (P1) moves first. All \
             moves of chess are included: castling, en passant, and promotion to a queen, rook, bishop or \
             knight. A side must not leave its king in check. A side to move without a legal move has lost if \
             its king is in check (checkmate); otherwise, the game is drawn (stalemate). No rule counts moves \
             or repetitions, and draws cannot be claimed. A pawn that has moved two ranks to a square next to \
             an opposing pawn can be captured en passant in the next move; the position records this right \
             even if no such capture is legal, and counts such positions as one with those without the right. \
             Words that no game reaches follow the same rules: a king outside its recorded square does not \
             move, nor do pawns on the first and last rank, and no king is ever captured."
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("start", MEN.to_string())]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// Returns the map that changes the colour of the men and reflects the board from top to bottom.
    fn side_swap(&self) -> Option<SideSwap> {
        let flipped =
            |square: usize| self.grid.cell(self.grid.file(square), EDGE - 1 - self.grid.rank(square));
        let mut image = vec![1, 0];
        image.extend((0..SQUARES).map(|square| flipped(square) + KINGS));
        let recoloured = |letter: u8| match man(self.grid, 0, letter) {
            Some(man) if letter != SPECIAL => self::letter(Man { side: man.side.other(), ..man }),
            _ => letter,
        };
        let mut contents: Vec<Vec<u8>> =
            vec![(0..SQUARES).map(|square| flipped(square) as u8).collect(); KINGS];
        contents.extend(
            self.cell_states[KINGS..].iter().map(|&states| (0..states as u8).map(recoloured).collect()),
        );
        Some(SideSwap { image, contents })
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let info = |&cell: &usize| {
            let Some(square) = cell.checked_sub(KINGS) else {
                let label = ["K", "k"][cell].to_string();
                return LayerInfo {
                    label,
                    letters: (0..SQUARES).map(|square| self.grid.square(square)).collect(),
                };
            };
            let mut letters: Vec<String> = SYMBOLS.iter().map(char::to_string).collect();
            letters.extend(special(self.grid, square).map(|man| format!("{}+", man.symbol())));
            LayerInfo { label: self.grid.square(square), letters }
        };
        self.layout.cells().iter().map(info).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
