//! What a search has found out about positions, and its form in a file.

use super::{INFINITE, LARGEST, Numbers};
use crate::transpositions::{Finding, Transpositions};

/// The number of bits of a proof or disproof number.
const BITS: u32 = 29;
/// The proof or disproof number that stands for an infinite one.
const ALL: u64 = (1 << BITS) - 1;

/// Numbers with the work that they took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) numbers: Numbers,
    /// The number of positions visited below, at least 1. The table rounds it down to a power of two.
    pub(crate) work: u32,
}

impl Finding for Known {
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

    fn work(self) -> u32 {
        self.work
    }

    fn after(self, older: Self) -> Self {
        Self { work: self.work.saturating_add(older.work), ..self }
    }
}

/// The bytes of an entry in a file: the key and the finding, each as a little-endian number.
pub(crate) type Entry = [u8; 16];

/// Findings by key.
pub(crate) struct Table {
    findings: Transpositions<Known>,
    limit: usize,
}

impl Table {
    /// Creates a table that grows to at most the given number of bytes, but has a small size in any case.
    pub(crate) fn new(bytes: u64) -> Self {
        Self { findings: Transpositions::new(), limit: Transpositions::<Known>::slots_in(bytes) }
    }

    /// Returns the number of entries and the largest possible number.
    pub(crate) fn fill(&self) -> (usize, usize) {
        (self.findings.used(), self.limit)
    }

    /// Returns `true` if most slots are used and the table may grow.
    pub(crate) fn needs_room(&self) -> bool {
        self.findings.needs_room(self.limit)
    }

    /// Doubles the table if it needs room.
    pub(crate) fn grow(&self) {
        self.findings.grow(self.limit);
    }

    /// Makes the table large enough for a number of entries, within its limit.
    pub(crate) fn make_room(&mut self, num_entries: usize) {
        self.findings.make_room(num_entries, self.limit);
    }

    /// Returns what is stored for a position.
    pub(crate) fn get(&self, key: u128) -> Option<Known> {
        self.findings.get(key as u64)
    }

    /// Stores a finding instead of the previous one about the same position, whose work is added.
    pub(crate) fn put(&self, key: u128, known: Known) {
        self.findings.put(key as u64, known);
    }

    /// Returns the entries whose work is at least `least`.
    pub(crate) fn entries(&self, least: u32) -> impl Iterator<Item = Entry> + '_ {
        self.findings.entries().filter(move |(_, known)| known.work >= least).map(|(key, known)| {
            let mut entry = Entry::default();
            entry[..8].copy_from_slice(&key.to_le_bytes());
            entry[8..].copy_from_slice(&known.packed().to_le_bytes());
            entry
        })
    }

    /// Stores an entry that [`Table::entries`] returned. Returns `false` for other bytes.
    pub(crate) fn put_entry(&self, entry: Entry) -> bool {
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let (key, finding) = (number(&entry[..8]), number(&entry[8..]));
        let known = Known::unpacked(finding);
        self.findings.put(key, known);
        known.packed() == finding
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_survive_packing_and_growth() {
        let table = Table::new(1 << 24);
        let key = |n: u128| n.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let known = |n: u128| match n % 4 {
            0 => Known { numbers: Numbers::PROVED, work: 1 },
            1 => Known { numbers: Numbers::DISPROVED, work: 4 },
            2 => Known { numbers: Numbers::REPEATED, work: 1 << 31 },
            _ => Known { numbers: Numbers { proof: n as u32, disproof: 7 }, work: 64 },
        };
        for n in 0..40_000 {
            table.grow();
            table.put(key(n), known(n));
        }
        assert!(table.findings.num_slots() > Table::new(0).limit);
        let kept = (0..40_000).filter(|&n| table.get(key(n)).is_some()).count();
        assert!(kept > 30_000 && kept <= table.fill().0, "{kept} of {:?}", table.fill());
        (0..40_000).for_each(|n| assert!(table.get(key(n)).is_none_or(|found| found == known(n)), "{n}"));
        assert_eq!(table.get(key(40_001)), None);

        let copy = Table::new(1 << 24);
        for entry in table.entries(4) {
            copy.grow();
            assert!(copy.put_entry(entry));
        }
        let of_copy = (0..40_000).filter(|&n| copy.get(key(n)).is_some()).count();
        assert!(of_copy > 20_000 && copy.entries(4).count() == of_copy, "{of_copy}");
        (0..40_000).for_each(|n| assert!(copy.get(key(n)).is_none_or(|found| found == known(n)), "{n}"));
        assert!(!copy.put_entry([0xff; 16]));
    }
}
