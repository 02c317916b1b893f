//! Names of rules: `rbg:NAME` for bundled games, `FILE.rbg` for rules files of the user.

use std::io::Read;

use nerode_games::{Error, Result};

use super::book::Rulebook;
use super::library::bundled;
use super::limits::FILE_BYTES;
use super::read::read;
use super::variant::{Variant, size_of};

/// The prefix of the names of bundled games, and the extension of rules files.
const BUNDLED: &str = "rbg:";
const FILE: &str = ".rbg";

/// Returns `true` if the name refers to a game given by a rules text.
pub(super) fn is_named(name: &str) -> bool {
    let (base, _) = with_variant(name);
    base.starts_with(BUNDLED) || base.ends_with(FILE)
}

/// Splits a name into the name of the rules and the variant: `mine.rbg:board=4x5` is `mine.rbg` on another board.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::with_variant;
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

/// Creates the error for an invalid name. `example` is a valid variant to suggest.
fn wrong(name: &str, reason: String, example: Option<String>) -> Error {
    let (base, _) = with_variant(name);
    Error::Spec {
        spec: name.to_string(),
        reason,
        form: format!(
            "{BUNDLED}NAME or FILE{FILE}, optionally followed by ':' and board=WxH, NAME=N for the bound of a variable or a score, \
             misere, start=POSITION"
        ),
        example: example.map_or_else(|| format!("{BUNDLED}tictactoe"), |after| format!("{base}:{after}")),
    }
}

/// Returns a valid variant for these rules, similar to the requested one.
fn right_variant(book: &Rulebook, asked: &str) -> String {
    let is_for = |name: &str| asked.split(',').any(|part| part.split('=').next() == Some(name));
    match book.variables().first() {
        Some(variable) if !is_for("board") && !is_for("start") => {
            format!("{}={}", variable.name, variable.bound.min(20))
        }
        _ if is_for("start") && !is_for("board") => "start=POSITION".into(),
        // A rhombus must have as many columns as rows.
        _ => "board=5x5".into(),
    }
}

/// Applies a variant, written as it follows a name, to rules.
///
/// # Errors
/// Returns [`Error::Spec`] if the rules do not support the variant.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::{bundled, read, varied};
/// let pretwa = bundled().iter().find(|game| game.name == "pretwa").unwrap();
/// let book = read("pretwa", pretwa.text).unwrap();
/// assert_eq!(varied(&book, "pretwa", "quiet=9").unwrap().variables()[0].bound, 9);
/// assert!(varied(&book, "pretwa", "board=3x3").is_err());
/// ```
pub fn varied(book: &Rulebook, name: &str, variant: &str) -> Result<Rulebook> {
    let changed = Variant::read(variant).and_then(|variant| variant.of(book));
    changed.map_err(|reason| wrong(name, reason, Some(right_variant(book, variant))))
}

/// Returns the number of columns and rows of the board, if the rules support boards of other sizes.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::{board_size, with_board};
/// assert_eq!(board_size("rbg:breakthrough:board=4x6"), Some([4, 6]));
/// assert_eq!(with_board("rbg:breakthrough:board=4x6", [4, 5]).unwrap(), "rbg:breakthrough:board=4x5");
/// assert_eq!(board_size("rbg:pretwa"), None);
/// ```
#[must_use]
pub fn board_size(name: &str) -> Option<[usize; 2]> {
    rules(name).ok().filter(|_| is_named(name)).and_then(|book| size_of(book.board()))
}

/// Returns the name of the same rules on another board, or `None` if the name contains a start position, which fits no other
/// board.
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

/// Returns the rules to which a name refers.
pub(super) fn rules(name: &str) -> Result<Rulebook> {
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
        let found = found
            .ok_or_else(|| error(format!("no bundled game has this name; bundled games: {}", known())))?;
        return Ok(read(name, found.text)?);
    }
    let mut bytes = Vec::new();
    std::fs::File::open(name)
        .and_then(|file| file.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|why| error(format!("cannot read the file: {why}")))?;
    let text = String::from_utf8(bytes).map_err(|why| {
        error(format!(
            "the file is not UTF-8 text: byte {} does not begin a character",
            why.utf8_error().valid_up_to()
        ))
    })?;
    Ok(read(name, &text)?)
}
