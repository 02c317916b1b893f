//! Letter orders of rectangular boards, which are named permutations of the cells.
//!
//! The order changes the number of states of a set of positions by orders of magnitude, and it affects nothing else.

use super::Grid;

impl Grid {
    /// Returns the named letter orders, starting with the default. Each lists the cells of layers 0, 1, and so on.
    ///
    /// * `rows`: rank by rank from the first, each from file `a`, which is the order of cells.
    /// * `rows-inside-out`: rank by rank, the files of each from the middle outwards.
    /// * `rows-middle-out`: ranks from the middle outwards, each from file `a`.
    /// * `serpentine`: rank by rank, every second rank in reverse.
    /// * `columns`: file by file, each from the first rank.
    /// * `columns-middle-out`: files from the middle outwards, each from the first rank.
    /// * `diagonals`: by the sum of file and rank, each diagonal from its lowest rank.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::grid::Grid;
    /// let orders = Grid::new(3, 2).orders();
    /// assert_eq!(orders[1], ("rows-inside-out", vec![1, 0, 2, 4, 3, 5]));
    /// ```
    pub fn orders(self) -> Vec<(&'static str, Vec<usize>)> {
        let middle = |n: usize, at: usize| (2 * at).abs_diff(n - 1);
        let (width, height) = (self.width, self.height);
        vec![
            ("rows", self.sorted(|file, rank| (rank, file, 0))),
            ("rows-inside-out", self.sorted(|file, rank| (rank, middle(width, file), file))),
            ("rows-middle-out", self.sorted(|file, rank| (middle(height, rank), rank, file))),
            (
                "serpentine",
                self.sorted(|file, rank| (rank, if rank % 2 == 0 { file } else { width - file }, 0)),
            ),
            ("columns", self.sorted(|file, rank| (file, rank, 0))),
            ("columns-middle-out", self.sorted(|file, rank| (middle(width, file), file, rank))),
            ("diagonals", self.sorted(|file, rank| (file + rank, rank, 0))),
        ]
    }

    fn sorted(self, key: impl Fn(usize, usize) -> (usize, usize, usize)) -> Vec<usize> {
        let mut cells: Vec<usize> = (0..self.num_cells()).collect();
        cells.sort_by_key(|&cell| key(self.file(cell), self.rank(cell)));
        cells
    }
}
