//! Rules given as a text: in a file, or bundled with the program.

use std::io::{ErrorKind, Read};

use anyhow::{Context, Result};
use nerode_rules::rbg::{FILE_BYTES, Rulebook, bundled, read, varied, with_variant};

use super::hints::advised;
use crate::registry;

/// The help text of the argument that names the rules.
pub(super) const WHAT: &str =
    "The rules: a file, '-' for standard input, or rbg:NAME for a game that comes with the program";

const RULES: &str = "Options for rules from a file";

/// Options that change rules from a file. The name of the game holds them from then on.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct VariantArgs {
    /// Another size of the board, columns x rows, such as 4x5, for a rectangle whose rows show the start position, an empty
    /// rhombus of hexagons, or any board with --start
    #[arg(long, value_name = "WxH", help_heading = RULES)]
    board: Option<String>,
    /// Another bound for a variable or a player's score, such as quiet=20. Comparisons with the old bound, and assignments of it, use
    /// the new one
    #[arg(long, value_name = "NAME=N", help_heading = RULES)]
    bound: Vec<String>,
    /// Another start position, as 'nerode info', 'query' and 'line' print it
    #[arg(long, value_name = "POSITION", help_heading = RULES)]
    start: Option<String>,
    /// Misère play: a player who would have won has lost, and the other way round
    #[arg(long, help_heading = RULES)]
    misere: bool,
}

impl VariantArgs {
    /// Returns the options as one word, if there are any.
    fn text(&self) -> Option<String> {
        let board = self.board.iter().map(|size| format!("board={size}"));
        let start = self.start.iter().map(|start| format!("start={}", start.trim().replace(' ', "_")));
        let misere = self.misere.then(|| "misere".to_string());
        let all: Vec<String> = board.chain(self.bound.iter().cloned()).chain(misere).chain(start).collect();
        (!all.is_empty()).then(|| all.join(","))
    }

    /// Returns the name of a game including the options.
    pub(super) fn named(&self, game: &str) -> Result<String> {
        let Some(text) = self.text() else { return Ok(game.to_string()) };
        let (base, known) = with_variant(game);
        if !is_rules(game) {
            return Err(advised(
                format!(
                    "--board, --bound, --misere and --start only apply to rules from a file, and '{game}' does not name such rules"
                ),
                "the names of other games contain the board and the option misere, such as tictactoe:3x4,misere",
            ));
        }
        Ok(known.map_or_else(|| format!("{base}:{text}"), |known| format!("{base}:{known},{text}")))
    }
}

/// Returns `true` if a name refers to rules from a file.
pub(super) fn is_rules(name: &str) -> bool {
    let (base, _) = with_variant(name);
    base.starts_with("rbg:") || base.ends_with(".rbg")
}

/// Reads the rules that `name` names, and changes them according to the options.
pub(super) fn rulebook(name: &str, variant: &VariantArgs) -> Result<Rulebook> {
    let (base, known) = with_variant(name);
    let mut book = base_rulebook(base)?;
    for text in known.map(str::to_string).into_iter().chain(variant.text()) {
        book = varied(&book, name, &text)?;
    }
    Ok(book)
}

fn base_rulebook(name: &str) -> Result<Rulebook> {
    if let Some(game) = name.strip_prefix("rbg:") {
        let found = bundled().iter().find(|bundled| bundled.name == game);
        let known = || bundled().iter().map(|b| format!("rbg:{}", b.name)).collect::<Vec<_>>().join(", ");
        let found = found.ok_or_else(|| {
            advised(
                format!("no game called '{name}' is included in the program"),
                format!("the included games are {}", known()),
            )
        })?;
        return Ok(read(name, found.text)?);
    }
    let mut bytes = Vec::new();
    match name {
        "-" => take(std::io::stdin(), &mut bytes).context("cannot read standard input")?,
        path => {
            let read = std::fs::File::open(path).and_then(|file| take(file, &mut bytes));
            read.map_err(|error| match error.kind() {
                ErrorKind::NotFound if registry().open(path).is_ok() => advised(
                    format!("{path} is a built-in game, whose rules are not in a file"),
                    format!("'nerode info {path}' states them"),
                ),
                ErrorKind::NotFound => advised(
                    format!("{path}: no such file"),
                    "name a file with rules, or rbg:NAME for a game that comes with the program, which 'nerode games' lists",
                ),
                _ => anyhow::Error::from(error).context(format!("cannot read {path}")),
            })?
        }
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        advised(format!("{name} is not UTF-8 text: byte {at} does not begin a character"), "save it as UTF-8")
    })?;
    Ok(read(name, &text)?)
}

/// Reads all bytes, up to slightly more than the maximum size of rules.
fn take(from: impl Read, bytes: &mut Vec<u8>) -> std::io::Result<usize> {
    from.take(FILE_BYTES as u64 + 1).read_to_end(bytes)
}
