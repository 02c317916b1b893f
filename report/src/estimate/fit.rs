//! The logarithm of a number as a function of width and height, fitted to boards with a known number.

/// A board and its known number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) size: [usize; 2],
    pub(super) number: f64,
}

/// The exponent by which the weight of boards decreases with their distance.
const FADING: i32 = 4;

/// The regularization of the slopes towards 0, as a fraction of all weights. It matters only if the boards do not
/// determine the slopes.
const PULL: [f64; 4] = [0.0, 1e-4, 1e-4, 1e-3];

/// Returns the number of rows and columns by which two boards differ, one of which is smaller.
fn distance(from: [usize; 2], to: [usize; 2]) -> f64 {
    (to[0].abs_diff(from[0]) + to[1].abs_diff(from[1])) as f64
}

/// Fits `exp(a + b x + c y + d x y)` to the known boards by weighted least squares, where x and y are the numbers of
/// columns and rows by which a board differs from `size`, and returns the value at `size`.
pub(super) fn at(size: [usize; 2], known: &[Known]) -> f64 {
    let mut left = [[0.0; 4]; 4];
    let mut right = [0.0; 4];
    let mut all = 0.0;
    for board in known {
        let [x, y] = [0, 1].map(|i| board.size[i] as f64 - size[i] as f64);
        let weight = (1.0 + distance(board.size, size)).powi(-FADING);
        let terms = [1.0, x, y, x * y];
        all += weight;
        for (i, row) in left.iter_mut().enumerate() {
            right[i] += weight * terms[i] * board.number.max(1.0).ln();
            for (j, cell) in row.iter_mut().enumerate() {
                *cell += weight * terms[i] * terms[j];
            }
        }
    }
    for (i, pull) in PULL.into_iter().enumerate() {
        left[i][i] += pull * all;
    }
    first_of_solution(left, right).exp()
}

/// Returns the first unknown of four equations with a symmetric positive definite matrix.
fn first_of_solution(mut left: [[f64; 4]; 4], mut right: [f64; 4]) -> f64 {
    for pivot in (0..4).rev() {
        for row in 0..4 {
            if row == pivot || left[pivot][pivot] == 0.0 {
                continue;
            }
            let part = left[row][pivot] / left[pivot][pivot];
            let taken = left[pivot];
            left[row].iter_mut().zip(taken).for_each(|(cell, other)| *cell -= part * other);
            right[row] -= part * right[pivot];
        }
    }
    right[0] / left[0][0]
}

/// Returns the factor by which the fit may be wrong at `size`. For each row and column of distance, it is the error
/// that the fit has on known boards when it uses only smaller ones.
pub(super) fn error_factor(size: [usize; 2], known: &[Known]) -> f64 {
    let away = |boards: &[Known], size| {
        boards.iter().map(|board| distance(board.size, size)).fold(f64::INFINITY, f64::min)
    };
    let mut per_step: f64 = LEAST_ERROR.ln();
    let mut tests = 0;
    for board in known {
        let fits = |other: &&Known| {
            other.size != board.size && other.size[0] <= board.size[0] && other.size[1] <= board.size[1]
        };
        let smaller: Vec<Known> = known.iter().filter(fits).copied().collect();
        if smaller.len() < FEWEST {
            continue;
        }
        let error = (at(board.size, &smaller) / board.number.max(1.0)).ln().abs();
        per_step = per_step.max(error / away(&smaller, board.size));
        tests += 1;
    }
    if tests < ENOUGH_TESTS {
        per_step = per_step.max(UNTESTED_ERROR.ln());
    }
    (per_step * away(known, size)).exp()
}

/// The smallest number of boards for a fit.
pub(super) const FEWEST: usize = 3;

/// The number of boards on which a fit should have been tested, and the factor by which one row or column may be wrong
/// if it was not.
const ENOUGH_TESTS: usize = 2;
const UNTESTED_ERROR: f64 = 4.0;

/// The smallest error factor that is assumed for an estimate one row or column away.
const LEAST_ERROR: f64 = 2.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn board(width: usize, height: usize, number: f64) -> Known {
        Known { size: [width, height], number }
    }

    #[test]
    fn what_grows_by_factors_is_found() {
        let number = |w: usize, h: usize| 2.0 * 3_f64.powi(w as i32) * 5_f64.powi(h as i32);
        let known: Vec<Known> = (2..5).flat_map(|w| (2..5).map(move |h| board(w, h, number(w, h)))).collect();
        for (w, h) in [(5, 4), (4, 5), (5, 5), (6, 4)] {
            let ratio = at([w, h], &known) / number(w, h);
            assert!((0.8..1.25).contains(&ratio), "{w}x{h}: {ratio}");
        }
        // One step away, the error is the smallest one that is assumed.
        assert!((error_factor([5, 4], &known) - LEAST_ERROR).abs() < 1e-9);
    }

    #[test]
    fn a_fit_that_was_not_tested_is_believed_less() {
        let known = [board(3, 3, 40.0), board(3, 4, 400.0), board(4, 3, 300.0)];
        assert!((error_factor([4, 4], &known) - UNTESTED_ERROR).abs() < 1e-9);
    }

    #[test]
    fn boards_in_one_row_are_enough() {
        let known = [board(2, 4, 100.0), board(2, 5, 400.0), board(2, 6, 1600.0)];
        let ratio = at([2, 7], &known) / 6400.0;
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
    }

    /// Checks the range on the numbers of states of the largest sets of Breakthrough in `results/breakthrough-boards`:
    /// boards that took a second predict boards that took minutes.
    #[test]
    fn the_range_holds_boards_that_were_solved() {
        let known = [
            board(2, 4, 101.0),
            board(2, 5, 239.0),
            board(2, 6, 834.0),
            board(3, 4, 386.0),
            board(3, 5, 2250.0),
            board(3, 6, 18106.0),
            board(4, 4, 2220.0),
            board(4, 5, 45750.0),
            board(5, 4, 10049.0),
            board(6, 4, 45211.0),
        ];
        for (size, number) in [([5, 5], 715_213.0), ([4, 6], 1_549_804.0), ([6, 5], 11_360_986.0)] {
            let smaller: Vec<Known> =
                known.iter().filter(|b| b.size[0] <= size[0] && b.size[1] <= size[1]).copied().collect();
            let (found, factor) = (at(size, &smaller), error_factor(size, &smaller));
            assert!(found / factor <= number && number <= found * factor, "{size:?}: {found} by {factor}");
        }
    }
}
