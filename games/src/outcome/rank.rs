//! The algebra of ranked values: the order of two values, and the value of a turn given the position that it leads to.
//!
//! A value consists of two numbers. Key 1 is the rank minus the value of the sector that contains the position. Key 2
//! is a distance in plies.

use std::cmp::Ordering;

/// Key 1 and key 2, which are (0, 0) for a position that is worth as much as its sector.
pub type Pair = (i32, i32);

/// Orders values for the side to move: a greater rank is better; at equal ranks, the sooner is better above the
/// sector's value, and the later below it.
#[inline]
pub fn order(a: Pair, b: Pair) -> Ordering {
    a.0.cmp(&b.0).then_with(|| match a.0.signum() {
        1 => b.1.cmp(&a.1),
        -1 => a.1.cmp(&b.1),
        _ => Ordering::Equal,
    })
}

/// Returns the value, seen from a sector of value `here`, of a turn that leads to a position with keys `after` in a
/// sector of value `there`.
///
/// The distance is negated if the rank is on the other side of this sector's value than it is of the other sector's.
#[inline]
pub fn candidate(after: Pair, there: i32, here: i32) -> Pair {
    let (key1, key2) = after;
    let seen_from_here = key1 + there + here;
    if seen_from_here == 0 {
        return (0, 0);
    }
    let distance = key2.saturating_mul(seen_from_here.signum() * key1.signum());
    (-seen_from_here, distance.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greater_value_is_better_then_the_sooner_above_and_the_later_below() {
        let falling = [(3, 9), (2, -1), (2, 4), (0, 0), (-1, 7), (-1, -2), (-5, 30)];
        for (at, &better) in falling.iter().enumerate() {
            for &worse in &falling[at + 1..] {
                assert_eq!(order(better, worse), Ordering::Greater, "{better:?} {worse:?}");
                assert_eq!(order(worse, better), Ordering::Less);
            }
        }
        assert_eq!(order((0, 3), (0, 8)), Ordering::Equal);
    }

    #[test]
    fn a_turn_is_worth_what_it_leads_to_seen_from_here() {
        // Rank 7 for the opponent: 7 above the opponent's sector of value 0, and 7 below ours.
        assert_eq!(candidate((7, 4), 0, 0), (-7, 5));
        // From a sector of value 2 it is 9 below; from one of value -7 it is worth as much as the sector.
        assert_eq!(candidate((7, 4), 0, 2), (-9, 5));
        assert_eq!(candidate((7, 4), 0, -7), (0, 0));
        // From one of value -9 it is above the sector's value, so that the distance changes its sign.
        assert_eq!(candidate((7, 4), 0, -9), (2, -3));
        // A position that is worth as much as its sector has no distance.
        assert_eq!(candidate((0, 0), 5, 1), (-6, 1));
    }
}
