//! Rows as a NumPy array of 16-bit integers. That of all boards has shape `[2, boards]`, where the first index is 0 for
//! `P1` to move and 1 for `P2` to move. That of reached positions has one dimension.

use std::io::Write;
use std::path::Path;

use nerode_games::{Value, counted};

use super::rows::{Order, Row, value_name};
use nerode_solver::error::{Error, Result};

/// The largest depth that fits next to the codes without depth.
const MAX_DTW: u16 = 32_764;
const DRAW: i16 = 32_767;
const UNMEASURED: i16 = 32_766;

/// The first bytes of a NumPy file of version 1.0.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

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
    order: Order<'_>,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<u64> {
    write_header(out, order).map_err(|e| Error::io(path, e))?;
    let mut written = 0;
    for row in rows {
        let row = row?;
        if order.row_number(&row) != Some(written) {
            return Err(out_of_order(format!("index {} of {}", row.index, row.side), written));
        }
        let code = npy_code(row.value, row.dtw).ok_or_else(|| {
            let name = value_name(row.value);
            Error::Unrepresentable {
                what: row.dtw.map_or_else(
                    || format!("{name} without a depth"),
                    |dtw| format!("{name} in {}", counted(dtw as usize, "ply")),
                ),
                format: "a NumPy export",
                limit: format!("depths up to {MAX_DTW} of wins and losses"),
            }
        })?;
        out.write_all(&code.to_le_bytes()).map_err(|e| Error::io(path, e))?;
        written += 1;
    }
    if written < order.num_rows() {
        return Err(out_of_order("the end".into(), written));
    }
    Ok(written)
}

/// Creates the error for a row that is not the next one of the array.
fn out_of_order(found: String, next: u64) -> Error {
    let expected = format!("the position of row {next} of the array");
    Error::Mismatch { what: "rows of a NumPy export".into(), found, expected }
}

/// Writes the header of the array in version 1.0 of NumPy's format: a magic number, a length, and a dictionary in
/// Python's syntax, padded with spaces so that the numbers begin at a multiple of 64 bytes.
fn write_header(out: &mut dyn Write, order: Order<'_>) -> std::io::Result<()> {
    let shape = match order {
        Order::Boards(boards) => format!("2, {boards}"),
        Order::Plies(_) | Order::Keys(_) => format!("{},", order.num_rows()),
    };
    let dictionary = format!("{{'descr': '<i2', 'fortran_order': False, 'shape': ({shape}), }}");
    // The line break that ends the dictionary is counted as well.
    let prefix = MAGIC.len() + size_of::<u16>();
    let length = (prefix + dictionary.len() + 1).next_multiple_of(64) - prefix;
    out.write_all(MAGIC)?;
    // Two numbers of 64 bits and the names need less than 128 bytes.
    out.write_all(&u16::try_from(length).map_err(std::io::Error::other)?.to_le_bytes())?;
    writeln!(out, "{dictionary:<width$}", width = length - 1)
}
