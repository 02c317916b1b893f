//! Games by name: `rbg:NAME` for those that come with the program, `FILE.rbg` for those of users.

use std::io::Read;
use std::sync::Arc;

use super::book::Rulebook;
use super::game::{RuleGame, order_names};
use super::library::bundled;
use super::limits::FILE_BYTES;
use super::read::read;
use super::variant::{Variant, size_of};
use crate::error::{Error, Result};
use crate::game::Game;

/// What the names of games that come with the program begin with, and what files of rules end with.
const BUNDLED: &str = "rbg:";
const FILE: &str = ".rbg";

/// Whether a name is that of rules in a text.
pub(crate) fn is_named(name: &str) -> bool {
    let (base, _) = with_variant(name);
    base.starts_with(BUNDLED) || base.ends_with(FILE)
}

/// The name of rules, and what stands after it: `mine.rbg:board=4x5` is `mine.rbg` with another board.
///
/// # Examples
/// ```
/// use nerode_games::rbg::with_variant;
/// assert_eq!(with_variant("rbg:pretwa:quiet=9"), ("rbg:pretwa", Some("quiet=9")));
/// assert_eq!(with_variant("a/b.rbg:board=2x2"), ("a/b.rbg", Some("board=2x2")));
/// assert_eq!(with_variant("rbg:pretwa"), ("rbg:pretwa", None));
/// ```
#[must_use]
pub fn with_variant(name: &str) -> (&str, Option<&str>) {
    let begin = match name.strip_prefix(BUNDLED) {
        Some(rest) => rest.find(':').map(|at| at + BUNDLED.len()),
        None => name.find(&format!("{FILE}:")).map(|at| at + FILE.len()),
    };
    begin.map_or((name, None), |at| (&name[..at], Some(&name[at + 1..])))
}

/// What is wrong with a name; `example`: what stands after it in one that is right.
fn wrong(name: &str, reason: String, example: Option<String>) -> Error {
    let (base, _) = with_variant(name);
    Error::Spec {
        spec: name.to_string(),
        reason,
        form: format!(
            "{BUNDLED}NAME or a FILE{FILE}, then perhaps ':' and board=WxH, start=POSITION, VARIABLE=N"
        ),
        example: example.map_or_else(|| format!("{BUNDLED}tictactoe"), |after| format!("{base}:{after}")),
    }
}

/// A variant that these rules have, of the kind that was asked for.
fn right_variant(book: &Rulebook, asked: &str) -> String {
    let is_for = |name: &str| asked.split(',').any(|part| part.split('=').next() == Some(name));
    match book.variables().first() {
        Some(variable) if !is_for("board") && !is_for("start") => {
            format!("{}={}", variable.name, variable.bound.min(20))
        }
        _ if is_for("start") && !is_for("board") => "start=POSITION".into(),
        _ => "board=4x5".into(),
    }
}

/// The rules, changed as the text after a name says.
///
/// # Errors
/// [`Error::Spec`] for a variant that these rules do not have.
///
/// # Examples
/// ```
/// use nerode_games::rbg::{bundled, read, varied};
/// let pretwa = bundled().iter().find(|game| game.name == "pretwa").unwrap();
/// let book = read("pretwa", pretwa.text).unwrap();
/// assert_eq!(varied(&book, "pretwa", "quiet=9").unwrap().variables()[0].bound, 9);
/// assert!(varied(&book, "pretwa", "board=3x3").is_err());
/// ```
pub fn varied(book: &Rulebook, name: &str, variant: &str) -> Result<Rulebook> {
    let changed = Variant::read(variant).and_then(|variant| variant.of(book));
    changed.map_err(|reason| wrong(name, reason, Some(right_variant(book, variant))))
}

/// Columns and rows of the board of rules that have boards of other sizes.
///
/// # Examples
/// ```
/// use nerode_games::rbg::{board_size, with_board};
/// assert_eq!(board_size("rbg:breakthrough:board=4x6"), Some([4, 6]));
/// assert_eq!(with_board("rbg:breakthrough:board=4x6", [4, 5]).unwrap(), "rbg:breakthrough:board=4x5");
/// assert_eq!(board_size("rbg:pretwa"), None);
/// ```
#[must_use]
pub fn board_size(name: &str) -> Option<[usize; 2]> {
    rules(name).ok().filter(|_| is_named(name)).and_then(|book| size_of(book.board()))
}

