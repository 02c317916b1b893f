//! Positions as rows, and the rows of a table.

use nerode_games::{Game, Position, Side, Value};
use rayon::ThreadPool;
use rayon::prelude::*;

use nerode_oracle::Indexer;
use nerode_solver::archive::table::keyed::KeyedTable;
use nerode_solver::archive::table::reached::{self, PlyList};
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::code16;

/// A position with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The ply at which the position is reached, in a list of reached positions.
    pub ply: Option<u32>,
    /// The side to move.
    pub side: Side,
    /// The index of the board, its rank among the positions reached at the same ply, or its place in the order of keys.
    pub index: u64,
    /// The text of the position in the notation of the game.
    pub position: String,
    /// The value for the side to move, or `None` if it is unknown.
    pub value: Option<Value>,
    /// The number of plies to the end, or `None` if the position is drawn or unknown or the depth was not computed.
    pub dtw: Option<u16>,
}

/// The order of the rows in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order<'a> {
    /// All boards with `P1` to move by index, and then all with `P2` to move. The number is that of the boards.
    Boards(u64),
    /// The reached positions by ply, and by rank within a ply. The numbers are those of the positions of each ply.
    Plies(&'a [u64]),
    /// The reached positions in the order of their keys. The number is that of the positions.
    Keys(u64),
}

impl Order<'_> {
    /// Returns the total number of rows.
    pub fn num_rows(self) -> u64 {
        match self {
            Self::Boards(boards) => 2 * boards,
            Self::Plies(counts) => counts.iter().sum(),
            Self::Keys(positions) => positions,
        }
    }

    /// Returns the number of a row, beginning with 0, or `None` if there is no place for it.
    pub(super) fn row_number(self, row: &Row) -> Option<u64> {
        match self {
            Self::Boards(boards) => {
                (row.index < boards).then(|| row.side.index() as u64 * boards + row.index)
            }
            Self::Plies(counts) => {
                let ply = usize::try_from(row.ply?).ok()?;
                let count = *counts.get(ply)?;
                (row.index < count).then(|| counts[..ply].iter().sum::<u64>() + row.index)
            }
            Self::Keys(positions) => (row.index < positions).then_some(row.index),
        }
    }
}

/// Returns `win`, `draw` or `loss`, or `unknown` without a value.
pub fn value_name(value: Option<Value>) -> &'static str {
    match value {
        Some(Value::Win) => "win",
        Some(Value::Draw) => "draw",
        Some(Value::Loss) => "loss",
        None => "unknown",
    }
}

/// The number of rows that are made at once, and of those that one thread makes.
const BATCH: usize = 1 << 15;
const CHUNK: usize = 1 << 10;

/// Returns the rows of one side of a table, given its `codes` in index order, as returned by
/// [`nerode_oracle::ExplicitTable::codes`] and [`nerode_solver::archive::table::TableFile::codes`]. If
/// `positions` is false, the texts are empty, which is much faster. The threads of `pool` share the work.
///
/// *Cost*: constant memory, a few megabytes.
///
/// # Errors
/// An item is an error if reading its code failed, or [`Error::PastTheEnd`] if there are more codes than boards.
pub fn rows_of<'a>(
    game: &'a dyn Game,
    indexer: &'a Indexer,
    side: Side,
    mut codes: impl Iterator<Item = Result<u16>> + 'a,
    positions: bool,
    pool: &'a ThreadPool,
) -> impl Iterator<Item = Result<Row>> + 'a {
    let mut next = 0_u64;
    let batches = std::iter::from_fn(move || {
        let mut failure = None;
        let batch: Vec<u16> = codes
            .by_ref()
            .take(BATCH)
            .map_while(|code| code.map_err(|error| failure = Some(error)).ok())
            .collect();
        let first = next;
        next += batch.len() as u64;
        let is_over = batch.is_empty() && failure.is_none();
        let maker = Maker { game, indexer, side, positions };
        (!is_over).then(|| pool.install(|| maker.rows(first, &batch)).into_iter().chain(failure.map(Err)))
    });
    batches.flatten()
}

/// Makes rows from codes.
#[derive(Clone, Copy)]
struct Maker<'a> {
    game: &'a dyn Game,
    indexer: &'a Indexer,
    side: Side,
    positions: bool,
}

impl Maker<'_> {
    /// Returns the rows of `codes`, of which the first has the index `first`.
    fn rows(self, first: u64, codes: &[u16]) -> Vec<Result<Row>> {
        let chunks = codes.par_chunks(CHUNK).enumerate();
        chunks.flat_map_iter(|(at, codes)| self.chunk(first + (at * CHUNK) as u64, codes)).collect()
    }

    fn chunk(self, first: u64, codes: &[u16]) -> Vec<Result<Row>> {
        let Self { game, indexer, side, positions } = self;
        let mut cursor = indexer.cursor(first);
        let row = |(&code, index): (&u16, u64)| {
            let Some(cursor) = cursor.as_mut().filter(|_| index < indexer.num_positions()) else {
                return Err(Error::PastTheEnd { index, num_positions: indexer.num_positions() });
            };
            let position = if positions {
                game.format_position(&Position { board: cursor.board().to_vec(), side })
            } else {
                String::new()
            };
            cursor.step(indexer);
            let outcome = code16::outcome(code);
            let dtw = outcome.depth().and_then(|depth| u16::try_from(depth).ok());
            Ok(Row { ply: None, side, index, position, value: outcome.value(), dtw })
        };
        codes.iter().zip(first..).map(row).collect()
    }
}

/// Returns the rows of one ply of a listing. If `positions` is false, the texts are empty, which is faster.
pub fn rows_of_ply(game: &dyn Game, list: PlyList, positions: bool) -> impl Iterator<Item = Row> {
    let (ply, side) = (list.ply, list.side);
    list.into_rows().zip(0_u64..).map(move |((word, code), index)| {
        let outcome = reached::outcome(code);
        let position = match positions {
            true => game.format_position(&Position { board: game.board_of(&word), side }),
            false => String::new(),
        };
        let dtw = outcome.depth().and_then(|depth| u16::try_from(depth).ok());
        Row { ply: Some(ply), side, index, position, value: outcome.value(), dtw }
    })
}

/// Returns the rows of a table of reached positions by key. If `positions` is false, the texts are empty, which is faster.
///
/// *Cost*: one pass over the table, with constant memory.
///
/// # Errors
/// Returns the errors of [`KeyedTable::rows`], which may also be items.
pub fn rows_of_keys(table: &KeyedTable, positions: bool) -> Result<impl Iterator<Item = Result<Row>> + '_> {
    Ok(table.rows()?.zip(0_u64..).map(move |(row, index)| {
        let (at, code) = row?;
        let outcome = code16::outcome(code);
        let position = if positions { table.game.format_position(&at) } else { String::new() };
        let dtw = outcome.depth().and_then(|depth| u16::try_from(depth).ok());
        Ok(Row { ply: None, side: at.side, index, position, value: outcome.value(), dtw })
    }))
}
