//! Games by name: `rbg:NAME` for those that come with the program, `FILE.rbg` for those of users.

use std::io::Read;
use std::sync::Arc;

use super::book::Rulebook;
use super::game::{RuleGame, order_names};
use super::library::bundled;
use super::limits::FILE_BYTES;
use super::read::read;
use crate::error::{Error, Result};
use crate::game::Game;

/// What the names of games that come with the program begin with, and what files of rules end with.
const BUNDLED: &str = "rbg:";
const FILE: &str = ".rbg";

/// Whether a name is that of rules in a text.
pub(crate) fn is_named(name: &str) -> bool {
    name.starts_with(BUNDLED) || name.ends_with(FILE)
}

/// The rules that a name stands for.
fn rules(name: &str) -> Result<Rulebook> {
    let error = |reason: String| Error::Spec {
        spec: name.to_string(),
        reason,
        form: format!("{BUNDLED}NAME or a FILE{FILE}"),
        example: format!("{BUNDLED}tictactoe"),
    };
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
