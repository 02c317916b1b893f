//! Where everything lies: the board in the middle, its labels beside it, the caption above, the legend below.

use std::collections::BTreeSet;

use nerode_games::{Ground, Picture};

use super::marks::{Mark, Marks};
use super::style::{FAINT, FONT, INK, LINES, PAPER, SQUARES, Style, badge, badge_size, escaped};
use crate::outcome::Outcome;

/// Edge of a square; distance of points that lie on lines.
const SQUARE: f64 = 84.0;
const STEP: f64 = 66.0;
/// Room at the left for ranks, above for the caption, below for files, and around everything.
const LEFT: f64 = 46.0;
const TOP: f64 = 78.0;
const BELOW: f64 = 34.0;
const EDGE: f64 = 24.0;
/// A line of the legend.
const LEGEND: f64 = 28.0;
const LEAST_WIDTH: f64 = 400.0;

type Point = (f64, f64);

pub(super) struct Layout {
    cell: f64,
    ranks: usize,
    /// Middles of the places.
    centres: Vec<Point>,
    board: Point,
    size: Point,
    /// The left edge of the board.
    left: f64,
}

impl Layout {
    pub(super) fn new(picture: &Picture, marks: &Marks) -> Self {
        let cell = if matches!(picture.ground, Ground::Lines(_)) { STEP } else { SQUARE };
        let (files, ranks) = (picture.files.len(), picture.ranks.len());
        let board = (cell * files as f64, cell * ranks as f64);
        let width = (LEFT + board.0 + EDGE).max(LEAST_WIDTH);
        let left = LEFT + ((width - LEFT - EDGE - board.0) / 2.0 - LEFT / 4.0).max(0.0);
        let lines = lines_below(picture, marks);
        let size = (width, TOP + board.1 + BELOW + LEGEND * lines as f64 + EDGE);
        let centre = |(file, rank): (usize, usize)| {
            (left + cell * (file as f64 + 0.5), TOP + cell * (ranks as f64 - rank as f64 - 0.5))
        };
        let centres = picture.places.iter().map(|place| centre(place.at)).collect();
        Self { cell, ranks, centres, board, size, left }
    }

    pub(super) fn cell(&self) -> f64 {
        self.cell
    }

    pub(super) fn centre(&self, place: usize) -> Point {
        self.centres[place]
    }

