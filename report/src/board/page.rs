//! The whole drawing: the caption above, one board or one for each figure that moves, and below it what the signs mean.

use std::collections::BTreeSet;

use nerode_games::{Ground, Picture};

use super::geometry::{BELOW, Board, LEFT, Point};
use super::marks::{Marks, Ranking};
use super::panel::Panel;
use super::style::{FAINT, FONT, INK, PAPER, Style, badge, escaped};
use nerode_solver::outcome::Outcome;

/// Edge of a square and distance of points that lie on lines, on one board and on one of several.
const SQUARE: [f64; 2] = [84.0, 52.0];
const STEP: [f64; 2] = [66.0, 44.0];
/// Room above the boards for the caption, and around everything.
const TOP: f64 = 78.0;
const EDGE: f64 = 24.0;
/// Room above each of several boards for its title.
const TITLE: f64 = 34.0;
/// A line of the legend.
const LEGEND: f64 = 28.0;
const LEAST_WIDTH: f64 = 400.0;
/// Width of a letter of the legend.
const LETTER: f64 = 7.6;
/// Several boards stand beside each other up to this width.
const MOST_WIDTH: f64 = 1140.0;

pub(super) struct Page<'a> {
    panels: Vec<Panel<'a>>,
    lines: Vec<Line>,
    /// Where the legend begins.
    foot: f64,
    size: Point,
}

/// A line of the legend: a text, behind a value where it says something of one.
struct Line {
    value: Option<(Option<Outcome>, bool)>,
    text: String,
}

impl<'a> Page<'a> {
    pub(super) fn new(picture: &'a Picture, marks: &Marks) -> Self {
        let [large, small] = if matches!(picture.ground, Ground::Lines(_)) { STEP } else { SQUARE };
        let text = lines(picture, marks, false);
        let one = one_board(picture, marks, large, widest(&text));
        let several = marks.by_source().len() > 1 && one.0.iter().any(Panel::is_crowded);
        let (lines, (panels, (width, foot))) = match several {
            true => {
                let text = lines(picture, marks, true);
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

    /// The beginning of the drawing, its ground, and the caption.
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
            let x = match line.value {
                Some((outcome, best)) => {
                    parts.push(badge(outcome, best, (EDGE + 24.0, y)));
                    EDGE + 56.0
                }
                None => EDGE,
            };
            parts.push(format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"14\" fill=\"{INK}\">{}</text>\n",
                y + 5.0,
                escaped(&line.text)
            ));
        }
        parts.concat()
    }
}

/// Boards, the width of the page, and where they end.
type Boards<'a> = (Vec<Panel<'a>>, (f64, f64));

/// One board with all moves, in the middle of the page.
fn one_board<'a>(picture: &'a Picture, marks: &Marks, cell: f64, least: f64) -> Boards<'a> {
    let size = Board::size_of(picture, cell);
    let width = (LEFT + size.0 + EDGE).max(least);
    let left = LEFT + ((width - LEFT - EDGE - size.0) / 2.0 - LEFT / 4.0).max(0.0);
    let panel = Panel::whole(picture, cell, (left, TOP), &marks.on_board);
    (vec![panel], (width, TOP + size.1 + BELOW))
}

/// A board for each figure that moves, the one with the best move first.
fn boards<'a>(picture: &'a Picture, marks: &Marks, cell: f64, least: f64) -> Boards<'a> {
    let size = Board::size_of(picture, cell);
    let (width, height) = (LEFT + size.0 + EDGE, TITLE + size.1 + BELOW);
    let groups = marks.by_source();
    let fitting = (1..=groups.len()).take_while(|&n| n as f64 * width <= MOST_WIDTH).count().max(1);
    // As many in each row, and the last one fuller.
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

/// What else belongs to the position, moves without a place, and what the signs mean.
fn lines(picture: &Picture, marks: &Marks, several: bool) -> Vec<Line> {
    let plain = |text: &str| Line { value: None, text: text.to_string() };
    let mut lines: Vec<Line> = picture.note.iter().map(|note| plain(note)).collect();
    let others = marks.others.iter();
    lines.extend(
        others.map(|(name, outcome, best)| Line { value: Some((*outcome, *best)), text: name.clone() }),
    );
    lines.extend(kinds(marks).into_iter().map(|outcome| {
        let depth = if outcome.and_then(Outcome::depth).is_some() { ", in so many plies" } else { "" };
        Line { value: Some((outcome, false)), text: format!("{}{depth}", Style::of(outcome).meaning) }
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
        lines.push(plain("A board for each figure that can move; a ring marks the figure."));
    }
    lines
}

/// Width that the legend needs.
fn widest(lines: &[Line]) -> f64 {
    let letters =
        lines.iter().map(|line| line.text.chars().count() + if line.value.is_some() { 5 } else { 0 });
    (2.0 * EDGE + LETTER * letters.max().unwrap_or(0) as f64).max(LEAST_WIDTH)
}

/// A value of each kind that comes up, to explain it.
fn kinds(marks: &Marks) -> Vec<Option<Outcome>> {
    let mut seen = BTreeSet::new();
    marks.outcomes().filter(|&outcome| seen.insert(Style::of(outcome))).collect()
}
