//! Rows as comma-separated text: a line of column names, then one line per position. `dtw` is empty for positions
//! without a depth.

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
    for row in rows {
        let row = row?;
        let dtw = row.dtw.map_or(String::new(), |dtw| dtw.to_string());
        let ply = row.ply.map_or(String::new(), |ply| ply.to_string());
        let (side, index) = (row.side.to_string(), row.index.to_string());
        let fields: [&str; 6] = [&ply, &side, &index, &row.position, value_name(row.value), &dtw];
        out.write_record(&fields[usize::from(!has_ply)..]).map_err(failed)?;
        written += 1;
    }
    out.flush().map_err(|e| Error::io(path, e))?;
    Ok(written)
}
