//! Variants of rules: another board, other bounds, another start. What comes out are rules like others, with a text of their own.

use super::book::Rulebook;
use crate::spec::digits;

mod bounds;
mod start;
mod stretch;

pub(super) use stretch::size_of;

const BOARD: &str = "board";
const START: &str = "start";

/// What is to be other than the rules say.
///
/// # Examples
/// ```
/// use nerode_games::registry::open;
/// let game = open("rbg:breakthrough:board=3x4").unwrap();
/// assert_eq!(game.format_position(&game.start_position()), "bbb/bbb/www/www white");
/// let game = open("rbg:breakthrough:board=3x4,start=bbb/1b1/1w1/www_black").unwrap();
/// assert_eq!(game.format_position(&game.start_position()), "bbb/.b./.w./www black");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Columns and rows of a rectangle.
    board: Option<(usize, usize)>,
    /// Variables with their bounds.
    bounds: Vec<(String, u32)>,
    /// A position, as the game writes it, with `_` for blanks.
    start: Option<String>,
}

impl Variant {
    /// Reads `board=4x5`, `start=POSITION` and `NAME=N` for variables, with commas between them.
    ///
    /// # Errors
    /// What is wrong with the text, in words.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut variant = Self::default();
        for part in text.split(',') {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| format!("'{part}' is neither {BOARD}=WxH nor {START}=POSITION nor NAME=N"))?;
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

    /// The rules of the variant.
    ///
    /// # Errors
    /// What the rules have no place for, in words.
    pub fn of(&self, book: &Rulebook) -> Result<Rulebook, String> {
        let mut book = book.clone();
        if let Some((columns, rows)) = self.board {
            book.board = stretch::resized(&book.board, columns, rows, self.start.is_some())?;
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
