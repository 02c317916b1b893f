//! Heuristic values of sectors, which express how good it is to end up in each sector.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use nerode_games::morris::Rules;

use crate::malom::{SectorValues, Variant};
use crate::tables::{Sector, SectorCounts};
use nerode_solver::error::Result;

/// Values each sector by the stones of the side to move minus those of the other side, on the board and in hand. A win
/// is worth one more than the number of stones of a side, and at least as much as in Malom's files of the variant.
///
/// # Errors
/// Returns the errors of [`SectorValues::new`].
pub fn by_difference(rules: &Rules, sectors: &BTreeSet<Sector>) -> Result<SectorValues> {
    let most =
        rules.stones.iter().map(|&stones| stones.into()).chain(Variant::of(rules).map(Variant::stones));
    let win = most.max().unwrap_or_default() + 1;
    SectorValues::new(win, sectors.iter().map(|&sector| (sector, sector.difference())).collect(), rules)
}

/// Values each sector by its place when all are sorted by the share of wins plus half the draws (paper 000, section
/// IV-A).
///
/// The numbers increase outward from the middle. If play can go back and forth between a sector and its mirror, wins of
/// one and losses of the other are counted together, and the two get a number and its negation: one more than the last
/// number on either side. Any other sector gets the next number of its side. Sectors that are their own mirrors are 0,
/// and half as many numbers are skipped on either side as there are such sectors. A win is worth one more than the
/// greatest number.
///
/// # Errors
/// Returns the errors of [`SectorValues::new`].
pub fn by_ratio(rules: &Rules, counts: &BTreeMap<Sector, SectorCounts>) -> Result<SectorValues> {
    let mut values = BTreeMap::new();
    let mut shares = Vec::new();
    for &sector in counts.keys() {
        if sector.is_cyclic(rules) && sector == sector.mirrored() {
            values.insert(sector, 0);
        } else if !(sector.is_cyclic(rules) && sector < sector.mirrored()) {
            shares.push((Share::of(rules, counts, sector), sector));
        }
    }
    shares.sort_by(|(a, x), (b, y)| a.compare_to_middle(b).then(x.cmp(y)));
    // The last numbers above and below the middle.
    let mut last = [values.len().div_ceil(2) as i32; 2];
    for (share, sector) in shares {
        let is_above = share.is_above();
        let sign = if is_above { 1 } else { -1 };
        if sector.is_cyclic(rules) {
            let number = 1 + last[0].max(last[1]);
            last = [number; 2];
            values.insert(sector, sign * number);
            values.insert(sector.mirrored(), -sign * number);
        } else {
            let last = &mut last[usize::from(!is_above)];
            *last += 1;
            values.insert(sector, sign * *last);
        }
    }
    SectorValues::new(1 + last[0].max(last[1]), values, rules)
}

/// Twice the difference between the share of won positions, with draws counted as half, and one half, as an exact
/// fraction.
struct Share {
    above: i128,
    whole: i128,
}

impl Share {
    fn of(rules: &Rules, counts: &BTreeMap<Sector, SectorCounts>, sector: Sector) -> Self {
        let of = |sector: Sector| {
            counts.get(&sector).map_or((0, 0, 0), |c| {
                (i128::from(c.wins()), i128::from(c.losses()), i128::from(c.num_positions))
            })
        };
        let (wins, losses, whole) = of(sector);
        // The numerator, wins plus half the draws minus half of all, equals half of wins minus losses.
        if !sector.is_cyclic(rules) {
            return Self { above: wins - losses, whole };
        }
        let (other_wins, other_losses, other_whole) = of(sector.mirrored());
        Self { above: wins - losses + other_losses - other_wins, whole: whole + other_whole }
    }

    fn is_above(&self) -> bool {
        self.above >= 0
    }

    /// Compares the distances from one half.
    fn compare_to_middle(&self, other: &Self) -> Ordering {
        (self.above.abs() * other.whole).cmp(&(other.above.abs() * self.whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nerode_games::morris::Preset;

    fn counts(wins: u64, draws: u64, losses: u64) -> SectorCounts {
        SectorCounts { num_positions: wins + draws + losses, draws, by_depth: vec![losses, wins] }
    }

    /// Two single sectors near the middle, a pair, another single sector further out, and a pair of equals.
    #[test]
    fn numbers_go_outward_and_pairs_leave_holes() {
        let rules = Preset::named("nine").unwrap().rules();
        let sectors = [
            ("3-3-0-0", counts(50, 0, 10)),
            ("4-4-0-0", counts(1, 9, 1)),
            ("5-5-0-0", counts(0, 9, 1)),
            ("2-3-2-1", counts(11, 0, 10)),
            ("2-3-1-1", counts(12, 0, 10)),
            ("4-3-0-0", counts(60, 20, 20)),
            ("3-4-0-0", counts(10, 50, 40)),
            ("1-1-2-2", counts(0, 0, 7)),
            ("2-2-2-2", counts(9, 0, 0)),
        ];
        let counts = sectors.iter().map(|(name, counts)| (name.parse().unwrap(), counts.clone())).collect();
        let values = by_ratio(&rules, &counts).unwrap();
        let of = |name: &str| values.get(name.parse().unwrap()).unwrap();
        assert_eq!(["3-3-0-0", "4-4-0-0", "5-5-0-0"].map(of), [0, 0, 0]);
        assert_eq!(["2-3-2-1", "2-3-1-1"].map(of), [3, 4]);
        // The share of the pair is 70 of 200 above one half. Below it, only the numbers 1 and 2 are taken, and it gets
        // 5.
        assert_eq!(["4-3-0-0", "3-4-0-0"].map(of), [5, -5]);
        assert_eq!(["2-2-2-2", "1-1-2-2"].map(of), [6, -6]);
        assert_eq!(values.win(), 7);
    }

    #[test]
    fn differences_count_stones_in_hand() {
        let rules = Preset::named("nine").unwrap().rules();
        let sectors = ["3-3-0-0", "5-3-0-0", "3-5-0-0", "2-3-1-5"].map(|name| name.parse().unwrap());
        let values = by_difference(&rules, &sectors.into()).unwrap();
        let of = |name: &str| values.get(name.parse().unwrap()).unwrap();
        assert_eq!(["3-3-0-0", "5-3-0-0", "3-5-0-0", "2-3-1-5"].map(of), [0, 2, -2, -5]);
        assert_eq!(values.win(), 10);
    }
}
