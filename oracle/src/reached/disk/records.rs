//! Scratch files of records of a fixed size.

use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::error::{Error, Result};

/// The place for scratch files.
pub trait Scratch: Sync {
    /// Creates an empty file, which is deleted when it is dropped.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    fn create(&self) -> io::Result<Box<dyn ScratchFile>>;
}

/// A file that several threads read and write at any place.
pub trait ScratchFile: Send + Sync {
    /// Writes `bytes` from byte `at` on, and extends the file if necessary.
    ///
    /// # Errors
    /// Returns the error of the operating system.
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Fills `bytes` with those from byte `at` on.
    ///
    /// # Errors
    /// Returns the error of the operating system, or [`io::ErrorKind::UnexpectedEof`] if the file ends earlier.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// A value with a fixed number of bytes.
pub(super) trait Record: Copy + Ord + Send + Sync {
    const BYTES: usize;

    fn put(&self, out: &mut Vec<u8>);

    /// Returns the record with these bytes, whose number is [`Record::BYTES`].
    fn get(bytes: &[u8]) -> Self;
}

impl Record for u16 {
    const BYTES: usize = 2;

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn get(bytes: &[u8]) -> Self {
        Self::from_le_bytes([bytes[0], bytes[1]])
    }
}

impl Record for u32 {
    const BYTES: usize = 4;

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn get(bytes: &[u8]) -> Self {
        Self::from_le_bytes(std::array::from_fn(|at| bytes[at]))
    }
}

impl Record for u64 {
    const BYTES: usize = 8;

    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn get(bytes: &[u8]) -> Self {
        Self::from_le_bytes(std::array::from_fn(|at| bytes[at]))
    }
}

impl<const N: usize> Record for [u64; N] {
    const BYTES: usize = 8 * N;

    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
    }

    fn get(bytes: &[u8]) -> Self {
        std::array::from_fn(|word| u64::from_le_bytes(std::array::from_fn(|at| bytes[8 * word + at])))
    }
}

impl<A: Record, B: Record> Record for (A, B) {
    const BYTES: usize = A::BYTES + B::BYTES;

    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn get(bytes: &[u8]) -> Self {
        let (first, second) = bytes.split_at(A::BYTES);
        (A::get(first), B::get(second))
    }
}

/// The number of bytes that are collected before they are written.
const BUFFER: usize = 1 << 15;

/// The number of records that are copied at a time.
const PIECE: u64 = 1 << 12;

/// A file of records.
pub(super) struct Records<R> {
    file: Arc<dyn ScratchFile>,
    /// The number of records in the file.
    len: u64,
    /// The bytes of the records after those.
    tail: Vec<u8>,
    record: PhantomData<R>,
}

impl<R: Record> Records<R> {
    /// Creates an empty file.
    pub(super) fn new(scratch: &dyn Scratch) -> Result<Self> {
        let file = scratch.create().map_err(Error::disk)?;
        Ok(Self { file: file.into(), len: 0, tail: Vec::new(), record: PhantomData })
    }

    /// Returns the number of records.
    pub(super) fn len(&self) -> u64 {
        self.len + (self.tail.len() / R::BYTES) as u64
    }

