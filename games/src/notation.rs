//! Text forms shared by many games: the names of the sides, and rectangular boards as rows of symbols.

use crate::game::Position;
use crate::grid::Grid;
use crate::layer::LayerInfo;
use crate::picture::{Figure, Picture};
use crate::side::Side;

/// Returns the side named `text`: `names[0]` or `P1` for the first mover, `names[1]` or `P2` for the second. The case of
/// letters matters only if the names differ in nothing else.
pub fn side_named(text: &str, names: [&str; 2]) -> Option<Side> {
    let named = |same: fn(&str, &str) -> bool| {
        let is_named = |side: &Side| same(text, names[side.index()]) || same(text, &side.to_string());
        let mut sides = Side::BOTH.into_iter().filter(is_named);
        sides.next().filter(|_| sides.next().is_none())
    };
    named(|a, b| a == b).or_else(|| named(|a, b| a.to_lowercase() == b.to_lowercase()))
}

/// Returns the content whose symbol is `found`. The case of a letter matters only if both cases are symbols.
///
/// # Examples
/// ```
/// use nerode_games::content_of;
/// assert_eq!(content_of('x', &['.', 'X', 'O']), Some(1));
/// assert_eq!(content_of('k', &['.', 'K', 'k']), Some(2));
/// assert_eq!(content_of('y', &['.', 'X', 'O']), None);
/// ```
pub fn content_of(found: char, symbols: &[char]) -> Option<usize> {
    symbols.iter().position(|&known| known == found).or_else(|| {
        let mut same = (0..symbols.len()).filter(|&at| symbols[at].eq_ignore_ascii_case(&found));
        same.next().filter(|_| same.next().is_none())
    })
}

/// Returns the side named `text` like [`side_named`], or an error text.
pub(crate) fn side_of(text: &str, names: [&str; 2]) -> Result<Side, String> {
    side_named(text, names)
        .ok_or_else(|| format!("the side to move is '{text}', not {} or {}", names[0], names[1]))
}

/// Escapes control characters, which terminals obey, and marks that change the direction of text, as in Rust's string
/// literals. Line feeds remain.
///
/// # Examples
/// ```
/// assert_eq!(nerode_games::escaped("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\n");
/// ```
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            _ if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {
                out.extend(c.escape_default());
            }
            _ => out.push(c),
        }
    }
    out
}

/// Formats a number in groups of three decimal digits, separated by spaces: `1 234 567`.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// Formats a number with its noun in the singular or plural: `1 row`, `2 rows`, `7 plies`.
///
/// # Examples
/// ```
/// use nerode_games::counted;
/// assert_eq!([counted(1, "ply"), counted(1_200, "ply")], ["1 ply", "1 200 plies"]);
/// assert_eq!([counted(0, "row"), counted(2, "day")], ["0 rows", "2 days"]);
/// ```
pub fn counted(number: usize, thing: &str) -> String {
    let number_of = grouped(number as u128);
    match thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        _ if number == 1 => format!("{number_of} {thing}"),
        Some(stem) => format!("{number_of} {stem}ies"),
        None => format!("{number_of} {thing}s"),
    }
}

/// Checks the numbers of things, each called `thing`, that two sides, named `names`, put on the board alternately, one at a time and
/// starting with the first side. Returns the reason why `counts` do not fit `side` to move, or `None` if they do.
pub(crate) fn out_of_turn(thing: &str, names: [&str; 2], counts: [usize; 2], side: Side) -> Option<String> {
    if counts[0] == counts[1] + side.index() {
        return None;
    }
    let should = match side {
        Side::P1 => "both must have the same number".to_string(),
        Side::P2 => format!("{} must have one more", names[0]),
    };
    let [first, second] = names;
    let [a, b] = counts;
    Some(format!(
        "{first} has {} and {second} has {b}, but with {} to move {should}",
        counted(a, thing),
        names[side.index()]
    ))
}

/// The text forms of positions on a rectangular board with one symbol for each content: `ROWS SIDE`.
///
/// # Examples
/// ```
/// use nerode_games::{GridNotation, grid::Grid};
/// let notation = GridNotation { grid: Grid::new(3, 2), symbols: &['.', 'X', 'O'], sides: ["X", "O"] };
/// let position = notation.parse("X1O/3 O").unwrap();
/// assert_eq!(position.board, [0, 0, 0, 1, 0, 2]);
/// assert_eq!(notation.format(&position), "X1O/3 O");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GridNotation {
    /// The board.
    pub grid: Grid,
    /// The symbol of each content. Content 0 is an empty cell.
    pub symbols: &'static [char],
    /// The names of the sides, starting with the first mover.
    pub sides: [&'static str; 2],
}

impl GridNotation {
    /// Describes in words how a position is written.
    pub fn form(&self) -> String {
        let pieces: Vec<String> = self.symbols.iter().skip(1).map(char::to_string).collect();
        format!(
            "{} rows of {} cells from the top, separated by '/', with {} for occupied cells and numbers for \
             runs of empty cells; then a space and the side to move, {} or {}",
            self.grid.height(),
            self.grid.width(),
            pieces.join(", "),
            self.sides[0],
            self.sides[1]
        )
    }

    /// Reads a position, either in the form `ROWS SIDE` or as a drawing from [`GridNotation::draw`].
    ///
    /// # Errors
    /// Returns what is wrong with the text, and where, as part of a sentence.
    pub fn parse(&self, text: &str) -> Result<Position, String> {
        let drawn = self.grid.line_of_drawing(text);
        let mut parts = drawn.as_deref().unwrap_or(text).split_whitespace();
        let rows = parts.next().ok_or("the text is empty")?;
        let board = self.grid.parse_rows(rows, self.symbols)?;
        let side = parts.next().ok_or_else(|| {
            format!(
                "the side to move is missing after the rows; expected {} or {}",
                self.sides[0], self.sides[1]
            )
        })?;
        let side = side_of(side, self.sides)?;
        match parts.next() {
            None => Ok(Position { board, side }),
            Some(more) => Err(format!("unexpected '{more}' after the side to move")),
        }
    }

    /// Prints a position so that [`GridNotation::parse`] reads it back.
    pub fn format(&self, position: &Position) -> String {
        let rows = self.grid.format_rows(&position.board, self.symbols);
        format!("{rows} {}", self.sides[position.side.index()])
    }

    /// Draws the board with labels and the side to move.
    pub fn draw(&self, position: &Position) -> String {
        let board = self.grid.draw(&position.board, self.symbols);
        format!("{board}{} to move\n", self.sides[position.side.index()])
    }

    /// Returns a picture of the board, where `looks` are the figures of the contents from 1 on.
    pub fn picture(&self, board: &[u8], looks: &[Figure]) -> Picture {
        let figure = |cell: usize| {
            let content = board.get(cell).copied().map_or(0, usize::from);
            looks.get(content.wrapping_sub(1)).copied()
        };
        Picture::of_grid(self.grid, figure)
    }

    /// Returns one layer for each of `cells`. The label of a layer is the name of its square, and its letters are the symbols.
    pub fn layers(&self, cells: &[usize]) -> Vec<LayerInfo> {
        let letters: Vec<String> = self.symbols.iter().map(char::to_string).collect();
        let layer = |&cell: &usize| LayerInfo { label: self.grid.square(cell), letters: letters.clone() };
        cells.iter().map(layer).collect()
    }
}
