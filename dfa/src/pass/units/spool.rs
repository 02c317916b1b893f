//! Numbers that are written once from front to back, then read once from front to back: in memory or in a nameless file.

use std::io::{BufReader, BufWriter, Read, Result, Seek, Write};

use super::super::scratch::Scratch;
use crate::disk::File;

/// Bytes between two reads or writes of a file.
const BUFFER: usize = 1 << 13;
/// Numbers converted at a time.
const CHUNK: usize = 1 << 14;

/// Numbers being written.
pub(super) enum Spool {
    Memory(Vec<u32>),
    File(BufWriter<File>, u64),
}

/// Numbers being read.
pub(super) enum Spooled {
    Memory(std::vec::IntoIter<u32>),
    File(BufReader<File>, u64),
}

impl Spool {
    /// Nothing yet, in a file of `folder` if there is one, for about `bytes` bytes.
    pub(super) fn new(folder: Option<&Scratch>, bytes: u64) -> Result<Self> {
        Ok(match folder {
            None => Self::Memory(Vec::new()),
            Some(folder) => Self::File(BufWriter::with_capacity(BUFFER, folder.file(bytes)?), 0),
        })
    }

    pub(super) fn extend(&mut self, numbers: &[u32]) -> Result<()> {
        match self {
            Self::Memory(all) => all.extend_from_slice(numbers),
            Self::File(file, len) => {
                let mut bytes = Vec::with_capacity(4 * numbers.len().min(CHUNK));
                for numbers in numbers.chunks(CHUNK) {
                    bytes.clear();
                    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                    file.write_all(&bytes)?;
                }
                *len += numbers.len() as u64;
            }
        }
        Ok(())
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Memory(all) => 4 * all.capacity() as u64,
            Self::File(..) => BUFFER as u64,
        }
    }

    /// What was written, from its beginning.
    pub(super) fn read(self) -> Result<Spooled> {
        Ok(match self {
            Self::Memory(all) => Spooled::Memory(all.into_iter()),
            Self::File(file, len) => {
                let mut file = file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
                file.rewind()?;
                Spooled::File(BufReader::with_capacity(BUFFER, file), len)
            }
        })
    }
}

impl Spooled {
    /// How many numbers are left.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Memory(left) => left.len(),
            Self::File(_, left) => *left as usize,
        }
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Memory(left) => 4 * left.len() as u64,
            Self::File(..) => BUFFER as u64,
        }
    }

    /// The next `count` numbers, which must be there.
    pub(super) fn take(&mut self, count: usize) -> Result<Vec<u32>> {
        if count > self.len() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        match self {
            // All of it: without a copy.
            Self::Memory(left) if count == left.len() => Ok(std::mem::take(left).collect()),
            Self::Memory(left) => Ok(left.take(count).collect()),
            Self::File(file, left) => {
                *left -= count as u64;
                take_numbers(file, count)
            }
        }
    }

    /// All that is left.
    pub(super) fn rest(mut self) -> Result<Vec<u32>> {
        self.take(self.len())
    }
}

/// Reads `count` numbers.
pub(super) fn take_numbers(from: &mut impl Read, count: usize) -> Result<Vec<u32>> {
    let mut bytes = vec![0; 4 * CHUNK.min(count)];
    // What a file claims is not reserved beyond a chunk before it is there.
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let bytes = &mut bytes[..4 * CHUNK.min(count - numbers.len())];
        from.read_exact(bytes)?;
        numbers.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_from_memory_and_from_files() {
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
        }
    }
}
