//! Sectors of morris games: solving them into a directory, and iterating over their positions.

use std::sync::Arc;

use nerode_games::morris::Rules;
use nerode_games::{Position, Side, Value};

use super::found::Found;
use super::options::Options;
use super::ranks::rank;
use super::solution::{Solution, Source};
use super::solver::Solver;
use super::units::UnitSolved;
use nerode_morris::ranked::SectorDraws;
use nerode_morris::tables::{SectorDir, SectorSolve, SectorTable, UnitDone, value_of};
use nerode_solver::error::{Error, Result};
use nerode_solver::run::Existing;

/// One sector of a solution: all its positions up to symmetry, with their values. P1 is to move.
///
/// # Examples
/// ```
/// use nerode::{Options, Solution, Value};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("six");
/// let solution = nerode::open("morris:six")?.solve_sectors(&["3-3-0-0"], Options::default().directory(&path))?;
/// let sector = solution.sector("3-3-0-0")?;
/// let lost = sector.positions().filter(|(_, found)| found.value() == Some(Value::Loss)).count();
/// assert!(lost > 0);
/// # Ok::<(), nerode::Error>(())
/// ```
#[derive(Debug)]
pub struct Sector<'a> {
    rules: &'a Rules,
    table: Arc<SectorTable>,
    draws: Option<SectorDraws>,
}

impl Sector<'_> {
    /// Returns an iterator over the positions and their evaluations, with one position of each class of symmetric
    /// ones.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Found)> + '_ {
        let index = &self.table.index;
        (0..index.num_slots()).filter(|&slot| index.hole(slot).is_none()).map(|slot| {
            let board = self.rules.board_of(self.table.state(slot), Side::P1);
            let depth = self.table.depth_at(slot);
            let found = Found::of_plies((value_of(depth), depth));
            (Position { board, side: Side::P1 }, self.ranked(found, slot))
        })
    }

    /// Adds the rank to an evaluation that is a draw with a rank.
    fn ranked(&self, found: Found, slot: u64) -> Found {
        let is_draw = found.value == Some(Value::Draw);
        Found { draw: self.draws.as_ref().filter(|_| is_draw).map(|draws| draws.at(slot)), ..found }
    }
}

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
        let solve = SectorSolve::open(&self.game().spec())?;
        let solve = solve.of(sectors.iter().map(|sector| sector.parse()).collect::<Result<_>>()?)?;
        let scratch = match &options.directory {
            Some(_) => None,
            None => Some(tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?),
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
        resources.guarded(|| {
            let dir = solve.solve_into(&path, resources, &mut watch)?;
            options.ranked.map_or(Ok(()), |by| rank(&solve.rules, &dir, &solve.units, by, resources))
        })?;
        let solution = Solution::open(&path)?;
        Ok(match scratch {
            Some(scratch) => solution.within(scratch),
            None => solution,
        })
    }
}

impl Solution {
    /// Returns the names of the sectors of a morris game that the solution contains. The list is empty for other
    /// solutions.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the directory cannot be read.
    pub fn sectors(&self) -> Result<Vec<String>> {
        match &self.source {
            Source::Sectors(sectors) => {
                Ok(sectors.dir.sectors()?.iter().map(|file| file.sector.to_string()).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Opens a sector of a morris game, which is read once.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] for a solution without tables of sectors, [`Error::MissingSector`], or an error
    /// for damaged files.
    pub fn sector(&self, name: &str) -> Result<Sector<'_>> {
        let Source::Sectors(sectors) = &self.source else {
            return Err(Error::Mismatch {
                what: "the solution".into(),
                found: format!("one of {}, without tables of sectors", self.game().spec()),
                expected: "a directory of solved sectors".into(),
            });
        };
        let name = name.parse()?;
        let draws = self.ranks().map(|ranks| ranks.of_sector(name)).transpose()?.flatten();
        Ok(Sector { rules: &sectors.rules, table: sectors.table(name)?, draws })
    }
}