/// The name of the same rules on another board; `None` where the name gives a start, which fits no other board.
#[must_use]
pub fn with_board(name: &str, [columns, rows]: [usize; 2]) -> Option<String> {
    let (base, variant) = with_variant(name);
    let parts = variant.into_iter().flat_map(|variant| variant.split(','));
    let others: Vec<&str> = parts.filter(|part| !part.starts_with("board=")).collect();
    if others.iter().any(|part| part.starts_with("start=")) {
        return None;
    }
    let board = format!("board={columns}x{rows}");
    Some(format!("{base}:{}", [&[board.as_str()], &others[..]].concat().join(",")))
}

/// The rules that a name stands for.
fn rules(name: &str) -> Result<Rulebook> {
    let (base, variant) = with_variant(name);
    let book = base_rules(base)?;
    match variant {
        Some(variant) => varied(&book, name, variant),
        None => Ok(book),
    }
}

fn base_rules(name: &str) -> Result<Rulebook> {
    let error = |reason: String| wrong(name, reason, None);
    if let Some(game) = name.strip_prefix(BUNDLED) {
        let known = || bundled().iter().map(|known| known.name).collect::<Vec<&str>>().join(", ");
        let found = bundled().iter().find(|known| known.name == game);
        let found = found.ok_or_else(|| {
            error(format!("no game of that name comes with the program; there are {}", known()))
        })?;
        return Ok(read(name, found.text)?);
    }
    let mut bytes = Vec::new();
    std::fs::File::open(name)
        .and_then(|file| file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|why| error(format!("cannot read the file: {why}")))?;
    let text = String::from_utf8(bytes).map_err(|why| {
        error(format!("is no text: byte {} begins no character", why.utf8_error().valid_up_to()))
    })?;
    Ok(read(name, &text)?)
}

/// The game of that name.
///
/// # Errors
/// What is wrong with the name, the rules or the order.
pub(crate) fn open_named(name: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
    let book = rules(name)?;
    Ok(Arc::new(RuleGame::new(name, book, order)?))
}

/// Names of the letter orders of the game of that name.
///
/// # Errors
/// What is wrong with the name or the rules.
pub(crate) fn orders_of(name: &str) -> Result<Vec<String>> {
    order_names(&rules(name)?)
}

/// Names of the letter orders of the game that [`open_text`] makes of a text.
///
/// # Errors
/// [`Error::Rules`].
pub fn orders_of_text(name: &str, text: &str) -> Result<Vec<String>> {
    order_names(&read(name, text)?)
}

/// A game by the text of its rules; `name` is what it is called.
///
/// # Errors
/// [`Error::Rules`] for a text that is wrong, or not supported; [`Error::UnknownOrder`] and [`Error::Order`].
///
/// # Examples
/// ```
/// use nerode_games::rbg::open_text;
/// let text = "#players = me(1), you(1) #pieces = e, x #variables =
///     #board = rectangle(up,down,left,right,[e,e])
///     #rules = ->me {e} [x] ->> [$ me=1] {}";
/// assert_eq!(open_text("mine", text, None).unwrap().spec(), "mine");
/// ```
pub fn open_text(name: &str, text: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
    let book = read(name, text)?;
    Ok(Arc::new(RuleGame::new(name, book, order)?))
}

/// Whether rules can be solved: they are compiled, which may take a while.
///
/// # Errors
/// [`Error::Rules`] with what is not supported, and its place.
///
/// # Examples
/// ```
/// use nerode_games::rbg::{read, solvable};
/// let text = "#players = me(1) #pieces = e, x #variables =
///     #board = rectangle(up,down,left,right,[e,e])
///     #rules = ->me {e} [x] ->> [$ me=1] {}";
/// let error = solvable(&read("alone", text).unwrap()).unwrap_err();
/// assert_eq!(error.to_string(), "alone:1:12: a game of 1 player: only games of two are solved");
/// ```
pub fn solvable(book: &Rulebook) -> Result<()> {
    RuleGame::new("", book.clone(), None).map(|_| ())
}