    /// The beginning of the drawing, its ground, and the caption.
    pub(super) fn head(&self, game: &str, caption: &str) -> String {
        let (width, height) = self.size;
        let (game, caption) = (escaped(game), escaped(caption));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" {FONT}>\n<title>{game}. {caption}</title>\n\
             <rect width=\"100%\" height=\"100%\" rx=\"14\" fill=\"{PAPER}\"/>\n\
             <text x=\"{EDGE}\" y=\"34\" font-size=\"19\" font-weight=\"650\" fill=\"{INK}\">{game}</text>\n\
             <text x=\"{EDGE}\" y=\"58\" font-size=\"15\" fill=\"{FAINT}\">{caption}</text>\n"
        )
    }

    /// Squares or lines, and the names of files and ranks.
    pub(super) fn ground(&self, picture: &Picture) -> String {
        let mut parts = Vec::new();
        match &picture.ground {
            Ground::Squares { chequered } => {
                for (place, &(x, y)) in picture.places.iter().zip(&self.centres) {
                    let dark = *chequered && (place.at.0 + place.at.1).is_multiple_of(2);
                    let half = self.cell / 2.0;
                    parts.push(format!(
                        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{2:.1}\" height=\"{2:.1}\" fill=\"{3}\" stroke=\"{LINES}\"/>\n",
                        x - half,
                        y - half,
                        self.cell,
                        SQUARES[usize::from(dark)]
                    ));
                }
            }
            Ground::Lines(lines) => {
                for &(a, b) in lines {
                    parts.push(line(self.centres[a], self.centres[b], LINES, 3.0, "none"));
                }
                let dot = |&(x, y): &Point| {
                    format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"{LINES}\"/>\n")
                };
                parts.extend(self.centres.iter().map(dot));
            }
        }
        let label = |text: &str, (x, y): Point| {
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-size=\"14\" fill=\"{FAINT}\">{}</text>\n",
                escaped(text)
            )
        };
        for (file, name) in picture.files.iter().enumerate() {
            parts.push(label(name, (self.left + self.cell * (file as f64 + 0.5), TOP + self.board.1 + 22.0)));
        }
        for (rank, name) in picture.ranks.iter().enumerate() {
            let y = TOP + self.cell * (self.ranks as f64 - rank as f64 - 0.5) + 5.0;
            parts.push(label(name, (self.left - 18.0, y)));
        }
        parts.concat()
    }

    /// Arrows first, then values, so that no arrow hides a value.
    pub(super) fn moves(&self, picture: &Picture, marks: &Marks) -> String {
        let places: Vec<Point> =
            marks.on_board.iter().map(|mark| self.place_of(picture, marks, mark)).collect();
        let arrows = marks.on_board.iter().zip(&places).map(|(mark, &at)| self.arrow(mark, at));
        let badges = marks.on_board.iter().zip(&places).map(|(mark, &at)| badge(mark.outcome, mark.best, at));
        arrows.chain(badges).collect()
    }

    /// Where the value of a move stands. In the middle of an empty place, for the only move that enters it or the only straight
    /// one; else to the side from which the move enters.
    fn place_of(&self, picture: &Picture, marks: &Marks, mark: &Mark) -> Point {
        let to = self.centres[mark.to];
        let Some(from) = mark.from.map(|from| self.centres[from]) else { return to };
        let is_straight = |mark: &&Mark| {
            let from = mark.from.map_or(to, |from| self.centres[from]);
            from.0 == to.0 || from.1 == to.1
        };
        let others = || marks.on_board.iter().filter(|other| other.to == mark.to);
        let first = others().count() == 1 || is_straight(&mark) && others().filter(is_straight).count() == 1;
        if first && picture.places[mark.to].figure.is_none() {
            return to;
        }
        let (dx, dy) = (from.0 - to.0, from.1 - to.1);
        let far = dx.abs().max(dy.abs()).max(1.0);
        // Values of diagonal moves into neighbouring squares do not touch.
        let aside = if is_straight(&mark) { 0.34 } else { 0.27 };
        (to.0 + dx / far * aside * self.cell, to.1 + dy / far * 0.34 * self.cell)
    }

    fn arrow(&self, mark: &Mark, at: Point) -> String {
        let Some(from) = mark.from.map(|from| self.centres[from]) else { return String::new() };
        let style = Style::of(mark.outcome);
        let (dx, dy) = (at.0 - from.0, at.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let (width, height) = badge_size(&Style::label(mark.outcome));
        // Up to the badge: a box.
        let gap = (width / 2.0 / ux.abs().max(0.01)).min(height / 2.0 / uy.abs().max(0.01)) + 2.0;
        let begin = 0.36 * self.cell;
        let end = (length - gap).max(begin + 6.0);
        let on = |far: f64, aside: f64| (from.0 + ux * far - uy * aside, from.1 + uy * far + ux * aside);
        let stroke = if mark.best { 4.0 } else { 2.2 };
        let (tip, left, right) = (on(end, 0.0), on(end - 9.0, 5.5), on(end - 9.0, -5.5));
        line(on(begin.min(end - 9.0), 0.0), on(end - 7.0, 0.0), style.line, stroke, style.dashes)
            + &format!(
                "<path d=\"M{:.1},{:.1}L{:.1},{:.1}L{:.1},{:.1}Z\" fill=\"{}\"/>\n",
                tip.0, tip.1, left.0, left.1, right.0, right.1, style.line
            )
    }

    /// What else belongs to the position, moves without a place, and what the letters mean.
    pub(super) fn foot(&self, picture: &Picture, marks: &Marks) -> String {
        let mut y = TOP + self.board.1 + BELOW + LEGEND / 2.0;
        let mut parts = Vec::new();
        let text = |x: f64, y: f64, text: &str| {
            format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"14\" fill=\"{INK}\">{}</text>\n",
                y + 5.0,
                escaped(text)
            )
        };
        if let Some(note) = &picture.note {
            parts.push(text(EDGE, y, note));
            y += LEGEND;
        }
        for (name, outcome) in &marks.others {
            parts.push(badge(*outcome, false, (EDGE + 24.0, y)) + &text(EDGE + 56.0, y, name));
            y += LEGEND;
        }
        for outcome in legend(marks) {
            let meaning = Style::of(outcome).meaning;
            let depth = if outcome.and_then(Outcome::depth).is_some() { ", in so many plies" } else { "" };
            parts.push(badge(outcome, false, (EDGE + 24.0, y)));
            parts.push(text(EDGE + 56.0, y, &format!("{meaning}{depth}")));
            y += LEGEND;
        }
        if marks.some_are_better() {
            parts.push(text(EDGE, y, "Bold: no move is better."));
        }
        parts.concat()
    }
}

/// A value of each kind that comes up, to explain it.
fn legend(marks: &Marks) -> Vec<Option<Outcome>> {
    let mut seen = BTreeSet::new();
    marks.outcomes().filter(|&outcome| seen.insert(Style::of(outcome))).collect()
}

/// Lines of text below the board.
fn lines_below(picture: &Picture, marks: &Marks) -> usize {
    let lines = marks.others.len() + legend(marks).len();
    lines + usize::from(picture.note.is_some()) + usize::from(marks.some_are_better())
}

fn line(from: Point, to: Point, colour: &str, width: f64, dashes: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\" \
         stroke-dasharray=\"{dashes}\" stroke-linecap=\"round\"/>\n",
        from.0, from.1, to.0, to.1
    )
}
