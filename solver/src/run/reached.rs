//! The sets R_i of a run: the first one, the step to the next one, and the only place that writes them.

use nerode_dfa::Passes;

use super::put::{name, put};
use crate::archive::run_dir::{Kind, RunDir};
use crate::error::{Error, Lack, Result};
use crate::solve::disk::Disk;
use crate::solve::engine::Engine;
use crate::solve::reach::{Reach, admissible_at};

/// Returns the first R_i. From ply `admissible_from` on, the sets consist of all admissible positions.
pub(super) fn first(engine: &mut Engine, admissible_from: Option<u32>) -> Result<Reach> {
    match admissible_from {
        Some(0) => {
            let room = engine.room();
            Ok(Reach::resume(engine, 0, admissible_at(engine.game.as_ref(), 0, room)?))
        }
        _ => Reach::new(engine),
    }
}

/// Advances to the next R_i, or returns `false` if there is none.
pub(super) fn advance(engine: &mut Engine, reach: &mut Reach, admissible_from: Option<u32>) -> Result<bool> {
    match admissible_from {
        Some(ply) if ply <= reach.ply() + 1 => reach.step_admissible(engine),
        _ => reach.step(engine),
    }
}

/// Writes R_i to `run`, and returns the numbers of its states and positions.
///
/// # Errors
/// Returns [`Error::NotForGame`] if the number of plies is not limited and R_i is that of an earlier ply, so that none of
/// the following sets is empty; or an error if a file cannot be written.
pub(super) fn write(run: &mut RunDir, reach: &Reach, passes: &Passes, disk: &Disk) -> Result<(u64, u128)> {
    let counts = put(run, name(Kind::R, reach.side(), reach.ply()), reach.set(), passes, disk)?;
    if repeats(run, reach) {
        return Err(Error::NotForGame { game: run.request().game.clone(), lack: Lack::End });
    }
    let progress = &mut run.manifest.progress;
    progress.forward = progress.forward.max(Some(reach.ply()));
    run.commit()?;
    Ok(counts)
}

/// Returns `true` if the set of the current ply, which has been written, is that of an earlier ply with the same side to
/// move.
fn repeats(run: &RunDir, reach: &Reach) -> bool {
    let (side, ply) = (reach.side(), reach.ply());
    let is_limited = run.request().forward_plies.is_some() || run.request().admissible_from.is_some();
    if is_limited || reach.set().is_empty() {
        return false;
    }
    let Ok(now) = run.entry(name(Kind::R, side, ply)) else { return false };
    (0..ply)
        .filter_map(|ply| run.entry(name(Kind::R, side, ply)).ok())
        .any(|before| before.stored == now.stored)
}

/// Records in `run` that no position of the last R_i continues.
pub(super) fn complete(run: &mut RunDir) -> Result<()> {
    run.manifest.progress.forward_complete = true;
    run.commit()
}