    /// Appends a record. It can be read after [`Records::flush`].
    pub(super) fn push(&mut self, record: R) -> Result<()> {
        record.put(&mut self.tail);
        if self.tail.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Writes the records that were appended.
    pub(super) fn flush(&mut self) -> Result<()> {
        let len = self.len();
        self.file.write_at(self.len * R::BYTES as u64, &self.tail).map_err(Error::disk)?;
        self.tail.clear();
        self.len = len;
        Ok(())
    }

    /// Appends records.
    pub(super) fn append(&mut self, records: &[R]) -> Result<()> {
        records.iter().try_for_each(|&record| self.push(record))?;
        self.flush()
    }

    /// Appends the records of another file.
    pub(super) fn extend(&mut self, other: &Self) -> Result<()> {
        let mut piece = Vec::new();
        for first in (0..other.len).step_by(PIECE as usize) {
            other.read(first..other.len.min(first + PIECE), &mut piece)?;
            self.append(&piece)?;
        }
        Ok(())
    }

    /// Writes records from number `at` on. Other threads may write elsewhere in the file at the same time; the number of records
    /// does not change.
    pub(super) fn write(&self, at: u64, records: &[R]) -> Result<()> {
        let mut bytes = Vec::with_capacity(records.len() * R::BYTES);
        records.iter().for_each(|record| record.put(&mut bytes));
        self.file.write_at(at * R::BYTES as u64, &bytes).map_err(Error::disk)
    }

    /// Replaces the contents of `out` by the records with these numbers.
    pub(super) fn read(&self, numbers: Range<u64>, out: &mut Vec<R>) -> Result<()> {
        read(&*self.file, numbers, out)
    }

    /// Returns a reader of the records with these numbers, which must be sorted, that reads `block` records at a time.
    pub(super) fn sorted(&self, numbers: Range<u64>, block: u64) -> Sorted<R> {
        let Range { start: at, end } = numbers;
        Sorted { file: Arc::clone(&self.file), at, end, block_len: block.max(1), block: Vec::new(), next: 0 }
    }

    /// Returns a reader for single records at increasing places.
    pub(super) fn window(&self) -> Window<R> {
        Window { file: Arc::clone(&self.file), first: 0, block: Vec::new() }
    }
}

fn read<R: Record>(file: &dyn ScratchFile, numbers: Range<u64>, out: &mut Vec<R>) -> Result<()> {
    // A caller reads as many records as it has memory for.
    let mut bytes = vec![0; (numbers.end - numbers.start) as usize * R::BYTES];
    file.read_at(numbers.start * R::BYTES as u64, &mut bytes).map_err(Error::disk)?;
    out.clear();
    out.extend(bytes.chunks_exact(R::BYTES).map(R::get));
    Ok(())
}

/// A reader of sorted records from the first to the last.
pub(super) struct Sorted<R> {
    file: Arc<dyn ScratchFile>,
    /// The number of the record after the block.
    at: u64,
    end: u64,
    block_len: u64,
    block: Vec<R>,
    /// The place in the block of the next record.
    next: usize,
}

impl<R: Record> Sorted<R> {
    /// Returns the next record without going past it.
    pub(super) fn peek(&mut self) -> Result<Option<R>> {
        if self.next == self.block.len() && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.block[self.next]))
    }

    /// Goes past the record that [`Sorted::peek`] has returned.
    pub(super) fn advance(&mut self) {
        self.next += 1;
    }

    /// Goes to the first record that is at least `record`, and returns it with its number. Records before it are skipped.
    fn seek(&mut self, record: &R) -> Result<Option<(u64, R)>> {
        if self.block.last().is_none_or(|last| last < record) {
            self.skip(record)?;
        }
        let rest = &self.block[self.next..];
        // The records that are asked for are usually near to each other.
        let near = rest.iter().take(NEAR).position(|found| found >= record);
        self.next += near.unwrap_or_else(|| rest.partition_point(|found| found < record));
        let first = self.at - self.block.len() as u64;
        Ok(self.block.get(self.next).map(|&found| (first + self.next as u64, found)))
    }

    /// Goes to a record as [`Sorted::seek`] does. Returns its number, or `None` if it is not present.
    pub(super) fn find(&mut self, record: &R) -> Result<Option<u64>> {
        let found = self.seek(record)?.filter(|(_, found)| found == record);
        Ok(found.map(|(number, _)| number))
    }

    /// Reads the first block whose last record is at least `record`, or the last one.
    fn skip(&mut self, record: &R) -> Result<()> {
        loop {
            if !self.fill()? || self.block.last().is_some_and(|last| last >= record) {
                return Ok(());
            }
            // Between `low`, whose predecessor is smaller, and `high`, which is large enough or the end.
            let (mut low, mut high, mut step) = (self.at, self.end, self.block_len);
            let mut one: Vec<R> = Vec::with_capacity(1);
            while high - low > self.block_len {
                let probe = low + step.min((high - low) / 2);
                read(&*self.file, probe..probe + 1, &mut one)?;
                match one[0] < *record {
                    true => (low, step) = (probe + 1, step.saturating_mul(2)),
                    false => high = probe,
                }
            }
            self.at = low;
        }
    }

    /// Reads the next block. Returns `false` if there is none.
    fn fill(&mut self) -> Result<bool> {
        let end = self.end.min(self.at + self.block_len);
        self.next = 0;
        read(&*self.file, self.at..end, &mut self.block)?;
        self.at = end;
        Ok(!self.block.is_empty())
    }
}

/// The number of records that are compared one after the other.
const NEAR: usize = 8;

/// The number of records that a [`Window`] reads at a time.
const WINDOW: u64 = 1 << 10;

/// A reader for single records, which keeps those near to the last one.
pub(super) struct Window<R> {
    file: Arc<dyn ScratchFile>,
    first: u64,
    block: Vec<R>,
}

impl<R: Record> Window<R> {
    /// Returns a record of a file with `len` records.
    pub(super) fn get(&mut self, number: u64, len: u64) -> Result<R> {
        if number < self.first || number >= self.first + self.block.len() as u64 {
            read(&*self.file, number..len.min(number + WINDOW), &mut self.block)?;
            self.first = number;
        }
        Ok(self.block[(number - self.first) as usize])
    }
}
