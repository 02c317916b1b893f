//! Opening games whose rules are a text, by name or from the text itself.

use std::sync::Arc;

use nerode_games::registry::Language;
use nerode_games::{Game, Result};

use super::book::Rulebook;
use super::game::{RuleGame, order_names};
use super::open::{is_named, rules};
use super::read::read;

/// The language, for a registry of games.
pub const LANGUAGE: Language =
    Language { is_named, open: open_named, orders: orders_of, open_text, orders_of_text };

/// Opens the game of the given name.
///
/// # Errors
/// Returns an error if the name, the rules or the order is invalid.
fn open_named(name: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
    let book = rules(name)?;
    Ok(Arc::new(RuleGame::new(name, book, order)?))
}

/// Returns the names of the letter orders of the game of the given name.
///
/// # Errors
/// Returns an error if the name or the rules are invalid.
fn orders_of(name: &str) -> Result<Vec<String>> {
    order_names(&rules(name)?)
}

/// Returns the names of the letter orders of the game that [`open_text`] creates from a text.
///
/// # Errors
/// Returns [`Error::Rules`](nerode_games::Error::Rules) if the text is invalid.
pub fn orders_of_text(name: &str, text: &str) -> Result<Vec<String>> {
    order_names(&read(name, text)?)
}

/// Opens a game from its rules text. `name` becomes the name of the game.
///
/// # Errors
/// Returns [`Error::Rules`](nerode_games::Error::Rules) if the text is invalid or unsupported, and
/// [`Error::UnknownOrder`](nerode_games::Error::UnknownOrder) or [`Error::Order`](nerode_games::Error::Order) for an
/// invalid order.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::open_text;
/// let text = "#players = me(1), you(1) #pieces = e, x #variables =
///     #board = rectangle(up,down,left,right,[e,e])
///     #rules = ->me {e} [x] ->> [$ me=1] {}";
/// assert_eq!(open_text("mine", text, None).unwrap().spec(), "mine");
/// ```
pub fn open_text(name: &str, text: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
    let book = read(name, text)?;
    Ok(Arc::new(RuleGame::new(name, book, order)?))
}

/// Checks whether rules can be solved. This compiles the rules, which may take a while.
///
/// # Errors
/// Returns [`Error::Rules`](nerode_games::Error::Rules) with the unsupported feature and its location in the file.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::{read, solvable};
/// let text = "#players = me(1) #pieces = e, x #variables =
///     #board = rectangle(up,down,left,right,[e,e])
///     #rules = ->me {e} [x] ->> [$ me=1] {}";
/// let error = solvable(&read("alone", text).unwrap()).unwrap_err();
/// assert_eq!(error.to_string(), "alone:1:12: a game for 1 player: only games for two players can be solved");
/// ```
pub fn solvable(book: &Rulebook) -> Result<()> {
    RuleGame::new("", book.clone(), None).map(|_| ())
}
