//! The axes: decimal logarithms vertically, plies or layers horizontally.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// Returns the decimal logarithm of a positive number.
pub(super) fn logarithm(number: u128) -> f64 {
    // The precision of a float suffices, because a drawing shows only three digits.
    #[expect(clippy::cast_precision_loss)]
    let float = number as f64;
    float.log10()
}

/// A vertical axis of decimal logarithms from 0 to a whole number of decades, with labels at powers of ten.
pub(super) struct Decades(pub(super) u32);

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

/// A horizontal axis of whole numbers, with as many labels as fit.
pub(super) struct Across {
    range: Range<u32>,
    /// The distance between labels.
    step: u32,
    /// The labels at 0, 1 and so on that replace the numbers.
    names: Vec<String>,
}

/// The width of a letter, and of the gap between labels, in pixels.
const LETTER: usize = 8;
const GAP: usize = 16;

impl Across {
    /// Creates the axis from `range.start` to `range.end` inclusive, with the given width in pixels.
    pub(super) fn new(range: Range<u32>, names: &[String], pixels: u32) -> Self {
        let letters = |text: &String| text.chars().count();
        let widest = names.iter().map(letters).max().unwrap_or_else(|| letters(&range.end.to_string()));
        let fitting = pixels / u32::try_from(widest * LETTER + GAP).unwrap_or(u32::MAX).max(1);
        let least = (range.end - range.start).div_ceil(fitting.max(1)).max(1);
        // Readers expect round steps between numbers.
        let step = if names.is_empty() { round(least) } else { least };
        Self { range, step, names: names.to_vec() }
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50 and so on that is not below `least`.
fn round(least: u32) -> u32 {
    let decades = (0..10).map(|power| 10_u32.pow(power));
    let steps = decades.flat_map(|ten| [1, 2, 5].map(|times| ten.saturating_mul(times)));
    steps.into_iter().find(|&step| step >= least).unwrap_or(least)
}

impl Ranged for Across {
    type FormatOption = NoDefaultFormatting;
    type ValueType = u32;

    fn map(&self, value: &u32, limit: (i32, i32)) -> i32 {
        let part = |value: u32| f64::from(value.saturating_sub(self.range.start));
        let pixels = f64::from(limit.1 - limit.0) * part(*value) / part(self.range.end).max(1.0);
        #[expect(clippy::cast_possible_truncation)]
        let offset = pixels.round() as i32;
        limit.0 + offset
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<u32> {
        let first = self.range.start.checked_next_multiple_of(self.step).unwrap_or(self.range.start);
        (first..=self.range.end).step_by(self.step as usize).collect()
    }

    fn range(&self) -> Range<u32> {
        self.range.clone()
    }
}

impl ValueFormatter<u32> for Across {
    fn format_ext(&self, value: &u32) -> String {
        self.names.get(*value as usize).cloned().unwrap_or_else(|| value.to_string())
    }
}

#[cfg(test)]
mod tests {
    use plotters::coord::ranged1d::BoldPoints;

    use super::*;

    #[test]
    fn decades_lie_evenly() {
        let axis = Decades(6);
        assert_eq!([0.0, 3.0, 6.0].map(|v| axis.map(&v, (600, 0))), [600, 300, 0]);
        assert_eq!(axis.format_ext(&3.0), "1000");
        assert_eq!(axis.format_ext(&6.0), "1e6");
        assert_eq!(logarithm(10_u128.pow(38)), 38.0);
    }

    #[test]
    fn labels_have_room() {
        let labels = |last: u32, names: &[String]| -> Vec<String> {
            let axis = Across::new(0..last, names, 600);
            axis.key_points(BoldPoints(1)).iter().map(|x| axis.format_ext(x)).collect()
        };
        assert_eq!(labels(4, &[]), ["0", "1", "2", "3", "4"]);
        assert_eq!(labels(100, &[]).join(" "), "0 10 20 30 40 50 60 70 80 90 100");
        assert_eq!(labels(u32::MAX, &[])[1], "1000000000");
        let cells: Vec<String> = (0..64).map(|cell| format!("cell{cell:02}")).collect();
        let shown = labels(63, &cells);
        assert_eq!(shown[..2], ["cell00", "cell07"]);
        assert!(shown.iter().map(|name| name.len() * LETTER).sum::<usize>() < 600);
        let axis = Across::new(2..4, &[], 600);
        assert_eq!([2, 3, 4].map(|x| axis.map(&x, (100, 300))), [100, 200, 300]);
    }
}
