//! Sets of a fixed size: their number, their enumeration in order, and the rank of a set among them.

/// The number of bits of a set that one table look-up covers.
const HALF: u32 = 12;
const HALVES: usize = 1 << HALF;

/// Computes binomial coefficients up to n = 24.
pub(crate) fn binomial(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { (0..k as u64).fold(1, |c, i| c * (n as u64 - i) / (i + 1)) }
}

/// Returns the sets of `stones` out of `points` points, in increasing order of masks.
pub(crate) fn subsets(points: usize, stones: usize) -> Vec<u32> {
    let all = binomial(points, stones) as usize;
    let mut sets = Vec::with_capacity(all);
    let mut set: u32 = (1 << stones) - 1;
    for _ in 0..all {
        sets.push(set);
        // Computes the next larger number with the same number of ones.
        let low = set & set.wrapping_neg();
        let up = set.wrapping_add(low);
        set = ((set ^ up) >> 2).checked_div(low).map_or(0, |rest| up | rest);
    }
    sets
}

/// The ranks of the sets of `stones` points among all sets of that size, in increasing order of masks.
#[derive(Debug)]
pub(super) struct Ranks {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Ranks {
    pub(super) fn new(stones: usize) -> Self {
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
    pub(super) fn rank(&self, set: u32) -> u32 {
        self.low[set as usize % HALVES] + self.high[(set >> HALF) as usize % HALVES]
    }
}
