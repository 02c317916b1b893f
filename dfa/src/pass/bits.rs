//! Sets of endings as rows of bits.

/// Rows of bits of one layer.
pub(super) struct Bits {
    /// Bits of a row.
    pub(super) len: usize,
    /// Words of a row.
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

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        8 * self.rows.capacity() as u64
    }

    /// The bits of the last word that are in use.
    pub(super) fn last_mask(&self) -> u64 {
        match self.len % 64 {
            0 => u64::MAX,
            used => (1 << used) - 1,
        }
    }

    /// The value of a row that is the same everywhere.
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

/// `to[offset..] |= from[..len]`, in bits.
pub(super) fn deposit(to: &mut [u64], offset: usize, from: &[u64]) {
    let (word, shift) = (offset / 64, offset % 64);
    for (i, &bits) in from.iter().enumerate() {
        to[word + i] |= bits << shift;
        let carry = bits.checked_shr(64 - shift as u32).unwrap_or(0);
        if carry != 0 {
            to[word + i + 1] |= carry;
        }
    }
}

/// `from[offset..offset + len]`, in bits.
pub(super) fn extract(from: &[u64], offset: usize, len: usize, to: &mut Vec<u64>) {
    let (word, shift) = (offset / 64, offset % 64);
    for i in 0..len.div_ceil(64) {
        let low = from[word + i] >> shift;
        let high = from.get(word + i + 1).and_then(|w| w.checked_shl(64 - shift as u32)).unwrap_or(0);
        to.push(low | if shift == 0 { 0 } else { high });
    }
    if let (Some(last), used @ 1..) = (to.last_mut(), len % 64) {
        *last &= (1 << used) - 1;
    }
}

/// A row of `len` ones.
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
    fn what_is_deposited_can_be_extracted_at_every_offset() {
        for len in [1usize, 27, 63, 64, 65, 243] {
            let row: Vec<u64> = (0..len.div_ceil(64) as u64)
                .map(|i| 0x9E37_79B9_7F4A_7C15_u64.rotate_left(i as u32))
                .collect();
            let row: Vec<u64> = row.iter().zip(ones(len)).map(|(a, b)| a & b).collect();
            for offset in 0..130 {
                let mut to = vec![0; (offset + len).div_ceil(64)];
                deposit(&mut to, offset, &row);
                let mut back = Vec::new();
                extract(&to, offset, len, &mut back);
                assert_eq!(back, row, "{len} bits at {offset}");
                assert_eq!(
                    to.iter().map(|w| w.count_ones()).sum::<u32>(),
                    row.iter().map(|w| w.count_ones()).sum()
                );
            }
        }
    }
}
