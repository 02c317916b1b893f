//! The representation of positions of a sector as a class and a word.
//!
//! The class describes the stones of one side, the *root side*, up to symmetry. The word has a letter for each point
//! without such a stone, in reading order, which tells whether a stone of the other side is there.
//!
//! Invariant: symmetric positions have the same class and word. Some words do not belong to any position, because a
//! symmetry that fixes the root side's stones gives a lesser word. They are the holes of [`SectorIndex`].

use std::sync::Arc;

use nerode_games::morris::State;
use nerode_games::morris::board::MOST_POINTS;
#[cfg(feature = "solve")]
use nerode_games::morris::points;

use crate::tables::{IndexMaker, Sector, SectorIndex};
use nerode_solver::error::{Error, Result};

/// The side whose stones choose the root. The other side's stones form the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RootSide {
    /// The side to move.
    Own,
    /// The other side.
    Other,
}

impl RootSide {
    /// Both sides, the side to move first.
    pub const BOTH: [Self; 2] = [Self::Own, Self::Other];

    /// Returns the name of the side in names of forms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Other => "other",
        }
    }

    /// Returns `(root side's, other side's)` of the values for the side to move and its opponent.
    #[inline]
    pub fn split<T>(self, own: T, other: T) -> (T, T) {
        match self {
            Self::Own => (own, other),
            Self::Other => (other, own),
        }
    }
}

/// The order in which points are read, first to last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointOrder(Vec<u8>);

impl PointOrder {
    /// Creates the order from a list of points.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] unless the list contains each point from 0 on exactly once.
    pub fn new(points: Vec<u8>) -> Result<Self> {
        let mut seen = points.clone();
        seen.sort_unstable();
        if points.len() > MOST_POINTS || !seen.iter().copied().eq(0..points.len() as u8) {
            return Err(Error::Malformed {
                what: "an order of points",
                text: format!("{points:?}"),
                form: "it must contain each point of the board once",
            });
        }
        Ok(Self(points))
    }

    /// Returns the best known order on three rings (`results/morris-sector-forms`): ring after ring, starting with the
    /// outermost, and each ring from both ends of a line to the middle. Boards with other numbers of rings are read in
    /// the same way, with a centre last.
    pub fn best(num_points: usize) -> Self {
        // Clockwise from the top left corner, which is point 1 of a ring.
        const RINGS: [[u8; 8]; 3] =
            [[0, 1, 2, 4, 6, 5, 3, 7], [1, 5, 3, 2, 4, 0, 6, 7], [1, 5, 3, 7, 2, 0, 4, 6]];
        let rings = num_points / 8;
        let ring = |r: usize| RINGS[r.min(2)].iter().map(move |k| 8 * r as u8 + (k + 1) % 8);
        let centre = (8 * rings..num_points).map(|p| p as u8);
        Self((0..rings).flat_map(ring).chain(centre).collect())
    }

    /// Returns the points, first to last.
    pub fn points(&self) -> &[u8] {
        &self.0
    }
}

/// A class of the root side's stones and a word, given as two sets of points in reading order: the first point read is
/// the highest bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) class: usize,
    /// The points without stones of the root side.
    pub(super) free: u32,
    /// The points with stones of the other side.
    pub(super) set: u32,
}

/// The classes and words of a sector.
#[derive(Debug)]
pub struct Words {
    root_side: RootSide,
    index: Arc<SectorIndex>,
    order: PointOrder,
    all: u32,
    /// By byte of a set: the places of its points in reading order.
    places: [[u32; 256]; 3],
}

impl Words {
    /// Creates the words of `sector`. *Cost*: that of [`IndexMaker::index`] for the root side's stones.
    ///
    /// # Panics
    /// Panics if the sector's stones do not fit on the board.
    pub fn new(maker: &IndexMaker, sector: Sector, root_side: RootSide, order: PointOrder) -> Self {
        let (roots, letters) = root_side.split(sector.own, sector.other);
        let num_points = order.0.len();
        let mut places = [[0; 256]; 3];
        for (&point, read) in order.0.iter().zip(1..) {
            let (byte, bit) = (usize::from(point / 8), point % 8);
            for (value, place) in places[byte].iter_mut().enumerate() {
                *place |= ((value >> bit & 1) as u32) << (num_points - read);
            }
        }
        let all = ((1u64 << num_points) - 1) as u32;
        Self { root_side, index: Arc::new(maker.index(roots, letters)), order, all, places }
    }

    /// Returns the side whose stones choose the root.
    pub fn root_side(&self) -> RootSide {
        self.root_side
    }

    /// Returns the order in which points are read.
    pub fn order(&self) -> &PointOrder {
        &self.order
    }

    /// Returns the number of classes of the root side's stones.
    pub fn num_classes(&self) -> usize {
        self.index.classes().len()
    }

    /// Returns the number of points without stones of the root side.
    #[cfg(feature = "solve")]
    pub(super) fn num_free(&self) -> usize {
        let stones = self.index.classes().representative(0).count_ones() as usize;
        self.order.0.len() - stones
    }

    /// Returns the index with the root side's stones first.
    #[cfg(feature = "solve")]
    pub(super) fn index(&self) -> &SectorIndex {
        &self.index
    }

    /// Returns `set` with its points moved to reading order.
    #[inline]
    fn place(&self, set: u32) -> u32 {
        let byte = |i: u32| (set >> (8 * i) & 255) as usize;
        self.places[0][byte(0)] | self.places[1][byte(1)] | self.places[2][byte(2)]
    }

    /// Returns the class and word of a position of the sector.
    #[inline]
    pub(super) fn word(&self, state: State) -> Word {
        let (root, letters) = self.root_side.split(state.own, state.other);
        let (class, letters) = self.index.reduced(root, letters);
        let root = self.index.classes().representative(class);
        Word { class, free: self.all & !self.place(root), set: self.place(letters) }
    }

    /// Returns the positions of a class in the order of its words `sets`, as stones of the side to move and of the
    /// other side, with `None` for a hole.
    #[cfg(feature = "solve")]
    pub(super) fn positions<'a>(
        &'a self,
        class: usize,
        sets: &'a [u32],
    ) -> impl Iterator<Item = Option<(u32, u32)>> + 'a {
        let (classes, free) = (self.index.classes(), self.free_points(class));
        let (root, whole) = (classes.representative(class), classes.is_whole(class));
        sets.iter().map(move |&set| {
            let letters = points_at(set, &free);
            let kept = whole || self.index.reduced(root, letters) == (class, letters);
            kept.then(|| self.root_side.split(root, letters))
        })
    }

    /// Returns the points without stones of a class, last read first.
    #[cfg(feature = "solve")]
    fn free_points(&self, class: usize) -> Vec<u32> {
        let root = self.index.classes().representative(class);
        self.order.0.iter().rev().map(|&p| 1 << p).filter(|point| root & point == 0).collect()
    }
}

/// Returns the points of `free` whose places are the bits of `set`.
#[cfg(feature = "solve")]
fn points_at(set: u32, free: &[u32]) -> u32 {
    points(set).filter_map(|place| free.get(place)).sum()
}
