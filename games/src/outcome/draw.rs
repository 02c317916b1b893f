//! The rank of a draw.

use std::cmp::Ordering;
use std::fmt;

use super::rank::{Pair, candidate, order};

/// A draw from the point of view of the side to move. It is displayed as `+46 in 20`, or as `+46` if play can stay in
/// the sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedDraw {
    /// The value of the sector in which best play ends up, for the side to move: 0 is neutral, and greater is better.
    pub rank: i32,
    /// The distance to that sector: the plies in sectors on this sector's side of the rank, minus those in sectors on
    /// the other side. It may therefore be negative. `None` if play can stay in this sector.
    pub distance: Option<i32>,
    /// The value of the sector that contains the position, for the side to move.
    pub value: i32,
}

impl RankedDraw {
    /// Creates the draw from its keys in a sector with the given value.
    pub fn of((key1, key2): Pair, value: i32) -> Self {
        Self { rank: value + key1, distance: (key1 != 0).then_some(key2), value }
    }

    fn keys(self) -> Pair {
        (self.rank - self.value, self.distance.unwrap_or(0))
    }

    /// Returns the draw from the point of view of the player who moved to it, from a sector with value `here`.
    #[must_use]
    pub fn seen_by_mover(self, here: i32) -> Self {
        Self::of(candidate(self.keys(), self.value, here), here)
    }

    /// Compares two draws seen from the same sector. The better one for the side to move is greater.
    pub fn compare(self, other: Self) -> Ordering {
        order(self.keys(), other.keys())
    }
}

impl fmt::Display for RankedDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rank {
            0 => f.write_str("0")?,
            rank => write!(f, "{rank:+}")?,
        }
        self.distance.map_or(Ok(()), |plies| write!(f, " in {plies}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_written_in_players_words() {
        for (keys, value, text) in [
            ((40, 20), 6, "+46 in 20"),
            ((0, 0), 46, "+46"),
            ((0, 0), 0, "0"),
            ((-6, -3), 6, "0 in -3"),
            ((-40, 7), 0, "-40 in 7"),
        ] {
            assert_eq!(RankedDraw::of(keys, value).to_string(), text);
        }
    }

    #[test]
    fn a_draw_is_turned_round_for_the_mover_and_compared_in_his_sector() {
        let after = RankedDraw::of((-5, 3), 2);
        let seen = after.seen_by_mover(1);
        assert_eq!((seen.rank, seen.distance, seen.value), (3, Some(4), 1));
        let stays = RankedDraw::of((0, 0), 4).seen_by_mover(-4);
        assert_eq!((stays.rank, stays.distance), (-4, None));
        let later = RankedDraw { distance: Some(9), ..seen };
        assert_eq!(seen.compare(later), Ordering::Greater);
        assert_eq!(seen.compare(RankedDraw { rank: 4, ..later }), Ordering::Less);
    }
}
