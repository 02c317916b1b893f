//! Checks of the free disk space before an export and while its file grows.

use std::io::{self, Write};
use std::path::Path;

use nerode_dfa::Size;
use nerode_games::{Game, Position, Side};

use super::Format;
use nerode_oracle::Indexer;
use nerode_solver::error::Result;
use nerode_solver::solve::disk::{Disk, MARGIN};

/// The number of bytes between two checks.
const STEP: u64 = 64 << 20;

/// The size in bytes of the other columns of a line of text: the side, a value of four letters, and the separators.
const OTHER_COLUMNS: u64 = 11;

/// The size in bytes of the ply, the depth and a separator in a line of a listing.
const PLY_COLUMNS: u64 = 5;

/// The size in bytes of the line of column names.
const NAMES: u64 = 30;

/// The number of positions from which the mean length of texts is estimated.
const LOOKS: u64 = 64;

/// Returns the expected size in bytes of the rows of all positions. For text formats, it is estimated from the mean
/// length of a few rows.
pub fn foreseen_bytes(format: Format, game: &dyn Game, indexer: &Indexer) -> u64 {
    match format {
        Format::Npy => indexer.num_positions().saturating_mul(4),
        Format::Csv => csv_bytes(game, indexer),
        // The size after compression cannot be predicted.
        Format::Parquet => 0,
    }
}

fn csv_bytes(game: &dyn Game, indexer: &Indexer) -> u64 {
    let boards = indexer.num_positions();
    let looks = LOOKS.min(boards).max(1);
    let of_row = |index: u64| {
        let board = indexer.board_of(index)?;
        let text = game.format_position(&Position { board, side: Side::P1 }).len();
        Some(OTHER_COLUMNS + text as u64 + index.to_string().len() as u64)
    };
    let all: u64 = (0..looks).filter_map(|look| of_row(boards / looks * look + boards / looks / 2)).sum();
    let bytes = 2 * u128::from(boards) * u128::from(all) / u128::from(looks);
    u64::try_from(bytes).unwrap_or(u64::MAX).saturating_add(NAMES)
}

/// Returns the expected size in bytes of the rows of a listing, given the number of positions of each ply. For text
/// formats, it is estimated from the length of the start position.
pub fn foreseen_bytes_by_ply(format: Format, game: &dyn Game, counts: &[u64]) -> u64 {
    let total: u64 = counts.iter().sum();
    let text = game.format_position(&game.start_position()).len() as u64;
    match format {
        Format::Npy => total.saturating_mul(2),
        Format::Csv => {
            let digits = |count: &u64| count.to_string().len() as u64;
            let of_ply =
                |count: &u64| count.saturating_mul(OTHER_COLUMNS + PLY_COLUMNS + text + digits(count));
            counts.iter().map(of_ply).fold(NAMES, u64::saturating_add)
        }
        // The size after compression cannot be predicted.
        Format::Parquet => 0,
    }
}

/// A file writer that stops before the disk is full.
pub struct Watched<'a> {
    out: &'a mut (dyn Write + Send),
    path: &'a Path,
    disk: &'a Disk,
    /// The number of bytes since the last check.
    unseen: u64,
}

impl<'a> Watched<'a> {
    /// Wraps the file `path`, which is open as `out` and will take about `bytes`.
    ///
    /// # Errors
    /// Returns [`nerode_solver::error::Error::DiskFull`] if there is not enough space.
    pub fn new(out: &'a mut (dyn Write + Send), path: &'a Path, disk: &'a Disk, bytes: u64) -> Result<Self> {
        disk.must_hold(path, bytes)?;
        Ok(Self { out, path, disk, unseen: 0 })
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.unseen >= STEP {
            let full = || {
                let kept = Size(MARGIN.into());
                let text = format!(
                    "the disk is full except for the {kept} that must stay free; the incomplete file was \
                     removed"
                );
                io::Error::new(io::ErrorKind::StorageFull, text)
            };
            self.disk.must_hold(self.path, STEP).map_err(|_| full())?;
            self.unseen = 0;
        }
        let written = self.out.write(bytes)?;
        self.unseen += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::export::Order;
    use nerode_solver::error::Error;

    #[test]
    fn a_disk_that_fills_up_stops_the_file() {
        let free = Arc::new(AtomicU64::new(MARGIN + 10 * STEP));
        let told = Arc::clone(&free);
        let disk = Disk::with_free_space(move |_| Some(told.load(Ordering::Relaxed)));
        let path = Path::new("x.csv");
        let mut out = io::sink();
        assert!(matches!(Watched::new(&mut out, path, &disk, 11 * STEP), Err(Error::DiskFull { .. })));
        let mut file = Watched::new(&mut out, path, &disk, STEP).unwrap();
        let block = vec![0; 1 << 20];
        let mut put = |blocks: u64| (0..blocks).try_for_each(|_| file.write_all(&block));
        put(100).unwrap();
        free.store(MARGIN, Ordering::Relaxed);
        assert_eq!(put(100).unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn the_bytes_foreseen_are_nearly_those_written() {
        let open = |spec: &str| nerode_games::registry::open(spec).unwrap();
        for spec in ["nim:2x3", "breakthrough:2x4", "tictactoe:3x3"] {
            let game = open(spec);
            let indexer = Indexer::new(game.as_ref(), spec).unwrap();
            let boards = indexer.num_positions();
            assert_eq!(foreseen_bytes(Format::Npy, game.as_ref(), &indexer), 4 * boards);
            let mut written = Vec::new();
            let codes = || (0..boards).map(|_| Ok(nerode_solver::outcome::code16::DRAW));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            let rows = Side::BOTH
                .into_iter()
                .flat_map(|side| super::super::rows_of(game.as_ref(), &indexer, side, codes(), true, &pool));
            super::super::put_rows(&mut written, Path::new("x"), Format::Csv, Order::Boards(boards), rows)
                .unwrap();
            let (foreseen, written) =
                (foreseen_bytes(Format::Csv, game.as_ref(), &indexer), written.len() as u64);
            assert!(foreseen.abs_diff(written) * 20 <= written, "{spec}: {foreseen} {written}");
        }
    }
}
