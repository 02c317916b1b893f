//! The reader, which turns the text of a file into a [`Rulebook`]: tokens, macros, names, board and rules.

use std::sync::Arc;

use super::book::Rulebook;
use super::fault::{Fault, File, Origin, Places, Result, Use};
use actions::rules;
use boards::board;
use cursor::Cursor;
use drawing::drawing;
use expand::Expander;
use lex::tokens;
use macros::{Parts, parts};
use names::Names;
use start::{first_position, is_misere};

mod actions;
mod boards;
mod cursor;
mod drawing;
mod expand;
mod lex;
mod macros;
mod names;
mod start;
mod values;

pub(super) use drawing::DRAWN_AT;
pub(super) use start::{MISERE, STARTS_WITH};

/// Reads rules. `name` is the name of the file in messages.
///
/// # Errors
/// Returns the first error with its location, also if the rules exceed a size limit.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::read;
/// let text = "#players = me(1) #pieces = e, x #variables =
///     #board = rectangle(up,down,left,right,[e,e])
///     #rules = ->me {e} [x] right ->> [$ me=1] {}";
/// assert_eq!(read("line", text).unwrap().board().squares.len(), 2);
/// let error = read("line", &text.replace("right ->", "rihgt ->")).unwrap_err();
/// assert_eq!(error.to_string(), "line:3:27: unknown name 'rihgt'");
/// assert_eq!(error.help(), Some("did you mean 'right'?"));
/// ```
pub fn read(name: &str, text: &str) -> Result<Rulebook> {
    // Some editors begin a UTF-8 file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let file = Arc::new(File { name: name.to_string(), text: text.to_string() });
    let mut uses = Vec::new();
    let read = read_file(&file, &mut uses);
    let mut origin = Origin { file, uses: Arc::new(uses), places: Arc::default(), drawing: Arc::default() };
    match read {
        Ok((names, board, rules)) => {
            let Names { players, pieces, variables, places, .. } = names;
            origin.places = Arc::new(places);
            origin.drawing = Arc::new(drawing(text, &board));
            let misere = is_misere(text);
            let mut book = Rulebook { players, pieces, variables, board, rules, first: None, misere, origin };
            book.first = first_position(text, &book).map_err(|fault| book.error(fault))?;
            Ok(book)
        }
        Err(fault) => Err(origin.error(fault)),
    }
}

type Read = (Names, super::board::Board, super::book::Rules);

fn read_file(file: &File, uses: &mut Vec<Use>) -> std::result::Result<Read, Fault> {
    let tokens = tokens(&file.text)?;
    let parts = parts(&tokens)?;
    let mut expander = Expander::new(&tokens, &parts.macros);
    let read = read_sections(&parts, &mut expander);
    *uses = expander.uses;
    // If a macro has an unclosed bracket, the error refers to the macro instead of the end of its expansion.
    //
    let nearer = |fault: &Fault| fault.opened.and_then(|_| parts.unbalanced_macro(&tokens));
    read.map_err(|fault| nearer(&fault).unwrap_or(fault))
}

fn read_sections(parts: &Parts, expander: &mut Expander<'_>) -> std::result::Result<Read, Fault> {
    let mut names = Names::with_macros(parts.places_of_macros(expander.tokens()));
    let at = |name: &str| parts.sections[name].at;
    names.places =
        Places { players: at("players"), board: at("board"), rules: at("rules"), ..Places::default() };
    let mut section = |name: &'static str| -> std::result::Result<Cursor, Fault> {
        let section = &parts.sections[name];
        Ok(Cursor::new(expander.section(section)?, name, section.at))
    };
    names.read_players(&mut section("players")?)?;
    names.read_pieces(&mut section("pieces")?)?;
    names.read_variables(&mut section("variables")?)?;
    let board = board(&mut section("board")?, &mut names)?;
    let rules = rules(&mut section("rules")?, &names)?;
    Ok((names, board, rules))
}
