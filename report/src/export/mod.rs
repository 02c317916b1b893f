//! Export of positions with their values to files for other programs: CSV, NumPy, and Parquet behind the cargo feature
//! `parquet`.
//!
//! Every writer takes a stream of [`Row`]s, holds a bounded number of them in memory, and leaves either a complete file
//! or none. The [`Order`] of the rows is that of all boards, see [`rows_of`], that of the plies of a listing, see
//! [`rows_of_ply`], or that of the keys of reached positions, see [`rows_of_keys`].

mod csv;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod room;
mod rows;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use nerode_solver::archive::files::{Counted, write_atomic};
use nerode_solver::error::{Error, Result};

pub use npy::npy_code;
pub use room::{Watched, foreseen_bytes, foreseen_bytes_by_ply};
pub use rows::{Order, Row, rows_of, rows_of_keys, rows_of_ply, value_name};

/// A file format for rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated text with a line of column names: `side,index,position,value,dtw`. Lists of reached positions begin
    /// with the column `ply`.
    Csv,
    /// A NumPy array of 16-bit integers, `[side, index]`, or `[row]` for reached positions; see [`npy_code`].
    Npy,
    /// A Parquet file with the same columns as `Csv`.
    Parquet,
}

impl Format {
    /// All formats, whether this program was built with them or not.
    pub const ALL: [Format; 3] = [Format::Csv, Format::Npy, Format::Parquet];

    /// Returns the name of the format, which is also the usual extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Npy => "npy",
            Format::Parquet => "parquet",
        }
    }

    /// Returns `true` if rows of this format contain the text of the position. Otherwise, [`Row::position`] may be empty.
    pub fn shows_positions(self) -> bool {
        self != Format::Npy
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let form = "known formats: csv, npy, parquet";
            Error::Malformed { what: "a format for rows", text: name.into(), form }
        })
    }
}

/// The result of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The number of rows written.
    pub rows: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Writes `rows`, which are in the order `order`, to `path`. [`Format::Npy`] enforces this order.
///
/// *Cost*: one pass, with at most a few megabytes of memory.
///
/// # Errors
/// Returns [`Error::Io`], an error from the rows, [`Error::NotBuilt`] for [`Format::Parquet`] in a program built
/// without it, or [`Error::Mismatch`] or [`Error::Unrepresentable`] if the rows do not fill a NumPy array in order.
pub fn write_rows(
    path: &Path,
    format: Format,
    order: Order<'_>,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<Exported> {
    write_atomic(path, |file| {
        let mut out = Counted::new(file);
        let rows = put_rows(&mut out, path, format, order, rows)?;
        Ok(Exported { rows, bytes: out.bytes() })
    })
}

/// Writes rows like [`write_rows`], but into `out`, and returns their number. Errors refer to `out` as `path`.
///
/// # Errors
/// Returns the same errors as [`write_rows`]. In that case, `out` contains a part of the rows.
pub fn put_rows(
    out: &mut (dyn Write + Send),
    path: &Path,
    format: Format,
    order: Order<'_>,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<u64> {
    match format {
        Format::Csv => csv::put(out, path, order, rows),
        Format::Npy => npy::put(out, path, order, rows),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::put(out, path, order, rows),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(Error::NotBuilt { feature: "parquet" }),
    }
}
