//! `nerode explicit GAME`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use nerode_games::registry;
use serde::{Serialize, Serializer};

use super::output::{Outcome, Output, grouped, table};
use super::resources::ResourceArgs;
use super::sectors::{solve_sectors, start_text};
use super::solve::safe_name;
use crate::archive::table::write_solution;
use crate::explicit::{Control, Stats, solve};
use crate::report::run::Start;

/// Arguments of `explicit`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as tictactoe:3x3
    game: String,
    /// Table file to write [default: runs/GAME.tbl]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Morris games: solve these sectors, such as 4-3-0-0 or start, and all that they depend on, each into a file of its own
    #[arg(long, value_delimiter = ',', conflicts_with = "out")]
    sector: Vec<String>,
    /// Directory of sectors to add to; what it holds is not solved again [default: runs/GAME]
    #[arg(long, requires = "sector")]
    run_dir: Option<PathBuf>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Counts of positions are decimal strings in JSON, whose numbers are exact up to 2^53 only.
fn decimal<S: Serializer>(count: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}

fn decimals<S: Serializer>(counts: &BTreeMap<u64, u64>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(counts.iter().map(|(depth, count)| (depth, count.to_string())))
}

#[derive(Serialize)]
struct SideCounts {
    #[serde(serialize_with = "decimal")]
    win: u64,
    #[serde(serialize_with = "decimal")]
    draw: u64,
    #[serde(serialize_with = "decimal")]
    loss: u64,
}

#[derive(Serialize)]
struct Solved {
    game: String,
    fingerprint: String,
    #[serde(serialize_with = "decimal")]
    positions: u64,
    #[serde(serialize_with = "decimal")]
    win: u64,
    #[serde(serialize_with = "decimal")]
    draw: u64,
    #[serde(serialize_with = "decimal")]
    loss: u64,
    sides: BTreeMap<String, SideCounts>,
    start: Start,
    max_dtw: Option<u16>,
    #[serde(serialize_with = "decimals")]
    dtw_histogram: BTreeMap<u64, u64>,
    seconds: f64,
    file: PathBuf,
    bytes: u64,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let game = registry::open(&args.game)?;
    if !args.sector.is_empty() {
        let default = || PathBuf::from("runs").join(safe_name(game.as_ref()));
        let run_dir = args.run_dir.clone().unwrap_or_else(default);
        return solve_sectors(&args.game, &args.sector, &run_dir, &args.resources, out);
    }
    let resources = args.resources.resolve()?;
    let file = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from("runs").join(format!("{}.tbl", safe_name(game.as_ref()))));
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    }
    let progress = out.progress("solve");
    let threads = rayon::ThreadPoolBuilder::new().num_threads(resources.threads).build()?;
    let solution = threads.install(|| {
        let control = Control {
            memory_limit: resources.memory,
            interrupt: &resources.interrupt,
            progress: &mut |done, total| progress.steps(done, total),
        };
        solve(game.as_ref(), &game.spec(), control)
    })?;
    progress.finish();
    let bytes = write_solution(&file, game.as_ref(), &solution)?;
    let stats = solution.stats();
    let total = |pick: fn(&crate::explicit::ValueCounts) -> u64| stats.sides.iter().map(pick).sum();
    let solved = Solved {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        positions: 2 * solution.indexer().num_positions(),
        win: total(|s| s.win),
        draw: total(|s| s.draw),
        loss: total(|s| s.loss),
        sides: sides(stats),
        start: Start::new(stats.start_side, stats.start),
        max_dtw: stats.max_depth(),
        dtw_histogram: (0..).zip(stats.histogram.iter().copied()).filter(|e| e.1 > 0).collect(),
        seconds: began.elapsed().as_secs_f64(),
        file,
        bytes,
    };
    out.result(&solved, text)?;
    Ok(Outcome::Done)
}

fn sides(stats: &Stats) -> BTreeMap<String, SideCounts> {
    ["P1", "P2"]
        .into_iter()
        .zip(&stats.sides)
        .map(|(name, s)| (name.to_string(), SideCounts { win: s.win, draw: s.draw, loss: s.loss }))
        .collect()
}

fn text(solved: &Solved) -> String {
    let number = |n: u64| grouped(u128::from(n));
    let mut rows: Vec<Vec<String>> = solved
        .sides
        .iter()
        .map(|(side, c)| vec![side.clone(), number(c.win), number(c.draw), number(c.loss)])
        .collect();
    rows.push(vec!["both".into(), number(solved.win), number(solved.draw), number(solved.loss)]);
    let histogram: Vec<Vec<String>> =
        solved.dtw_histogram.iter().map(|(d, n)| vec![d.to_string(), number(*n)]).collect();
    format!(
        "{} explicitly: {} positions\nstart     {}\n\n{}\n{}\ntime      {:.2} s\nfile      {} ({} bytes)\n",
        solved.game,
        number(solved.positions),
        start_text(&solved.start),
        table(&["to move", "win", "draw", "loss"], &rows),
        table(&["depth", "positions"], &histogram),
        solved.seconds,
        solved.file.display(),
        number(solved.bytes)
    )
}
