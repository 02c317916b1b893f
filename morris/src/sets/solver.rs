//! Solves a sector as sets, after the sectors that it depends on.
//!
//! Invariant: a sector is solved from sectors with one stone less, which are computed in the same way. No explicit
//! tables are used.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::Passes;
use nerode_games::Game;
use nerode_games::morris::Rules;
use nerode_games::morris::rules::FEWEST_STONES;

use super::folder::SetsDir;
use super::sector_sets::{SectorSets, Stones};
use super::turns::Turns;
use super::unit::{Half, Unit};
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::disk::{Disk, file_bytes};
use nerode_solver::solve::resources::Resources;

/// Solves sectors of one game.
pub struct SectorSolver {
    game: Arc<dyn Game>,
    rules: Rules,
    passes: Passes,
    turns: Turns,
    solved: BTreeMap<Stones, SectorSets>,
    dir: Option<SetsDir>,
    disk: Disk,
    /// Whether damaged sectors in the directory are solved again.
    mends: bool,
    /// The sectors that were solved by this solver, not read from the directory.
    solved_now: Vec<Stones>,
}

impl SectorSolver {
    /// Creates a solver for sectors of `game`, which belongs to the family `morris`.
    ///
    /// # Errors
    /// Returns an error if the game has no sectors, or if the threads cannot be started.
    pub fn new(game: Arc<dyn Game>, resources: &Resources) -> Result<Self> {
        let rules = game.sector_rules()?.clone();
        let passes = resources.passes(None)?;
        let turns = Turns::new(game.as_ref(), &rules)?;
        Ok(Self {
            game,
            rules,
            passes,
            turns,
            solved: BTreeMap::new(),
            dir: None,
            disk: resources.disk.clone(),
            mends: false,
            solved_now: Vec::new(),
        })
    }

    /// Returns the game.
    pub fn game(&self) -> &dyn Game {
        self.game.as_ref()
    }

    /// Stores every sector solved from now on in the directory `path`, and reads sectors that exist there instead of
    /// solving them.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn keep_in(&mut self, path: &Path) -> Result<()> {
        self.dir = Some(SetsDir::create(path, self.game.as_ref())?);
        Ok(())
    }

    /// Solves sectors again whose files in the directory are damaged or missing, instead of reporting an error.
    pub fn mend(&mut self) {
        self.mends = true;
    }

    /// Returns the sectors that were solved by this solver, not read from the directory.
    pub fn solved_now(&self) -> &[Stones] {
        &self.solved_now
    }

    /// Solves the sector with `stones` and the sectors that it depends on, each once.
    ///
    /// *Cost*: for each odd depth of a sector two or three passes over the new positions, and for each even depth up to
    /// seven.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchSector`] if a side has fewer than three stones or more than the game has, the errors of
    /// the directory that stores sectors (see [`SectorSolver::keep_in`]), or an error if memory runs out or the run is
    /// interrupted.
    pub fn solve(&mut self, stones: Stones) -> Result<SectorSets> {
        let fits = |[own, other]: Stones| own <= self.rules.stones[0] && other <= self.rules.stones[1];
        let [most, fewest] = [stones[0].max(stones[1]), stones[0].min(stones[1])];
        if fewest < FEWEST_STONES || !(fits(stones) || fits([stones[1], stones[0]])) {
            let ([own, other], [most, least]) = (stones, self.rules.stones);
            let limits = format!(
                "in {}, the sides have {FEWEST_STONES} to {most} and {FEWEST_STONES} to {least} placed \
                    stones",
                self.game.spec()
            );
            return Err(Error::NoSuchSector { sector: format!("{own}-{other}-0-0"), limits });
        }
        for more in FEWEST_STONES..=most {
            for less in FEWEST_STONES..=more.min(fewest) {
                let unit = [[more, less], [less, more]];
                if !self.known(unit[0])? || !self.known(unit[1])? {
                    self.solve_unit(unit[0])?;
                }
            }
        }
        let missing = || {
            let sector = format!("{}-{}-0-0", stones[0], stones[1]);
            Error::MissingSector { sector, needed_by: None, folder: None }
        };
        self.solved.get(&stones).cloned().ok_or_else(missing)
    }

    /// Returns `true` if the sector is solved, either by this solver or in the directory.
    fn known(&mut self, stones: Stones) -> Result<bool> {
        if self.solved.contains_key(&stones) {
            return Ok(true);
        }
        let stored = match self.dir.as_ref().map(|dir| dir.read(stones)).transpose() {
            Err(Error::Corrupt { .. } | Error::Io { .. }) if self.mends => None,
            stored => stored?.flatten(),
        };
        let Some(by_depth) = stored else { return Ok(false) };
        let all = self.turns.all(&self.passes, stones)?;
        self.solved.insert(stones, SectorSets { stones, by_depth, all });
        Ok(true)
    }

    /// Solves the sector with `stones` and the one with the sides exchanged, which lead to each other.
    fn solve_unit(&mut self, stones: Stones) -> Result<()> {
        let exchanged = [stones[1], stones[0]];
        let mut halves = vec![self.half(stones)?];
        if exchanged != stones {
            halves.push(self.half(exchanged)?);
        }
        for half in Unit::new(&self.passes, &self.turns, halves).solve()? {
            if let Some(dir) = &self.dir {
                self.disk.must_hold(dir.path(), half.by_depth.iter().map(file_bytes).sum())?;
                dir.write(half.stones, &half.by_depth)?;
            }
            self.solved_now.push(half.stones);
            self.solved.insert(half.stones, half);
        }
        Ok(())
    }

    fn half(&self, stones: Stones) -> Result<Half<'_>> {
        let flies = self.rules.flies(stones[0], 0);
        let child = [stones[1] - 1, stones[0]];
        Half::new(&self.passes, &self.turns, stones, flies, self.solved.get(&child))
    }
}
