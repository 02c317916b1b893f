//! The choice of derived sectors, which depends on how far a look-up may search ahead.

#[cfg(feature = "solve")]
use std::collections::BTreeMap;

#[cfg(feature = "solve")]
use nerode_games::morris::Rules;
use serde::{Deserialize, Serialize};

#[cfg(feature = "solve")]
use crate::tables::{Sector, Unit};

/// The choice of the sectors of a packed database that are derived from others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAhead {
    /// The number of plies that a look-up of a derived sector may search ahead. If it is 0, every sector has an
    /// automaton.
    #[serde(rename = "look_ahead")]
    pub plies: u32,
    /// The largest number of stones in hand, for both sides together, with which a sector may be derived; `None` for
    /// any number. With more stones in hand, more captures may follow each other in a look-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_hand: Option<u8>,
}

#[cfg(feature = "solve")]
impl LookAhead {
    fn may_derive(self, sector: Sector) -> bool {
        self.in_hand.is_none_or(|most| sector.own_hand + sector.other_hand <= most)
    }
}

/// Returns the sectors of `units` that need no automaton with the look-ahead `look`, each with the number of plies that
/// it searches ahead itself. Every unit must come after those that it leads to.
///
/// Of the two sectors of a unit, the one whose side to move has more stones is derived, because it flies less and so
/// has fewer turns.
///
/// *Cost*: computes the children of every sector.
#[cfg(feature = "solve")]
pub(super) fn derived(rules: &Rules, units: &[Unit], look: LookAhead) -> BTreeMap<Sector, u32> {
    let mut derived = BTreeMap::new();
    for unit in units {
        let first = unit.first();
        if !look.may_derive(first) {
            continue;
        }
        let children = first.children(rules);
        // The other sector of the unit keeps its automaton.
        let of_child = |child: &Sector| derived.get(child).copied().unwrap_or(0);
        let ahead = 1 + children.iter().map(of_child).max().unwrap_or(0);
        if ahead <= look.plies && !children.contains(&first) {
            derived.insert(first, ahead);
        }
    }
    derived
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::name::named_game;
    use crate::tables::plan;

    #[test]
    fn no_look_up_looks_further_ahead_than_it_may() {
        for game in ["morris:six", "morris:lasker", "morris:nine"] {
            let (_, rules, _) = named_game(game).unwrap();
            let root = if game == "morris:nine" { "5-4-2-2" } else { "3-3-1-1" };
            let units = plan(&rules, &[root.parse().unwrap()]).unwrap();
            let few = derived(&rules, &units, LookAhead { plies: 1, in_hand: Some(0) });
            assert!(few.keys().all(|sector| sector.own_hand + sector.other_hand == 0), "{few:?}");
            let mut before = 0;
            for plies in 0..4 {
                let derived = derived(&rules, &units, LookAhead { plies, in_hand: None });
                assert!(plies == 0 || !few.is_empty() && few.len() < derived.len(), "{game}: {few:?}");
                assert!(derived.len() >= before, "{game} {plies}");
                before = derived.len();
                assert_eq!(derived.is_empty(), plies == 0);
                for (sector, &ahead) in &derived {
                    assert!((1..=plies).contains(&ahead));
                    let children = sector.children(&rules);
                    assert!(!children.contains(sector), "{game} {sector} leads to itself");
                    assert!(children.iter().all(|child| derived.get(child).copied().unwrap_or(0) < ahead));
                }
            }
        }
    }
}
