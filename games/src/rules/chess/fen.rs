//! Positions as FEN: the men row by row from the top, the side to move, castling rights, the en passant square, and two
//! counters.

use crate::game::Position;
use crate::grid::Grid;
use crate::notation::side_of as side_in;
use crate::picture::{Figure, Look, Picture};
use crate::side::Side;
use crate::spec::digits;

use super::men::Man;

/// The contents of squares in the form that [`Grid::parse_rows`] expects: empty, then white's and black's men.
pub(super) const SYMBOLS: [char; 13] = ['.', 'P', 'N', 'B', 'R', 'Q', 'K', 'p', 'n', 'b', 'r', 'q', 'k'];
/// The names of the sides.
const SIDES: [&str; 2] = ["w", "b"];
/// The placeholder of an empty field.
const NOTHING: &str = "-";

/// A parsed value, or what is wrong with the text, as part of a sentence.
pub(super) type Parsed<T> = Result<T, String>;

/// The fields of a FEN that belong to the position. Counters are checked and then ignored.
#[derive(Debug)]
pub(super) struct Fen<'a> {
    pub(super) men: Vec<Option<Man>>,
    pub(super) side: Side,
    /// The castling rights, or `-` if the field is omitted.
    pub(super) castling: &'a str,
    /// The square that a pawn has just passed, if there is one.
    pub(super) passed: Option<usize>,
}

/// The form of the fields after the men, for error messages.
pub(super) const REST: &str =
    "w|b to move, then optional castling rights, en passant square and two counters, which are ignored";

/// Splits a FEN for boards of `grid` into its fields.
pub(super) fn read(text: &str, grid: Grid) -> Parsed<Fen<'_>> {
    let fields: Vec<&str> = text.split([' ', '_']).filter(|field| !field.is_empty()).collect();
    let rows = fields.first().ok_or("the text is empty")?;
    let contents = grid.parse_rows(rows, &SYMBOLS)?;
    let side = fields.get(1).ok_or("the side to move is missing after the rows; expected w or b")?;
    let side = side_of(side)?;
    if fields.len() > 6 {
        return Err(format!("{} fields, but a FEN has at most six", fields.len()));
    }
    let castling = fields.get(2).copied().unwrap_or(NOTHING);
    let passed = fields.get(3).copied().filter(|field| *field != NOTHING);
    if let Some(counter) = fields.iter().skip(4).find(|counter| digits(counter).is_none()) {
        return Err(format!("counter '{counter}' is not a whole number"));
    }
    Ok(Fen {
        men: contents.into_iter().map(|content| Man::of_symbol(SYMBOLS[usize::from(content)])).collect(),
        side,
        castling,
        passed: passed.map(|square| square_of(square, grid)).transpose()?,
    })
}

/// Returns the side named `text`.
pub(super) fn side_of(text: &str) -> Parsed<Side> {
    side_in(text, SIDES)
}

/// Returns the square named `text`.
pub(super) fn square_of(text: &str, grid: Grid) -> Parsed<usize> {
    (0..grid.num_cells())
        .find(|&cell| grid.square(cell) == text)
        .ok_or_else(|| format!("there is no square '{text}'"))
}

/// Returns the contents of squares for [`Grid::format_rows`] and [`Grid::draw`].
pub(super) fn contents(men: &[Option<Man>], grid: Grid) -> Vec<u8> {
    let content = |man: &Option<Man>| {
        let symbol = man.map_or('.', Man::symbol);
        SYMBOLS.iter().position(|known| *known == symbol).unwrap_or(0) as u8
    };
    men.iter().take(grid.num_cells()).map(content).collect()
}

/// Formats a position as `ROWS SIDE CASTLING PASSED`.
pub(super) fn write(
    men: &[Option<Man>],
    grid: Grid,
    side: Side,
    castling: &str,
    passed: Option<usize>,
) -> String {
    let rows = grid.format_rows(&contents(men, grid), &SYMBOLS);
    let passed = passed.map_or_else(|| NOTHING.to_string(), |square| grid.square(square));
    format!("{rows} {} {castling} {passed}", SIDES[side.index()])
}

/// Returns a picture of the board.
pub(super) fn picture(men: &[Option<Man>], grid: Grid) -> Picture {
    let figure = |man: Man| Figure::of(Look::Man(man.kind.symbol()), man.side, man.side == Side::P1);
    Picture::of_grid(grid, |square| men.get(square).copied().flatten().map(figure)).chequered()
}

/// Draws the board with labels and the side to move.
pub(super) fn draw(men: &[Option<Man>], grid: Grid, position: &Position) -> String {
    format!("{}{} to move\n", grid.draw(&contents(men, grid), &SYMBOLS), SIDES[position.side.index()])
}
