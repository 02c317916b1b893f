//! Classes of the sets with a given number of stones, up to symmetry.

use super::subsets::{Ranks, subsets};
use super::symmetries::{Op, Symmetries};

/// The number of bits of a symmetry's number.
const OP_BITS: u32 = 4;

/// The classes of the sets with a given number of stones under the symmetries.
#[derive(Debug)]
pub struct Classes {
    ranks: Ranks,
    /// By rank: the class and, in the low bits, the symmetry that takes the set to the representative of the class.
    class_and_op: Vec<u32>,
    representatives: Vec<u32>,
    /// One bit for each symmetry that maps the representative to itself.
    stabilisers: Vec<u16>,
}

impl Classes {
    pub(super) fn new(symmetries: &Symmetries, points: usize, stones: usize) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let ranks = Ranks::new(stones);
        let sets = subsets(points, stones);
        let mut class_and_op = vec![UNSEEN; sets.len()];
        let (mut representatives, mut stabilisers) = (Vec::new(), Vec::new());
        for (&set, rank) in sets.iter().zip(0..) {
            if class_and_op[rank] != UNSEEN {
                continue;
            }
            let class = representatives.len() as u32;
            let mut stabiliser = 0;
            for op in 0..symmetries.len() as Op {
                let image = symmetries.apply(op, set);
                let back = u32::from(symmetries.inverse(op));
                class_and_op[ranks.rank(image) as usize] = class << OP_BITS | back;
                stabiliser |= u16::from(image == set) << op;
            }
            representatives.push(set);
            stabilisers.push(stabiliser);
        }
        Self { ranks, class_and_op, representatives, stabilisers }
    }

    /// Returns the number of classes.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Returns `false`, because there is always a set with that many stones.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// Returns the set that represents a class.
    ///
    /// # Panics
    /// Panics if there is no such class.
    #[inline]
    pub fn representative(&self, class: usize) -> u32 {
        self.representatives[class]
    }

    /// Returns one bit for each symmetry that maps the representative of a class to itself.
    #[inline]
    pub(super) fn stabiliser(&self, class: usize) -> u16 {
        self.stabilisers[class]
    }

    /// Returns `true` if only the identity maps the representative to itself, so that no slot of the class is a hole.
    #[inline]
    pub(crate) fn is_whole(&self, class: usize) -> bool {
        self.stabilisers[class].is_power_of_two()
    }

    /// Returns the class of `set` and the symmetry that takes it to the representative.
    #[inline]
    pub(super) fn of(&self, set: u32) -> (usize, Op) {
        let entry = self.class_and_op[self.ranks.rank(set) as usize];
        ((entry >> OP_BITS) as usize, (entry & ((1 << OP_BITS) - 1)) as Op)
    }
}
