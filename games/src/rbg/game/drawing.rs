//! Boards as drawings of text.

use super::super::board::{Board, Shape};
use super::names::rows;
use crate::grid::letters_of;

/// Squares of a board that is written out, in a line of its drawing.
const IN_LINE: usize = 6;

/// The board with one of `texts` on every square; `names` are those of the squares.
pub(super) fn drawn(board: &Board, names: &[String], texts: &[String]) -> String {
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
    match &board.shape {
        Shape::Rectangle(rows) => ranks(rows, texts, width, false) + &files(rows, width),
        Shape::Hexagon(rows) => ranks(rows, texts, width, true),
        Shape::Cuboid(layers) => {
            let drawn: Vec<String> = layers.iter().map(|rows| ranks(rows, texts, width, false)).collect();
            drawn.join("\n")
        }
        Shape::Graph => listed(&rows(board), names, texts, width),
    }
}

/// Rows from the top, each after its number; where rows are shifted, shorter ones begin later.
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
    let squares: Vec<usize> = rows.iter().flatten().flatten().copied().collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let mut drawing = String::new();
    for line in squares.chunks(IN_LINE) {
        let squares: Vec<String> = line
            .iter()
            .map(|&square| format!("{:>longest$} {:<width$}", names[square], texts[square]))
            .collect();
        drawing += squares.join("  ").trim_end();
        drawing.push('\n');
    }
    drawing
}
