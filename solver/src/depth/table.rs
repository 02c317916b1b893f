//! What searches have found out about positions, in a hash table of limited size in which new entries replace old ones.

/// The number of slots that share a place: a key may be in any of them.
const WAYS: usize = 4;
/// The number of entries at first.
const ENTRIES: usize = 1 << 14;

/// What a table contains about a position.
pub(crate) trait Finding: Copy {
    /// The contents of an empty slot.
    const NOTHING: Self;
    /// The largest number of entries, however much memory there is.
    const MOST_ENTRIES: usize;

    /// Returns `true` for the contents of an empty slot.
    fn is_nothing(&self) -> bool;

    /// Adds what was found out later about the same position.
    fn add(&mut self, later: Self);

    /// Returns the work that was done for it, as a number to compare.
    fn work(&self) -> u32;
}

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

/// Bounds of the depth of a position of a ply.
#[derive(Clone, Copy)]
pub(super) struct Bounded {
    bounds: Bounds,
    /// The ply of the position plus 1, or 0 if the slot is empty.
    ply: u16,
}

impl Bounded {
    /// Bounds of the depth of a position of ply `ply`.
    pub(super) fn new(ply: u32, bounds: Bounds) -> Self {
        Self { bounds, ply: u16::try_from(ply + 1).unwrap_or(u16::MAX) }
    }
}

impl Finding for Bounded {
    const NOTHING: Self = Self { bounds: Bounds::UNKNOWN, ply: 0 };
    const MOST_ENTRIES: usize = 1 << 25;

    fn is_nothing(&self) -> bool {
        self.ply == 0
    }

    fn add(&mut self, later: Self) {
        self.bounds.least = self.bounds.least.max(later.bounds.least);
        self.bounds.most = self.bounds.most.min(later.bounds.most);
    }

    /// Entries of early plies took more work.
    fn work(&self) -> u32 {
        u32::from(u16::MAX - self.ply)
    }
}

impl Table<Bounded> {
    /// Returns the bounds stored for a position.
    pub(super) fn bounds(&self, key: u128) -> Bounds {
        self.get(key).map_or(Bounds::UNKNOWN, |found| found.bounds)
    }
}

#[derive(Clone, Copy)]
struct Entry<T> {
    /// The first 64 bits of the key, some of which determine the place.
    key: u64,
    /// 16 further bits of the key.
    check: u16,
    finding: T,
}

/// Findings by key. The table grows with the number of entries up to a limit.
pub(crate) struct Table<T> {
    entries: Vec<Entry<T>>,
    used: usize,
    limit: usize,
}

impl<T: Finding> Default for Table<T> {
    fn default() -> Self {
        Self { entries: vec![Entry::EMPTY; ENTRIES], used: 0, limit: T::MOST_ENTRIES }
    }
}

impl<T: Finding> Table<T> {
    /// Limits the table to a number of bytes. A table that is already larger keeps its size.
    pub(crate) fn limit_bytes(&mut self, bytes: u64) {
        let entries = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Entry<T>>();
        self.limit = (entries / 2 + 1).next_power_of_two().clamp(ENTRIES, T::MOST_ENTRIES);
    }

    /// Returns the number of entries and the largest possible number.
    pub(crate) fn fill(&self) -> (usize, usize) {
        (self.used, self.limit)
    }

    fn place(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1) & !(WAYS - 1)
    }

    /// Returns what is stored for a position.
    pub(crate) fn get(&self, key: u128) -> Option<T> {
        let (key, check) = parts(key);
        let place = self.place(key);
        let found = self.entries[place..place + WAYS].iter().find(|entry| entry.is_of(key, check));
        found.map(|entry| entry.finding)
    }

    /// Stores a finding, combined with what is already stored.
    pub(crate) fn put(&mut self, key: u128, finding: T) {
        if self.used > self.entries.len() / 4 * 3 && self.entries.len() < self.limit {
            self.grow();
        }
        let (key, check) = parts(key);
        self.insert(Entry { key, check, finding });
    }

    fn insert(&mut self, new: Entry<T>) {
        let place = self.place(new.key);
        let ways = &mut self.entries[place..place + WAYS];
        if let Some(same) = ways.iter_mut().find(|entry| entry.is_of(new.key, new.check)) {
            same.finding.add(new.finding);
            return;
        }
        self.used += usize::from(ways.iter().any(|entry| entry.finding.is_nothing()));
        // The slot that is empty, or whose entry took least work. The first slot always takes the newest one.
        let (newest, others) = ways.split_at_mut(1);
        let work = |entry: &Entry<T>| (!entry.finding.is_nothing()).then(|| entry.finding.work());
        let weakest = others.iter_mut().min_by_key(|entry| work(entry));
        match weakest {
            Some(entry) if work(entry).is_none_or(|work| work <= new.finding.work()) => *entry = new,
            _ => newest[0] = new,
        }
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let more = vec![Entry::EMPTY; 2 * self.entries.len()];
        let old = std::mem::replace(&mut self.entries, more);
        self.used = 0;
        old.into_iter().filter(|entry| !entry.finding.is_nothing()).for_each(|entry| self.insert(entry));
    }
}

/// Returns the parts of a key that an entry contains.
fn parts(key: u128) -> (u64, u16) {
    (key as u64, (key >> 64) as u16)
}

impl<T: Finding> Entry<T> {
    const EMPTY: Self = Self { key: 0, check: 0, finding: T::NOTHING };

    fn is_of(&self, key: u64, check: u16) -> bool {
        self.key == key && self.check == check && !self.finding.is_nothing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_combined_and_survive_growth() {
        let mut table = Table::<Bounded>::default();
        let key = |n: u128| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        for n in 0..40_000 {
            table.put(key(n), Bounded::new(3, Bounds { least: 2, most: 30 }));
            table.put(key(n), Bounded::new(3, Bounds { least: 0, most: 9 }));
        }
        assert!(table.entries.len() > ENTRIES);
        let known = (0..40_000).filter(|&n| table.bounds(key(n)) == Bounds { least: 2, most: 9 }).count();
        assert!(known > 30_000, "{known}");
        assert_eq!(table.bounds(key(40_001)), Bounds::UNKNOWN);
    }
}
