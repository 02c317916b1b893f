//! Rectangular boards: squares and their names, letter orders, symmetries, rows of text and drawings.
//!
//! Invariant: files and ranks count from 0, and the cell of a square is `rank * width + file`. Cell 0 is therefore
//! `a1`, at the bottom left of drawings. This module contains no rules of movement.

mod orders;
mod text;

pub(crate) use text::{is_files, lines_of_drawing};

use crate::maps::Symmetry;

/// A board of `width` files and `height` ranks.
///
/// # Examples
/// ```
/// use nerode_games::grid::Grid;
/// let grid = Grid::new(5, 6);
/// assert_eq!(grid.cell(2, 3), 17);
/// assert_eq!(grid.square(17), "c4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    width: usize,
    height: usize,
}

impl Grid {
    /// Creates a board with the given numbers of files and ranks.
    ///
    /// # Panics
    /// Panics if either number is 0.
    pub fn new(width: usize, height: usize) -> Self {
        assert!(width > 0 && height > 0, "a board has at least one file and one rank");
        Self { width, height }
    }

    /// Returns the number of files.
    pub fn width(self) -> usize {
        self.width
    }

    /// Returns the number of ranks.
    pub fn height(self) -> usize {
        self.height
    }

    /// Returns the number of cells, `width * height`.
    pub fn num_cells(self) -> usize {
        self.width * self.height
    }

    /// Returns the cell of a square, `rank * width + file`.
    pub fn cell(self, file: usize, rank: usize) -> usize {
        debug_assert!(file < self.width && rank < self.height);
        rank * self.width + file
    }

    /// Returns the file of `cell`.
    pub fn file(self, cell: usize) -> usize {
        cell % self.width
    }

    /// Returns the rank of `cell`.
    pub fn rank(self, cell: usize) -> usize {
        cell / self.width
    }

    /// Returns the name of `cell`: the letters of its file and the number of its rank, both counted from 1.
    pub fn square(self, cell: usize) -> String {
        format!("{}{}", letters_of(self.file(cell)), self.rank(cell) + 1)
    }

    /// Returns the left-right reflection, or `None` on boards of one file, where it is the identity.
    pub fn mirror(self) -> Option<Symmetry> {
        (self.width > 1).then(|| self.symmetry("mirror", |file, rank| (self.width - 1 - file, rank)))
    }

    /// Returns the half turn, which maps each cell to the cell opposite with respect to the centre of the board.
    pub fn half_turn(self) -> Vec<usize> {
        (0..self.num_cells()).rev().collect()
    }

    /// Returns all symmetries of the rectangle without the identity, each once: at most 7 on a square, and at most 3 otherwise.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::grid::Grid;
    /// assert_eq!(Grid::new(3, 3).symmetries().len(), 7);
    /// assert_eq!(Grid::new(4, 3).symmetries().len(), 3);
    /// assert_eq!(Grid::new(4, 1).symmetries().len(), 1);
    /// ```
    pub fn symmetries(self) -> Vec<Symmetry> {
        let (right, top) = (self.width - 1, self.height - 1);
        let mut all = vec![
            self.symmetry("mirror", |file, rank| (right - file, rank)),
            self.symmetry("flip", |file, rank| (file, top - rank)),
            self.symmetry("half-turn", |file, rank| (right - file, top - rank)),
        ];
        if self.width == self.height {
            all.push(self.symmetry("transpose", |file, rank| (rank, file)));
            all.push(self.symmetry("anti-transpose", |file, rank| (top - rank, right - file)));
            all.push(self.symmetry("quarter-turn", |file, rank| (top - rank, file)));
            all.push(self.symmetry("three-quarter-turn", |file, rank| (rank, right - file)));
        }
        let mut kept: Vec<Symmetry> = Vec::new();
        for one in all {
            let identity = one.image.iter().enumerate().all(|(cell, &image)| cell == image);
            if !identity && kept.iter().all(|other| other.image != one.image) {
                kept.push(one);
            }
        }
        kept
    }

    fn symmetry(self, name: &str, to: impl Fn(usize, usize) -> (usize, usize)) -> Symmetry {
        let image = (0..self.num_cells())
            .map(|cell| {
                let (file, rank) = to(self.file(cell), self.rank(cell));
                self.cell(file, rank)
            })
            .collect();
        Symmetry { name: name.to_string(), image }
    }
}

/// Returns the letters of a file, where 0 is `a`, 25 is `z`, and the sequence continues with `aa`, `ab`, and so on.
///
/// # Examples
/// ```
/// use nerode_games::grid::letters_of;
/// assert_eq!((letters_of(0), letters_of(25), letters_of(26)), ("a".into(), "z".into(), "aa".into()));
/// ```
pub fn letters_of(index: usize) -> String {
    let last = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => last.to_string(),
        more => letters_of(more - 1) + &last.to_string(),
    }
}
