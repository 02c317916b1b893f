//! The unique table of one layer: hash-consed rows of transitions, which several threads can insert concurrently.
//!
//! The following invariants hold. No two states of a layer have equal rows. No row rejects or accepts everything,
//! because the constants represent these cases. Once the number of a row has been returned, the row does not change
//! until [`UniqueTable::compact`] renumbers the layer.
//!
//! The capacity is fixed while threads insert. If a table is full, it returns [`Full`]; the caller then unwinds to a
//! point at which it has exclusive access to the table, grows it and tries again. As a result, every access is a plain
//! array access.

use crate::hash::hash_row;
use crate::sync::{AtomicU32, Ordering};

/// The number of the empty language in every layer.
pub(crate) const REJECT: u32 = 0;
/// The number of the full language in every layer.
pub(crate) const ACCEPT: u32 = 1;
/// The first number of an ordinary state.
pub(crate) const FIRST: u32 = 2;

/// The error of a table that has no room for another state.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

pub(crate) use crate::shape::MAX_STATES;

/// Marks, in its first transition, a row that lost a race to an equal one. Nothing refers to such a row, a rebuilt hash
/// table must not find it, and the next collection reclaims it.
const VAIN: u32 = u32::MAX;

/// The smallest number of rows allocated. Loom models use tiny tables.
const MIN_ROWS: usize = if cfg!(loom) { 4 } else { 64 };

/// The rows of one layer by number, and a hash table for finding them.
#[derive(Debug)]
pub(crate) struct UniqueTable {
    letters: usize,
    /// The rows, where that of state `s` begins at `s * letters`. The rows of the two constants are present too, so
    /// that callers need no special cases.
    rows: Vec<AtomicU32>,
    /// The hash table. An entry is 0 if empty, and `tag << id_bits | state` otherwise. Different tags avoid most
    /// comparisons of rows.
    buckets: Vec<AtomicU32>,
    id_bits: u32,
    next: AtomicU32,
}

fn atomics(n: usize) -> Vec<AtomicU32> {
    let mut v = Vec::new();
    v.resize_with(n, AtomicU32::default);
    v
}

impl UniqueTable {
    /// Creates an empty table for rows of `letters` transitions.
    pub(crate) fn new(letters: usize) -> Self {
        let mut table =
            Self { letters, rows: Vec::new(), buckets: Vec::new(), id_bits: 0, next: AtomicU32::new(FIRST) };
        table.set_capacity(MIN_ROWS);
        for a in 0..letters {
            table.rows[letters + a].store(ACCEPT, Ordering::Relaxed);
        }
        table
    }

