//! The vertical axis: decimal logarithms.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// Decimal logarithm of a number above 0.
pub(super) fn logarithm(number: u128) -> f64 {
    // A drawing shows three digits; a float has fifteen.
    #[expect(clippy::cast_precision_loss)]
    let float = number as f64;
    float.log10()
}

/// A vertical axis of decimal logarithms from 0 up to a whole number of decades, with a label at powers of ten.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_lie_evenly() {
        let axis = Decades(6);
        assert_eq!([0.0, 3.0, 6.0].map(|v| axis.map(&v, (600, 0))), [600, 300, 0]);
        assert_eq!(axis.format_ext(&3.0), "1000");
        assert_eq!(axis.format_ext(&6.0), "1e6");
        assert_eq!(logarithm(10_u128.pow(38)), 38.0);
    }
}
