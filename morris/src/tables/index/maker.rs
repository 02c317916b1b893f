//! Data shared by the indices of all sectors of a board, computed once.

use std::sync::{Arc, Mutex, PoisonError};

use nerode_games::morris::Board;
use nerode_games::morris::board::MOST_POINTS;

use super::classes::Classes;
use super::gaps::Gaps;
use super::slots::SectorIndex;
use super::subsets::{Ranks, subsets};
use super::symmetries::Symmetries;

/// Data shared by all sectors of a board, computed once for each number of stones.
#[derive(Debug)]
pub struct IndexMaker {
    points: usize,
    symmetries: Arc<Symmetries>,
    gaps: Arc<Gaps>,
    classes: Mutex<Vec<Option<Arc<Classes>>>>,
}

impl IndexMaker {
    /// Creates a maker for sectors on `board`.
    pub fn new(board: &Board) -> Self {
        Self {
            points: board.num_points(),
            symmetries: Arc::new(Symmetries::new(board)),
            gaps: Arc::new(Gaps::new()),
            classes: Mutex::new(vec![None; MOST_POINTS + 1]),
        }
    }

    /// Returns the number of points of the board.
    pub fn num_points(&self) -> usize {
        self.points
    }

    fn classes(&self, stones: usize) -> Arc<Classes> {
        let mut known = self.classes.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(Classes::new(&self.symmetries, self.points, stones));
        Arc::clone(known[stones].get_or_insert_with(make))
    }

    /// Returns the number of classes of the sets of `stones` points.
    ///
    /// # Panics
    /// Panics if the board has fewer points.
    pub fn num_classes(&self, stones: u8) -> usize {
        self.classes(stones.into()).len()
    }

    /// Returns the index of the positions with `own` stones of the side to move and `other` stones of the other side on
    /// the board.
    ///
    /// *Cost*: C(points, own) · symmetries, once for each `own`, and C(points - own, other).
    ///
    /// # Panics
    /// Panics if the board has fewer points.
    #[allow(clippy::expect_used, reason = "documented panic on a programming error")]
    pub fn index(&self, own: u8, other: u8) -> SectorIndex {
        self.try_index(own, other).expect("no more stones than points")
    }

    /// Does the same as [`IndexMaker::index`], but returns `None` if the board has fewer points.
    pub fn try_index(&self, own: u8, other: u8) -> Option<SectorIndex> {
        let (own, other) = (usize::from(own), usize::from(other));
        if own + other > self.points {
            return None;
        }
        let classes = self.classes(own);
        Some(SectorIndex {
            symmetries: Arc::clone(&self.symmetries),
            gaps: Arc::clone(&self.gaps),
            classes,
            others: subsets(self.points - own, other),
            other_ranks: Ranks::new(other),
        })
    }
}
