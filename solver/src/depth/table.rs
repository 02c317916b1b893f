//! Bounds of depths that searches have shown, in a table of limited size in which new entries replace old ones. Threads share it.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::transpositions::{Finding, Transpositions};

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

/// Bounds, with what identifies and weighs them.
#[derive(Clone, Copy)]
struct Entry {
    /// 16 bits of the key, in addition to the 64 that the table compares.
    check: u16,
    bounds: Bounds,
    /// The ply of the position plus 1. Entries of early plies took more work.
    ply: u16,
}

impl Finding for Entry {
    fn packed(self) -> u64 {
        [self.check, self.bounds.least, self.bounds.most, self.ply]
            .into_iter()
            .fold(0, |packed, part| packed << 16 | u64::from(part))
    }

    fn unpacked(packed: u64) -> Self {
        let part = |at: u32| (packed >> (16 * at)) as u16;
        Self { check: part(3), bounds: Bounds { least: part(2), most: part(1) }, ply: part(0) }
    }

    fn work(self) -> u32 {
        u32::from(u16::MAX - self.ply)
    }

    fn after(self, older: Self) -> Self {
        if older.check != self.check {
            return self;
        }
        let least = self.bounds.least.max(older.bounds.least);
        Self { bounds: Bounds { least, most: self.bounds.most.min(older.bounds.most) }, ..self }
    }
}

/// Bounds by key. The table grows with the number of entries up to a limit.
pub(super) struct Table {
    entries: Transpositions<Entry>,
    limit: AtomicUsize,
}

impl Default for Table {
    fn default() -> Self {
        Self { entries: Transpositions::new(), limit: AtomicUsize::new(usize::MAX) }
    }
}

impl Table {
    /// Limits the table to a number of bytes. A table that is already larger keeps its size.
    pub(super) fn limit_bytes(&self, bytes: u64) {
        self.limit.store(Transpositions::<Entry>::slots_in(bytes), Ordering::Relaxed);
    }

    /// Makes the table larger if it is nearly full. Call it from time to time.
    pub(super) fn make_room(&self) {
        self.entries.grow(self.limit.load(Ordering::Relaxed));
    }

    /// Returns the bounds stored for a position.
    pub(super) fn get(&self, key: u128) -> Bounds {
        let (key, check) = halves(key);
        let found = self.entries.get(key).filter(|entry| entry.check == check);
        found.map_or(Bounds::UNKNOWN, |entry| entry.bounds)
    }

    /// Stores bounds for a position of ply `ply`, combined with those already stored.
    pub(super) fn put(&self, key: u128, ply: u32, bounds: Bounds) {
        let ply = u16::try_from(ply + 1).unwrap_or(u16::MAX);
        let (key, check) = halves(key);
        self.entries.put(key, Entry { check, bounds, ply });
    }
}

/// Returns the two parts of a key that an entry contains.
fn halves(key: u128) -> (u64, u16) {
    (key as u64, (key >> 64) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u128) -> u128 {
        n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)
    }

    #[test]
    fn bounds_are_combined_and_survive_growth() {
        let table = Table::default();
        for n in 0..40_000 {
            table.make_room();
            table.put(key(n), 3, Bounds { least: 2, most: 30 });
            table.put(key(n), 3, Bounds { least: 0, most: 9 });
        }
        assert!(table.entries.num_slots() > Table::default().entries.num_slots());
        let known = (0..40_000).filter(|&n| table.get(key(n)) == Bounds { least: 2, most: 9 }).count();
        assert!(known > 30_000, "{known}");
        assert_eq!(table.get(key(40_001)), Bounds::UNKNOWN);
        assert_eq!(
            table.get(key(39_999) ^ 1 << 70),
            Bounds::UNKNOWN,
            "the other bits of the key are compared"
        );
    }

    #[test]
    fn a_limited_table_does_not_grow() {
        let table = Table::default();
        table.limit_bytes(1);
        for n in 0..40_000 {
            table.make_room();
            table.put(key(n), 3, Bounds { least: 2, most: 30 });
        }
        assert_eq!(table.entries.num_slots(), Table::default().entries.num_slots());
    }
}
