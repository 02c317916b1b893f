//! What an automaton must say of each position: a code; or any code up to it, where the probe finds that code by itself.
//!
//! Codes number the worths that occur in a sector, the least first. So "any code up to" is a range, and one answer can meet two
//! demands exactly when [`Entry::meet`] gives one.

use std::ops::ControlFlow;

use nerode_games::morris::State;
use rayon::prelude::*;

use super::header::Probe;
use super::worth::{Detail, Worth};
use crate::error::{Error, Result};
use crate::morris::tables::{Sector, SectorTable, SectorTables};
use nerode_games::morris::Rules;

/// A demand on one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Entry(u16);

impl Entry {
    pub(super) fn exactly(code: u16) -> Self {
        Self(code << 1 | 1)
    }

    /// Any code up to this one.
    pub(super) fn at_most(code: u16) -> Self {
        if code == 0 { Self::exactly(0) } else { Self(code << 1) }
    }

    /// The greatest code that it allows.
    #[inline]
    pub(super) fn code(self) -> u16 {
        self.0 >> 1
    }

    /// Whether only one code will do.
    #[inline]
    pub(super) fn is_exact(self) -> bool {
        self.0 & 1 == 1
    }

    /// The demand that means both, where an answer can meet both.
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

    /// As a number, for keys.
    #[inline]
    pub(super) fn number(self) -> u32 {
        self.0.into()
    }

    /// The entry with that number.
    #[inline]
    pub(super) fn of_number(number: u32) -> Self {
        Self(number as u16)
    }
}

/// The demands on all positions of a sector, by slot of its table.
#[derive(Debug)]
pub(super) struct Entries {
    pub(super) codes: Vec<Worth>,
    by_slot: Vec<Entry>,
}

impl Entries {
    /// Those of `table` for a form that is looked up with `probe`.
    ///
    /// *Cost*: two bytes a slot; with [`Probe::Captures`] a look at all captures of every position.
    pub(super) fn new(
        rules: &Rules,
        table: &SectorTable,
        known: &SectorTables,
        probe: Probe,
        detail: Detail,
    ) -> Result<Self> {
        let codes = worths(table, detail);
        let any = Entry::at_most((codes.len() - 1) as u16);
        let hole = table.codes.width().hole();
        let entry = |slot: u64| {
            if table.codes.get(slot) == hole {
                return Ok(any);
            }
            let worth = Worth::of(table.depth_at(slot), detail);
            let code = codes.partition_point(|&less| less < worth) as u16;
            let found = probe == Probe::Captures
                && best_capture(rules, known, table.state(slot), detail, worth)? == Some(worth);
            Ok(if found { Entry::at_most(code) } else { Entry::exactly(code) })
        };
        let by_slot = (0..table.codes.num_slots()).into_par_iter().map(entry).collect::<Result<_>>()?;
        Ok(Self { codes, by_slot })
    }

    #[inline]
    pub(super) fn at(&self, slot: u64) -> Entry {
        self.by_slot[slot as usize]
    }

    /// The code that most positions demand, the least of several.
    pub(super) fn usual(&self) -> u16 {
        let mut counts = vec![0u64; self.codes.len()];
        self.by_slot.iter().filter(|entry| entry.is_exact()).for_each(|e| counts[usize::from(e.code())] += 1);
        let most = counts.iter().max().copied();
        counts.iter().position(|n| Some(*n) == most).unwrap_or_default() as u16
    }

    /// The demand that every answer meets.
    pub(super) fn any(&self) -> Entry {
        Entry::at_most((self.codes.len() - 1) as u16)
    }
}

/// The worths that positions of a sector have, ascending; a draw for a sector without positions.
pub(super) fn worths(table: &SectorTable, detail: Detail) -> Vec<Worth> {
    let counts = table.counts();
    let depths = counts.by_depth.iter().zip(0..).filter(|(n, _)| **n > 0).map(|(_, depth)| Some(depth));
    let draws = (counts.draws > 0 || counts.num_positions == 0).then_some(None);
    let mut worths: Vec<Worth> = depths.chain(draws).map(|depth| Worth::of(depth, detail)).collect();
    worths.sort_unstable();
    worths.dedup();
    worths
}

/// The best that captures reach, if there are any; looked for until it is `enough`.
fn best_capture(
    rules: &Rules,
    known: &SectorTables,
    state: State,
    detail: Detail,
    enough: Worth,
) -> Result<Option<Worth>> {
    let mut best = None;
    let flow = rules.try_turns(state, |turn| {
        if turn.taken == 0 {
            return ControlFlow::Continue(());
        }
        let after = state.after(turn);
        let worth = match (after.decided_by_stones(), known.get(&Sector::of(after))) {
            (Some(_), _) => Worth::LOSS,
            (None, Some(table)) => Worth::of(table.depth(after), detail),
            (None, None) => return ControlFlow::Break(Err(Sector::of(after))),
        };
        best = best.max(Some(worth.before(detail)));
        if best >= Some(enough) { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
    });
    match flow {
        ControlFlow::Break(Err(sector)) => Err(Error::MissingSector {
            sector: sector.to_string(),
            needed_by: Some(Sector::of(state).to_string()),
            folder: None,
        }),
        _ => Ok(best),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demands_meet_where_an_answer_serves_both() {
        let answers = |entry: Entry| -> Vec<u16> {
            (0..4).filter(|&c| if entry.is_exact() { c == entry.code() } else { c <= entry.code() }).collect()
        };
        let all: Vec<Entry> = (0..4).flat_map(|c| [Entry::exactly(c), Entry::at_most(c)]).collect();
        for &a in &all {
            for &b in &all {
                let both: Vec<u16> = answers(a).into_iter().filter(|c| answers(b).contains(c)).collect();
                assert_eq!(a.meet(b).map(answers).unwrap_or_default(), both, "{a:?} {b:?}");
            }
        }
    }
}
