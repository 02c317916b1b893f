//! The states of the inputs in one layer, which are first collected by several threads and then numbered.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::bits::Bits;

/// A set of states, collected by several threads.
pub(in crate::pass) struct Collector(Vec<AtomicU64>);

impl Collector {
    /// Creates an empty set for states below `limit`.
    pub(in crate::pass) fn new(limit: u32) -> Self {
        let mut words = Vec::new();
        words.resize_with(limit as usize / 64 + 1, AtomicU64::default);
        Self(words)
    }

    /// Adds a state.
    #[inline]
    pub(in crate::pass) fn add(&self, state: u32) {
        let (word, bit) = (&self.0[state as usize / 64], 1 << (state % 64));
        // Most states have already been added. Reading first avoids taking the cache line away from other threads.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// Adds `states`. All of them are looked up before the first is added, so that memory accesses overlap.
    pub(super) fn add_all(&self, states: &[u32]) {
        let word = |&state: &u32| self.0[state as usize / 64].load(Ordering::Relaxed);
        black_box(states.iter().map(word).fold(0, |all, word| all ^ word));
        states.iter().for_each(|&state| self.add(state));
    }

    /// Returns the number of states.
    pub(in crate::pass) fn len(&self) -> usize {
        self.0.iter().map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum()
    }

    /// Returns the states in ascending order, and the place of each.
    pub(super) fn finish(self) -> Found {
        let mut states = Vec::with_capacity(self.len());
        let mut places = Vec::with_capacity(self.0.len());
        for (i, word) in self.0.into_iter().enumerate() {
            let mut bits = word.into_inner();
            places.push((bits, states.len() as u32));
            while bits != 0 {
                states.push(i as u32 * 64 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        Found { states, places: Places(places) }
    }
}

/// States in ascending order.
pub(super) struct Found {
    pub(super) states: Vec<u32>,
    pub(super) places: Places,
}

/// The place of each state in ascending order. For each 64 numbers, stores which of them are states and how many states
/// precede them.
pub(super) struct Places(pub(super) Vec<(u64, u32)>);

impl Places {
    #[inline]
    pub(super) fn of(&self, state: u32) -> usize {
        let (bits, before) = self.0[state as usize / 64];
        before as usize + (bits & ((1 << (state % 64)) - 1)).count_ones() as usize
    }
}

/// Rows of bits for the states of one input.
pub(in crate::pass) struct StateRows {
    pub(super) places: Places,
    /// The row number of each state, by place. If empty, the row number equals the place.
    pub(super) numbers: Vec<u32>,
    pub(super) bits: Bits,
}

impl StateRows {
    /// Returns the row number of a state. States with equal numbers have equal residuals as far as these affect the
    /// value.
    #[inline]
    pub(in crate::pass) fn number(&self, state: u32) -> u32 {
        let place = self.places.of(state);
        self.numbers.get(place).copied().unwrap_or(place as u32)
    }

    /// Returns the row of a state.
    #[inline]
    pub(in crate::pass) fn row(&self, state: u32) -> &[u64] {
        self.numbered(self.number(state))
    }

    /// Returns the row with this number.
    #[inline]
    pub(in crate::pass) fn numbered(&self, number: u32) -> &[u64] {
        self.bits.row(number as usize)
    }

    /// Reads a part of the row with this number, so that the rest is loaded from memory in advance.
    #[inline]
    pub(in crate::pass) fn touch(&self, number: u32) -> u64 {
        self.bits.touch(number as usize)
    }

    /// Returns the number of bytes held.
    pub(in crate::pass) fn bytes(&self) -> u64 {
        self.bits.bytes() + 16 * self.places.0.len() as u64 + 4 * self.numbers.capacity() as u64
    }
}
