//! Sequences of moves: as people write them, with move numbers and with moves of several words, and the side that makes each of them.

use crate::error::Result;
use crate::explicit::{Move, apply};
use crate::game::{Game, Position};
use crate::side::Side;

/// The maximum number of words of a move.
const MOST_WORDS: usize = 4;

/// Returns the words of a line of moves, which are separated by blanks or commas. Removes move numbers (`12.`) and codes of
/// annotations (`$3`).
pub fn move_words(line: &str) -> impl Iterator<Item = &str> {
    let separated = line.split(|c: char| c.is_whitespace() || c == ',');
    separated.map(unnumbered).filter(|word| !word.is_empty() && !is_annotation(word))
}

/// Removes a move number from a word: `12.d6` and `12...d6` become `d6`.
fn unnumbered(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) if rest.len() + 1 < word.len() || word == "." => rest.trim_start_matches('.'),
        _ => word.strip_prefix("..").map_or(word, |rest| rest.trim_start_matches('.')),
    }
}

/// Returns `true` for the code of an annotation, such as `$3`, and for a sign without a move, such as `!?`.
fn is_annotation(word: &str) -> bool {
    let code = word.strip_prefix('$').is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_digit()));
    code || word.chars().all(|c| c == '!' || c == '?')
}

/// Returns the longest legal move at the beginning of `words`, which are not empty, and its number of words. A capture in
/// morris may be a separate word: `f4-g4 xd2`.
///
/// # Errors
/// Returns [`crate::Error::Move`] for the first word if no move begins there.
pub fn first_move(game: &dyn Game, at: &Position, words: &[&str]) -> Result<(Move, usize)> {
    for length in (2..=MOST_WORDS.min(words.len())).rev() {
        if let Ok(mv) = game.parse_move(at, &words[..length].join(" ")) {
            return Ok((mv, length));
        }
    }
    Ok((game.parse_move(at, words.first().copied().unwrap_or_default())?, 1))
}

/// Returns the position after the moves in `line`.
///
/// # Errors
/// Returns [`crate::Error::Move`] for the first move that is not legal.
///
/// # Examples
/// ```
/// use nerode_games::{after_moves, registry::open};
/// let game = open("tictactoe:3x3").unwrap();
/// let position = after_moves(game.as_ref(), game.start_position(), "1. b2 a1 2. c3").unwrap();
/// assert_eq!(game.format_position(&position), "2X/1X1/O2 O");
/// assert!(after_moves(game.as_ref(), game.start_position(), "b2 b2").is_err());
/// ```
pub fn after_moves(game: &dyn Game, mut at: Position, line: &str) -> Result<Position> {
    let words: Vec<&str> = move_words(line).collect();
    let mut rest = &words[..];
    while !rest.is_empty() {
        let (mv, length) = first_move(game, &at, rest)?;
        at = Position { board: apply(&at.board, &mv), side: at.side.other() };
        rest = &rest[length..];
    }
    Ok(at)
}

/// Returns the side to move `ply` plies after the start.
pub fn side_at(game: &dyn Game, ply: u32) -> Side {
    let first = game.start().1;
    if ply.is_multiple_of(2) { first } else { first.other() }
}
