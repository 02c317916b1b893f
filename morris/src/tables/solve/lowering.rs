//! Lowers codes in batches.

use crate::tables::codes::Codes;

/// The size of a batch, which is large enough for the memory system to serve the reads in parallel.
const MOST: usize = 64;

/// Pending reductions of codes at slots scattered over a table. They are written when the batch is full, and at the
/// end.
///
/// A locked write stalls until its word arrives from memory, but a read does not. Therefore all words are read first,
/// and the writes then find them in the cache.
pub(super) struct Lowering<'a> {
    codes: &'a Codes,
    waiting: [(u64, u16); MOST],
    len: usize,
}

impl<'a> Lowering<'a> {
    /// Creates an empty batch for `codes`.
    pub(super) fn of(codes: &'a Codes) -> Self {
        Self { codes, waiting: [(0, 0); MOST], len: 0 }
    }

    /// Replaces the code of `slot` by `code` if that is smaller, now or later.
    #[inline]
    pub(super) fn add(&mut self, slot: u64, code: u16) {
        self.waiting[self.len] = (slot, code);
        self.len += 1;
        if self.len == MOST {
            self.write();
        }
    }

    fn write(&mut self) {
        let waiting = &self.waiting[..self.len];
        let read = waiting.iter().fold(0, |sum, &(slot, _)| sum ^ self.codes.get(slot));
        std::hint::black_box(read);
        for &(slot, code) in waiting {
            self.codes.lower(slot, code);
        }
        self.len = 0;
    }
}

impl Drop for Lowering<'_> {
    fn drop(&mut self) {
        self.write();
    }
}
