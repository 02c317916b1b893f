//! A row of the comparison, and the measurements from which it is computed.

use serde::Serialize;

use super::form::Form;

/// One row of the comparison. Sizes are totals of both sides.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The name of the form.
    pub form: String,
    /// The number of bytes needed for look-ups.
    pub bytes: Option<u128>,
    /// The number of positions of both sides per byte.
    pub positions_per_byte: Option<f64>,
    /// The mean time of a look-up of a random position, in nanoseconds; `null` if the form was not built.
    pub lookup_ns: Option<f64>,
    /// The time to build the form from the automata, in seconds; `null` if it was not built or was already written by
    /// the solve.
    pub build_seconds: Option<f64>,
    /// Any additional remark.
    pub note: String,
}

/// The measurements of a representation, accumulated over the sides.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) bytes: u128,
    pub(super) lookup_seconds: f64,
    pub(super) lookups: usize,
    pub(super) build_seconds: f64,
}

impl Measured {
    /// Returns the row for these measurements.
    pub(super) fn row(self, form: Form, positions: u128, note: String) -> Row {
        Row {
            form: form.to_string(),
            bytes: Some(self.bytes),
            positions_per_byte: ratio(positions, self.bytes),
            lookup_ns: (self.lookups > 0).then(|| self.lookup_seconds * 1e9 / self.lookups as f64),
            build_seconds: Some(self.build_seconds),
            note,
        }
    }
}

fn ratio(positions: u128, bytes: u128) -> Option<f64> {
    (bytes > 0).then(|| positions as f64 / bytes as f64)
}

/// Returns the row of a representation that was not built.
pub(super) fn not_built(form: Form, bytes: Option<u128>, positions: u128, note: String) -> Row {
    Row {
        form: form.to_string(),
        bytes,
        positions_per_byte: bytes.and_then(|b| ratio(positions, b)),
        lookup_ns: None,
        build_seconds: None,
        note,
    }
}
