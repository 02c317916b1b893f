//! Output of a solve: the files in the directory of the run, and progress reports to the observer.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_dfa::{Dfa, Passes};
use nerode_games::Side;

use super::put::{bytes_to_write, name, put};
use super::reached;
use crate::archive::run_dir::{Kind, RunDir, SetEntry, SetName};
use crate::error::Result;
use crate::solve::disk::{Disk, file_bytes};
use crate::solve::method::{Chains, Keep};
use crate::solve::progress::{PlyDone, Watch};
use crate::solve::reach::Reach;
use crate::solve::retrograde::Level;

/// The output of a solve: the directory of the run, and the observer.
pub(super) struct Record<'a> {
    pub(super) run: RunDir,
    pub(super) watch: Watch<'a>,
    pub(super) interrupt: Arc<AtomicBool>,
    pub(super) passes: Arc<Passes>,
    pub(super) disk: Disk,
}

/// The sets of a ply that are not on disk yet.
pub(super) struct Unwritten {
    pub(super) ply: u32,
    pub(super) level: Level,
    /// The sets of the previous ply.
    pub(super) before: Option<Level>,
}

/// The values of the reached positions of a ply that are not on disk yet.
pub(super) struct UnwrittenValues {
    pub(super) ply: u32,
    pub(super) sets: Vec<(SetName, Dfa)>,
    /// The set that is not written, because it consists of the positions of the second name that are in none of the
    /// `sets`.
    pub(super) remainder: Option<(SetName, SetName, Dfa)>,
}

impl Record<'_> {
    pub(super) fn store(&mut self, name: SetName, set: &Dfa) -> Result<(u64, u128)> {
        put(&mut self.run, name, set, &self.passes, &self.disk)
    }

    /// Writes R_i, if it is not on disk yet, and reports its ply. `bytes` is the memory of the engine.
    pub(super) fn store_reached(&mut self, unwritten: Option<Reach>, bytes: u64) -> Result<()> {
        let Some(reach) = unwritten else { return Ok(()) };
        let (states, positions) = reached::write(&mut self.run, &reach, &self.passes, &self.disk)?;
        (self.watch)(&PlyDone {
            phase: "forward",
            ply: reach.ply(),
            states,
            positions,
            undecided: None,
            bytes,
        });
        Ok(())
    }

    /// Writes the values of a ply of reached positions, if there are any, and reports the ply. `bytes` is the memory of
    /// the engine.
    pub(super) fn store_values(&mut self, unwritten: Option<UnwrittenValues>, bytes: u64) -> Result<()> {
        let Some(UnwrittenValues { ply, sets, remainder }) = unwritten else { return Ok(()) };
        let (mut states, mut positions) = (0, 0u128);
        for (name, set) in &sets {
            let (s, n) = self.store(*name, set)?;
            states += s;
            positions = positions.saturating_add(n);
        }
        if let Some((name, whole, set)) = remainder {
            let parts: Vec<SetName> = sets.iter().map(|(part, _)| *part).collect();
            let entry = self.run.remainder(name, set.num_states() as u64, (whole, &parts))?;
            states += entry.num_states;
            positions = positions.saturating_add(entry.num_positions);
        }
        self.run.manifest.progress.backed_up = Some(ply);
        self.run.commit()?;
        (self.watch)(&PlyDone { phase: "back up", ply, states, positions, undecided: None, bytes });
        Ok(())
    }

    /// Writes the sets of a ply and reports the ply. `bytes` is the memory of the engine.
    pub(super) fn store_level(&mut self, unwritten: &Unwritten, bytes: u64) -> Result<()> {
        let &Unwritten { ply, ref level, ref before } = unwritten;
        let chains = self.run.manifest.request.chains;
        self.disk.must_hold(self.run.path(), bytes_of_level(level, before.as_ref()))?;
        let write = |side| write_side(&self.run, &self.passes, side, ply, level, before.as_ref());
        let (one, two) = self.passes.join(|| write(Side::P1), || write(Side::P2));
        let (mut states, mut positions) = (0, 0u128);
        for (name, entry) in one?.into_iter().chain(two?) {
            states += entry.num_states;
            positions = positions.saturating_add(entry.num_positions);
            self.run.insert(name, entry);
        }
        if chains == Chains::One {
            self.run.mirror(name(Kind::W, Side::P2, ply), name(Kind::W, Side::P1, ply))?;
            self.run.mirror(name(Kind::L, Side::P1, ply), name(Kind::L, Side::P2, ply))?;
        }
        self.run.manifest.progress.backward = Some(ply);
        let first_kept = if self.run.request().keep == Keep::Last { ply.saturating_sub(1) } else { 0 };
        let dropped = self.run.drop_before(first_kept);
        self.run.commit()?;
        self.run.remove_files(&dropped)?;
        // One chain decides each position for one of the two sides.
        let chains = if chains == Chains::One { 1 } else { 2 };
        let words = level.win[0].shape().num_words().and_then(|words| words.checked_mul(chains));
        let undecided = words.map(|words| words.saturating_sub(positions));
        (self.watch)(&PlyDone { phase: "retrograde", ply, states, positions, undecided, bytes });
        Ok(())
    }
}

/// Returns an upper bound for the size of the files of a level. A set that is not computed, or equals that of the
/// previous ply, needs no file.
fn bytes_of_level(level: &Level, before: Option<&Level>) -> u64 {
    let both = |level: &Level| [level.win.clone(), level.loss.clone()].concat();
    let known = before.map_or_else(Vec::new, both);
    both(level).iter().filter(|set| !known.contains(set)).map(file_bytes).sum()
}

/// Writes the sets of a level that the run computes for one side. A set that equals that of the previous ply shares its
/// file.
fn write_side(
    run: &RunDir,
    passes: &Passes,
    side: Side,
    ply: u32,
    level: &Level,
    before: Option<&Level>,
) -> Result<Vec<(SetName, SetEntry)>> {
    let (p, chains) = (side.index(), run.manifest.request.chains);
    let sets = [
        (Kind::W, chains.has_wins(side), &level.win[p], before.map(|b| &b.win[p])),
        (Kind::L, chains.has_losses(side), &level.loss[p], before.map(|b| &b.loss[p])),
    ];
    let write = |(kind, _, set, before): (Kind, bool, &Dfa, Option<&Dfa>)| {
        let entry = match before {
            Some(same) if same == set => run.entry(name(kind, side, ply - 1))?.clone(),
            _ => {
                let _held = passes.hold(bytes_to_write(set, passes.num_threads()));
                run.write(name(kind, side, ply), set)?
            }
        };
        Ok((name(kind, side, ply), entry))
    };
    sets.into_iter().filter(|s| s.1).map(write).collect()
}
