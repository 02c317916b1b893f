//! The first pass over every position: computes its depth as far as turns out of the unit determine it.

use std::ops::{ControlFlow, Range};

use nerode_games::morris::{FullBoard, State, Turn};
use rayon::prelude::*;

use super::lowering::Lowering;
use super::targets::Target;
use super::work::Work;
use crate::tables::index::SectorIndex;
use crate::tables::rows::Rows;
use nerode_solver::error::Result;

/// The number of slots that one task examines.
const CHUNK_SLOTS: u64 = 1 << 15;

/// The results of the turns of a position that leave its unit.
struct Outside {
    /// The fewest plies to a win.
    best: u16,
    /// The most plies to a loss.
    worst: u16,
    /// Whether some turn leads to a draw or stays inside the unit.
    undecided: bool,
    /// Whether there is any turn.
    any: bool,
}

impl Work<'_> {
    /// Marks holes, and writes the depths that turns out of the unit determine.
    ///
    /// Positions are visited in the order of the other side's stones. Except for captures, these are the stones of the
    /// side to move in all successors, so that look-ups stay within a few rows of the tables, which fit into the
    /// caches.
    pub(super) fn first_look(&self, which: usize) -> Result<()> {
        let (table, by_other) = (&self.tables[which], &self.by_other[which]);
        self.in_chunks(&table.index, |slots| {
            table.index.holes(slots, |slot| table.codes.set(slot, table.codes.width().hole()));
        })?;
        self.in_chunks(by_other, |slots| {
            let (mut found, mut rows) = (Lowering::of(&table.codes), Rows::new());
            by_other.for_each(slots, |_, other, own| {
                let state = table.sector.state(own, other);
                rows.go_to(state);
                if let Some(depth) = self.outside(which, state, &mut rows)
                    && self.fits(depth)
                {
                    found.add(table.slot(state), depth);
                }
            });
        })
    }

    /// Splits the slots of `index` into parts and calls `f` for each part, on all threads.
    fn in_chunks(&self, index: &SectorIndex, f: impl Fn(Range<u64>) + Sync) -> Result<()> {
        let num_slots = index.num_slots();
        (0..num_slots.div_ceil(CHUNK_SLOTS)).into_par_iter().try_for_each(|chunk| {
            self.check_interrupt()?;
            f(chunk * CHUNK_SLOTS..num_slots.min((chunk + 1) * CHUNK_SLOTS));
            Ok(())
        })
    }

    /// Returns the depth of a position as far as turns that leave the unit determine it.
    #[inline]
    fn outside<'b>(&'b self, which: usize, state: State, rows: &mut Rows<'b>) -> Option<u16> {
        let mut seen = Outside { best: u16::MAX, worst: 0, undecided: false, any: false };
        let cyclic = matches!(self.targets[which][0][0], Target::Inside);
        if cyclic && state.own_hand == 0 {
            // Turns that close no mill stay inside the unit, and their number does not matter.
            let rest =
                self.rules.try_mill_moves(state, |turn| self.see(which, state, turn, (&mut seen, rows)));
            let quiet = rest == ControlFlow::Continue(true);
            (seen.any, seen.undecided) = (seen.any || quiet, seen.undecided || quiet);
        } else {
            let _ = self.rules.try_turns(state, |turn| self.see(which, state, turn, (&mut seen, rows)));
        }
        if seen.best < u16::MAX {
            Some(seen.best)
        } else if !seen.any {
            let full = state.own | state.other == self.rules.board.all();
            (!full || self.rules.full_board == FullBoard::Loss).then_some(0)
        } else {
            (!seen.undecided).then_some(seen.worst)
        }
    }

    /// Takes one turn into account. Breaks if no other turn matters.
    #[inline]
    fn see<'b>(
        &'b self,
        which: usize,
        state: State,
        turn: Turn,
        (seen, rows): (&mut Outside, &mut Rows<'b>),
    ) -> ControlFlow<()> {
        seen.any = true;
        match self.target(which, turn) {
            Target::Over => {
                seen.best = 1;
                return ControlFlow::Break(());
            }
            Target::Inside => seen.undecided = true,
            Target::Beside(table) => {
                let after = state.after(turn);
                match table.depth_at(rows.of(table, turn, after).slot(after.other)) {
                    None => seen.undecided = true,
                    Some(depth) if depth % 2 == 0 => seen.best = seen.best.min(depth + 1),
                    Some(depth) => seen.worst = seen.worst.max(depth + 1),
                }
            }
        }
        ControlFlow::Continue(())
    }
}
