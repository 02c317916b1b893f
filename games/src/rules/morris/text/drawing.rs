//! Drawings of the boards of the morris family, with lines and labels.

use std::cmp::Reverse;

use super::parts::{Parsed, SIDES, SYMBOLS};
use crate::grid::{is_files, letters_of, lines_of_drawing};
use crate::morris::Board;
use crate::notation::counted;
use crate::picture::{Figure, Ground, Look, Picture, Place};
use crate::rules::morris::{BLACK, WHITE};
use crate::side::Side;

/// The numbers of columns and rows of the drawing between adjacent files and ranks.
const ACROSS: usize = 4;
const DOWN: usize = 2;

/// Draws the board with `symbols[p]` on every point, ranks on the left and files below.
pub(super) fn draw(board: &Board, symbols: &[char]) -> String {
    let places: Vec<(usize, usize)> = board.labels().iter().map(|label| place(label)).collect();
    let last = places.iter().map(|&(file, _)| file).max().unwrap_or(0);
    let at = |point: usize| (ACROSS * places[point].0, DOWN * (last - places[point].1));
    let mut canvas = vec![vec![' '; ACROSS * last + 1]; DOWN * last + 1];
    for a in 0..board.num_points() {
        for b in (a + 1..board.num_points()).filter(|b| board.neighbours(a) >> b & 1 == 1) {
            line(&mut canvas, at(a), at(b));
        }
    }
    for (point, &symbol) in symbols.iter().enumerate() {
        let (x, y) = at(point);
        canvas[y][x] = symbol;
    }
    let mut text = String::new();
    for (y, row) in canvas.into_iter().enumerate() {
        let rank = if y % DOWN == 0 { (last - y / DOWN + 1).to_string() } else { " ".to_string() };
        let row: String = row.into_iter().collect();
        text += format!("{rank}  {row}").trim_end();
        text.push('\n');
    }
    let files: Vec<String> = ('a'..='z').take(last + 1).map(String::from).collect();
    text + &format!("   {}\n", files.join("   "))
}

/// Converts a drawing to a line, or returns `None` if `text` is not a drawing. The lines of the board, the numbers of
/// ranks and the letters of files are optional.
pub(super) fn line_of(board: &Board, text: &str) -> Parsed<Option<String>> {
    // The first row of a drawing contains no slash, whereas a position on one line has slashes between its rings.
    let Some(lines) = lines_of_drawing(text).filter(|lines| !lines[0].concat().contains('/')) else {
        return Ok(None);
    };
    let places: Vec<(usize, usize)> = board.labels().iter().map(|label| place(label)).collect();
    let edge = places.iter().map(|&(file, _)| file + 1).max().unwrap_or(0);
    let mut lines = lines.into_iter().peekable();
    let mut symbols = Vec::with_capacity(board.num_points());
    while symbols.len() < board.num_points()
        && let Some(words) = lines.next_if(|words| !says_more(words) && !is_files(words, edge))
    {
        symbols.extend(symbols_of(&words.concat())?);
    }
    if symbols.len() != board.num_points() {
        let drawn = counted(symbols.len(), "point");
        return Err(format!("the drawing has {drawn} instead of {}", board.num_points()));
    }
    lines.next_if(|words| is_files(words, edge));
    let rest: Vec<&str> = lines.flatten().collect();
    let mut order: Vec<usize> = (0..board.num_points()).collect();
    order.sort_by_key(|&point| (Reverse(places[point].1), places[point].0));
    let mut points = vec![' '; symbols.len()];
    for (point, symbol) in order.into_iter().zip(symbols) {
        points[point] = symbol;
    }
    let rings: Vec<String> = points.chunks(8).map(|ring| ring.iter().collect()).collect();
    Ok(Some(format!("{} {} {}", rings.join("/"), side_in(&rest)?, hands_in(&rest)?)))
}

/// Returns `true` if a line contains information beyond the board itself.
fn says_more(words: &[&str]) -> bool {
    matches!(words, ["in", "hand:", ..] | [_, "to", "move", ..])
}

