//! The first pass over every drawn position: computes its value as far as turns out of the unit determine it.

use std::ops::ControlFlow;

use nerode_games::morris::{State, Turn};
use rayon::prelude::*;

use super::targets::Target;
use super::work::{Queue, Work};
use crate::tables::rows::Rows;
use nerode_solver::error::Result;
use nerode_solver::outcome::rank::Pair;

/// The number of slots that one task examines.
const CHUNK_SLOTS: u64 = 1 << 15;

/// The values of the turns of a drawn position, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// The best value above the sector's value.
    above: Option<Pair>,
    /// Whether some turn leads to a draw that is worth as much as the sector.
    level: bool,
    /// The best value below the sector's value.
    below: Option<Pair>,
    /// Whether some turn leads to a draw whose value is not known yet.
    open: bool,
}

impl Seen {
    /// Takes into account a turn to a draw in a sector of value `there`.
    #[inline]
    pub(super) fn add(&mut self, (key1, key2): Pair, there: i32, here: i32) {
        let rank = -(key1 + there) - here;
        // The number of plies changes its sign if the rank lies on the other side of the sector's value after the turn.
        let plies = if (rank < 0) == (key1 > 0) { key2 } else { -key2 };
        let plies = if key1 == 0 { 1 } else { plies + 1 };
        match rank {
            0 => self.level = true,
            1.. if self.above.is_none_or(|(most, least)| rank > most || rank == most && plies < least) => {
                self.above = Some((rank, plies));
            }
            ..0 if self
                .below
                .is_none_or(|(most, longest)| rank > most || rank == most && plies > longest) =>
            {
                self.below = Some((rank, plies));
            }
            _ => {}
        }
    }

    /// Takes into account a turn to a draw whose value is not known.
    #[inline]
    pub(super) fn add_open(&mut self) {
        self.open = true;
    }

    /// Returns the known value, if any. A value above the sector's may still improve, whereas one below is final.
    #[inline]
    pub(super) fn value(&self) -> Option<Pair> {
        match self.above {
            Some(above) => Some(above),
            None if self.level || self.open => None,
            None => self.below,
        }
    }

    /// Returns `true` if the value can only be below the sector's value, as far as is known.
    #[inline]
    pub(super) fn may_be_below(&self) -> bool {
        self.above.is_none() && !self.level && !self.open
    }
}

impl Work<'_> {
    /// Gives every drawn position of a table the value of the turns out of the unit, and adds the slots to the queue.
    ///
    /// Positions are visited in the order of the other side's stones, as in the strong solver, so that look-ups stay
    /// within a few rows.
    pub(super) fn look_outside(&self, which: usize) -> Result<Queue> {
        let (table, by_other) = (&self.tables[which], &self.by_other[which]);
        let num_slots = by_other.num_slots();
        let chunk = |chunk: u64| -> Result<Queue> {
            self.check_interrupt()?;
            let (mut queue, mut rows, mut fits) = (Queue::default(), Rows::new(), true);
            let slots = chunk * CHUNK_SLOTS..num_slots.min((chunk + 1) * CHUNK_SLOTS);
            by_other.for_each(slots, |_, other, own| {
                let slot = table.strong.index.slot(own, other);
                if !table.is_draw(slot) {
                    return;
                }
                let state = table.sector().state(own, other);
                rows.go_to(state);
                if let Some(keys) = self.outside(which, state, &mut rows).value() {
                    fits &= table.keys.set(slot, keys);
                    queue.push(which, slot, keys);
                }
            });
            if fits { Ok(queue) } else { Err(self.too_deep()) }
        };
        let chunks = (0..num_slots.div_ceil(CHUNK_SLOTS)).into_par_iter();
        chunks.map(chunk).try_reduce(Queue::default, |all, some| Ok(all.merged(some)))
    }

    /// Returns the values of the turns out of the unit. Turns that stay in the unit are open.
    fn outside<'b>(&'b self, which: usize, state: State, rows: &mut Rows<'b>) -> Seen {
        let mut seen = Seen::default();
        if self.targets[which].stay() && state.own_hand == 0 {
            let _: ControlFlow<(), bool> = self.rules.try_mill_moves(state, |turn| {
                self.see(which, state, turn, (&mut seen, rows));
                ControlFlow::Continue(())
            });
            // The only effect of turns that stay is that they prevent a value below the sector's value.
            if seen.may_be_below() && seen.below.is_some() {
                let _ = self.rules.try_turns(state, |turn| {
                    if turn.taken == 0 {
                        self.see(which, state, turn, (&mut seen, rows));
                    }
                    if seen.open { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
            }
        } else {
            self.rules.turns(state, |turn| self.see(which, state, turn, (&mut seen, rows)));
        }
        seen
    }

    /// Takes one turn of a drawn position into account.
    #[inline]
    fn see<'b>(&'b self, which: usize, state: State, turn: Turn, (seen, rows): (&mut Seen, &mut Rows<'b>)) {
        let target = self.targets[which].of(turn);
        let table = match target {
            Target::Over => return,
            Target::Inside if seen.open => return,
            Target::Inside => &self.tables[self.origin(which)],
            Target::Beside(table) => table,
        };
        let after = state.after(turn);
        let slot = rows.of(&table.strong, turn, after).slot(after.other);
        match target {
            _ if !table.is_draw(slot) => {}
            Target::Beside(_) => seen.add(table.keys.get(slot), table.value, self.tables[which].value),
            _ => seen.add_open(),
        }
    }
}
