//! The positions that result from changing one thing on the board, for editors of positions.

use nerode_games::{Game, Position, Value};
use serde::Serialize;

use super::SCHEMA_VERSION;
use super::drawing::Piece;
use crate::position::position_of;

/// The maximum number of listed changes. Games with more changes do not support this request.
const MOST: usize = 4000;

/// The positions that differ from a given one by one change, on or off the board.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setup {
    schema_version: u32,
    game: String,
    position: String,
    /// The reason why the position cannot occur in play, or null if it can.
    why_illegal: Option<String>,
    /// The same position with the other side to move.
    other_side: String,
    /// The possible changes. The list is empty in a game with too many of them.
    changes: Vec<Change>,
}

/// A change.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The places whose contents change.
    places: Vec<usize>,
    /// The new contents of the first of these places.
    figure: Option<Piece>,
    /// The new contents of each of these places: moving a man empties one place and fills another.
    figures: Vec<Option<Piece>>,
    /// Other parts of the new position, such as the stones in hand.
    note: Option<String>,
    position: String,
}

impl Setup {
    /// Describes the positions that differ from `position`. Cost: up to 4000 positions are created and read.
    pub fn new(game: &dyn Game, position: &Position) -> Self {
        let turned = Position { board: position.board.clone(), side: position.side.other() };
        Self {
            schema_version: SCHEMA_VERSION,
            game: game.spec(),
            position: game.format_position(position),
            why_illegal: game.why_illegal(&position.board, position.side),
            other_side: game.format_position(&turned),
            changes: changes(game, position),
        }
    }
}

fn changes(game: &dyn Game, position: &Position) -> Vec<Change> {
    let all: usize = game.cell_states().iter().map(|&states| usize::from(states)).sum();
    if all > MOST {
        return Vec::new();
    }
    let single: Vec<Position> = singly(game, position).collect();
    // Changes of cells that are not part of the board.
    let beside: Vec<(usize, u8)> = (single.iter())
        .filter(|next| change(game, position, next).is_some_and(|change| change.places.is_empty()))
        .filter_map(|next| differing(position, next))
        .collect();
    let read = single.into_iter().filter_map(|next| mended(game, next, &beside));
    read.filter_map(|next| change(game, position, &next)).collect()
}

/// Returns all positions that differ in the content of one cell.
fn singly<'a>(game: &'a dyn Game, position: &'a Position) -> impl Iterator<Item = Position> + 'a {
    let cells = game.cell_states().iter().enumerate();
    let pairs =
        cells.flat_map(|(cell, &states)| (0..=u8::MAX).take(usize::from(states)).map(move |to| (cell, to)));
    pairs.filter_map(move |(cell, to)| with(position, cell, to).filter(|next| next != position))
}

fn with(position: &Position, cell: usize, to: u8) -> Option<Position> {
    let mut next = position.clone();
    *next.board.get_mut(cell)? = to;
    Some(next)
}

/// Returns the first cell that differs, and its content in `next`.
fn differing(position: &Position, next: &Position) -> Option<(usize, u8)> {
    let pairs = position.board.iter().zip(&next.board);
    pairs.enumerate().find(|(_, (was, is))| was != is).map(|(cell, (_, is))| (cell, *is))
}

/// The letter with which the notation of endgames begins if it lists the men, because two of them share a square. Such a
/// position cannot be displayed on a board, and therefore cannot be set up.
const LIST: char = '=';

/// The maximum number of contents of cells outside the board of which pairs are tried.
const MOST_PAIRED: usize = 64;

/// Returns the position if its text can be parsed and, in a game with cells that are not part of the board, the rules do
/// not count it as drawn because it cannot occur. Otherwise, changes one cell that is not part of the board by the smallest
/// amount that makes it valid, or two such cells if one is not enough: a stone that is put on the board is removed from
/// the hand, and a second stone of the same side in a row also from the hand of the other side. If this requires the
/// other side to be on the move, as after a first stone, the side to move changes.
fn mended(game: &dyn Game, next: Position, beside: &[(usize, u8)]) -> Option<Position> {
    let is_misfit = |Position { board, side }: &Position| {
        game.outcome(board, *side) == Some(Value::Draw) && game.why_illegal(board, *side).is_some()
    };
    let is_fit = |position: &Position| {
        let text = game.format_position(position);
        !text.starts_with(LIST)
            && position_of(game, &text, true).is_ok()
            && (beside.is_empty() || !is_misfit(position))
    };
    if is_fit(&next) {
        return Some(next);
    }
    let mut nearest = beside.to_vec();
    nearest.sort_by_key(|&(cell, to)| next.board.get(cell).map(|was| was.abs_diff(to)));
    let sides = [next.side, next.side.other()].map(|side| Position { board: next.board.clone(), side });
    let singly = sides
        .iter()
        .find_map(|moved| nearest.iter().filter_map(|&(cell, to)| with(moved, cell, to)).find(is_fit));
    let paired = if nearest.len() <= MOST_PAIRED { pairs(&nearest, &next) } else { Vec::new() };
    singly.or_else(|| {
        sides.iter().find_map(|moved| {
            let both = |&[(a, to_a), (b, to_b)]: &[(usize, u8); 2]| with(&with(moved, a, to_a)?, b, to_b);
            paired.iter().filter_map(both).find(is_fit)
        })
    })
}

/// Returns the pairs of changes of different cells, with the smallest changes first.
fn pairs(changes: &[(usize, u8)], next: &Position) -> Vec<[(usize, u8); 2]> {
    let by = |&(cell, to): &(usize, u8)| next.board.get(cell).map_or(0, |was| u16::from(was.abs_diff(to)));
    let pairs = changes.iter().enumerate().flat_map(|(at, one)| {
        changes[at + 1..].iter().filter(|other| other.0 != one.0).map(|other| [*one, *other])
    });
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_by_key(|[one, other]| by(one) + by(other));
    pairs
}

/// Returns the difference of two positions, or `None` in a game without a picture.
fn change(game: &dyn Game, from: &Position, to: &Position) -> Option<Change> {
    let (before, after) = (game.picture(from)?, game.picture(to)?);
    let pairs = before.places.iter().zip(&after.places).enumerate();
    let places: Vec<usize> =
        pairs.filter(|(_, (was, is))| was.figure != is.figure).map(|(at, _)| at).collect();
    let figures: Vec<Option<Piece>> =
        places.iter().map(|&place| after.places[place].figure.map(Piece::new)).collect();
    let figure = figures.first().cloned().flatten();
    Some(Change { places, figure, figures, note: after.note, position: game.format_position(to) })
}
