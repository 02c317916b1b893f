//! The result of the oracle: the table and its statistics.

use nerode_games::Side;
use nerode_games::outcome::{Outcome, code16};
use rayon::prelude::*;

use super::index::Indexer;
use super::task::TableMethod;
use crate::error::{Error, Result};

/// The numbers of positions by value, for one side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// The number of positions won for the side to move.
    pub win: u64,
    /// The number of drawn positions.
    pub draw: u64,
    /// The number of positions lost for the side to move.
    pub loss: u64,
}

impl ValueCounts {
    /// Counts a position by its code, and by its depth in `histogram`, which is extended if necessary.
    pub(crate) fn add(&mut self, code: u16, histogram: &mut Vec<u64>) {
        if code == code16::DRAW {
            self.draw += 1;
            return;
        }
        if code16::is_win(code) {
            self.win += 1;
        } else {
            self.loss += 1;
        }
        let depth = usize::from(code16::depth(code));
        if histogram.len() <= depth {
            histogram.resize(depth + 1, 0);
        }
        histogram[depth] += 1;
    }
}

/// The statistics of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The counts by value, first with `P1` and then with `P2` to move.
    pub sides: [ValueCounts; 2],
    /// `histogram[d]`: the number of positions, for both sides, that are won or lost in exactly d plies. The last entry
    /// is not 0.
    pub histogram: Vec<u64>,
    /// The side to move at the start.
    pub start_side: Side,
    /// The value and depth of the start position.
    pub start: Outcome,
}

impl Stats {
    /// Returns the greatest depth of a decided position in plies, or `None` if every position is drawn.
    pub fn max_depth(&self) -> Option<u16> {
        let last = self.histogram.len().checked_sub(1)?;
        u16::try_from(last).ok()
    }
}

/// The strong solution of a game as a table, which contains value and depth for every (side, index).
#[derive(Debug)]
pub struct ExplicitTable {
    indexer: Indexer,
    codes: [Vec<u16>; 2],
    method: TableMethod,
    stats: Stats,
}

impl ExplicitTable {
    /// Creates a finished table and computes its statistics.
    pub(super) fn new(
        indexer: Indexer,
        codes: [Vec<u16>; 2],
        method: TableMethod,
        start: (Side, u64),
    ) -> Result<Self> {
        let (start_side, start_index) = start;
        let [first, second] = &codes;
        let (first_counts, mut histogram) = count(first);
        let (second_counts, other) = count(second);
        add_into(&mut histogram, &other);
        let past_the_end =
            || Error::PastTheEnd { index: start_index, num_positions: indexer.num_positions() };
        let start = lookup(&codes, start_side, start_index).ok_or_else(past_the_end)?;
        let stats = Stats { sides: [first_counts, second_counts], histogram, start_side, start };
        Ok(Self { indexer, codes, method, stats })
    }

    /// Returns the correspondence of boards and indices.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns value and depth at an index with `side` to move, or `None` if the index is out of range.
    pub fn get(&self, side: Side, index: u64) -> Option<Outcome> {
        lookup(&self.codes, side, index)
    }

    /// Returns value and depth of a board with `side` to move, or `None` if it is not a board of the game.
    pub fn lookup(&self, board: &[u8], side: Side) -> Option<Outcome> {
        self.get(side, self.indexer.index_of(board)?)
    }

    /// Returns the codes of all boards with `side` to move, in index order; see [`code16`].
    pub fn codes(&self, side: Side) -> &[u16] {
        &self.codes[side.index()]
    }

    /// Returns the statistics of the table.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Returns the method by which the table was computed.
    pub fn method(&self) -> TableMethod {
        self.method
    }
}

fn lookup(codes: &[Vec<u16>; 2], side: Side, index: u64) -> Option<Outcome> {
    let code = codes[side.index()].get(usize::try_from(index).ok()?)?;
    Some(code16::outcome(*code))
}

/// Counts the positions of one side by value and by depth.
fn count(codes: &[u16]) -> (ValueCounts, Vec<u64>) {
    codes
        .par_chunks(1 << 16)
        .map(|part| {
            let (mut counts, mut histogram) = (ValueCounts::default(), Vec::new());
            part.iter().for_each(|&code| counts.add(code, &mut histogram));
            (counts, histogram)
        })
        .reduce(
            || (ValueCounts::default(), Vec::new()),
            |(a, mut left), (b, right)| {
                add_into(&mut left, &right);
                let sum = ValueCounts { win: a.win + b.win, draw: a.draw + b.draw, loss: a.loss + b.loss };
                (sum, left)
            },
        )
}

/// Adds the entries of `from` to those of `into`, which is extended if necessary.
fn add_into(into: &mut Vec<u64>, from: &[u64]) {
    if into.len() < from.len() {
        into.resize(from.len(), 0);
    }
    for (sum, number) in into.iter_mut().zip(from) {
        *sum += number;
    }
}
