//! The symmetries of a board, by number.

use nerode_games::morris::Board;

/// A symmetry's number. On boards of three rings it is the number that Malom's files use.
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
