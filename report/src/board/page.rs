//! The layout of the drawing: the caption at the top, one board or one board for each moving figure, and the legend at
//! the bottom.

use std::collections::BTreeSet;

use nerode_games::{Figure, Ground, Picture, Side};

use super::figures::figure;
use super::geometry::{BELOW, Board, LEFT, Point};
use super::marks::{Marks, Ranking};
use super::panel::Panel;
use super::style::{FAINT, FONT, INK, PAPER, Style, badge, escaped};
use nerode_solver::outcome::Outcome;

/// The edge of a square, and the distance of points on lines, for a single board and for one of several.
const SQUARE: [f64; 2] = [84.0, 52.0];
const STEP: [f64; 2] = [66.0, 44.0];
/// The space above the boards for the caption, and the margin around the drawing.
const TOP: f64 = 78.0;
const EDGE: f64 = 24.0;
/// The space above each of several boards for its title.
const TITLE: f64 = 34.0;
/// The height of a line of the legend.
const LEGEND: f64 = 28.0;
const LEAST_WIDTH: f64 = 400.0;
/// The width of a letter of the legend.
const LETTER: f64 = 7.6;
/// The width up to which several boards are placed side by side.
const MOST_WIDTH: f64 = 1140.0;

pub(super) struct Page<'a> {
    panels: Vec<Panel<'a>>,
    lines: Vec<Line>,
    /// The top of the legend.
    foot: f64,
    size: Point,
}

/// A line of the legend: a text, preceded by the sign that it explains, if it explains one.
struct Line {
    sign: Option<Sign>,
    text: String,
}

/// A sign that the legend explains.
enum Sign {
    /// A value, and whether it is that of a best move.
    Value(Option<Outcome>, bool),
    /// A figure of a side.
    Figure(Figure),
}

impl<'a> Page<'a> {
    /// Lays out a picture with its marks. `sides` are the names of the sides.
    pub(super) fn new(picture: &'a Picture, marks: &Marks, sides: &[String; 2]) -> Self {
        let [large, small] = if matches!(picture.ground, Ground::Lines(_)) { STEP } else { SQUARE };
        let text = lines(picture, marks, sides, false);
        let one = one_board(picture, marks, large, widest(&text));
        let several = marks.by_source().len() > 1 && one.0.iter().any(Panel::is_crowded);
        let (lines, (panels, (width, foot))) = match several {
            true => {
                let text = lines(picture, marks, sides, true);
                let least = widest(&text);
                (text, boards(picture, marks, small, least))
            }
            false => (text, one),
        };
        let size = (width, foot + LEGEND * lines.len() as f64 + EDGE);
        Self { panels, lines, foot, size }
    }

    pub(super) fn draw(&self, game: &str, caption: &str) -> String {
        let boards: String = self.panels.iter().map(Panel::draw).collect();
        self.head(game, caption) + &boards + &self.legend() + "</svg>"
    }

    /// Returns the beginning of the drawing, its background and the caption.
    fn head(&self, game: &str, caption: &str) -> String {
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

    fn legend(&self) -> String {
        let mut parts = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let y = self.foot + LEGEND * (at as f64 + 0.5);
            let x = if line.sign.is_some() { EDGE + 56.0 } else { EDGE };
            parts.extend(line.sign.as_ref().map(|sign| match *sign {
                Sign::Value(outcome, best) => badge(outcome, best, (EDGE + 24.0, y)),
                Sign::Figure(shown) => figure(shown, (EDGE + 24.0, y), LEGEND),
            }));
            parts.push(format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"14\" fill=\"{INK}\">{}</text>\n",
                y + 5.0,
                escaped(&line.text)
            ));
        }
        parts.concat()
    }
}

/// The boards, and the width of the page and their lower end.
type Boards<'a> = (Vec<Panel<'a>>, (f64, f64));

