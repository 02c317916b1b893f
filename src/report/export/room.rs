//! The free disk, looked at before an export and while its file grows.

use std::io::{self, Write};
use std::path::Path;

use nerode_games::Game;

use super::Format;
use crate::error::Result;
use crate::solve::disk::Disk;

/// Bytes between two looks.
const STEP: u64 = 64 << 20;

/// Bytes that the other columns of a line of text take at least: side, index, value, and what stands between them.
const LEAST_COLUMNS: u64 = 11;

/// Bytes that the rows of all `num_rows` positions take at least. The text of the start position stands for that of every other.
pub fn least_bytes(format: Format, game: &dyn Game, num_rows: u64) -> u64 {
    let text = game.format_position(&game.start_position()).len() as u64;
    num_rows.saturating_mul(match format {
        Format::Npy => 2,
        // Short texts vary in length.
        Format::Csv => LEAST_COLUMNS + text / 2,
        // Compressed: nobody knows before.
        Format::Parquet => 0,
    })
}

/// A file that is not written on where the disk becomes full.
pub struct Watched<'a> {
    out: &'a mut (dyn Write + Send),
    path: &'a Path,
    disk: &'a Disk,
    /// Bytes since the last look.
    unseen: u64,
}

impl<'a> Watched<'a> {
    /// The file `path`, open as `out`, which takes `least_bytes` at least.
    ///
    /// # Errors
    /// [`crate::error::Error::DiskFull`] where that does not fit.
    pub fn new(
        out: &'a mut (dyn Write + Send),
        path: &'a Path,
        disk: &'a Disk,
        least_bytes: u64,
    ) -> Result<Self> {
        disk.must_hold(path, least_bytes)?;
        Ok(Self { out, path, disk, unseen: 0 })
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.unseen >= STEP {
            let full =
                |error: crate::error::Error| io::Error::new(io::ErrorKind::StorageFull, error.to_string());
            self.disk.must_hold(self.path, STEP).map_err(full)?;
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
    use crate::error::Error;
    use crate::solve::disk::MARGIN;

    #[test]
    fn a_disk_that_fills_up_stops_the_file() {
        let free = Arc::new(AtomicU64::new(MARGIN + 10 * STEP));
        let told = Arc::clone(&free);
        let disk = Disk::told(move |_| Some(told.load(Ordering::Relaxed)));
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
    fn what_a_file_takes_at_least_is_less_than_it_takes() {
        let nim = nerode_games::registry::open("nim:2x3").unwrap();
        assert_eq!(least_bytes(Format::Npy, nim.as_ref(), 32), 64);
        let line = "P1,0,0/0 P1,loss,0\n";
        assert!(least_bytes(Format::Csv, nim.as_ref(), 1) < line.len() as u64);
    }
}
