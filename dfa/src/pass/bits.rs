//! Sets of suffixes, represented as rows of bits.

/// The number of words in a cache line.
const LINE: usize = 8;

/// Rows of bits of one layer.
pub(super) struct Bits {
    /// The number of bits in a row.
    pub(super) len: usize,
    /// The number of words in a row.
    pub(super) words: usize,
    pub(super) rows: Vec<u64>,
}

impl Bits {
    pub(super) fn new(len: usize) -> Self {
        Self { len, words: len.div_ceil(64), rows: Vec::new() }
    }

    #[inline]
    pub(super) fn row(&self, at: usize) -> &[u64] {
        &self.rows[at * self.words..(at + 1) * self.words]
    }

    /// Reads one word from each cache line of a row, so that the row is loaded from memory in advance.
    #[inline]
    pub(super) fn touch(&self, at: usize) -> u64 {
        let row = self.row(at);
        row.iter().step_by(LINE).chain(row.last()).fold(0, |all, word| all ^ word)
    }

    /// Returns the number of bytes held.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.rows.capacity() as u64
    }

    /// Returns the mask of the bits of the last word that are in use.
    pub(super) fn last_mask(&self) -> u64 {
        match self.len % 64 {
            0 => u64::MAX,
            used => (1 << used) - 1,
        }
    }

    /// Returns the value of a row whose bits are all equal.
    pub(super) fn constant(&self, row: &[u64]) -> Option<bool> {
        let (last, others) = row.split_last()?;
        let all = |value: u64| others.iter().all(|&w| w == value) && *last == value & self.last_mask();
        if all(0) {
            Some(false)
        } else if all(u64::MAX) {
            Some(true)
        } else {
            None
        }
    }
}

/// Computes `to[at..at + len] |= from[start..start + len]` on bits.
#[inline]
pub(super) fn unite_bits(to: &mut [u64], at: usize, from: &[u64], start: usize, len: usize) {
    let mut done = 0;
    while done < len {
        let (word, shift) = ((at + done) / 64, (at + done) % 64);
        let count = (64 - shift).min(len - done);
        to[word] |= read(from, start + done, count) << shift;
        done += count;
    }
}

/// Returns `count` bits from `offset` on, where `count` is between 1 and 64.
#[inline]
fn read(from: &[u64], offset: usize, count: usize) -> u64 {
    let (word, shift) = (offset / 64, offset % 64);
    let low = from[word] >> shift;
    let high = if shift + count > 64 { from[word + 1] << (64 - shift) } else { 0 };
    (low | high) & u64::MAX >> (64 - count)
}

/// Returns a row of `len` ones.
pub(super) fn ones(len: usize) -> Vec<u64> {
    let mut row = vec![u64::MAX; len.div_ceil(64)];
    if let (Some(last), used @ 1..) = (row.last_mut(), len % 64) {
        *last = (1 << used) - 1;
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_that_are_united_are_those_of_both_at_every_offset() {
        let bit = |row: &[u64], i: usize| row[i / 64] >> (i % 64) & 1;
        let from: Vec<u64> = (0..8u64).map(|i| 0x9E37_79B9_7F4A_7C15_u64.rotate_left(i as u32 * 7)).collect();
        for len in [1usize, 27, 63, 64, 65, 243] {
            for (at, start) in (0..130).zip((0..65).rev().cycle()) {
                let before: Vec<u64> = from.iter().map(|w| w.reverse_bits() & w.rotate_left(9)).collect();
                let mut to = before.clone();
                unite_bits(&mut to, at, &from, start, len);
                for i in 0..64 * to.len() {
                    let moved = if (at..at + len).contains(&i) { bit(&from, i - at + start) } else { 0 };
                    assert_eq!(bit(&to, i), bit(&before, i) | moved, "{len} bits from {start} at {at}");
                }
            }
        }
    }
}
