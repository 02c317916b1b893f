//! `nerode solve GAME`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::ValueEnum;
use nerode_games::{Game, registry};
use serde::Serialize;

use super::output::{Outcome, Output, grouped, table};
use super::resources::{ResourceArgs, peak_rss_bytes};
use super::solve_sectors::solve_sectors;
use crate::archive::stored_run::StoredRun;
use crate::facade::{Options, open};
use crate::report::run::{RunReport, report};
use crate::run::Existing;
use crate::solve::method::{Chains, Method};
use crate::solve::resources::Backend;

/// How positions are decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// Every position of every ply back from the end
    Retrograde,
    /// Positions reachable from the start: forward, then values backed up
    Meet,
    /// Whichever of the two grows more slowly over the first plies
    Auto,
}

/// Which sets are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ChainsArg {
    /// Wins and losses of both sides
    Both,
    /// Wins of P1 and losses of P2
    One,
}

/// How sets are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BackendArg {
    /// Recursions while sets are small, passes from then on
    Auto,
    /// Recursions that remember results
    Recursion,
    /// Passes a layer at a time
    Passes,
}

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as breakthrough:4x5
    game: String,
    /// How positions are decided
    #[arg(long, value_enum, default_value_t = MethodArg::Auto)]
    method: MethodArg,
    /// Plies at most: retrograde plies, or forward plies of meet [default: to the end]
    #[arg(long)]
    plies: Option<u32>,
    /// Retrograde plies computed before the values are backed up (--method meet only) [default: 0]
    #[arg(long)]
    backward_plies: Option<u32>,
    /// From this ply on take all positions that the game's rules admit at the ply instead of those that are reached: more
    /// positions, often far fewer states (--method meet only)
    #[arg(long, alias = "legal-from")]
    admissible_from: Option<u32>,
    /// Placed sectors of a morris game as sets, such as 4-4-0-0, and what they depend on; goes on from what the run directory has
    #[arg(
        long,
        value_delimiter = ',',
        conflicts_with_all = ["method", "plies", "backward_plies", "admissible_from", "resume", "overwrite", "order", "chains", "backend"]
    )]
    sector: Vec<String>,
    /// Where the solution goes [default: runs/GAME, and runs/GAME.sets for sectors]
    #[arg(long)]
    run_dir: Option<PathBuf>,
    /// Continue the run in the run directory
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Replace the run in the run directory
    #[arg(long)]
    overwrite: bool,
    /// Letter order of the layers: a name that 'nerode info' lists, or cells:C,C,... with every cell once
    #[arg(long)]
    order: Option<String>,
    /// Chains of sets: both, or one where the other is its mirror image: half the work, and every position still has value and
    /// depth (retrograde only)
    #[arg(long, value_enum, default_value_t = ChainsArg::Both)]
    chains: ChainsArg,
    /// How sets are moved; results do not depend on it
    #[arg(long, value_enum, default_value_t = BackendArg::Auto)]
    backend: BackendArg,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Solved {
    #[serde(flatten)]
    report: RunReport,
    seconds: f64,
    peak_rss_bytes: Option<u64>,
    run_dir: PathBuf,
}

/// Directory name of a game: its spec with separators made safe.
pub(super) fn safe_name(game: &dyn Game) -> String {
    game.spec().replace([':', ',', '/', '\\'], "_")
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    if !args.sector.is_empty() {
        let folder =
            || Ok(PathBuf::from("runs").join(safe_name(registry::open(&args.game)?.as_ref()) + ".sets"));
        let path = args.run_dir.clone().map_or_else(folder, anyhow::Ok)?;
        return solve_sectors(&args.game, &args.sector, path, &args.resources.resolve()?, out);
    }
    if args.backward_plies.is_some() && args.method != MethodArg::Meet {
        bail!("--backward-plies says where forward and backward search meet; give --method meet with it");
    }
    if args.admissible_from.is_some() && args.method != MethodArg::Meet {
        bail!(
            "--admissible-from says from which ply on admissible positions take the place of those reached; give --method meet \
             with it"
        );
    }
    if args.chains == ChainsArg::One && args.method == MethodArg::Meet {
        bail!("--chains says what retrograde analysis computes; leave it away with --method meet");
    }
    let solver = open(&args.game)?;
    let path = args.run_dir.clone().unwrap_or_else(|| PathBuf::from("runs").join(safe_name(solver.game())));
    let progress = out.progress("solve");
    out.continue_with(format!("nerode solve {} --run-dir {} --resume", args.game, path.display()));
    solver.solve(options(args, &path)?.on_ply(|done| progress.ply(done)))?;
    progress.finish();
    let report = report(&StoredRun::open(&path)?)?;
    let seconds = began.elapsed().as_secs_f64();
    let solved = Solved { report, seconds, peak_rss_bytes: peak_rss_bytes(), run_dir: path };
    out.result(&solved, text)?;
    Ok(Outcome::Done)
}

