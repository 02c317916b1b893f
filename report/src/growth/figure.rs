//! The panels of a figure: a measure against the step or against another measure, for several solutions.

use super::fit::fits;
use super::naming::family;
use super::{Growth, Measure, Step, in_words};
use crate::plot::{Look, Panel, Scale, Series};

/// The number of looks that colours and markers distinguish.
const GROUPS: usize = 12;

/// What a figure shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes {
    /// The measure of the x axis, or `None` for the step.
    pub x: Option<Measure>,
    /// The measures of the y axes, one for each panel.
    pub y: Vec<Measure>,
    /// Whether fitted laws are drawn. Only with a measure x.
    pub has_fits: bool,
}

/// Returns a panel for each measure of `axes.y`. Series without a number for it do not appear in it.
pub fn panels(growths: &[Growth], axes: &Axes) -> Vec<Panel> {
    axes.y.iter().map(|&y| panel(growths, axes, y)).collect()
}

fn panel(growths: &[Growth], axes: &Axes, y: Measure) -> Panel {
    let step = growths.first().map_or(Step::Ply, |growth| growth.step);
    let x_name = axes.x.map_or_else(|| step.to_string(), |x| x.name().to_string());
    let names: Vec<&str> = growths.iter().map(|growth| growth.solution.as_str()).collect();
    let mut series = Vec::new();
    for growth in growths {
        for set in growth.sets() {
            let points: Vec<(f64, f64)> = growth
                .rows
                .iter()
                .filter(|row| row.set == set)
                .filter_map(|row| {
                    axes.x.map_or(Some(f64::from(row.step)), |x| row.number(x)).zip(row.number(y))
                })
                .collect();
            let group = series.len();
            let look = match axes.x {
                Some(_) => Look::Points,
                None if group < GROUPS => Look::Solid,
                None => Look::Dashed,
            };
            series.push(Series { name: series_name(&names, growth, set), group, look, points });
        }
    }
    if let Some(x) = axes.x.filter(|_| axes.has_fits) {
        add_laws(&mut series, growths, &names, (x, y));
    }
    let y_label = match y {
        Measure::New => "new positions",
        _ => y.name(),
    };
    Panel {
        title: format!("{} by {x_name}", capitalized(y_label)),
        x_label: x_name,
        x_scale: if axes.x.is_some() { Scale::Logarithmic } else { Scale::Linear },
        x_names: if axes.x.is_some() { Vec::new() } else { step_names(growths) },
        y_label: y_label.into(),
        series,
    }
}

/// Adds a line for the fitted law of each series, which has the colour of the series.
fn add_laws(series: &mut Vec<Series>, growths: &[Growth], names: &[&str], (x, y): (Measure, Measure)) {
    for fit in fits(growths, x, y) {
        let Some(growth) = growths.iter().find(|growth| growth.solution == fit.solution) else { continue };
        let name = series_name(names, growth, &fit.set);
        let Some(measured) = series.iter().find(|series| series.name == name) else { continue };
        let xs = measured.points.iter().filter(|point| point.0 > 0.0 && point.1 > 0.0).map(|point| point.0);
        let ends = [xs.clone().fold(f64::INFINITY, f64::min), xs.fold(0.0, f64::max)];
        let law = Series {
            name: format!("{} x^{:.3}", significant(fit.coefficient), fit.exponent),
            look: Look::Trend,
            group: measured.group,
            points: ends.map(|x| (x, fit.coefficient * x.powf(fit.exponent))).to_vec(),
        };
        series.push(law);
    }
}

/// Returns the name of a series in the legend: the set in words, after the name of the solution if there are several.
fn series_name(names: &[&str], growth: &Growth, set: &str) -> String {
    let words = in_words(set);
    let name = growth.solution.as_str();
    let name = family(names).and_then(|_| name.split_once(':')).map_or(name, |(_, parameters)| parameters);
    match (names.len(), words.is_empty()) {
        (0 | 1, false) => words,
        (_, true) => name.to_string(),
        _ => format!("{name} {words}"),
    }
}

