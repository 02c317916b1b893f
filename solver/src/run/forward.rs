//! Forward search kept in a run directory: the sets R_i of a solve by meeting in the middle, without its values.

use std::path::Path;
use std::sync::Arc;

use nerode_games::Game;

use super::record::{name, stop_if};
use crate::archive::run_dir::{Kind, Request, RunDir};
use crate::error::Result;
use crate::solve::choose::{must_be_solvable, must_end};
use crate::solve::disk::file_bytes;
use crate::solve::engine::Engine;
use crate::solve::method::Method;
use crate::solve::reach::Reach;
use crate::solve::resources::Resources;
use crate::units::{Done, FOLDER, remove_folder, settled, withdraw};

/// R_i one after the other: from a run directory those that are there, the others computed and written there.
///
/// The directory is that of `solve --method meet`, which goes on from these sets.
pub struct KeptReach {
    run: RunDir,
    reach: Reach,
    resources: Resources,
}

impl KeptReach {
    /// R_0 of `game` in `path`, and an engine for the others. A search that `path` holds is gone on with.
    ///
    /// # Errors
    /// A game that has no end or is not solved backward; [`crate::error::Error::OtherRequest`] when `path` holds a run of another
    /// kind, and other errors of [`super::solve`].
    pub fn new(game: Arc<dyn Game>, path: &Path, resources: &Resources) -> Result<(Self, Engine)> {
        must_be_solvable(game.as_ref())?;
        must_end(game.as_ref())?;
        let request = Request::new(game.as_ref(), Method::Meet, Some(0), None);
        resources.disk.must_hold(path, 0)?;
        let run = if RunDir::exists(path) {
            RunDir::resume(path, &request)?
        } else {
            RunDir::create(path, request, false)?
        };
        withdraw(path)?;
        // Units that a stop has left are gone on with.
        let resources = Resources { units: settled(path, resources.units)?, ..resources.clone() };
        let mut engine = Engine::in_play(game, &resources, Some(path.into()))?;
        let reach = Reach::new(&engine)?;
        let mut kept = Self { run, reach, resources };
        kept.keep(&mut engine)?;
        Ok((kept, engine))
    }

    /// The iteration at the ply that it has come to.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Goes on to R_{i+1}; `false`, and stays, when that is empty. A file that is damaged is made again.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption. The directory can be gone on with then.
    pub fn step(&mut self, engine: &mut Engine) -> Result<bool> {
        stop_if(&self.resources.interrupt)?;
        let ply = self.reach.ply() + 1;
        if let Ok(now) = self.run.get(name(Kind::R, self.reach.side().other(), ply)) {
            self.reach = Reach::resume(engine, ply, now);
            return Ok(true);
        }
        let went_on = self.reach.step(engine)?;
        if went_on {
            self.keep(engine)?;
        } else if !self.run.progress().forward_complete {
            self.run.manifest.progress.forward_complete = true;
            self.run.commit()?;
            // Not where the search was complete before: units may be of a solve that went on from it.
            remove_folder(&self.run.path().join(FOLDER))?;
        }
        Ok(went_on)
    }

    /// Writes the set of the present ply where it is not there.
    fn keep(&mut self, engine: &mut Engine) -> Result<()> {
        let (ply, set) = (self.reach.ply(), self.reach.set());
        let name = name(Kind::R, self.reach.side(), ply);
        if self.run.get(name).is_ok() {
            return Ok(());
        }
        self.resources.disk.must_hold(self.run.path(), file_bytes(set))?;
        self.run.put(name, set)?;
        let progress = &mut self.run.manifest.progress;
        progress.forward = progress.forward.max(Some(ply));
        self.run.commit()?;
        engine.units_done().map_or(Ok(()), Done::remove)
    }
}
