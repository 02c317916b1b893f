//! `nerode check FILE`.

use anyhow::Result;
use nerode_games::rbg::{Bounded, Rulebook, Shape};
use serde::Serialize;

use super::output::{Outcome, Output, counted, print};
use super::rules::{VariantArgs, WHAT, rulebook};

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[arg(help = WHAT)]
    file: String,
    /// Print the canonical text: macros replaced, repetitions written out
    #[arg(long)]
    canonical: bool,
    #[command(flatten)]
    variant: VariantArgs,
}

#[derive(Serialize)]
struct Named {
    name: String,
    bound: u32,
}

#[derive(Serialize)]
struct Checked {
    game: String,
    fingerprint: String,
    players: Vec<Named>,
    pieces: Vec<String>,
    variables: Vec<Named>,
    board: &'static str,
    squares: usize,
    directions: Vec<String>,
    actions: usize,
    canonical: Option<String>,
}

fn named(list: &[Bounded]) -> Vec<Named> {
    list.iter().map(|b| Named { name: b.name.clone(), bound: b.bound }).collect()
}

fn listed(list: &[Named]) -> String {
    let listed: Vec<String> = list.iter().map(|n| format!("{} (0 to {})", n.name, n.bound)).collect();
    if listed.is_empty() { "none".into() } else { listed.join(", ") }
}

fn checked(game: &str, book: &Rulebook, canonical: bool) -> Checked {
    let board = match book.board().shape {
        Shape::Rectangle(_) => "rectangle",
        Shape::Hexagon(_) => "hexagon",
        Shape::Cuboid(_) => "cuboid",
        Shape::Graph => "graph",
    };
    Checked {
        game: game.to_string(),
        fingerprint: book.fingerprint(),
        players: named(book.players()),
        pieces: book.pieces().to_vec(),
        variables: named(book.variables()),
        board,
        squares: book.board().squares.len(),
        directions: book.board().directions.clone(),
        actions: book.rules().size(),
        canonical: canonical.then(|| book.canonical()),
    }
}

fn text(checked: &Checked) -> String {
    let squares = counted(checked.squares as u128, "square", "squares");
    let actions = counted(checked.actions as u128, "action", "actions");
    let lines = [
        ("players", listed(&checked.players)),
        ("pieces", checked.pieces.join(", ")),
        ("variables", listed(&checked.variables)),
        ("board", format!("{}, {squares}; directions {}", checked.board, checked.directions.join(", "))),
        ("rules", format!("{actions}, repetitions written out")),
        ("fingerprint", checked.fingerprint.clone()),
    ];
    let lines = lines.map(|(name, value)| format!("  {name:<11}  {value}\n"));
    format!("{}: nothing is wrong with these rules\n{}", checked.game, lines.concat())
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let book = rulebook(&args.file, &args.variant)?;
    let checked = checked(&args.file, &book, args.canonical);
    match &checked.canonical {
        Some(canonical) if !out.is_json() => print(canonical.as_bytes())?,
        _ => out.result(&checked, text)?,
    }
    Ok(Outcome::Done)
}
