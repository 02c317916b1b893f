//! Solving of sectors of morris games into a directory.

use super::options::Options;
use super::ranks::rank;
use super::solution::open_solution;
use super::solver::Solver;
use super::units::UnitSolved;
use nerode_morris::tables::{SectorDir, SectorSolve, UnitDone};
use nerode_solver::error::{Error, Result};
use nerode_solver::run::Existing;
use nerode_solver::stored::Solution;

impl Solver {
    /// Solves sectors of a morris game, and all sectors that they lead to, into the directory of `options`. Sectors
    /// that the directory already contains are not solved again. Only the options for the directory, ranks, memory,
    /// threads and interruption have an effect.
    ///
    /// # Errors
    /// Returns [`Error::Game`] for a game without sectors, [`Error::Malformed`] or [`Error::NoSuchSector`] for a
    /// wrong name, [`Error::Occupied`] if the directory already contains sectors and is not to be continued, and
    /// [`Error::OtherRequest`] if the draws in the directory are ranked differently. Also returns an error if memory
    /// or disk space is exhausted, and after an interruption, from which the same call resumes.
    pub fn solve_sectors(&self, sectors: &[&str], mut options: Options<'_>) -> Result<Solution> {
        let solve = SectorSolve::new(self.shared_game())?;
        let solve = solve.of(sectors.iter().map(|sector| sector.parse()).collect::<Result<_>>()?)?;
        let scratch = match &options.directory {
            Some(_) => None,
            None => Some(nerode_dfa::ScratchDir::new().map_err(|e| Error::io(std::env::temp_dir(), e))?),
        };
        let path = match (&options.directory, &scratch) {
            (Some(path), _) => path.clone(),
            (None, Some(scratch)) => scratch.path().to_path_buf(),
            (None, None) => std::env::temp_dir(),
        };
        if options.existing == Existing::Refuse && SectorDir::exists(&path) {
            return Err(Error::Occupied { path, contents: "sectors".into() });
        }
        let mut on_unit = options.on_unit.take();
        let mut watch = |unit: &UnitDone| {
            if let Some(watch) = &mut on_unit {
                watch(&UnitSolved::of(unit));
            }
        };
        let resources = &options.resources;
        options.guarded(|| {
            let dir = solve.solve_into(&path, resources, &mut watch)?;
            options.ranked.map_or(Ok(()), |by| rank(&solve.rules, &dir, &solve.units, by, resources))
        })?;
        let solution = open_solution(&path)?;
        Ok(match scratch {
            Some(scratch) => solution.within(scratch),
            None => solution,
        })
    }
}
