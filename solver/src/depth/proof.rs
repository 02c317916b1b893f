//! Questions about many plies, which are answered by proof-number search.
//!
//! The question is whether the winner wins within a number of plies. At each step, the winner has the moves that keep the win, as the
//! sets show, and the loser has all. The search first visits the positions in which least remains to be shown, so it finds the replies
//! of the loser that leave the winner few choices.

use nerode_games::Move;

use super::keys::{KeySet, Keys};
use super::search::{Child, Place, Search};
use crate::numbers::table::Known;
use crate::numbers::{INFINITE, Numbers, limits_below, two_least};

/// A move, with the keys and the numbers of the position after it.
struct Open {
    mv: Move,
    keys: KeySet,
    /// The key of the question about this position.
    key: u128,
    numbers: Numbers,
    /// Whether the sets have been asked about this position, and need not be asked again.
    is_asked: bool,
}

impl Search<'_, '_> {
    /// Answers the question of [`Search::is_within`] by proof-number search. The goal of the winner is to win within `plies` plies, and
    /// that of the loser is to prevent it.
    pub(super) fn by_proof(
        &mut self,
        place: &mut Place,
        keys: &KeySet,
        win: bool,
        plies: u32,
    ) -> Option<bool> {
        let limits = Numbers { proof: INFINITE, disproof: INFINITE };
        let numbers = self.numbers_below(place, keys, win, plies, limits)?;
        Some((numbers.proof == 0) == win)
    }

    /// Searches below a position until one of its numbers reaches a limit. Returns `None` if the time does not suffice.
    fn numbers(
        &mut self,
        place: &mut Place,
        keys: &KeySet,
        win: bool,
        plies: u32,
        limits: Numbers,
    ) -> Option<Numbers> {
        if self.is_for_moves(plies) {
            return self.is_within(place, keys, win, plies).map(|is_within| answered(is_within, win));
        }
        self.count()?;
        if let Some(is_within) = self.known(place, keys, win, plies) {
            return Some(answered(is_within, win));
        }
        self.numbers_below(place, keys, win, plies, limits)
    }

    fn numbers_below(
        &mut self,
        place: &mut Place,
        keys: &KeySet,
        win: bool,
        plies: u32,
        limits: Numbers,
    ) -> Option<Numbers> {
        let before = self.num_nodes();
        let mut open = self.open(place, keys, win, plies);
        let numbers = loop {
            let numbers = Numbers::of_moves(open.iter().map(|after| after.numbers));
            if numbers.are_final() || numbers.proof >= limits.proof || numbers.disproof >= limits.disproof {
                break numbers;
            }
            let disproofs =
                open.iter().map(|after| (!after.numbers.are_final()).then_some(after.numbers.disproof));
            let Some((best, second)) = two_least(disproofs) else { break numbers };
            let after = &mut open[best];
            let below = limits_below(limits, numbers, after.numbers, second);
            let back = self.make(place, &after.mv);
            let by_sets = (win && !after.is_asked).then(|| self.by_sets(place, &after.keys, plies)).flatten();
            after.is_asked = true;
            let found = match by_sets {
                Some(is_within) => Some(answered(is_within, !win)),
                None => self.numbers(place, &after.keys, !win, plies - 1, below),
            };
            self.take_back(place, &back);
            after.numbers = found?;
            for after in open.iter_mut().filter(|after| !after.numbers.are_final()) {
                after.numbers =
                    self.common.numbers.get(after.key).map_or(after.numbers, |known| known.numbers);
            }
        };
        if numbers.are_final() {
            self.remember(place, keys, win, plies, (numbers.proof == 0) == win);
        } else {
            let work = u32::try_from(self.num_nodes() - before).unwrap_or(u32::MAX);
            self.common.numbers.put(self.question(keys, win, plies), Known { numbers, work });
        }
        Some(numbers)
    }

    /// Returns the key of a question. Only open questions have numbers in the table, which guide the search and answer nothing, so a
    /// shorter key suffices than for bounds.
    fn question(&self, keys: &KeySet, win: bool, plies: u32) -> u128 {
        Keys::within(self.common.keys.of_question(keys, win), plies)
    }

    /// Lists the moves that have to be searched, or one that answers the question.
    fn open(&mut self, place: &mut Place, keys: &KeySet, win: bool, plies: u32) -> Vec<Open> {
        let mut children = Vec::new();
        if let Some(is_within) = self.children(place, keys, win, plies, &mut children) {
            let numbers = if is_within == win { Numbers::DISPROVED } else { Numbers::PROVED };
            return vec![Open { mv: Move::new(), keys: *keys, key: 0, numbers, is_asked: true }];
        }
        self.sort(place.side, win, &mut children);
        let mut open: Vec<Open> = Vec::with_capacity(children.len());
        for Child { mv, keys, bounds } in children {
            let key = self.question(&keys, !win, plies - 1);
            if open.iter().any(|other| other.key == key) {
                continue;
            }
            let known = self.common.numbers.get(key).map(|known| known.numbers);
            let numbers = match u32::from(bounds.most) < plies {
                true => answered(true, !win),
                false => known.unwrap_or(Numbers::open(1)),
            };
            // A bound from above means that the sets have been asked before.
            let is_asked = known.is_some() || bounds.most < u16::MAX;
            open.push(Open { mv, keys, key, numbers, is_asked });
        }
        open
    }

    /// Returns the answer to the question whether the side to move is lost within fewer than `plies` plies, if the sets show it.
    fn by_sets(&mut self, place: &Place, keys: &KeySet, plies: u32) -> Option<bool> {
        match self.is_lost(place, keys)? {
            false => Some(false),
            true => (self.remaining(place.ply) < plies).then_some(true),
        }
    }
}

/// Returns the numbers of a position once it is known whether the winner wins in time, who is to move if `win` is set.
fn answered(is_within: bool, win: bool) -> Numbers {
    if is_within == win { Numbers::PROVED } else { Numbers::DISPROVED }
}
