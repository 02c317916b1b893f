//! Positions of a sector and their slots: Gasser's perfect index (paper 002, section 3.2) in the form of Malom's files.
//!
//! The stones of the side to move are reduced to the representative of their class under the board's symmetries; the other
//! side's are ranked among the points left over. Where a representative has symmetries of its own several slots hold one position
//! up to symmetry: the least of them is its slot, the others are holes.
//!
//! Invariants: slot and position are inverse on what is not a hole; symmetric positions have one slot.

use std::sync::Arc;

use nerode_games::morris::Board;
use nerode_games::morris::board::MOST_POINTS;

/// Bits of a set that one table look-up takes.
const HALF: u32 = 12;
const HALVES: usize = 1 << HALF;

/// A symmetry's number; those of Malom on boards of three rings.
pub type Op = u8;

/// The symmetries of a board, applied to sets of points by three look-ups.
#[derive(Debug)]
pub struct Symmetries {
    images: Vec<[[u32; 256]; 3]>,
    inverse: Vec<Op>,
}

impl Symmetries {
    /// Those of `board`.
    pub fn new(board: &Board) -> Self {
        let maps = board.symmetries();
        let table = |map: &Vec<u8>| {
            let mut images = [[0; 256]; 3];
            for (byte, images) in images.iter_mut().enumerate() {
                for (value, image) in images.iter_mut().enumerate() {
                    let points = (0..8).filter(|k| value >> k & 1 == 1).map(|k| 8 * byte + k);
                    *image = points.filter_map(|p| map.get(p)).fold(0, |set, &to| set | 1 << to);
                }
            }
            images
        };
        let inverse = |map: &Vec<u8>| {
            let undoes = |other: &Vec<u8>| map.iter().zip(0..).all(|(&to, p)| other[usize::from(to)] == p);
            maps.iter().position(undoes).unwrap_or_default() as Op
        };
        Self { images: maps.iter().map(table).collect(), inverse: maps.iter().map(inverse).collect() }
    }

    /// How many there are; the identity is the last.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Never: the identity is always there.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Where the points of `set` go.
    ///
    /// # Panics
    /// When there is no such symmetry.
    #[inline]
    pub fn apply(&self, op: Op, set: u32) -> u32 {
        let images = &self.images[usize::from(op)];
        let byte = |i: u32| (set >> (8 * i) & 255) as usize;
        images[0][byte(0)] | images[1][byte(1)] | images[2][byte(2)]
    }

    /// The symmetry that undoes `op`.
    ///
    /// # Panics
    /// When there is no such symmetry.
    pub fn inverse(&self, op: Op) -> Op {
        self.inverse[usize::from(op)]
    }
}

/// Binomial coefficients up to 24.
pub(super) fn binomial(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { (0..k as u64).fold(1, |c, i| c * (n as u64 - i) / (i + 1)) }
}

/// Ranks of the sets of `stones` points among sets of as many, in increasing order of masks.
#[derive(Debug)]
struct Ranks {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Ranks {
    fn new(stones: usize) -> Self {
        let sum = |set: usize, base: usize, first: usize| -> u32 {
            let points = (0..HALF as usize).filter(|p| set >> p & 1 == 1);
            points.zip(first..).map(|(p, j)| binomial(base + p, j) as u32).sum()
        };
        let high = |set: usize| {
            let above = set.count_ones() as usize;
            if above > stones { 0 } else { sum(set, HALF as usize, stones - above + 1) }
        };
        Self { low: (0..HALVES).map(|set| sum(set, 0, 1)).collect(), high: (0..HALVES).map(high).collect() }
    }

