//! [`SectorIndex`]: the slot of a position, and the position of a slot.

use std::ops::Range;
use std::sync::Arc;

use super::classes::Classes;
use super::gaps::Gaps;
use super::subsets::Ranks;
use super::symmetries::{Op, Symmetries};

/// The slots of the positions with given numbers of stones on the board.
#[derive(Debug)]
pub struct SectorIndex {
    pub(super) symmetries: Arc<Symmetries>,
    pub(super) gaps: Arc<Gaps>,
    pub(super) classes: Arc<Classes>,
    pub(super) others: Vec<u32>,
    pub(super) other_ranks: Ranks,
}

impl SectorIndex {
    /// Returns the number of slots, including holes.
    #[inline]
    pub fn num_slots(&self) -> u64 {
        self.classes.len() as u64 * self.others.len() as u64
    }

    /// Returns the number of slots of one class.
    #[inline]
    pub fn slots_of_class(&self) -> usize {
        self.others.len()
    }

    /// Returns the classes of the stones of the side to move.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Returns the symmetries of the board.
    pub fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// Returns the slot of a position, which is the same for all positions symmetric to it.
    ///
    /// The sets `own` and `other` must be disjoint and have the index's numbers of stones.
    #[inline]
    pub fn slot(&self, own: u32, other: u32) -> u64 {
        self.slots_of(own).slot(other)
    }

    /// Returns the class of `own`, and the image of `other` under a symmetry that takes `own` to the representative of
    /// the class. The pair is the same for all positions that are symmetric to each other.
    #[inline]
    pub fn reduced(&self, own: u32, other: u32) -> (usize, u32) {
        let (class, op) = self.classes.of(own);
        let stabiliser = self.classes.stabiliser(class);
        let other = self.symmetries.apply(op, other);
        (class, if stabiliser.is_power_of_two() { other } else { self.least(stabiliser, other).0 })
    }

    /// Returns the slots of the positions in which the side to move has its stones on `own`.
    #[inline]
    pub fn slots_of(&self, own: u32) -> SlotsOf<'_> {
        let (class, op) = self.classes.of(own);
        SlotsOf { index: self, class, op }
    }

    /// Returns the least image of `other` under the symmetries of `stabiliser`, and the first symmetry that produces
    /// it.
    fn least(&self, stabiliser: u16, other: u32) -> (u32, Op) {
        let mut least = (u32::MAX, 0);
        let mut left = stabiliser;
        while left != 0 {
            let op = left.trailing_zeros() as Op;
            left &= left - 1;
            let image = self.symmetries.apply(op, other);
            if image < least.0 {
                least = (image, op);
            }
        }
        least
    }

    /// Returns the position in `slot`, even if the slot is a hole.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn position(&self, slot: u64) -> (u32, u32) {
        let per_class = self.others.len() as u64;
        let own = self.classes.representative((slot / per_class) as usize);
        (own, self.gaps.insert(own, self.others[(slot % per_class) as usize]))
    }

    /// Returns, for a hole, the first symmetry that takes its position to the position of the proper slot, and `None`
    /// for other slots.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn hole(&self, slot: u64) -> Option<Op> {
        let stabiliser = self.classes.stabiliser((slot / self.others.len() as u64) as usize);
        if stabiliser.is_power_of_two() {
            return None;
        }
        let (_, other) = self.position(slot);
        let (least, op) = self.least(stabiliser, other);
        (least != other).then_some(op)
    }

    /// Returns the positions of a class, except those in holes, as slots and the stones of both sides.
    ///
    /// # Panics
    /// Panics if there is no such class.
    pub fn positions_of_class(&self, class: usize) -> impl Iterator<Item = (u64, u32, u32)> + '_ {
        let first = (class * self.others.len()) as u64;
        self.within(class, first..first + self.others.len() as u64, false)
    }

    /// Calls `f` with the slot and the own and other stones of every position in `slots`, in order. Skips holes.
    ///
    /// # Panics
    /// Panics if the slots do not exist.
    #[inline]
    pub fn for_each(&self, slots: Range<u64>, mut f: impl FnMut(u64, u32, u32)) {
        self.by_class(slots, |class, slots| {
            self.within(class, slots, false).for_each(|(slot, own, other)| f(slot, own, other));
        });
    }

    /// Calls `f` with every hole in `slots`, in order. *Cost*: only classes that have holes are examined.
    ///
    /// # Panics
    /// Panics if the slots do not exist.
    pub fn holes(&self, slots: Range<u64>, mut f: impl FnMut(u64)) {
        self.by_class(slots, |class, slots| {
            if !self.classes.stabiliser(class).is_power_of_two() {
                self.within(class, slots, true).for_each(|(slot, ..)| f(slot));
            }
        });
    }

    /// Returns the elements of `slots`, all of one class, that are holes if `holes` is set, and otherwise those that
    /// are not, as slot and own and other stones.
    #[inline]
    fn within(
        &self,
        class: usize,
        slots: Range<u64>,
        holes: bool,
    ) -> impl Iterator<Item = (u64, u32, u32)> + '_ {
        let (own, stabiliser) = (self.classes.representative(class), self.classes.stabiliser(class));
        let first = (slots.start % self.others.len() as u64) as usize;
        slots.zip(&self.others[first..]).filter_map(move |(slot, &free)| {
            let other = self.gaps.insert(own, free);
            let is_hole = !stabiliser.is_power_of_two() && self.least(stabiliser, other).0 != other;
            (is_hole == holes).then_some((slot, own, other))
        })
    }

    /// Calls `f` with each class in `slots` and the slots of that class.
    #[inline]
    fn by_class(&self, slots: Range<u64>, mut f: impl FnMut(usize, Range<u64>)) {
        let per_class = self.others.len() as u64;
        let mut slot = slots.start;
        while slot < slots.end {
            let class = slot / per_class;
            let end = slots.end.min((class + 1) * per_class);
            f(class as usize, slot..end);
            slot = end;
        }
    }

    /// Returns the number of symmetries that fix a position.
    pub fn num_stabilisers(&self, own: u32, other: u32) -> u32 {
        self.slots_of(own).num_stabilisers(other)
    }

    /// Returns the number of different images of a position under the symmetries.
    pub fn num_images(&self, own: u32, other: u32) -> u128 {
        self.symmetries().len() as u128 / u128::from(self.num_stabilisers(own, other))
    }
}

