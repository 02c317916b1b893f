//! The placement of the values of moves and of the arrows that lead to them, and a check that they are legible.

use nerode_games::{Ground, Picture};

use super::geometry::{Board, Point, line};
use super::marks::Mark;
use super::style::{Style, badge_size};

/// The length of an arrowhead.
const HEAD: f64 = 9.0;
/// Half the width of an arrowhead.
const HALF: f64 = 5.0;
/// The free space around a value.
const GAP: f64 = 2.0;

/// A value on the board: its centre and its size.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) at: Point,
    size: Point,
}

impl Spot {
    fn overlaps(&self, other: &Self) -> bool {
        let apart = |a: f64, b: f64, sizes: f64| (a - b).abs() >= sizes / 2.0 + GAP / 2.0;
        !apart(self.at.0, other.at.0, self.size.0 + other.size.0)
            && !apart(self.at.1, other.at.1, self.size.1 + other.size.1)
    }

    /// Returns `true` if the line from `from` to `to` crosses the value.
    fn is_crossed(&self, from: Point, to: Point) -> bool {
        // The part of the line, from 0 to 1, that lies between both pairs of parallel edges.
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (from, to, at, size) in
            [(from.0, to.0, self.at.0, self.size.0), (from.1, to.1, self.at.1, self.size.1)]
        {
            let along = to - from;
            let ends = [at - size / 2.0, at + size / 2.0].map(|edge| edge - from);
            if along.abs() < 0.01 {
                if ends[0] > 0.0 || ends[1] < 0.0 {
                    return false;
                }
                continue;
            }
            let [a, b] = ends.map(|end| end / along);
            first = first.max(a.min(b));
            last = last.min(a.max(b));
        }
        first < last
    }
}

/// Places the values of `marks`, each on the destination of its move: in the middle of an empty place that no other
/// move needs, and otherwise on the side from which the move enters. Values do not overlap if this can be avoided.
pub(super) fn spots(board: &Board, picture: &Picture, marks: &[Mark]) -> Vec<Spot> {
    let mut order: Vec<usize> = (0..marks.len()).collect();
    // Straight moves can give way to others, so they are placed last.
    order.sort_by_key(|&at| is_straight(board, &marks[at]));
    let mut spots: Vec<Option<Spot>> = vec![None; marks.len()];
    for at in order {
        let mark = &marks[at];
        let alone = marks.iter().filter(|other| other.to == mark.to).count() == 1;
        let size = badge_size(&Style::label(mark.outcome));
        let centre = board.centre(mark.to);
        let mut candidates = candidates(board, picture, mark, alone, size.0).into_iter().map(|(dx, dy)| {
            let at = (centre.0 + dx * board.cell, centre.1 + dy * board.cell);
            Spot { at, size }
        });
        let first = candidates.next().unwrap_or(Spot { at: centre, size });
        let is_free = |spot: &Spot| !spots.iter().flatten().any(|other| other.overlaps(spot));
        let found = std::iter::once(first).chain(candidates).find(is_free);
        spots[at] = Some(found.unwrap_or(first));
    }
    spots.into_iter().flatten().collect()
}

/// Places the values of the moves of one figure, which have no arrows: in the middle of their places, or below a figure
/// that stands there.
pub(super) fn plain_spots(board: &Board, picture: &Picture, marks: &[Mark]) -> Vec<Spot> {
    let spot = |mark: &Mark| {
        let below = if picture.places[mark.to].figure.is_some() { 0.32 } else { 0.0 };
        let (x, y) = board.centre(mark.to);
        Spot { at: (x, y + below * board.cell), size: badge_size(&Style::label(mark.outcome)) }
    };
    marks.iter().map(spot).collect()
}

