//! Numbers that are written once and then read once, both from front to back, in memory or in an unnamed file.

use std::io::Result;

use super::super::scratch::Scratch;
use crate::automaton::Table;
use crate::disk::{NumberReader, NumberWriter};

/// Numbers that are being written.
pub(super) enum Spool {
    Memory(Vec<u32>),
    File(NumberWriter),
}

/// Numbers that are being read.
pub(super) enum Spooled {
    Memory(std::vec::IntoIter<u32>),
    File(NumberReader),
}

impl Spool {
    /// Creates an empty spool for about `bytes` bytes, in a file in `folder` if one is given.
    pub(super) fn new(folder: Option<&Scratch>, bytes: u64) -> Result<Self> {
        Ok(match folder {
            None => Self::Memory(Vec::new()),
            Some(folder) => Self::File(folder.file(bytes)?),
        })
    }

    pub(super) fn extend(&mut self, numbers: &[u32]) -> Result<()> {
        match self {
            Self::Memory(all) => all.extend_from_slice(numbers),
            Self::File(file) => file.extend(numbers)?,
        }
        Ok(())
    }

    /// Returns the number of bytes in memory.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Memory(all) => 4 * all.capacity() as u64,
            Self::File(_) => NumberWriter::BYTES,
        }
    }

    /// Finishes writing and returns a reader that begins at the first number.
    pub(super) fn read(self) -> Result<Spooled> {
        Ok(match self {
            Self::Memory(all) => Spooled::Memory(all.into_iter()),
            Self::File(file) => Spooled::File(file.read()?),
        })
    }

    /// Finishes writing and returns the numbers as a table.
    pub(super) fn into_table(self) -> Result<Table> {
        Ok(match self {
            Self::Memory(mut all) => {
                all.shrink_to_fit();
                Table::Memory(all)
            }
            Self::File(file) => Table::File(file.map()?),
        })
    }
}

impl Spooled {
    /// Returns how many numbers remain.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Memory(left) => left.len(),
            Self::File(file) => file.remaining(),
        }
    }

    /// Returns the number of bytes in memory.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Memory(left) => 4 * left.len() as u64,
            Self::File(_) => NumberWriter::BYTES,
        }
    }

    /// Reads the next `count` numbers. Fails if fewer numbers remain.
    pub(super) fn take(&mut self, count: usize) -> Result<Vec<u32>> {
        if count > self.len() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        match self {
            // Taking all remaining numbers requires no copy.
            Self::Memory(left) if count == left.len() => Ok(std::mem::take(left).collect()),
            Self::Memory(left) => Ok(left.take(count).collect()),
            Self::File(file) => file.take(count),
        }
    }

    /// Reads all remaining numbers.
    pub(super) fn rest(mut self) -> Result<Vec<u32>> {
        self.take(self.len())
    }

    /// Returns all numbers as a table. No numbers may have been taken before.
    pub(super) fn into_table(self) -> Result<Table> {
        Ok(match self {
            Self::Memory(all) => Table::Memory(all.collect()),
            Self::File(file) => Table::File(file.map()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spooled_data_is_read_from_memory_and_from_files() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path().into());
        let numbers: Vec<u32> = (0..100_000).map(|i| i * 40_003).collect();
        for place in [None, Some(&scratch)] {
            let mut spool = Spool::new(place, 0).unwrap();
            numbers.chunks(777).for_each(|part| spool.extend(part).unwrap());
            let mut spooled = spool.read().unwrap();
            assert_eq!(spooled.take(5).unwrap(), numbers[..5]);
            assert_eq!(spooled.take(70_000).unwrap(), numbers[5..70_005]);
            assert_eq!(spooled.len(), 29_995);
            assert!(spooled.take(29_996).is_err());
            assert_eq!(spooled.rest().unwrap(), numbers[70_005..]);

            let mut spool = Spool::new(place, 0).unwrap();
            spool.extend(&numbers).unwrap();
            assert_eq!(*spool.into_table().unwrap(), numbers[..]);
            let mut spool = Spool::new(place, 0).unwrap();
            spool.extend(&numbers).unwrap();
            assert_eq!(*spool.read().unwrap().into_table().unwrap(), numbers[..]);
        }
    }
}
