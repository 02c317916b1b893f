//! What an automaton must say of each position: a code; or any code up to it, where the probe finds that code by itself.
//!
//! Codes number the worths that occur in a sector, the least first. So "any code up to" is a range, and one answer can meet two
//! demands exactly when [`Entry::meet`] gives one.

use std::ops::ControlFlow;

use super::header::Probe;
use super::worth::{Detail, Worth};
use crate::error::{Error, Result};
use crate::morris::tables::{Sector, SectorTable, SectorTables};
use nerode_games::morris::Rules;
use nerode_games::morris::{State, points};

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

/// Slots that are looked at for the usual code.
const LOOKS: u64 = 1 << 16;

/// The demands on all positions of a sector.
pub(super) struct Entries<'a> {
    pub(super) codes: Vec<Worth>,
    pub(super) table: &'a SectorTable,
    /// By code of the table. A hole demands nothing.
    demands: Vec<Entry>,
    /// Where captures lead, for a form that is looked up with a probe.
    captures: Option<(&'a Rules, &'a SectorTables)>,
    detail: Detail,
}

impl<'a> Entries<'a> {
    /// Those of `table` for a form that is looked up with `probe`.
    ///
    /// # Errors
    /// [`Error::MissingSector`] when a capture leads to a sector that is not in `known`.
    pub(super) fn new(
        rules: &'a Rules,
        table: &'a SectorTable,
        known: &'a SectorTables,
        probe: Probe,
        detail: Detail,
    ) -> Result<Self> {
        let codes = worths(table, detail);
        let width = table.codes.width();
        let demand = |code: u16| {
            if code == width.hole() {
                return Entry::at_most((codes.len() - 1) as u16);
            }
            let worth = Worth::of((code < width.open()).then_some(code), detail);
            // A code that no slot has may have no worth here; nobody asks.
            Entry::exactly(codes.partition_point(|&less| less < worth) as u16)
        };
        let demands = (0..=width.hole()).map(demand).collect();
        let captures = (probe == Probe::Captures).then_some((rules, known));
        if probe == Probe::Captures {
            must_know_captures(rules, table.sector, known)?;
        }
        Ok(Self { codes, table, demands, captures, detail })
    }

    /// What is demanded of the position with these stones of the side to move and of the other side.
    ///
    /// *Cost*: with [`Probe::Captures`] a look at all captures.
    #[inline]
    pub(super) fn at(&self, own: u32, other: u32) -> Entry {
        self.of_code(self.table.codes.get(self.table.index.slot(own, other)), own, other)
    }

    fn of_code(&self, code: u16, own: u32, other: u32) -> Entry {
        let demand = self.demands[usize::from(code)];
        // A loss is what every answer is at least.
        let Some((rules, known)) = self.captures.filter(|_| demand.is_exact() && demand.code() > 0) else {
            return demand;
        };
        let (state, worth) = (self.table.sector.state(own, other), self.codes[usize::from(demand.code())]);
        let found = best_capture(rules, known, state, self.detail, worth) == Some(worth);
        if found { Entry::at_most(demand.code()) } else { demand }
    }

    /// The code that most positions demand, the least of several, as evenly spread slots have it.
    pub(super) fn usual(&self) -> u16 {
        let slots = self.table.codes.num_slots();
        let mut counts = vec![0u64; self.codes.len()];
        for slot in (0..slots).step_by((slots / LOOKS).max(1) as usize) {
            let (own, other) = self.table.index.position(slot);
            let entry = self.of_code(self.table.codes.get(slot), own, other);
            counts[usize::from(entry.code())] += u64::from(entry.is_exact());
        }
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

/// Whether a stone may be taken: some empty point closes a mill, from wherever the stone comes.
#[inline]
pub(super) fn can_capture(rules: &Rules, state: State) -> bool {
    let empty = rules.board.all() & !(state.own | state.other);
    points(empty).any(|to| rules.board.closes_mill(state.own, to))
}

/// Checks that the sectors to which a side with so many stones captures are known.
fn must_know_captures(rules: &Rules, sector: Sector, known: &SectorTables) -> Result<()> {
    let stones = |sector: &Sector| sector.own + sector.own_hand;
    let is_capture = |child: &Sector| stones(child) < sector.other + sector.other_hand;
    let missing =
        sector.children(rules).into_iter().filter(is_capture).find(|child| !known.contains_key(child));
    missing.map_or(Ok(()), |child| {
        let needed_by = Some(sector.to_string());
        Err(Error::MissingSector { sector: child.to_string(), needed_by, folder: None })
    })
}

/// The best that captures reach by the tables of their sectors, if there are any; looked for until it is `enough`. A capture to an unknown sector is passed over.
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
