//! The styles of lines, which differ in colour, in the shape of their markers, and in dashes. Markers and dashes
//! suffice to distinguish them in print.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

/// One line of a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The group. Lines of one group share colour and marker.
    pub group: usize,
    /// Whether the line is dashed and its markers are hollow, which distinguishes two lines of a group.
    pub dashed: bool,
    /// The points (x, number). Zeros cannot be shown on a logarithmic axis and are omitted.
    pub points: Vec<(u32, u128)>,
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

/// The group for entries that represent lines of every group: grey, with the first marker.
pub(super) const NO_GROUP: usize = usize::MAX;

/// Half the width of a marker.
const MARKER: i32 = 4;

/// The approximate largest number of markers of a line.
const MOST_MARKERS: usize = 8;

/// A point on the picture.
pub(super) type Pixel = (i32, i32);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Draws a line through `points`.
pub(super) fn draw_line(area: &Area<'_>, points: &[Pixel], series: &Series) -> Drawn {
    let style = colour(series).stroke_width(2);
    if series.dashed {
        area.draw(&DashedPathElement::new(points.iter().copied(), 7, 5, style))
    } else {
        area.draw(&PathElement::new(points, style))
    }
}

/// Draws markers at some of the points. If lines coincide, `turn` separates their markers.
pub(super) fn draw_markers(area: &Area<'_>, points: &[Pixel], series: &Series, turn: usize) -> Drawn {
    let step = points.len().div_ceil(MOST_MARKERS).max(1);
    points.iter().skip(turn % step).step_by(step).try_for_each(|point| draw_marker(area, *point, series))
}

fn colour(series: &Series) -> RGBColor {
    if series.group == NO_GROUP { RGBColor(128, 128, 128) } else { COLOURS[series.group % COLOURS.len()] }
}

/// Draws a circle, square, triangle or diamond, which is filled for solid lines and hollow for dashed ones.
fn draw_marker(area: &Area<'_>, (x, y): Pixel, series: &Series) -> Drawn {
    let shape = if series.group == NO_GROUP { 0 } else { series.group % 4 };
    let corners: Vec<Pixel> = match shape {
        0 => Vec::new(),
        1 => [(-1, -1), (1, -1), (1, 1), (-1, 1)]
            .map(|(i, j)| (x + i * (MARKER - 1), y + j * (MARKER - 1)))
            .into(),
        2 => [(0, -1), (1, 1), (-1, 1)].map(|(i, j)| (x + i * MARKER, y + j * MARKER)).into(),
        _ => [(0, -1), (1, 0), (0, 1), (-1, 0)]
            .map(|(i, j)| (x + i * (MARKER + 1), y + j * (MARKER + 1)))
            .into(),
    };
    let inside = if series.dashed { WHITE.filled() } else { colour(series).filled() };
    let outline = colour(series).stroke_width(2);
    if corners.is_empty() {
        area.draw(&Circle::new((x, y), MARKER, inside))?;
        return area.draw(&Circle::new((x, y), MARKER, outline));
    }
    area.draw(&Polygon::new(corners.clone(), inside))?;
    let closed: Vec<Pixel> = corners.iter().chain(corners.first()).copied().collect();
    area.draw(&PathElement::new(closed, outline))
}
