//! Codes lowered many at a time.

use crate::tables::codes::Codes;

/// Codes that wait: so many that memory answers them side by side.
const MOST: usize = 64;

/// Codes that are to be lowered, at slots all over a table; written when there are many, and at the end.
///
/// Why: a locked write waits for its word to come from memory before anything else goes on, a read does not. So all words are read
/// first, and the writes find them in the cache.
pub(super) struct Lowering<'a> {
    codes: &'a Codes,
    waiting: [(u64, u16); MOST],
    len: usize,
}

impl<'a> Lowering<'a> {
    /// Of `codes`.
    pub(super) fn of(codes: &'a Codes) -> Self {
        Self { codes, waiting: [(0, 0); MOST], len: 0 }
    }

    /// Makes the code of `slot` the lesser of itself and `code`, now or later.
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
