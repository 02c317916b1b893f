//! Plots: panels of series over logarithmic axes, as SVG, PNG or PDF.
//!
//! Series are distinguished by colour and also by markers and dashes, and the legend is placed next to the data. Counts are exact
//! everywhere else, but become floats here, because a plot does not need more precision. In SVG and PDF files, text is rendered by
//! the program that shows them; for PNG files, this module brings its own font. A plot therefore does not depend on the fonts of
//! this machine.

mod axis;
mod bitmap;
mod pdf;
mod series;

use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;

use self::axis::Axis;
pub use self::axis::Scale;
use self::series::{Drawn, Pixel, draw_line, draw_markers};
pub use self::series::{Look, Series};
use nerode_solver::error::{Error, Result};

const WIDTH: u32 = 980;
/// The height of a panel, unless its legend needs more.
const PANEL_HEIGHT: u32 = 360;
const TITLE_HEIGHT: u32 = 44;
const LEGEND_LINE: i32 = 22;
/// The distance of the first entry of a legend from the top of its panel, and of the last one from the bottom.
const LEGEND_TOP: i32 = 44;
/// The width of a sample of the look in the legend, with its gaps.
const LEGEND_SAMPLE: u32 = 52;
/// The width of a letter of the legend, and the widths of legends.
const LEGEND_LETTER: u32 = 7;
const LEGEND_WIDTHS: std::ops::RangeInclusive<u32> = 262..=460;
const MARGIN: u32 = 12;
const Y_LABELS: u32 = 70;

/// The format of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Network Graphics, with two pixels for each unit of length.
    Png,
    /// The Portable Document Format, with one page.
    Pdf,
}

/// Series with their axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The title above the panel.
    pub title: String,
    /// The label of the x axis.
    pub x_label: String,
    /// The scale of the x axis. Numbers that are not positive are omitted on a logarithmic one.
    pub x_scale: Scale,
    /// The labels at x = 0, 1 and so on. If this is empty, the numbers are shown.
    pub x_names: Vec<String>,
    /// The label of the y axis, which is logarithmic.
    pub y_label: String,
    /// The series.
    pub series: Vec<Series>,
}

impl Panel {
    /// Returns the points of a series that the axes can show.
    fn points_of<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
        let is_shown = |&(x, number): &(f64, f64)| number > 0.0 && (self.x_scale == Scale::Linear || x > 0.0);
        series.points.iter().copied().filter(is_shown)
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        self.series.iter().flat_map(|series| self.points_of(series))
    }

    fn height(&self) -> u32 {
        let legend =
            u32::try_from(self.shown().count()).unwrap_or(u32::MAX / 100) * LEGEND_LINE.cast_unsigned();
        PANEL_HEIGHT.max(legend + 2 * LEGEND_TOP.cast_unsigned())
    }

    /// Returns the series that have a point.
    fn shown(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|series| self.points_of(series).next().is_some())
    }
}

/// Draws the panels one below the other and returns the bytes of a file.
///
/// *Cost*: linear in the number of points, all in memory.
///
/// # Errors
/// Returns [`Error::Mismatch`] if panels are missing, or if a panel has no positive number.
pub fn draw(title: &str, panels: &[Panel], format: Format) -> Result<Vec<u8>> {
    if panels.is_empty() || panels.iter().any(|panel| panel.points().next().is_none()) {
        return Err(Error::Mismatch {
            what: title.into(),
            found: "no positive number".into(),
            expected: "at least one positive number".into(),
        });
    }
    const FONT: &[u8] = include_bytes!("../../assets/dejavu-sans.ttf");
    register_font("sans-serif", FontStyle::Normal, FONT).map_err(|_| failed("the font cannot be read"))?;
    let size = (WIDTH, TITLE_HEIGHT + panels.iter().map(Panel::height).sum::<u32>());
    match format {
        Format::Svg => {
            let mut svg = String::new();
            draw_all(SVGBackend::with_string(&mut svg, size), title, panels)?;
            Ok(svg.into_bytes())
        }
        Format::Png => {
            let mut pixels = bitmap::pixels(size);
            draw_all(bitmap::Bitmap::new(&mut pixels, size), title, panels)?;
            bitmap::encoded(&pixels, size).map_err(failed)
        }
        Format::Pdf => {
            let mut content = pdf_writer::Content::new();
            draw_all(pdf::Page::new(&mut content, size), title, panels)?;
            Ok(pdf::encoded(content, size))
        }
    }
}

