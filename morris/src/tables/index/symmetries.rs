//! The symmetries of a board, by number.

use nerode_games::morris::Board;

/// The number of a symmetry. On boards with three rings it is the number that Malom's files use.
pub type Op = u8;

/// The symmetries of a board, applied to sets of points with three look-ups.
#[derive(Debug)]
pub struct Symmetries {
    images: Vec<[[u32; 256]; 3]>,
    inverse: Vec<Op>,
}

impl Symmetries {
    /// Computes the symmetries of `board`.
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

    /// Returns the number of symmetries. The identity is the last.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Returns `false`, because the identity always exists.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Returns the image of `set`.
    ///
    /// # Panics
    /// Panics if there is no such symmetry.
    #[inline]
    pub fn apply(&self, op: Op, set: u32) -> u32 {
        let images = &self.images[usize::from(op)];
        let byte = |i: u32| (set >> (8 * i) & 255) as usize;
        images[0][byte(0)] | images[1][byte(1)] | images[2][byte(2)]
    }

    /// Returns the inverse of `op`.
    ///
    /// # Panics
    /// Panics if there is no such symmetry.
    pub fn inverse(&self, op: Op) -> Op {
        self.inverse[usize::from(op)]
    }
}
