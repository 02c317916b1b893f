//! A set of slots that several threads add to.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// Words that one task looks at.
const CHUNK_WORDS: usize = 1 << 11;

/// A position for each bit, by slot.
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
        // Most are proposed many times.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Calls `f` with every slot added.
    pub(super) fn for_each(&self, f: impl Fn(u64) + Sync) {
        self.words.par_chunks(CHUNK_WORDS).enumerate().for_each(|(chunk, words)| {
            for (word, at) in words.iter().zip((chunk * CHUNK_WORDS) as u64..) {
                let mut left = word.load(Ordering::Relaxed);
                while left != 0 {
                    f(at * 64 + u64::from(left.trailing_zeros()));
                    left &= left - 1;
                }
            }
        });
    }
}
