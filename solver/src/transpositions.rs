//! A transposition table: what searches have found out about positions, in a hash table that threads share without locks.
//!
//! A slot has two numbers that are written separately: a finding, and the key combined with the finding. If two threads write to a
//! slot at the same time, the two do not belong together, and no key finds them.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// The number of slots that share a place: a key may be in any of them.
const WAYS: usize = 4;
/// The number of places at first.
const PLACES: usize = 1 << 12;
/// The largest number of segments, however much memory there is.
const SEGMENTS: usize = 21;

/// What a search has found out about a position.
pub(crate) trait Finding: Copy {
    /// Returns the finding as a number other than 0.
    fn packed(self) -> u64;

    /// Returns the finding of a number that [`Finding::packed`] returned. Any other number also has a finding.
    fn unpacked(packed: u64) -> Self;

    /// Returns a measure of the work that the finding took. More work displaces less.
    fn work(self) -> u32;

    /// Combines the finding with an older one about the same position.
    fn after(self, older: Self) -> Self;
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

    fn clear(&self) {
        self.finding.store(0, Ordering::Relaxed);
    }
}

/// The slots that share a place, in a line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Place([Slot; WAYS]);

/// Findings by key. The table grows, but never moves in memory.
pub(crate) struct Transpositions<F> {
    /// The places. The first segment has [`PLACES`] of them, and each further one as many as all before it.
    segments: [OnceLock<Box<[Place]>>; SEGMENTS],
    /// A power of two.
    num_places: AtomicUsize,
    used: AtomicUsize,
    is_growing: Mutex<()>,
    finding: PhantomData<F>,
}

impl<F: Finding> Transpositions<F> {
    /// Creates an empty table with a small number of slots.
    pub(crate) fn new() -> Self {
        let first = OnceLock::from(places(PLACES));
        let mut rest = std::iter::once(first).chain(std::iter::repeat_with(OnceLock::new));
        Self {
            segments: std::array::from_fn(|_| rest.next().unwrap_or_default()),
            num_places: AtomicUsize::new(PLACES),
            used: AtomicUsize::new(0),
            is_growing: Mutex::new(()),
            finding: PhantomData,
        }
    }

    /// Returns the number of slots to which a table may grow that takes at most the given number of bytes. A new table may be
    /// larger.
    pub(crate) fn slots_in(bytes: u64) -> usize {
        let most = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Place>();
        WAYS * (most / 2 + 1).next_power_of_two().clamp(PLACES, PLACES << (SEGMENTS - 1))
    }

    /// Returns the number of slots.
    pub(crate) fn num_slots(&self) -> usize {
        WAYS * self.num_places.load(Ordering::Relaxed)
    }

    /// Returns the number of entries.
    pub(crate) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Returns `true` if most slots are used, and the table has fewer than `limit`.
    pub(crate) fn needs_room(&self, limit: usize) -> bool {
        let slots = self.num_slots();
        slots < limit && self.used() > slots / 4 * 3
    }

    /// Doubles the table if it needs room and no other thread is doubling it. Other threads may use it meanwhile, and then miss
    /// entries that have not been moved yet.
    pub(crate) fn grow(&self, limit: usize) {
        let Ok(_guard) = self.is_growing.try_lock() else { return };
        if self.needs_room(limit) {
            self.double();
        }
    }

    /// Doubles the table until the given number of entries fills at most half of it, or it has `limit` slots.
    pub(crate) fn make_room(&mut self, num_entries: usize, limit: usize) {
        while self.num_slots() < limit && self.num_slots() / 2 < num_entries {
            self.double();
        }
    }

    fn double(&self) {
        let before = self.num_places.load(Ordering::Relaxed);
        self.segments[segment_of(before).0].get_or_init(|| places(before));
        self.num_places.store(2 * before, Ordering::Release);
        // The entries of a place are divided between it and a place of the new segment.
        for slot in (0..before).flat_map(|index| self.place(index)) {
            if let Some((key, finding)) = slot.get()
                && (key as usize / WAYS) & before != 0
            {
                slot.clear();
                self.used.fetch_sub(1, Ordering::Relaxed);
                self.put(key, F::unpacked(finding));
            }
        }
    }

    fn place(&self, index: usize) -> &[Slot] {
        let (segment, within) = segment_of(index);
        self.segments[segment].get().map_or(&[], |places| &places[within].0)
    }

    fn place_of(&self, key: u64) -> &[Slot] {
        self.place((key as usize / WAYS) & (self.num_places.load(Ordering::Acquire) - 1))
    }

    /// Returns what is stored for a position.
    pub(crate) fn get(&self, key: u64) -> Option<F> {
        let found = self.place_of(key).iter().filter_map(Slot::get).find(|&(k, _)| k == key);
        found.map(|(_, finding)| F::unpacked(finding))
    }

