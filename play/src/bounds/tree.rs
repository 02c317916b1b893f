//! The search below a move: ranges by depth, with a table, windows and move ordering.
//!
//! Invariants: a range contains the value for every window. With a full window, it is the range of a search of all
//! moves to the same depth, or a narrower one.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

use nerode_games::Value;

use super::ground::Ground;
use super::terms::Search;
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::ValueRange;

/// The number of positions between two checks of the clock.
const LOOK_EVERY: u64 = 256;

/// The number of positions between two reports of those visited.
const TELL_EVERY: u64 = 1 << 14;

/// The values of interest. Once the value is known to lie outside, it does not matter which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    low: Value,
    high: Value,
}

impl Window {
    /// The window in which every value matters.
    pub(super) const FULL: Self = Self { low: Value::Loss, high: Value::Win };

    /// The window of a move if only a loss matters.
    pub(super) const DRAW: Self = Self { low: Value::Draw, high: Value::Win };

    /// Returns the window of a reply if the side to move is already certain of `best`.
    fn of_reply(self, best: Value) -> Self {
        Self { low: self.high.negated(), high: self.low.max(best).negated() }
    }

    /// Returns `true` if a range answers the question of the window.
    fn is_answered_by(self, range: ValueRange) -> bool {
        range.value().is_some()
            || self.low > Value::Loss && range.most() <= self.low
            || range.least() >= self.high
    }
}

/// The result of a search of a position to a certain depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) range: ValueRange,
    /// Whether a deeper search would show nothing new.
    pub(super) whole: bool,
}

/// An entry of the table.
#[derive(Clone, Copy)]
struct Entry {
    known: Known,
    plies: u32,
    window: Window,
}

/// The reason why a search ended early.
pub(super) enum Stop {
    /// The time limit was reached.
    Time,
    /// An error, or an interruption.
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// A search in progress.
pub(super) struct Tree<'a, G: Ground> {
    pub(super) ground: &'a G,
    search: &'a Search<'a>,
    table: HashMap<G::Key, Entry>,
    /// The maximum number of entries of the table.
    most_entries: usize,
    pub(super) nodes: u64,
    pub(super) looked_up: u64,
    /// The number of times that the search ended at a position whose value is unknown.
    pub(super) missed: u64,
    /// Is called with the number of positions visited since the last call.
    visited: Option<&'a (dyn Fn(u64) + Sync)>,
}

impl<'a, G: Ground> Tree<'a, G> {
    pub(super) fn new(search: &'a Search<'a>, ground: &'a G) -> Self {
        let most_entries = most_entries::<G::Key>(search.memory);
        Self {
            ground,
            search,
            table: HashMap::new(),
            most_entries,
            nodes: 0,
            looked_up: 0,
            missed: 0,
            visited: None,
        }
    }

    /// Calls `visited` from time to time with the number of positions visited since the last call.
    pub(super) fn telling(self, visited: &'a (dyn Fn(u64) + Sync)) -> Self {
        Self { visited: Some(visited), ..self }
    }

    /// Stores the result for a position, if it was stored before or the table is not full.
    fn keep(&mut self, key: G::Key, entry: Entry) {
        if self.table.len() < self.most_entries || self.table.contains_key(&key) {
            self.table.insert(key, entry);
        }
    }

    /// Returns the range of a position that is known without a search.
    pub(super) fn so_far(&self, at: &G::At) -> Result<ValueRange> {
        if let Some(value) = self.ground.known(at)? {
            return Ok(ValueRange::exact(value));
        }
        let found =
            self.table.get(&self.ground.key(at)).map_or(ValueRange::UNKNOWN, |entry| entry.known.range);
        let stored = self.ground.stored(at)?.map_or(ValueRange::UNKNOWN, |stored| stored.range);
        found.both(stored).ok_or_else(|| contradiction(at, found, stored))
    }

    /// Clears the table if it is full.
    pub(super) fn make_room(&mut self) {
        if self.table.len() >= self.most_entries {
            self.table.clear();
        }
    }

