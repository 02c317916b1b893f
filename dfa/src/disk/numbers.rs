//! Numbers in a nameless file: written from front to back, then read from front to back, or mapped.
//!
//! They are in the byte order of the machine, because no other process has the file.

use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use super::{File, Mapped};

/// Bytes between two reads or writes of small parts.
const BUFFER: usize = 1 << 13;

/// Numbers being written.
#[derive(Debug)]
pub(crate) struct NumberWriter {
    file: BufWriter<File>,
    len: usize,
}

/// Numbers being read.
#[derive(Debug)]
pub(crate) struct NumberReader {
    file: BufReader<File>,
    len: usize,
    left: usize,
}

impl NumberWriter {
    /// Bytes in memory, for a reader too.
    pub(crate) const BYTES: u64 = BUFFER as u64;

    /// Nothing yet, in a file in `folder`.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(BUFFER, File::nameless(folder)?), len: 0 })
    }

    /// Adds numbers.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn extend(&mut self, numbers: &[u32]) -> io::Result<()> {
        self.len += numbers.len();
        self.file.write_all(bytemuck::cast_slice(numbers))
    }

    fn end(self) -> io::Result<(File, usize)> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((file, self.len))
    }

    /// What was written, from its beginning.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn read(self) -> io::Result<NumberReader> {
        let (mut file, len) = self.end()?;
        file.rewind()?;
        Ok(NumberReader { file: BufReader::with_capacity(BUFFER, file), len, left: len })
    }

    /// What was written, mapped.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn map(self) -> io::Result<Mapped> {
        let (file, len) = self.end()?;
        Mapped::new(file, len)
    }
}

impl NumberReader {
    /// How many numbers are left.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// The next `count` numbers.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] where fewer are left; what the system says.
    pub(crate) fn take(&mut self, count: usize) -> io::Result<Vec<u32>> {
        self.left = self.left.checked_sub(count).ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut numbers = vec![0; count];
        self.file.read_exact(bytemuck::cast_slice_mut(&mut numbers))?;
        Ok(numbers)
    }

    /// All numbers, those that were taken among them, mapped.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn map(self) -> io::Result<Mapped> {
        Mapped::new(self.file.into_inner(), self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_mapped() {
        let folder = tempfile::tempdir().unwrap();
        let numbers: Vec<u32> = (0..100_000).map(|i| i * 40_003).collect();
        let mut writer = NumberWriter::new(folder.path()).unwrap();
        numbers.chunks(777).for_each(|part| writer.extend(part).unwrap());
        let mut reader = writer.read().unwrap();
        assert_eq!(reader.take(5).unwrap(), numbers[..5]);
        assert_eq!(reader.take(70_000).unwrap(), numbers[5..70_005]);
        assert_eq!(reader.left(), 29_995);
        assert!(reader.take(29_996).is_err());
        assert_eq!(*reader.map().unwrap(), numbers[..]);
    }
}