    /// Stores a finding, combined with an older one about the same position.
    pub(crate) fn put(&self, key: u64, finding: F) {
        let ways = self.place_of(key);
        let entries: [Option<(u64, u64)>; WAYS] = std::array::from_fn(|way| ways[way].get());
        let of = |way: usize| entries[way].map(|(_, finding)| F::unpacked(finding));
        if let Some(same) = entries.iter().position(|entry| entry.is_some_and(|(k, _)| k == key)) {
            let finding = of(same).map_or(finding, |older| finding.after(older));
            return ways[same].set(key, finding.packed());
        }
        if let Some(empty) = entries.iter().position(Option::is_none) {
            self.used.fetch_add(1, Ordering::Relaxed);
            return ways[empty].set(key, finding.packed());
        }
        // The slot whose entry took least work. The first slot takes what displaces none of the others.
        let work = |way: &usize| of(*way).map_or(0, F::work);
        let weakest = (1..WAYS).min_by_key(work).filter(|way| work(way) <= finding.work()).unwrap_or(0);
        ways[weakest].set(key, finding.packed());
    }

    /// Returns the keys and findings.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, F)> + '_ {
        let slots = (0..self.num_places.load(Ordering::Acquire)).flat_map(|index| self.place(index));
        slots.filter_map(Slot::get).map(|(key, finding)| (key, F::unpacked(finding)))
    }
}

fn places(count: usize) -> Box<[Place]> {
    std::iter::repeat_with(Place::default).take(count).collect()
}

/// Returns the segment of a place, and the number of the place in it.
fn segment_of(index: usize) -> (usize, usize) {
    match (index / PLACES).checked_ilog2() {
        None => (0, index),
        Some(doubled) => (doubled as usize + 1, index - (PLACES << doubled)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number whose work is its last bits, and which is added to an older one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Number(u64);

    impl Finding for Number {
        fn packed(self) -> u64 {
            self.0
        }

        fn unpacked(packed: u64) -> Self {
            Self(packed)
        }

        fn work(self) -> u32 {
            (self.0 & 7) as u32
        }

        fn after(self, older: Self) -> Self {
            Self(self.0 + older.0)
        }
    }

    fn key(n: u64) -> u64 {
        n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31)
    }

    #[test]
    fn findings_survive_growth() {
        let table = Transpositions::new();
        for n in 1..=90_000 {
            table.grow(usize::MAX);
            table.put(key(n), Number(n));
        }
        assert_eq!(table.num_slots(), 8 * WAYS * PLACES);
        let kept = (1..=90_000).filter(|&n| table.get(key(n)) == Some(Number(n))).count();
        assert!(kept > 80_000 && kept == table.used(), "{kept} of {}", table.used());
        assert_eq!(table.entries().count(), kept);
        assert!(table.entries().all(|(k, number)| k == key(number.0)));
        assert_eq!(table.get(key(90_001)), None);
    }

    #[test]
    fn a_table_with_room_loses_little() {
        let mut table = Transpositions::new();
        table.make_room(90_000, usize::MAX);
        let slots = table.num_slots();
        assert!(slots >= 180_000);
        (1..=90_000).for_each(|n| table.put(key(n), Number(n)));
        assert!(table.used() > 89_000, "{}", table.used());
        table.make_room(1_000_000, slots);
        assert_eq!(table.num_slots(), slots, "the limit");
    }

    #[test]
    fn threads_read_what_others_write_while_the_table_grows() {
        let table = Transpositions::new();
        std::thread::scope(|scope| {
            for first in 1..=4 {
                let table = &table;
                scope.spawn(move || {
                    for n in (first..=200_000).step_by(4) {
                        table.grow(usize::MAX);
                        table.put(key(n), Number(n));
                        let other = n / 2 + 1;
                        assert!(table.get(key(other)).is_none_or(|found| found == Number(other)), "{other}");
                    }
                });
            }
        });
        let kept = (1..=200_000).filter(|&n| table.get(key(n)) == Some(Number(n))).count();
        // How many are displaced while a thread creates places depends on the other threads.
        assert!(kept > WAYS * PLACES / 2, "{kept}");
    }

    #[test]
    fn findings_are_combined_and_more_work_displaces_less() {
        let table = Transpositions::new();
        table.put(1 << 40, Number(8));
        table.put(1 << 40, Number(16));
        assert_eq!(table.get(1 << 40), Some(Number(24)));
        // All of these keys share a place.
        let keys = |n: u64| (n + 2) << 40;
        (0..5).for_each(|n| table.put(keys(n), Number(8 + n)));
        let kept = [0, 1, 2, 3, 4].map(|n| table.get(keys(n)).is_some());
        assert_eq!((kept, table.used()), ([false, false, true, true, true], 4));
        table.put(keys(5), Number(16));
        assert_eq!(table.get(keys(5)), Some(Number(16)), "the newest finding is kept");
        assert_eq!(table.get(1 << 40), None, "the first slot takes it");
    }

    #[test]
    fn a_table_never_exceeds_its_bytes() {
        for bytes in [1 << 20, (1 << 20) + 1, (1 << 21) - 1, 3 << 20] {
            let table = Transpositions::new();
            let limit = Transpositions::<Number>::slots_in(bytes);
            for n in 1..=200_000 {
                table.grow(limit);
                table.put(key(n), Number(n));
            }
            assert_eq!(table.num_slots(), limit);
            let places: usize =
                table.segments.iter().filter_map(OnceLock::get).map(|places| places.len()).sum();
            assert!((places * size_of::<Place>()) as u64 <= bytes, "{bytes}");
            assert_eq!(places * WAYS, limit);
        }
    }
}