    fn must_go_on(&self) -> std::result::Result<(), Stop> {
        if !self.nodes.is_multiple_of(LOOK_EVERY) {
            return Ok(());
        }
        if self.search.interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted.into());
        }
        if let Some(visited) = self.visited.filter(|_| self.nodes.is_multiple_of(TELL_EVERY)) {
            visited(TELL_EVERY);
        }
        match self.search.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Time),
            _ => Ok(()),
        }
    }

    /// Returns the range of a position, for the side to move, from a search of `plies` plies.
    pub(super) fn range(
        &mut self,
        at: &G::At,
        plies: u32,
        window: Window,
    ) -> std::result::Result<Known, Stop> {
        self.nodes += 1;
        self.must_go_on()?;
        let key = self.search.means.table.then(|| self.ground.key(at));
        let entry = key.and_then(|key| self.table.get(&key)).copied();
        if let Some(Entry { known, plies: to, window: of }) = entry {
            let is_deep = known.whole || to >= plies;
            if window.is_answered_by(known.range) || is_deep && (of == Window::FULL || of == window) {
                return Ok(known);
            }
        }
        self.looked_up += 1;
        let known = match self.ground.known(at)? {
            Some(value) => Known { range: ValueRange::exact(value), whole: true },
            None => self.beneath(at, plies, window)?,
        };
        if plies == 0 && !known.whole {
            self.missed += 1;
            return Ok(known);
        }
        let before = entry.map_or(ValueRange::UNKNOWN, |entry| entry.known.range);
        let range = known.range.both(before).ok_or_else(|| contradiction(at, before, known.range))?;
        let known = Known { range, ..known };
        if let Some(key) = key {
            self.keep(key, Entry { known, plies, window });
        }
        Ok(known)
    }

    /// Returns the range of a position that the solution does not cover: the stored range or, if it is insufficient,
    /// that of a search.
    fn beneath(&mut self, at: &G::At, plies: u32, window: Window) -> std::result::Result<Known, Stop> {
        let stored = self.ground.stored(at)?;
        let range = stored.map_or(ValueRange::UNKNOWN, |stored| stored.range);
        let is_deep = plies <= stored.map_or(0, |stored| stored.plies);
        if is_deep || window.is_answered_by(range) {
            return Ok(Known { range, whole: range.value().is_some() });
        }
        let found = self.best(at, plies, window)?;
        let range = found.range.both(range).ok_or_else(|| contradiction(at, range, found.range))?;
        Ok(Known { range, ..found })
    }

    /// Returns the best result of all moves, of which there is at least one.
    fn best(&mut self, at: &G::At, plies: u32, window: Window) -> std::result::Result<Known, Stop> {
        let mut after = Vec::new();
        self.ground.after(at, &mut after);
        if self.search.means.order {
            after.sort_by_key(|(is_quiet, _)| !is_quiet);
        }
        let mut best = Known { range: ValueRange::exact(Value::Loss), whole: true };
        for (_, next) in &after {
            let of_reply = match self.search.means.windows {
                true => window.of_reply(best.range.least()),
                false => Window::FULL,
            };
            let reply = self.range(next, plies - 1, of_reply)?;
            best.range = best.range.max(reply.range.negated());
            best.whole &= reply.whole;
            if self.search.means.windows && best.range.least() >= window.high {
                return Ok(Known { range: ValueRange::at_least(best.range.least()), whole: true });
            }
        }
        Ok(best)
    }
}

/// Returns the number of entries of a table of `memory` bytes. A growing table exists twice, and a third of it is
/// empty, so an entry is counted as four times its size.
fn most_entries<K>(memory: u64) -> usize {
    usize::try_from(memory / (4 * size_of::<(K, Entry)>() as u64)).unwrap_or(usize::MAX)
}

fn contradiction<A: std::fmt::Debug>(at: &A, before: ValueRange, after: ValueRange) -> Error {
    Error::Mismatch {
        what: format!("the values of the solution around {at:?}"),
        found: format!("{before} and {after}"),
        expected: "one value".into(),
    }
}
