//! Text drawings of boards.

use std::collections::BTreeSet;

use nerode_games::grid::letters_of;

use super::super::board::Shape;
use super::super::book::Rulebook;
use super::super::names::{rows, symbols};

/// The number of squares in a line of the drawing, for boards that are written square by square.
const IN_LINE: usize = 6;

impl Rulebook {
    /// Draws the board in text, with a symbol for each piece.
    pub fn drawing(&self, pieces: &[u8]) -> String {
        let symbols = symbols(self);
        let texts: Vec<String> =
            pieces.iter().map(|&piece| symbols[usize::from(piece)].to_string()).collect();
        drawn(self, &self.square_names(), &texts)
    }
}

/// Draws the board with one of `texts` on every square. `names` contains the names of the squares.
pub(super) fn drawn(book: &Rulebook, names: &[String], texts: &[String]) -> String {
    let board = book.board();
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
    match &board.shape {
        Shape::Rectangle(rows) => ranks(rows, texts, width, false) + &files(rows, width),
        Shape::Hexagon(rows) => ranks(rows, texts, width, true),
        Shape::Cuboid(layers) => {
            let drawn: Vec<String> = layers.iter().map(|rows| ranks(rows, texts, width, false)).collect();
            drawn.join("\n")
        }
        Shape::Graph => match book.points() {
            Some(points) => laid_out(points, names, texts, width),
            None => listed(&rows(board), names, texts, width),
        },
    }
}

/// Draws rows from top to bottom, each after its number. If `shifted` is set, shorter rows are indented.
fn ranks(rows: &[Vec<Option<usize>>], texts: &[String], width: usize, shifted: bool) -> String {
    let longest = rows.iter().map(Vec::len).max().unwrap_or_default();
    let digits = rows.len().to_string().len();
    let mut drawing = String::new();
    for (above, row) in rows.iter().enumerate() {
        let squares: Vec<String> = row
            .iter()
            .map(|square| format!("{:<width$}", square.map_or("", |square| texts[square].as_str())))
            .collect();
        let indent = if shifted { (longest - row.len()) * width.div_ceil(2) } else { 0 };
        let line = format!("{:>digits$} {}{}", rows.len() - above, " ".repeat(indent), squares.join(" "));
        drawing += line.trim_end();
        drawing.push('\n');
    }
    drawing
}

fn files(rows: &[Vec<Option<usize>>], width: usize) -> String {
    let digits = rows.len().to_string().len();
    let longest = rows.iter().map(Vec::len).max().unwrap_or_default();
    let files: Vec<String> = (0..longest).map(|file| format!("{:<width$}", letters_of(file))).collect();
    format!("{:digits$} {}", "", files.join(" ")).trim_end().to_string() + "\n"
}

fn listed(rows: &[Vec<Option<usize>>], names: &[String], texts: &[String], width: usize) -> String {
    let squares: Vec<Option<usize>> = rows.iter().flatten().copied().collect();
    squares.chunks(IN_LINE).map(|line| named(line, names, texts, width)).collect()
}

/// Draws squares at their points. The order of coordinates is preserved, but not the distances.
fn laid_out(points: &[(usize, usize)], names: &[String], texts: &[String], width: usize) -> String {
    let columns: BTreeSet<usize> = points.iter().map(|point| point.0).collect();
    let rows: BTreeSet<usize> = points.iter().map(|point| point.1).collect();
    let square = |at: (usize, usize)| points.iter().position(|&point| point == at);
    let line =
        |&up: &usize| -> Vec<Option<usize>> { columns.iter().map(|&right| square((right, up))).collect() };
    rows.iter().rev().map(|row| named(&line(row), names, texts, width)).collect()
}

/// Draws a line of squares, each with its name.
fn named(line: &[Option<usize>], names: &[String], texts: &[String], width: usize) -> String {
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let square = |square: &Option<usize>| match square {
        Some(square) => format!("{:>longest$} {:<width$}", names[*square], texts[*square]),
        None => " ".repeat(longest + 1 + width),
    };
    let squares: Vec<String> = line.iter().map(square).collect();
    squares.join("  ").trim_end().to_string() + "\n"
}
