//! The command `nerode bounds DIR`, which determines what a search shows about early positions and stores it for
//! `query`: bounds of values by a search into sectors, or exact depths in a run from the start.

mod depths;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::{number, plies};
use super::output::{Count, Outcome, Output, counted, duration, grouped, table};
use super::resources::ResourceArgs;
use super::solutions::stored_solution;
use super::words::shell;
use nerode_morris::early::RangeCounts;
use nerode_morris::tables::SectorSolution;
use nerode_play::bounds::{EarlyDone, EarlyNow, EarlySearch};
use nerode_solver::archive::Contents;
use nerode_solver::archive::contents::BOUNDS_FOLDER;

/// Arguments of `bounds`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A directory of sectors, or a run from the start, which contains no depths; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// In a run: store the depths of all positions up to this ply, or up to the last one stored before [default: 4]
    #[arg(long, value_name = "N", value_parser = plies, conflicts_with_all = ["placements", "search_plies"])]
    plies: Option<u32>,
    /// In sectors: include positions with at most this many stones placed, of both sides together [default: 8, or one fewer than
    /// the game places]
    #[arg(long, value_name = "N", value_parser = number(0..=23u8))]
    placements: Option<u8>,
    /// In sectors: search at most this many plies after these placements; deeper positions count as unknown [default: up to the last
    /// placement]
    #[arg(long, value_name = "PLIES", value_parser = number(1..=60u32))]
    search_plies: Option<u32>,
    /// Recompute existing bounds, for example after more sectors were solved
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// The early positions of a sector.
#[derive(JsonSchema, Serialize)]
struct Line {
    /// The sector.
    sector: String,
    /// The number of stones that both sides have placed before its positions.
    placements: u8,
    /// The number of plies that its positions were searched.
    plies: u32,
    #[serde(flatten)]
    counts: Counts,
    /// The size of its ranges in bytes.
    bytes: u64,
    /// The number of positions that the search visited, or 0 for ranges that were already stored.
    nodes: u64,
}

/// Numbers of orbits by range of the value for the side to move.
#[derive(JsonSchema, Serialize)]
struct Counts {
    /// All orbits: positions that are symmetric to each other count once.
    orbits: Count,
    /// Proved wins.
    win: Count,
    /// Proved draws.
    draw: Count,
    /// Proved losses.
    loss: Count,
    /// At least a draw, and perhaps a win.
    at_least_draw: Count,
    /// At most a draw, and perhaps a loss.
    at_most_draw: Count,
    /// Orbits about which nothing is known.
    unknown: Count,
    #[serde(skip)]
    of: RangeCounts,
}

/// What a search into sectors shows about all early positions.
#[derive(JsonSchema, Serialize)]
pub(super) struct Stored {
    /// The game with its parameters, such as `morris:nine`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The folder of the ranges.
    folder: PathBuf,
    /// The sectors, those with the most placements first.
    sectors: Vec<Line>,
    #[serde(flatten)]
    counts: Counts,
    /// The total size of all ranges in bytes.
    bytes: u64,
    /// The number of positions that the search visited.
    nodes: u64,
    /// The elapsed time in seconds.
    seconds: f64,
}

