//! The computed cache: a lossy cache of the results of operations on states, shared by operations and threads.
//!
//! An entry consists of two words: (operands) and (result, operation, layer, version, lock). A writer locks an entry by
//! a compare-and-swap on the second word, and skips the entry if another writer holds the lock. A reader accepts an
//! entry only if the second word has the same value before and after it reads the first word. A wrong answer would
//! require the version to wrap around between two reads that are a few instructions apart, and at the same moment an
//! equal result, operation and layer for different operands.

use crate::hash::fold;
use crate::sync::{AtomicU64, Ordering};

/// The operation and operands of a cached result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The operation number, which is never 0 and is less than [`Key::MAX_OPS`].
    pub op: u16,
    /// The layer of the operands.
    pub layer: u16,
    /// The first operand.
    pub a: u32,
    /// The second operand.
    pub b: u32,
}

impl Key {
    /// The exclusive upper bound of operation numbers.
    pub(crate) const MAX_OPS: u16 = 1 << 14;

    #[inline]
    fn operands(self) -> u64 {
        u64::from(self.a) << 32 | u64::from(self.b)
    }

    /// Returns the operation and layer, at their positions within the second word.
    #[inline]
    fn label(self) -> u64 {
        u64::from(self.op) << 18 | u64::from(self.layer) << 9
    }

    #[inline]
    fn hash(self) -> u64 {
        fold(self.operands() ^ 0x9E37_79B9_7F4A_7C15, (self.label() | 1).wrapping_mul(0xD1B5_4A32_D192_ED03))
    }
}

/// The bits of the second word: result 32 | operation 14 | layer 9 | version 8 | lock 1.
const LABEL: u64 = (1 << 32) - (1 << 9);
const VERSION: u64 = (1 << 9) - 2;
const LOCK: u64 = 1;

#[derive(Debug, Default)]
struct Entry {
    operands: AtomicU64,
    rest: AtomicU64,
}

impl Entry {
    #[inline]
    fn get(&self, operands: u64, label: u64) -> Option<u32> {
        let before = self.rest.load(Ordering::Acquire);
        if before & (LABEL | LOCK) != label || self.operands.load(Ordering::Acquire) != operands {
            return None;
        }
        (self.rest.load(Ordering::Relaxed) == before).then_some((before >> 32) as u32)
    }

    #[inline]
    fn put(&self, operands: u64, label: u64, result: u32) {
        let old = self.rest.load(Ordering::Relaxed);
        if old & LOCK != 0
            || self.rest.compare_exchange(old, old | LOCK, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        self.operands.store(operands, Ordering::Release);
        let version = old.wrapping_add(2) & VERSION;
        self.rest.store(u64::from(result) << 32 | label | version, Ordering::Release);
    }
}

/// Four entries, which share one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

/// The computed cache. Its capacity can be changed only with exclusive access.
#[derive(Debug)]
pub(crate) struct ComputedCache {
    buckets: Vec<Bucket>,
}

impl ComputedCache {
    /// The size of an entry in bytes.
    pub(crate) const ENTRY_BYTES: u64 = 16;

    /// Creates a cache of at least `entries` entries.
    pub(crate) fn new(entries: usize) -> Self {
        let mut buckets = Vec::new();
        buckets.resize_with((entries / 4).next_power_of_two(), Bucket::default);
        Self { buckets }
    }

    /// Returns the capacity in entries.
    pub(crate) fn num_entries(&self) -> usize {
        4 * self.buckets.len()
    }

    /// Returns the number of bytes that the cache holds.
    pub(crate) fn bytes(&self) -> u64 {
        self.num_entries() as u64 * Self::ENTRY_BYTES
    }

    #[inline]
    fn bucket(&self, key: Key) -> (&Bucket, u64) {
        let hash = key.hash();
        (&self.buckets[hash as usize & (self.buckets.len() - 1)], hash)
    }

    /// Returns the cached result, if it is still present.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<u32> {
        let (operands, label) = (key.operands(), key.label());
        self.bucket(key).0.0.iter().find_map(|entry| entry.get(operands, label))
    }

    /// Stores a result. Replaces an existing entry if the bucket is full.
    #[inline]
    pub(crate) fn put(&self, key: Key, result: u32) {
        let (bucket, hash) = self.bucket(key);
        let free = bucket.0.iter().position(|entry| entry.rest.load(Ordering::Relaxed) == 0);
        let slot = free.unwrap_or((hash >> 62) as usize);
        bucket.0[slot].put(key.operands(), key.label(), result);
    }

    /// Creates a cache of `entries` entries from the entries of this one, rewritten by `map`. Entries that map to
    /// `None` are dropped.
    pub(crate) fn rebuilt(&self, entries: usize, map: impl Fn(Key, u32) -> Option<(Key, u32)>) -> Self {
        let new = Self::new(entries);
        for entry in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            let (operands, rest) =
                (entry.operands.load(Ordering::Relaxed), entry.rest.load(Ordering::Relaxed));
            if rest == 0 {
                continue;
            }
            let key = Key {
                op: (rest >> 18) as u16 & (Key::MAX_OPS - 1),
                layer: (rest >> 9) as u16 & 511,
                a: (operands >> 32) as u32,
                b: operands as u32,
            };
            if let Some((key, result)) = map(key, (rest >> 32) as u32) {
                new.put(key, result);
            }
        }
        new
    }
}

#[cfg(all(test, loom))]
mod models;

#[cfg(test)]
mod tests {
    use super::*;

    fn key(op: u16, layer: u16, a: u32, b: u32) -> Key {
        Key { op, layer, a, b }
    }

    #[test]
    fn remembers_by_every_part_of_the_key() {
        let cache = ComputedCache::new(1 << 10);
        let k = key(3, 500, 7, 9);
        cache.put(k, 42);
        assert_eq!(cache.get(k), Some(42));
        for other in [key(4, 500, 7, 9), key(3, 501, 7, 9), key(3, 500, 8, 9), key(3, 500, 7, 8)] {
            assert_eq!(cache.get(other), None);
        }
    }

    #[test]
    fn rebuilding_keeps_and_maps_entries() {
        let cache = ComputedCache::new(1 << 10);
        for a in 0..100 {
            cache.put(key(1, 2, a, a + 1), a * 2);
        }
        let bigger = cache
            .rebuilt(1 << 12, |k, r| (k.a >= 50).then_some((key(k.op, k.layer, k.a + 1000, k.b), r + 1)));
        let kept = (50..100).filter(|&a| bigger.get(key(1, 2, a + 1000, a + 1)) == Some(a * 2 + 1)).count();
        assert!(kept >= 45, "only {kept} of 50 entries survived");
        assert_eq!(bigger.get(key(1, 2, 10, 11)), None);
    }

    #[test]
    fn readers_never_see_another_keys_result() {
        let cache = ComputedCache::new(4);
        let work = |start: u32| {
            for i in 0..200_000u32 {
                let a = (i.wrapping_mul(2_654_435_761) ^ start) % 64;
                cache.put(key(1, 1, a, 0), a + 1);
                if let Some(r) = cache.get(key(1, 1, (a + 7) % 64, 0)) {
                    assert_eq!(r, (a + 7) % 64 + 1);
                }
            }
        };
        rayon::join(|| work(1), || work(2));
    }
}
