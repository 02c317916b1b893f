//! Forward search stored in a run directory: the sets R_i of a meet-in-the-middle solve, without its values.

use std::path::Path;
use std::sync::Arc;

use nerode_games::Game;

use super::put::name;
use super::reached;
use crate::archive::run_dir::{Kind, Request, RunDir};
use crate::error::{Result, check_interrupt};
use crate::solve::choose::{must_be_solvable, must_end};
use crate::solve::engine::Engine;
use crate::solve::method::Method;
use crate::solve::reach::Reach;
use crate::solve::resources::Resources;
use crate::units::{Done, FOLDER, effective_sizes, remove_folder, withdraw};

/// An iteration over the sets R_i, which reads them from a run directory if present, and otherwise computes and writes
/// them.
///
/// The directory has the format of `solve --method meet`, which can continue from these sets.
pub struct StoredReach {
    run: RunDir,
    reach: Reach,
    resources: Resources,
}

impl StoredReach {
    /// Returns R_0 of `game` in the directory `path`, and an engine to compute the following sets. Continues a search
    /// that `path` already contains.
    ///
    /// # Errors
    /// Returns an error for a game that may not end or cannot be solved backward, [`crate::error::Error::OtherRequest`]
    /// if `path` contains a run of another kind, and any other error of [`super::solve`].
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
        // Units left by an interrupted run are reused.
        let resources = Resources { units: effective_sizes(path, resources.units)?, ..resources.clone() };
        let mut engine = Engine::in_play(game, &resources, Some(path.into()))?;
        let reach = reached::first(&mut engine, None)?;
        let mut kept = Self { run, reach, resources };
        kept.keep(&mut engine)?;
        Ok((kept, engine))
    }

    /// Returns the iteration at its current ply.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// Advances to R_{i+1}, or returns `false` without advancing if that set is empty. Recomputes a damaged file.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is exhausted, or if the search is interrupted. The directory can be
    /// resumed in these cases.
    pub fn step(&mut self, engine: &mut Engine) -> Result<bool> {
        check_interrupt(&self.resources.interrupt)?;
        let ply = self.reach.ply() + 1;
        if let Ok(now) = self.run.get(name(Kind::R, self.reach.side().other(), ply)) {
            self.reach = Reach::resume(engine, ply, now);
            return Ok(true);
        }
        let went_on = reached::advance(engine, &mut self.reach, None)?;
        if went_on {
            self.keep(engine)?;
        } else if !self.run.progress().forward_complete {
            reached::complete(&mut self.run)?;
            // Units are not removed if the search was already complete, because they may belong to a solve that
            // continued from it.
            remove_folder(&self.run.path().join(FOLDER))?;
        }
        Ok(went_on)
    }

    /// Writes the set of the current ply unless it is already on disk.
    fn keep(&mut self, engine: &mut Engine) -> Result<()> {
        if self.run.get(name(Kind::R, self.reach.side(), self.reach.ply())).is_ok() {
            return Ok(());
        }
        reached::write(&mut self.run, &self.reach, &engine.passes(), &self.resources.disk)?;
        engine.units_done().map_or(Ok(()), Done::remove)
    }
}
