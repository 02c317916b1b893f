//! The named letter orders of Connect Four boards.

use super::options::Options;
use crate::layout::Order;

/// The number of columns from which boards are read from the left by default.
const WIDE: usize = 7;

/// Returns the orders of a board, starting with the default: `columns-middle-out` on boards of up to six columns, and
/// `columns` on wider ones.
///
/// * `columns-middle-out`: columns from the middle outwards, each from the lowest cell.
/// * `columns`: column by column from the left, each from the lowest cell.
/// * `columns-down`: column by column, each from the highest cell.
/// * `rows`: row by row from the lowest, each from the left.
/// * `rows-down`: row by row from the highest.
/// * `rows-inside-out`: row by row from the lowest, the cells of each from the middle outwards.
/// * `diagonals`: by the sum of column and row, each diagonal from its lowest cell.
pub(super) fn named(options: &Options) -> Vec<Order> {
    let (width, levels) = (options.squares.width(), options.levels());
    let from_middle = |file: usize| (2 * file).abs_diff(width - 1);
    let sorted = |key: &dyn Fn(usize, usize) -> (usize, usize, usize)| {
        let mut places: Vec<(usize, usize)> =
            (0..width).flat_map(|file| (0..levels).map(move |level| (file, level))).collect();
        places.sort_by_key(|&(file, level)| key(file, level));
        places.into_iter().map(|(file, level)| options.cell(file, level)).collect()
    };
    let mut orders = vec![
        ("columns-middle-out", sorted(&|file, level| (from_middle(file), file, level))),
        ("columns", sorted(&|file, level| (file, level, 0))),
        ("columns-down", sorted(&|file, level| (file, levels - level, 0))),
        ("rows", sorted(&|file, level| (level, file, 0))),
        ("rows-down", sorted(&|file, level| (levels - level, file, 0))),
        ("rows-inside-out", sorted(&|file, level| (level, from_middle(file), file))),
        ("diagonals", sorted(&|file, level| (file + level, level, 0))),
    ];
    if width >= WIDE {
        orders.swap(0, 1);
    }
    orders
}
