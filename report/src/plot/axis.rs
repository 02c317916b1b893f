//! The axes: whole numbers such as plies, or decimal logarithms.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal distances for equal differences.
    #[default]
    Linear,
    /// Equal distances for equal ratios.
    Logarithmic,
}

impl Scale {
    /// Returns the place of a number on the axis.
    pub(super) fn place(self, number: f64) -> f64 {
        match self {
            Self::Linear => number,
            Self::Logarithmic => number.log10(),
        }
    }
}

/// The largest number of decades whose labels are written out, such as 1000. Otherwise, all labels look like 1e3.
const WRITTEN_OUT: f64 = 4.0;

/// The width of a letter, and of the gap between labels, in pixels.
const LETTER: u32 = 8;
const GAP: u32 = 16;

/// An axis, whose coordinates are the places of numbers.
pub(super) struct Axis {
    scale: Scale,
    /// The least and the greatest place.
    range: Range<f64>,
    /// The distance between labels.
    step: f64,
    /// The labels at 0, 1 and so on that replace the numbers.
    names: Vec<String>,
}

impl Axis {
    /// Creates the axis for `numbers`, which are positive on a logarithmic scale, with as many labels as fit into a width of `pixels`.
    pub(super) fn new(
        scale: Scale,
        numbers: impl Iterator<Item = f64> + Clone,
        names: &[String],
        pixels: u32,
    ) -> Self {
        let least = scale.place(numbers.clone().fold(f64::INFINITY, f64::min));
        let greatest = scale.place(numbers.fold(0.0, f64::max));
        let range = match scale {
            // A single ply would have a width of zero.
            Scale::Linear if least == greatest => (least - 1.0).max(0.0)..greatest.max(1.0),
            Scale::Linear => least..greatest,
            Scale::Logarithmic => least.floor().min(0.0)..greatest.floor() + 1.0,
        };
        let letters = |text: &String| u32::try_from(text.chars().count()).unwrap_or(u32::MAX / LETTER);
        let widest = names.iter().map(letters).max().unwrap_or_else(|| match scale {
            Scale::Linear => letters(&format!("{greatest:.0}")),
            Scale::Logarithmic => 4,
        });
        let fitting = pixels / widest.saturating_mul(LETTER).saturating_add(GAP);
        let least_step = ((range.end - range.start) / f64::from(fitting.max(1))).ceil().max(1.0);
        // Readers expect round steps between numbers.
        let is_round = names.is_empty() && scale == Scale::Linear;
        let step = if is_round { round(least_step) } else { least_step };
        Self { scale, range, step, names: names.to_vec() }
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50 and so on that is not below `least`.
fn round(least: f64) -> f64 {
    let decades = (0..40).map(|power| 10_f64.powi(power));
    let mut steps = decades.flat_map(|ten| [1.0, 2.0, 5.0].map(|times| ten * times));
    steps.find(|&step| step >= least).unwrap_or(least)
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, limit: (i32, i32)) -> i32 {
        let part = (place - self.range.start) / (self.range.end - self.range.start);
        #[expect(clippy::cast_possible_truncation)]
        let offset = (f64::from(limit.1 - limit.0) * part).round() as i32;
        limit.0 + offset
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        let first = (self.range.start / self.step).ceil();
        let last = (self.range.end / self.step).floor();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let labels = (last - first + 1.0).max(0.0) as u32;
        (0..labels).map(|label| (first + f64::from(label)) * self.step).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, place: &f64) -> String {
        match self.scale {
            Scale::Linear => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let index = *place as usize;
                self.names.get(index).cloned().unwrap_or_else(|| format!("{place:.0}"))
            }
            Scale::Logarithmic if self.range.start >= 0.0 && self.range.end <= WRITTEN_OUT => {
                format!("{:.0}", 10_f64.powf(*place))
            }
            Scale::Logarithmic => format!("1e{place:.0}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use plotters::coord::ranged1d::BoldPoints;

    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.key_points(BoldPoints(1)).iter().map(|place| axis.format_ext(place)).collect()
    }

    fn axis(scale: Scale, numbers: &[f64], names: &[String]) -> Axis {
        Axis::new(scale, numbers.iter().copied(), names, 600)
    }

    #[test]
    fn decades_lie_evenly_and_have_one_kind_of_label() {
        let six = axis(Scale::Logarithmic, &[7.0, 999_999.0], &[]);
        assert_eq!([0.0, 3.0, 6.0].map(|place| six.map(&place, (600, 0))), [600, 300, 0]);
        assert_eq!(labels(&six), ["1e0", "1e1", "1e2", "1e3", "1e4", "1e5", "1e6"]);
        assert_eq!(labels(&axis(Scale::Logarithmic, &[1.0, 999.0], &[])), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&axis(Scale::Logarithmic, &[0.02, 3.0], &[])), ["1e-2", "1e-1", "1e0", "1e1"]);
        let many = labels(&axis(Scale::Logarithmic, &[1.0, 1e80], &[]));
        assert!(many.len() < 16 && many[1] == "1e7", "{many:?}");
    }

    #[test]
    fn labels_have_room() {
        let of = |last: f64, names: &[String]| labels(&axis(Scale::Linear, &[0.0, last], names));
        assert_eq!(of(4.0, &[]), ["0", "1", "2", "3", "4"]);
        assert_eq!(of(100.0, &[]).join(" "), "0 10 20 30 40 50 60 70 80 90 100");
        assert_eq!(of(u32::MAX.into(), &[])[1], "1000000000");
        let cells: Vec<String> = (0..64).map(|cell| format!("cell{cell:02}")).collect();
        let shown = of(63.0, &cells);
        assert_eq!(shown[..2], ["cell00", "cell07"]);
        assert!(shown.iter().map(|name| name.len() * LETTER as usize).sum::<usize>() < 600);
        let few = axis(Scale::Linear, &[2.0, 4.0], &[]);
        assert_eq!([2.0, 3.0, 4.0].map(|place| few.map(&place, (100, 300))), [100, 200, 300]);
    }
}
