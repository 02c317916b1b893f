//! The set of reached positions: a hash table in shards, to which threads add positions without locks.
//!
//! The shard of a position depends only on its key. Each shard numbers its positions in the order in which they were added,
//! and that order does not depend on the number of threads, so neither do the numbers.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use super::packing::{Key, hash};

/// The number of shards.
pub(super) const SHARDS: usize = 64;

/// The number of keys in a segment, which is allocated at once.
const SEGMENT: usize = 1 << 12;

/// A list that grows without moving its elements.
pub(super) struct Segments<T>(Vec<Vec<T>>);

impl<T: Copy> Segments<T> {
    pub(super) fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * SEGMENT + last.len())
    }

    pub(super) fn get(&self, at: usize) -> T {
        self.0[at / SEGMENT][at % SEGMENT]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.0.iter().flatten().copied()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut().flatten()
    }

    fn get_mut(&mut self, at: usize) -> &mut T {
        &mut self.0[at / SEGMENT][at % SEGMENT]
    }

    fn push(&mut self, value: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < SEGMENT => last.push(value),
            // The first segment grows slowly, so that a small set takes little memory.
            before => {
                let segment = if before.is_none() { Vec::new() } else { Vec::with_capacity(SEGMENT) };
                self.0.push(segment);
                if let Some(last) = self.0.last_mut() {
                    last.push(value);
                }
            }
        }
    }

    fn bytes(&self) -> u64 {
        let first = self.0.first().map_or(0, Vec::capacity);
        ((first + self.0.len().saturating_sub(1) * SEGMENT) * size_of::<T>()) as u64
    }
}

/// The positions of one shard.
pub(super) struct Shard<const N: usize> {
    pub(super) keys: Segments<Key<N>>,
    numbers: HashTable<u32>,
    /// The number of moves that lead to each position, if it is counted.
    arrivals: Option<Segments<u32>>,
}

impl<const N: usize> Shard<N> {
    /// Creates an empty shard, which counts the moves to each position if `counts` is set.
    pub(super) fn new(counts: bool) -> Self {
        let arrivals = counts.then(|| Segments(Vec::new()));
        Self { keys: Segments(Vec::new()), numbers: HashTable::new(), arrivals }
    }

    /// Adds a position unless it is present. Returns its number, and whether it is new.
    pub(super) fn add(&mut self, key: &Key<N>) -> (usize, bool) {
        let keys = &self.keys;
        let is_same = |&number: &u32| keys.get(number as usize) == *key;
        let hash_of = |&number: &u32| hash(&keys.get(number as usize));
        match self.numbers.entry(hash(key), is_same, hash_of) {
            Entry::Occupied(entry) => (*entry.get() as usize, false),
            Entry::Vacant(entry) => {
                let number = keys.len();
                // A shard with this many positions would exceed every memory limit, which is checked after each batch.
                entry.insert(number as u32);
                self.keys.push(*key);
                if let Some(arrivals) = &mut self.arrivals {
                    arrivals.push(0);
                }
                (number, true)
            }
        }
    }

    /// Adds the position to which a move leads. Returns its number.
    pub(super) fn arrive(&mut self, key: &Key<N>) -> usize {
        let (number, _) = self.add(key);
        if let Some(arrivals) = &mut self.arrivals {
            // A position with this many predecessors exceeds the limit of 2^32 moves, which is checked later.
            let count = arrivals.get_mut(number);
            *count = count.saturating_add(1);
        }
        number
    }

    /// Removes the numbers of moves to each position, if they were counted.
    pub(super) fn take_arrivals(&mut self) -> Option<Segments<u32>> {
        self.arrivals.take()
    }

    /// Returns the number of a position, if it is present.
    pub(super) fn find(&self, key: &Key<N>, hash: u64) -> Option<usize> {
        let is_same = |&number: &u32| self.keys.get(number as usize) == *key;
        self.numbers.find(hash, is_same).map(|&number| number as usize)
    }

    /// Returns the number of bytes that the shard takes.
    pub(super) fn bytes(&self) -> u64 {
        let arrivals = self.arrivals.as_ref().map_or(0, Segments::bytes);
        self.keys.bytes() + self.numbers.allocation_size() as u64 + arrivals
    }

    /// Returns the number of bytes that the shard takes while its hash table grows.
    pub(super) fn bytes_to_grow(&self) -> u64 {
        2 * self.numbers.allocation_size() as u64
    }

    /// Drops the hash table. Afterwards, no position is found.
    pub(super) fn forget_numbers(&mut self) {
        self.numbers = HashTable::new();
    }
}

/// Returns the shard of a key with the given hash. Its bits are neither those by which the hash table chooses a bucket nor its
/// tags.
pub(super) fn shard_of(hash: u64) -> usize {
    (hash >> 40) as usize % SHARDS
}