pub(super) use depths::StoredDepths;

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.dir = stored_solution(&args.dir)?;
    let args = &args;
    let began = Instant::now();
    let resources = args.resources.resolve()?;
    if Contents::Run.is_in(&args.dir) {
        if args.placements.is_some() || args.search_plies.is_some() {
            bail!(
                "--placements and --search-plies apply to sectors; {} contains a run, for which --plies applies",
                args.dir.display()
            );
        }
        return depths::run(&args.dir, args.plies, args.overwrite, &resources, out);
    }
    if args.plies.is_some() && Contents::Sectors.is_in(&args.dir) {
        bail!(
            "--plies applies to runs from the start; {} contains sectors, for which --placements applies",
            args.dir.display()
        );
    }
    // Half of the memory is for tables of sectors, the other half for the search.
    let half = resources.memory / 2;
    let sectors = SectorSolution::open(&args.dir)?.with_memory(half);
    let placements = args.placements.unwrap_or_else(|| usual_placements(&sectors));
    let search = EarlySearch {
        placements,
        plies: args.search_plies,
        memory: half,
        overwrite: args.overwrite,
        interrupt: &resources.interrupt,
    };
    let pool = resources.pool()?;
    out.continue_in(command(args, placements), &args.dir.join(BOUNDS_FOLDER));
    let progress = out.progress("search");
    let watch = |now: EarlyNow| {
        let share = 100.0 * now.slots as f64 / now.all_slots.max(1) as f64;
        progress.so_far(format!(
            "{}, sector {}, {share:.1} %, {} visited",
            counted(now.placements.into(), "placement", "placements"),
            now.sector,
            counted(now.nodes.into(), "position", "positions")
        ));
    };
    let done = pool.install(|| search.run(&sectors, &watch));
    progress.finish();
    let name = sectors.dir.game();
    let lines: Vec<Line> = done?.into_iter().map(Line::of).collect();
    let stored = Stored {
        game: name.spec.clone(),
        fingerprint: name.fingerprint.clone(),
        folder: args.dir.join(BOUNDS_FOLDER),
        counts: Counts::new(lines.iter().fold(RangeCounts::default(), |all, line| all.and(line.counts.of))),
        bytes: lines.iter().map(|line| line.bytes).sum(),
        nodes: lines.iter().map(|line| line.nodes).sum(),
        sectors: lines,
        seconds: began.elapsed().as_secs_f64(),
    };
    out.result(&stored, text)?;
    Ok(Outcome::Done)
}

/// The number of placements unless another one is requested or the game has no more stones to place.
const USUAL_PLACEMENTS: u8 = 8;

fn usual_placements(sectors: &SectorSolution) -> u8 {
    let stones: u8 = sectors.rules.stones.iter().sum();
    USUAL_PLACEMENTS.min(stones.saturating_sub(1))
}

/// Returns the command that resumes after an interruption. It keeps the ranges that have been recomputed by then.
fn command(args: &Args, placements: u8) -> String {
    let plies = args.search_plies.map_or(String::new(), |plies| format!(" --search-plies {plies}"));
    format!("nerode bounds {} --placements {placements}{plies}", shell(&args.dir))
}

impl Counts {
    fn new(of: RangeCounts) -> Self {
        Self {
            orbits: of.positions().into(),
            win: of.win.into(),
            draw: of.draw.into(),
            loss: of.loss.into(),
            at_least_draw: of.at_least_draw.into(),
            at_most_draw: of.at_most_draw.into(),
            unknown: of.unknown.into(),
            of,
        }
    }
}

impl Line {
    fn of(done: EarlyDone) -> Self {
        Self {
            sector: done.sector.to_string(),
            placements: done.ranges.placements,
            plies: done.ranges.plies,
            counts: Counts::new(done.ranges.counts),
            bytes: done.ranges.file.bytes(),
            nodes: done.nodes,
        }
    }
}

fn text(stored: &Stored) -> String {
    let number = |n: u64| grouped(n.into());
    let row = |line: &Line| {
        let RangeCounts { win, draw, loss, at_least_draw, at_most_draw, unknown } = line.counts.of;
        let orbits = number(line.counts.of.positions());
        let mut row = vec![line.placements.to_string(), line.sector.clone(), orbits];
        row.extend([win, draw, loss, at_least_draw, at_most_draw, unknown].map(number));
        row
    };
    let rows: Vec<Vec<String>> = stored.sectors.iter().map(row).collect();
    let titles =
        ["placed", "sector", "orbits", "win", "draw", "loss", "at least draw", "at most draw", "unknown"];
    format!(
        "{}, bounds of early positions in {}, {}\n{} in {}, {} of them proved; {} visited\n\n{}",
        stored.game,
        stored.folder.display(),
        duration(stored.seconds),
        counted(stored.counts.of.positions().into(), "orbit", "orbits"),
        counted(stored.bytes.into(), "byte", "bytes"),
        number(stored.counts.of.proved()),
        counted(stored.nodes.into(), "position", "positions"),
        table(&titles, &rows)
    )
}
