//! The command `nerode stats DIR`, which summarises a solution of any format.

mod census_text;
pub(super) mod layers;
mod listing;
pub(super) mod scores;
pub(super) mod set_lines;
mod summary_text;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use census_text::census_text;
use layers::{LayerLine, layer_lines, layers_text};
use set_lines::{SetLine, plies_text, set_lines};
use summary_text::summary_text;

pub(super) use summary_text::longest_text;

use super::output::{Outcome, Output};
use super::resources::ResourceArgs;
use super::sectors::{sector_stats, sets_stats};
use super::solutions::solution_at;
use crate::registry;
use nerode_report::census::{Census, census, reached_census};
use nerode_report::summary::{Summary, summary};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::solve::method::Method;

/// The heading of options that only apply to runs of sets.
const FOR_RUNS: &str = "Options for runs of sets";

/// Arguments of `stats`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A solution: the directory of a run, of sectors as tables or as sets, or of scores, or a table of reached positions; or a
    /// game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Also list the sets by ply: states, positions, bytes
    #[arg(long, help_heading = FOR_RUNS)]
    plies: bool,
    /// Also list the states of the largest sets by layer
    #[arg(long, help_heading = FOR_RUNS)]
    layers: bool,
    /// Also count positions by value, in total and up to symmetry: admissible ones by class or, in a run from the start, the
    /// reached ones
    #[arg(long, help_heading = FOR_RUNS)]
    orbits: bool,
    /// Also count the distinct positions that play from the start reaches, by value, in total and up to symmetry. For a
    /// retrograde run, this takes a forward search; a run with --admissible-from counts the admissible positions instead
    #[arg(long, help_heading = FOR_RUNS)]
    reachable: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

impl Args {
    /// Returns an option that only applies to runs of sets, if one is given.
    fn for_runs(&self) -> Option<&'static str> {
        let given = [
            (self.plies, "--plies"),
            (self.layers, "--layers"),
            (self.orbits, "--orbits"),
            (self.reachable, "--reachable"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }
}

/// The summary of a run, and the parts that options request.
#[derive(JsonSchema, Serialize)]
pub(super) struct Stats {
    #[serde(flatten)]
    summary: Summary,
    /// The sets of the run, with `--plies`.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Vec<SetLine>>,
    /// The states by layer, with `--layers`.
    #[serde(skip_serializing_if = "Option::is_none")]
    layers: Option<Vec<LayerLine>>,
    /// The positions up to symmetry, with `--orbits`.
    #[serde(skip_serializing_if = "Option::is_none")]
    census: Option<Census>,
    /// The reached positions up to symmetry, with `--reachable`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reachable: Option<Census>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let path = &solution_at(&args.dir, out)?;
    let contents = kind_of(path);
    if contents.is_none() && path.is_file() {
        if let Some(option) = args.for_runs() {
            bail!("{option} applies to runs of sets, and {} is a file", path.display());
        }
        return listing::stats(path, &args.resources.resolve()?, out);
    }
    match contents {
        Some(Contents::Run) | None => return run_stats(path, args, out),
        Some(other) => {
            if let Some(option) = args.for_runs() {
                bail!("{option} applies to runs of sets, and {} contains {other}", path.display());
            }
        }
    }
    match contents {
        Some(Contents::Sectors) => sector_stats(path, out),
        Some(Contents::SectorSets) => sets_stats(path, out),
        Some(Contents::Scores) => scores::stats(path, out),
        _ => bail!(
            "{}: values have no statistics of their own; name the run from which they were packed",
            path.display()
        ),
    }
}

fn run_stats(path: &Path, args: &Args, out: &Output) -> Result<Outcome> {
    let resources = args.resources.resolve()?;
    let solution = StoredRun::open_with(path, registry())?.with_memory(resources.memory);
    let progress = out.progress("stats");
    let reached = || {
        progress.begin("reached positions".into());
        reached_census(&solution, &resources)
    };
    let lines = set_lines(&solution)?;
    let layers = if args.layers { Some(layer_lines(&solution, &lines)?) } else { None };
    let reachable = if args.reachable { Some(reached()?) } else { None };
    let stats = Stats {
        summary: summary(&solution, &resources)?,
        plies: args.plies.then_some(lines),
        layers,
        census: match (args.orbits, solution.method()) {
            (false, _) => None,
            (true, Method::Retrograde) => {
                progress.begin("orbits".into());
                Some(census(&solution, &resources)?)
            }
            (true, Method::Meet) if reachable.is_some() => reachable.clone(),
            (true, Method::Meet) => Some(reached()?),
        },
        reachable,
    };
    progress.finish();
    out.result(&stats, text)?;
    Ok(Outcome::Done)
}

fn text(stats: &Stats) -> String {
    let mut text = summary_text(&stats.summary);
    if let Some(plies) = &stats.plies {
        text += &plies_text(plies);
    }
    if let Some(layers) = &stats.layers {
        text += &layers_text(layers);
    }
    if let Some(census) = &stats.census {
        text += &census_text(census);
    }
    // A run from the start contains only these positions, so that both counts are the same.
    if let Some(reachable) = stats.reachable.as_ref().filter(|_| stats.census != stats.reachable) {
        text += &census_text(reachable);
    }
    text
}
