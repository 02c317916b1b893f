//! Level after level of depth: from losses to wins, and from wins to losses.

use std::ops::ControlFlow;

use nerode_games::morris::State;

use super::lowering::Lowering;
use super::proposals::{Proposals, Proposing};
use super::targets::Target;
use super::work::Work;
use crate::tables::sector::Sector;
use nerode_solver::error::Result;

/// Slides that a stone has where others stand about, as a mean.
const SLIDES_OF_STONE: u64 = 2;

impl Work<'_> {
    /// `false` when a depth does not fit the codes.
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

    /// Makes the origins of losses in `level` plies wins in one ply more, unless they are won sooner.
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

    /// Finds the losses among the origins of wins in `level` plies: those whose turns all lead to wins. They are found by going
    /// back from the wins, or by a look at every open position, whichever is less work.
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

    /// The origins of the slots of depth `level`.
    ///
    /// A position and its origins share the stones of the side that did not make the turn. So what is proposed stays in a row.
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

    /// The open positions.
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

    /// Gives those of the proposed positions that are losses their depths. They come in the order of the other side's stones, which
    /// quiet turns leave: so a look at what turns lead to stays in a few rows of the tables, which the caches hold.
    fn prove_losses(&self, which: usize, proposals: &Proposals, level: u16) {
        let (table, by_other) = (&self.tables[which], &self.by_other[which]);
        let begin = || Lowering::of(&table.codes);
        proposals.for_each(begin, |found, slot| {
            let (other, own) = by_other.position(slot);
            let state = table.sector.state(own, other);
            if let Some(depth) = self.loss(which, state, level) {
                let slot = table.slot(state);
                // A loss that was found before is found again.
                if table.codes.get(slot) == table.codes.width().open() && self.fits(depth) {
                    found.add(slot, depth);
                }
            }
        });
    }

    /// Whether to look at all `open` positions is less work than to go back from `wins` wins. A look ends at the first turn that
    /// does not lead to a win of the opponent.
    fn looking_is_less(&self, which: usize, wins: u64, wins_so_far: u64, open: u64) -> bool {
        let Sector { own, other, other_hand, .. } = self.tables[which].sector;
        let turns = if self.rules.flies(other, other_hand) {
            u64::from(other) * (self.rules.board.num_points() as u64 - u64::from(own + other))
        } else {
            u64::from(other) * SLIDES_OF_STONE
        };
        let num_slots = self.tables[which].codes.num_slots();
        // A turn leads to a win as often as a slot holds one.
        let tries = (num_slots / (num_slots - wins_so_far).max(1)).clamp(1, turns);
        open * tries < wins * turns
    }

    /// The depth of a loss, if all turns lead to wins, those inside the unit in at most `level` plies.
    #[inline]
    fn loss(&self, which: usize, state: State, level: u16) -> Option<u16> {
        let mut worst = level;
        // Quiet turns leave the opponent's stones where they are.
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
