//! The command `nerode check FILE`.

use anyhow::Result;
use nerode_games::Error as GameError;
use nerode_rules::rbg::{Bounded, Error as RulesError, Rulebook, Shape, solvable};
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Outcome, Output, Remark, counted, print};
use super::rules::{VariantArgs, WHAT, rulebook};

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[arg(help = WHAT)]
    file: String,
    /// Print the canonical text, with macros and repetitions expanded
    #[arg(long)]
    canonical: bool,
    #[command(flatten)]
    variant: VariantArgs,
}

/// A player or a variable.
#[derive(JsonSchema, Serialize)]
struct Named {
    /// Its name.
    name: String,
    /// The largest value. The smallest is 0.
    bound: u32,
}

/// The contents of a file of rules.
#[derive(JsonSchema, Serialize)]
pub(super) struct Checked {
    /// The file, or the name of the game, as given.
    game: String,
    /// The hash of the canonical text, which is the same for the same rules.
    fingerprint: String,
    /// The players and their largest scores.
    players: Vec<Named>,
    /// The pieces.
    pieces: Vec<String>,
    /// The variables and their largest values.
    variables: Vec<Named>,
    /// The form in which the board is written.
    #[schemars(extend("enum" = ["rectangle", "hexagon", "cuboid", "graph"]))]
    board: &'static str,
    /// The number of squares.
    squares: usize,
    /// The directions of the board.
    directions: Vec<String>,
    /// The number of actions of the rules, with repetitions written out.
    actions: usize,
    /// The canonical text, or null unless it was requested.
    canonical: Option<String>,
    /// Whether the rules can be compiled to sets, and solved by them.
    solvable: bool,
    /// The reason why they cannot be compiled, or null if they can.
    refused: Option<Remark>,
    /// Definitions that are never used and actions that can never happen, in the order of the file.
    warnings: Vec<Remark>,
}

fn named(list: &[Bounded]) -> Vec<Named> {
    list.iter().map(|b| Named { name: b.name.clone(), bound: b.bound }).collect()
}

fn listed(list: &[Named]) -> String {
    let listed: Vec<String> = list.iter().map(|n| format!("{} (0 to {})", n.name, n.bound)).collect();
    if listed.is_empty() { "none".into() } else { listed.join(", ") }
}

/// The remarks about rules that can be read.
struct Said {
    refused: Option<RulesError>,
    warnings: Vec<RulesError>,
}

/// Compiles the rules and collects remarks about them.
fn said(book: &Rulebook) -> Result<Said> {
    let refused = match solvable(book) {
        Ok(()) => None,
        Err(GameError::Rules(error)) => Some(*error.downcast::<RulesError>().map_err(GameError::Rules)?),
        Err(other) => return Err(other.into()),
    };
    match (book.warnings(), refused) {
        (Ok(mut warnings), refused) => {
            // A remark that was already made is not repeated.
            let is_told =
                |one: &RulesError| refused.as_ref().is_some_and(|all| all.message() == one.message());
            warnings.retain(|one| !is_told(one));
            Ok(Said { refused, warnings })
        }
        (Err(endless), refused) => {
            Ok(Said { refused: Some(refused.unwrap_or(endless)), warnings: Vec::new() })
        }
    }
}

fn checked(game: &str, book: &Rulebook, canonical: bool, said: &Said) -> Checked {
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
        solvable: said.refused.is_none(),
        refused: said.refused.as_ref().map(Remark::of),
        warnings: said.warnings.iter().map(Remark::of).collect(),
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
        ("rules", format!("{actions}, with repetitions expanded")),
        ("fingerprint", checked.fingerprint.clone()),
    ];
    let lines = lines.map(|(name, value)| format!("  {name:<11}  {value}\n"));
    let verdict = match (checked.solvable, checked.warnings.len()) {
        (true, 0) => "these rules are correct and can be solved".into(),
        (true, warnings) => {
            format!("these rules can be solved; {}", counted(warnings as u128, "warning", "warnings"))
        }
        (false, _) if checked.players.len() == 2 => {
            "these rules can be read and played, but not compiled to sets; 'nerode solve' searches the reached positions instead".into()
        }
        (false, _) => "these rules can be read and played, but not solved".into(),
    };
    format!("{}: {verdict}\n{}", checked.game, lines.concat())
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let book = rulebook(&args.file, &args.variant)?;
    if args.canonical && !out.is_json() {
        print(book.canonical().as_bytes())?;
        return Ok(Outcome::Done);
    }
    let said = said(&book)?;
    out.result(&checked(&args.file, &book, args.canonical, &said), text)?;
    said.warnings.iter().for_each(|warning| out.warn_of_rules(warning));
    said.refused.iter().for_each(|refused| out.note_of_rules(refused));
    Ok(Outcome::Done)
}
