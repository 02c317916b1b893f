//! Rows of the tables that turns lead to, kept as long as the side that is not to move has the same stones.

use nerode_games::morris::board::MOST_POINTS;
use nerode_games::morris::{State, Turn};

use super::index::Row;
use super::table::SectorTable;

/// Rows of the positions after the turns of positions in which the other side has the same stones.
///
/// After a turn that takes nothing these are the stones of the side to move. After one that takes a stone it is one stone less.
/// So a few rows hold all that the turns of many positions lead to.
pub(crate) struct Rows<'a> {
    /// The stones of the other side before the turn.
    other: u32,
    /// After a move, and after a placement.
    quiet: [Option<Row<'a>>; 2],
    /// The same, by the point of the stone taken.
    taken: [[Option<Row<'a>>; MOST_POINTS]; 2],
    /// After the last turn that took two stones.
    two: Option<Row<'a>>,
}

impl<'a> Rows<'a> {
    /// No rows.
    pub(crate) fn new() -> Self {
        let taken = [const { [const { None }; MOST_POINTS] }; 2];
        Self { other: 0, quiet: [None, None], taken, two: None }
    }

    /// The next position is `state`: forgets the rows of other stones.
    #[inline]
    pub(crate) fn go_to(&mut self, state: State) {
        if state.other != self.other {
            *self = Self { other: state.other, ..Self::new() };
        }
    }

    /// The row in `child` of the position `after` a `turn`. All turns of a kind lead to the same `child`.
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
