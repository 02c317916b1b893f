//! What a search has found out about positions, in a hash table of limited size that all threads share without locks.
//!
//! A slot has two numbers that are written separately: a finding, and the key combined with the finding. If two threads write to a
//! slot at the same time, the two do not belong together, and no key finds them.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::numbers::{INFINITE, LARGEST, Numbers};

/// The number of slots that share a place: a key may be in any of them.
const WAYS: usize = 4;
/// The number of slots at first.
const SLOTS: usize = 1 << 14;
/// The largest number of slots, however much memory there is.
const MOST_SLOTS: usize = 1 << 34;
/// The number of bits of a proof or disproof number.
const BITS: u32 = 29;
/// The proof or disproof number that stands for an infinite one.
const ALL: u64 = (1 << BITS) - 1;

/// Numbers with the work that they took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    /// The number of positions visited below, at least 1. The table rounds it down to a power of two.
    pub(super) work: u32,
}

impl Known {
    /// Returns the finding as a number other than 0.
    fn packed(self) -> u64 {
        let bits = |number: u32| if number == INFINITE { ALL } else { u64::from(number.min(LARGEST)) };
        let work = u64::from(self.work.max(1).ilog2() + 1);
        work << (2 * BITS) | bits(self.numbers.proof) << BITS | bits(self.numbers.disproof)
    }

    fn unpacked(packed: u64) -> Self {
        let number = |bits: u64| if bits & ALL == ALL { INFINITE } else { (bits & ALL) as u32 };
        let numbers = Numbers { proof: number(packed >> BITS), disproof: number(packed) };
        Self { numbers, work: 1 << (packed >> (2 * BITS)).saturating_sub(1).min(31) }
    }
}

/// A finding with its key; both numbers are 0 in an empty slot.
#[derive(Default)]
struct Slot {
    key: AtomicU64,
    finding: AtomicU64,
}

impl Slot {
    /// Returns the key and the finding, or `None` if the slot is empty.
    fn get(&self) -> Option<(u64, u64)> {
        let finding = self.finding.load(Ordering::Relaxed);
        (finding != 0).then(|| (self.key.load(Ordering::Relaxed) ^ finding, finding))
    }

    fn set(&self, key: u64, finding: u64) {
        self.key.store(key ^ finding, Ordering::Relaxed);
        self.finding.store(finding, Ordering::Relaxed);
    }
}

/// The bytes of an entry in a file: the key and the finding, each as a little-endian number.
pub(super) type Entry = [u8; 16];

/// Findings by key.
pub(super) struct Table {
    slots: Vec<Slot>,
    used: AtomicUsize,
    limit: usize,
}

impl Table {
    /// Creates a table that grows to at most the given number of bytes, but has a small size in any case.
    pub(super) fn new(bytes: u64) -> Self {
        let most = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Slot>();
        let limit = (most / 2 + 1).next_power_of_two().clamp(SLOTS, MOST_SLOTS);
        let mut table = Self { slots: Vec::new(), used: AtomicUsize::new(0), limit };
        table.slots.resize_with(SLOTS, Slot::default);
        table
    }

    /// Returns the number of entries and the largest possible number.
    pub(super) fn fill(&self) -> (usize, usize) {
        (self.used.load(Ordering::Relaxed), self.limit)
    }

    /// Returns `true` if most slots are used and the table may grow.
    pub(super) fn needs_room(&self) -> bool {
        self.slots.len() < self.limit && self.used.load(Ordering::Relaxed) > self.slots.len() / 4 * 3
    }

    /// Doubles the table. The entries of a place are divided between two places, at the same index in each.
    pub(super) fn grow(&mut self) {
        let before = self.slots.len();
        self.slots.reserve_exact(before);
        self.slots.resize_with(2 * before, Slot::default);
        let (lower, upper) = self.slots.split_at_mut(before);
        for (slot, above) in lower.iter_mut().zip(upper) {
            if slot.get().is_some_and(|(key, _)| key as usize & before != 0) {
                std::mem::swap(slot, above);
            }
        }
    }

    fn place(&self, key: u64) -> &[Slot] {
        let start = key as usize & (self.slots.len() - 1) & !(WAYS - 1);
        &self.slots[start..start + WAYS]
    }

