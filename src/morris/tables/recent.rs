//! What was read of sectors and is still in memory. Where memory is short, what was not used for longest goes first.
//!
//! Invariant: what somebody holds is not forgotten, so that its bytes count as long as they are there.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::sector::Sector;

/// What was read of sectors.
#[derive(Debug)]
pub(crate) struct Recent<T> {
    held: BTreeMap<Sector, Held<T>>,
    clock: u64,
}

#[derive(Debug)]
struct Held<T> {
    what: Arc<T>,
    bytes: u64,
    used: u64,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self { held: BTreeMap::new(), clock: 0 }
    }
}

impl<T> Recent<T> {
    /// What is held of `sector`, which is used now.
    pub(crate) fn get(&mut self, sector: Sector) -> Option<Arc<T>> {
        let held = self.held.get_mut(&sector)?;
        self.clock += 1;
        held.used = self.clock;
        Some(Arc::clone(&held.what))
    }

    /// Keeps what was read of `sector`, which is used now.
    pub(crate) fn keep(&mut self, sector: Sector, what: Arc<T>, bytes: u64) -> Arc<T> {
        self.clock += 1;
        self.held.insert(sector, Held { what: Arc::clone(&what), bytes, used: self.clock });
        what
    }

    /// Bytes of all that is kept.
    pub(crate) fn bytes(&self) -> u64 {
        self.held.values().map(|held| held.bytes).sum()
    }

    /// Forgets what nobody holds, until no more than `bytes` are left.
    pub(crate) fn shrink_to(&mut self, bytes: u64) {
        let mut left = self.bytes();
        let mut by_use: Vec<(u64, Sector)> =
            self.held.iter().map(|(sector, held)| (held.used, *sector)).collect();
        by_use.sort_unstable();
        for (_, sector) in by_use {
            if left <= bytes {
                return;
            }
            let is_free = |held: &Held<T>| Arc::strong_count(&held.what) == 1;
            if self.held.get(&sector).is_some_and(is_free)
                && let Some(held) = self.held.remove(&sector)
            {
                left -= held.bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first_and_what_is_held_stays() {
        let sectors = ["3-3-0-0", "4-3-0-0", "4-4-0-0", "5-4-0-0"].map(|name| name.parse().unwrap());
        let mut recent = Recent::default();
        for (at, sector) in sectors.into_iter().enumerate() {
            recent.keep(sector, Arc::new(at), 10);
        }
        let held = recent.get(sectors[1]);
        assert_eq!(recent.get(sectors[0]).as_deref(), Some(&0));
        recent.shrink_to(20);
        assert_eq!(recent.bytes(), 20);
        let kept = |recent: &mut Recent<usize>| sectors.map(|sector| recent.get(sector).is_some());
        assert_eq!(kept(&mut recent), [true, true, false, false]);
        recent.shrink_to(0);
        assert_eq!((kept(&mut recent), held.as_deref()), ([false, true, false, false], Some(&1)));
    }
}