fn failed(error: impl ToString) -> Error {
    Error::Codec { what: "plot", source: io::Error::other(error.to_string()) }
}

fn draw_all<B: DrawingBackend>(backend: B, title: &str, panels: &[Panel]) -> Result<()> {
    let root = backend.into_drawing_area();
    let draw = || -> Drawn<B> {
        root.fill(&WHITE)?;
        root.draw(&Text::new(title.to_string(), (16, 14), ("sans-serif", 22)))?;
        let (_, mut below) = root.split_vertically(TITLE_HEIGHT);
        for panel in panels {
            let (place, rest) = below.split_vertically(panel.height());
            draw_panel(&root, &place, panel)?;
            below = rest;
        }
        root.present()
    };
    draw().map_err(failed)
}

/// Returns the width of the legend, which depends on the longest name.
fn legend_width(entries: &[&Series]) -> u32 {
    let longest = entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let letters = u32::try_from(longest).unwrap_or(u32::MAX);
    let width = letters.saturating_mul(LEGEND_LETTER).saturating_add(LEGEND_SAMPLE);
    width.clamp(*LEGEND_WIDTHS.start(), *LEGEND_WIDTHS.end())
}

/// Draws axes and series on the left, and the legend on the right.
fn draw_panel<B: DrawingBackend>(
    root: &DrawingArea<B, Shift>,
    place: &DrawingArea<B, Shift>,
    panel: &Panel,
) -> Drawn<B> {
    let legend: Vec<&Series> = panel.shown().collect();
    let inside = WIDTH - legend_width(&legend);
    let (left, right) = place.split_horizontally(inside);
    let pixels = inside - 2 * MARGIN - Y_LABELS;
    let across = Axis::new(panel.x_scale, panel.points().map(|point| point.0), &panel.x_names, pixels);
    let up = Axis::new(Scale::Logarithmic, panel.points().map(|point| point.1), &[], panel.height());
    let mut chart = ChartBuilder::on(&left)
        .caption(&panel.title, ("sans-serif", 17))
        .margin(MARGIN)
        .x_label_area_size(42)
        .y_label_area_size(Y_LABELS)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .x_desc(&panel.x_label)
        .y_desc(&panel.y_label)
        .label_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for series in panel.shown() {
        let place = |(x, number)| (panel.x_scale.place(x), Scale::Logarithmic.place(number));
        let pixels: Vec<Pixel> =
            panel.points_of(series).map(|point| chart.backend_coord(&place(point))).collect();
        draw_line(root, &pixels, series)?;
        draw_markers(root, &pixels, series, series.group)?;
    }
    draw_legend(root, &right, &legend)
}

