//! Bounds of depths that searches have shown, in a hash table of limited size in which new entries replace old ones. Threads share
//! it: each part of the table has a lock of its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of parts, a power of two.
const PARTS: usize = 64;
/// The number of slots that share a place: a key may be in any of them.
const WAYS: usize = 4;
/// The numbers of entries of a part at first and at most.
const ENTRIES: (usize, usize) = (1 << 8, 1 << 19);

/// A lower and an upper bound of the depth of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    /// The least possible number of plies.
    pub(super) least: u16,
    /// The greatest possible number of plies.
    pub(super) most: u16,
}

impl Bounds {
    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { least: 0, most: u16::MAX };
}

#[derive(Clone, Copy)]
struct Entry {
    /// The first 64 bits of the key, some of which determine the place.
    key: u64,
    /// 16 further bits of the key.
    check: u16,
    bounds: Bounds,
    /// The ply of the position plus 1, or 0 if the slot is empty. Entries of early plies took more work.
    ply: u16,
}

const EMPTY: Entry = Entry { key: 0, check: 0, bounds: Bounds::UNKNOWN, ply: 0 };

/// Bounds by key. The table grows with the number of entries up to a limit.
pub(super) struct Table {
    parts: Vec<Mutex<Part>>,
}

/// The bounds of the keys with the same first bits.
struct Part {
    entries: Vec<Entry>,
    used: usize,
    limit: usize,
}

impl Default for Table {
    fn default() -> Self {
        let part = || Mutex::new(Part { entries: vec![EMPTY; ENTRIES.0], used: 0, limit: ENTRIES.1 });
        Self { parts: std::iter::repeat_with(part).take(PARTS).collect() }
    }
}

impl Table {
    /// Limits the table to a number of bytes. A table that is already larger keeps its size.
    pub(super) fn limit_bytes(&self, bytes: u64) {
        let entries = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Entry>() / PARTS;
        let limit = (entries / 2 + 1).next_power_of_two().clamp(ENTRIES.0, ENTRIES.1);
        (0..PARTS).for_each(|part| self.lock(part).limit = limit);
    }

    fn lock(&self, part: usize) -> MutexGuard<'_, Part> {
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bounds stored for a position.
    pub(super) fn get(&self, key: u128) -> Bounds {
        let (key, check) = halves(key);
        self.lock(part_of(key)).get(key, check)
    }

    /// Stores bounds for a position of ply `ply`, combined with those already stored.
    pub(super) fn put(&self, key: u128, ply: u32, bounds: Bounds) {
        let ply = u16::try_from(ply + 1).unwrap_or(u16::MAX);
        let (key, check) = halves(key);
        self.lock(part_of(key)).put(Entry { key, check, bounds, ply });
    }
}

impl Part {
    fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1) & !(WAYS - 1)
    }

    fn get(&self, key: u64, check: u16) -> Bounds {
        let place = self.place(key);
        let found = self.entries[place..place + WAYS].iter().find(|entry| entry.is_of(key, check));
        found.map_or(Bounds::UNKNOWN, |entry| entry.bounds)
    }

    fn put(&mut self, new: Entry) {
        if self.used > self.entries.len() / 4 * 3 && self.entries.len() < self.limit {
            self.grow();
        }
        self.insert(new);
    }

    fn insert(&mut self, new: Entry) {
        let place = self.place(new.key);
        let ways = &mut self.entries[place..place + WAYS];
        if let Some(same) = ways.iter_mut().find(|entry| entry.is_of(new.key, new.check)) {
            same.bounds.least = same.bounds.least.max(new.bounds.least);
            same.bounds.most = same.bounds.most.min(new.bounds.most);
            return;
        }
        self.used += usize::from(ways.iter().any(|entry| entry.ply == 0));
        // The slot that is empty, or whose entry took least work. The first slot always takes the newest one.
        let (newest, others) = ways.split_at_mut(1);
        let weakest = others.iter_mut().max_by_key(|entry| if entry.ply == 0 { u16::MAX } else { entry.ply });
        match weakest {
            Some(entry) if entry.ply == 0 || entry.ply >= new.ply => *entry = new,
            _ => newest[0] = new,
        }
    }

    /// Doubles the part.
    fn grow(&mut self) {
        let more = vec![EMPTY; 2 * self.entries.len()];
        let old = std::mem::replace(&mut self.entries, more);
        self.used = 0;
        old.into_iter().filter(|entry| entry.ply > 0).for_each(|entry| self.insert(entry));
    }
}

/// Returns the part of the table in which a key is. The other bits determine its place there.
fn part_of(key: u64) -> usize {
    (key >> (u64::BITS - PARTS.trailing_zeros())) as usize
}

/// Returns the two parts of a key that an entry contains.
fn halves(key: u128) -> (u64, u16) {
    (key as u64, (key >> 64) as u16)
}

impl Entry {
    fn is_of(&self, key: u64, check: u16) -> bool {
        self.key == key && self.check == check && self.ply > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_combined_and_survive_growth() {
        let table = Table::default();
        let key = |n: u128| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        for n in 0..40_000 {
            table.put(key(n), 3, Bounds { least: 2, most: 30 });
            table.put(key(n), 3, Bounds { least: 0, most: 9 });
        }
        assert!(table.lock(0).entries.len() > ENTRIES.0);
        let known = (0..40_000).filter(|&n| table.get(key(n)) == Bounds { least: 2, most: 9 }).count();
        assert!(known > 30_000, "{known}");
        assert_eq!(table.get(key(40_001)), Bounds::UNKNOWN);
    }
}
