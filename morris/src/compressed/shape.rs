//! [`WordShape`]: how many points and stones a sector's words have, and which stages they lead through.
//!
//! A stage is what is left of a word: so many points to read, so many stones among them. Where a stage has no stones or only
//! stones left there is one word, and no state.

/// Points that the rows at the end of every word cover.
const ROW_POINTS: usize = 5;

/// Points and stones of every word of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordShape {
    pub(super) points: usize,
    pub(super) stones: usize,
    pub(super) row_points: usize,
}

impl WordShape {
    pub(super) fn new(points: usize, stones: usize) -> Self {
        Self { points, stones, row_points: points.min(ROW_POINTS) }
    }

    /// Whether several words are left, so that there can be states.
    pub(super) fn is_open(&self, points: usize, stones: usize) -> bool {
        stones > 0 && stones < points && stones <= self.stones
    }

    /// Words of so many points with so many stones.
    pub(super) fn num_words(points: usize, stones: usize) -> usize {
        if stones > points { 0 } else { (0..stones).fold(1, |c, i| c * (points - i) / (i + 1)) }
    }

    /// Stones left in each stage of `points` that a word leads through, in the order of words.
    pub(super) fn stones_left(&self, points: usize) -> Vec<usize> {
        (points..self.points).fold(vec![self.stones], |above, left| {
            // A point is read, after which `points_below` are left.
            let points_below = self.points - 1 - (left - points);
            let halves = |stones: usize| [Some(stones).filter(|s| *s <= points_below), stones.checked_sub(1)];
            above.into_iter().flat_map(halves).flatten().collect()
        })
    }
}
