//! The command `nerode perft GAME`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use anyhow::Result;
use nerode_games::Game;
use nerode_rules::rbg::{Interpreter, Ply, Rulebook, with_variant};
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::number;
use super::interrupt::interrupt_flag;
use super::output::{Columns, Count, Outcome, Output, grouped};
use super::rules::{VariantArgs, rulebook};
use crate::registry;
use nerode_report::perft::perft;
use nerode_solver::error::Error;

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A game, such as breakthrough:4x5; a file of rules, '-' for standard input, or rbg:NAME for rules that come with the program
    #[arg(value_name = "GAME")]
    game: String,
    /// The number of plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number(0..=1000u16))]
    depth: u16,
    #[command(flatten)]
    variant: VariantArgs,
}

/// The moves and positions of a ply.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// The number of the ply. 0 is the start position.
    ply: usize,
    /// The number of sequences of moves of this length. Moves are different if they change different things, or in a
    /// different order.
    paths: Count,
    /// The same number, where moves that lead to the same position count as one.
    results: Count,
    /// The number of distinct positions, or null at the last ply and if there were too many to store.
    positions: Option<Count>,
    /// The number of sequences of moves after which the game is over, or null at the last ply.
    ended: Option<Count>,
}

/// The numbers of moves and positions by ply.
#[derive(JsonSchema, Serialize)]
pub(super) struct Counted {
    /// The game with its parameters, or the file as given.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The plies.
    plies: Vec<Row>,
}

/// The columns of the plies, which are printed one by one.
const COLUMNS: Columns<5> =
    Columns([("ply", 4), ("moves", 20), ("results", 20), ("positions", 14), ("ended", 20)]);

fn line(ply: usize, counts: &Ply) -> String {
    let or_dash = |count: Option<u128>| count.map_or_else(|| "-".into(), grouped);
    COLUMNS.row(&[
        ply.to_string(),
        grouped(counts.paths),
        grouped(counts.results),
        or_dash(counts.positions.map(u128::from)),
        or_dash(counts.ended),
    ])
}

fn row((ply, counts): (usize, &Ply)) -> Row {
    Row {
        ply,
        paths: Count(counts.paths),
        results: Count(counts.results),
        positions: counts.positions.map(Count::from),
        ended: counts.ended.map(Count),
    }
}

/// Returns `true` if the rules are a text: one that comes with the program, a file or standard input.
fn is_rules(name: &str) -> bool {
    let (base, _) = with_variant(name);
    base == "-" || base.starts_with("rbg:") || base.ends_with(".rbg") || Path::new(base).is_file()
}

/// The rules by which moves are counted.
enum Rules {
    Text(Box<Rulebook>),
    Game(Arc<dyn Game>),
}

impl Rules {
    fn of(args: &Args) -> Result<Self> {
        match is_rules(&args.game) {
            true => Ok(Self::Text(Box::new(rulebook(&args.game, &args.variant)?))),
            false => Ok(Self::Game(registry().open(&args.variant.named(&args.game)?)?)),
        }
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let rules = Rules::of(args)?;
    let flag = interrupt_flag();
    let mut printed = out.part(|| COLUMNS.header());
    let mut ply = 0;
    let mut told = |done: Option<&Ply>| {
        if let (Some(counts), Ok(true)) = (done, &printed) {
            printed = out.part(|| line(ply, counts));
            ply += 1;
        }
        matches!(printed, Ok(true)) && !flag.load(Ordering::Relaxed)
    };
    let depth = args.depth.into();
    let (game, fingerprint, plies) = match rules {
        Rules::Text(book) => {
            let counts = Interpreter::new(&book).perft(depth, told)?;
            (args.game.clone(), book.fingerprint(), counts.plies)
        }
        Rules::Game(game) => {
            let plies = perft(game.as_ref(), depth, &mut told).unwrap_or_default();
            (game.spec(), game.fingerprint(), plies)
        }
    };
    if flag.load(Ordering::Relaxed) {
        return Err(Error::from(nerode_dfa::Error::Interrupted).into());
    }
    printed?;
    out.document(&Counted { game, fingerprint, plies: plies.iter().enumerate().map(row).collect() })?;
    Ok(Outcome::Done)
}