/// Places a single board with all moves in the middle of the page.
fn one_board<'a>(picture: &'a Picture, marks: &Marks, cell: f64, least: f64) -> Boards<'a> {
    let size = Board::size_of(picture, cell);
    let width = (LEFT + size.0 + EDGE).max(least);
    let left = LEFT + ((width - LEFT - EDGE - size.0) / 2.0 - LEFT / 4.0).max(0.0);
    let panel = Panel::whole(picture, cell, (left, TOP), &marks.on_board);
    (vec![panel], (width, TOP + size.1 + BELOW))
}

/// Places one board for each moving figure, starting with the one that has the best move.
fn boards<'a>(picture: &'a Picture, marks: &Marks, cell: f64, least: f64) -> Boards<'a> {
    let size = Board::size_of(picture, cell);
    let (width, height) = (LEFT + size.0 + EDGE, TITLE + size.1 + BELOW);
    let groups = marks.by_source();
    let fitting = (1..=groups.len()).take_while(|&n| n as f64 * width <= MOST_WIDTH).count().max(1);
    // Balances the numbers of boards per row, so that the last row is not nearly empty.
    let rows = groups.len().div_ceil(fitting);
    let columns = groups.len().div_ceil(rows);
    let panel = |(at, (source, marks)): (usize, &(Option<usize>, Vec<_>))| {
        let (column, row) = ((at % columns) as f64, (at / columns) as f64);
        let corner = (LEFT + width * column, TOP + TITLE + height * row);
        Panel::of_source(picture, cell, corner, marks, *source)
    };
    let panels = groups.iter().enumerate().map(panel).collect();
    (panels, ((width * columns as f64).max(least), TOP + height * rows as f64))
}

/// Returns the lines of the legend: the figures of the sides, further parts of the position, moves without a place, and the
/// meaning of the signs.
fn lines(picture: &Picture, marks: &Marks, sides: &[String; 2], several: bool) -> Vec<Line> {
    let plain = |text: &str| Line { sign: None, text: text.to_string() };
    let of_side = |(side, name): (Side, &String)| {
        let mut figures = picture.places.iter().filter_map(|place| place.figure);
        let figure = figures.find(|figure| figure.owner == Some(side))?;
        Some(Line { sign: Some(Sign::Figure(figure)), text: name.clone() })
    };
    let mut lines: Vec<Line> = Side::BOTH.into_iter().zip(sides).filter_map(of_side).collect();
    lines.extend(picture.note.iter().map(|note| plain(note)));
    let others = marks.others.iter();
    lines.extend(
        others.map(|(name, outcome, best)| Line {
            sign: Some(Sign::Value(*outcome, *best)),
            text: name.clone(),
        }),
    );
    lines.extend(kinds(marks).into_iter().map(|outcome| {
        let depth =
            if outcome.and_then(Outcome::depth).is_some() { ", with the number of plies" } else { "" };
        Line {
            sign: Some(Sign::Value(outcome, false)),
            text: format!("{}{depth}", Style::of(outcome).meaning),
        }
    }));
    lines.extend(match marks.ranking() {
        Ranking::SomeAreBetter => Some(plain("Bold: no move is better.")),
        Ranking::AllAreEqual => Some(plain("All moves are equal.")),
        Ranking::OneOrNone => None,
    });
    if marks.hides_some {
        lines.push(plain("Of several moves between the same places, the best is shown."));
    }
    if several {
        lines.push(plain("One board for each piece that can move; a ring marks the piece."));
    }
    lines
}

/// Returns the width of the legend.
fn widest(lines: &[Line]) -> f64 {
    let letters =
        lines.iter().map(|line| line.text.chars().count() + if line.sign.is_some() { 5 } else { 0 });
    (2.0 * EDGE + LETTER * letters.max().unwrap_or(0) as f64).max(LEAST_WIDTH)
}

/// Returns one value of each kind that occurs, for the legend.
fn kinds(marks: &Marks) -> Vec<Option<Outcome>> {
    let mut seen = BTreeSet::new();
    marks.outcomes().filter(|&outcome| seen.insert(Style::of(outcome))).collect()
}
