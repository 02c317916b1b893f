//! An estimate of who is closer to the goal, which learns from the positions that the search decides.

use chacha20::ChaCha12Rng;
use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side};
use rand::{RngExt, SeedableRng};

/// The greatest number of weights of a tuple of cells.
const MOST_PATTERNS: usize = 4096;
/// The number of random games that show which cells change together.
const NUM_GAMES: usize = 32;
/// The greatest length of these games.
const LONGEST_GAME: usize = 100;
/// How much a decided position changes the weights of single cells.
const RATE_OF_CELLS: f32 = 0.02;
/// How much a decided position changes the weights of cells that change together.
const RATE_OF_TUPLES: f32 = 0.05;
/// The greatest logarithm of the odds, so that a wrong estimate costs no more than some factor.
const MOST: f32 = 4.0;

/// Cells whose contents have a weight together.
#[derive(Clone)]
struct Tuple {
    /// The index of the first weight.
    start: usize,
    /// Each cell, and by how much the index grows with its content.
    cells: Vec<(usize, usize)>,
    rate: f32,
}

/// A network of n-tuples: the sum of the weights of the contents of some cells estimates the logarithm of the odds that the side to
/// move reaches its goal.
///
/// There is a tuple for each cell, and one for each cell with the cells that moves change together with it. The weights are those of a
/// logistic regression, with one step for each decided position.
#[derive(Clone)]
pub(super) struct Evaluation {
    tuples: Vec<Tuple>,
    /// The tuples in which each cell occurs, and by how much the index of the weight grows with its content.
    uses: Vec<Vec<(usize, usize)>>,
    /// The weights for each side to move.
    weights: [Vec<f32>; 2],
    /// The indices of the weights for one board.
    indices: Vec<usize>,
    /// Their sum for each side to move.
    sums: [f32; 2],
}

impl Evaluation {
    /// Creates an evaluation that has learned nothing: it takes every position for even.
    pub(super) fn new(game: &dyn Game) -> Self {
        let states = game.cell_states();
        let together = changed_together(game);
        let mut tuples = Vec::new();
        let mut num_weights = 0;
        let mut add = |cells: Vec<usize>, rate| {
            let mut factor = 1;
            let with_factor = |cell| {
                let own = factor;
                factor *= usize::from(states[cell]);
                (cell, own)
            };
            let cells = cells.into_iter().map(with_factor).collect();
            tuples.push(Tuple { start: num_weights, cells, rate });
            num_weights += factor;
        };
        for cell in 0..states.len() {
            add(vec![cell], RATE_OF_CELLS);
        }
        for (cell, counts) in together.iter().enumerate() {
            let cells = tuple_around(cell, counts, states);
            if cells.len() > 1 {
                add(cells, RATE_OF_TUPLES);
            }
        }
        let mut uses = vec![Vec::new(); states.len()];
        for (at, tuple) in tuples.iter().enumerate() {
            tuple.cells.iter().for_each(|&(cell, factor)| uses[cell].push((at, factor)));
        }
        let weights = [vec![0.0; num_weights], vec![0.0; num_weights]];
        let indices = vec![0; tuples.len()];
        Self { tuples, uses, weights, indices, sums: [0.0; 2] }
    }

    /// Forgets what was learned, because the goal is another one.
    pub(super) fn forget(&mut self) {
        self.weights.iter_mut().flatten().for_each(|weight| *weight = 0.0);
    }

    /// Learns from a decided position.
    pub(super) fn learn(&mut self, board: &[u8], side: Side, reaches_goal: bool) {
        self.read(board, side);
        // Processors differ in the last bits of exponentials, which rounding removes.
        let probability = 1.0 / (1.0 + (-f64::from(self.sums[side.index()])).exp());
        let error = f32::from(u8::from(reaches_goal)) - probability as f32;
        let weights = &mut self.weights[side.index()];
        for (tuple, &index) in self.tuples.iter().zip(&self.indices) {
            weights[index] += tuple.rate * error;
        }
    }

    /// Prepares estimates of positions that differ from `board` by a move, with `side` to move after it.
    pub(super) fn read(&mut self, board: &[u8], side: Side) {
        let weights = &self.weights[side.index()];
        let mut sum = 0.0;
        for (tuple, index) in self.tuples.iter().zip(&mut self.indices) {
            let cells = tuple.cells.iter().map(|&(cell, factor)| usize::from(board[cell]) * factor);
            *index = tuple.start + cells.sum::<usize>();
            sum += weights[*index];
        }
        self.sums[side.index()] = sum;
    }

    /// Returns the logarithm of the odds that `side`, which is to move after `mv`, reaches its goal. `before` is the board of the last
    /// [`Evaluation::read`], which was for the same side.
    pub(super) fn log_odds_after(&mut self, before: &[u8], mv: &Move, side: Side) -> f32 {
        let weights = &self.weights[side.index()];
        let mut sum = self.sums[side.index()];
        for change in mv {
            let cell = usize::from(change.cell);
            for &(tuple, factor) in &self.uses[cell] {
                let index = &mut self.indices[tuple];
                sum -= weights[*index];
                *index = *index + factor * usize::from(change.after) - factor * usize::from(before[cell]);
                sum += weights[*index];
            }
        }
        for change in mv {
            let cell = usize::from(change.cell);
            for &(tuple, factor) in &self.uses[cell] {
                let index = &mut self.indices[tuple];
                *index = *index + factor * usize::from(before[cell]) - factor * usize::from(change.after);
            }
        }
        sum.clamp(-MOST, MOST)
    }
}

