//! Depths of all slots of a sector, one or two bytes each, written by several threads.
//!
//! Invariant: once written, a slot's code only gets smaller. So the order of the writers of a level does not matter.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Result};

/// Bytes of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Depths up to 253.
    One,
    /// Depths up to 65 533.
    Two,
}

impl Width {
    /// 1 or 2.
    pub fn bytes(self) -> u64 {
        match self {
            Width::One => 1,
            Width::Two => 2,
        }
    }

    /// Code of a slot that does not exist: its position is another slot's.
    #[inline]
    pub fn hole(self) -> u16 {
        match self {
            Width::One => u16::from(u8::MAX),
            Width::Two => u16::MAX,
        }
    }

    /// Code of a position without a value: a draw, once nothing more can be decided.
    #[inline]
    pub fn open(self) -> u16 {
        self.hole() - 1
    }

    /// The greatest depth that fits.
    #[inline]
    pub fn most_depth(self) -> u16 {
        self.hole() - 2
    }
}

/// Codes by slot: depth in plies, even for losses and odd for wins of the side to move; [`Width::open`]; [`Width::hole`].
#[derive(Debug)]
pub struct Codes {
    words: Vec<AtomicU64>,
    num_slots: u64,
    width: Width,
}

impl Codes {
    /// All open.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when the system does not give the memory.
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

    /// Codes from the bytes of a file, least significant byte first.
    ///
    /// # Errors
    /// [`Error::TooLarge`] as for [`Codes::new`].
    pub fn from_bytes(bytes: &[u8], width: Width) -> Result<Self> {
        let codes = Self::new(bytes.len() as u64 / width.bytes(), width)?;
        for (word, part) in codes.words.iter().zip(bytes.chunks(8)) {
            let mut whole = [u8::MAX; 8];
            whole[..part.len()].copy_from_slice(part);
            word.store(u64::from_le_bytes(whole), Ordering::Relaxed);
        }
        Ok(codes)
    }

    /// Calls `f` with the bytes in the order of slots, a block at a time.
    ///
    /// # Errors
    /// What `f` returns.
    pub fn blocks(&self, mut f: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut left = (self.num_slots * self.width.bytes()) as usize;
        let mut block = Vec::with_capacity(1 << 16);
        for words in self.words.chunks(1 << 13) {
            block.clear();
            block.extend(words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()));
            block.truncate(left);
            left -= block.len();
            f(&block)?;
        }
        Ok(())
    }

    /// Bytes of a code.
    #[inline]
    pub fn width(&self) -> Width {
        self.width
    }

    /// Slots.
    pub fn num_slots(&self) -> u64 {
        self.num_slots
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// Word and shift of a slot.
    #[inline]
    fn place(&self, slot: u64) -> (&AtomicU64, u32) {
        match self.width {
            Width::One => (&self.words[(slot / 8) as usize], (slot % 8) as u32 * 8),
            Width::Two => (&self.words[(slot / 4) as usize], (slot % 4) as u32 * 16),
        }
    }

    /// The code of `slot`.
    ///
    /// # Panics
    /// When there is no such slot.
    #[inline]
    pub fn get(&self, slot: u64) -> u16 {
        let (word, shift) = self.place(slot);
        (word.load(Ordering::Relaxed) >> shift) as u16 & self.width.hole()
    }

    /// Sets the code of `slot` whatever it was; no other thread may write it.
    ///
    /// # Panics
    /// When there is no such slot.
    #[inline]
    pub fn set(&self, slot: u64, code: u16) {
        let (word, shift) = self.place(slot);
        let difference = u64::from(self.get(slot) ^ code) << shift;
        word.fetch_xor(difference, Ordering::Relaxed);
    }

    /// Makes the code of `slot` the lesser of itself and `code`.
    ///
    /// # Panics
    /// When there is no such slot.
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

    /// Words of codes, for division among threads.
    pub fn num_words(&self) -> usize {
        self.words.len()
    }

    /// Calls `f` with every slot in `words` whose code is `code`, in order.
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
            // Some lane is nought; which ones is looked at one by one.
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
            let mut bytes = Vec::new();
            let append = |block: &[u8]| {
                bytes.extend_from_slice(block);
                Ok(())
            };
            codes.blocks(append).unwrap();
            assert_eq!(bytes.len() as u64, 21 * width.bytes());
            let back = Codes::from_bytes(&bytes, width).unwrap();
            assert!((0..21).all(|slot| back.get(slot) == codes.get(slot)));
        }
    }
}
