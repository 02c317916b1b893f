//! Members of keys of the last layers, and their residuals as rows of bits.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::bits::{Bits, deposit, ones};

/// Members that a task works on.
const STRETCH: usize = 1 << 10;

/// A set of members, collected by several threads.
pub(super) struct Collector(Vec<AtomicU64>);

impl Collector {
    /// For members below `limit`.
    pub(super) fn new(limit: u32) -> Self {
        let mut words = Vec::new();
        words.resize_with(limit as usize / 64 + 1, AtomicU64::default);
        Self(words)
    }

    /// Adds a member.
    #[inline]
    pub(super) fn add(&self, member: u32) {
        let (word, bit) = (&self.0[member as usize / 64], 1 << (member % 64));
        // Most have been added before: reading alone leaves the line with every thread.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// The members in ascending order, and the place of each.
    fn finish(self) -> (Vec<u32>, Places) {
        let mut members = Vec::new();
        let mut places = Vec::with_capacity(self.0.len());
        for (i, word) in self.0.into_iter().enumerate() {
            let mut bits = word.into_inner();
            places.push((bits, members.len() as u32));
            while bits != 0 {
                members.push(i as u32 * 64 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        (members, Places(places))
    }
}

/// The place of each member in ascending order: per 64 numbers which are members, and how many come before.
struct Places(Vec<(u64, u32)>);

impl Places {
    #[inline]
    fn of(&self, member: u32) -> usize {
        let (bits, before) = self.0[member as usize / 64];
        before as usize + (bits & ((1 << (member % 64)) - 1)).count_ones() as usize
    }
}

/// Rows of bits of members: of one side set, or of the image.
pub(super) struct Members {
    places: Places,
    pub(super) bits: Bits,
}

impl Members {
    /// The row of one of the members.
    #[inline]
    pub(super) fn row(&self, member: u32) -> &[u64] {
        self.bits.row(self.places.of(member))
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.bits.bytes() + 16 * self.places.0.len() as u64
    }

    /// Rows of the `wanted` members of `layer`. `advance` emits a member's children: letters, with members of the next layer,
    /// [`REJECT`] for nothing or [`ACCEPT`] where everything follows; `limit` a bound of a layer's members.
    pub(super) fn new<A>(
        shape: &Shape,
        layer: usize,
        wanted: Collector,
        advance: &A,
        limit: &impl Fn(usize) -> u32,
    ) -> Self
    where
        A: Fn(usize, u32, &mut dyn FnMut(usize, u32)) + Sync,
    {
        let endings = |layer: usize| (layer..shape.num_layers()).map(|l| shape.letters(l)).product();
        let mut bits = Bits::new(endings(layer));
        let (members, places) = wanted.finish();
        bits.rows = rayon::iter::repeat_n(0, members.len() * bits.words).with_min_len(STRETCH).collect();
        if layer == shape.num_layers() {
            bits.rows.fill(1);
            return Self { places, bits };
        }
        let below = Collector::new(limit(layer + 1));
        members.par_iter().with_min_len(STRETCH).for_each(|&member| {
            advance(layer, member, &mut |_, child| {
                if child >= FIRST {
                    below.add(child);
                }
            });
        });
        let next = Self::new(shape, layer + 1, below, advance, limit);
        let (len, ones) = (next.bits.len, ones(next.bits.len));
        let rows = bits.rows.par_chunks_mut(bits.words).with_min_len(STRETCH);
        rows.zip(&members).for_each(|(row, &member)| {
            advance(layer, member, &mut |letter, child| match child {
                REJECT => {}
                ACCEPT => deposit(row, letter * len, &ones),
                child => deposit(row, letter * len, next.row(child)),
            });
        });
        Self { places, bits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_the_members_before() {
        let collector = Collector::new(1000);
        let wanted: Vec<u32> = (0..1000).filter(|n| n * n % 7 == 2 || n % 64 == 63).collect();
        wanted.iter().rev().for_each(|&n| collector.add(n));
        wanted.iter().for_each(|&n| collector.add(n));
        let (members, places) = collector.finish();
        assert_eq!(members, wanted);
        for (place, &member) in members.iter().enumerate() {
            assert_eq!(places.of(member), place);
        }
    }
}