    #[inline]
    fn rank(&self, set: u32) -> u32 {
        self.low[set as usize % HALVES] + self.high[(set >> HALF) as usize % HALVES]
    }
}

/// The sets of `stones` of `points` points, in increasing order of masks.
pub(crate) fn subsets(points: usize, stones: usize) -> Vec<u32> {
    let all = binomial(points, stones) as usize;
    let mut sets = Vec::with_capacity(all);
    let mut set: u32 = (1 << stones) - 1;
    for _ in 0..all {
        sets.push(set);
        // The next larger number with as many ones.
        let low = set & set.wrapping_neg();
        let up = set.wrapping_add(low);
        set = ((set ^ up) >> 2).checked_div(low).map_or(0, |rest| up | rest);
    }
    sets
}

/// Removes and inserts the points of a mask, a byte at a time.
#[derive(Debug)]
struct Gaps {
    remove: Vec<u8>,
    insert: Vec<u8>,
}

impl Gaps {
    fn new() -> Self {
        let (mut remove, mut insert) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        for gaps in 0..256usize {
            let kept: Vec<usize> = (0..8).filter(|p| gaps >> p & 1 == 0).collect();
            for value in 0..256usize {
                let entry = gaps << 8 | value;
                let removed = |(i, &p): (usize, &usize)| (value >> p & 1) << i;
                let inserted = |(i, &p): (usize, &usize)| (value >> i & 1) << p;
                remove[entry] = kept.iter().enumerate().map(removed).sum::<usize>() as u8;
                insert[entry] = kept.iter().enumerate().map(inserted).sum::<usize>() as u8;
            }
        }
        Self { remove, insert }
    }

    #[inline]
    fn entry(gaps: u32, value: u32) -> usize {
        ((gaps & 255) << 8 | value & 255) as usize
    }

    /// `set` with the points of `gaps`, of which it has none, taken out and the rest moved together.
    #[inline]
    fn remove(&self, gaps: u32, set: u32) -> u32 {
        let (first, second) = (8 - (gaps & 255).count_ones(), 16 - (gaps & 0xffff).count_ones());
        u32::from(self.remove[Self::entry(gaps, set)])
            | u32::from(self.remove[Self::entry(gaps >> 8, set >> 8)]) << first
            | u32::from(self.remove[Self::entry(gaps >> 16, set >> 16)]) << second
    }

    /// The other way.
    #[inline]
    fn insert(&self, gaps: u32, set: u32) -> u32 {
        let (first, second) = (8 - (gaps & 255).count_ones(), 16 - (gaps & 0xffff).count_ones());
        u32::from(self.insert[Self::entry(gaps, set)])
            | u32::from(self.insert[Self::entry(gaps >> 8, set >> first)]) << 8
            | u32::from(self.insert[Self::entry(gaps >> 16, set >> second)]) << 16
    }
}

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

const OP_BITS: u32 = 4;

impl Classes {
    fn new(symmetries: &Symmetries, points: usize, stones: usize) -> Self {
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

    /// The class of `set` and the symmetry that takes it to the representative.
    #[inline]
    fn of(&self, set: u32) -> (usize, Op) {
        let entry = self.class_and_op[self.ranks.rank(set) as usize];
        ((entry >> OP_BITS) as usize, (entry & ((1 << OP_BITS) - 1)) as Op)
    }
}

/// Slots of the positions with given numbers of stones on the board.
#[derive(Debug)]
pub struct SectorIndex {
    symmetries: Arc<Symmetries>,
    gaps: Arc<Gaps>,
    classes: Arc<Classes>,
    others: Vec<u32>,
    other_ranks: Ranks,
}

/// What all sectors of a board share, made once for each number of stones.
#[derive(Debug)]
pub struct IndexMaker {
    points: usize,
    symmetries: Arc<Symmetries>,
    gaps: Arc<Gaps>,
    classes: std::sync::Mutex<Vec<Option<Arc<Classes>>>>,
}

impl IndexMaker {
    /// For sectors on `board`.
    pub fn new(board: &Board) -> Self {
        Self {
            points: board.num_points(),
            symmetries: Arc::new(Symmetries::new(board)),
            gaps: Arc::new(Gaps::new()),
            classes: std::sync::Mutex::new(vec![None; MOST_POINTS + 1]),
        }
    }

    /// Points of the board.
    pub fn num_points(&self) -> usize {
        self.points
    }

    fn classes(&self, stones: usize) -> Arc<Classes> {
        let mut known = self.classes.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let make = || Arc::new(Classes::new(&self.symmetries, self.points, stones));
        Arc::clone(known[stones].get_or_insert_with(make))
    }

    /// Classes of the sets of `stones` points.
    ///
    /// # Panics
    /// When the board has fewer points.
    pub fn num_classes(&self, stones: u8) -> usize {
        self.classes(stones.into()).len()
    }

