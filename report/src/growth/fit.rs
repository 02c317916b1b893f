//! Power laws y = c · x^e, fitted to the rows of a series (paper 004, section 5.2: states against positions).

use std::cmp::Ordering;

use serde::Serialize;

use super::{Growth, Measure, Row};

/// A power law y = c · x^e, fitted by least squares to the decimal logarithms of the rows of a series.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fit {
    /// The name of the solution.
    pub solution: String,
    /// The name of the series.
    pub set: String,
    /// The measure x.
    pub x: &'static str,
    /// The measure y.
    pub y: &'static str,
    /// The number of rows with positive x and y.
    pub points: usize,
    /// The factor c.
    pub coefficient: f64,
    /// The exponent e.
    pub exponent: f64,
    /// The root of the mean square of the differences between the logarithms of y and of the law.
    pub residual: f64,
    /// The exponent log y / log x of the row with the greatest x alone.
    pub exponent_at_greatest_x: f64,
    /// The exponent log y / log x of the row with the greatest y alone.
    pub exponent_at_greatest_y: f64,
}

/// Returns the law of each series that has at least two different x.
///
/// *Cost*: linear in the number of rows.
pub fn fits(growths: &[Growth], x: Measure, y: Measure) -> Vec<Fit> {
    let of = |growth: &Growth, set: &str| -> Option<Fit> {
        let points: Vec<(f64, f64)> =
            growth.rows.iter().filter(|row| row.set == set).filter_map(|row| point(row, x, y)).collect();
        let (exponent, intercept) = line(&points)?;
        let square = |(x, y): &(f64, f64)| (y - intercept - exponent * x).powi(2);
        let alone = |greatest: fn(&(f64, f64)) -> f64| {
            let compare = |a: &&(f64, f64), b: &&(f64, f64)| {
                greatest(a).partial_cmp(&greatest(b)).unwrap_or(Ordering::Equal)
            };
            points.iter().max_by(compare).map_or(f64::NAN, |(x, y)| y / x)
        };
        Some(Fit {
            solution: growth.solution.clone(),
            set: set.to_string(),
            x: x.name(),
            y: y.name(),
            points: points.len(),
            coefficient: 10_f64.powf(intercept),
            exponent,
            residual: mean(points.iter().map(square)).sqrt(),
            exponent_at_greatest_x: alone(|point| point.0),
            exponent_at_greatest_y: alone(|point| point.1),
        })
    };
    growths.iter().flat_map(|growth| growth.sets().into_iter().filter_map(|set| of(growth, set))).collect()
}

/// Returns the decimal logarithms of two numbers of a row, if both are positive.
fn point(row: &Row, x: Measure, y: Measure) -> Option<(f64, f64)> {
    let [x, y] = [x, y].map(|measure| row.number(measure).filter(|&number| number > 0.0).map(f64::log10));
    x.zip(y)
}

/// Returns the slope and the intercept of the line with the least squares, or `None` if x is the same everywhere.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let (x, y) = (mean(points.iter().map(|point| point.0)), mean(points.iter().map(|point| point.1)));
    let square: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let product: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (square > 0.0).then(|| (product / square, y - product / square * x))
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    #[expect(clippy::cast_precision_loss)]
    let count = numbers.len().max(1) as f64;
    numbers.sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::super::{Step, tests::row};
    use super::*;

    fn growth(points: &[(u128, u128)]) -> Growth {
        let of = |(step, &(positions, states)): (u32, &(u128, u128))| Row {
            states: Some(states),
            ..row("R", step, positions)
        };
        Growth::new("a".into(), Step::Ply, (0..).zip(points).map(of).collect())
    }

    /// Checks a law that holds exactly, and one that does not, against the values of the textbook formulas.
    #[test]
    fn a_law_is_found() {
        let exact = growth(&[(1, 3), (100, 30), (10_000, 300), (0, 5), (5, 0)]);
        let [fit] = &fits(&[exact], Measure::Positions, Measure::States)[..] else { panic!("one series") };
        assert_eq!(fit.points, 3);
        assert!((fit.exponent - 0.5).abs() < 1e-12 && (fit.coefficient - 3.0).abs() < 1e-9);
        assert!(fit.residual < 1e-12);
        // log 300 / log 10000.
        assert!((fit.exponent_at_greatest_x - 0.619_280_3).abs() < 1e-6);

        // In logarithms: (0, 0), (1, 2), (2, 1), thus slope 1/2 and intercept 1/2; the residuals are -1/2, 1 and -1/2.
        let scattered = growth(&[(1, 1), (10, 100), (100, 10)]);
        let [fit] = &fits(&[scattered], Measure::Positions, Measure::States)[..] else {
            panic!("one series")
        };
        assert!((fit.exponent - 0.5).abs() < 1e-12 && (fit.coefficient - 10_f64.sqrt()).abs() < 1e-9);
        assert!((fit.residual - 0.5_f64.sqrt()).abs() < 1e-12);
        assert_eq!((fit.exponent_at_greatest_x, fit.exponent_at_greatest_y), (0.5, 2.0));
    }

    #[test]
    fn one_point_has_no_law() {
        assert!(fits(&[growth(&[(9, 3)])], Measure::Positions, Measure::States).is_empty());
        assert!(fits(&[growth(&[(9, 3), (9, 4)])], Measure::Positions, Measure::States).is_empty());
        assert!(fits(&[growth(&[(9, 3), (8, 4)])], Measure::Positions, Measure::Bytes).is_empty());
    }
}