/// The slots of the positions with the same stones of the side to move, with their common data computed once.
#[derive(Clone, Copy, Debug)]
pub struct SlotsOf<'a> {
    index: &'a SectorIndex,
    class: usize,
    op: Op,
}

impl SlotsOf<'_> {
    /// Returns the slot of the position with the other side's stones on `other`.
    #[inline]
    pub fn slot(&self, other: u32) -> u64 {
        let Self { index, class, op } = *self;
        let mut other = index.symmetries.apply(op, other);
        if !self.is_whole() {
            other = index.least(index.classes.stabiliser(class), other).0;
        }
        self.slot_at(index.gaps.remove(index.classes.representative(class), other))
    }

    /// Returns `true` if the class has no symmetries of its own, so that none of its slots are holes.
    #[inline]
    pub(super) fn is_whole(&self) -> bool {
        self.index.classes.is_whole(self.class)
    }

    /// Returns the places of the other side's points among the remaining points, in a class without symmetries of its
    /// own. Points of the side to move have no place.
    #[inline]
    pub(super) fn place(&self, other: u32) -> u32 {
        let own = self.index.classes.representative(self.class);
        self.index.gaps.remove(own, self.index.symmetries.apply(self.op, other) & !own)
    }

    /// Returns the slot of the position in which the other side's stones have the given places among the remaining
    /// points.
    #[inline]
    pub(super) fn slot_at(&self, places: u32) -> u64 {
        self.class as u64 * self.index.others.len() as u64 + u64::from(self.index.other_ranks.rank(places))
    }

    /// Returns the number of symmetries that fix the position with the other side's stones on `other`.
    #[inline]
    pub fn num_stabilisers(&self, other: u32) -> u32 {
        let stabiliser = self.index.classes.stabiliser(self.class);
        if stabiliser.is_power_of_two() {
            return 1;
        }
        let symmetries = &self.index.symmetries;
        let other = symmetries.apply(self.op, other);
        let keeps = |op: &Op| stabiliser >> op & 1 == 1 && symmetries.apply(*op, other) == other;
        (0..symmetries.len() as Op).filter(keeps).count() as u32
    }
}
