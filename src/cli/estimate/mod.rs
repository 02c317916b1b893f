//! The command `nerode estimate GAME|RUN`.

mod text;

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::{EngineArg, MethodArg, number};
use super::hints::{advised, not_taken};
use super::memory::memory;
use super::output::{Outcome, Output, counted, duration, grouped, table};
use super::resources::ResourceArgs;
use super::rules::VariantArgs;
use crate::registry;
use nerode_report::estimate::{EngineKind, Estimate, Limits, Options, Shortage, estimate};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::{Contents, kind_of, must_be_directory};
use nerode_solver::memory::peak_rss_bytes;
use nerode_solver::run::next_ply::{NextPly, count_next};
use nerode_solver::solve::method::Chains;
use nerode_solver::solve::resources::Resources;

pub(super) use text::{expected_text, no_estimate_text, range, shortages_text, text};

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
    #[arg(long, value_enum, default_value_t = Chains::Both)]
    chains: Chains,
    /// Letter order of the layers: a name that 'nerode info' lists, or cells:C,C,... with every cell once
    #[arg(long)]
    order: Option<String>,
    /// The longest time for solving the game and smaller boards, which usually ends sooner
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number(1..=MOST_SECONDS))]
    probe: u64,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    variant: VariantArgs,
}

/// The maximum number of seconds that may be spent on measurements: one day.
const MOST_SECONDS: u64 = 86_400;

/// The positions that the next ply of a run would decide.
#[derive(JsonSchema, Serialize)]
pub(super) struct Next {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The number of the next ply.
    ply: u32,
    /// The positions by side to move.
    sides: Vec<NextPly>,
}

/// An estimate, and the resources that are insufficient for its low end and for its high end.
#[derive(JsonSchema, Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    estimate: Estimate,
    /// The resources that are insufficient even for the low end.
    shortages: Vec<Shortage>,
    /// The resources that are insufficient for the high end.
    risks: Vec<Shortage>,
}

impl Args {
    /// Returns the requested engine. Options that only apply to sets request sets.
    fn engine(&self) -> Option<EngineKind> {
        let of_sets = self.method != MethodArg::Auto || self.chains != Chains::Both || self.order.is_some();
        self.engine.engine().or(of_sets.then_some(EngineKind::Sets))
    }
}

/// Returns the limits for a solve into `path`. The memory is the total that the program may use.
pub(super) fn limits(resources: &Resources, path: &Path) -> Limits {
    let limits = Limits::new(resources, resources.disk.room(path));
    Limits { memory: memory().1.unwrap_or(limits.memory), ..limits }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    if args.engine == EngineArg::Reached {
        return Err(advised(
            "the number of reached positions cannot be estimated",
            "'nerode solve --engine reached' stops with an error if there are too many for --memory",
        ));
    }
    let what = args.variant.named(&args.game_or_run)?;
    let path = Path::new(&what);
    match kind_of(path) {
        Some(Contents::Run) => return next_ply(path, &args.resources, out),
        Some(other) => return Err(not_taken(path, other, "a run, of which the next ply could be counted")),
        None => {}
    }
    if path.is_dir() {
        bail!("{} is a directory without a solution", path.display());
    }
    // An error in a file of rules is reported with its place when the game is opened.
    let has_rules = path.extension().is_some_and(|extension| extension == "rbg");
    if path.is_file() && !has_rules && registry().open(&what).is_err() {
        must_be_directory(path)?;
    }
    let game = registry().open_with_order(&what, args.order.as_deref())?;
    let options = Options {
        engine: args.engine(),
        method: args.method.method(),
        chains: args.chains,
        probe: Duration::from_secs(args.probe),
        ..Options::default()
    };
    let resources = args.resources.resolve()?;
    let progress = out.progress("estimate");
    progress.begin(format!("probes of at most {}", duration(args.probe as f64)));
    let estimate = estimate(&game, &options, &resources)?.with_peak(peak_rss_bytes());
    progress.finish();
    let limits = limits(&resources, Path::new("."));
    let (shortages, risks) = (estimate.shortages(&limits), estimate.risks(&limits));
    out.result(&Report { estimate, shortages, risks }, report_text)?;
    Ok(Outcome::Done)
}

fn next_ply(run_dir: &Path, resources: &ResourceArgs, out: &Output) -> Result<Outcome> {
    let resources = resources.resolve()?;
    let solution = StoredRun::open_with(run_dir, registry())?.with_memory(resources.memory);
    let progress = out.progress("estimate");
    progress.begin("positions of the next ply".into());
    let sides = count_next(&solution, &resources)?;
    progress.finish();
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
        "{}: positions decided within {}\n{}",
        next.game,
        counted(next.ply.into(), "ply", "plies"),
        table(&["to move", "won", "lost", "neither"], &rows)
    )
}

fn report_text(report: &Report) -> String {
    let text = text(&report.estimate);
    match (&report.shortages[..], &report.risks[..]) {
        ([], []) => text,
        ([], risks) => format!("{text}\nThis may be out of reach here: {}.", shortages_text(risks, "up to")),
        (lacks, _) => format!("{text}\nThis is out of reach here: {}.", shortages_text(lacks, "at least")),
    }
}
