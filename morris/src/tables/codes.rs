//! Depths of all slots of a sector, stored in one or two bytes each and written by several threads.
//!
//! Invariant: once written, the code of a slot only decreases. Hence the order in which threads write a level does not
//! matter.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use nerode_solver::error::{Error, Result};

/// The number of memory words that one task examines.
const CHUNK_WORDS: usize = 1 << 14;

/// The number of bytes of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One byte, for depths up to 253.
    One,
    /// Two bytes, for depths up to 65 533.
    Two,
}

impl Width {
    /// Returns 1 or 2.
    pub fn bytes(self) -> u64 {
        match self {
            Width::One => 1,
            Width::Two => 2,
        }
    }

    /// Returns the code of a hole: a slot whose position is stored in another slot.
    #[inline]
    pub fn hole(self) -> u16 {
        match self {
            Width::One => u16::from(u8::MAX),
            Width::Two => u16::MAX,
        }
    }

    /// Returns the code of a position without a value, which is a draw once nothing more can be decided.
    #[inline]
    pub fn open(self) -> u16 {
        self.hole() - 1
    }

    /// Returns the greatest depth that can be stored.
    #[inline]
    pub fn most_depth(self) -> u16 {
        self.hole() - 2
    }
}

/// Codes by slot. A code is a depth in plies, which is even for losses and odd for wins of the side to move, or
/// [`Width::open`] or [`Width::hole`].
#[derive(Debug)]
pub struct Codes {
    words: Vec<AtomicU64>,
    num_slots: u64,
    width: Width,
}

