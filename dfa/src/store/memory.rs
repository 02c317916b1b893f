//! Memory management of a store: its cap, the growth of tables and cache, and the collection of dead states.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use crate::cache::Key;
use crate::error::{Error, Result};
use crate::unique::{FIRST, MAX_STATES, REJECT, UniqueTable};

use super::set::Root;
use super::{FIRST_RELATION_OP, MIN_CACHE_ENTRIES, Store};

/// The largest fraction of the memory cap that the computed cache may occupy, as a divisor.
const CACHE_SHARE: u64 = 3;

impl Store {
    /// Checks whether a computation outside the recursions may continue and hold `more` bytes in addition to tables and
    /// cache.
    pub(crate) fn check_extra(&self, more: u64, what: &'static str) -> Result<()> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        self.check_budget(self.bytes().saturating_add(more), what)
    }

    pub(super) fn check_budget(&self, needed: u64, what: &'static str) -> Result<()> {
        if needed > self.memory_limit {
            return Err(Error::OutOfMemory { what, needed_bytes: needed, limit_bytes: self.memory_limit });
        }
        Ok(())
    }

    /// Makes room for an eighth more states before an operation, so that the operation rarely has to be restarted.
    pub(super) fn ensure_headroom(&mut self, collected: &mut bool) -> Result<()> {
        for layer in 0..self.tables.len() {
            let table = &self.tables[layer];
            let wanted = table.len() + table.len() / 8 + 1;
            if UniqueTable::bytes_for(self.shape.num_letters(layer), wanted) > table.bytes() {
                self.grow_layer(layer, collected)?;
            }
        }
        if self.cache.num_entries() < self.num_states_held() {
            self.grow_cache();
        }
        Ok(())
    }

    /// Makes room in a full layer. If this would exceed the cap, collects dead states first, unless `collected` is set,
    /// and then shrinks the cache.
    pub(super) fn grow_layer(&mut self, layer: usize, collected: &mut bool) -> Result<()> {
        let letters = self.shape.num_letters(layer);
        let rows_for = |len: usize| len + len / 2 + 1024.min(65536 / letters);
        let after = |store: &Self, rows: usize| {
            store.bytes() - store.tables[layer].bytes() + UniqueTable::bytes_for(letters, rows)
        };
        let mut rows = rows_for(self.tables[layer].len());
        if after(self, rows) > self.memory_limit {
            if !std::mem::replace(collected, true) {
                self.collect();
            }
            rows = rows_for(self.tables[layer].len());
            // Shrinking the cache in favour of states allows a solve to continue that would otherwise fail.
            while after(self, rows) > self.memory_limit && self.cache.num_entries() > MIN_CACHE_ENTRIES {
                self.cache =
                    self.cache.rebuilt(self.cache.num_entries() / 2, |key, result| Some((key, result)));
            }
        }
        if rows > MAX_STATES {
            return Err(Error::TooManyStates { layer, limit: MAX_STATES as u64 });
        }
        self.check_budget(after(self, rows), "states")?;
        self.tables[layer].set_capacity(rows);
        Ok(())
    }

    /// Returns `true` if the cache may be doubled, which temporarily holds the old and the new cache at the same time.
    pub(super) fn cache_may_grow(&self) -> bool {
        let new = 2 * self.cache.bytes();
        new <= self.memory_limit / CACHE_SHARE && self.bytes() + new <= self.memory_limit
    }

    pub(super) fn grow_cache(&mut self) {
        if self.cache_may_grow() {
            self.cache = self.cache.rebuilt(2 * self.cache.num_entries(), |key, result| Some((key, result)));
        }
    }

    /// Reclaims every state that no [`super::Set`] needs, and keeps cached results about the remaining states. Cost:
    /// one pass over tables and cache.
    pub fn collect(&mut self) {
        self.roots.retain(|r| r.strong_count() > 0);
        let roots: Vec<Arc<Root>> = self.roots.iter().filter_map(Weak::upgrade).collect();
        let mut live: Vec<Vec<bool>> = self.tables.iter().map(|t| vec![false; t.len()]).collect();
        for root in &roots {
            live[0][root.state.load(Ordering::Relaxed) as usize] = true;
        }
        for layer in 0..self.tables.len() - 1 {
            let (done, rest) = live.split_at_mut(layer + 1);
            for state in (FIRST..self.tables[layer].len() as u32).filter(|&s| done[layer][s as usize]) {
                for target in self.tables[layer].row(state) {
                    rest[0][target.load(Ordering::Relaxed) as usize] = true;
                }
            }
        }
        let mut maps: Vec<Vec<u32>> = Vec::with_capacity(self.tables.len());
        let alphabets = self.shape.alphabets();
        for ((table, live), &letters) in self.tables.iter_mut().zip(&live).zip(alphabets).rev() {
            let map = table.compact(live, maps.last().map(Vec::as_slice));
            // The capacity never grows here, because a collection must not exceed the cap either.
            let rows = table.len() + table.len() / 4;
            if UniqueTable::bytes_for(usize::from(letters), rows) < table.bytes() {
                table.set_capacity(rows);
            }
            maps.push(map);
        }
        maps.reverse();
        for root in &roots {
            root.state.store(maps[0][root.state.load(Ordering::Relaxed) as usize], Ordering::Relaxed);
        }
        self.remap_cache(&maps);
        self.stats.collections += 1;
    }

    fn remap_cache(&mut self, maps: &[Vec<u32>]) {
        self.cache = self.cache.rebuilt(self.cache.num_entries(), |key, result| {
            let map = &maps[usize::from(key.layer)];
            let keep = |state: u32| match map[state as usize] {
                REJECT if state != REJECT => None,
                new => Some(new),
            };
            let a = keep(key.a)?;
            // The second operand of an image is a state of the relation, which a collection does not renumber.
            let b = if key.op >= FIRST_RELATION_OP { key.b } else { keep(key.b)? };
            Some((Key { a, b, ..key }, keep(result)?))
        });
    }
}
