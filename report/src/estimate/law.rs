//! The growth law: how states grow with the board, fitted to boards that were solved.

use super::board::Board;
use super::expected::Range;

/// The regularization of the slopes towards 0, as a fraction of all weights. It matters only if the boards do not
/// determine the slopes.
const PULL: f64 = 1e-4;

/// The error factor of the law, which makes a range ten times as high as low. `results/estimates` compares such ranges
/// with records.
pub(super) const ERROR_FACTOR: f64 = 3.16;

/// The factor by which the law may be too high for a board that is much larger than the solved ones: the largest ply of
/// Connect Four 7x6 has 4.7 times fewer states than the boards up to 5x5 predict.
const FAR_ERROR_FACTOR: f64 = 5.0;

/// The growth law of a family of boards, evaluated for one of them.
///
/// A number such as the states of all sets is `p^(a + b x + c y)`, where p is the exact number of positions of a board, and
/// x and y are the columns and rows by which it differs from the board in question. The weight of a solved board is the
/// number itself: small boards say little about large ones.
pub(super) struct Law<'a> {
    solved: Vec<&'a Board>,
    size: [usize; 2],
    positions: f64,
}

impl<'a> Law<'a> {
    /// Creates the law for a board with this size and number of positions, from the boards that are not larger.
    pub(super) fn new(boards: &'a [Board], size: [usize; 2], positions: f64) -> Self {
        let within = |board: &&Board| board.size[0] <= size[0] && board.size[1] <= size[1];
        Self { solved: boards.iter().filter(within).collect(), size, positions }
    }

    /// Returns the number of boards on which the law is based.
    pub(super) fn num_boards(&self) -> usize {
        self.solved.len()
    }

    /// Returns the range of one of the numbers of the board, or `None` if no board was solved.
    pub(super) fn range(&self, number: impl Fn(&Board) -> u64) -> Option<Range<f64>> {
        let middle = self.predict(number)?;
        Some(Range { low: middle / ERROR_FACTOR, high: middle * ERROR_FACTOR })
    }

    /// Returns the range for a board that is much larger than the solved ones, extended to what the exponent of the largest
    /// solved board alone predicts. Small boards determine the slopes poorly, and the farther the board, the more a wrong
    /// slope matters.
    pub(super) fn wide_range(&self, number: impl Fn(&Board) -> u64) -> Option<Range<f64>> {
        let middle = self.predict(&number)?;
        let range = Range { low: middle / FAR_ERROR_FACTOR, high: middle * ERROR_FACTOR };
        let largest = self.solved.iter().max_by_key(|board| board.cells())?;
        let exponent = (number(largest).max(1) as f64).ln() / largest.positions.max(2.0).ln();
        let other = self.positions.max(2.0).powf(exponent);
        Some(Range { low: range.low.min(other / ERROR_FACTOR), high: range.high.max(other * ERROR_FACTOR) })
    }

    /// Predicts one of the numbers of the board, or returns `None` if no board was solved.
    pub(super) fn predict(&self, number: impl Fn(&Board) -> u64) -> Option<f64> {
        let largest = self.solved.iter().map(|board| number(board)).max()?.max(1) as f64;
        let (mut left, mut right, mut all) = ([[0.0; 3]; 3], [0.0; 3], 0.0);
        for board in &self.solved {
            let number = number(board).max(1) as f64;
            let exponent = number.ln() / board.positions.max(2.0).ln();
            let [x, y] = [0, 1].map(|i| board.size[i] as f64 - self.size[i] as f64);
            let (weight, terms) = (number / largest, [1.0, x, y]);
            all += weight;
            for (i, row) in left.iter_mut().enumerate() {
                right[i] += weight * terms[i] * exponent;
                for (j, cell) in row.iter_mut().enumerate() {
                    *cell += weight * terms[i] * terms[j];
                }
            }
        }
        left[1][1] += PULL * all;
        left[2][2] += PULL * all;
        Some(self.positions.max(2.0).powf(first_unknown(left, right)))
    }
}

/// Returns the first unknown of three equations with a symmetric positive definite matrix, by Cramer's rule.
fn first_unknown(left: [[f64; 3]; 3], right: [f64; 3]) -> f64 {
    let determinant = |first: [f64; 3]| {
        let minor = |i: usize, j: usize| left[i][1] * left[j][2] - left[j][1] * left[i][2];
        first[0] * minor(1, 2) - first[1] * minor(0, 2) + first[2] * minor(0, 1)
    };
    determinant(right) / determinant([0, 1, 2].map(|i| left[i][0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(width: usize, height: usize, number: u64) -> Board {
        Board { positions: 3_f64.powi((width * height) as i32), ..Board::of("x", [width, height], number) }
    }

    fn predict(boards: &[Board], width: usize, height: usize) -> f64 {
        let positions = 3_f64.powi((width * height) as i32);
        Law::new(boards, [width, height], positions).predict(|board| board.num_states).unwrap()
    }

    #[test]
    fn a_power_of_the_positions_is_found() {
        let number = |w: usize, h: usize| 3_f64.powf(0.6 * (w * h) as f64) as u64;
        let boards: Vec<Board> =
            (3..5).flat_map(|w| (3..5).map(move |h| board(w, h, number(w, h)))).collect();
        for (w, h) in [(5, 4), (4, 5), (5, 5), (6, 4)] {
            let ratio = predict(&boards, w, h) / number(w, h) as f64;
            assert!((0.8..1.25).contains(&ratio), "{w}x{h}: {ratio}");
        }
        // One board determines the exponent, and the slopes are 0.
        let ratio = predict(&boards[3..], 5, 5) / number(5, 5) as f64;
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
    }

    /// Checks the range on the numbers of states of the largest sets of Breakthrough in `results/breakthrough-boards`:
    /// boards that took seconds predict boards that took minutes.
    #[test]
    fn the_range_holds_boards_that_were_solved() {
        let known = [
            board(2, 6, 850),
            board(3, 4, 389),
            board(3, 5, 2262),
            board(3, 6, 18_644),
            board(3, 7, 230_700),
            board(4, 4, 2232),
            board(4, 5, 46_048),
            board(4, 6, 1_771_318),
            board(5, 4, 10_057),
            board(5, 5, 754_098),
            board(6, 4, 45_226),
        ];
        for (w, h, number) in [(6, 5, 11_360_986.0), (4, 7, 61_700_000.0), (5, 6, 88_400_000.0)] {
            let ratio = predict(&known, w, h) / number;
            assert!(ratio * ERROR_FACTOR >= 1.0 && ratio <= ERROR_FACTOR, "{w}x{h}: {ratio}");
        }
    }

    /// Checks the range of Connect Four 7x6 on its record in `results/connect-four`.
    #[test]
    fn the_wide_range_holds_a_board_of_many_more_cells() {
        let connect = |w, h, number, positions| Board { positions, ..board(w, h, number) };
        let known = [
            connect(4, 4, 8607, 201_755.0),
            connect(6, 3, 16_016, 2_403_411.0),
            connect(4, 5, 55_123, 3_039_959.0),
            connect(5, 4, 63_145, 5_621_939.0),
            connect(7, 3, 131_842, 33_491_328.0),
            connect(4, 6, 316_114, 45_340_631.0),
            connect(6, 4, 733_364, 159_643_961.0),
            connect(5, 5, 562_000, 171_976_899.0),
        ];
        let law = Law::new(&known, [7, 6], 70_728_639_995_483.0);
        let range = law.wide_range(|board| board.num_states).unwrap();
        assert!(range.low <= 943_422_753.0 && 943_422_753.0 <= range.high, "{range:?}");
    }
}
