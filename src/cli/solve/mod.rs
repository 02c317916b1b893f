//! The command `nerode solve GAME`, which computes sets, a table, sectors, scores or nimbers.

mod ahead;
mod args;
mod interpreted;
mod left;
pub(super) mod nimbers;
mod out_of_reach;
pub(super) mod reached;
pub(super) mod score;
pub(super) mod sector_sets;
pub(super) mod sectors;
mod sets;
pub(super) mod table;
pub(super) mod text;
mod weights;

use std::time::Instant;

use anyhow::Result;
use nerode_games::{Error as GameError, Game};
use nerode_solver::error::Error;

use super::output::{Outcome, Output};
use super::rules::is_rules;
use super::solutions::default_path;
use crate::facade::open;
use crate::registry;
use args::Work;
use nerode_solver::solve::reached::few;
use nimbers::find_nimbers;
use score::find_scores;

pub(super) use args::Args;
pub(super) use interpreted::{interpreted_solution, uncompiled};
pub(super) use left::{Left, continues, instead_of, stops_midway};
pub(super) use out_of_reach::beyond_reach;
pub(super) use sector_sets::{print_sector_sets, solve_sector_sets};
pub(super) use sectors::{SectorWork, solve_sectors};
pub(super) use sets::print_run;
pub(super) use table::{make_table, must_be_free};

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.game = args.variant.named(&args.game)?;
    let args = &args;
    out_of_reach::must_be_in_reach(args)?;
    if args.score && is_rules(&args.game) {
        return find_scores(args, score::interpreted_rules(args)?, out);
    }
    let table = |game: &dyn Game| args.out.clone().unwrap_or_else(|| default_path(game, ".tbl"));
    if args.may_take_few()
        && let Some(outcome) = reached::solve_uncompiled(args, &table, out)?
    {
        return Ok(outcome);
    }
    let solver = match open(&args.game) {
        Err(refusal @ Error::Game(GameError::Rules(_))) if args.may_be_refused() => {
            return reached::solve_refused(args, refusal, &table, out);
        }
        solver => solver?,
    };
    let game = solver.game();
    let run_dir = |suffix| args.run_dir.clone().unwrap_or_else(|| default_path(game, suffix));
    let work = args.work(&solver)?;
    if matches!(work, Work::Reached | Work::Table) {
        must_be_free(&table(game), args.overwrite)?;
    }
    if matches!(work, Work::Sets | Work::Table) && args.may_take_reached() {
        let began = Instant::now();
        let resources = args.resources.resolve()?;
        if let Some(solution) = resources.pool()?.install(|| few(game, &resources))? {
            must_be_free(&table(game), args.overwrite)?;
            return reached::store(game, solution.into_rows(), &table(game), &resources, began, out);
        }
    }
    match work {
        Work::Sets => sets::solve(&solver, args, &run_dir(""), out),
        Work::Reached => reached::solve(game, &table(game), args, out),
        Work::SectorSets => {
            let path = run_dir(".sets");
            let solved = solve_sector_sets(&args.game, &args.sector, &path, false, &args.resources, out)?;
            print_sector_sets(&solved, out)
        }
        Work::Table => make_table(game, &table(game), &args.resources, out),
        Work::Sectors => {
            let start = ["start".to_string()];
            let sectors = if args.sector.is_empty() { &start } else { args.sector.as_slice() };
            let path = run_dir("");
            let work = SectorWork::new(&args.game, sectors, &path).anyway(args.anyway || args.resume);
            let work = work.checking(args.check).ranking(args.ranking());
            solve_sectors(&work, &args.resources, out)
        }
        Work::Scores => {
            let game = registry().open_with_order(&args.game, args.order.as_deref())?;
            find_scores(args, game, out)
        }
        Work::Nimbers => {
            let game = registry().open_with_order(&args.game, args.order.as_deref())?;
            find_nimbers(args, game, out)
        }
    }
}
