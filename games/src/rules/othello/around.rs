//! The neighbouring cells of each cell of a board, for the explicit description.

use crate::grid::Grid;

/// The next cell in each of the eight directions, or `NONE` at the edge of the board.
pub(super) type Around = [u16; 8];

/// The placeholder for a missing cell.
pub(super) const NONE: u16 = u16::MAX;
const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// Returns the [`Around`] of every cell.
pub(super) fn around(grid: Grid) -> Vec<Around> {
    let next = |cell: usize, (right, up): (isize, isize)| {
        let file = grid.file(cell).checked_add_signed(right).filter(|&file| file < grid.width());
        let rank = grid.rank(cell).checked_add_signed(up).filter(|&rank| rank < grid.height());
        file.zip(rank).map_or(NONE, |(file, rank)| grid.cell(file, rank) as u16)
    };
    (0..grid.num_cells()).map(|cell| DIRECTIONS.map(|direction| next(cell, direction))).collect()
}
