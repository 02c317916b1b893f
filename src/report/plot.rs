//! Numbers by ply as a drawing: lines over a logarithmic axis, in an SVG file.
//!
//! Counts are exact everywhere else; here they become floats, because a drawing has no use for more. The text is left to
//! whoever shows the file, so that no font of this machine is looked up.

use std::ops::Range;
use std::path::Path;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;

use crate::archive::files::write_bytes_atomic;
use crate::error::{Error, Result};

const WIDTH: u32 = 960;
const HEIGHT: u32 = 560;

/// Colours that stay apart for most eyes and in print (Okabe and Ito's set without black and yellow).
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];

/// One line of the drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Points (ply, number). Zeros have no place on a logarithmic axis and are left out.
    pub points: Vec<(u32, u128)>,
}

/// Draws `series` over `x_label` to the SVG file `path`, whole or not at all.
///
/// *Cost*: linear in the points, all in memory.
///
/// # Errors
/// [`Error::Mismatch`] when there is no number above 0; [`Error::Io`].
pub fn plot_series(path: &Path, title: &str, x_label: &str, series: &[Series]) -> Result<()> {
    let svg = draw(title, x_label, series)?;
    write_bytes_atomic(path, svg.as_bytes())
}

/// The SVG text.
fn draw(title: &str, x_label: &str, series: &[Series]) -> Result<String> {
    let numbers = || series.iter().flat_map(|s| &s.points).filter(|point| point.1 > 0);
    let first = numbers().map(|point| point.0).min();
    let last = numbers().map(|point| point.0).max();
    let greatest = numbers().map(|point| point.1).max();
    let (Some(first), Some(last), Some(greatest)) = (first, last, greatest) else {
        return Err(Error::Mismatch {
            what: title.into(),
            found: "no number above 0".into(),
            expected: "one at least".into(),
        });
    };
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
        let plies = first..last.max(first.saturating_add(1));
        draw_on(&root, title, x_label, series, plies, Decades(greatest.ilog10() + 1))
            .and_then(|()| root.present())
            .map_err(|e| Error::Codec { what: "drawing", source: std::io::Error::other(e.to_string()) })?;
    }
    Ok(svg)
}

type Drawn<T> = std::result::Result<T, DrawingAreaErrorKind<std::io::Error>>;

/// Axes, lines and legend.
fn draw_on<'a>(
    root: &DrawingArea<SVGBackend<'a>, plotters::coord::Shift>,
    title: &str,
    x_label: &str,
    series: &[Series],
    plies: Range<u32>,
    decades: Decades,
) -> Drawn<()>
where
    SVGBackend<'a>: DrawingBackend<ErrorType = std::io::Error>,
{
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(root)
        .caption(title, ("sans-serif", 22))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(plies, decades)?;
    chart
        .configure_mesh()
        .x_desc(x_label)
        .x_labels(20)
        .x_label_formatter(&u32::to_string)
        .label_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (line, colour) in series.iter().zip(COLOURS.iter().cycle()) {
        let style = colour.stroke_width(2);
        let points = || line.points.iter().filter(|point| point.1 > 0).map(|&(x, y)| (x, logarithm(y)));
        chart
            .draw_series(LineSeries::new(points(), style))?
            .label(line.name.clone())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        chart.draw_series(points().map(|point| Circle::new(point, 3, colour.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()
}

/// Decimal logarithm of a number above 0.
fn logarithm(number: u128) -> f64 {
    // A drawing shows three digits; a float has fifteen.
    #[expect(clippy::cast_precision_loss)]
    let float = number as f64;
    float.log10()
}

/// A vertical axis of decimal logarithms from 0 up to a whole number of decades, with a label at powers of ten.
struct Decades(u32);

impl Ranged for Decades {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let pixels = f64::from(limit.1 - limit.0);
        #[expect(clippy::cast_possible_truncation)]
        let offset = (value / f64::from(self.0) * pixels).round() as i32;
        limit.0 + offset
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let most = u32::try_from(hint.max_num_points()).unwrap_or(u32::MAX).clamp(2, 16);
        let step = self.0.div_ceil(most - 1).max(1);
        (0..=self.0 / step).map(|i| f64::from(i * step)).collect()
    }

    fn range(&self) -> Range<f64> {
        0.0..f64::from(self.0)
    }
}

impl ValueFormatter<f64> for Decades {
    fn format_ext(&self, value: &f64) -> String {
        match *value {
            v if v < 4.0 => format!("{:.0}", 10_f64.powf(v)),
            v => format!("1e{v:.0}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(u32, u128)]) -> Series {
        Series { name: name.to_string(), points: points.to_vec() }
    }

    #[test]
    fn the_file_is_svg_with_title_labels_and_every_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("plies.svg");
        let lines = [
            series("positions", &[(0, 1), (1, 1000), (2, 3_u128.pow(80))]),
            series("states <&>", &[(0, 9), (2, 80)]),
        ];
        plot_series(&path, "breakthrough:4x5", "ply", &lines).unwrap();
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in ["breakthrough:4x5", "ply", "positions", "states &lt;&amp;&gt;", "1e36"] {
            assert!(svg.contains(text), "{text} is not in the drawing");
        }
        assert_eq!(svg.matches("<circle").count(), 5);
        assert!(svg.matches("<polyline").count() >= 2);
    }

    #[test]
    fn zeros_are_left_out_and_nothing_to_draw_is_an_error() {
        let svg = draw("t", "ply", &[series("a", &[(0, 0), (1, 5), (2, 0)])]).unwrap();
        assert_eq!(svg.matches("<circle").count(), 1);
        for lines in [vec![], vec![series("a", &[])], vec![series("a", &[(0, 0)])]] {
            assert!(matches!(draw("t", "ply", &lines), Err(Error::Mismatch { .. })));
        }
    }

    #[test]
    fn extreme_numbers_are_drawn() {
        for points in [vec![(7, 1)], vec![(u32::MAX, u128::MAX)], vec![(0, 1), (u32::MAX, u128::MAX)]] {
            assert!(draw("t", "ply", &[series("a", &points)]).is_ok());
        }
    }

    #[test]
    fn decades_lie_evenly() {
        let axis = Decades(6);
        assert_eq!([0.0, 3.0, 6.0].map(|v| axis.map(&v, (600, 0))), [600, 300, 0]);
        assert_eq!(axis.format_ext(&3.0), "1000");
        assert_eq!(axis.format_ext(&6.0), "1e6");
        assert_eq!(logarithm(10_u128.pow(38)), 38.0);
    }
}