    /// Returns what is stored for a position.
    pub(super) fn get(&self, key: u128) -> Option<Known> {
        let found = self.place(key as u64).iter().filter_map(Slot::get).find(|&(k, _)| k == key as u64);
        found.map(|(_, finding)| Known::unpacked(finding))
    }

    /// Returns the entries whose work is at least `least`.
    pub(super) fn entries(&self, least: u32) -> impl Iterator<Item = Entry> + '_ {
        let found = self.slots.iter().filter_map(Slot::get);
        found.filter(move |&(_, finding)| Known::unpacked(finding).work >= least).map(|(key, finding)| {
            let mut entry = Entry::default();
            entry[..8].copy_from_slice(&key.to_le_bytes());
            entry[8..].copy_from_slice(&finding.to_le_bytes());
            entry
        })
    }

    /// Stores an entry that [`Table::entries`] returned. Returns `false` for other bytes.
    pub(super) fn put_entry(&self, entry: Entry) -> bool {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let (key, finding) = (number(&entry[..8]), number(&entry[8..]));
        let known = Known::unpacked(finding);
        self.put(key.into(), known);
        known.packed() == finding
    }

    /// Stores a finding instead of the previous one about the same position, whose work is added.
    pub(super) fn put(&self, key: u128, known: Known) {
        let key = key as u64;
        let ways = self.place(key);
        let entries: [Option<(u64, u64)>; WAYS] = std::array::from_fn(|way| ways[way].get());
        if let Some(same) = entries.iter().position(|entry| entry.is_some_and(|(k, _)| k == key)) {
            let before = entries[same].map_or(0, |(_, finding)| Known::unpacked(finding).work);
            let work = known.work.saturating_add(before);
            return ways[same].set(key, Known { work, ..known }.packed());
        }
        // The slot that is empty, or whose entry took least work. The first slot always takes the newest one.
        let work = |way: &usize| entries[*way].map_or(0, |(_, finding)| Known::unpacked(finding).work);
        let weakest = (1..WAYS).min_by_key(work).filter(|way| work(way) <= known.work).unwrap_or(0);
        if entries[weakest].is_none() {
            self.used.fetch_add(1, Ordering::Relaxed);
        }
        ways[weakest].set(key, known.packed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_survive_packing_and_growth() {
        let mut table = Table::new(1 << 24);
        let key = |n: u128| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let known = |n: u128| match n % 4 {
            0 => Known { numbers: Numbers::PROVED, work: 1 },
            1 => Known { numbers: Numbers::DISPROVED, work: 4 },
            2 => Known { numbers: Numbers::REPEATED, work: 1 << 31 },
            _ => Known { numbers: Numbers { proof: n as u32, disproof: 7 }, work: 64 },
        };
        for n in 0..40_000 {
            if table.needs_room() {
                table.grow();
            }
            table.put(key(n), known(n));
        }
        assert!(table.slots.len() > SLOTS);
        let kept = (0..40_000).filter(|&n| table.get(key(n)).is_some()).count();
        assert!(kept > 30_000 && kept <= table.fill().0, "{kept} of {:?}", table.fill());
        (0..40_000).for_each(|n| assert!(table.get(key(n)).is_none_or(|found| found == known(n)), "{n}"));
        assert_eq!(table.get(key(40_001)), None);

        let mut copy = Table::new(1 << 24);
        for entry in table.entries(4) {
            if copy.needs_room() {
                copy.grow();
            }
            assert!(copy.put_entry(entry));
        }
        let of_copy = (0..40_000).filter(|&n| copy.get(key(n)).is_some()).count();
        assert!(of_copy > 20_000 && copy.entries(4).count() == of_copy, "{of_copy}");
        (0..40_000).for_each(|n| assert!(copy.get(key(n)).is_none_or(|found| found == known(n)), "{n}"));
        assert!(!copy.put_entry([0xff; 16]));
    }

    #[test]
    fn a_table_never_exceeds_its_bytes() {
        for bytes in [1 << 20, (1 << 20) + 1, (1 << 21) - 1, 3 << 20] {
            let mut table = Table::new(bytes);
            while table.slots.len() < table.limit {
                table.grow();
            }
            assert!((table.slots.capacity() * size_of::<Slot>()) as u64 <= bytes, "{bytes}");
        }
    }
}
