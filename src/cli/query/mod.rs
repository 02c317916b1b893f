//! The commands `nerode query DIR POSITION` and `nerode query DIR --batch`.

pub(super) mod answer;
pub(super) mod batch;
mod blocks;
mod bounds;
mod drawing;
mod traps;

use std::path::{Path, PathBuf};

use anyhow::Result;

pub(super) use traps::{Model, model_of};

use super::choices::threads;
use super::destination::svg_file;
use super::output::{Outcome, Output};
use super::resources::usable_memory;
use super::sectors::tell_missing;
use super::solutions::{must_be_one_name, solution_at, tell_stopped};
use crate::facade::open_solution;
use answer::{Answer, text};
use bounds::SearchArgs;
pub(super) use bounds::seconds;
use nerode_report::position::position_of;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::stored::Solution;
use traps::TrapArgs;

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A solution: a run, values, scores, sectors, sectors as sets, or a table file; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The position in the notation of 'nerode info', on one line or, in quotes, as a drawn board; '_' counts as a space;
    /// 'start' is the start position [default: start]
    #[arg(conflicts_with = "batch")]
    position: Vec<String>,
    /// Also answer positions that the rules of the game exclude, such as one in which the side that moved is in check. By
    /// default they are rejected. In games that exclude none, all positions are answered anyway
    #[arg(long)]
    any: bool,
    #[command(flatten)]
    so_far: SoFar,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    traps: TrapArgs,
    /// Read one position per line from standard input, and print a JSON line for each in the same order
    #[arg(long)]
    batch: bool,
    /// With --batch: list every move too
    #[arg(long)]
    moves: bool,
    /// With --batch: the number of threads [default: all cores]
    #[arg(long, requires = "batch", value_parser = threads)]
    threads: Option<u16>,
    /// Draw the board and the value of every move to an SVG file, or with '-' to standard output instead of the answer,
    /// which then goes to standard error with --json
    #[arg(long, value_name = "FILE.svg", value_parser = svg_file(), conflicts_with = "batch")]
    plot: Option<PathBuf>,
    /// Replace an existing drawing
    #[arg(long, requires = "plot")]
    overwrite: bool,
}

/// Whether a run may be asked before it is finished.
#[derive(Debug, clap::Args)]
pub(super) struct SoFar {
    /// Query an unfinished run: positions that it has decided have their values, and others are unknown
    #[arg(long)]
    so_far: bool,
}

impl SoFar {
    /// Returns the request to query any run, finished or not.
    pub(super) fn always() -> Self {
        Self { so_far: true }
    }

    /// Opens the solution in `dir`, and prints a note about its progress if it is unfinished or stopped at a limit.
    pub(super) fn open(&self, dir: &Path, out: &Output) -> Result<Solution> {
        let solution = open_solution(dir)?;
        let solution = match kind_of(dir) {
            Some(Contents::Run) => solution.with_memory(usable_memory()),
            _ => solution,
        };
        tell_stopped(&solution, dir, out);
        if !self.so_far {
            return Ok(solution);
        }
        let solution = solution.so_far()?;
        if let Some(ply) = solution.ply_so_far() {
            out.note(&format!("the run is at ply {ply}: positions that it has not decided yet are unknown"));
        }
        Ok(solution)
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    must_be_one_name(&args.dir, &args.position)?;
    let dir = solution_at(&args.dir, out)?;
    let solution = args.search.limit(args.so_far.open(&dir, out)?);
    if args.batch {
        return batch::run(
            &solution,
            &batch::How { any: args.any, moves: args.moves, search: &args.search, threads: args.threads },
        );
    }
    if args.moves {
        out.note("--moves only applies to --batch: the moves of a single position are always shown");
    }
    let game = solution.game();
    let position = match args.position.as_slice() {
        [] => game.start_position(),
        words => position_of(game, &words.join(" "), args.any)?,
    };
    let found = solution.query(&position)?;
    let traps = args.traps.ask(&solution, &found)?;
    let search = args.search.ask(&solution, &found, out)?;
    let found = match &search {
        Some(bounds) => found.within(bounds.range, &bounds.moves),
        None => found,
    };
    if let Some(file) = &args.plot {
        drawing::draw(game, &found, file, args.overwrite)?;
    }
    if let Some(warning) = solution.warning() {
        out.warn(&warning);
    }
    let uncovered = found.moves().iter().filter(|reply| !reply.is_covered()).map(|reply| reply.position());
    tell_missing(&solution, &dir, std::iter::once(&position).chain(uncovered), out)?;
    let answer = Answer::new(&solution, &found, args.plot.clone());
    let answer = answer.with_search(search.as_ref()).with_traps(game, traps.as_ref());
    if args.plot.as_deref().is_some_and(drawing::is_printed) {
        out.document_aside(&answer);
    } else {
        out.result(&answer, text)?;
    }
    Ok(Outcome::Done)
}
