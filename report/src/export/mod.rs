//! Export of positions with their values to files for other programs: CSV, NumPy, and Parquet behind the cargo feature
//! `parquet`.
//!
//! Every writer takes a stream of [`Row`]s, holds a bounded number of them in memory, and leaves either a complete file
//! or none. Rows with `P1` to move come first, then rows with `P2` to move, by increasing index; see [`rows_of`].

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
pub use room::{Watched, foreseen_bytes};
pub use rows::{Row, rows_of, value_name};

/// A file format for rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Comma-separated text with a line of column names: `side,index,position,value,dtw`.
    Csv,
    /// A NumPy array of 16-bit integers, `[side, index]`; see [`npy_code`].
    Npy,
    /// A Parquet file with columns `side`, `index`, `position`, `value`, `dtw`.
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

/// Writes `rows` to `path`. `num_positions` is the number of positions of one side, which [`Format::Npy`] needs in
/// advance and enforces. The other formats accept any rows.
///
/// *Cost*: one pass, with at most a few megabytes of memory.
///
/// # Errors
/// Returns [`Error::Io`], an error from the rows, [`Error::NotBuilt`] for [`Format::Parquet`] in a program built
/// without it, or [`Error::Mismatch`] or [`Error::Unrepresentable`] if the rows do not fill a NumPy array in order.
pub fn write_rows(
    path: &Path,
    format: Format,
    num_positions: u64,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<Exported> {
    write_atomic(path, |file| {
        let mut out = Counted::new(file);
        let rows = put_rows(&mut out, path, format, num_positions, rows)?;
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
    num_positions: u64,
    rows: impl Iterator<Item = Result<Row>>,
) -> Result<u64> {
    match format {
        Format::Csv => csv::put(out, path, rows),
        Format::Npy => npy::put(out, path, num_positions, rows),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::put(out, path, rows),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(Error::NotBuilt { feature: "parquet" }),
    }
}
