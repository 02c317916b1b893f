//! The command `nerode reach GAME`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::plies;
use super::hints::advised;
use super::output::{Columns, Count, Outcome, Output, Progress, grouped};
use super::resources::{ResourceArgs, UnitArgs};
use super::rules::VariantArgs;
use super::words::shell;
use crate::registry;
use nerode_solver::error::{Error, Lack};
use nerode_solver::run::forward::StoredReach;
use nerode_solver::solve::distinct::DistinctPositions;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::progress::PlyDone;
use nerode_solver::solve::reach::Reach;
use nerode_solver::solve::resources::Resources;
use nerode_solver::units::UnitsWatch;

/// Arguments of `reach`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as tictactoe:3x3
    game: String,
    /// The maximum number of plies [default: until no position is left, or no new one is reached]
    #[arg(long, value_name = "N", value_parser = plies, allow_negative_numbers = true)]
    plies: Option<u32>,
    /// Letter order of the layers: a name that 'nerode info' lists, or cells:C,C,... with every cell once
    #[arg(long)]
    order: Option<String>,
    /// Store the set of every ply in this directory, and resume a search that it contains. 'nerode solve GAME --method meet
    /// --resume --run-dir DIR' computes the values. Only for games that always end
    #[arg(long, value_name = "DIR")]
    run_dir: Option<PathBuf>,
    #[command(flatten)]
    units: UnitArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    #[command(flatten)]
    variant: VariantArgs,
}

/// The positions of a ply.
#[derive(JsonSchema, Serialize)]
struct Ply {
    /// The number of the ply.
    ply: u32,
    /// The side to move.
    #[schemars(extend("enum" = ["P1", "P2"]))]
    side: String,
    /// The number of positions.
    positions: Count,
    /// The number of positions that did not occur at an earlier ply with the same side to move.
    new_positions: Count,
    /// The number of states of their set.
    num_states: u64,
}

/// The reason why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum End {
    /// No position of the last ply has a legal move.
    NoMoveLeft,
    /// Every position of the last ply was reached earlier, and so are all their successors.
    NothingNew,
    /// The requested number of plies has been searched, and there may be more.
    PliesDone,
    /// An error occurred, or the user stopped the search.
    Stopped,
}

impl End {
    fn text(self, last: u32) -> String {
        match self {
            Self::NoMoveLeft => format!("complete: no position of ply {last} has a legal move"),
            Self::NothingNew => {
                format!(
                    "complete: ply {last} reaches nothing new, so no later ply does either; play may go on for ever"
                )
            }
            Self::PliesDone => format!("not complete: plies after {last} were not requested"),
            Self::Stopped => format!("not complete: stopped after ply {last}"),
        }
    }
}

/// The reachable positions by ply.
#[derive(JsonSchema, Serialize)]
pub(super) struct Reached {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The plies.
    plies: Vec<Ply>,
    /// The number of distinct pairs (position, side to move) over all plies.
    total_distinct: Count,
    /// Whether no further position is reachable.
    complete: bool,
    /// Why the search ended.
    end: End,
}

/// The storage of the sets of the plies.
enum Search {
    InMemory(Reach),
    Kept(Box<StoredReach>),
}

impl Search {
    fn reach(&self) -> &Reach {
        match self {
            Self::InMemory(reach) => reach,
            Self::Kept(kept) => kept.reach(),
        }
    }

    fn step(&mut self, engine: &mut Engine) -> Result<bool> {
        Ok(match self {
            Self::InMemory(reach) => reach.step(engine)?,
            Self::Kept(kept) => kept.step(engine)?,
        })
    }
}

/// The columns of the plies, which are printed one by one.
const COLUMNS: Columns<5> =
    Columns([("ply", 4), ("side", 4), ("positions", 20), ("new", 20), ("states", 12)]);

