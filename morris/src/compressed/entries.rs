//! The demands on an automaton's answers: an exact code, or any code up to a limit if the probe determines that code by
//! itself.
//!
//! Codes number the worths that occur in a sector, starting with the least. The codes up to a limit therefore form a
//! range, and one answer can meet two demands exactly if [`Entry::meet`] returns a demand.

use std::ops::ControlFlow;

use super::probe::can_capture;
use super::worth::{Detail, Worth};
use crate::tables::{Sector, SectorTable, SectorTables};
use nerode_games::morris::Rules;
use nerode_games::morris::State;
use nerode_solver::error::{Error, Result};

/// A demand on one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Entry(u16);

impl Entry {
    pub(super) fn exactly(code: u16) -> Self {
        Self(code << 1 | 1)
    }

    /// Returns the demand for any code up to this one.
    pub(super) fn at_most(code: u16) -> Self {
        if code == 0 { Self::exactly(0) } else { Self(code << 1) }
    }

    /// Returns the greatest code that the demand allows.
    #[inline]
    pub(super) fn code(self) -> u16 {
        self.0 >> 1
    }

    /// Returns `true` if only one code meets the demand.
    #[inline]
    pub(super) fn is_exact(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns `true` if an answer with this code meets the demand.
    #[inline]
    pub(super) fn allows(self, code: u16) -> bool {
        if self.is_exact() { code == self.code() } else { code <= self.code() }
    }

    /// Returns the conjunction of both demands, if an answer can meet both.
    #[inline]
    pub(super) fn meet(self, other: Self) -> Option<Self> {
        let least = self.min(other);
        match (self.is_exact(), other.is_exact()) {
            (true, true) => (self == other).then_some(self),
            (true, false) => (self.code() <= other.code()).then_some(self),
            (false, true) => (other.code() <= self.code()).then_some(other),
            (false, false) => Some(least),
        }
    }

    /// Returns the entry as a number, for keys.
    #[inline]
    pub(super) fn number(self) -> u32 {
        self.0.into()
    }

    /// Returns the entry with the given number.
    #[inline]
    pub(super) fn of_number(number: u32) -> Self {
        Self(number as u16)
    }
}

/// Returns the worths of the positions of a sector, in ascending order. A sector without positions gets a draw.
pub(super) fn worths(table: &SectorTable, detail: Detail) -> Vec<Worth> {
    let counts = table.counts();
    let depths = counts.by_depth.iter().zip(0..).filter(|(n, _)| **n > 0).map(|(_, depth)| Some(depth));
    let draws = (counts.draws > 0 || counts.num_positions == 0).then_some(None);
    let mut worths: Vec<Worth> = depths.chain(draws).map(|depth| Worth::of(depth, detail)).collect();
    worths.sort_unstable();
    worths.dedup();
    worths
}

/// Checks that the sectors that captures from `sector` lead to are known.
pub(super) fn must_know_captures(rules: &Rules, sector: Sector, known: &SectorTables) -> Result<()> {
    let stones = |sector: &Sector| sector.own + sector.own_hand;
    let is_capture = |child: &Sector| stones(child) < sector.other + sector.other_hand;
    let missing =
        sector.children(rules).into_iter().filter(is_capture).find(|child| !known.contains_key(child));
    missing.map_or(Ok(()), |child| {
        let needed_by = Some(sector.to_string());
        Err(Error::MissingSector { sector: child.to_string(), needed_by, folder: None })
    })
}

/// Returns the best worth that captures reach according to the tables of their sectors, if there are any. Stops as soon
/// as it is `enough`. Captures to an unknown sector are skipped.
pub(super) fn best_capture(
    rules: &Rules,
    known: &SectorTables,
    state: State,
    detail: Detail,
    enough: Worth,
) -> Option<Worth> {
    let mut best = None;
    if !can_capture(rules, state) {
        return best;
    }
    let _ = rules.try_turns(state, |turn| {
        if turn.taken == 0 {
            return ControlFlow::Continue(());
        }
        let after = state.after(turn);
        let worth = match (after.decided_by_stones(), known.get(&Sector::of(after))) {
            (Some(_), _) => Some(Worth::LOSS),
            (None, table) => table.map(|table| Worth::of(table.depth(after), detail)),
        };
        best = best.max(worth.map(|worth| worth.before(detail)));
        if best >= Some(enough) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_meet_where_an_answer_serves_both() {
        let answers = |entry: Entry| -> Vec<u16> { (0..4).filter(|&c| entry.allows(c)).collect() };
        let all: Vec<Entry> = (0..4).flat_map(|c| [Entry::exactly(c), Entry::at_most(c)]).collect();
        for &a in &all {
            for &b in &all {
                let both: Vec<u16> = answers(a).into_iter().filter(|c| answers(b).contains(c)).collect();
                assert_eq!(a.meet(b).map(answers).unwrap_or_default(), both, "{a:?} {b:?}");
            }
        }
    }
}