/// Returns the symbols of the points in a row of the drawing.
fn symbols_of(row: &str) -> Parsed<Vec<char>> {
    let is_line = |c: char| c.is_ascii_digit() || "-|/\\".contains(c);
    match row.chars().find(|&c| !is_line(c) && !SYMBOLS.contains(&c)) {
        None => Ok(row.chars().filter(|c| SYMBOLS.contains(c)).collect()),
        Some(other) => Err(format!(
            "row '{row}': unexpected '{other}'; expected a line, * (empty), O (white) or @ (black)"
        )),
    }
}

/// Returns the side to move from the `words` below a board.
fn side_in<'a>(words: &[&'a str]) -> Parsed<&'a str> {
    let side = words.iter().find(|word| SIDES.contains(word));
    side.copied().ok_or_else(|| "the side to move is missing below the board, such as 'w to move'".into())
}

/// Returns the stones in hand from the `words` below a board: `in hand: white O 3, black @ 2`, or `3-2`.
fn hands_in(words: &[&str]) -> Parsed<String> {
    if let ["in", "hand:", _, _, white, _, _, black, ..] = words {
        return Ok(format!("{}-{black}", white.trim_end_matches(',')));
    }
    let is_hands = |word: &&&str| word.split_once('-').is_some();
    let hands = words.iter().find(is_hands).map(ToString::to_string);
    hands.ok_or_else(|| "the stones in hand are missing below the board, such as 0-0".into())
}

/// Returns a picture of the board, with the hands in words, for the `cells` of a position.
pub(super) fn picture(board: &Board, cells: &[u8]) -> Picture {
    let at: Vec<(usize, usize)> = board.labels().iter().map(|label| place(label)).collect();
    let edge = at.iter().map(|&(file, _)| file + 1).max().unwrap_or(1);
    let figure = |content: u8| match content {
        WHITE => Some(Figure::of(Look::Disc, Side::P1, true)),
        BLACK => Some(Figure::of(Look::Disc, Side::P2, false)),
        _ => None,
    };
    let joined = |a: usize, b: usize| board.neighbours(a) >> b & 1 == 1;
    let of_point = |a: usize| (a + 1..board.num_points()).filter(move |&b| joined(a, b)).map(move |b| (a, b));
    let (points, hands) = cells.split_at(board.num_points().min(cells.len()));
    let hand = |side: usize| hands.get(side).copied().unwrap_or(0);
    Picture {
        files: (0..edge).map(letters_of).collect(),
        ranks: (1..=edge).map(|rank| rank.to_string()).collect(),
        ground: Ground::Lines((0..board.num_points()).flat_map(of_point).collect()),
        places: at
            .into_iter()
            .zip(points)
            .map(|(at, &content)| Place { at, figure: figure(content) })
            .collect(),
        names: Vec::new(),
        note: Some(format!("in hand: white {}, black {}", hand(0), hand(1))),
    }
}

/// Returns the file and the rank of a label such as `d6`, both counted from 0.
fn place(label: &str) -> (usize, usize) {
    let mut numbers = label.bytes();
    let mut next = |first: u8| usize::from(numbers.next().unwrap_or(first).saturating_sub(first));
    (next(b'a'), next(b'1'))
}

/// Draws a horizontal, vertical or diagonal line between two places, excluding both ends.
fn line(canvas: &mut [Vec<char>], from: (usize, usize), to: (usize, usize)) {
    let (across, down) = (to.0.abs_diff(from.0), to.1.abs_diff(from.1));
    let (left, top) = (from.0.min(to.0), from.1.min(to.1));
    match (across, down) {
        (_, 0) => (1..across).for_each(|i| canvas[top][left + i] = '-'),
        (0, _) => (1..down).for_each(|i| canvas[top + i][left] = '|'),
        _ => {
            let falls = (from.0 < to.0) == (from.1 < to.1);
            canvas[top + down / 2][left + across / 2] = if falls { '\\' } else { '/' };
        }
    }
}
