//! The command `nerode play DIR`, which plays a solved game against the user, in the terminal or from a file of
//! commands.

mod commands;
mod input;
mod sides;
pub(super) mod table;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use super::analyse::course_of;
use super::choices::number;
use super::destination::Destination;
use super::interrupt::interrupt_flag;
use super::output::{Outcome, Output};
use super::players::{PLAYERS, Solutions};
use super::solutions::must_be_one_name;
use commands::Next;
use input::Input;
use nerode_play::course::Course;
use nerode_report::position::position_of;
use nerode_solver::error::check_interrupt;
use sides::Sides;
use table::{Start, Table};

/// Arguments of `play`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A solution: a run, values, scores, sectors, sectors as sets, or a table file; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The position to start from, as for query [default: start]
    position: Vec<String>,
    /// Also start from a position that cannot occur in play
    #[arg(long)]
    any: bool,
    /// The player that makes the moves of the program; a player that needs a solution uses DIR unless it names another one
    #[arg(long, value_name = "PLAYER", default_value = "perfect", long_help = PLAYERS)]
    strength: String,
    /// The sides that the program plays
    #[arg(long, value_enum, ignore_case = true, default_value_t = Sides::P2)]
    computer: Sides,
    /// The seed for choosing among equally good moves [default: another one each time]
    #[arg(long, value_parser = number(0..=u64::MAX))]
    seed: Option<u64>,
    /// Write the game to this file after every move
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace an existing record
    #[arg(long, requires = "record")]
    overwrite: bool,
    /// Continue the game in this record
    #[arg(long, value_name = "RECORD", conflicts_with = "position")]
    from: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    must_be_one_name(&args.dir, &args.position)?;
    let mut solutions = Solutions::new(out);
    let solution = solutions.open(&args.dir)?;
    let game = solution.game();
    let strength = solutions.player(&args.strength, Some(&solution))?;
    if let Some(path) = &args.record {
        Destination::of(path, args.overwrite)?;
    }
    if let Some(warning) = solution.warning() {
        out.warn(&warning);
    }
    let course = match (&args.from, args.position.as_slice()) {
        (Some(path), _) => course_of(game, path)?,
        (None, []) => Course::new(game, game.start_position()),
        (None, words) => Course::new(game, position_of(game, &words.join(" "), args.any)?),
    };
    let seed = args.seed.unwrap_or_else(any_seed);
    let start = Start {
        name: args.strength.clone(),
        strength,
        computer: args.computer,
        seed,
        record: args.record.clone(),
    };
    let mut table = Table::new(Arc::clone(&solution), course, start, out)?;
    table.check()?;
    talk(&mut table, &mut solutions, out)?;
    out.document(&table.left())?;
    Ok(Outcome::Done)
}

/// Returns a seed that differs from run to run.
fn any_seed() -> u64 {
    // A hash of nothing, whose keys the standard library chooses at random. Short numbers are easier to type again.
    RandomState::new().build_hasher().finish() % 1_000_000
}

/// Plays and executes commands until the user quits, the input ends, or the output is closed.
fn talk(table: &mut Table<'_>, solutions: &mut Solutions<'_>, out: &Output) -> Result<()> {
    let mut input = Input::open(out);
    table.introduce(input.is_typed())?;
    table.show()?;
    loop {
        check_interrupt(&interrupt_flag())?;
        if !table.is_read() {
            return Ok(());
        }
        if table.is_computers_turn() {
            table.answer()?;
            continue;
        }
        let Some(line) = input.next(&format!("{}> ", table.side()))? else { return Ok(()) };
        if commands::obey(table, solutions, &line)? == Next::Leave {
            return Ok(());
        }
    }
}