impl Codes {
    /// Creates the codes with all slots open.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the system cannot provide the memory.
    pub fn new(num_slots: u64, width: Width) -> Result<Self> {
        let num_words = num_slots.div_ceil(8 / width.bytes());
        let refused = || Error::TooLarge {
            what: format!("a sector of {num_slots} slots"),
            needed_bytes: u128::from(num_words) * 8,
            limit_bytes: 0,
        };
        let count = usize::try_from(num_words).map_err(|_| refused())?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).map_err(|_| refused())?;
        let open = match width {
            Width::One => u64::from(width.open()) * 0x0101_0101_0101_0101,
            Width::Two => u64::from(width.open()) * 0x0001_0001_0001_0001,
        };
        words.resize_with(count, || AtomicU64::new(open));
        Ok(Self { words, num_slots, width })
    }

    /// Returns the number of blocks of `block_bytes` bytes, a multiple of 8. The last block may be shorter.
    pub fn num_blocks(&self, block_bytes: usize) -> usize {
        self.words.len().div_ceil(block_bytes / 8)
    }

    /// Returns the bytes of the block numbered `at`, least significant byte first.
    ///
    /// # Panics
    /// Panics if there is no such block.
    pub fn block(&self, block_bytes: usize, at: usize) -> Vec<u8> {
        let words = &self.words[at * (block_bytes / 8)..];
        let words = &words[..words.len().min(block_bytes / 8)];
        let mut bytes = Vec::with_capacity(block_bytes);
        bytes.extend(words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()));
        bytes.truncate(self.len_of_block(block_bytes, at));
        bytes
    }

    /// Sets the bytes of the block numbered `at`. Returns `None` if the lengths differ.
    ///
    /// # Panics
    /// Panics if there is no such block.
    #[must_use]
    pub fn set_block(&self, block_bytes: usize, at: usize, bytes: &[u8]) -> Option<()> {
        if bytes.len() != self.len_of_block(block_bytes, at) {
            return None;
        }
        for (word, part) in self.words[at * (block_bytes / 8)..].iter().zip(bytes.chunks(8)) {
            let mut whole = [u8::MAX; 8];
            whole[..part.len()].copy_from_slice(part);
            word.store(u64::from_le_bytes(whole), Ordering::Relaxed);
        }
        Some(())
    }

    /// Returns the number of bytes of codes in the block numbered `at`.
    fn len_of_block(&self, block_bytes: usize, at: usize) -> usize {
        let bytes = (self.num_slots * self.width.bytes()) as usize;
        block_bytes.min(bytes.saturating_sub(at * block_bytes))
    }

    /// Returns the width of a code.
    #[inline]
    pub fn width(&self) -> Width {
        self.width
    }

    /// Returns the number of slots.
    pub fn num_slots(&self) -> u64 {
        self.num_slots
    }

    /// Returns the number of bytes in memory.
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// Returns the memory word of a slot and the shift within it.
    #[inline]
    fn place(&self, slot: u64) -> (&AtomicU64, u32) {
        match self.width {
            Width::One => (&self.words[(slot / 8) as usize], (slot % 8) as u32 * 8),
            Width::Two => (&self.words[(slot / 4) as usize], (slot % 4) as u32 * 16),
        }
    }

    /// Returns the code of `slot`.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn get(&self, slot: u64) -> u16 {
        let (word, shift) = self.place(slot);
        (word.load(Ordering::Relaxed) >> shift) as u16 & self.width.hole()
    }

    /// Overwrites the code of `slot`. No other thread may write to it at the same time.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn set(&self, slot: u64, code: u16) {
        let (word, shift) = self.place(slot);
        let difference = u64::from(self.get(slot) ^ code) << shift;
        word.fetch_xor(difference, Ordering::Relaxed);
    }

    /// Replaces the code of `slot` by `code` if that is smaller.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn lower(&self, slot: u64, code: u16) {
        let (word, shift) = self.place(slot);
        let mask = u64::from(self.width.hole());
        let mut now = word.load(Ordering::Relaxed);
        while (now >> shift & mask) > u64::from(code) {
            let next = now & !(mask << shift) | u64::from(code) << shift;
            match word.compare_exchange_weak(now, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(other) => now = other,
            }
        }
    }

    /// Counts the slots with each code, on the threads of the current pool.
    pub fn histogram(&self) -> Vec<u64> {
        let num_codes = usize::from(self.width.hole()) + 1;
        let lanes = 8 / self.width.bytes();
        let count = |mut counts: Vec<u64>, (at, words): (usize, &[AtomicU64])| {
            let first = (at * CHUNK_WORDS) as u64 * lanes;
            for slot in first..self.num_slots.min(first + words.len() as u64 * lanes) {
                counts[usize::from(self.get(slot))] += 1;
            }
            counts
        };
        let add = |mut all: Vec<u64>, some: Vec<u64>| {
            all.iter_mut().zip(some).for_each(|(sum, count)| *sum += count);
            all
        };
        let none = || vec![0; num_codes];
        self.words.par_chunks(CHUNK_WORDS).enumerate().fold(none, count).reduce(none, add)
    }

    /// Returns the number of memory words, so that callers can divide them among threads.
    pub fn num_words(&self) -> usize {
        self.words.len()
    }

    /// Calls `f` for every slot in `words` whose code is `code`, in order.
    #[inline]
    pub fn find(&self, words: std::ops::Range<usize>, code: u16, mut f: impl FnMut(u64)) {
        let (lanes, bits, ones) = match self.width {
            Width::One => (8, 8, 0x0101_0101_0101_0101u64),
            Width::Two => (4, 16, 0x0001_0001_0001_0001u64),
        };
        let tops = ones << (bits - 1);
        let pattern = ones * u64::from(code);
        for at in words {
            let different = self.words[at].load(Ordering::Relaxed) ^ pattern;
            // Words without a zero lane are skipped; in the others, each lane is tested.
            if different.wrapping_sub(ones) & !different & tops == 0 {
                continue;
            }
            for lane in 0..lanes {
                let slot = at as u64 * lanes + lane;
                if different >> (lane * bits) & u64::from(self.width.hole()) == 0 && slot < self.num_slots {
                    f(slot);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_set_lowered_and_found() {
        for width in [Width::One, Width::Two] {
            let codes = Codes::new(21, width).unwrap();
            assert_eq!(codes.get(20), width.open());
            codes.lower(20, 7);
            codes.lower(20, 9);
            codes.lower(3, 9);
            codes.set(5, width.hole());
            codes.lower(13, 7);
            assert_eq!((codes.get(20), codes.get(3), codes.get(5)), (7, 9, width.hole()));
            let find = |code| {
                let mut found = Vec::new();
                codes.find(0..codes.num_words(), code, |slot| found.push(slot));
                found
            };
            assert_eq!((find(7), find(9), find(width.hole())), (vec![13, 20], vec![3], vec![5]));
            assert_eq!(find(width.open()).len(), 21 - 4);
            let back = Codes::new(21, width).unwrap();
            for at in 0..codes.num_blocks(16) {
                let bytes = codes.block(16, at);
                assert!(back.set_block(16, at, &bytes[..bytes.len() - 1]).is_none());
                back.set_block(16, at, &bytes).unwrap();
            }
            assert!((0..21).all(|slot| back.get(slot) == codes.get(slot)));
        }
    }
}
