//! The names of squares and pieces in texts.

use nerode_games::grid::letters_of;

use super::board::{Board, Shape};
use super::book::Rulebook;

/// The usual names of an empty square.
const VACANT: [&str; 6] = ["empty", "e", "none", "free", "blank", "nothing"];

/// Returns the piece that represents an empty square.
pub(super) fn vacant(book: &Rulebook) -> Option<usize> {
    book.pieces().iter().position(|name| VACANT.contains(&name.as_str()))
}

/// Returns a distinct character for every piece. The empty piece is `.`.
pub(super) fn symbols(book: &Rulebook) -> Vec<char> {
    let vacant = vacant(book);
    let mut taken: Vec<char> = vec!['.'];
    for (piece, name) in book.pieces().iter().enumerate() {
        let symbol = if vacant == Some(piece) { '.' } else { symbol_of(name, &taken[1..]) };
        taken.push(symbol);
    }
    taken.split_off(1)
}

/// Returns a character that is not in `taken`, preferably one from the name.
fn symbol_of(name: &str, taken: &[char]) -> char {
    let other_case =
        |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let own = name.chars().filter(char::is_ascii_alphabetic).flat_map(|c| [c, other_case(c)]);
    let letters =
        own.chain('a'..='z').chain('A'..='Z').chain('\u{100}'..='\u{17f}').chain('\u{391}'..='\u{3ff}');
    letters.into_iter().find(|c| !taken.contains(c)).unwrap_or('?')
}

/// Returns the rows of a board as squares, with `None` for holes. A board that is written square by square has a single row.
pub(super) fn rows(board: &Board) -> Vec<Vec<Option<usize>>> {
    match &board.shape {
        Shape::Rectangle(rows) | Shape::Hexagon(rows) => rows.clone(),
        Shape::Cuboid(layers) => layers.iter().flatten().cloned().collect(),
        Shape::Graph => vec![(0..board.squares.len()).map(Some).collect()],
    }
}

/// Returns the names of the squares: file and rank on rectangles and hexagons, otherwise the names in the file.
pub(super) fn squares(board: &Board) -> Vec<String> {
    let mut names: Vec<String> = board.squares.iter().map(|square| square.name.clone()).collect();
    if let Shape::Rectangle(rows) | Shape::Hexagon(rows) = &board.shape {
        for (above, row) in rows.iter().enumerate() {
            for (file, square) in row.iter().enumerate() {
                if let Some(square) = square {
                    names[*square] = format!("{}{}", letters_of(file), rows.len() - above);
                }
            }
        }
    }
    names
}
