//! The command `nerode solve GAME`, which computes sets, a table, sectors or scores.

mod ahead;
mod args;
mod left;
mod out_of_reach;
pub(super) mod reached;
pub(super) mod score;
pub(super) mod sector_sets;
pub(super) mod sectors;
mod sets;
pub(super) mod table;
pub(super) mod text;
mod weights;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;
use nerode_games::{Error as GameError, Game};
use nerode_rules::rbg::with_variant;
use nerode_solver::error::Error;

use super::hints::advised;
use super::output::{Outcome, Output};
use super::words::shell;
use crate::facade::open;
use crate::registry;
use args::Work;
use nerode_solver::solve::reached::few;

pub(super) use args::Args;
pub(super) use left::{Left, continues, instead_of, stops_midway};
pub(super) use score::{ScoreWork, find_scores};
pub(super) use sector_sets::{print_sector_sets, solve_sector_sets};
pub(super) use sectors::{SectorWork, solve_sectors};
pub(super) use sets::print_run;
pub(super) use table::{make_table, must_be_free};

/// The folder of solutions that are given no other place.
pub(super) const DEFAULT_FOLDER: &str = "runs";

/// The endings of the names of solutions there, by form: a run or sectors, sectors as sets, a table, scores.
const SUFFIXES: [&str; 4] = ["", ".sets", ".tbl", ".scores"];

/// Returns the directory name of a game: its spec, or the name of the file of its rules without folders, with
/// separators replaced by safe characters.
pub(super) fn safe_name(game: &dyn Game) -> String {
    let spec = game.spec();
    let (base, variant) = with_variant(&spec);
    let base = match base.ends_with(".rbg") {
        true => Path::new(base).file_name().and_then(OsStr::to_str).unwrap_or(base),
        false => base,
    };
    variant
        .map_or_else(|| base.to_string(), |variant| format!("{base}:{variant}"))
        .replace([':', ',', '/', '\\'], "_")
}

/// Returns the default path of a solution of a game.
pub(super) fn default_path(game: &dyn Game, suffix: &str) -> PathBuf {
    PathBuf::from(DEFAULT_FOLDER).join(safe_name(game) + suffix)
}

/// Returns the path of the solution that a user names: a path, or a game whose solution is in the default place.
///
/// # Errors
/// Returns an error if `named` is the name of a game without such a solution.
pub(super) fn solution_at(named: &Path) -> Result<PathBuf> {
    let is_rules = named.extension().is_some_and(|ending| ending == "rbg");
    let game =
        named.to_str().filter(|_| is_rules || !named.exists()).and_then(|name| registry().open(name).ok());
    let Some(game) = game else { return Ok(named.into()) };
    let mut places = SUFFIXES.iter().map(|suffix| default_path(game.as_ref(), suffix));
    places.find(|path| path.exists()).ok_or_else(|| {
        advised(
            format!("no solution of {} in {DEFAULT_FOLDER}", game.spec()),
            format!("'nerode solve {}' creates one", shell(named)),
        )
    })
}

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.game = args.variant.named(&args.game)?;
    let args = &args;
    out_of_reach::must_be_in_reach(args)?;
    let solver = match open(&args.game) {
        Err(refusal @ Error::Game(GameError::Rules(_))) if args.may_be_refused() => {
            return reached::solve_refused(args, refusal, &|game| default_path(game, ".tbl"), out);
        }
        solver => solver?,
    };
    let game = solver.game();
    let run_dir = |suffix| args.run_dir.clone().unwrap_or_else(|| default_path(game, suffix));
    match args.work(&solver)? {
        Work::Sets => {
            if args.may_take_reached() {
                let began = Instant::now();
                let resources = args.resources.resolve()?;
                let solution = resources.pool()?.install(|| few(game, &resources))?;
                let file = default_path(game, ".tbl");
                if let Some(solution) = solution {
                    must_be_free(&file, false)?;
                    return reached::store(game, solution, &file, &resources, began, out);
                }
            }
            sets::solve(&solver, args, &run_dir(""), out)
        }
        Work::Reached => {
            let file = args.out.clone().unwrap_or_else(|| default_path(game, ".tbl"));
            must_be_free(&file, args.overwrite)?;
            reached::solve(game, &file, &args.resources, out)
        }
        Work::SectorSets => {
            let path = run_dir(".sets");
            let solved = solve_sector_sets(&args.game, &args.sector, &path, false, &args.resources, out)?;
            print_sector_sets(&solved, out)
        }
        Work::Table => {
            let file = args.out.clone().unwrap_or_else(|| default_path(game, ".tbl"));
            must_be_free(&file, args.overwrite)?;
            make_table(game, &file, &args.resources, out)
        }
        Work::Sectors => {
            let start = ["start".to_string()];
            let sectors = if args.sector.is_empty() { &start } else { args.sector.as_slice() };
            let path = run_dir("");
            let work = SectorWork::new(&args.game, sectors, &path).anyway(args.anyway || args.resume);
            let work = work.checking(args.check).ranking(args.ranking());
            solve_sectors(&work, &args.resources, out)
        }
        Work::Scores => {
            let folder = run_dir(".scores");
            let work = ScoreWork {
                game: &args.game,
                order: args.order.as_deref(),
                folder: Some(&folder),
                overwrite: args.overwrite,
            };
            find_scores(&work, &args.resources, out)
        }
    }
}