/// Returns the names of steps 0, 1 and so on, if the solutions have names and agree on them.
fn step_names(growths: &[Growth]) -> Vec<String> {
    let mut names: Vec<Option<&String>> = Vec::new();
    for row in growths.iter().flat_map(|growth| &growth.rows) {
        let step = row.step as usize;
        let known = names.get(step).copied().flatten();
        if row.label.is_none()
            || step > MOST_NAMES
            || known.is_some_and(|known| Some(known) != row.label.as_ref())
        {
            return Vec::new();
        }
        names.resize(names.len().max(step + 1), None);
        names[step] = row.label.as_ref();
    }
    names.into_iter().map(|name| name.cloned().unwrap_or_default()).collect()
}

/// The largest number of a step with a name.
const MOST_NAMES: usize = 10_000;

/// Returns a positive number with four significant digits.
pub fn significant(number: f64) -> String {
    if (0.001..1e6).contains(&number) { format!("{number:.3}") } else { format!("{number:.3e}") }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::super::naming::title;
    use super::super::{Row, tests::row};
    use super::*;

    fn growth(name: &str, rows: &[Row]) -> Growth {
        Growth::new(name.into(), Step::Ply, rows.to_vec())
    }

    fn names(panel: &Panel) -> Vec<&str> {
        panel.series.iter().map(|series| series.name.as_str()).collect()
    }

    #[test]
    fn one_solution_is_named_in_the_title_and_several_in_the_legend() {
        let rows = [row("W-P1", 0, 5), row("L-P2", 0, 5)];
        let axes = Axes { x: None, y: vec![Measure::New, Measure::States], has_fits: false };
        let alone = [growth("nim:3x7", &rows)];
        assert_eq!(title(&alone), "nim:3x7");
        let panels_of_one = panels(&alone, &axes);
        assert_eq!(names(&panels_of_one[0]), ["lost, P2 to move", "won, P1 to move"]);
        assert_eq!(panels_of_one[0].title, "New positions by ply");
        assert_eq!(panels_of_one[1].title, "States by ply");
        let two = [growth("nim:3x7", &rows[..1]), growth("nim:3x8", &rows[..1])];
        assert_eq!(title(&two), "nim");
        assert_eq!(names(&panels(&two, &axes)[0]), ["3x7 won, P1 to move", "3x8 won, P1 to move"]);
        let others = [growth("nim:3x7", &rows[..1]), growth("table", &rows[..1])];
        assert_eq!(title(&others), "nim:3x7, table");
        assert_eq!(names(&panels(&others, &axes)[0])[1], "table won, P1 to move");
    }

    #[test]
    fn measures_against_each_other_are_points_with_their_law() {
        let rows = [(1, 3), (100, 30), (10_000, 300)];
        let rows: Vec<Row> = (0..)
            .zip(rows)
            .map(|(ply, (positions, states))| Row { states: Some(states), ..row("R", ply, positions) })
            .collect();
        let axes = Axes { x: Some(Measure::Positions), y: vec![Measure::States], has_fits: true };
        let panel = &panels(&[growth("nim:3x7", &rows)], &axes)[0];
        assert_eq!((panel.x_label.as_str(), panel.x_scale), ("positions", Scale::Logarithmic));
        assert_eq!(names(panel), ["reached", "3.000 x^0.500"]);
        assert_eq!(panel.series[0].points, [(1.0, 3.0), (100.0, 30.0), (10_000.0, 300.0)]);
        let [first, last] = panel.series[1].points[..] else { panic!("a line has two ends") };
        assert_eq!((first.0, last.0), (1.0, 10_000.0));
        assert!((first.1 - 3.0).abs() < 1e-9 && (last.1 - 300.0).abs() < 1e-6);
    }

    #[test]
    fn steps_have_names_if_the_solutions_agree() {
        let named = |label: &str| Row { label: Some(label.into()), ..row("R", 1, 5) };
        let axes = Axes { x: None, y: vec![Measure::States], has_fits: false };
        let of = |growths: &[Growth]| panels(growths, &axes)[0].x_names.clone();
        assert_eq!(of(&[growth("a", &[named("b1")]), growth("b", &[named("b1")])]), ["", "b1"]);
        assert!(of(&[growth("a", &[named("b1")]), growth("b", &[named("c1")])]).is_empty());
        assert!(of(&[growth("a", &[row("R", 1, 5)])]).is_empty());
    }
}
