//! A cache of data read from files. If memory runs short, the least recently used entries are evicted first.
//!
//! Invariant: an entry that a caller holds is not evicted, so that its bytes are counted as long as they are in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Cached data, keyed by its origin: sectors or blocks of sectors.
#[derive(Debug)]
pub(crate) struct Recent<K, T> {
    held: BTreeMap<K, Held<T>>,
    clock: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Held<T> {
    what: Arc<T>,
    bytes: u64,
    used: u64,
}

impl<K, T> Default for Recent<K, T> {
    fn default() -> Self {
        Self { held: BTreeMap::new(), clock: 0, bytes: 0 }
    }
}

impl<K: Ord + Copy, T> Recent<K, T> {
    /// Returns the entry of `key` and marks it as used.
    pub(crate) fn get(&mut self, key: K) -> Option<Arc<T>> {
        let held = self.held.get_mut(&key)?;
        self.clock += 1;
        held.used = self.clock;
        Some(Arc::clone(&held.what))
    }

    /// Adds an entry for `key` and marks it as used.
    pub(crate) fn keep(&mut self, key: K, what: Arc<T>, bytes: u64) -> Arc<T> {
        self.clock += 1;
        let before = self.held.insert(key, Held { what: Arc::clone(&what), bytes, used: self.clock });
        self.bytes += bytes;
        self.bytes -= before.map_or(0, |before| before.bytes);
        what
    }

    /// Returns the total number of bytes in the cache.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Evicts entries that no caller holds until at most `bytes` bytes remain.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        if self.bytes <= bytes {
            return;
        }
        let mut by_use: Vec<(u64, K)> = self.held.iter().map(|(key, held)| (held.used, *key)).collect();
        by_use.sort_unstable();
        for (_, key) in by_use {
            if self.bytes <= bytes {
                return;
            }
            let is_free = |held: &Held<T>| Arc::strong_count(&held.what) == 1;
            if self.held.get(&key).is_some_and(is_free)
                && let Some(held) = self.held.remove(&key)
            {
                self.bytes -= held.bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first_and_what_is_held_stays() {
        let sectors = ["3-3-0-0", "4-3-0-0", "4-4-0-0", "5-4-0-0"];
        let mut recent = Recent::default();
        for (at, sector) in sectors.into_iter().enumerate() {
            recent.keep(sector, Arc::new(at), 10);
        }
        let held = recent.get(sectors[1]);
        assert_eq!(recent.get(sectors[0]).as_deref(), Some(&0));
        recent.shrink_to(20);
        assert_eq!(recent.bytes(), 20);
        let kept = |recent: &mut Recent<&str, usize>| sectors.map(|sector| recent.get(sector).is_some());
        assert_eq!(kept(&mut recent), [true, true, false, false]);
        recent.shrink_to(0);
        assert_eq!((kept(&mut recent), held.as_deref()), ([false, true, false, false], Some(&1)));
    }
}
