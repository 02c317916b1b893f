//! Reads the drawing positions of a board that is written square by square. They are given in comments that begin with `drawn
//! at`. These comments are not part of the rules, so their contents cannot invalidate a file.

use std::collections::BTreeSet;

use super::super::board::{Board, Shape};
use super::super::fault::{At, Drawing, Fault, Span};

/// The beginning of a comment with drawing positions.
pub(in super::super) const DRAWN_AT: &str = "drawn at";
/// The largest coordinate.
const MOST: usize = 99;

/// Reads the drawing positions from comments, with a fault if they are incomplete or invalid.
pub(super) fn drawing(text: &str, board: &Board) -> Drawing {
    if board.shape != Shape::Graph {
        return Drawing::default();
    }
    let items: Vec<(&str, At)> = comments(text).flat_map(|comment| items(text, comment)).collect();
    let Some(&(_, first)) = items.first() else { return Drawing::default() };
    match points(&items, first, board) {
        Ok(points) => Drawing { points: Some(points), odd: None },
        Err(odd) => Drawing { points: None, odd: Some(odd) },
    }
}

/// Returns the point of every square.
fn points(items: &[(&str, At)], first: At, board: &Board) -> Result<Vec<(usize, usize)>, Fault> {
    let mut points = vec![None; board.squares.len()];
    let mut taken = BTreeSet::new();
    for &(item, at) in items {
        let odd = |label: String| {
            Fault::new(at, "the board is drawn as text, because a drawing position is invalid", label)
        };
        let (name, point) = read(item)
            .ok_or_else(|| odd(format!("expected a square and two numbers up to {MOST}, such as 'a 3 0'")))?;
        let square = board.squares.iter().position(|square| square.name == name);
        let square = square.ok_or_else(|| odd(format!("unknown square '{name}'")))?;
        if points[square].replace(point).is_some() {
            return Err(odd(format!("'{name}' already has a drawing position")));
        }
        if !taken.insert(point) {
            return Err(odd("another square has the same drawing position".into()));
        }
    }
    let missing = points.iter().position(Option::is_none).map(|square| &board.squares[square].name);
    match missing {
        Some(name) => Err(Fault::new(
            first,
            format!("the board is drawn as text, because '{name}' has no drawing position"),
            "every square needs a drawing position",
        )),
        None => Ok(points.into_iter().flatten().collect()),
    }
}

/// Reads a square with its point: the distance to the right, and the distance upwards.
fn read(item: &str) -> Option<(&str, (usize, usize))> {
    let mut words = item.split_whitespace();
    let name = words.next()?;
    let mut number = || words.next()?.parse().ok().filter(|&number| number <= MOST);
    let point = (number()?, number()?);
    words.next().is_none().then_some((name, point))
}

/// Returns the comments of a text, without the comment signs.
pub(super) fn comments(text: &str) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += text[at..].find('/')?;
            let rest = &text[at..];
            let end = if rest.starts_with("//") {
                "\n"
            } else if rest.starts_with("/*") {
                "*/"
            } else {
                at += 1;
                continue;
            };
            let start = at + 2;
            let length = text[start..].find(end).unwrap_or(text.len() - start);
            at = (start + length + end.len()).min(text.len());
            return Some(Span { start, end: start + length });
        }
    })
}

/// Returns the comma-separated items of a comment if it contains drawing positions.
fn items(text: &str, comment: Span) -> impl Iterator<Item = (&str, At)> {
    let said = text[comment.start..comment.end].trim_start().strip_prefix(DRAWN_AT);
    let listed = said.unwrap_or_default().trim_start_matches(':');
    let mut start = comment.end - listed.len();
    listed.split(',').filter_map(move |item| {
        let begin = start + item.len() - item.trim_start().len();
        start += item.len() + 1;
        let item = item.trim();
        let span = Span { start: begin, end: begin + item.len() };
        (!item.is_empty()).then_some((item, At { span, used: None }))
    })
}
