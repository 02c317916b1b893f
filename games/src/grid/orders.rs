//! Letter orders of rectangular boards: named permutations of the cells.
//!
//! The order decides how many states a set of positions needs, by orders of magnitude, and nothing else.

use super::Grid;

impl Grid {
    /// The named letter orders, the default first: in each, the cell that layer 0, 1, ... holds.
    ///
    /// * `rows`: rank by rank from the first, each from file `a`: cell order.
    /// * `rows-inside-out`: rank by rank, the files of each from the middle outwards.
    /// * `rows-middle-out`: ranks from the middle outwards, each from file `a`.
    /// * `serpentine`: rank by rank, every second rank backwards.
    /// * `columns`: file by file, each from the first rank.
    /// * `columns-middle-out`: files from the middle outwards, each from the first rank.
    /// * `diagonals`: by file plus rank, on each diagonal from the lowest rank.
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
