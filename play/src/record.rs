//! Records: games as text, which can be stored and read again.
//!
//! A record begins with lines of the form `name: text`: the game, the start position if it is not the standard one,
//! the players, and the result. The moves follow in the notation of the game, separated by blanks or commas. Move
//! numbers (`12.`) are ignored. A `#` starts a comment. A move may consist of several words, so that a capture in
//! morris may be written separately: `f4-g4 xd2`.
//!
//! Records in Portable Game Notation are read too: lines of the form `[Name "text"]`, where `FEN` is the start position, comments
//! in braces and after `;`, variations in parentheses, which are skipped, and results.

use std::fmt::Write;

use nerode_games::{Game, Position, Side, escaped, first_move, move_words};

use super::course::{Course, End, Limits};
use nerode_solver::error::{Error, PlayError, Result};

/// The results that may follow the last move, as in records of other games.
const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "\u{bd}-\u{bd}", "*"];
/// The names of the lines that specify the game and its start position.
const GAME: &str = "game";
const START: &str = "start";
/// The name of the start position in Portable Game Notation.
const FEN: &str = "fen";
const RESULT: &str = "result";

/// The lines before the moves, with their names.
pub type Headers = Vec<(String, String)>;

/// The words of all moves, and the number of the line of each.
#[derive(Default)]
struct Words {
    texts: Vec<String>,
    lines: Vec<usize>,
}

fn wrong(line: usize, reason: impl Into<String>) -> Error {
    PlayError::Record { line, reason: reason.into() }.into()
}

/// Reads a record of a game.
///
/// # Errors
/// Returns [`PlayError::Record`] for a record of another game, for a move that is not legal in its position or follows the end of
/// the game, and for a comment or a variation that is not closed.
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
    let (headers, words) = parts(text)?;
    let mut start = game.start_position();
    for (line, name, value) in &headers {
        match name.as_str() {
            GAME if *value != game.spec() => {
                return Err(wrong(*line, format!("this is a game of {value}, not of {}", game.spec())));
            }
            START | FEN => start = start_of(game, value).map_err(|e| wrong(*line, e))?,
            _ => {}
        }
    }
    let mut course = Course::new(game, start);
    let texts: Vec<&str> = words.texts.iter().map(String::as_str).collect();
    let mut at = 0;
    while at < texts.len() {
        if at + 1 == texts.len() && RESULTS.contains(&texts[at]) {
            break;
        }
        if let Some(end) = course.end(Limits { plies: u32::MAX, quiet_plies: u32::MAX }) {
            let ply = course.plies().len() + 1;
            return Err(wrong(
                words.lines[at],
                format!("ply {ply}: unexpected '{}': the game is over: {end}", texts[at]),
            ));
        }
        let (mv, length) = first_move(game, course.position(), &texts[at..])
            .map_err(|e| wrong(words.lines[at], format!("ply {}: {e}", course.plies().len() + 1)))?;
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

/// A header line: its number, name and value.
type Header = (usize, String, String);

/// Returns the header lines, and the words of all moves.
fn parts(text: &str) -> Result<(Vec<Header>, Words)> {
    let (mut headers, mut words) = (Vec::new(), Words::default());
    let mut skipped = Skipped::default();
    for (line, content) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        if let Some((name, value)) = tag(content).filter(|_| skipped.is_outside()) {
            if !words.texts.is_empty() {
                return Err(wrong(line, "another game begins here, and a record has one game"));
            }
            headers.push((line, name, value));
            continue;
        }
        let uncommented = content.split('#').next().unwrap_or_default();
        match header(uncommented).filter(|_| words.texts.is_empty() && skipped.is_outside()) {
            Some((name, value)) => headers.push((line, name, value)),
            None => {
                let moves = skipped.rest(line, content);
                for word in move_words(&moves) {
                    words.texts.push(word.to_string());
                    words.lines.push(line);
                }
            }
        }
    }
    match skipped {
        Skipped { in_comment: true, comment, .. } => {
            Err(wrong(comment, "the comment after '{' is not closed"))
        }
        Skipped { variations: 1.., variation, .. } => {
            Err(wrong(variation, "the variation after '(' is not closed"))
        }
        _ => Ok((headers, words)),
    }
}

/// Comments and variations of Portable Game Notation, which can extend over several lines.
#[derive(Default)]
struct Skipped {
    in_comment: bool,
    variations: usize,
    /// The lines of the last comment and of the last outermost variation.
    comment: usize,
    variation: usize,
}

impl Skipped {
    fn is_outside(&self) -> bool {
        !self.in_comment && self.variations == 0
    }

    /// Returns the content of a line without its comments and variations.
    fn rest(&mut self, line: usize, content: &str) -> String {
        let mut rest = String::with_capacity(content.len());
        for c in content.chars() {
            match c {
                '{' if !self.in_comment => self.comment = line,
                '(' if self.is_outside() => self.variation = line,
                _ => {}
            }
            match c {
                '}' if self.in_comment => self.in_comment = false,
                _ if self.in_comment => {}
                '{' => self.in_comment = true,
                ';' => break,
                // Directly after a move, it is the sign of a mate.
                '#' if self.variations == 0 && rest.chars().next_back().is_none_or(char::is_whitespace) => {
                    break;
                }
                '(' => self.variations += 1,
                ')' if self.variations > 0 => self.variations -= 1,
                _ if self.variations > 0 => {}
                _ => {
                    rest.push(c);
                    continue;
                }
            }
            rest.push(' ');
        }
        rest
    }
}

/// Splits a line `[Name "text"]` into the name in lower case and the text.
fn tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line.trim().strip_prefix('[')?.strip_suffix(']')?.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    name.chars().all(char::is_alphanumeric).then(|| (name.to_lowercase(), value.replace("\\\"", "\"")))
}

/// Splits a line `name: text` into name and text.
fn header(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(": ")?;
    let is_name = |c: char| c.is_alphanumeric() || c == ' ';
    (!name.trim().is_empty() && name.chars().all(is_name))
        .then(|| (name.trim().to_string(), value.trim().to_string()))
}

/// Formats a record that [`read`] can read. `headers` follow the game and the start position.
pub fn write(course: &Course<'_>, headers: &[(String, String)], end: Option<End>) -> String {
    let game = course.game();
    let mut text = format!("{GAME}: {}\n", game.spec());
    if *course.start() != game.start_position() {
        text += &format!("{START}: {}\n", game.format_position(course.start()));
    }
    for (name, value) in
        headers.iter().filter(|(name, _)| ![GAME, START, FEN, RESULT].contains(&name.as_str()))
    {
        text += &format!("{name}: {}\n", escaped(value).replace('\n', " "));
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