    /// The index of the positions with `own` stones of the side to move and `other` stones of the other side on the board.
    ///
    /// *Cost*: C(points, own) · symmetries, once for each `own`, and C(points - own, other).
    ///
    /// # Panics
    /// When the board has fewer points.
    pub fn index(&self, own: u8, other: u8) -> SectorIndex {
        let (own, other) = (usize::from(own), usize::from(other));
        assert!(own + other <= self.points, "{own} and {other} stones on {} points", self.points);
        let classes = self.classes(own);
        SectorIndex {
            symmetries: Arc::clone(&self.symmetries),
            gaps: Arc::clone(&self.gaps),
            classes,
            others: subsets(self.points - own, other),
            other_ranks: Ranks::new(other),
        }
    }
}

impl SectorIndex {
    /// Slots, holes included.
    #[inline]
    pub fn num_slots(&self) -> u64 {
        self.classes.len() as u64 * self.others.len() as u64
    }

    /// Slots of one class.
    #[inline]
    pub fn slots_of_class(&self) -> usize {
        self.others.len()
    }

    /// Classes of the stones of the side to move.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The symmetries.
    pub fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    /// The slot of a position, the same for all positions that are symmetric to it.
    ///
    /// `own` and `other` are disjoint and have the index's numbers of stones.
    #[inline]
    pub fn slot(&self, own: u32, other: u32) -> u64 {
        self.slots_of(own).slot(other)
    }

    /// The class of `own`, and `other` under a symmetry that takes `own` to the class's representative: the same pair for all
    /// positions that are symmetric to each other.
    #[inline]
    pub fn reduced(&self, own: u32, other: u32) -> (usize, u32) {
        let (class, op) = self.classes.of(own);
        let stabiliser = self.classes.stabilisers[class];
        let other = self.symmetries.apply(op, other);
        (class, if stabiliser.is_power_of_two() { other } else { self.least(stabiliser, other).0 })
    }

    /// The slots of the positions in which the side to move has its stones on `own`.
    #[inline]
    pub fn slots_of(&self, own: u32) -> SlotsOf<'_> {
        let (class, op) = self.classes.of(own);
        SlotsOf { index: self, class, op }
    }

    /// The least image of `other` under the symmetries of `stabiliser`, and the first of them that gives it.
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

    /// The position in `slot`, whether it is a hole or not.
    ///
    /// # Panics
    /// When there is no such slot.
    #[inline]
    pub fn position(&self, slot: u64) -> (u32, u32) {
        let per_class = self.others.len() as u64;
        let own = self.classes.representatives[(slot / per_class) as usize];
        (own, self.gaps.insert(own, self.others[(slot % per_class) as usize]))
    }

    /// For a hole the first symmetry that takes its position to the one whose slot it is not; `None` for other slots.
    ///
    /// # Panics
    /// When there is no such slot.
    #[inline]
    pub fn hole(&self, slot: u64) -> Option<Op> {
        let stabiliser = self.classes.stabilisers[(slot / self.others.len() as u64) as usize];
        if stabiliser.is_power_of_two() {
            return None;
        }
        let (_, other) = self.position(slot);
        let (least, op) = self.least(stabiliser, other);
        (least != other).then_some(op)
    }

    /// How many symmetries keep a position as it is.
    pub fn num_stabilisers(&self, own: u32, other: u32) -> u32 {
        self.slots_of(own).num_stabilisers(other)
    }
}

/// Slots of the positions with the same stones of the side to move: what they share is found once.
#[derive(Clone, Copy, Debug)]
pub struct SlotsOf<'a> {
    index: &'a SectorIndex,
    class: usize,
    op: Op,
}

