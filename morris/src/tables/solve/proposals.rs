//! A set of slots to which several threads add.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// The number of memory words that one task examines.
const CHUNK_WORDS: usize = 1 << 11;

/// The size of a batch, which is large enough for the memory system to serve the reads in parallel.
const MOST_WAITING: usize = 64;

/// A set of positions by slot, stored as one bit each.
pub(super) struct Proposals {
    words: Vec<AtomicU64>,
}

impl Proposals {
    pub(super) fn new(num_slots: u64) -> Self {
        let words = usize::try_from(num_slots.div_ceil(64)).unwrap_or(usize::MAX);
        Self { words: std::iter::repeat_with(|| AtomicU64::new(0)).take(words).collect() }
    }

    #[inline]
    pub(super) fn add(&self, slot: u64) {
        let (word, bit) = (&self.words[(slot / 64) as usize], 1 << (slot % 64));
        // Most positions are proposed many times, and a plain read avoids a locked write.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Calls `f` with every slot in the set. `begin` creates the state for each part of the slots.
    pub(super) fn for_each<T>(&self, begin: impl Fn() -> T + Sync, f: impl Fn(&mut T, u64) + Sync) {
        self.words.par_chunks(CHUNK_WORDS).enumerate().for_each(|(chunk, words)| {
            let mut made = begin();
            for (word, at) in words.iter().zip((chunk * CHUNK_WORDS) as u64..) {
                let mut left = word.load(Ordering::Relaxed);
                while left != 0 {
                    f(&mut made, at * 64 + u64::from(left.trailing_zeros()));
                    left &= left - 1;
                }
            }
        });
    }
}

/// Slots scattered over a set, added in batches: all words are read first, see [`super::lowering::Lowering`].
pub(super) struct Proposing<'a> {
    proposals: &'a Proposals,
    waiting: [u64; MOST_WAITING],
    len: usize,
}

impl<'a> Proposing<'a> {
    /// Creates an empty batch for `proposals`.
    pub(super) fn to(proposals: &'a Proposals) -> Self {
        Self { proposals, waiting: [0; MOST_WAITING], len: 0 }
    }

    /// Adds `slot`, now or later.
    #[inline]
    pub(super) fn add(&mut self, slot: u64) {
        self.waiting[self.len] = slot;
        self.len += 1;
        if self.len == MOST_WAITING {
            self.write();
        }
    }

    fn write(&mut self) {
        let waiting = &self.waiting[..self.len];
        let word = |&slot: &u64| self.proposals.words[(slot / 64) as usize].load(Ordering::Relaxed);
        std::hint::black_box(waiting.iter().map(word).fold(0, std::ops::BitXor::bitxor));
        waiting.iter().for_each(|&slot| self.proposals.add(slot));
        self.len = 0;
    }
}

impl Drop for Proposing<'_> {
    fn drop(&mut self) {
        self.write();
    }
}
