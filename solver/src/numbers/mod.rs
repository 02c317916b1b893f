//! Proof and disproof numbers, from the point of view of the side to move, and how a depth-first search follows them (df-pn).

pub(crate) mod table;

/// Infinite: the opposite is proved.
pub(crate) const INFINITE: u32 = u32::MAX;
/// The largest finite number. A position with larger numbers than this can only be decided by way of itself.
pub(crate) const LARGEST: u32 = 1 << 28;

/// A position is left only when its number exceeds the second best by a quarter, so that the search does not change to and fro
/// between two positions.
const SLACK: u32 = 4;

/// The proof number of a position with even odds that has not been visited. It is not 1, so that there are smaller ones.
const FIRST: f64 = 8.0;

/// How far a position is from being decided, where the side to move has a goal: to win, or to avoid a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// The number of positions that have to be decided, at least, to prove that the side to move reaches its goal.
    pub(crate) proof: u32,
    /// The same for the proof that it does not.
    pub(crate) disproof: u32,
}

impl Numbers {
    /// Returns the numbers of a position that has not been visited: one of `num_moves` moves proves the goal, and all disprove it.
    pub(crate) fn open(num_moves: usize) -> Self {
        Self { proof: 1, disproof: u32::try_from(num_moves).unwrap_or(LARGEST).clamp(1, LARGEST) }
    }

    /// Returns the numbers of a position that has not been visited, with some number of moves, in which the side to move has the given
    /// odds of reaching its goal.
    pub(crate) fn estimated(num_moves: usize, log_odds: f32) -> Self {
        let odds = f64::from(log_odds).exp();
        let number = |number: f64| number.round().clamp(1.0, f64::from(LARGEST)) as u32;
        Self { proof: number(FIRST / odds), disproof: number(FIRST * num_moves as f64 * odds) }
    }

    /// The side to move reaches its goal.
    pub(crate) const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    /// The side to move does not reach its goal.
    pub(crate) const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };
    /// The position has occurred before in this game.
    pub(crate) const REPEATED: Self = Self { proof: LARGEST, disproof: LARGEST };

    /// Returns `true` if one of the two is proved.
    pub(crate) fn are_final(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Returns the numbers of a position whose moves lead to positions with the numbers `after`: one move must be disproved for the
    /// other side, or all of them proved.
    pub(crate) fn of_moves(after: impl Iterator<Item = Self>) -> Self {
        let mut numbers = Self { proof: INFINITE, disproof: 0 };
        for next in after {
            numbers.proof = numbers.proof.min(next.disproof);
            numbers.disproof = match next.proof {
                INFINITE => INFINITE,
                more if numbers.disproof == INFINITE || more == 0 => numbers.disproof,
                more => numbers.disproof.saturating_add(more).min(LARGEST),
            };
        }
        numbers
    }
}

/// Returns the index of the least of the numbers that there are, and the least of the others.
pub(crate) fn two_least(numbers: impl Iterator<Item = Option<u32>>) -> Option<(usize, u32)> {
    let mut best: Option<(usize, u32)> = None;
    let mut second = LARGEST;
    for (at, number) in numbers.enumerate().filter_map(|(at, number)| Some((at, number?))) {
        match best {
            Some((_, least)) if number >= least => second = second.min(number),
            _ => {
                second = best.map_or(second, |(_, least)| second.min(least));
                best = Some((at, number));
            }
        }
    }
    best.map(|(at, _)| (at, second))
}

/// Returns the limits up to which the position after the best move is searched, in a position with the given `limits` and `numbers`.
/// The position after the move has the numbers `best`, and the second best disproof number is `second`.
pub(crate) fn limits_below(limits: Numbers, numbers: Numbers, best: Numbers, second: u32) -> Numbers {
    Numbers {
        proof: limits.disproof.saturating_sub(numbers.disproof).saturating_add(best.proof),
        disproof: limits.proof.min(second.saturating_add(second / SLACK + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_least_disproof_and_the_sum_of_proofs() {
        let number = |proof, disproof| Numbers { proof, disproof };
        let of = |after: &[Numbers]| Numbers::of_moves(after.iter().copied());
        assert_eq!(of(&[number(2, 5), number(3, 4)]), number(4, 5));
        assert_eq!(of(&[number(2, 5), Numbers::DISPROVED]), Numbers::PROVED);
        assert_eq!(of(&[Numbers::DISPROVED, number(2, 5)]), Numbers::PROVED);
        assert_eq!(of(&[Numbers::PROVED, Numbers::PROVED]), Numbers::DISPROVED);
        assert_eq!(of(&[Numbers::PROVED, number(7, 9)]), number(9, 7));
        let large = of(&[number(LARGEST, 3), number(LARGEST, 4)]);
        assert_eq!(large, number(3, LARGEST));
    }

    #[test]
    fn good_odds_bring_the_goal_closer() {
        let number = |proof, disproof| Numbers { proof, disproof };
        assert_eq!(Numbers::estimated(5, 0.0), number(8, 40));
        assert_eq!(Numbers::estimated(5, 2.0), number(1, 296));
        assert_eq!(Numbers::estimated(5, -2.0), number(59, 5));
        assert_eq!(Numbers::estimated(0, 0.0), number(8, 1));
        assert_eq!(Numbers::estimated(5, 100.0), number(1, LARGEST));
        assert_eq!(Numbers::estimated(5, -100.0), number(LARGEST, 1));
    }

    #[test]
    fn the_search_goes_on_below_the_least_number() {
        assert_eq!(two_least([Some(5), None, Some(3), Some(4)].into_iter()), Some((2, 4)));
        assert_eq!(two_least([Some(3), Some(3)].into_iter()), Some((0, 3)));
        assert_eq!(two_least([None, Some(7)].into_iter()), Some((1, LARGEST)));
        assert_eq!(two_least([None].into_iter()), None);
        let number = |proof, disproof| Numbers { proof, disproof };
        assert_eq!(limits_below(number(100, 50), number(3, 20), number(8, 3), 12), number(38, 16));
        assert_eq!(limits_below(number(10, 50), number(3, 20), number(8, 3), 12), number(38, 10));
    }
}
