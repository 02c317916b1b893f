//! One board on the page: the locations of its places, its squares or lines, and the names of files and ranks.

use nerode_games::{Ground, Picture};

use super::style::{FAINT, LINES, PAPER, SQUARES, escaped};

/// The space to the left of a board for ranks, and below it for files.
pub(super) const LEFT: f64 = 46.0;
pub(super) const BELOW: f64 = 34.0;

/// The least and the largest size of the names of files and ranks, and the part of the longer edge of the board that it is: on a
/// large board, which is shown at a smaller scale, names are larger.
const NAMES: [f64; 2] = [14.0, 20.0];
const NAME_PART: f64 = 1.0 / 26.0;

/// A point, given by the distances from the left and from the top.
pub(super) type Point = (f64, f64);

/// Returns the distances between adjacent files and between adjacent ranks, in cells. The closest points on lines are
/// one cell apart.
fn step(picture: &Picture) -> Point {
    match picture.ground {
        Ground::Hexagons => (0.5, 0.75_f64.sqrt()),
        Ground::Squares { .. } => (1.0, 1.0),
        Ground::Lines(_) => {
            let step = 1.0 / least_distance(picture);
            (step, step)
        }
    }
}

/// Returns the width of the last file and the height of the last rank, in cells.
fn last(picture: &Picture) -> Point {
    match picture.ground {
        Ground::Hexagons => step(picture),
        _ => (1.0, 1.0),
    }
}

/// Returns the distance between the closest two places, in files and ranks.
fn least_distance(picture: &Picture) -> f64 {
    let at: Vec<(usize, usize)> = picture.places.iter().map(|place| place.at).collect();
    let distance = |a: (usize, usize), b: (usize, usize)| {
        (a.0.abs_diff(b.0) as f64).hypot(a.1.abs_diff(b.1) as f64).max(1.0)
    };
    let pairs = at.iter().enumerate().flat_map(|(n, &a)| at[..n].iter().map(move |&b| distance(a, b)));
    pairs.min_by(f64::total_cmp).unwrap_or(1.0)
}

/// A board with the location of its upper left corner on the page.
pub(super) struct Board {
    pub(super) cell: f64,
    corner: Point,
    size: Point,
    /// The centres of the places.
    centres: Vec<Point>,
}

impl Board {
    /// Creates the board of `picture` with cells of the given size.
    pub(super) fn new(picture: &Picture, cell: f64, corner: Point) -> Self {
        let size = Self::size_of(picture, cell);
        let step = step(picture);
        let below = last(picture).1 / 2.0;
        let centre = |(file, rank): (usize, usize)| {
            let (right, up) = (step.0 * file as f64 + 0.5, step.1 * rank as f64 + below);
            (corner.0 + cell * right, corner.1 + size.1 - cell * up)
        };
        Self { cell, corner, size, centres: picture.places.iter().map(|place| centre(place.at)).collect() }
    }

    /// Returns width and height without the names of files and ranks.
    pub(super) fn size_of(picture: &Picture, cell: f64) -> Point {
        let step = step(picture);
        let last = last(picture);
        let length =
            |step: f64, names: &[String], last: f64| step * names.len().saturating_sub(1) as f64 + last;
        (cell * length(step.0, &picture.files, last.0), cell * length(step.1, &picture.ranks, last.1))
    }

    pub(super) fn centre(&self, place: usize) -> Point {
        self.centres[place]
    }

    /// Returns the upper left corner.
    pub(super) fn corner(&self) -> Point {
        self.corner
    }

    /// Draws squares or lines, and the names of files and ranks.
    pub(super) fn ground(&self, picture: &Picture) -> String {
        let ground = match &picture.ground {
            Ground::Squares { chequered } => self.squares(picture, *chequered),
            Ground::Lines(lines) => self.lines(lines),
            Ground::Hexagons => self.hexagons(),
        };
        ground + &self.names(picture) + &self.names_of_points(picture)
    }

    /// Draws the names of points that are not named by file and rank.
    fn names_of_points(&self, picture: &Picture) -> String {
        if !matches!(picture.ground, Ground::Lines(_)) {
            return String::new();
        }
        let (right, down) = (0.33 * self.cell, 0.46 * self.cell);
        let name = |(name, &(x, y)): (&String, &Point)| {
            format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"12\" fill=\"{FAINT}\" stroke=\"{PAPER}\" stroke-width=\"3\" \
                 paint-order=\"stroke\">{}</text>\n",
                x + right,
                y + down,
                escaped(name)
            )
        };
        picture.names.iter().zip(&self.centres).map(name).collect()
    }

    fn squares(&self, picture: &Picture, chequered: bool) -> String {
        let half = self.cell / 2.0;
        let square = |(place, &(x, y)): (&nerode_games::Place, &Point)| {
            let dark = chequered && (place.at.0 + place.at.1).is_multiple_of(2);
            format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{2:.1}\" height=\"{2:.1}\" fill=\"{3}\" stroke=\"{LINES}\"/>\n",
                x - half,
                y - half,
                self.cell,
                SQUARES[usize::from(dark)]
            )
        };
        picture.places.iter().zip(&self.centres).map(square).collect()
    }

    fn lines(&self, lines: &[(usize, usize)]) -> String {
        let strokes = lines.iter().map(|&(a, b)| line(self.centres[a], self.centres[b], LINES, 3.0, "none"));
        let dot =
            |&(x, y): &Point| format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"{LINES}\"/>\n");
        strokes.chain(self.centres.iter().map(dot)).collect()
    }

    fn hexagons(&self) -> String {
        let (right, up) = (self.cell / 2.0, self.cell / 12.0_f64.sqrt());
        let corners = [(0.0, -2.0), (1.0, -1.0), (1.0, 1.0), (0.0, 2.0), (-1.0, 1.0), (-1.0, -1.0)];
        let hexagon = |&(x, y): &Point| {
            let points = corners.map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * right, y + dy * up));
            format!("<polygon points=\"{}\" fill=\"{}\" stroke=\"{LINES}\"/>\n", points.join(" "), SQUARES[0])
        };
        self.centres.iter().map(hexagon).collect()
    }

    fn names(&self, picture: &Picture) -> String {
        let font = (self.size.0.max(self.size.1) * NAME_PART).clamp(NAMES[0], NAMES[1]);
        let label = |text: &str, (x, y): Point| {
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" font-size=\"{font:.0}\" fill=\"{FAINT}\">{}</text>\n",
                escaped(text)
            )
        };
        let (left, bottom) = (self.corner.0, self.corner.1 + self.size.1);
        let step = step(picture);
        let file = |at: usize| self.cell * (step.0 * at as f64 + 0.5);
        let below = last(picture).1 / 2.0;
        let rank = |at: usize| self.cell * (step.1 * at as f64 + below);
        let files = picture.files.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let ranks = picture.ranks.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let files = files.map(|(at, name)| label(name, (left + file(at), bottom + 8.0 + font)));
        let ranks = ranks.map(|(at, name)| label(name, (left - 18.0, bottom - rank(at) + 0.36 * font)));
        files.chain(ranks).collect()
    }
}

pub(super) fn line(from: Point, to: Point, colour: &str, width: f64, dashes: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" stroke-width=\"{width}\" \
         stroke-dasharray=\"{dashes}\" stroke-linecap=\"round\"/>\n",
        from.0, from.1, to.0, to.1
    )
}
