//! Processes one level of the queue after the other: from values below the sector's value to those above, and from
//! above to below.

use std::ops::ControlFlow;

use nerode_games::morris::State;
use rayon::prelude::*;

use super::outside::Seen;
use super::targets::Target;
use super::work::{Level, Queue, Work, level_of};
use nerode_solver::error::Result;
use nerode_solver::outcome::rank::Pair;

/// The number of slots that one task processes.
const CHUNK_SLOTS: usize = 1 << 10;

impl Work<'_> {
    /// Ranks all draws of the unit.
    pub(super) fn run(&self) -> Result<()> {
        let mut queue = Queue::default();
        for which in 0..self.tables.len() {
            queue = queue.merged(self.look_outside(which)?);
        }
        if !self.targets.iter().any(super::targets::Targets::stay) {
            return Ok(());
        }
        while let Some((level, slots)) = queue.pop() {
            for (which, slots) in slots.into_iter().enumerate().take(self.tables.len()) {
                queue = queue.merged(self.spread_below(which, level, &slots)?);
                queue = queue.merged(self.spread_above(which, level, &slots)?);
            }
        }
        Ok(())
    }

    /// Merges the results of `look` for each of the `slots`, on all threads.
    fn each<T: Send>(
        &self,
        slots: &[u32],
        begin: impl Fn() -> T + Sync + Send,
        look: impl Fn(&mut T, u64) -> Option<()> + Sync,
        merge: impl Fn(T, T) -> T + Sync + Send,
    ) -> Result<T> {
        let chunk = |slots: &[u32]| {
            self.check_interrupt()?;
            let mut made = begin();
            let done = slots.iter().try_for_each(|&slot| look(&mut made, slot.into()));
            done.map(|()| made).ok_or_else(|| self.too_deep())
        };
        slots.par_chunks(CHUNK_SLOTS).map(chunk).try_reduce(&begin, |all, some| Ok(merge(all, some)))
    }

    /// Gives the origins of this level's values below their sector's value the corresponding values above, unless they
    /// have better ones.
    fn spread_below(&self, which: usize, level: Level, slots: &[u32]) -> Result<Queue> {
        let (table, origin) = (&self.tables[which], self.origin(which));
        let origins = &self.tables[origin];
        let look = |queue: &mut Queue, slot| {
            let (key1, key2) = table.keys.get(slot);
            if key1 >= 0 || level_of((key1, key2)) != level {
                return Some(());
            }
            let above = (-key1, key2 + 1);
            let is_later = |now: Pair| now.0 == 0 || now.0 > 0 && level_of(now) > level_of(above);
            let mut fits = Some(());
            self.rules.quiet_origins(table.strong.state(slot), |before| {
                let slot = origins.strong.slot(before);
                if origins.is_draw(slot) {
                    match origins.keys.replace(slot, above, is_later) {
                        Some(true) => queue.push(origin, slot, above),
                        Some(false) => {}
                        None => fits = None,
                    }
                }
            });
            fits
        };
        self.each(slots, Queue::default, look, Queue::merged)
    }

    /// Finds the origins of this level's values above their sector's value whose turns all lead to such values.
    fn spread_above(&self, which: usize, level: Level, slots: &[u32]) -> Result<Queue> {
        let (table, origin) = (&self.tables[which], self.origin(which));
        let origins = &self.tables[origin];
        let propose = |proposed: &mut Vec<u32>, slot| {
            let keys = table.keys.get(slot);
            if keys.0 > 0 && level_of(keys) == level {
                self.rules.quiet_origins(table.strong.state(slot), |before| {
                    let slot = origins.strong.slot(before);
                    if origins.is_draw(slot) && origins.keys.get(slot).0 == 0 {
                        proposed.push(slot as u32);
                    }
                });
            }
            Some(())
        };
        let join = |mut all: Vec<u32>, some: Vec<u32>| {
            all.extend(some);
            all
        };
        let mut proposed = self.each(slots, Vec::new, propose, join)?;
        proposed.par_sort_unstable();
        proposed.dedup();
        let prove = |queue: &mut Queue, slot| {
            if let Some(below) = self.below(origin, origins.strong.state(slot), level)
                && origins.keys.replace(slot, below, |now| now.0 == 0)?
            {
                queue.push(origin, slot, below);
            }
            Some(())
        };
        self.each(&proposed, Queue::default, prove, Queue::merged)
    }

    /// Returns the value of a drawn position if all its turns to draws lead to values above the sector's value there,
    /// those inside the unit with levels up to `level`.
    fn below(&self, which: usize, state: State, level: Level) -> Option<Pair> {
        let (targets, here) = (&self.targets[which], self.tables[which].value);
        let mut seen = Seen::default();
        // Quiet turns do not change the opponent's stones.
        let inside = &self.tables[self.origin(which)];
        let inside_slots = inside.strong.index.slots_of(state.other);
        let all = self.rules.try_turns(state, |turn| {
            match targets.of(turn) {
                Target::Over => {}
                Target::Inside => {
                    let slot = inside_slots.slot(state.own & !turn.from | turn.to);
                    if inside.is_draw(slot) {
                        let keys = inside.keys.get(slot);
                        if keys.0 <= 0 || level_of(keys) > level {
                            return ControlFlow::Break(());
                        }
                        seen.add(keys, inside.value, here);
                    }
                }
                Target::Beside(table) => {
                    let slot = table.strong.slot(state.after(turn));
                    if table.is_draw(slot) {
                        seen.add(table.keys.get(slot), table.value, here);
                    }
                }
            }
            if seen.may_be_below() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if all.is_continue() { seen.value() } else { None }
    }
}
