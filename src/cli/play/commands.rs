//! The commands that the user can type during a game.

use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;

use super::sides::Sides;
use super::table::Table;
use crate::cli::destination::Destination;
use crate::cli::hints::hint;
use crate::cli::output::error_text;
use crate::cli::players::Solutions;
use nerode_play::course::Course;
use nerode_report::position::position_of;
use nerode_solver::archive::files::write_bytes_for_user;

const HELP: &str = "\
a move          in the notation of the game; 'moves' lists all moves
hint            show the value of the position and the best move
moves           show the value of every move
back, undo      take back your last move and the reply to it
new             start another game, in which the program may choose other moves
set POSITION    start from another position; 'set start' from the usual one
go              let the program move for the side to move
computer SIDES  choose the sides that the program plays: P1, P2, both or none
strength PLAYER choose the player that makes the moves of the program
board           show the board again
save FILE       write the game to a new file
help, ?         show this list
quit            leave the program";

/// Whether the game continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    On,
    Leave,
}

/// Executes a line. Errors in it are printed, and the game continues.
pub(super) fn obey<'a>(table: &mut Table<'a>, solutions: &mut Solutions<'_>, line: &str) -> Result<Next> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match (word, rest) {
        ("", _) => {}
        ("quit" | "exit", "") => return Ok(Next::Leave),
        ("help" | "?", "") => table.say(HELP)?,
        ("board", "") => table.show()?,
        ("hint", "") => table.tell(false)?,
        ("moves", "") => table.tell(true)?,
        ("back" | "undo", "") => table.take_back()?,
        ("new", "") => table.begin_anew()?,
        ("go", "") if table.end().is_none() => table.answer()?,
        ("computer", sides) if !sides.is_empty() => computer(table, sides)?,
        ("strength", name) if !name.is_empty() => strength(table, solutions, name)?,
        ("set", text) if !text.is_empty() => set(table, text)?,
        ("save", file) if !file.is_empty() => save(table, Path::new(file))?,
        _ => play(table, line, usage(word, rest))?,
    }
    Ok(Next::On)
}

/// Returns what is wrong with the words after a command, if `word` is one.
fn usage(word: &str, rest: &str) -> Option<String> {
    let argument = match word {
        "set" => "POSITION",
        "save" => "FILE",
        "computer" => "SIDES",
        "strength" => "PLAYER",
        "quit" | "exit" | "help" | "?" | "board" | "hint" | "moves" | "back" | "undo" | "new" | "go" => "",
        _ => return None,
    };
    match (argument, rest) {
        ("", "") => None,
        ("", rest) => Some(format!("unexpected '{rest}' after '{word}', which has no argument")),
        (argument, _) => Some(format!("missing {argument} after '{word}': type '{word} {argument}'")),
    }
}

fn computer(table: &mut Table<'_>, sides: &str) -> Result<()> {
    match Sides::from_str(sides, true) {
        Ok(sides) => {
            table.give(sides);
            table.say(&table.sides())
        }
        Err(_) => table.refuse("the sides are P1, P2, both or none"),
    }
}

fn strength(table: &mut Table<'_>, solutions: &mut Solutions<'_>, name: &str) -> Result<()> {
    let solution = table.solution().clone();
    match solutions.player(name, Some(&solution)).and_then(|player| table.change_strength(name, player)) {
        Ok(()) => table.say(&format!("{name} now plays for the program")),
        Err(error) => table.refuse(&said(&error)),
    }
}

/// Describes an error in one line, with its hint.
fn said(error: &anyhow::Error) -> String {
    let text = error_text(error);
    hint(error, None).map_or_else(|| text.clone(), |hint| format!("{text}; {hint}"))
}

fn set<'a>(table: &mut Table<'a>, text: &str) -> Result<()> {
    let game = table.course().game();
    match position_of(game, text, false) {
        Ok(position) => table.begin(Course::new(game, position)),
        Err(error) => table.refuse(&error.to_string()),
    }
}

fn save(table: &Table<'_>, path: &Path) -> Result<()> {
    let text = table.text();
    let written =
        Destination::of(path, false).and_then(|_| Ok(write_bytes_for_user(path, false, text.as_bytes())?));
    match written {
        Ok(()) => table.say(&format!("the game was written to {}", path.display())),
        Err(error) => table.refuse(&error_text(&error)),
    }
}

/// Makes a move. `usage` is the error if `text` is a command and not a move.
fn play(table: &mut Table<'_>, text: &str, usage: Option<String>) -> Result<()> {
    if let Some(usage) = usage.filter(|_| !table.has_move(text)) {
        return table.refuse(&usage);
    }
    if table.end().is_some() {
        return table.refuse("the game is over; 'back' takes back a move, 'new' starts another game");
    }
    match table.course().game().parse_move(table.course().position(), text) {
        Ok(mv) => table.play_own(&mv),
        Err(error) => table.refuse(&format!("{error}; 'help' lists the commands")),
    }
}
