//! Rows of the tables that turns lead to, reused while the stones of the side not to move stay the same.

use nerode_games::morris::board::MOST_POINTS;
use nerode_games::morris::{State, Turn};

use super::index::Row;
use super::table::SectorTable;

/// The rows of the positions after the turns from positions in which the other side has the same stones.
///
/// After a turn that takes nothing, these stones are those of the side to move; after a turn that takes a stone, one of
/// them is missing. A few rows therefore cover the successors of many positions.
pub(crate) struct Rows<'a> {
    /// The stones of the other side before the turn.
    other: u32,
    /// The rows after a move and after a placement.
    quiet: [Option<Row<'a>>; 2],
    /// The same for turns that take a stone, by its point.
    taken: [[Option<Row<'a>>; MOST_POINTS]; 2],
    /// The row after the last turn that took two stones.
    two: Option<Row<'a>>,
}

impl<'a> Rows<'a> {
    /// Creates an empty set of rows.
    pub(crate) fn new() -> Self {
        let taken = [const { [const { None }; MOST_POINTS] }; 2];
        Self { other: 0, quiet: [None, None], taken, two: None }
    }

    /// Makes `state` the current position. Discards the rows if the other side's stones have changed.
    #[inline]
    pub(crate) fn go_to(&mut self, state: State) {
        if state.other != self.other {
            *self = Self { other: state.other, ..Self::new() };
        }
    }

    /// Returns the row in `child` of the position `after` a `turn`. All turns of one kind lead to the same `child`.
    #[inline]
    pub(crate) fn of(&mut self, child: &'a SectorTable, turn: Turn, after: State) -> &Row<'a> {
        let placed = usize::from(turn.from == 0);
        let slots = || child.index.slots_of(after.own);
        match turn.num_taken() {
            0 => self.quiet[placed].get_or_insert_with(|| Row::new(slots())),
            1 => {
                let row = &mut self.taken[placed][turn.taken.trailing_zeros() as usize];
                row.get_or_insert_with(|| Row::new(slots()))
            }
            _ => self.two.insert(Row::plain(slots())),
        }
    }
}
