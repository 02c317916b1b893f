//! Restores missing or damaged files of a run from the remaining files, without changing the manifest.
//!
//! Invariant: a restored file has exactly the bytes recorded in the manifest; otherwise an error is returned.

use std::collections::BTreeSet;

use nerode_dfa::Dfa;

use super::Solver;
use super::put::name;
use super::reached;
use nerode_games::side_at;

use crate::archive::run_dir::{Kind, SetName};
use crate::error::{Error, Result, check_interrupt};
use crate::solve::progress::PlyDone;
use crate::solve::reach::Reach;
use crate::solve::retrograde::{Level, Retrograde};

impl Solver<'_> {
    /// Restores the sets `damaged`, each from sets that are intact or have already been restored.
    pub(super) fn mend(&mut self, damaged: &BTreeSet<SetName>) -> Result<()> {
        for ply in plies(damaged, &[Kind::W, Kind::L]) {
            let level = self.level_again(ply)?;
            for &set in damaged.iter().filter(|set| set.ply == ply) {
                match set.kind {
                    Kind::W => self.put_again(set, &level.win[set.side.index()])?,
                    Kind::L => self.put_again(set, &level.loss[set.side.index()])?,
                    _ => {}
                }
            }
        }
        for &set in damaged.iter().filter(|set| matches!(set.kind, Kind::D | Kind::U)) {
            let level = self.load_level(set.ply, None)?;
            let (draw, unknown) = self.undecided(&level, set.side)?;
            self.put_again(set, if set.kind == Kind::D { &draw } else { &unknown })?;
        }
        for ply in plies(damaged, &[Kind::R]) {
            let reached = self.reached_again(ply)?;
            self.put_again(name(Kind::R, reached.side(), ply), reached.set())?;
        }
        for ply in plies(damaged, &[Kind::RW, Kind::RL, Kind::RD, Kind::RU]).into_iter().rev() {
            self.layer_again(ply, damaged)?;
        }
        Ok(())
    }

    /// Recomputes W and L of a ply from the sets of the two previous plies.
    fn level_again(&mut self, ply: u32) -> Result<Level> {
        let mut iteration = match ply {
            0 => return Ok(Retrograde::new(&self.engine, self.record.run.request().chains).level().clone()),
            ply => self.retrograde_from(ply - 1)?,
        };
        iteration.step(&mut self.engine)?;
        Ok(iteration.level().clone())
    }

    /// Recomputes R of a ply from R of the previous ply.
    fn reached_again(&mut self, ply: u32) -> Result<Reach> {
        if ply == 0 {
            return reached::first(&mut self.engine, self.record.run.request().admissible_from);
        }
        let mut iteration = self.reach_from(ply - 1)?;
        let admissible_from = self.record.run.request().admissible_from;
        reached::advance(&mut self.engine, &mut iteration, admissible_from)?;
        Ok(iteration)
    }

    /// Restores those sets in `damaged` that hold the values of reached positions of a ply.
    fn layer_again(&mut self, ply: u32, damaged: &BTreeSet<SetName>) -> Result<()> {
        let progress = *self.record.run.progress();
        let layer = if progress.forward == Some(ply) {
            let backward = progress.backward.map(|ply| self.load_level(ply, None)).transpose()?;
            self.last_layer(ply, backward.as_ref())?
        } else {
            let side = side_at(self.engine.game.as_ref(), ply);
            let (after, all) = (self.layer_on_disk(ply + 1)?, self.get(name(Kind::R, side, ply))?);
            after.back_up(&mut self.engine, all, side)?
        };
        for (set, made) in self.of_layer(ply, &layer)?.sets {
            if damaged.contains(&set) {
                self.put_again(set, &made)?;
            }
        }
        Ok(())
    }

    /// Writes a restored set and compares it with the manifest.
    fn put_again(&mut self, set: SetName, made: &Dfa) -> Result<()> {
        let written = self.record.run.write(set, made)?;
        let named = self.record.run.entry(set)?;
        if written.stored != named.stored {
            return Err(Error::Mismatch {
                what: format!("the restored set {set}"),
                found: format!("a file with digest {}", written.stored.blake3),
                expected: format!("the digest {} from the manifest", named.stored.blake3),
            });
        }
        let bytes = self.engine.bytes();
        let (states, positions) = (written.num_states, written.num_positions);
        (self.record.watch)(&PlyDone {
            phase: "restored",
            ply: set.ply,
            states,
            positions,
            undecided: None,
            bytes,
        });
        check_interrupt(&self.record.interrupt)
    }
}

/// Returns the plies of the sets of the given kinds in ascending order.
fn plies(sets: &BTreeSet<SetName>, kinds: &[Kind]) -> BTreeSet<u32> {
    sets.iter().filter(|set| kinds.contains(&set.kind)).map(|set| set.ply).collect()
}
