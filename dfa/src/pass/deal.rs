//! The children of many macrostates, sorted by their partition in the next layer.

use rayon::prelude::*;

use crate::unique::FIRST;

use super::macrostates::{COPY, PARTITIONS, Partition, join};

/// The number of macrostates that are looked up together.
const GROUP: usize = 32;

/// The children of a range of macrostates that belong to one partition.
pub(super) struct Outbox {
    words: Vec<u32>,
    /// Pairs of (end in `words`, tag), or (end, place in the partition) after merging.
    ends: Vec<(u32, u32)>,
}

impl Outbox {
    /// Creates an outbox with room for its share of `children`, assuming that they are evenly distributed.
    fn with_room_for(children: usize) -> Self {
        let share = children / PARTITIONS + children / PARTITIONS / 2 + 8;
        Self { words: Vec::with_capacity(8 * share), ends: Vec::with_capacity(share) }
    }

    /// Returns the number of bytes that [`Outbox::with_room_for`] allocates.
    fn bytes_for(children: usize) -> u64 {
        40 * (children / PARTITIONS + children / PARTITIONS / 2 + 8) as u64
    }

    fn bytes(&self) -> u64 {
        (4 * self.words.capacity() + 8 * self.ends.capacity()) as u64
    }

    pub(super) fn push(&mut self, macrostate: &[u32], tag: u32) {
        self.words.extend_from_slice(macrostate);
        self.ends.push((self.words.len() as u32, tag));
    }

    fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }

    /// Replaces tags by the places of the macrostates in the partition. Returns `None` if the partition has no number
    /// available. The look-ups of a group are interleaved step by step, so that cache misses overlap.
    pub(super) fn merge(&mut self, partition: &mut Partition) -> Option<()> {
        let mut start = 0;
        let mut candidates = [None; GROUP];
        let mut spans = [(0, 0); GROUP];
        for group in self.ends.chunks_mut(GROUP) {
            for (candidate, &mut (_, tag)) in candidates.iter_mut().zip(&mut *group) {
                *candidate = partition.candidate(tag);
                candidate.inspect(|&place| partition.touch_span(place));
            }
            for (span, candidate) in spans.iter_mut().zip(&candidates[..group.len()]) {
                *span = candidate.map_or((0, 0), |place| partition.span(place));
                partition.touch_words(*span);
            }
            for ((end, tag), (candidate, &span)) in group.iter_mut().zip(candidates.iter().zip(&spans)) {
                let macrostate = &self.words[start..*end as usize];
                start = *end as usize;
                *tag = match candidate {
                    Some(place) if partition.words(span) == macrostate => *place,
                    _ => partition.insert(*tag, macrostate)?,
                };
            }
        }
        Some(())
    }
}

/// The children of one range, in buffers that are reused for the next range.
pub(super) struct ChildBuffers {
    /// A target is 0, 1, a copy, or 2 + outbox for the next child in that outbox; at the end, it is the number of a
    /// macrostate.
    pub(super) targets: Vec<u32>,
    /// The outboxes by partition. Those of one list of macrostates come after those of another.
    pub(super) outboxes: Vec<Outbox>,
}

impl ChildBuffers {
    /// Creates empty buffers with room for `children` children, which are assumed to be evenly distributed to `lists`
    /// lists.
    pub(super) fn new(lists: usize, children: usize) -> Self {
        let outbox = |_| Outbox::with_room_for(children / lists);
        Self {
            targets: Vec::with_capacity(children),
            outboxes: (0..lists * PARTITIONS).map(outbox).collect(),
        }
    }

    /// Returns the number of bytes that [`ChildBuffers::new`] allocates.
    pub(super) fn bytes_for(lists: usize, children: usize) -> u64 {
        4 * children as u64 + (lists * PARTITIONS) as u64 * Outbox::bytes_for(children / lists)
    }

    /// Returns the number of bytes held.
    pub(super) fn bytes(&self) -> u64 {
        4 * self.targets.capacity() as u64 + self.outboxes.iter().map(Outbox::bytes).sum::<u64>()
    }

    /// Clears all buffers.
    pub(super) fn clear(&mut self) {
        self.targets.clear();
        self.outboxes.iter_mut().for_each(Outbox::clear);
    }

    /// Replaces outboxes by macrostate numbers, once all outboxes have been merged.
    pub(super) fn number(&mut self) {
        let mut seen = vec![0usize; self.outboxes.len()];
        for target in self.targets.iter_mut().filter(|t| (FIRST..COPY).contains(*t)) {
            let outbox = (*target - FIRST) as usize;
            let (_, place) = self.outboxes[outbox].ends[seen[outbox]];
            *target = join(outbox % PARTITIONS, place);
            seen[outbox] += 1;
        }
    }
}

/// Merges the children of several ranges into the partitions, where each partition is handled by one thread. Returns
/// `None` if a partition has no number available.
pub(super) fn merge(made: &mut [ChildBuffers], partitions: Vec<&mut Partition>) -> Option<()> {
    let mut by_partition: Vec<(&mut Partition, Vec<&mut Outbox>)> =
        partitions.into_iter().map(|partition| (partition, Vec::with_capacity(made.len()))).collect();
    for made in made {
        for ((_, outboxes), outbox) in by_partition.iter_mut().zip(&mut made.outboxes) {
            outboxes.push(outbox);
        }
    }
    by_partition.into_par_iter().try_for_each(|(partition, outboxes)| {
        outboxes.into_iter().try_for_each(|outbox| outbox.merge(partition))
    })
}