/// Returns how often each pair of cells is changed by one move, in the positions of random games.
fn changed_together(game: &dyn Game) -> Vec<Vec<u32>> {
    let num_cells = game.cell_states().len();
    let mut counts = vec![vec![0; num_cells]; num_cells];
    let mut rng = ChaCha12Rng::seed_from_u64(0);
    let mut moves = Vec::new();
    for _ in 0..NUM_GAMES {
        let mut at = game.start_position();
        for _ in 0..LONGEST_GAME {
            moves.clear();
            game.legal_moves(&at.board, at.side, &mut moves);
            for mv in &moves {
                for (one, other) in mv.iter().flat_map(|one| mv.iter().map(move |other| (one, other))) {
                    counts[usize::from(one.cell)][usize::from(other.cell)] += u32::from(one != other);
                }
            }
            if moves.is_empty() {
                break;
            }
            let board = apply(&at.board, &moves[rng.random_range(0..moves.len())]);
            at = Position { board, side: at.side.other() };
        }
    }
    counts
}

/// Returns `cell` with the cells that change together with it most often, as many as the number of weights allows.
fn tuple_around(cell: usize, counts: &[u32], states: &[u16]) -> Vec<usize> {
    let mut others: Vec<usize> = (0..counts.len()).filter(|&other| counts[other] > 0).collect();
    others.sort_by_key(|&other| std::cmp::Reverse(counts[other]));
    let mut patterns = usize::from(states[cell]);
    let fits = |&other: &usize| {
        patterns = patterns.saturating_mul(usize::from(states[other]));
        patterns <= MOST_PATTERNS
    };
    std::iter::once(cell).chain(others.into_iter().take_while(fits)).collect()
}

#[cfg(test)]
mod tests {
    use nerode_games::registry;

    use super::*;

    /// The boards, moves and sides to move of a random game.
    fn random_game(game: &dyn Game, seed: u64) -> Vec<(Position, Move)> {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let (mut at, mut moves, mut played) = (game.start_position(), Vec::new(), Vec::new());
        for _ in 0..LONGEST_GAME {
            moves.clear();
            game.legal_moves(&at.board, at.side, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())].clone();
            let next = Position { board: apply(&at.board, &mv), side: at.side.other() };
            played.push((std::mem::replace(&mut at, next), mv));
        }
        played
    }

    #[test]
    fn estimates_after_moves_are_those_of_the_new_boards() {
        for spec in
            ["breakthrough:4x4", "connect:4x4", "othello:4x4", "amazons:4x4", "morris:three", "chess:KRvK"]
        {
            let game = registry::open(spec).unwrap();
            let game = game.as_ref();
            let mut evaluation = Evaluation::new(game);
            let mut num_compared = 0;
            for seed in 0..20 {
                for (at, mv) in random_game(game, seed) {
                    let (after, side) = (apply(&at.board, &mv), at.side.other());
                    evaluation.learn(
                        &after,
                        side,
                        after.iter().map(|&content| u32::from(content)).sum::<u32>() % 3 == 0,
                    );
                    evaluation.read(&after, side);
                    let expected = evaluation.sums[side.index()].clamp(-MOST, MOST);
                    evaluation.read(&at.board, side);
                    // The second estimate finds what the first one left.
                    for _ in 0..2 {
                        let found = evaluation.log_odds_after(&at.board, &mv, side);
                        assert!((found - expected).abs() < 1e-3, "{spec}: {found} instead of {expected}");
                    }
                    num_compared += usize::from(expected != 0.0);
                }
            }
            assert!(num_compared > 50, "{spec}: {num_compared}");
        }
    }

    #[test]
    fn contents_of_several_cells_are_learned_together() {
        let game = registry::open("breakthrough:4x4").unwrap();
        let game = game.as_ref();
        let mut evaluation = Evaluation::new(game);
        // No sum of weights of single cells decides whether exactly one of two cells is empty.
        let goal = |board: &[u8]| (board[5] == 0) != (board[9] == 0);
        let mut results = Vec::new();
        for seed in 0..300 {
            for (at, _) in random_game(game, seed) {
                evaluation.read(&at.board, at.side);
                results.push((evaluation.sums[at.side.index()] > 0.0) == goal(&at.board));
                evaluation.learn(&at.board, at.side, goal(&at.board));
            }
        }
        let last = &results[results.len() * 3 / 4..];
        let num_right = last.iter().filter(|&&is_right| is_right).count();
        assert!(num_right * 10 > last.len() * 9, "{num_right} of {}", last.len());
        evaluation.forget();
        evaluation.read(&game.start_position().board, Side::P1);
        assert_eq!(evaluation.sums[0], 0.0);
    }

    #[test]
    fn tuples_have_few_patterns() {
        let games = [
            ("breakthrough:6x6", true),
            ("othello:6x6", true),
            ("connect:7x6", false),
            ("chess:KRvK", false),
        ];
        for (spec, has_tuples) in games {
            let game = registry::open(spec).unwrap();
            let evaluation = Evaluation::new(game.as_ref());
            let states = game.cell_states();
            for tuple in &evaluation.tuples {
                let patterns: usize =
                    tuple.cells.iter().map(|&(cell, _)| usize::from(states[cell])).product();
                assert!(patterns <= MOST_PATTERNS, "{spec}: {patterns}");
            }
            assert_eq!(evaluation.tuples.len() > states.len(), has_tuples, "{spec}");
        }
    }
}
