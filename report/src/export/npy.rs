//! Rows as a NumPy array of 16-bit integers with shape `[2, positions]`. The first index is 0 for `P1` to move and 1
//! for `P2` to move.

use std::io::Write;
use std::path::Path;

use nerode_games::{Side, Value};
use npyz::{DType, WriterBuilder};

use super::rows::{Row, value_name};
use nerode_solver::error::{Error, Result};

/// The largest depth that fits next to the codes without depth.
const MAX_DTW: u16 = 32_764;
const DRAW: i16 = 32_767;
const UNMEASURED: i16 = 32_766;

/// Returns the number in the array for a value and a depth:
///
/// | number | meaning |
/// |---|---|
/// | 0 | unknown |
/// | d + 1, from 1 to 32765 | win in d plies |
/// | -(d + 1), from -1 to -32765 | loss in d plies |
/// | 32766, -32766 | win, loss, with no depth computed |
/// | 32767 | draw |
///
/// Returns `None` for a depth above 32764, or for a depth of a draw or of an unknown position.
///
/// # Examples
/// ```
/// use nerode_report::export::npy_code;
/// use nerode_games::Value;
/// assert_eq!(npy_code(Some(Value::Loss), Some(0)), Some(-1));
/// assert_eq!(npy_code(Some(Value::Draw), None), Some(32767));
/// assert_eq!(npy_code(None, None), Some(0));
/// ```
pub fn npy_code(value: Option<Value>, dtw: Option<u16>) -> Option<i16> {
    let measured = |dtw: u16| i16::try_from(dtw.checked_add(1)?).ok().filter(|_| dtw <= MAX_DTW);
    match (value, dtw) {
        (None, None) => Some(0),
        (Some(Value::Draw), None) => Some(DRAW),
        (Some(Value::Win), None) => Some(UNMEASURED),
        (Some(Value::Loss), None) => Some(-UNMEASURED),
        (Some(Value::Win), Some(dtw)) => measured(dtw),
        (Some(Value::Loss), Some(dtw)) => measured(dtw).map(|code| -code),
        (None | Some(Value::Draw), Some(_)) => None,
    }
}

/// Writes the rows and returns their number.
pub(super) fn put(
    out: &mut (dyn Write + Send),
    path: &Path,
    num_positions: u64,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<u64> {
    write_header(out, num_positions).map_err(|e| Error::io(path, e))?;
    let mut expected = Side::BOTH.into_iter().flat_map(|side| (0..num_positions).map(move |i| (side, i)));
    let mut written = 0;
    for row in rows {
        let row = row?;
        let next = expected.next();
        if next != Some((row.side, row.index)) {
            return Err(out_of_order(Some((row.side, row.index)), next));
        }
        let code = npy_code(row.value, row.dtw).ok_or_else(|| {
            let name = value_name(row.value);
            Error::Unrepresentable {
                what: row.dtw.map_or_else(
                    || format!("{name} without a depth"),
                    |dtw| format!("{name} in {dtw} plies"),
                ),
                format: "a NumPy export",
                limit: format!("depths up to {MAX_DTW} of wins and losses"),
            }
        })?;
        out.write_all(&code.to_le_bytes()).map_err(|e| Error::io(path, e))?;
        written += 1;
    }
    match expected.next() {
        None => Ok(written),
        next => Err(out_of_order(None, next)),
    }
}

/// The side and the index of a row, or `None` after the last row.
type Place = Option<(Side, u64)>;

/// Creates the error for a row that is not the next one of the array. Rows of P1 come first, then those of P2, by
/// increasing index.
fn out_of_order(found: Place, expected: Place) -> Error {
    let words = |place: Place| match place {
        Some((side, index)) => format!("index {index} of {side}"),
        None => "the end".into(),
    };
    Error::Mismatch { what: "rows of a NumPy export".into(), found: words(found), expected: words(expected) }
}

/// Writes the header of the array. The numbers are written separately as plain bytes, because the array writer of the
/// crate completes the array even after an error, which would hide that it is incomplete.
fn write_header(out: &mut dyn Write, num_positions: u64) -> std::io::Result<()> {
    let number = "<i2".parse().map_err(|e| std::io::Error::other(format!("{e}")))?;
    npyz::WriteOptions::new_header_only()
        .dtype(DType::Plain(number))
        .shape(&[2, num_positions])
        .writer(out)
        .write_header_only()
        .map(drop)
}
