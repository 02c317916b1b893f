//! Detection of equal columns among many rows of bits. Columns are assumed to be equal until a row distinguishes them,
//! and 64 rows are processed at a time.

use hashbrown::HashMap;

/// The number of rows that are processed together.
pub(super) const BLOCK: usize = 64;

/// For each column, the first column that equals it in all rows seen so far.
#[derive(Clone)]
pub(super) struct Columns {
    first: Vec<u32>,
    num_classes: usize,
}

impl Columns {
    /// Creates `len` columns without rows, which are all equal.
    pub(super) fn new(len: usize) -> Self {
        Self { first: vec![0; len], num_classes: len.min(1) }
    }

    /// Creates `len` columns that are all assumed to be different.
    pub(super) fn apart(len: usize) -> Self {
        Self { first: (0..len as u32).collect(), num_classes: len }
    }

    /// Returns, for each column, the first column that equals it.
    pub(super) fn first(&self) -> &[u32] {
        &self.first
    }

    /// Returns the number of different columns.
    pub(super) fn num_classes(&self) -> usize {
        self.num_classes
    }

    /// Takes another [`BLOCK`] rows into account, given by their columns.
    pub(super) fn refine(&mut self, columns: &[u64]) {
        if self.first.iter().zip(columns).any(|(&first, &column)| column != columns[first as usize]) {
            self.split_by(|e| columns[e]);
        }
    }

    /// Combines two results, so that columns stay together only if they are equal in both.
    pub(super) fn meet(mut self, other: &Self) -> Self {
        if self.first != other.first {
            self.split_by(|e| u64::from(other.first[e]));
        }
        self
    }

    /// Keeps columns together only if they have the same `mark`.
    fn split_by(&mut self, mark: impl Fn(usize) -> u64) {
        let mut firsts = HashMap::with_capacity(2 * self.num_classes);
        for (e, first) in self.first.iter_mut().enumerate() {
            *first = *firsts.entry((*first, mark(e))).or_insert(e as u32);
        }
        self.num_classes = firsts.len();
    }
}

/// Computes the columns of at most [`BLOCK`] rows of `words` words. There are 64 columns for each word, and bit i of a
/// column belongs to row i.
pub(super) fn columns_of(rows: &[u64], words: usize, columns: &mut Vec<u64>) {
    columns.clear();
    for word in 0..words {
        let mut block = [0; BLOCK];
        for (slot, row) in block.iter_mut().zip(rows.chunks(words)) {
            *slot = row[word];
        }
        transpose(&mut block);
        columns.extend_from_slice(&block);
    }
}

/// Transposes a block: bit i of word j becomes bit j of word i.
pub(super) fn transpose(block: &mut [u64; BLOCK]) {
    exchange::<32>(block, 0x0000_0000_FFFF_FFFF);
    exchange::<16>(block, 0x0000_FFFF_0000_FFFF);
    exchange::<8>(block, 0x00FF_00FF_00FF_00FF);
    exchange::<4>(block, 0x0F0F_0F0F_0F0F_0F0F);
    exchange::<2>(block, 0x3333_3333_3333_3333);
    exchange::<1>(block, 0x5555_5555_5555_5555);
}

/// Exchanges the high bits of each word with the low bits of the word `WIDTH` positions later.
#[inline(always)]
fn exchange<const WIDTH: usize>(block: &mut [u64; BLOCK], low: u64) {
    for pair in block.chunks_exact_mut(2 * WIDTH) {
        let (upper, lower) = pair.split_at_mut(WIDTH);
        for (a, b) in upper.iter_mut().zip(lower) {
            let swapped = (*a >> WIDTH ^ *b) & low;
            *a ^= swapped << WIDTH;
            *b ^= swapped;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_columns_are_found_in_any_blocks() {
        let len = 150;
        let bit = |row: usize, e: usize| (row * (e % 37) * (e % 5 + 3) / 7) % 3 == 1;
        let row = |r: usize| {
            let mut words = vec![0; 3];
            (0..len).for_each(|e| words[e / 64] |= u64::from(bit(r, e)) << (e % 64));
            words
        };
        let rows: Vec<u64> = (0..200).flat_map(row).collect();
        let refined = |rows: &[u64], block: usize| {
            let mut columns = Columns::new(len);
            let mut scratch = Vec::new();
            for rows in rows.chunks(3 * block) {
                columns_of(rows, 3, &mut scratch);
                columns.refine(&scratch);
            }
            columns
        };
        let equal = |e: usize, d: usize| (0..200).all(|r| bit(r, e) == bit(r, d));
        let expected: Vec<u32> = (0..len).map(|e| (0..).find(|&d| equal(e, d)).unwrap_or(e) as u32).collect();
        for block in [1, 7, BLOCK] {
            let columns = refined(&rows, block);
            assert_eq!(columns.first(), expected);
            assert_eq!(
                columns.num_classes(),
                expected.iter().collect::<std::collections::HashSet<_>>().len()
            );
        }
        let (upper, lower) = rows.split_at(300);
        assert_eq!(refined(upper, BLOCK).meet(&refined(lower, BLOCK)).first(), expected);
    }
}
