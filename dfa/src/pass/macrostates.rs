//! The distinct macrostates of one layer, or those reached by one letter, distributed to partitions by hash.
//!
//! A macrostate is a list of words: the state of each side set, followed by the image pairs in ascending order.

use hashbrown::HashTable;

use crate::hash::fold;
use crate::unique::FIRST;

use super::budget::Bytes;
use super::touch::touch;

/// The number of partitions, a power of two. It is large enough for many threads, and small enough that each partition
/// is a large block of memory.
pub(super) const PARTITIONS: usize = 64;

/// Marks a target that is a state of the first side set. Such a target is copied instead of being expanded, because the
/// child has the same residual.
pub(super) const COPY: u32 = 1 << 31;

/// Splits a macrostate number, as used in rows, into its partition and its place in the partition.
#[inline]
pub(super) fn split(target: u32) -> (usize, usize) {
    let number = (target - FIRST) as usize;
    (number % PARTITIONS, number / PARTITIONS)
}

/// Returns the macrostate number for a place in a partition.
#[inline]
pub(super) fn join(partition: usize, place: u32) -> u32 {
    FIRST + place * PARTITIONS as u32 + partition as u32
}

/// The maximum number of macrostates in a partition, so that all macrostate numbers are less than [`COPY`].
const MAX_PLACES: u32 = (COPY - FIRST) / PARTITIONS as u32;

/// The distinct macrostates of one layer.
pub(super) struct Macrostates {
    pub(super) partitions: Vec<Partition>,
}

impl Bytes for Macrostates {
    fn bytes(&self) -> u64 {
        self.partitions.iter().map(Partition::bytes).sum()
    }
}

impl Macrostates {
    /// Creates an empty collection.
    pub(super) fn new() -> Self {
        Self { partitions: (0..PARTITIONS).map(|_| Partition::default()).collect() }
    }

    /// Creates a collection with the single macrostate of the first layer.
    pub(super) fn with_root(macrostate: &[u32]) -> Self {
        let mut macrostates = Self::new();
        macrostates.partitions[0].words.extend_from_slice(macrostate);
        macrostates.partitions[0].ends.push(macrostate.len() as u32);
        macrostates
    }

    /// Returns the number of macrostates.
    pub(super) fn len(&self) -> usize {
        self.partitions.iter().map(Partition::len).sum()
    }

    /// Returns the total number of words of all macrostates.
    pub(super) fn num_words(&self) -> usize {
        self.partitions.iter().map(|p| p.words.len()).sum()
    }

    /// Returns the macrostate with this number.
    #[inline]
    pub(super) fn macrostate(&self, number: u32) -> &[u32] {
        let (partition, place) = split(number);
        self.partitions[partition].macrostate(place)
    }

    /// Divides the macrostates into ranges of at most `most` macrostates, as (partition, first place, place after the
    /// last).
    pub(super) fn stretches(&self, most: usize) -> Vec<(usize, usize, usize)> {
        let of = |(p, partition): (usize, &Partition)| {
            let len = partition.len();
            (0..len).step_by(most).map(move |from| (p, from, (from + most).min(len)))
        };
        self.partitions.iter().enumerate().flat_map(of).collect()
    }
}

/// The macrostates with the same partition number, stored contiguously.
#[derive(Default)]
pub(super) struct Partition {
    words: Vec<u32>,
    /// The end of each macrostate in `words`.
    ends: Vec<u32>,
    /// An index of macrostates by tag and place, which is dropped when the layer is complete.
    index: HashTable<(u32, u32)>,
}

impl Partition {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn bytes(&self) -> u64 {
        (4 * (self.words.capacity() + self.ends.capacity()) + 9 * self.index.capacity()) as u64
    }

    #[inline]
    pub(super) fn macrostate(&self, place: usize) -> &[u32] {
        macrostate_at(&self.words, &self.ends, place)
    }

    /// Returns the place of a macrostate with this tag, which is nearly always the only one.
    #[inline]
    pub(super) fn candidate(&self, tag: u32) -> Option<u32> {
        self.index.find(spread(tag), |&(t, _)| t == tag).map(|&(_, place)| place)
    }

