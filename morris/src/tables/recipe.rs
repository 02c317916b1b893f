//! The steps that every solve of sectors shares: the game is opened, the work units of the requested sectors are
//! planned, a directory is created, and the units are solved into it.

use std::path::Path;
use std::sync::Arc;

use nerode_games::Game;
use nerode_games::morris::{Rules, rules_of};

use super::dir::SectorDir;
use super::name::GameName;
use super::run::{Runner, UnitDone};
use super::sector::{Sector, Unit, plan};
use nerode_solver::error::Result;
use nerode_solver::solve::resources::Resources;

/// A solve of sectors of a morris game.
#[derive(Clone, Debug)]
pub struct SectorSolve {
    /// The game.
    pub game: Arc<dyn Game>,
    /// The rules of the game.
    pub rules: Rules,
    /// The name that files give the game.
    pub name: GameName,
    /// The requested sectors.
    pub roots: Vec<Sector>,
    /// The work units of the requested sectors, each after those that it leads to.
    pub units: Vec<Unit>,
}

impl SectorSolve {
    /// Opens the game that `spec` names. No sectors are requested yet.
    ///
    /// # Errors
    /// Returns the errors of [`rules_of`].
    pub fn open(spec: &str) -> Result<Self> {
        Self::new(rules_of(spec)?.0)
    }

    /// Takes a game that is open. No sectors are requested yet.
    ///
    /// # Errors
    /// Returns the errors of [`Game::sector_rules`].
    pub fn new(game: Arc<dyn Game>) -> Result<Self> {
        let (rules, name) = (game.sector_rules()?.clone(), GameName::of(game.as_ref()));
        Ok(Self { game, rules, name, roots: Vec::new(), units: Vec::new() })
    }

    /// Requests the sectors `roots` and all sectors that they lead to.
    ///
    /// # Errors
    /// Returns the errors of [`plan`].
    pub fn of(self, roots: Vec<Sector>) -> Result<Self> {
        let units = plan(&self.rules, &roots)?;
        Ok(Self { roots, units, ..self })
    }

    /// Creates a directory for sectors of the game, or opens it if it exists.
    ///
    /// # Errors
    /// Returns the errors of [`SectorDir::create`].
    pub fn create(&self, path: &Path) -> Result<SectorDir> {
        SectorDir::create(path, self.name.clone(), &self.game.rules())
    }

    /// Returns the runner that solves units of the game into `dir`.
    pub fn runner<'a>(&'a self, dir: &'a SectorDir, resources: &'a Resources) -> Runner<'a> {
        Runner::new(&self.rules, dir, resources)
    }

    /// Solves the requested sectors into the directory `path`, which is returned. Units that the directory contains are
    /// not solved again. `watch` is called after every unit.
    ///
    /// # Errors
    /// Returns the errors of [`SectorSolve::create`], [`SectorDir::want`] and [`Runner::solve_all`].
    pub fn solve_into(
        &self,
        path: &Path,
        resources: &Resources,
        watch: &mut (dyn FnMut(&UnitDone) + Send),
    ) -> Result<SectorDir> {
        let dir = self.create(path)?;
        dir.want(&self.roots, false)?;
        self.runner(&dir, resources).solve_all(&self.units, watch)?;
        Ok(dir)
    }
}
