//! Numbers as an SVG drawing: panels of lines over logarithmic axes.
//!
//! Lines are distinguished by colour and also by markers and dashes, and the legend is placed next to the data. The
//! drawing suits light and dark pages. Counts are exact everywhere else, but become floats here, because a drawing does
//! not need more precision. Text is rendered by the program that shows the file, so that the drawing does not depend on
//! the fonts of this machine.

mod axis;
mod strokes;

use plotters::coord::Shift;
use plotters::prelude::*;

use self::axis::{Across, Decades, logarithm};
pub use self::strokes::Series;
use self::strokes::{NO_GROUP, Pixel, draw_line, draw_markers};
use nerode_solver::error::{Error, Result};

const WIDTH: u32 = 980;
const PANEL_HEIGHT: u32 = 360;
const TITLE_HEIGHT: u32 = 44;
const LEGEND_WIDTH: u32 = 262;
const LEGEND_LINE: i32 = 22;
const MARGIN: u32 = 12;
const Y_LABELS: u32 = 70;

/// The colours of the background and of the inside of hollow markers on dark pages.
const DARK: &str = "<style>@media (prefers-color-scheme: dark) { [fill=\"#FFFFFF\"] { fill: #161B22 } \
                    text { fill: #E6EDF3 } [stroke=\"#000000\"] { stroke: #E6EDF3 } }</style>";

/// Lines with their axes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// The title above the panel.
    pub title: String,
    /// The label of the x axis.
    pub x_label: String,
    /// The labels at x = 0, 1 and so on. If this is empty, the numbers are shown.
    pub x_names: Vec<String>,
    /// The label of the y axis.
    pub y_label: String,
    /// The lines.
    pub series: Vec<Series>,
    /// The meanings of solid and dashed lines, if groups have both. The legend then names each group once.
    pub strokes: Option<[String; 2]>,
}

impl Panel {
    fn points(&self) -> impl Iterator<Item = &(u32, u128)> {
        self.shown().flat_map(|series| &series.points).filter(|point| point.1 > 0)
    }

    /// Returns the lines that have a point.
    fn shown(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|series| series.points.iter().any(|point| point.1 > 0))
    }

    /// Returns the entries of the legend, each in the style of a line.
    fn legend(&self) -> Vec<Series> {
        let Some(strokes) = &self.strokes else { return self.shown().cloned().collect() };
        let mut entries: Vec<Series> = Vec::new();
        for series in self.shown() {
            if !entries.iter().any(|entry| entry.group == series.group) {
                entries.push(Series { dashed: false, ..series.clone() });
            }
        }
        let meanings = strokes.iter().zip([false, true]);
        let meaning = |(name, dashed): (&String, _)| Series {
            name: name.clone(),
            group: NO_GROUP,
            dashed,
            points: Vec::new(),
        };
        entries.extend(meanings.map(meaning));
        entries
    }
}

/// Draws the panels one below the other and returns the text of an SVG file.
///
/// *Cost*: linear in the number of points, all in memory.
///
/// # Errors
/// Returns [`Error::Mismatch`] if panels are missing, or if a panel has no positive number.
pub fn draw(title: &str, panels: &[Panel]) -> Result<String> {
    if panels.is_empty() || panels.iter().any(|panel| panel.points().next().is_none()) {
        return Err(Error::Mismatch {
            what: title.into(),
            found: "no positive number".into(),
            expected: "at least one positive number".into(),
        });
    }
    let height = TITLE_HEIGHT + PANEL_HEIGHT * panels.len() as u32;
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        draw_all(&root, title, panels)
            .and_then(|()| root.present())
            .map_err(|e| Error::Codec { what: "drawing", source: std::io::Error::other(e.to_string()) })?;
    }
    // The position is after the first tag.
    let at = svg.find('>').map_or(0, |end| end + 1);
    svg.insert_str(at, DARK);
    Ok(svg)
}

type Drawn = std::result::Result<(), DrawingAreaErrorKind<std::io::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn draw_all(root: &Area<'_>, title: &str, panels: &[Panel]) -> Drawn {
    root.fill(&WHITE)?;
    root.draw(&Text::new(title.to_string(), (16, 14), ("sans-serif", 22)))?;
    let (_, below) = root.split_vertically(TITLE_HEIGHT);
    for (place, panel) in below.split_evenly((panels.len(), 1)).iter().zip(panels) {
        draw_panel(root, place, panel)?;
    }
    Ok(())
}

/// Draws axes and lines on the left, and the legend on the right.
fn draw_panel(root: &Area<'_>, place: &Area<'_>, panel: &Panel) -> Drawn {
    let (left, right) = place.split_horizontally(WIDTH - LEGEND_WIDTH);
    let (across, decades) = axes(panel);
    let mut chart = ChartBuilder::on(&left)
        .caption(&panel.title, ("sans-serif", 17))
        .margin(MARGIN)
        .x_label_area_size(42)
        .y_label_area_size(Y_LABELS)
        .build_cartesian_2d(across, decades)?;
    chart
        .configure_mesh()
        .x_desc(&panel.x_label)
        .y_desc(&panel.y_label)
        .label_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for series in panel.shown() {
        let points = series.points.iter().filter(|point| point.1 > 0);
        let pixels: Vec<Pixel> =
            points.map(|&(x, number)| chart.backend_coord(&(x, logarithm(number)))).collect();
        draw_line(root, &pixels, series)?;
        draw_markers(root, &pixels, series, series.group)?;
    }
    draw_legend(root, &right, &panel.legend())
}

