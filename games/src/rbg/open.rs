//! Games by name: `rbg:NAME` for those that come with the program, `FILE.rbg` for those of users.

use std::io::Read;
use std::sync::Arc;

use super::book::Rulebook;
use super::game::{RuleGame, order_names};
use super::library::bundled;
use super::limits::FILE_BYTES;
use super::read::read;
use super::variant::Variant;
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

fn wrong(name: &str, reason: String) -> Error {
    Error::Spec {
        spec: name.to_string(),
        reason,
        form: format!(
            "{BUNDLED}NAME or a FILE{FILE}, then perhaps ':' and board=WxH, start=POSITION, VARIABLE=N"
        ),
        example: format!("{BUNDLED}tictactoe"),
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
    Variant::read(variant).and_then(|variant| variant.of(book)).map_err(|reason| wrong(name, reason))
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
    let error = |reason: String| wrong(name, reason);
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
