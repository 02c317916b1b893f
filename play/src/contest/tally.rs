//! Statistics of the games of a match, with confidence intervals.

use super::one_game::{GameEnd, Played};

/// The number of standard deviations on either side that contain 95 % of a normal distribution.
const SPREAD: f64 = 1.959_963_984_540_054;

/// A fraction of all games, and an interval that contains the true value in 95 of 100 matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The fraction.
    pub of_all: f64,
    /// The lower and upper end of the interval.
    pub interval: (f64, f64),
}

/// The statistics of the games of a match, for the first player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// The numbers of games won, drawn and lost.
    pub counts: [usize; 3],
    /// The numbers of games that the first and the second player lost because they failed to move.
    pub failed: [usize; 2],
    /// The reason in the first such game of each player.
    pub why_failed: [Option<String>; 2],
    /// The half points of every pair of games from the same opening.
    pairs: Vec<f64>,
    /// The number of plies of all games.
    pub plies: usize,
    /// The total time of the first and the second player, in seconds.
    pub seconds: [f64; 2],
    /// The number of moves of the first and the second player.
    pub moves: [usize; 2],
}

impl Tally {
    /// Computes the statistics of games, which are ordered by number.
    pub fn of(games: &[Played]) -> Self {
        let mut tally = Self::default();
        for game in games {
            let score = game.score_of_first();
            tally.counts[(2.0 - 2.0 * score) as usize] += 1;
            if game.end == GameEnd::Failed {
                let player = usize::from(score > 0.5);
                tally.failed[player] += 1;
                tally.why_failed[player] = tally.why_failed[player].take().or_else(|| game.failure.clone());
            }
            tally.plies += game.moves.len();
            for player in 0..2 {
                tally.seconds[player] += game.seconds[player];
            }
            tally.count_moves(game);
        }
        tally.pairs = games
            .chunk_by(|a, b| a.number / 2 == b.number / 2)
            .map(|pair| pair.iter().map(Played::score_of_first).sum::<f64>() / pair.len() as f64)
            .collect();
        tally
    }

    /// The sides alternate, and the first move is made by the side to move after the opening.
    fn count_moves(&mut self, game: &Played) {
        let first_moves = game.first_player_begins;
        let plies = game.moves.len();
        let (begins, follows) = (plies.div_ceil(2), plies / 2);
        let [first, second] = if first_moves { [begins, follows] } else { [follows, begins] };
        self.moves[0] += first;
        self.moves[1] += second;
    }

    /// Returns the number of games.
    pub fn num_games(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Returns the fractions of games won, drawn and lost, each with Wilson's interval.
    pub fn shares(&self) -> [Share; 3] {
        self.counts.map(|count| wilson(count, self.num_games()))
    }

    /// Returns the points of the first player per game, where a win is one point and a draw half a point. The
    /// interval treats the two games from an opening as one observation, because they are not independent.
    pub fn score(&self) -> Share {
        let n = self.pairs.len() as f64;
        let mean = self.pairs.iter().sum::<f64>() / n.max(1.0);
        let squares: f64 = self.pairs.iter().map(|score| (score - mean).powi(2)).sum();
        if squares == 0.0 {
            // Equal results contain no information about their variance.
            return Share { of_all: mean, interval: interval(mean, n) };
        }
        let error = (squares / (n - 1.0) / n).sqrt();
        let [least, most] = [mean - SPREAD * error, mean + SPREAD * error].map(|end| end.clamp(0.0, 1.0));
        Share { of_all: mean, interval: (least, most) }
    }
}

/// Returns `count` of `all` as a fraction, with Wilson's interval.
fn wilson(count: usize, all: usize) -> Share {
    let of_all = count as f64 / (all as f64).max(1.0);
    Share { of_all, interval: interval(of_all, all as f64) }
}

/// Computes Wilson's interval for a fraction of `n` observations.
fn interval(share: f64, n: f64) -> (f64, f64) {
    if n < 1.0 {
        return (0.0, 1.0);
    }
    let z = SPREAD;
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    (((middle - half) / scale).max(0.0), ((middle + half) / scale).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are from Newcombe (1998), table I, Wilson's interval without continuity correction.
    #[test]
    fn intervals_are_the_published_ones() {
        for (count, all, least, most) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (lower, upper) = wilson(count, all).interval;
            assert!(
                (lower - least).abs() < 5e-5 && (upper - most).abs() < 5e-5,
                "{count} of {all}: {lower} {upper}"
            );
        }
    }
}