    /// Returns the start and end of the words of the macrostate at `place`.
    #[inline]
    pub(super) fn span(&self, place: u32) -> (u32, u32) {
        span_at(&self.ends, place as usize)
    }

    /// Reads the memory that [`Partition::span`] will read.
    #[inline]
    pub(super) fn touch_span(&self, place: u32) {
        touch(&self.ends, place as usize);
    }

    /// Reads the memory that [`Partition::words`] will read first.
    #[inline]
    pub(super) fn touch_words(&self, (start, _): (u32, u32)) {
        touch(&self.words, start as usize);
    }

    /// Returns the words of a span.
    #[inline]
    pub(super) fn words(&self, (start, end): (u32, u32)) -> &[u32] {
        &self.words[start as usize..end as usize]
    }

    /// Returns the place of `macrostate`, and adds it if it is new. Returns `None` if no number is available.
    #[inline]
    pub(super) fn insert(&mut self, tag: u32, macrostate: &[u32]) -> Option<u32> {
        let hash = spread(tag);
        let Self { words, ends, index } = self;
        if let Some(&(_, place)) = index
            .find(hash, |&(t, place)| t == tag && macrostate_at(words, ends, place as usize) == macrostate)
        {
            return Some(place);
        }
        let place = u32::try_from(ends.len()).ok().filter(|&place| place < MAX_PLACES)?;
        let end = u32::try_from(words.len() + macrostate.len()).ok()?;
        grow(words, macrostate.len());
        words.extend_from_slice(macrostate);
        ends.push(end);
        index.insert_unique(hash, (tag, place), |&(t, _)| spread(t));
        Some(place)
    }

    /// Frees the memory that is only needed for insertion. No macrostate can be inserted afterwards.
    pub(super) fn close(&mut self) {
        self.index = HashTable::new();
        self.words.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// Partitions with at least this many words grow by an eighth instead of doubling. All partitions together may take
/// most of the available memory, and large blocks of memory can grow without being copied.
const LONG: usize = 1 << 18;

/// Makes room for `more` words.
#[inline]
fn grow(words: &mut Vec<u32>, more: usize) {
    if words.len() + more > words.capacity() && words.len() >= LONG {
        words.reserve_exact(more.max(words.len() / 8));
    }
}

#[inline]
fn span_at(ends: &[u32], place: usize) -> (u32, u32) {
    (if place == 0 { 0 } else { ends[place - 1] }, ends[place])
}

#[inline]
fn macrostate_at<'a>(words: &'a [u32], ends: &[u32], place: usize) -> &'a [u32] {
    let (start, end) = span_at(ends, place);
    &words[start as usize..end as usize]
}

/// Returns the hash that determines the position of a macrostate in the table of a partition. It depends only on the
/// tag, which is stored in the table, so that the table can grow without reading macrostates.
#[inline]
fn spread(tag: u32) -> u64 {
    fold(u64::from(tag) | 1 << 32, 0x9E37_79B9_7F4A_7C15)
}

/// Returns the (partition, tag) of a macrostate.
#[inline]
pub(super) fn hash(macrostate: &[u32]) -> (usize, u32) {
    let mut h = 0x2545_F491_4F6C_DD1D_u64;
    for pair in macrostate.chunks(2) {
        let word = u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(u32::MAX)) << 32;
        h = fold(h ^ word, 0x9E37_79B9_7F4A_7C15);
    }
    ((h >> 58) as usize % PARTITIONS, h as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macrostates_with_equal_tags_are_merged_only_if_equal() {
        let mut partition = Partition::default();
        assert_eq!(partition.insert(7, &[1, 2, 3]), Some(0));
        assert_eq!(partition.insert(7, &[1, 2]), Some(1));
        assert_eq!(partition.insert(7, &[1, 2, 4]), Some(2));
        assert_eq!(partition.insert(7, &[1, 2, 3]), Some(0));
        assert_eq!((partition.macrostate(1), partition.len()), (&[1, 2][..], 3));
    }
}