/// Adds the remaining plies of the game to `plies` and `seen`, and prints each of them.
fn walk(
    args: &Args,
    (out, progress): (&Output, &Progress),
    engine: &mut Engine,
    mut search: Search,
    plies: &mut Vec<Ply>,
    seen: &mut DistinctPositions,
) -> Result<End> {
    let always_ends = engine.game.always_ends();
    loop {
        let reach = search.reach();
        let distinct = engine.canonical_for_counting(reach.side(), reach.set())?;
        let positions = distinct.count()?;
        let states = reach.set().num_states() as u64;
        let bytes = engine.bytes();
        progress.ply(&PlyDone {
            phase: "forward",
            ply: reach.ply(),
            states,
            positions,
            undecided: None,
            bytes,
        });
        let new = seen.add(engine, reach.side(), &distinct, positions)?;
        let ply = Ply {
            ply: reach.ply(),
            side: reach.side().to_string(),
            positions: Count(positions),
            new_positions: Count(new),
            num_states: states,
        };
        let goes_on = out.part(|| row(&ply))?;
        plies.push(ply);
        if !goes_on {
            return Ok(End::Stopped);
        }
        if new == 0 && !always_ends {
            return Ok(End::NothingNew);
        }
        if args.plies.is_some_and(|most| reach.ply() >= most) {
            return Ok(End::PliesDone);
        }
        if !search.step(engine)? {
            return Ok(End::NoMoveLeft);
        }
    }
}

fn row(ply: &Ply) -> String {
    let [positions, new, states] = [ply.positions.0, ply.new_positions.0, ply.num_states.into()].map(grouped);
    COLUMNS.row(&[ply.ply.to_string(), ply.side.clone(), positions, new, states])
}

/// Explains that a game in which play can go on for ever cannot be stored, because it has infinitely many plies.
fn not_kept(error: Error) -> anyhow::Error {
    match error {
        Error::NotForGame { ref game, lack: Lack::End } => advised(
            error.to_string(),
            format!(
                "omit --run-dir; 'nerode solve {}' computes the values of such a game backward",
                shell(Path::new(game))
            ),
        ),
        other => other.into(),
    }
}

/// Returns the resources of the search. `progress` shows the progress of units.
fn resources(args: &Args, progress: &Progress) -> Result<Resources> {
    if args.units.are_asked_for() && args.run_dir.is_none() {
        bail!("--units requires --run-dir DIR, because units are files of a run");
    }
    let (units, units_by) = (args.units.sizes(args.run_dir.as_deref())?, args.units.by());
    let on_units = Some(UnitsWatch::new(progress.units()));
    Ok(Resources { units, units_by, on_units, ..args.resources.resolve()? })
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let game = registry().open_with_order(&args.variant.named(&args.game)?, args.order.as_deref())?;
    let spec = game.spec();
    let progress = out.progress("reach");
    let resources = resources(args, &progress)?;
    let (search, mut engine) = match &args.run_dir {
        Some(path) => {
            args.units.tell(path, out);
            let (kept, engine) = StoredReach::new(game, path, &resources).map_err(not_kept)?;
            (Search::Kept(Box::new(kept)), engine)
        }
        None => {
            let engine = Engine::in_play(game, &resources, None)?;
            (Search::InMemory(Reach::new(&engine)?), engine)
        }
    };
    let mut seen = DistinctPositions::new(engine.game.as_ref());
    let mut plies = Vec::new();
    out.part(|| format!("{spec}\n{}", COLUMNS.header()))?;
    let walked = walk(args, (out, &progress), &mut engine, search, &mut plies, &mut seen);
    progress.finish();
    // Plies counted before an error remain valid, and the first error is the one that is reported.
    let end = *walked.as_ref().unwrap_or(&End::Stopped);
    let printed = if plies.is_empty() { Ok(()) } else { finish(out, spec, plies, &seen, end) };
    walked.and_then(|_| printed.map(|()| Outcome::Done))
}

/// Prints the totals over all plies.
fn finish(out: &Output, game: String, plies: Vec<Ply>, seen: &DistinctPositions, end: End) -> Result<()> {
    let complete = matches!(end, End::NoMoveLeft | End::NothingNew);
    let (total, last) = (seen.count()?, plies.last().map_or(0, |ply| ply.ply));
    let so_far = if complete { "" } else { " so far" };
    out.part(|| {
        format!("distinct (position, side to move){so_far}: {}\n{}\n", grouped(total), end.text(last))
    })?;
    out.document(&Reached { game, plies, total_distinct: Count(total), complete, end })
}
