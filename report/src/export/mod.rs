//! Positions with their values as files that other programs read: CSV, NumPy, and Parquet behind the cargo feature
//! `parquet`.
//!
//! Every writer takes a stream of [`Row`]s, keeps a bounded number of them in memory, and leaves a complete file or none.
//! Rows come with `P1` to move first, then `P2`, by rising index; see [`rows_of`].

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
    /// Comma-separated text with a line of names: `side,index,position,value,dtw`.
    Csv,
    /// A NumPy array of 16-bit integers, `[side, index]`, see [`npy_code`].
    Npy,
    /// A Parquet file with columns `side`, `index`, `position`, `value`, `dtw`.
    Parquet,
}

impl Format {
    /// Every format, whether this program was built with it or not.
    pub const ALL: [Format; 3] = [Format::Csv, Format::Npy, Format::Parquet];

    /// The format's name, which is also the usual ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Npy => "npy",
            Format::Parquet => "parquet",
        }
    }

    /// Whether rows of this format carry the text of the position; where not, [`Row::position`] may be left empty.
    pub fn shows_positions(self) -> bool {
        self != Format::Npy
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let form = "known are csv, npy, parquet";
            Error::Malformed { what: "a format for rows", text: name.into(), form }
        })
    }
}

/// What an export wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Rows written.
    pub rows: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Writes `rows` to `path`. `num_positions` is the number of positions of one side, which [`Format::Npy`] needs in advance
/// and insists on; the other formats take any rows.
///
/// *Cost*: one pass; memory of a few megabytes at most.
///
/// # Errors
/// [`Error::Io`]; an error from the rows; [`Error::NotBuilt`] for [`Format::Parquet`] in a program built without it;
/// [`Error::Mismatch`] and [`Error::Unrepresentable`] for rows that do not fill a NumPy array in order.
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

/// As [`write_rows`], into `out`, which errors call `path`; how many rows they were.
///
/// # Errors
/// As for [`write_rows`]; then `out` holds part of the rows.
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
