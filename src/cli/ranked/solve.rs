//! The option `nerode solve GAME --ranked`, which ranks draws after the sectors have been solved.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Result;
use nerode_dfa::disk;
use nerode_games::morris::Rules;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::hints::advised;
use crate::cli::output::{Count, Output, counted, duration};
use crate::cli::solve::{Left, stops_midway};
use nerode_morris::malom::SectorValues;
use nerode_morris::ranked::{Heuristic, Ranker, Ranking, UnitRanked, path_of, values_by, values_from};
use nerode_morris::tables::{Sector, SectorDir, Unit};
use nerode_solver::solve::resources::Resources;

/// Arguments of `solve` about draws.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct RankedArgs {
    /// Rank draws by the sector in which best play ends up; sectors are valued by the shares of wins and draws in them, or
    /// by the difference in stones [default: ratio]
    #[arg(
        long,
        value_enum,
        value_name = "VALUES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "ratio",
        help_heading = "Options for sectors of morris games"
    )]
    ranked: Option<Heuristic>,
    /// With --ranked: take the values of sectors from one of Malom's lists
    #[arg(
        long,
        value_name = "FILE.secval",
        requires = "ranked",
        help_heading = "Options for sectors of morris games"
    )]
    secval: Option<PathBuf>,
}

impl RankedArgs {
    /// Returns `true` if draws are to be ranked.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.ranked.is_some()
    }

    /// Returns the requested ranking. With `overwrite`, it may replace a different one.
    pub(in crate::cli) fn choice(&self, overwrite: bool) -> RankingChoice<'_> {
        let by = |heuristic| RankingChoice::By { heuristic, secval: self.secval.as_deref(), overwrite };
        self.ranked.map_or(RankingChoice::No, by)
    }
}

/// Whether and how draws are to be ranked.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cli) enum RankingChoice<'a> {
    /// They are not ranked.
    #[default]
    No,
    /// They are ranked in the way for which the directory was created.
    AsBefore,
    /// They are ranked in this way. It replaces a different ranking only if `overwrite` is set.
    By { heuristic: Heuristic, secval: Option<&'a Path>, overwrite: bool },
}

/// A ranking that waits until its sectors are solved.
pub(in crate::cli) struct Pending {
    ranking: Ranking,
    overwrite: bool,
    /// Whether an interrupted ranking is continued with its existing values.
    goes_on: bool,
}

/// The results of ranking draws.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Ranks {
    /// The source of the values of sectors.
    by: Heuristic,
    /// The value of a win. The value of a loss is its negation, and all ranks lie between them.
    win_value: i32,
    /// The number of requested work units.
    units: usize,
    /// The number of work units that this call ranked.
    ranked_units: usize,
    /// The number of draws in the work units that this call ranked, up to symmetry.
    ranked_orbits: Count,
    /// The time in seconds for ranking them.
    rank_seconds: f64,
    /// The number of orbits whose ranks this call checked one ply deep, all of them correct.
    checked_orbits: Count,
    /// The time in seconds for checking them.
    check_seconds: f64,
    /// The total size of all files of ranks in bytes.
    bytes: u64,
}

impl Ranks {
    /// Returns the number of units ranked by this call.
    pub(in crate::cli) fn units_now(&self) -> usize {
        self.ranked_units
    }
}

fn sectors_of(units: &[Unit]) -> BTreeSet<Sector> {
    units.iter().flat_map(|unit| unit.sectors().iter().copied()).collect()
}

impl Pending {
    /// Checks the request and records it in `dir` before anything is solved, so that a list that lacks a sector is
    /// rejected immediately, and an interrupted solve continues with the ranking.
    pub(in crate::cli) fn new(
        choice: &RankingChoice<'_>,
        dir: &SectorDir,
        rules: &Rules,
        units: &[Unit],
    ) -> Result<Option<Self>> {
        let before = Ranking::read(dir, rules)?;
        let (heuristic, secval, overwrite) = match *choice {
            RankingChoice::No => return Ok(None),
            RankingChoice::AsBefore => {
                return Ok(before.map(|ranking| Self { ranking, overwrite: false, goes_on: true }));
            }
            RankingChoice::By { heuristic, secval, overwrite } => (heuristic, secval, overwrite),
        };
        let by = match (secval, heuristic) {
            (Some(_), _) => Heuristic::List,
            (None, heuristic) => heuristic,
        };
        let values = secval.map(|path| values_from(path, rules, &sectors_of(units))).transpose()?;
        let ranking = Ranking { by, values };
        match before {
            Some(before) if before.values.is_some() && !overwrite => {
                let other = before.by != by || ranking.values.is_some() && ranking.values != before.values;
                if other {
                    return Err(other_values(dir));
                }
            }
            _ => ranking.write(dir)?,
        }
        Ok(Some(Self { ranking, overwrite, goes_on: false }))
    }

