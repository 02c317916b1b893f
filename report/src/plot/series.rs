//! Series of points and their looks, which differ in colour, in the shape of markers, and in dashes. Markers and dashes suffice to
//! distinguish them in print.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// The look of a series, which distinguishes the series of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Look {
    /// A line with filled markers.
    #[default]
    Solid,
    /// A dashed line with hollow markers.
    Dashed,
    /// A filled marker at every point, without a line.
    Points,
    /// A thin line without markers.
    Trend,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The group. Series of one group share colour and marker.
    pub group: usize,
    /// The look.
    pub look: Look,
    /// The points (x, number). Numbers that are not positive cannot be shown on a logarithmic axis and are omitted.
    pub points: Vec<(f64, f64)>,
}

/// Colours that most people can distinguish on light and dark backgrounds (from the palette of Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];

/// Half the width of a marker.
const MARKER: i32 = 4;

/// The approximate largest number of markers of a line.
const MOST_MARKERS: usize = 8;

/// A point on the picture.
pub(super) type Pixel = (i32, i32);

/// The result of drawing on `B`.
pub(super) type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Draws a line through `points`, if the series has one.
pub(super) fn draw_line<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    points: &[Pixel],
    series: &Series,
) -> Drawn<B> {
    let style = colour(series).stroke_width(2);
    match series.look {
        Look::Points => Ok(()),
        Look::Solid => area.draw(&PathElement::new(points, style)),
        // Dashes would start at whole pixels, so that a slanting line would tremble.
        Look::Trend => area.draw(&PathElement::new(points, colour(series).stroke_width(1))),
        Look::Dashed => area.draw(&DashedPathElement::new(points.iter().copied(), 7, 5, style)),
    }
}

/// Draws markers at the points, or at some of them if they lie on a line. If lines coincide, `turn` separates their markers.
pub(super) fn draw_markers<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    points: &[Pixel],
    series: &Series,
    turn: usize,
) -> Drawn<B> {
    let step = match series.look {
        Look::Solid | Look::Dashed => points.len().div_ceil(MOST_MARKERS).max(1),
        Look::Points => 1,
        Look::Trend => return Ok(()),
    };
    points.iter().skip(turn % step).step_by(step).try_for_each(|point| draw_marker(area, *point, series))
}

fn colour(series: &Series) -> RGBColor {
    COLOURS[series.group % COLOURS.len()]
}

/// Draws a circle, square, triangle or diamond, which is hollow for dashed lines and filled otherwise.
fn draw_marker<B: DrawingBackend>(area: &DrawingArea<B, Shift>, (x, y): Pixel, series: &Series) -> Drawn<B> {
    let corners: Vec<Pixel> = match series.group % 4 {
        0 => Vec::new(),
        1 => [(-1, -1), (1, -1), (1, 1), (-1, 1)]
            .map(|(i, j)| (x + i * (MARKER - 1), y + j * (MARKER - 1)))
            .into(),
        2 => [(0, -1), (1, 1), (-1, 1)].map(|(i, j)| (x + i * MARKER, y + j * MARKER)).into(),
        _ => [(0, -1), (1, 0), (0, 1), (-1, 0)]
            .map(|(i, j)| (x + i * (MARKER + 1), y + j * (MARKER + 1)))
            .into(),
    };
    let inside = if series.look == Look::Dashed { WHITE.filled() } else { colour(series).filled() };
    let outline = colour(series).stroke_width(2);
    if corners.is_empty() {
        area.draw(&Circle::new((x, y), MARKER, inside))?;
        return area.draw(&Circle::new((x, y), MARKER, outline));
    }
    area.draw(&Polygon::new(corners.clone(), inside))?;
    let closed: Vec<Pixel> = corners.iter().chain(corners.first()).copied().collect();
    area.draw(&PathElement::new(closed, outline))
}
