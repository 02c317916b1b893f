//! A cache of data read from files. If memory runs short, the least recently used entries are evicted first.
//!
//! Invariant: an entry that a caller holds is not evicted, so that its bytes are counted as long as they are in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Cached data, keyed by its origin: sectors or blocks of sectors.
#[derive(Debug)]
pub(crate) struct Recent<K, T> {
    items: BTreeMap<K, Item<T>>,
    clock: u64,
    bytes: u64,
}

#[derive(Debug)]
struct Item<T> {
    what: Arc<T>,
    bytes: u64,
    used: u64,
}

impl<K, T> Default for Recent<K, T> {
    fn default() -> Self {
        Self { items: BTreeMap::new(), clock: 0, bytes: 0 }
    }
}

impl<K: Ord + Copy, T> Recent<K, T> {
    /// Returns the entry of `key` and marks it as used.
    pub(crate) fn get(&mut self, key: K) -> Option<Arc<T>> {
        let item = self.items.get_mut(&key)?;
        self.clock += 1;
        item.used = self.clock;
        Some(Arc::clone(&item.what))
    }

    /// Adds an entry for `key` and marks it as used.
    pub(crate) fn keep(&mut self, key: K, what: Arc<T>, bytes: u64) -> Arc<T> {
        self.clock += 1;
        let before = self.items.insert(key, Item { what: Arc::clone(&what), bytes, used: self.clock });
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
        let mut by_use: Vec<(u64, K)> = self.items.iter().map(|(key, item)| (item.used, *key)).collect();
        by_use.sort_unstable();
        for (_, key) in by_use {
            if self.bytes <= bytes {
                return;
            }
            let is_free = |item: &Item<T>| Arc::strong_count(&item.what) == 1;
            if self.items.get(&key).is_some_and(is_free)
                && let Some(item) = self.items.remove(&key)
            {
                self.bytes -= item.bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_item_is_evicted_first_unless_it_is_in_use() {
        let sectors = ["3-3-0-0", "4-3-0-0", "4-4-0-0", "5-4-0-0"];
        let mut recent = Recent::default();
        for (at, sector) in sectors.into_iter().enumerate() {
            recent.keep(sector, Arc::new(at), 10);
        }
        let item = recent.get(sectors[1]);
        assert_eq!(recent.get(sectors[0]).as_deref(), Some(&0));
        recent.shrink_to(20);
        assert_eq!(recent.bytes(), 20);
        let kept = |recent: &mut Recent<&str, usize>| sectors.map(|sector| recent.get(sector).is_some());
        assert_eq!(kept(&mut recent), [true, true, false, false]);
        recent.shrink_to(0);
        assert_eq!((kept(&mut recent), item.as_deref()), ([false, true, false, false], Some(&1)));
    }
}
