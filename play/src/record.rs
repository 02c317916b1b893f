//! Records: games as text, which can be stored and read again.
//!
//! A record begins with lines of the form `name: text`: the game, the start position if it is not the standard one,
//! the players, and the result. The moves follow in the notation of the game, separated by blanks or commas. Move
//! numbers (`12.`) are ignored. A `#` starts a comment. A move may consist of several words, so that a capture in
//! morris may be written separately: `f4-g4 xd2`.

use std::fmt::Write;

use nerode_games::{Game, Move, Position, Side};

use super::course::{Course, End};
use nerode_solver::error::{Error, PlayError, Result};

/// The maximum number of words of a move.
const MOST_WORDS: usize = 4;
/// The results that may follow the last move, as in records of other games.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];
/// The names of the lines that specify the game and its start position.
const GAME: &str = "game";
const START: &str = "start";
const RESULT: &str = "result";

/// The lines before the moves, with their names.
pub type Headers = Vec<(String, String)>;

/// A word, and the number of its line.
struct Word<'a> {
    text: &'a str,
    line: usize,
}

fn wrong(line: usize, reason: impl Into<String>) -> Error {
    PlayError::Record { line, reason: reason.into() }.into()
}

/// Reads a record of a game.
///
/// # Errors
/// Returns [`PlayError::Record`] for a record of another game, and for a move that is not legal in its position.
///
/// # Examples
/// ```
/// let game = nerode_games::registry::open("morris:six")?;
/// let text = "game: morris:six\n1. a5, b4  2. c5 b3 3. e5 xb4 # a mill";
/// let (course, headers) = nerode_play::record::read(game.as_ref(), text)?;
/// assert_eq!((course.plies().len(), course.plies()[4].text.as_str()), (5, "e5xb4"));
/// assert_eq!(headers.len(), 1);
/// # Ok::<(), nerode_solver::error::Error>(())
/// ```
pub fn read<'g>(game: &'g dyn Game, text: &str) -> Result<(Course<'g>, Headers)> {
    let (headers, words) = parts(text);
    let mut start = game.start_position();
    for (line, name, value) in &headers {
        match name.as_str() {
            GAME if *value != game.spec() => {
                return Err(wrong(*line, format!("this is a game of {value}, not of {}", game.spec())));
            }
            START => start = start_of(game, value).map_err(|e| wrong(*line, e))?,
            _ => {}
        }
    }
    let mut course = Course::new(game, start);
    let mut at = 0;
    while at < words.len() {
        if at + 1 == words.len() && RESULTS.contains(&words[at].text) {
            break;
        }
        let (mv, length) = next_move(game, course.position(), &words[at..])
            .map_err(|e| wrong(words[at].line, format!("ply {}: {e}", course.plies().len() + 1)))?;
        course.play(&mv);
        at += length;
    }
    Ok((course, headers.into_iter().map(|(_, name, value)| (name, value)).collect()))
}

/// Reads the position at which a game starts, which must be able to occur in play.
fn start_of(game: &dyn Game, text: &str) -> std::result::Result<Position, String> {
    let position = game.parse_position(text).map_err(|e| e.to_string())?;
    match game.why_illegal(&position.board, position.side) {
        None => Ok(position),
        Some(reason) => Err(format!("position '{text}' cannot occur in play: {reason}")),
    }
}

/// Returns the header lines with their numbers, and the words of all moves.
fn parts(text: &str) -> (Vec<(usize, String, String)>, Vec<Word<'_>>) {
    let (mut headers, mut words) = (Vec::new(), Vec::new());
    for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let content = content.split('#').next().unwrap_or_default();
        match header(content).filter(|_| words.is_empty()) {
            Some((name, value)) => headers.push((line, name, value)),
            None => {
                let separated = content.split(|c: char| c.is_whitespace() || c == ',');
                let texts = separated.map(unnumbered).filter(|text| !text.is_empty());
                words.extend(texts.map(|text| Word { text, line }));
            }
        }
    }
    (headers, words)
}

/// Splits a line `name: text` into name and text.
fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(": ")?;
    let is_name = |c: char| c.is_alphanumeric() || c == ' ';
    (!name.trim().is_empty() && name.chars().all(is_name))
        .then(|| (name.trim().to_string(), value.trim().to_string()))
}

/// Removes a move number from a word: `12.d6` and `12...d6` become `d6`.
fn unnumbered(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix('.') {
        Some(rest) if rest.len() + 1 < word.len() || word == "." => rest.trim_start_matches('.'),
        _ => word.strip_prefix("..").map_or(word, |rest| rest.trim_start_matches('.')),
    }
}

/// Returns the longest legal move at the beginning of `words`, and its number of words.
fn next_move(game: &dyn Game, at: &Position, words: &[Word<'_>]) -> nerode_games::Result<(Move, usize)> {
    for length in (2..=MOST_WORDS.min(words.len())).rev() {
        let joined: Vec<&str> = words[..length].iter().map(|word| word.text).collect();
        if let Ok(mv) = game.parse_move(at, &joined.join(" ")) {
            return Ok((mv, length));
        }
    }
    Ok((game.parse_move(at, words[0].text)?, 1))
}

/// Formats a record that [`read`] can read. `headers` follow the game and the start position.
pub fn write(course: &Course<'_>, headers: &[(String, String)], end: Option<End>) -> String {
    let game = course.game();
    let mut text = format!("{GAME}: {}\n", game.spec());
    if *course.start() != game.start_position() {
        text += &format!("{START}: {}\n", game.format_position(course.start()));
    }
    for (name, value) in headers.iter().filter(|(name, _)| ![GAME, START, RESULT].contains(&name.as_str())) {
        text += &format!("{name}: {value}\n");
    }
    if let Some(end) = end {
        text += &format!("{RESULT}: {end}\n");
    }
    text + "\n" + &moves(course)
}

/// Formats the moves, two per line, with numbers.
fn moves(course: &Course<'_>) -> String {
    let mut text = String::new();
    let black_first = usize::from(course.start().side == Side::P2);
    for (at, ply) in (black_first..).zip(course.plies()) {
        // Writing to a string cannot fail.
        let _ = match (at % 2, at == black_first) {
            (0, _) => write!(text, "{}. {}", at / 2 + 1, ply.text),
            (_, true) => writeln!(text, "1. ... {}", ply.text),
            (_, false) => writeln!(text, " {}", ply.text),
        };
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