/// What the arguments ask of the library.
fn options<'a>(args: &Args, path: &Path) -> Result<Options<'a>> {
    let resources = args.resources.resolve()?;
    let mut options = Options::default()
        .directory(path)
        .existing(match (args.resume, args.overwrite) {
            (true, _) => Existing::Resume,
            (_, true) => Existing::Overwrite,
            _ => Existing::Refuse,
        })
        .memory(resources.memory)
        .threads(resources.threads)
        .interrupt(resources.interrupt)
        .chains(if args.chains == ChainsArg::One { Chains::One } else { Chains::Both })
        .backend(match args.backend {
            BackendArg::Auto => Backend::Auto,
            BackendArg::Recursion => Backend::Recursion,
            BackendArg::Passes => Backend::Passes,
        });
    options = match args.method {
        MethodArg::Auto => options,
        MethodArg::Retrograde => options.method(Method::Retrograde),
        MethodArg::Meet => options.method(Method::Meet),
    };
    if let Some(order) = &args.order {
        options = options.order(order);
    }
    if let Some(plies) = args.plies {
        options = options.plies(plies);
    }
    if let Some(plies) = args.backward_plies {
        options = options.backward_plies(plies);
    }
    Ok(match args.admissible_from {
        Some(ply) => options.admissible_from(ply),
        None => options,
    })
}

fn text(solved: &Solved) -> String {
    let r = &solved.report;
    let mut lines = format!("{} by {}\n", r.game, format!("{:?}", r.method).to_lowercase());
    lines += &match (&r.winner, r.start.dtw) {
        (Some(w), Some(depth)) if w != "draw" => format!("winner              {w}, in {depth} plies\n"),
        (Some(w), _) if w != "draw" => format!("winner              {w}\n"),
        (Some(_), _) => "winner              nobody: a draw\n".into(),
        (None, _) => "winner              unknown within the plies searched\n".into(),
    };
    lines += &format!(
        "start               {} to move: {}\ncomplete            {}\n\n",
        r.start.side,
        r.start.category,
        if r.complete { "yes" } else { "no" }
    );
    let mut rows = Vec::new();
    for (side, values) in [("P1", &r.sides.p1), ("P2", &r.sides.p2)] {
        let named = [
            ("win", &values.win),
            ("draw", &values.draw),
            ("loss", &values.loss),
            ("unknown", &values.unknown),
        ];
        for (value, c) in named.into_iter().filter(|(_, c)| c.positions != 0) {
            rows.push(vec![
                format!("{side} {value}"),
                grouped(c.positions),
                grouped(u128::from(c.num_states)),
                grouped(u128::from(c.bytes)),
            ]);
        }
    }
    lines += &table(&["to move", "positions", "states", "bytes"], &rows);
    if let Some(ratio) = r.positions_per_byte {
        lines += &format!("\npositions per byte  {ratio:.1}\n");
    }
    lines += &format!("time                {:.2} s\n", solved.seconds);
    if let Some(peak) = solved.peak_rss_bytes {
        lines += &format!("peak memory         {} MiB\n", peak >> 20);
    }
    lines + &format!("run directory       {}\n", solved.run_dir.display())
}
