//! `nerode reach GAME`.

use anyhow::Result;
use nerode_dfa::Dfa;
use nerode_games::{Game, Side, registry};
use serde::Serialize;

use super::output::{Outcome, Output, grouped, table};
use super::resources::ResourceArgs;
use crate::solve::engine::Engine;
use crate::solve::progress::PlyDone;
use crate::solve::reach::Reach;

/// Arguments of `reach`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game, such as tictactoe:3x3
    game: String,
    /// Plies at most [default: to the end of the game]
    #[arg(long)]
    plies: Option<u32>,
    /// Letter order of the layers: a name that 'nerode info' lists, or cells:C,C,... with every cell once
    #[arg(long)]
    order: Option<String>,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Ply {
    ply: u32,
    side: String,
    positions: String,
    num_states: u64,
}

#[derive(Serialize)]
struct Reached {
    game: String,
    plies: Vec<Ply>,
    /// Distinct (position, side to move) over all plies.
    total_distinct: String,
    complete: bool,
}

/// Distinct (position, side to move) over all plies.
enum Seen {
    /// How many, where no position is reached at two plies.
    Number(u128),
    /// Those of each side, which may have more states than any ply's.
    Sets([Dfa; 2]),
}

impl Seen {
    fn new(game: &dyn Game) -> Self {
        if game.plies_are_disjoint() {
            return Self::Number(0);
        }
        Self::Sets([(); 2].map(|()| Dfa::empty(game.shape())))
    }

    /// Adds the positions of a ply, so many.
    fn add(&mut self, engine: &mut Engine, side: Side, ply: &Dfa, positions: u128) -> Result<()> {
        match self {
            Self::Number(number) => {
                *number = number.checked_add(positions).ok_or(nerode_dfa::Error::CountOverflow)?;
            }
            Self::Sets(sets) => {
                let set = &mut sets[side.index()];
                *set = engine.combine(&[set, ply], |x| x[0] || x[1])?;
            }
        }
        Ok(())
    }

    fn count(&self) -> Result<u128> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Sets([first, second]) => {
                Ok(first.count()?.checked_add(second.count()?).ok_or(nerode_dfa::Error::CountOverflow)?)
            }
        }
    }
}

/// Adds the plies of the game to `plies` and `seen`; whether it reached the end of the game.
fn walk(
    args: &Args,
    out: &Output,
    engine: &mut Engine,
    plies: &mut Vec<Ply>,
    seen: &mut Seen,
) -> Result<bool> {
    let mut reach = Reach::new(engine)?;
    let progress = out.progress("reach");
    loop {
        let distinct = engine.canonical_for_counting(reach.side(), reach.set())?;
        let positions = distinct.count()?;
        let states = reach.set().num_states() as u64;
        let bytes = engine.bytes();
        progress.ply(&PlyDone { phase: "forward", ply: reach.ply(), states, positions, bytes });
        seen.add(engine, reach.side(), &distinct, positions)?;
        plies.push(Ply {
            ply: reach.ply(),
            side: reach.side().to_string(),
            positions: positions.to_string(),
            num_states: states,
        });
        if args.plies.is_some_and(|most| reach.ply() >= most) {
            return Ok(false);
        }
        // A game that can go on for ever repeats a whole ply's positions at some point, not their number alone; a limit of
        // plies is the user's to set there.
        if !reach.step(engine)? {
            return Ok(true);
        }
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let game = registry::open_with_order(&args.game, args.order.as_deref())?;
    let spec = game.spec();
    let mut engine = Engine::new(game, &args.resources.resolve()?, None)?;
    let mut seen = Seen::new(engine.game.as_ref());
    let mut plies = Vec::new();
    let walked = walk(args, out, &mut engine, &mut plies, &mut seen);
    // Plies counted before something went wrong hold all the same; what went wrong first is what the user is told.
    let printed =
        if plies.is_empty() { Ok(()) } else { print(out, spec, plies, &seen, matches!(walked, Ok(true))) };
    walked.and_then(|_| printed.map(|()| Outcome::Done))
}

fn print(out: &Output, game: String, plies: Vec<Ply>, seen: &Seen, complete: bool) -> Result<()> {
    let reached = Reached { game, plies, total_distinct: seen.count()?.to_string(), complete };
    out.result(&reached, |r| {
        let number = |text: &str| text.parse().map_or_else(|_| text.to_string(), grouped);
        let rows: Vec<Vec<String>> = r
            .plies
            .iter()
            .map(|p| {
                vec![
                    p.ply.to_string(),
                    p.side.clone(),
                    number(&p.positions),
                    grouped(u128::from(p.num_states)),
                ]
            })
            .collect();
        format!(
            "{}\n{}distinct (position, side to move){}: {}\n",
            r.game,
            table(&["ply", "side", "positions", "states"], &rows),
            if r.complete { "" } else { " so far" },
            number(&r.total_distinct)
        )
    })
}
