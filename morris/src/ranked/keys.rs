//! Keys of all slots of a sector, stored in four bytes each and written by several threads.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::rank::Pair;

/// The number of slots that one task examines.
const CHUNK_SLOTS: usize = 1 << 14;

/// The greatest possible value of either key. The least is its negation.
pub const MOST_KEY: i32 = i16::MAX as i32;

/// Key 1 and key 2 by slot. The pair (0, 0) marks a position that is worth as much as its sector; wins, losses and
/// holes are also stored as (0, 0).
#[derive(Debug)]
pub struct Keys(Vec<AtomicU32>);

/// Packs both keys into one number. Returns `None` if one of them does not fit.
#[inline]
fn packed((key1, key2): Pair) -> Option<u32> {
    let half = |key: i32| i16::try_from(key).ok().map(|key| u32::from(key as u16));
    Some(half(key1)? | half(key2)? << 16)
}

#[inline]
fn unpacked(word: u32) -> Pair {
    (i32::from(word as u16 as i16), i32::from((word >> 16) as u16 as i16))
}

impl Keys {
    /// Creates the keys with all pairs (0, 0).
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the system cannot provide the memory.
    pub fn new(num_slots: u64) -> Result<Self> {
        let refused = || Error::TooLarge {
            what: format!("the ranks of {num_slots} slots"),
            needed_bytes: u128::from(num_slots) * 4,
            limit_bytes: 0,
        };
        let count = usize::try_from(num_slots).map_err(|_| refused())?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).map_err(|_| refused())?;
        words.resize_with(count, || AtomicU32::new(0));
        Ok(Self(words))
    }

    /// Returns the number of slots.
    pub fn num_slots(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns the number of bytes in memory.
    pub fn bytes(&self) -> u64 {
        self.num_slots() * 4
    }

    /// Returns the keys of `slot`.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn get(&self, slot: u64) -> Pair {
        unpacked(self.0[slot as usize].load(Ordering::Relaxed))
    }

    /// Returns the keys of `slot` as two bytes each, least significant byte first.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    pub(super) fn bytes_of(&self, slot: u64) -> [u8; 4] {
        self.0[slot as usize].load(Ordering::Relaxed).to_le_bytes()
    }

    /// Sets the keys of `slot` from bytes as returned by [`Keys::bytes_of`].
    ///
    /// # Panics
    /// Panics if there is no such slot.
    pub(super) fn set_bytes(&self, slot: u64, bytes: [u8; 4]) {
        self.0[slot as usize].store(u32::from_le_bytes(bytes), Ordering::Relaxed);
    }

    /// Sets the keys of `slot`. Returns `true` if they fit.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[must_use]
    pub fn set(&self, slot: u64, keys: Pair) -> bool {
        packed(keys).is_some_and(|word| {
            self.0[slot as usize].store(word, Ordering::Relaxed);
            true
        })
    }

    /// Sets the keys of `slot` if `replaces` accepts the present ones. Returns whether this call has set them, or
    /// `None` if they do not fit.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    pub fn replace(&self, slot: u64, keys: Pair, replaces: impl Fn(Pair) -> bool) -> Option<bool> {
        let word = packed(keys)?;
        let cell = &self.0[slot as usize];
        let mut now = cell.load(Ordering::Relaxed);
        while now != word && replaces(unpacked(now)) {
            match cell.compare_exchange_weak(now, word, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(true),
                Err(other) => now = other,
            }
        }
        Some(false)
    }

    /// Folds over all slots with keys other than (0, 0), in parts that `merge` combines, on the threads of the current
    /// pool.
    pub fn fold<T: Send>(
        &self,
        begin: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, u64, Pair) + Sync,
        merge: impl Fn(T, T) -> T + Sync + Send,
    ) -> T {
        let part = |(at, words): (usize, &[AtomicU32])| {
            let mut made = begin();
            for (slot, word) in ((at * CHUNK_SLOTS) as u64..).zip(words) {
                match word.load(Ordering::Relaxed) {
                    0 => {}
                    word => add(&mut made, slot, unpacked(word)),
                }
            }
            made
        };
        self.0.par_chunks(CHUNK_SLOTS).enumerate().map(part).reduce(&begin, &merge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_set_replaced_and_found_again() {
        let keys = Keys::new(5).unwrap();
        for pair in [(0, 0), (1, -1), (-1, 0), (MOST_KEY, -MOST_KEY), (-MOST_KEY, MOST_KEY)] {
            assert!(keys.set(2, pair));
            assert_eq!(keys.get(2), pair);
        }
        assert!(!keys.set(2, (MOST_KEY + 1, 0)) && !keys.set(2, (0, MOST_KEY + 1)));
        assert_eq!(keys.replace(3, (4, 9), |now| now == (0, 0)), Some(true));
        assert_eq!(keys.replace(3, (4, 9), |_| true), Some(false));
        assert_eq!(keys.replace(3, (5, 9), |now| now == (0, 0)), Some(false));
        assert_eq!(keys.replace(3, (4, 1 << 15), |_| true), None);
        let found = keys.fold(
            Vec::new,
            |found, slot, keys| found.push((slot, keys)),
            |mut all: Vec<_>, some| {
                all.extend(some);
                all
            },
        );
        assert_eq!(found, [(2, (-MOST_KEY, MOST_KEY)), (3, (4, 9))]);
    }
}
