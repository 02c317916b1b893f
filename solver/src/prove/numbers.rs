//! Proof and disproof numbers, from the point of view of the side to move.

/// Infinite: the opposite is proved.
pub(super) const INFINITE: u32 = u32::MAX;
/// The largest finite number. A position with larger numbers than this can only be decided by way of itself.
pub(super) const LARGEST: u32 = 1 << 28;

/// How far a position is from being decided, where the side to move has a goal: to win, or to avoid a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// The number of positions that have to be decided, at least, to prove that the side to move reaches its goal.
    pub(super) proof: u32,
    /// The same for the proof that it does not.
    pub(super) disproof: u32,
}

impl Numbers {
    /// Returns the numbers of a position that has not been visited: one of `num_moves` moves proves the goal, and all disprove it.
    pub(super) fn open(num_moves: usize) -> Self {
        Self { proof: 1, disproof: u32::try_from(num_moves).unwrap_or(LARGEST).clamp(1, LARGEST) }
    }

    /// The side to move reaches its goal.
    pub(super) const PROVED: Self = Self { proof: 0, disproof: INFINITE };
    /// The side to move does not reach its goal.
    pub(super) const DISPROVED: Self = Self { proof: INFINITE, disproof: 0 };
    /// The position has occurred before in this game.
    pub(super) const REPEATED: Self = Self { proof: LARGEST, disproof: LARGEST };

    /// Returns `true` if one of the two is proved.
    pub(super) fn are_final(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Returns the numbers of a position whose moves lead to positions with the numbers `after`: one move must be disproved for the
    /// other side, or all of them proved.
    pub(super) fn of_moves(after: impl Iterator<Item = Self>) -> Self {
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
}
