//! Rows as comma-separated text: a line of column names, then one line per position. `dtw` is empty for positions
//! without a depth.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use super::rows::{Order, Row, value_name};
use nerode_solver::error::{Error, Result};

/// Writes the rows and returns their number.
pub(super) fn put(
    out: &mut (dyn Write + Send),
    path: &Path,
    order: Order<'_>,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<u64> {
    let failed = |error: ::csv::Error| Error::io(path, error.into());
    let mut out = ::csv::Writer::from_writer(out);
    let has_ply = matches!(order, Order::Plies(_));
    let names = ["ply", "side", "index", "position", "value", "dtw"];
    out.write_record(&names[usize::from(!has_ply)..]).map_err(failed)?;
    let mut written = 0;
    // The texts of numbers are written to the same memory in every row.
    let [mut ply, mut index, mut dtw] = [const { String::new() }; 3];
    for row in rows {
        let row = row?;
        put_number(&mut ply, row.ply.map(u64::from));
        put_number(&mut index, Some(row.index));
        put_number(&mut dtw, row.dtw.map(u64::from));
        let side = ["P1", "P2"][row.side.index()];
        let fields: [&str; 6] = [&ply, side, &index, &row.position, value_name(row.value), &dtw];
        out.write_record(&fields[usize::from(!has_ply)..]).map_err(failed)?;
        written += 1;
    }
    out.flush().map_err(|e| Error::io(path, e))?;
    Ok(written)
}

/// Replaces `text` by the digits of a number, or by nothing.
fn put_number(text: &mut String, number: Option<u64>) {
    text.clear();
    if let Some(number) = number {
        // Writing to a string cannot fail.
        let _ = write!(text, "{number}");
    }
}
