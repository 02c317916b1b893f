//! Reads the turn with which a variant begins. Canonical texts give it in a comment, so that they remain valid for other programs.

use super::super::book::{FirstTurn, Rulebook};
use super::super::fault::{At, Fault, Span};
use super::super::names::squares;
use super::super::turns::{Given, switch_of};
use super::drawing::comments;

/// The beginning of the comment.
pub(in super::super) const STARTS_WITH: &str = "nerode starts with";

/// Returns the first turn that a comment gives, if there is one.
pub(super) fn first_turn(text: &str, book: &Rulebook) -> Result<Option<FirstTurn>, Fault> {
    for comment in comments(text) {
        let inner = &text[comment.start..comment.end];
        let Some(words) = inner.trim_start().strip_prefix(STARTS_WITH) else { continue };
        let start = comment.start + inner.len() - inner.trim_start().len();
        let at = At { span: Span { start, end: start + inner.trim().len() }, used: None };
        let read = read(words.trim_start_matches(':'), book);
        return read.map(Some).map_err(|why| {
            Fault::new(
                at,
                format!("invalid start: {why}"),
                "expected a player, turn=N, at=SQUARE and numbers",
            )
        });
    }
    Ok(None)
}

fn read(text: &str, book: &Rulebook) -> Result<FirstTurn, String> {
    let (names, mut words) = (squares(book.board()), text.split_whitespace());
    let name = words.next().ok_or("it names no player")?;
    let player = book.players.iter().position(|player| player.name == name);
    let player = player.ok_or_else(|| format!("unknown player '{name}'"))?;
    let (mut given, mut registers) = (Given::default(), vec![0; book.variables.len()]);
    for word in words {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("unexpected '{word}'"))?;
        if let Some(variable) = book.variables.iter().position(|known| known.name == name) {
            let value = value.parse().ok().filter(|value| *value <= book.variables[variable].bound);
            registers[variable] = value.ok_or_else(|| format!("'{word}' is out of bounds"))?;
        } else if !given.read(book, &names, name, value)? {
            return Err(format!("unknown name '{name}'"));
        }
    }
    let number = given.number.unwrap_or(1);
    let switch = switch_of(book, player, number)
        .ok_or_else(|| format!("the rules pass the turn to '{name}' in fewer than {number} places"))?;
    registers.extend((0..book.players.len()).map(|player| given.score(player)));
    Ok(FirstTurn { switch, square: given.square.unwrap_or_default(), registers })
}
