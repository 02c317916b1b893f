//! Variants of rules: another board, other bounds, another start, or misère. A variant is an ordinary book with its own canonical text.

use nerode_games::digits;

use super::book::Rulebook;

mod bounds;
mod start;
mod stretch;

pub(super) use stretch::size_of;

const BOARD: &str = "board";
const START: &str = "start";
const MISERE: &str = "misere";

/// A set of modifications to rules.
///
/// # Examples
/// ```
/// use nerode_rules::rbg::LANGUAGE;
/// let game = (LANGUAGE.open)("rbg:breakthrough:board=3x4", None).unwrap();
/// assert_eq!(game.format_position(&game.start_position()), "bbb/bbb/www/www white");
/// let game = (LANGUAGE.open)("rbg:breakthrough:board=3x4,start=bbb/1b1/1w1/www_black", None).unwrap();
/// assert_eq!(game.format_position(&game.start_position()), "bbb/.b./.w./www black");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// The columns and rows of a rectangle.
    board: Option<(usize, usize)>,
    /// The variables and players with their new bounds.
    bounds: Vec<(String, u32)>,
    /// The start position in the notation of the game, with `_` instead of spaces.
    start: Option<String>,
    /// If `true`, the player who would have won has lost.
    misere: bool,
}

impl Variant {
    /// Reads `board=4x5`, `start=POSITION`, `misere` and `NAME=N` for variables and scores, separated by commas.
    ///
    /// # Errors
    /// Returns a description of the problem if the text is invalid.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut variant = Self::default();
        for part in text.split(',') {
            if part == MISERE {
                variant.misere = true;
                continue;
            }
            let (name, value) = part.split_once('=').ok_or_else(|| {
                format!(
                    "'{part}' is neither {MISERE} nor of the form {BOARD}=WxH, {START}=POSITION or NAME=N"
                )
            })?;
            match name {
                BOARD => {
                    let size =
                        size(value).ok_or_else(|| format!("the board is '{value}', not WxH such as 4x5"))?;
                    variant.board = Some(size);
                }
                START => variant.start = Some(value.to_string()),
                _ => {
                    let bound = value
                        .parse()
                        .map_err(|_| format!("the bound of '{name}' is '{value}', not a number"))?;
                    variant.bounds.push((name.to_string(), bound));
                }
            }
        }
        Ok(variant)
    }

    /// Returns the rules of the variant.
    ///
    /// # Errors
    /// Returns a description of the problem if the rules do not support the variant.
    pub fn of(&self, book: &Rulebook) -> Result<Rulebook, String> {
        let mut book = book.clone();
        book.misere |= self.misere;
        if let Some((columns, rows)) = self.board {
            book.board = stretch::resized(&book.board, columns, rows, self.start.is_some())?;
            book.first = None;
        }
        for (name, bound) in &self.bounds {
            bounds::set(&mut book, name, *bound)?;
        }
        match &self.start {
            Some(text) => start::from(&book, &text.replace('_', " ")),
            None => Ok(book),
        }
    }
}

fn size(text: &str) -> Option<(usize, usize)> {
    let (columns, rows) = text.split_once('x')?;
    Some((digits(columns)?, digits(rows)?))
}
