//! Reads the position with which a variant begins, and whether it is misère. Canonical texts give both in comments, so that they
//! remain valid for other programs.

use super::super::book::{First, Rulebook, Stage};
use super::super::fault::{At, Fault, Span};
use super::super::names::squares;
use super::super::turns::{Given, OVER, PASSES, switch_of, winner_named};
use super::drawing::comments;

/// The beginning of the comment.
pub(in super::super) const STARTS_WITH: &str = "nerode starts with";
/// The comment of variants in which the player who would have won has lost.
pub(in super::super) const MISERE: &str = "nerode plays misere";

/// Returns `true` if a comment declares a misère game.
pub(super) fn is_misere(text: &str) -> bool {
    comments(text).any(|comment| text[comment.start..comment.end].trim() == MISERE)
}

/// Returns the first position that a comment gives, if there is one.
pub(super) fn first_position(text: &str, book: &Rulebook) -> Result<Option<First>, Fault> {
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
                "expected a player, passes, over=NAME, turn=N, at=SQUARE and numbers",
            )
        });
    }
    Ok(None)
}

fn read(text: &str, book: &Rulebook) -> Result<First, String> {
    let (names, mut words) = (squares(book.board()), text.split_whitespace());
    let name = words.next().ok_or("it names no player")?;
    let player = book.players.iter().position(|player| player.name == name);
    let player = player.ok_or_else(|| format!("unknown player '{name}'"))?;
    let (mut given, mut registers) = (Given::default(), vec![0; book.variables.len()]);
    let (mut passes, mut winner) = (false, None);
    for word in words {
        if word == PASSES && book.players.len() == 2 {
            passes = true;
            continue;
        }
        let (name, value) = word.split_once('=').ok_or_else(|| format!("unexpected '{word}'"))?;
        if let Some(variable) = book.variables.iter().position(|known| known.name == name) {
            let value = value.parse().ok().filter(|value| *value <= book.variables[variable].bound);
            registers[variable] = value.ok_or_else(|| format!("'{word}' is out of bounds"))?;
        } else if name == OVER {
            winner = Some(winner_named(book, value)?);
        } else if !given.read(book, &names, name, value)? {
            return Err(format!("unknown name '{name}'"));
        }
    }
    registers.extend((0..book.players.len()).map(|player| given.score(player)));
    if let Some(winner) = winner {
        return Ok(First { stage: Stage::Over { player, winner }, registers });
    }
    let (number, mover) = (given.number.unwrap_or(1), if passes { 1 - player } else { player });
    let switch = switch_of(book, mover, number).ok_or_else(|| {
        let name = &book.players[mover].name;
        format!("the rules pass the turn to '{name}' in fewer than {number} places")
    })?;
    let stage = Stage::Turn { switch, square: given.square.unwrap_or_default(), passes };
    Ok(First { stage, registers })
}
