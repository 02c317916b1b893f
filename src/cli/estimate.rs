//! `nerode estimate GAME|RUN`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::ValueEnum;
use nerode_games::registry;
use serde::Serialize;

use super::choices::{ChainsArg, MethodArg};
use super::output::{Outcome, Output, grouped, table};
use super::resources::ResourceArgs;
use crate::archive::stored_run::StoredRun;
use crate::archive::{kind_of, must_be_directory};
use crate::report::estimate::{
    Asked, Basis, EngineName, Estimate, Expected, Limits, Range, Shortage, estimate,
};
use crate::run::next_ply::{NextPly, count_next};

/// Which engine would solve the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineArg {
    /// Sectors for large morris games, sets for all others
    Auto,
    /// Sets of positions as automata
    Sets,
    /// A table of all boards
    Table,
    /// Tables of sectors, for morris games
    Sectors,
}

/// Arguments of `estimate`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A game, such as breakthrough:5x6; or the directory of a retrograde run, to count what its next ply would decide
    game_or_run: String,
    /// The engine that would solve it
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    engine: EngineArg,
    /// The method of a solve by sets
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    method: MethodArg,
    /// Which sets a solve would compute: both chains, or one where the sides are mirror images
    #[arg(long, value_enum, default_value_t = ChainsArg::Both)]
    chains: ChainsArg,
    /// Letter order of the layers: a name that 'nerode info' lists, or cells:C,C,... with every cell once
    #[arg(long)]
    order: Option<String>,
    /// How long the game and smaller boards are solved to learn from
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    probe: u64,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Arguments of `next`, the old name for a run.
#[derive(Debug, clap::Args)]
pub(super) struct NextArgs {
    /// The run directory of a retrograde run, finished or not
    run_dir: PathBuf,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Next {
    game: String,
    ply: u32,
    sides: Vec<NextPly>,
}

/// An estimate, and what is too little for it here.
#[derive(Serialize)]
struct Estimated {
    #[serde(flatten)]
    found: Estimate,
    shortages: Vec<Shortage>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let path = Path::new(&args.game_or_run);
    if kind_of(path).is_some() {
        return next_ply(path, &args.resources, out);
    }
    if path.is_dir() {
        bail!("{} is a directory that holds nothing of nerode's", path.display());
    }
    if path.is_file() && registry::open(&args.game_or_run).is_err() {
        must_be_directory(path)?;
    }
    let game = registry::open_with_order(&args.game_or_run, args.order.as_deref())?;
    let asked = Asked {
        engine: match args.engine {
            EngineArg::Auto => None,
            EngineArg::Sets => Some(EngineName::Sets),
            EngineArg::Table => Some(EngineName::Table),
            EngineArg::Sectors => Some(EngineName::Sectors),
        },
        method: args.method.method(),
        chains: args.chains.chains(),
        probe: Duration::from_secs(args.probe),
    };
    let resources = args.resources.resolve()?;
    let found = estimate(&game, &asked, &resources)?;
    let shortages = found.shortages(&Limits::new(&resources, resources.disk.room(Path::new("."))));
    out.result(&Estimated { found, shortages }, estimated_text)?;
    Ok(Outcome::Done)
}

/// The old command `next`.
pub(super) fn run_next(args: &NextArgs, out: &Output) -> Result<Outcome> {
    next_ply(&args.run_dir, &args.resources, out)
}

fn next_ply(run_dir: &Path, resources: &ResourceArgs, out: &Output) -> Result<Outcome> {
    let solution = StoredRun::open(run_dir)?;
    let sides = count_next(&solution, &resources.resolve()?)?;
    out.result(&Next { game: solution.game.spec(), ply: solution.last_ply() + 1, sides }, next_text)?;
    Ok(Outcome::Done)
}

fn next_text(next: &Next) -> String {
    let row = |side: &NextPly| {
        let mut row = vec![side.side.to_string()];
        row.extend([side.win, side.loss, side.neither].map(grouped));
        row
    };
    let rows: Vec<Vec<String>> = next.sides.iter().map(row).collect();
    format!(
        "{}: positions decided within {} plies\n{}",
        next.game,
        next.ply,
        table(&["to move", "won", "lost", "neither"], &rows)
    )
}

fn estimated_text(estimated: &Estimated) -> String {
    let mut lines = text(&estimated.found);
    for shortage in &estimated.shortages {
        lines += &format!("\nThis is out of reach here: {}.", shortage_text(shortage));
    }
    lines
}

/// An estimate as text; `solve` prints it before something hopeless.
pub(super) fn text(found: &Estimate) -> String {
    let how = match (found.engine, found.method) {
        (EngineName::Sets, Some(method)) => format!("sets, {method}"),
        (EngineName::Sets, None) => "sets".into(),
        (EngineName::Table, _) => "a table of all boards".into(),
        (EngineName::Sectors, _) => "tables of sectors".into(),
    };
    let mut text = format!("{} by {how}\n\n", found.game);
    text +=
        &format!("words        {} for each side\n", found.words.map_or("more than 2^128".into(), grouped));
    if let Some(admissible) = &found.admissible {
        let (p1, p2) = (grouped(admissible.p1), grouped(admissible.p2));
        text += &format!("admissible   {p1} with P1 to move, {p2} with P2\n");
    }
    if let Some(sectors) = &found.sectors {
        text += &format!(
            "positions    {} up to symmetry, in {} sectors of {} work units\nlargest unit {} with what it leads to: {}\n",
            grouped(sectors.positions),
            sectors.num_sectors,
            sectors.num_units,
            sectors.largest_unit,
            bytes(sectors.largest_unit_bytes)
        );
    }
    text += &growth_text(found);
    if !found.smaller.is_empty() {
        let names: Vec<&str> = found.smaller.iter().map(|board| board.game.as_str()).collect();
        text += &format!("\nsmaller boards solved: {}\n", names.join(" "));
    }
    match &found.expected {
        Some(expected) => text + &expected_text(expected),
        None if found.engine == EngineName::Table => {
            text + "\nIts boards are beyond what a table can number.\n"
        }
        None => text + "\nThis game can only be counted forward; it is not solved.\n",
    }
}

/// Plies that are listed; a JSON document has all.
const MOST_LINES: usize = 20;

fn growth_text(found: &Estimate) -> String {
    if found.growth.is_empty() {
        return String::new();
    }
    let row = |line: &crate::report::estimate::PlyGrowth| {
        let states = grouped(line.states.into());
        vec![line.phase.to_string(), line.ply.to_string(), states, grouped(line.positions)]
    };
    let left_out = found.growth.len().saturating_sub(MOST_LINES);
    let rows: Vec<Vec<String>> = found.growth.iter().skip(left_out).map(row).collect();
    let earlier = if left_out > 0 { format!(" ({left_out} earlier plies left out)") } else { String::new() };
    format!("\nsolved for a while{earlier}:\n{}", table(&["phase", "ply", "states", "positions"], &rows))
}

fn expected_text(expected: &Expected) -> String {
    let basis = match expected.basis {
        Basis::Solved => "it was solved meanwhile",
        Basis::SmallerBoards => "by smaller boards of the family",
        Basis::Growth => "by the growth over the plies above; the range is wide",
        Basis::Exact => "positions are exact",
    };
    let mut text = format!("\nexpected of a whole solve ({basis}):\n");
    if let Some(states) = expected.states {
        text += &format!("states       {} at the largest ply\n", range(states, |n| grouped(n.into())));
    }
    text += &format!(
        "memory       {}; it can do with {}\n",
        range(expected.memory_bytes, bytes),
        bytes(expected.least_memory_bytes)
    );
    text + &format!(
        "disk         {}\ntime         {}\n",
        range(expected.bytes, bytes),
        range(expected.seconds, duration)
    )
}

fn range<T: Copy + PartialEq>(range: Range<T>, text: impl Fn(T) -> String) -> String {
    let (low, high) = (text(range.low), text(range.high));
    if low == high { low } else { format!("{low} to {high}") }
}

/// What is too little for a solve, as a sentence.
pub(super) fn shortage_text(shortage: &Shortage) -> String {
    match *shortage {
        Shortage::Memory { needed, allowed } => {
            format!("it needs at least {} of memory, and {} are allowed", bytes(needed), bytes(allowed))
        }
        Shortage::Disk { needed, free } => {
            format!("it needs at least {} of disk, and {} are free", bytes(needed), bytes(free))
        }
        Shortage::Time { needed } => format!("it takes at least {}", duration(needed)),
    }
}

/// An amount of bytes, in the unit that suits.
pub(super) fn bytes(n: u64) -> String {
    indicatif::HumanBytes(n).to_string()
}

/// A time, in the unit that suits.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(365.0 * 86_400.0, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    match UNITS.iter().find(|(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, "years")) if seconds > 1e4 * unit => "more than 10 000 years".into(),
        Some((unit, name)) => format!("{:.0} {name}", seconds / unit),
        None => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_the_unit_that_suits() {
        let texts = [0.04, 100.0, 150.0, 7200.0, 86_400.0 * 3.0, 1e9, 1e300].map(duration);
        assert_eq!(
            texts,
            ["0.0 s", "100.0 s", "2 minutes", "2 hours", "3 days", "32 years", "more than 10 000 years"]
        );
    }
}