fn draw_legend<B: DrawingBackend>(
    root: &DrawingArea<B, Shift>,
    place: &DrawingArea<B, Shift>,
    entries: &[&Series],
) -> Drawn<B> {
    let (across, down) = place.get_pixel_range();
    let (x, mut y) = (across.start + 4, down.start + LEGEND_TOP);
    for entry in entries {
        draw_line(root, &[(x, y), (x + 32, y)], entry)?;
        draw_markers(root, &[(x + 16, y)], entry, 0)?;
        root.draw(&Text::new(entry.name.clone(), (x + 44, y - 7), ("sans-serif", 14)))?;
        y += LEGEND_LINE;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(f64, f64)]) -> Series {
        Series { name: name.to_string(), group: 0, look: Look::Solid, points: points.to_vec() }
    }

    fn panel(series: &[Series]) -> Panel {
        let label = |text: &str| text.to_string();
        Panel {
            title: label("by ply"),
            x_label: label("ply"),
            y_label: label("number"),
            series: series.to_vec(),
            ..Panel::default()
        }
    }

    fn svg(title: &str, panels: &[Panel]) -> String {
        String::from_utf8(draw(title, panels, Format::Svg).unwrap()).unwrap()
    }

    #[test]
    fn an_svg_file_has_titles_labels_and_every_name() {
        let lines = [
            series("positions", &[(0.0, 1.0), (1.0, 1000.0), (2.0, 3_f64.powi(80))]),
            series("states <&>", &[(0.0, 9.0), (2.0, 80.0)]),
        ];
        let svg = svg("breakthrough:4x5", &[panel(&lines), panel(&lines[..1])]);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in
            ["breakthrough:4x5", "by ply", "ply", "number", "positions", "states &lt;&amp;&gt;", "1e36"]
        {
            assert!(svg.contains(text), "{text} is missing from the plot");
        }
    }

    /// Checks the text of a PDF file, and that a letter outside its font becomes a question mark.
    #[test]
    fn a_pdf_file_has_the_same_text() {
        let lines = [series("states", &[(0.0, 9.0), (2.0, 80.0)]), series("Größe (b)", &[(1.0, 2.0)])];
        let file = draw("breakthrough:4x5", &[panel(&lines)], Format::Pdf).unwrap();
        assert!(file.starts_with(b"%PDF-") && file.trim_ascii_end().ends_with(b"%%EOF"));
        let text = String::from_utf8_lossy(&file);
        for text_shown in ["(breakthrough:4x5) Tj", "(by ply) Tj", "(number) Tj", "(states) Tj", "(100) Tj"] {
            assert!(text.contains(text_shown), "{text_shown} is missing from {text}");
        }
        assert!(text.contains("(Gr??e") && text.contains("/BaseFont /Helvetica"), "{text}");
        assert!(text.contains("/MediaBox [0 0 735 303]"), "{text}");
    }

    /// Checks that a PNG file has the colours of the series where the SVG file has their markers, and black letters.
    #[test]
    fn a_png_file_shows_the_same_picture() {
        let line = |group, height| Series { group, ..series("a", &[(0.0, height), (3.0, height)]) };
        let lines = [line(0, 10.0), line(1, 500.0)];
        let file = draw("nim:3x7", &[panel(&lines)], Format::Png).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(&file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (2 * WIDTH, 2 * (TITLE_HEIGHT + PANEL_HEIGHT)));
        let pixel = |x: u32, y: u32| {
            let at = (y * info.width + x) as usize * 3;
            [pixels[at], pixels[at + 1], pixels[at + 2]]
        };
        let colours = [[0, 114, 178], [213, 94, 0]];
        let svg = svg("nim:3x7", &[panel(&lines)]);
        let number = |name: &str| -> u32 {
            let text = svg.split(name).nth(1).unwrap();
            text[..text.find('"').unwrap()].parse().unwrap()
        };
        // The first marker is at the same place in both, because both axes are.
        let (x, y) = (number("<circle cx=\""), number("\" cy=\""));
        assert_eq!(pixel(2 * x, 2 * y), colours[0]);
        let count = |colour| {
            (0..info.height)
                .flat_map(|y| (0..info.width).map(move |x| (x, y)))
                .filter(|&(x, y)| pixel(x, y) == colour)
                .count()
        };
        assert!(colours.map(count).iter().all(|&many| many > 1000));
        // The title is at the top left.
        let dark = |x, y| pixel(x, y).iter().all(|&part| part < 64);
        assert!((32..200).any(|x| (20..60).any(|y| dark(x, y))));
    }

    /// Checks that text and markers of the legend do not overlap the data.
    #[test]
    fn the_legend_covers_no_data() {
        let full: Vec<(f64, f64)> = (0..30).flat_map(|x| [(x.into(), 1.0), (x.into(), 1e9)]).collect();
        let name = "a name that is so long that the legend must be wider";
        let shown = [panel(&[series(name, &full)])];
        let svg = svg("t", &shown);
        let x_of = |tag: &str| -> f64 {
            let x = tag.split(" x=\"").nth(1).unwrap();
            x[..x.find('"').unwrap()].parse().unwrap()
        };
        let before = svg.find(name).unwrap();
        let tag = &svg[svg[..before].rfind("<text").unwrap()..before];
        let width = legend_width(&shown[0].shown().collect::<Vec<_>>());
        assert!(LEGEND_WIDTHS.contains(&width) && width > *LEGEND_WIDTHS.start());
        let border = f64::from(WIDTH - width);
        assert!(x_of(tag) > border);
        let circles: Vec<f64> = svg
            .match_indices("<circle cx=\"")
            .map(|(at, found)| {
                let rest = &svg[at + found.len()..];
                rest[..rest.find('"').unwrap()].parse().unwrap()
            })
            .collect();
        // A marker consists of two circles, its inside and its outline. One marker of the legend lies beyond the border.
        assert_eq!(circles.iter().filter(|&&x| x > border).count(), 2);
        assert!(circles.iter().filter(|&&x| x < border).count() > 10);
    }

    /// Checks that all of eight lines look different, with and without colours.
    #[test]
    fn lines_differ_without_colour() {
        let shape = |group, look| {
            let line = Series { group, look, ..series("a", &[(0.0, 5.0), (1.0, 50.0), (2.0, 500.0)]) };
            let mut svg = svg("t", &[panel(&[line])]);
            // This removes the colours.
            while let Some(at) = svg.find("=\"#").filter(|_| svg.contains("=\"#")) {
                svg.replace_range(at..at + 9, "=none");
            }
            svg
        };
        let shapes: std::collections::BTreeSet<String> = (0..4)
            .flat_map(|group| [Look::Solid, Look::Dashed, Look::Points].map(|look| shape(group, look)))
            .collect();
        assert_eq!(shapes.len(), 12);
    }

    #[test]
    fn names_stand_at_the_axis_instead_of_numbers() {
        let x_names = ["a1", "b1", "c1"].map(String::from).to_vec();
        let lines = [series("a", &[(0.0, 1.0), (1.0, 5.0), (2.0, 3.0)])];
        let svg = svg("t", &[Panel { x_names, ..panel(&lines) }]);
        assert!(["a1", "b1", "c1"].iter().all(|name| svg.contains(&format!(">\n{name}\n<"))), "{svg}");
        assert!(!svg.contains(">\n2\n<"));
    }

    #[test]
    fn zeros_are_left_out_and_nothing_to_draw_is_an_error() {
        let circles = |scale, points: &[(f64, f64)]| {
            let shown = Panel { x_scale: scale, ..panel(&[series("a", points)]) };
            svg("t", &[shown]).matches("<circle").count()
        };
        let three = [(0.0, 1.0), (1.0, 5.0), (2.0, 3.0)];
        let all = circles(Scale::Linear, &three);
        assert_eq!(all - circles(Scale::Linear, &[(0.0, 0.0), (1.0, 5.0), (2.0, 0.0)]), 4);
        assert_eq!(all - circles(Scale::Logarithmic, &three), 2);
        for lines in [vec![], vec![series("a", &[])], vec![series("a", &[(0.0, 0.0)])]] {
            for format in [Format::Svg, Format::Png, Format::Pdf] {
                assert!(matches!(draw("t", &[panel(&lines)], format), Err(Error::Mismatch { .. })));
            }
        }
        assert!(matches!(draw("t", &[], Format::Svg), Err(Error::Mismatch { .. })));
    }

    #[test]
    fn extreme_numbers_are_drawn() {
        for points in [vec![(7.0, 1.0)], vec![(4e9, 3e38)], vec![(0.0, 1.0), (4e9, 3e38)], vec![(1.0, 1e-9)]]
        {
            for scale in [Scale::Linear, Scale::Logarithmic] {
                for format in [Format::Svg, Format::Png, Format::Pdf] {
                    let shown = Panel { x_scale: scale, ..panel(&[series("a", &points)]) };
                    assert!(draw("t", &[shown], format).is_ok(), "{points:?}");
                }
            }
        }
    }
}
