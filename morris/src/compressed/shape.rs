//! [`WordShape`]: the numbers of points and stones of a sector's words, and the stages that words pass through.
//!
//! A stage describes the rest of a word by the number of remaining points and the number of stones among them. If a
//! stage has no stones or only stones left, there is only one word, and no state.

/// The number of points that the rows at the end of every word cover.
const ROW_POINTS: usize = 5;

/// The numbers of points and stones of every word of a sector.
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

    /// Returns `true` if several words remain, so that there can be states.
    pub(super) fn is_open(&self, points: usize, stones: usize) -> bool {
        stones > 0 && stones < points && stones <= self.stones
    }

    /// Returns the number of words with `points` points and `stones` stones.
    pub(super) fn num_words(points: usize, stones: usize) -> usize {
        if stones > points { 0 } else { (0..stones).fold(1, |c, i| c * (points - i) / (i + 1)) }
    }

    /// Returns the numbers of remaining stones in each stage with `points` points that a word passes through, in the
    /// order of words.
    #[cfg(feature = "solve")]
    pub(super) fn stones_left(&self, points: usize) -> Vec<usize> {
        (points..self.points).fold(vec![self.stones], |above, left| {
            // Reads one point, after which `points_below` remain.
            let points_below = self.points - 1 - (left - points);
            let halves = |stones: usize| [Some(stones).filter(|s| *s <= points_below), stones.checked_sub(1)];
            above.into_iter().flat_map(halves).flatten().collect()
        })
    }
}
