//! Rows of the layers that have been expanded, in memory or, above a limit, in unnamed scratch files.

use crate::disk::{NumberReader, NumberWriter};
use crate::error::{Error, Result};

use super::budget::{Bytes, Loan};
use super::scratch::Scratch;

/// The targets of one layer's macrostates, by partition. A target is 0, 1, the number of a macrostate in the next layer
/// (in the letter's list, if there are several), or a copy of a state in that layer.
pub(super) struct Rows(pub(super) Vec<Vec<u32>>);

impl Bytes for Rows {
    fn bytes(&self) -> u64 {
        self.0.iter().map(|r| 4 * r.capacity() as u64).sum()
    }
}

enum StoredRows {
    Memory(Rows),
    /// A file with the concatenated targets of the partitions, and the number of targets of each partition.
    Disk(NumberReader, Vec<usize>),
}

/// A stack of rows by layer: the first layer is pushed first, and the last layer is popped first. Rows in memory are
/// covered by a loan.
pub(super) struct RowStore<'a> {
    scratch: Option<Scratch>,
    layers: Vec<StoredRows>,
    loan: Loan<'a>,
}

impl<'a> RowStore<'a> {
    /// Creates an empty stack. Without `scratch`, all rows stay in memory.
    pub(super) fn new(scratch: Option<Scratch>, loan: Loan<'a>) -> Self {
        Self { scratch, layers: Vec::new(), loan }
    }

    /// Returns the maximum number of bytes that the rows in memory could take under the cap.
    pub(super) fn room(&self) -> u64 {
        self.loan.room()
    }

    /// Returns the number of bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        let of = |layer: &StoredRows| if let StoredRows::Memory(rows) = layer { rows.bytes() } else { 0 };
        self.layers.iter().map(of).sum()
    }

    /// Returns the number of bytes that cannot be moved to disk.
    pub(super) fn least_bytes(&self) -> u64 {
        if self.scratch.is_some() { 0 } else { self.bytes() }
    }

    /// Pushes the next layer.
    pub(super) fn push(&mut self, rows: Rows) {
        self.layers.push(StoredRows::Memory(rows));
        self.loan.set(self.bytes());
    }

    /// Moves layers to disk, beginning with the first ones, until the rest takes at most `limit` bytes. Does nothing
    /// without scratch files. Returns the number of bytes written.
    ///
    /// # Errors
    /// Returns [`Error::Io`], for example if the disk is full.
    pub(super) fn shrink(&mut self, limit: u64) -> Result<u64> {
        let Some(scratch) = &self.scratch else { return Ok(0) };
        let (mut held, mut written) = (self.bytes(), 0);
        for layer in &mut self.layers {
            if held <= limit {
                break;
            }
            if let StoredRows::Memory(rows) = layer {
                held -= rows.bytes();
                let counts: Vec<usize> = rows.0.iter().map(Vec::len).collect();
                let bytes = 4 * counts.iter().sum::<usize>() as u64;
                let file = scratch.file(bytes).and_then(|file| write(rows, file));
                let file = file.map_err(|e| Error::io(scratch.folder(), e))?;
                written += bytes;
                *layer = StoredRows::Disk(file, counts);
            }
        }
        self.loan.set(self.bytes());
        Ok(written)
    }

    /// Pops the last layer. From then on, the caller accounts for its memory.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the rows cannot be read from disk.
    pub(super) fn pop(&mut self) -> Result<Option<Rows>> {
        let last = self.layers.pop();
        self.loan.set(self.bytes());
        match last {
            None => Ok(None),
            Some(StoredRows::Memory(rows)) => Ok(Some(rows)),
            Some(StoredRows::Disk(file, counts)) => {
                let folder = self.scratch.as_ref().map(|scratch| scratch.folder().to_path_buf());
                read(file, &counts).map(Some).map_err(|e| Error::io(folder.unwrap_or_default(), e))
            }
        }
    }
}

fn write(rows: &Rows, mut file: NumberWriter) -> std::io::Result<NumberReader> {
    rows.0.iter().try_for_each(|partition| file.extend(partition))?;
    file.read()
}

fn read(mut file: NumberReader, counts: &[usize]) -> std::io::Result<Rows> {
    counts.iter().map(|&count| file.take(count)).collect::<std::io::Result<_>>().map(Rows)
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::*;

    #[test]
    fn rows_come_back_last_layer_first_from_memory_and_disk() {
        let folder = tempfile::tempdir().unwrap();
        let layer = |x: u32| vec![(0..40_000).map(|i| i * x).collect(), Vec::new(), vec![x; 3]];
        let budget = Budget::new(u64::MAX);
        for limit in [0, 200_000, u64::MAX] {
            let mut store = RowStore::new(Some(Scratch::new(folder.path().into())), budget.lend(0));
            let mut written = 0;
            for x in 1..4 {
                store.push(Rows(layer(x)));
                written += store.shrink(limit).unwrap();
                assert!(store.bytes() <= limit && budget.used() == store.bytes());
            }
            assert_eq!(written == 0, limit == u64::MAX);
            for x in (1..4).rev() {
                assert_eq!(store.pop().unwrap().unwrap().0, layer(x));
            }
            assert!(store.pop().unwrap().is_none());
            assert_eq!(budget.used(), 0);
        }
        let mut without = RowStore::new(None, budget.lend(0));
        without.push(Rows(layer(1)));
        assert_eq!(without.shrink(0).unwrap(), 0);
    }

    #[test]
    fn rows_are_not_written_where_the_disk_has_no_room() {
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::new(u64::MAX);
        for (room, fits) in [(Some(399), false), (Some(400), true), (None, true)] {
            let scratch = Scratch::new(folder.path().into()).with_room(std::sync::Arc::new(move |_| room));
            let mut store = RowStore::new(Some(scratch), budget.lend(0));
            store.push(Rows(vec![vec![7; 100]]));
            match store.shrink(0) {
                Ok(written) => assert_eq!((written, fits), (400, true)),
                Err(Error::Io { source, .. }) => {
                    assert_eq!((source.kind(), fits), (std::io::ErrorKind::StorageFull, false));
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}