impl SlotsOf<'_> {
    /// The slot with the other side's stones on `other`.
    #[inline]
    pub fn slot(&self, other: u32) -> u64 {
        let Self { index, class, op } = *self;
        let mut other = index.symmetries.apply(op, other);
        let stabiliser = index.classes.stabilisers[class];
        if !stabiliser.is_power_of_two() {
            other = index.least(stabiliser, other).0;
        }
        let free = index.gaps.remove(index.classes.representatives[class], other);
        class as u64 * index.others.len() as u64 + u64::from(index.other_ranks.rank(free))
    }

    /// How many symmetries keep the position with the other side's stones on `other` as it is.
    #[inline]
    pub fn num_stabilisers(&self, other: u32) -> u32 {
        let stabiliser = self.index.classes.stabilisers[self.class];
        if stabiliser.is_power_of_two() {
            return 1;
        }
        let symmetries = &self.index.symmetries;
        let other = symmetries.apply(self.op, other);
        let keeps = |op: &Op| stabiliser >> op & 1 == 1 && symmetries.apply(*op, other) == other;
        (0..symmetries.len() as Op).filter(keeps).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nerode_games::morris::BoardKind;

    fn maker(kind: BoardKind) -> IndexMaker {
        IndexMaker::new(&Board::new(kind))
    }

    /// Numbers of classes in section 3 of the format's description, by Burnside there.
    #[test]
    fn classes_of_stones_on_24_points() {
        let maker = maker(BoardKind::Nine);
        let found: Vec<usize> = (0..=8).map(|stones| maker.index(stones, 0).classes().len()).collect();
        assert_eq!(found, [1, 4, 30, 158, 757, 2830, 8774, 22188, 46879]);
    }

    #[test]
    fn slots_and_positions_are_inverse_but_for_holes() {
        for (kind, own, other) in [
            (BoardKind::Nine, 3, 3),
            (BoardKind::Nine, 4, 2),
            (BoardKind::Seven, 3, 4),
            (BoardKind::Three, 3, 3),
        ] {
            let index = maker(kind).index(own, other);
            for slot in 0..index.num_slots() {
                let (mine, theirs) = index.position(slot);
                assert_eq!((mine.count_ones(), theirs.count_ones()), (own.into(), other.into()));
                assert_eq!(mine & theirs, 0);
                let home = index.slot(mine, theirs);
                match index.hole(slot) {
                    None => assert_eq!(home, slot),
                    Some(op) => {
                        let moved =
                            (index.symmetries().apply(op, mine), index.symmetries().apply(op, theirs));
                        assert_eq!(moved, index.position(home));
                        assert_ne!(home, slot);
                    }
                }
            }
        }
    }

    /// Slots that are no holes are as many as Burnside's lemma counts orbits.
    #[test]
    fn one_slot_for_each_orbit() {
        for (kind, own, other) in [
            (BoardKind::Nine, 3, 3),
            (BoardKind::Morabaraba, 4, 3),
            (BoardKind::Six, 5, 5),
            (BoardKind::Seven, 2, 6),
        ] {
            let board = Board::new(kind);
            let index = maker(kind).index(own, other);
            let real = (0..index.num_slots()).filter(|&slot| index.hole(slot).is_none()).count();
            assert_eq!(real as u64, orbits(&board, own.into(), other.into()), "{kind:?} {own}-{other}");
        }
    }

    /// Burnside: the mean over symmetries of the positions they fix, which colour each cycle with one of three.
    fn orbits(board: &Board, own: usize, other: usize) -> u64 {
        let fixed = |map: &Vec<u8>| {
            let mut ways = vec![vec![0u64; other + 1]; own + 1];
            ways[0][0] = 1;
            let mut seen = vec![false; map.len()];
            for start in 0..map.len() {
                let (mut len, mut p) = (0, start);
                while !seen[p] {
                    seen[p] = true;
                    len += 1;
                    p = map[p].into();
                }
                if len > 0 {
                    let old = ways.clone();
                    for (a, row) in ways.iter_mut().enumerate() {
                        for (b, ways) in row.iter_mut().enumerate() {
                            *ways += if a >= len { old[a - len][b] } else { 0 };
                            *ways += if b >= len { old[a][b - len] } else { 0 };
                        }
                    }
                }
            }
            ways[own][other]
        };
        board.symmetries().iter().map(fixed).sum::<u64>() / board.symmetries().len() as u64
    }

    #[test]
    fn symmetric_positions_share_a_slot_and_stabilisers_count_them() {
        let index = maker(BoardKind::Nine).index(4, 3);
        let symmetries = index.symmetries();
        for slot in (0..index.num_slots()).step_by(97) {
            let (own, other) = index.position(slot);
            let home = index.slot(own, other);
            let mut fixed = 0;
            for op in 0..symmetries.len() as Op {
                let image = (symmetries.apply(op, own), symmetries.apply(op, other));
                assert_eq!(index.slot(image.0, image.1), home);
                fixed += u32::from(image == (own, other));
            }
            assert_eq!(index.num_stabilisers(own, other), fixed);
        }
    }
}
