//! Processes one level of depth after the other, from losses to wins and from wins to losses.

use std::ops::ControlFlow;

use nerode_games::morris::State;

use super::lowering::Lowering;
use super::proposals::{Proposals, Proposing};
use super::targets::Target;
use super::work::Work;
use crate::tables::sector::Sector;
use nerode_solver::error::Result;

/// The average number of slides of a stone that has other stones around it.
const SLIDES_OF_STONE: u64 = 2;

impl Work<'_> {
    /// Runs all levels. Returns `false` if a depth does not fit into the codes.
    pub(super) fn run(&self) -> Result<bool> {
        for which in 0..self.tables.len() {
            self.first_look(which)?;
        }
        let cyclic = self.targets.iter().any(|t| matches!(t[0][0], Target::Inside));
        let (mut level, mut wins) = (0, vec![0; self.tables.len()]);
        while cyclic && level <= self.deepest().min(self.most_depth()) {
            self.check_interrupt()?;
            if level % 2 == 0 {
                self.spread_losses(level)?
            } else {
                self.spread_wins(level, &mut wins)?
            }
            level += 1;
        }
        Ok(self.deepest() <= self.most_depth())
    }

    /// Makes the origins of losses in `level` plies wins in one ply more, unless they win sooner.
    fn spread_losses(&self, level: u16) -> Result<()> {
        for which in 0..self.tables.len() {
            let (table, origins) = (&self.tables[which], &self.tables[self.origin(which)]);
            let begin = || Lowering::of(&origins.codes);
            self.at_level(which, level, begin, |found, slot| {
                self.rules.quiet_origins(table.state(slot), |origin| {
                    if self.fits(level + 1) {
                        found.add(origins.slot(origin), level + 1);
                    }
                });
            });
        }
        Ok(())
    }

    /// Finds the losses among the origins of wins in `level` plies, whose turns must all lead to wins. Either goes back
    /// from the wins or examines every open position, whichever takes less work.
    fn spread_wins(&self, level: u16, wins_so_far: &mut [u64]) -> Result<()> {
        for (which, wins_so_far) in wins_so_far.iter_mut().enumerate() {
            let origin = self.origin(which);
            let open = self.tables[origin].codes.width().open();
            let wins = self.count(which, level);
            *wins_so_far += wins;
            if wins == 0 {
                continue;
            }
            let proposals = if self.looking_is_less(which, wins, *wins_so_far, self.count(origin, open)) {
                self.all_open(origin)
            } else {
                self.origins_of(which, level)
            };
            self.check_interrupt()?;
            self.prove_losses(origin, &proposals, level);
        }
        Ok(())
    }

    /// Returns the origins of the slots of depth `level`.
    ///
    /// A position and its origins share the stones of the side that did not make the turn, so that the proposals of a
    /// position stay in one row.
    fn origins_of(&self, which: usize, level: u16) -> Proposals {
        let (table, by_other) = (&self.tables[which], &self.by_other[self.origin(which)]);
        let proposals = Proposals::new(by_other.num_slots());
        let begin = || ();
        self.at_level(which, level, begin, |(), slot| {
            self.rules.quiet_origins(table.state(slot), |from| {
                proposals.add(by_other.slot(from.other, from.own));
            });
        });
        proposals
    }

    /// Returns the open positions.
    fn all_open(&self, which: usize) -> Proposals {
        let (table, by_other) = (&self.tables[which], &self.by_other[which]);
        let proposals = Proposals::new(by_other.num_slots());
        let begin = || Proposing::to(&proposals);
        self.at_level(which, table.codes.width().open(), begin, |proposing, slot| {
            let state = table.state(slot);
            proposing.add(by_other.slot(state.other, state.own));
        });
        proposals
    }

    /// Writes the depths of the proposed positions that are losses. They are visited in the order of the other side's
    /// stones, which quiet turns do not change, so that look-ups of successors stay within a few rows of the tables,
    /// which fit into the caches.
    fn prove_losses(&self, which: usize, proposals: &Proposals, level: u16) {
        let (table, by_other) = (&self.tables[which], &self.by_other[which]);
        let begin = || Lowering::of(&table.codes);
        proposals.for_each(begin, |found, slot| {
            let (other, own) = by_other.position(slot);
            let state = table.sector.state(own, other);
            if let Some(depth) = self.loss(which, state, level) {
                let slot = table.slot(state);
                // A loss that was found before may be found again.
                if table.codes.get(slot) == table.codes.width().open() && self.fits(depth) {
                    found.add(slot, depth);
                }
            }
        });
    }

    /// Returns `true` if examining all `open` positions takes less work than going back from `wins` wins. The
    /// examination of a position ends at the first turn that does not lead to a win of the opponent.
    fn looking_is_less(&self, which: usize, wins: u64, wins_so_far: u64, open: u64) -> bool {
        let Sector { own, other, other_hand, .. } = self.tables[which].sector;
        let turns = if self.rules.flies(other, other_hand) {
            u64::from(other) * (self.rules.board.num_points() as u64 - u64::from(own + other))
        } else {
            u64::from(other) * SLIDES_OF_STONE
        };
        let num_slots = self.tables[which].codes.num_slots();
        // Assumes that a turn leads to a win as often as a slot holds one.
        let tries = (num_slots / (num_slots - wins_so_far).max(1)).clamp(1, turns);
        open * tries < wins * turns
    }

    /// Returns the depth of a loss if all turns lead to wins, those inside the unit in at most `level` plies.
    #[inline]
    fn loss(&self, which: usize, state: State, level: u16) -> Option<u16> {
        let mut worst = level;
        // Quiet turns do not change the opponent's stones.
        let inside = &self.tables[self.origin(which)];
        let inside_slots = inside.index.slots_of(state.other);
        let all_won = self.rules.try_turns(state, |turn| {
            let depth = match self.target(which, turn) {
                Target::Over => None,
                Target::Inside => {
                    let slot = inside_slots.slot(state.own & !turn.from | turn.to);
                    inside.depth_at(slot).filter(|&d| d <= level)
                }
                Target::Beside(table) => table.depth(state.after(turn)),
            };
            match depth {
                Some(depth) if depth % 2 == 1 => {
                    worst = worst.max(depth);
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            }
        });
        all_won.is_continue().then_some(worst + 1)
    }
}