    /// Returns the values, once the sectors are solved, and records them in `dir`.
    fn values(&self, dir: &SectorDir, rules: &Rules, units: &[Unit]) -> Result<SectorValues> {
        let sectors = sectors_of(units);
        let values = match &self.ranking.values {
            Some(values) if self.ranking.by == Heuristic::List || self.goes_on => values.clone(),
            _ => values_by(self.ranking.by, rules, &sectors, dir)?,
        };
        let before = Ranking::read(dir, rules)?.and_then(|ranking| ranking.values);
        let values = match before {
            Some(before) if !self.overwrite => {
                let both = before.joined(&values, rules)?;
                both.ok_or_else(|| other_values(dir))?
            }
            _ => values,
        };
        Ranking { by: self.ranking.by, values: Some(values.clone()) }.write(dir)?;
        Ok(values)
    }

    /// Ranks `units`, whose sectors are solved.
    pub(in crate::cli) fn rank(
        &self,
        (dir, rules, units): (&SectorDir, &Rules, &[Unit]),
        check: bool,
        resources: &Resources,
        out: &Output,
    ) -> Result<Ranks> {
        let progress = out.progress("rank");
        progress.message("values of sectors".into());
        let values = resources.pool()?.install(|| self.values(dir, rules, units))?;
        // Units that were solved later, and are not to be ranked, have no values.
        let has_values = |unit: &&Unit| unit.sectors().iter().all(|&sector| values.get(sector).is_some());
        let units: Vec<Unit> = units.iter().filter(has_values).cloned().collect();
        let units = units.as_slice();
        let mut now = Now::default();
        let mut watch = |done: &UnitRanked| {
            progress.item(now.add(done), done.progress.0, done.progress.1);
        };
        let ranker = Ranker::new(rules, dir, &values, resources);
        let ranked = ranker.checking(check).mending(self.goes_on).rank_all(units, &mut watch);
        progress.finish();
        let files = || sectors_of(units).into_iter().map(|sector| path_of(dir, sector));
        ranked.map_err(|error| {
            let there = files().filter(|file| file.is_file()).count();
            let left = format!(
                "{} contains the ranks of {there} of {}",
                dir.path().display(),
                counted(files().count() as u128, "sector", "sectors")
            );
            if stops_midway(&error) { Left::of(error, left) } else { error.into() }
        })?;
        let bytes_of = |file: PathBuf| Ok(disk::metadata(&file)?.len());
        Ok(Ranks {
            by: self.ranking.by,
            win_value: values.win(),
            units: units.len(),
            ranked_units: now.units,
            ranked_orbits: now.orbits.into(),
            rank_seconds: now.rank_seconds,
            checked_orbits: now.checked.into(),
            check_seconds: now.check_seconds,
            bytes: files().map(bytes_of).sum::<Result<u64>>()?,
        })
    }
}

/// The work done by this call.
#[derive(Default)]
struct Now {
    units: usize,
    orbits: u64,
    checked: u64,
    rank_seconds: f64,
    check_seconds: f64,
}

impl Now {
    /// Counts a unit, and returns a line that describes it.
    fn add(&mut self, done: &UnitRanked) -> String {
        let draws: u64 = done.draws.iter().flat_map(|(_, ranks)| ranks.values()).sum();
        self.units += 1;
        self.orbits += draws;
        self.checked += done.checked;
        self.rank_seconds += done.seconds.solve;
        self.check_seconds += done.seconds.check;
        let seconds = done.seconds.total();
        let draws = counted(draws.into(), "drawn orbit", "drawn orbits");
        format!("unit {} ranked, {draws}, {}", done.unit.first(), duration(seconds))
    }
}

fn other_values(dir: &SectorDir) -> anyhow::Error {
    advised(
        format!("the draws in {} are ranked by other values of sectors", dir.path().display()),
        "rank them again with --overwrite, or rank a copy of the sectors in another directory",
    )
}

pub(in crate::cli) fn ranks_text(ranks: &Ranks) -> String {
    let mut text = format!(
        "ranks          by {}, a win is {}; {} ranked now in {}; {}\n",
        ranks.by,
        ranks.win_value,
        counted(ranks.ranked_orbits.0, "drawn orbit", "drawn orbits"),
        duration(ranks.rank_seconds),
        counted(ranks.bytes.into(), "byte", "bytes"),
    );
    if ranks.check_seconds > 0.0 {
        let checked = counted(ranks.checked_orbits.0, "rank", "ranks");
        let time = duration(ranks.check_seconds);
        text += &format!("checked   {checked} by forward play in {time}, 0 mismatches\n");
    }
    text
}