    /// Returns the count of numbers in use, including the two constants.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        // The counter can exceed the capacity temporarily when threads find the table full.
        (self.next.load(Ordering::Relaxed) as usize).min(self.capacity())
    }

    fn capacity(&self) -> usize {
        self.rows.len() / self.letters
    }

    /// Returns the number of bytes that the table holds.
    pub(crate) fn bytes(&self) -> u64 {
        4 * (self.rows.capacity() + self.buckets.capacity()) as u64
    }

    /// Returns the number of bytes that a table with `rows` rows holds.
    pub(crate) fn bytes_for(letters: usize, rows: usize) -> u64 {
        4 * (rows * letters + Self::buckets_for(rows)) as u64
    }

    fn buckets_for(rows: usize) -> usize {
        (rows + rows / 2).next_power_of_two()
    }

    /// Returns the row of state `s`.
    #[inline]
    pub(crate) fn row(&self, s: u32) -> &[AtomicU32] {
        let start = s as usize * self.letters;
        &self.rows[start..start + self.letters]
    }

    /// Returns the target of the transition from state `s` by `letter`.
    #[inline]
    pub(crate) fn target(&self, s: u32, letter: usize) -> u32 {
        self.row(s)[letter].load(Ordering::Relaxed)
    }

    /// Returns the state with this row, or the constant if the row is constant. Creates the state if it does not exist;
    /// the second result is `true` in that case.
    #[inline]
    pub(crate) fn insert(&self, row: &[u32]) -> Result<(u32, bool), Full> {
        debug_assert_eq!(row.len(), self.letters);
        if row[0] <= ACCEPT && row.iter().all(|&x| x == row[0]) {
            return Ok((row[0], false));
        }
        let hash = hash_row(row);
        let mask = self.buckets.len() - 1;
        // The tag uses the upper bits of the hash and the bucket the lower bits.
        let tag = ((hash >> 32) as u32) & !((1u32 << self.id_bits) - 1);
        let id_mask = (1u32 << self.id_bits) - 1;
        let mut at = hash as usize & mask;
        let mut fresh = None;
        loop {
            let found = self.buckets[at].load(Ordering::Acquire);
            if found == 0 {
                let id = match fresh {
                    Some(id) => id,
                    None => self.write_row(row)?,
                };
                fresh = Some(id);
                let won = self.buckets[at]
                    .compare_exchange(0, tag | id, Ordering::AcqRel, Ordering::Acquire)
                    .is_ok();
                if won {
                    return Ok((id, true));
                }
                // Another thread took the bucket, possibly with an equal row, so inspect it again.
                continue;
            }
            if found & !id_mask == tag {
                let id = found & id_mask;
                if self.row(id).iter().zip(row).all(|(x, y)| x.load(Ordering::Relaxed) == *y) {
                    if let Some(vain) = fresh {
                        self.row(vain)[0].store(VAIN, Ordering::Relaxed);
                    }
                    return Ok((id, false));
                }
            }
            at = (at + 1) & mask;
        }
    }

    fn write_row(&self, row: &[u32]) -> Result<u32, Full> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        if id as usize >= self.capacity() {
            self.next.fetch_sub(1, Ordering::Relaxed);
            return Err(Full);
        }
        for (cell, &x) in self.row(id).iter().zip(row) {
            cell.store(x, Ordering::Relaxed);
        }
        Ok(id)
    }

    /// Changes the capacity to `rows` rows, but not below the number in use. Rebuilds the hash table if its size
    /// changes.
    pub(crate) fn set_capacity(&mut self, rows: usize) {
        let rows = rows.max(self.len()).max(MIN_ROWS);
        let words = rows * self.letters;
        if words > self.rows.len() {
            self.rows.reserve_exact(words - self.rows.len());
            self.rows.resize_with(words, AtomicU32::default);
        } else {
            self.rows.truncate(words);
            self.rows.shrink_to_fit();
        }
        let buckets = Self::buckets_for(rows);
        if buckets != self.buckets.len() {
            self.id_bits = buckets.trailing_zeros();
            // The old table is freed first, because holding both would be the peak of the whole store's memory use.
            self.buckets = Vec::new();
            self.buckets = atomics(buckets);
            self.rehash();
        }
    }

    fn rehash(&mut self) {
        let mask = self.buckets.len() - 1;
        let mut row = vec![0; self.letters];
        for id in FIRST..self.len() as u32 {
            if self.row(id)[0].load(Ordering::Relaxed) == VAIN {
                continue;
            }
            for (x, cell) in row.iter_mut().zip(self.row(id)) {
                *x = cell.load(Ordering::Relaxed);
            }
            let hash = hash_row(&row);
            let tag = ((hash >> 32) as u32) & !((1u32 << self.id_bits) - 1);
            let mut at = hash as usize & mask;
            while self.buckets[at].load(Ordering::Relaxed) != 0 {
                at = (at + 1) & mask;
            }
            self.buckets[at] = AtomicU32::new(tag | id);
        }
    }

    /// Keeps the states marked in `live`, in their order, and renumbers them. Rewrites their transitions with
    /// `next_layer`, which maps old to new numbers and is `None` in the last layer. Returns the corresponding map for
    /// this layer, in which removed states map to [`REJECT`].
    pub(crate) fn compact(&mut self, live: &[bool], next_layer: Option<&[u32]>) -> Vec<u32> {
        let k = self.letters;
        let mut map = vec![REJECT; self.len()];
        map[ACCEPT as usize] = ACCEPT;
        let mut kept = FIRST;
        for old in FIRST as usize..self.len() {
            if !live[old] {
                continue;
            }
            map[old] = kept;
            for a in 0..k {
                let target = self.rows[old * k + a].load(Ordering::Relaxed);
                let target = next_layer.map_or(target, |m| m[target as usize]);
                self.rows[kept as usize * k + a].store(target, Ordering::Relaxed);
            }
            kept += 1;
        }
        self.next = AtomicU32::new(kept);
        self.buckets.fill_with(AtomicU32::default);
        self.rehash();
        map
    }
}

#[cfg(all(test, loom))]
mod models;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_share_a_state_and_constants_are_not_stored() {
        let table = UniqueTable::new(3);
        assert_eq!(table.insert(&[0, 0, 0]), Ok((REJECT, false)));
        assert_eq!(table.insert(&[1, 1, 1]), Ok((ACCEPT, false)));
        assert_eq!(table.insert(&[0, 1, 1]), Ok((2, true)));
        assert_eq!(table.insert(&[0, 1, 0]), Ok((3, true)));
        assert_eq!(table.insert(&[0, 1, 1]), Ok((2, false)));
        assert_eq!(table.len(), 4);
    }

    #[test]
    fn full_table_grows_and_finds_old_rows_again() {
        let mut table = UniqueTable::new(2);
        let mut ids = Vec::new();
        for x in 0..5000u32 {
            loop {
                match table.insert(&[x, x + 1]) {
                    Ok((id, _)) => break ids.push(id),
                    Err(Full) => table.set_capacity(table.len() * 2),
                }
            }
        }
        for x in 1..5000u32 {
            assert_eq!(table.insert(&[x, x + 1]), Ok((ids[x as usize], false)));
        }
    }

    #[test]
    fn threads_agree_on_numbers_also_after_the_table_grew() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for _ in 0..50 {
            let mut table = UniqueTable::new(2);
            table.set_capacity(6000);
            let run =
                || -> Vec<u32> { (0..1000u32).map(|i| table.insert(&[i, 7]).map_or(0, |r| r.0)).collect() };
            let (a, b) = pool.install(|| rayon::join(run, run));
            assert_eq!(a, b);
            table.set_capacity(20_000);
            let again: Vec<u32> = (0..1000u32).map(|i| table.insert(&[i, 7]).map_or(0, |r| r.0)).collect();
            assert_eq!(a, again);
        }
    }

    #[test]
    fn compaction_keeps_live_rows_and_renumbers() {
        let mut table = UniqueTable::new(2);
        for x in 0..10u32 {
            assert!(table.insert(&[x, 20]).is_ok());
        }
        let live: Vec<bool> = (0..table.len()).map(|s| s % 2 == 0).collect();
        let next: Vec<u32> = (0..30).map(|x| x + 100).collect();
        let map = table.compact(&live, Some(&next));
        assert_eq!(table.len(), 2 + 5);
        assert_eq!(map[2], 2);
        assert_eq!(map[4], 3);
        assert_eq!(table.target(3, 0), 102);
        assert_eq!(table.insert(&[102, 120]), Ok((3, false)));
    }
}
