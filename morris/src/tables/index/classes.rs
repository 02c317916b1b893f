//! Sets of as many stones up to symmetry.

use super::subsets::{Ranks, subsets};
use super::symmetries::{Op, Symmetries};

/// Bits of a symmetry's number.
const OP_BITS: u32 = 4;

/// Classes of the sets of as many stones under the symmetries.
#[derive(Debug)]
pub struct Classes {
    ranks: Ranks,
    /// By rank: class, and the symmetry that takes the set to the class's representative, in the low bits.
    class_and_op: Vec<u32>,
    representatives: Vec<u32>,
    /// A bit for each symmetry that maps the representative to itself.
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

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Never: some set has that many stones.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// The set that stands for a class.
    ///
    /// # Panics
    /// When there is no such class.
    #[inline]
    pub fn representative(&self, class: usize) -> u32 {
        self.representatives[class]
    }

    /// A bit for each symmetry that maps the representative of a class to itself.
    #[inline]
    pub(super) fn stabiliser(&self, class: usize) -> u16 {
        self.stabilisers[class]
    }

    /// Whether no symmetry but the identity maps the representative to itself, so that no slot of the class is a hole.
    #[inline]
    pub(crate) fn is_whole(&self, class: usize) -> bool {
        self.stabilisers[class].is_power_of_two()
    }

    /// The class of `set` and the symmetry that takes it to the representative.
    #[inline]
    pub(super) fn of(&self, set: u32) -> (usize, Op) {
        let entry = self.class_and_op[self.ranks.rank(set) as usize];
        ((entry >> OP_BITS) as usize, (entry & ((1 << OP_BITS) - 1)) as Op)
    }
}
