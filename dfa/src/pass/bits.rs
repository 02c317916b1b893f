//! Sets of endings as rows of bits, and the distinct ones among many.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;

use crate::error::{Error, Result};
use crate::unique::{ACCEPT, FIRST, REJECT, fold};

/// Tables of distinct rows, each with a lock.
const SHARDS: usize = 64;

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

    pub(super) fn num_rows(&self) -> usize {
        self.rows.len() / self.words
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

/// Distinct rows of bits whose hashes fall together.
struct Shard {
    bits: Bits,
    index: HashTable<(u32, u32)>,
}

fn hash(row: &[u64]) -> u64 {
    // Two chains, so that multiplications overlap.
    let mut h = [0x2545_F491_4F6C_DD1D_u64, 0x243F_6A88_85A3_08D3];
    for pair in row.chunks(2) {
        h[0] = fold(h[0] ^ pair[0], 0x9E37_79B9_7F4A_7C15);
        h[1] = fold(h[1] ^ pair.get(1).copied().unwrap_or(1), 0xD6E8_FEB8_6659_FD93);
    }
    fold(h[0] ^ h[1].rotate_left(32), 0x9E37_79B9_7F4A_7C15)
}

impl Shard {
    fn new(len: usize) -> Self {
        Self { bits: Bits::new(len), index: HashTable::new() }
    }

    /// Place of `row`, added if new.
    fn insert(&mut self, hash: u64, row: &[u64]) -> u32 {
        let tag = (hash >> 32) as u32;
        let spread = |tag: u32| fold(u64::from(tag) | 1 << 32, 0x9E37_79B9_7F4A_7C15);
        let Self { bits, index } = self;
        if let Some(&(_, place)) =
            index.find(spread(tag), |&(t, place)| t == tag && bits.row(place as usize) == row)
        {
            return place;
        }
        let place = bits.num_rows() as u32;
        bits.rows.extend_from_slice(row);
        index.insert_unique(spread(tag), (tag, place), |&(t, _)| spread(t));
        place
    }
}

/// Numbers distinct rows of bits, from several threads.
pub(super) struct Interner {
    /// A row without bits, for its length.
    shape: Bits,
    shards: Vec<Mutex<Shard>>,
}

impl Interner {
    /// For rows of `len` bits.
    pub(super) fn new(len: usize) -> Self {
        Self { shape: Bits::new(len), shards: (0..SHARDS).map(|_| Mutex::new(Shard::new(len))).collect() }
    }

    /// A constant, or a provisional number of the row: `FIRST + place * SHARDS + shard`.
    pub(super) fn intern(&self, row: &[u64]) -> Result<u32> {
        if let Some(value) = self.shape.constant(row) {
            return Ok(u32::from(value));
        }
        let hash = hash(row);
        let shard = hash as usize % SHARDS;
        let place = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner).insert(hash, row);
        place
            .checked_mul(SHARDS as u32)
            .and_then(|n| n.checked_add(FIRST + shard as u32))
            .ok_or(Error::TooManyStates { layer: 0, limit: u64::from(u32::MAX) / SHARDS as u64 })
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let of = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.bits.bytes() + 9 * shard.index.capacity() as u64
        };
        self.shards.iter().map(of).sum()
    }

    /// The distinct rows, and what turns provisional numbers into theirs.
    pub(super) fn finish(self) -> (Bits, Numbering) {
        let mut all = self.shape;
        let mut starts = Vec::with_capacity(SHARDS);
        for shard in self.shards {
            let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
            starts.push(FIRST + all.num_rows() as u32);
            all.rows.extend_from_slice(&shard.bits.rows);
        }
        (all, Numbering(starts))
    }
}

/// Consecutive numbers for provisional ones: those of a shard follow those of the shards before it.
pub(super) struct Numbering(Vec<u32>);

impl Numbering {
    /// A constant, or [`FIRST`] + the row's place among the distinct ones.
    #[inline]
    pub(super) fn state(&self, provisional: u32) -> u32 {
        match provisional {
            REJECT | ACCEPT => provisional,
            _ => self.0[(provisional - FIRST) as usize % SHARDS] + (provisional - FIRST) / SHARDS as u32,
        }
    }
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

    #[test]
    fn rows_of_one_hash_are_told_apart() {
        let mut shard = Shard::new(70);
        assert_eq!((shard.insert(9, &[1, 2]), shard.insert(9, &[1, 3]), shard.insert(9, &[1, 2])), (0, 1, 0));
    }

    #[test]
    fn equal_rows_have_one_number_and_constants_none() -> Result<()> {
        let interner = Interner::new(70);
        let rows: Vec<Vec<u64>> = (0..1000u64).map(|i| vec![i * i % 101, i % 7]).collect();
        let numbers = rows.iter().map(|row| interner.intern(row)).collect::<Result<Vec<_>>>()?;
        assert_eq!(interner.intern(&ones(70))?, ACCEPT);
        let (distinct, numbering) = interner.finish();
        for (row, number) in rows.iter().zip(numbers) {
            match numbering.state(number) {
                REJECT => assert_eq!(row, &[0, 0]),
                state => assert_eq!(distinct.row((state - FIRST) as usize), row),
            }
        }
        Ok(())
    }
}
