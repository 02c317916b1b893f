//! Children of many keys on their way to the partitions of the next layer's keys.

use crate::unique::FIRST;

use super::keys::{COPY, PARTITIONS, Partition, join};

/// Keys looked up at a time.
const GROUP: usize = 32;

/// Children of a stretch of keys that go to one partition, with their tags.
pub(super) struct Outbox {
    words: Vec<u32>,
    /// (end in `words`, tag).
    ends: Vec<(u32, u32)>,
}

impl Outbox {
    /// An outbox for its share of `children`, which are spread evenly.
    pub(super) fn with_room_for(children: usize) -> Self {
        let share = children / PARTITIONS + children / PARTITIONS / 2 + 8;
        Self { words: Vec::with_capacity(8 * share), ends: Vec::with_capacity(share) }
    }

    pub(super) fn push(&mut self, key: &[u32], tag: u32) {
        self.words.extend_from_slice(key);
        self.ends.push((self.words.len() as u32, tag));
    }

    /// Places of the keys in the partition. In groups, a step of all look-ups after the other, so that misses overlap.
    pub(super) fn merge(&self, partition: &mut Partition) -> Option<Vec<u32>> {
        let mut start = 0;
        let mut places = Vec::with_capacity(self.ends.len());
        let mut candidates = [None; GROUP];
        let mut spans = [(0, 0); GROUP];
        for group in self.ends.chunks(GROUP) {
            for (candidate, &(_, tag)) in candidates.iter_mut().zip(group) {
                *candidate = partition.candidate(tag);
            }
            for (span, candidate) in spans.iter_mut().zip(&candidates) {
                *span = candidate.map_or((0, 0), |place| partition.span(place));
            }
            for (&(end, tag), (candidate, &span)) in group.iter().zip(candidates.iter().zip(&spans)) {
                let key = &self.words[start..end as usize];
                start = end as usize;
                places.push(match candidate {
                    Some(place) if partition.words(span) == key => *place,
                    _ => partition.insert(tag, key)?,
                });
            }
        }
        Some(places)
    }
}

/// One stretch's children before merging.
pub(super) struct Made {
    /// 0, 1, a copy, or 2 + outbox: the next child in that outbox.
    pub(super) targets: Vec<u32>,
    /// By partition; those of one list of keys after those of another.
    pub(super) outboxes: Vec<Outbox>,
}

impl Made {
    /// Key numbers for "next child in that outbox".
    pub(super) fn number<'p>(mut self, places: impl Fn(usize) -> &'p Vec<u32>) -> Vec<u32> {
        let mut seen = vec![0usize; self.outboxes.len()];
        for target in self.targets.iter_mut().filter(|t| (FIRST..COPY).contains(*t)) {
            let outbox = (*target - FIRST) as usize;
            *target = join(outbox % PARTITIONS, places(outbox)[seen[outbox]]);
            seen[outbox] += 1;
        }
        self.targets
    }
}
