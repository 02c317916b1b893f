//! Numbers in an unnamed file, which are written from front to back and then either read in the same order or mapped.
//!
//! They have the byte order of the machine, because no other process uses the file.

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use super::{File, Mapped};

/// The size in bytes of the buffers for small reads and writes.
const BUFFER: usize = 1 << 13;

/// A writer of numbers.
#[derive(Debug)]
pub(crate) struct NumberWriter {
    file: BufWriter<File>,
    len: usize,
}

/// A reader of numbers.
#[derive(Debug)]
pub(crate) struct NumberReader {
    file: BufReader<File>,
    len: usize,
    left: usize,
}

impl NumberWriter {
    /// The number of bytes that a writer holds in memory. A reader holds the same number.
    pub(crate) const BYTES: u64 = BUFFER as u64;

    /// Creates an empty file in `folder`.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(BUFFER, File::nameless(folder)?), len: 0 })
    }

    /// Appends numbers.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub(crate) fn extend(&mut self, numbers: &[u32]) -> io::Result<()> {
        self.len += numbers.len();
        self.file.write_all(bytemuck::cast_slice(numbers))
    }

    fn end(self) -> io::Result<(File, usize)> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((file, self.len))
    }

    /// Returns a reader that begins at the first number.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub(crate) fn read(self) -> io::Result<NumberReader> {
        let (mut file, len) = self.end()?;
        file.rewind()?;
        Ok(NumberReader { file: BufReader::with_capacity(BUFFER, file), len, left: len })
    }

    /// Maps the numbers into memory.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub(crate) fn map(self) -> io::Result<Mapped> {
        let (file, len) = self.end()?;
        Mapped::new(file, len)
    }
}

impl NumberReader {
    /// Returns how many numbers remain.
    pub(crate) fn remaining(&self) -> usize {
        self.left
    }

    /// Reads the next `count` numbers.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::UnexpectedEof`] if fewer numbers remain, or the error of the operating system.
    pub(crate) fn take(&mut self, count: usize) -> io::Result<Vec<u32>> {
        self.left = self.left.checked_sub(count).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut numbers = vec![0; count];
        self.file.read_exact(bytemuck::cast_slice_mut(&mut numbers))?;
        Ok(numbers)
    }

    /// Maps all numbers into memory, including those that have been read.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    pub(crate) fn map(self) -> io::Result<Mapped> {
        Mapped::new(self.file.into_inner(), self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_numbers_are_read_and_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let numbers: Vec<u32> = (0..100_000).map(|i| i * 40_003).collect();
        let mut writer = NumberWriter::new(folder.path()).unwrap();
        numbers.chunks(777).for_each(|part| writer.extend(part).unwrap());
        let mut reader = writer.read().unwrap();
        assert_eq!(reader.take(5).unwrap(), numbers[..5]);
        assert_eq!(reader.take(70_000).unwrap(), numbers[5..70_005]);
        assert_eq!(reader.remaining(), 29_995);
        assert!(reader.take(29_996).is_err());
        assert_eq!(*reader.map().unwrap(), numbers[..]);
    }
}
