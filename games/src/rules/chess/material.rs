//! Conversion of a spec such as `KBNvK` to the men of an endgame and the cells that represent them.

use crate::error::Result;
use crate::grid::Grid;
use crate::side::Side;
use crate::spec::{Spec, digits};

use super::men::{Kind, Man};

/// The largest number of men of an endgame, including kings.
pub(super) const MOST_MEN: usize = 4;
/// The shortest edge of a board.
const SHORTEST: usize = 4;
/// The longest edge of a board.
const LONGEST: usize = 8;

/// The kinds that a pawn may take in the course of play. The index in the list is the letter.
pub(super) const FORMS: [Kind; 5] = [Kind::Pawn, Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight];
/// The kinds in the order in which names of endgames list them.
const NAMED: [Kind; 5] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Knight, Kind::Pawn];
/// The kinds in the order of the cells. Long-range men come first, so that the men that may block them come after them.
const CELLS: [Kind; 6] = [Kind::Queen, Kind::Rook, Kind::Bishop, Kind::Pawn, Kind::Knight, Kind::King];

/// A man of the endgame and the cells that represent it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) man: Man,
    /// The cell of its square.
    pub(super) square: usize,
    /// The cell of its current kind, if it is a pawn at the start.
    pub(super) form: Option<usize>,
}

impl Slot {
    /// Returns the possible kinds of the man, each with the letter of its form if the man is a pawn at the start.
    pub(super) fn forms(&self) -> Vec<(Kind, Option<u8>)> {
        match self.form {
            None => vec![(self.man.kind, None)],
            Some(_) => (0..).zip(FORMS).map(|(letter, kind)| (kind, Some(letter))).collect(),
        }
    }
}

/// The men of an endgame, with the kings last.
#[derive(Clone, Debug)]
pub(super) struct Material {
    pub(super) grid: Grid,
    pub(super) slots: Vec<Slot>,
    pub(super) cell_states: Vec<u16>,
}

impl Material {
    /// Reads the parameters and options.
    pub(super) fn read(spec: &Spec<'_>) -> Result<Self> {
        spec.only_options(&["board"])?;
        let text = spec.parameters();
        let Some((white, black)) = text.split_once('v') else {
            return Err(spec.error(format!("'{text}' is neither 'start' nor two sides separated by 'v'")));
        };
        let mut men = Vec::new();
        for (side, text) in Side::BOTH.into_iter().zip([white, black]) {
            let kinds = kinds(text).map_err(|reason| spec.error(reason))?;
            men.extend(kinds.into_iter().map(|kind| Man { side, kind }));
        }
        if men.len() > MOST_MEN {
            return Err(spec.error(format!("{} pieces, but at most {MOST_MEN} are possible", men.len())));
        }
        let pawns = |side| men.contains(&Man { side, kind: Kind::Pawn });
        if pawns(Side::P1) && pawns(Side::P2) {
            return Err(spec.error(
                "pawns on both sides could capture en passant, which endgames do not support; remove the pawns \
                 of one side",
            ));
        }
        Ok(Self::of(board(spec)?, men))
    }

    fn of(grid: Grid, mut men: Vec<Man>) -> Self {
        let place = |man: &Man| CELLS.iter().position(|kind| *kind == man.kind);
        men.sort_by_key(|man| (place(man), man.side));
        let squares = grid.num_cells() as u16;
        let mut cell_states = Vec::new();
        let mut slots = Vec::new();
        for man in men {
            let form = (man.kind == Kind::Pawn).then_some(cell_states.len());
            if form.is_some() {
                cell_states.push(FORMS.len() as u16);
            }
            slots.push(Slot { man, square: cell_states.len(), form });
            // Kings are never captured.
            cell_states.push(if man.kind == Kind::King { squares } else { squares + 1 });
        }
        Self { grid, slots, cell_states }
    }

    /// Returns the content of the cell of a man that is not on the board.
    pub(super) fn taken(&self) -> u8 {
        self.grid.num_cells() as u8
    }

    /// Returns the king of `side`.
    pub(super) fn king(&self, side: Side) -> Slot {
        self.slots[self.slots.len() - 2 + side.index()]
    }

    /// Returns `true` if some man is a pawn at the start.
    pub(super) fn has_pawns(&self) -> bool {
        self.slots.iter().any(|slot| slot.form.is_some())
    }

    /// Returns the pairs of slots of equal men, white's and black's, or `None` if the sides have different men.
    pub(super) fn counterparts(&self) -> Option<Vec<(Slot, Slot)>> {
        let of = |side: Side| self.slots.iter().filter(move |slot| slot.man.side == side);
        let (white, black): (Vec<_>, Vec<_>) = (of(Side::P1).collect(), of(Side::P2).collect());
        let alike =
            white.len() == black.len() && white.iter().zip(&black).all(|(w, b)| w.man.kind == b.man.kind);
        alike.then(|| white.into_iter().copied().zip(black.into_iter().copied()).collect())
    }

    /// Returns two equal men of a side, if there are any. Four men contain at most one such pair.
    pub(super) fn twins(&self) -> Option<(Slot, Slot)> {
        let pair = self.slots.windows(2).find(|pair| pair[0].man == pair[1].man)?;
        Some((pair[0], pair[1]))
    }

    /// Returns the name of the endgame with these men.
    pub(super) fn name(men: &[Man]) -> String {
        let side = |side: Side| -> String {
            let of = |kind: Kind| men.iter().filter(move |man| **man == Man { side, kind });
            let named = NAMED.iter().flat_map(|&kind| of(kind).map(move |_| kind.symbol()));
            std::iter::once('K').chain(named).collect()
        };
        format!("{}v{}", side(Side::P1), side(Side::P2))
    }

    /// Returns the men and the dimensions of the board.
    pub(super) fn options(&self) -> Vec<(&'static str, String)> {
        let men: Vec<Man> = self.slots.iter().map(|slot| slot.man).collect();
        vec![
            ("men", Self::name(&men)),
            ("width", self.grid.width().to_string()),
            ("height", self.grid.height().to_string()),
        ]
    }

    /// Returns the canonical spec without the family.
    pub(super) fn spec(&self) -> String {
        let men: Vec<Man> = self.slots.iter().map(|slot| slot.man).collect();
        let (width, height) = (self.grid.width(), self.grid.height());
        let board = if (width, height) == (LONGEST, LONGEST) {
            String::new()
        } else {
            format!(",board={width}x{height}")
        };
        Self::name(&men) + &board
    }
}

/// Reads the men of one side, without limits on their number.
fn kinds(text: &str) -> std::result::Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    for symbol in text.chars() {
        let kind = Kind::of_symbol(symbol);
        kinds.push(kind.ok_or_else(|| format!("unknown piece '{symbol}'; pieces are K, Q, R, B, N and P"))?);
    }
    match kinds.iter().filter(|kind| **kind == Kind::King).count() {
        1 => Ok(kinds),
        kings => Err(format!("side '{text}' has {kings} kings, but each side must have one")),
    }
}

fn board(spec: &Spec<'_>) -> Result<Grid> {
    let Some(text) = spec.option("board") else { return Ok(Grid::new(LONGEST, LONGEST)) };
    let edge = |part: &str| digits(part).filter(|edge| (SHORTEST..=LONGEST).contains(edge));
    let edges = text.split_once('x').and_then(|(width, height)| Some((edge(width)?, edge(height)?)));
    let Some((width, height)) = edges else {
        return Err(
            spec.error(format!("board '{text}' is not WIDTHxHEIGHT with edges from {SHORTEST} to {LONGEST}"))
        );
    };
    Ok(Grid::new(width, height))
}
