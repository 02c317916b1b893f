//! A board of the morris family drawn with its lines and labels.

use crate::grid::letters_of;
use crate::morris::Board;
use crate::picture::{Figure, Ground, Look, Picture, Place};
use crate::rules::morris::{BLACK, WHITE};
use crate::side::Side;

/// Columns and rows of the drawing from one file or rank to the next.
const ACROSS: usize = 4;
const DOWN: usize = 2;

/// The board with `symbols[p]` on every point, ranks on the left, files below.
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

/// The board as a picture, with the hands in words; `cells` are those of a position.
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
        note: Some(format!("in hand: white {}, black {}", hand(0), hand(1))),
    }
}

/// File and rank of a label such as `d6`, both from 0.
fn place(label: &str) -> (usize, usize) {
    let mut numbers = label.bytes();
    let mut next = |first: u8| usize::from(numbers.next().unwrap_or(first).saturating_sub(first));
    (next(b'a'), next(b'1'))
}

/// Straight or aslant from one place to another, both left out.
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