/// Returns the possible locations of a value on its place, in cells from the middle, the best first.
fn candidates(board: &Board, picture: &Picture, mark: &Mark, alone: bool, width: f64) -> Vec<Point> {
    let is_empty = picture.places[mark.to].figure.is_none();
    let Some((dx, dy)) = way(board, mark) else { return vec![(0.0, 0.0)] };
    let far = dx.abs().max(dy.abs()).max(1.0);
    let (dx, dy) = (-dx / far, -dy / far);
    let straight = is_straight(board, mark);
    let mut found = Vec::new();
    if is_empty && (alone || straight) {
        found.push((0.0, 0.0));
    }
    if matches!(picture.ground, Ground::Lines(_)) {
        found.push((dx * if straight { 0.34 } else { 0.27 }, dy * 0.34));
    } else if straight {
        if is_empty {
            found.push((-0.26 * dx, -0.26 * dy));
        }
        found.extend([(0.28 * dx, 0.34 * dy), (0.28 * dx + 0.28 * dy, 0.34 * dy + 0.28 * dx)]);
    } else {
        // These are far enough from the middle that the heads of arrows that cross at the corner are clearly beyond it.
        let aside = dx.signum() * (width / 2.0 + 4.0).max(0.25 * board.cell) / board.cell;
        found.extend([0.02, 0.36, -0.3].map(|down| (aside, down * dy.signum())));
    }
    found
}

/// Returns the vector from the origin of a move to its destination, or `None` if a figure is put on the board.
fn way(board: &Board, mark: &Mark) -> Option<Point> {
    let (from, to) = (board.centre(mark.from?), board.centre(mark.to));
    Some((to.0 - from.0, to.1 - from.1))
}

fn is_straight(board: &Board, mark: &Mark) -> bool {
    way(board, mark).is_none_or(|(dx, dy)| dx.abs() < 0.01 || dy.abs() < 0.01)
}

/// Returns `true` if too many values overlap or are crossed by arrows of other moves. Moves of one figure along one
/// line do not count.
pub(super) fn is_crowded(board: &Board, marks: &[Mark], spots: &[Spot]) -> bool {
    let mut harm = 0;
    for (i, (mark, spot)) in marks.iter().zip(spots).enumerate() {
        harm += 4 * spots[..i].iter().filter(|other| other.overlaps(spot)).count();
        let Some(from) = mark.from else { continue };
        let ends = Arrow::new(board, board.centre(from), spot).ends();
        let is_hit = |(other, at): &(&Mark, &Spot)| {
            !std::ptr::eq(*other, mark)
                && at.is_crossed(ends.0, ends.1)
                && !are_on_one_line(board, mark, other)
        };
        harm += marks.iter().zip(spots).filter(is_hit).count();
    }
    harm > marks.len() / 4
}

fn are_on_one_line(board: &Board, a: &Mark, b: &Mark) -> bool {
    let (Some((ax, ay)), Some((bx, by))) = (way(board, a), way(board, b)) else { return false };
    a.from == b.from && (ax * by - ay * bx).abs() < 1.0 && ax * bx + ay * by > 0.0
}

/// The arrow of a move, which ends at its value.
pub(super) struct Arrow {
    from: Point,
    /// The direction, as a unit vector.
    along: Point,
    begin: f64,
    end: f64,
}

impl Arrow {
    pub(super) fn new(board: &Board, from: Point, to: &Spot) -> Self {
        let (dx, dy) = (to.at.0 - from.0, to.at.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let (width, height) = to.size;
        let gap = (width / 2.0 / ux.abs().max(0.01)).min(height / 2.0 / uy.abs().max(0.01)) + GAP;
        let begin = 0.36 * board.cell;
        let end = (length - gap).max(begin + 6.0);
        Self { from, along: (ux, uy), begin: begin.min(end - HEAD), end }
    }

    fn on(&self, far: f64, aside: f64) -> Point {
        let (ux, uy) = self.along;
        (self.from.0 + ux * far - uy * aside, self.from.1 + uy * far + ux * aside)
    }

    /// Returns the start and the tip of the arrow.
    pub(super) fn ends(&self) -> (Point, Point) {
        (self.on(self.begin, 0.0), self.on(self.end, 0.0))
    }

    pub(super) fn draw(&self, style: &Style, best: bool) -> String {
        let (begin, tip) = self.ends();
        let (left, right) = (self.on(self.end - HEAD, HALF), self.on(self.end - HEAD, -HALF));
        let stroke = if best { 4.0 } else { 2.2 };
        line(begin, self.on(self.end - HEAD + 2.0, 0.0), style.line, stroke, style.dashes)
            + &format!(
                "<path d=\"M{:.1},{:.1}L{:.1},{:.1}L{:.1},{:.1}Z\" fill=\"{}\"/>\n",
                tip.0, tip.1, left.0, left.1, right.0, right.1, style.line
            )
    }
}