fn draw_legend(root: &Area<'_>, place: &Area<'_>, entries: &[Series]) -> Drawn {
    let (across, down) = place.get_pixel_range();
    let (x, mut y) = (across.start + 4, down.start + 44);
    for entry in entries {
        draw_line(root, &[(x, y), (x + 32, y)], entry)?;
        draw_markers(root, &[(x + 16, y)], entry, 0)?;
        root.draw(&Text::new(entry.name.clone(), (x + 44, y - 7), ("sans-serif", 14)))?;
        y += LEGEND_LINE;
    }
    Ok(())
}

/// Returns the ranges of the axes.
fn axes(panel: &Panel) -> (Across, Decades) {
    let first = panel.points().map(|point| point.0).min().unwrap_or(0);
    let last = panel.points().map(|point| point.0).max().unwrap_or(0);
    let greatest = panel.points().map(|point| point.1).max().unwrap_or(1);
    // A single ply would have a width of zero.
    let (first, last) = if first == last { (first.saturating_sub(1), last.max(1)) } else { (first, last) };
    let pixels = WIDTH - LEGEND_WIDTH - 2 * MARGIN - Y_LABELS;
    (Across::new(first..last, &panel.x_names, pixels), Decades(greatest.ilog10() + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, points: &[(u32, u128)]) -> Series {
        Series { name: name.to_string(), group: 0, dashed: false, points: points.to_vec() }
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

    #[test]
    fn a_drawing_is_svg_with_titles_labels_and_every_name() {
        let lines = [
            series("positions", &[(0, 1), (1, 1000), (2, 3_u128.pow(80))]),
            series("states <&>", &[(0, 9), (2, 80)]),
        ];
        let svg = draw("breakthrough:4x5", &[panel(&lines), panel(&lines[..1])]).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for text in
            ["breakthrough:4x5", "by ply", "ply", "number", "positions", "states &lt;&amp;&gt;", "1e36"]
        {
            assert!(svg.contains(text), "{text} is missing from the drawing");
        }
        assert!(svg.contains("prefers-color-scheme: dark"));
    }

    /// Checks that text and markers of the legend do not overlap the data.
    #[test]
    fn the_legend_covers_no_data() {
        let full: Vec<(u32, u128)> = (0..30).flat_map(|x| [(x, 1), (x, 10_u128.pow(9))]).collect();
        let svg = draw("t", &[panel(&[series("the name", &full)])]).unwrap();
        let x_of = |tag: &str| -> f64 {
            let x = tag.split(" x=\"").nth(1).unwrap();
            x[..x.find('"').unwrap()].parse().unwrap()
        };
        let before = svg.find("the name").unwrap();
        let tag = &svg[svg[..before].rfind("<text").unwrap()..before];
        let border = f64::from(WIDTH - LEGEND_WIDTH);
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
        let look = |group, dashed| {
            let line = Series { group, dashed, ..series("a", &[(0, 5), (1, 50), (2, 500)]) };
            let mut svg = draw("t", &[panel(&[line])]).unwrap();
            // This removes the colours.
            while let Some(at) = svg.find("=\"#").filter(|_| svg.contains("=\"#")) {
                svg.replace_range(at..at + 9, "=none");
            }
            svg
        };
        let looks: std::collections::BTreeSet<String> =
            (0..4).flat_map(|group| [look(group, false), look(group, true)]).collect();
        assert_eq!(looks.len(), 8);
    }

    #[test]
    fn the_legend_names_each_group_once_and_then_the_strokes() {
        let line = |group, dashed| Series { group, dashed, ..series(&format!("set {group}"), &[(0, 5)]) };
        let mut lines = vec![line(0, false), line(0, true), line(1, true), line(1, false)];
        lines.push(Series { group: 2, ..series("empty", &[(0, 0)]) });
        let strokes = Some(["new".to_string(), "so far".to_string()]);
        let legend = Panel { strokes, ..panel(&lines) }.legend();
        let names: Vec<(&str, bool)> = legend.iter().map(|line| (line.name.as_str(), line.dashed)).collect();
        assert_eq!(names, [("set 0", false), ("set 1", false), ("new", false), ("so far", true)]);
        assert_eq!(panel(&lines).legend().len(), 4);
    }

    #[test]
    fn names_stand_at_the_axis_instead_of_numbers() {
        let x_names = ["a1", "b1", "c1"].map(String::from).to_vec();
        let lines = [series("a", &[(0, 1), (1, 5), (2, 3)])];
        let svg = draw("t", &[Panel { x_names, ..panel(&lines) }]).unwrap();
        assert!(["a1", "b1", "c1"].iter().all(|name| svg.contains(&format!(">\n{name}\n<"))), "{svg}");
        assert!(!svg.contains(">\n2\n<"));
    }

    #[test]
    fn zeros_are_left_out_and_nothing_to_draw_is_an_error() {
        let circles = |points: &[(u32, u128)]| {
            draw("t", &[panel(&[series("a", points)])]).unwrap().matches("<circle").count()
        };
        assert_eq!(circles(&[(0, 1), (1, 5), (2, 3)]) - circles(&[(0, 0), (1, 5), (2, 0)]), 4);
        for lines in [vec![], vec![series("a", &[])], vec![series("a", &[(0, 0)])]] {
            assert!(matches!(draw("t", &[panel(&lines)]), Err(Error::Mismatch { .. })));
        }
        assert!(matches!(draw("t", &[]), Err(Error::Mismatch { .. })));
    }

    #[test]
    fn extreme_numbers_are_drawn() {
        for points in [vec![(7, 1)], vec![(u32::MAX, u128::MAX)], vec![(0, 1), (u32::MAX, u128::MAX)]] {
            assert!(draw("t", &[panel(&[series("a", &points)])]).is_ok());
        }
    }
}
