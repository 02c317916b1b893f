//! A row of the comparison, and what is measured for it.

use serde::Serialize;

use super::form::Form;

/// One row of the comparison. Bytes are of both sides together.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Name of the form.
    pub form: String,
    /// Bytes that look-ups need.
    pub bytes: Option<u128>,
    /// Positions of both sides by these bytes.
    pub positions_per_byte: Option<f64>,
    /// Mean time of a look-up of a random position, in nanoseconds; `null` where it was not built.
    pub lookup_ns: Option<f64>,
    /// Seconds to build it from the automata; `null` where it was not built or is what the solve wrote.
    pub build_seconds: Option<f64>,
    /// Anything else to know about the row.
    pub note: String,
}

/// What is measured of one representation over the sides.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) bytes: u128,
    pub(super) lookup_seconds: f64,
    pub(super) lookups: usize,
    pub(super) build_seconds: f64,
}

impl Measured {
    /// The row of what was measured.
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

/// The row of a representation that was not built.
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
