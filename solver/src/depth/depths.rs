//! The depths that searches in a run have found, and those that are stored with it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::{Position, Value};

use super::deadline::Deadline;
use super::keys::Keys;
use super::search::{Common, Place, Search};
use super::source::Source;
use super::stored::stored_depths;
use super::table::Table;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::reached::ReachedTable;
use crate::error::Result;
use crate::numbers::table::Table as NumberTable;
use crate::outcome::{Depth, Outcome};

/// The part of the memory of a run that the sets may take, the table of bounds as much again, and that of numbers half as much.
const PART_OF_MEMORY: u64 = 4;

/// The depths of a run that have been found so far. Several threads may use it at the same time.
#[derive(Default)]
pub struct Depths {
    table: Table,
    /// The numbers of open questions.
    numbers: OnceLock<NumberTable>,
    keys: OnceLock<Keys>,
    /// The stored depths of early positions.
    early: Option<ReachedTable>,
    /// The number of searches, besides this one, that share the memory.
    others: u64,
}

impl Depths {
    /// Returns one of `searches` that share the memory, without stored depths.
    pub(super) fn sharing(searches: usize) -> Self {
        Self { others: (searches as u64).saturating_sub(1), ..Self::default() }
    }

    /// Reads the stored depths of the early positions of a run, if there are any. If they are damaged, also returns the
    /// reason, and they are not used.
    pub fn of(run: &StoredRun) -> (Self, Option<String>) {
        match stored_depths(run) {
            Ok(early) => (Self { early, ..Self::default() }, None),
            Err(error) => (Self::default(), Some(error.to_string())),
        }
    }

    /// Returns the last ply whose depths are all stored.
    pub fn stored_to(&self) -> Option<u32> {
        let early = self.early.as_ref().filter(|early| early.header().num_without_depth == 0)?;
        early.num_plies().checked_sub(1)
    }

    /// Returns `true` if some depths are stored.
    pub fn has_stored(&self) -> bool {
        self.early.is_some()
    }

    /// Returns what is `known` about a position, with its exact depth if that is stored.
    ///
    /// Cost: a look-up in the automaton of one ply, or of every second early ply if positions do not show theirs.
    ///
    /// # Errors
    /// Returns an error if the file of the depths is damaged.
    pub fn stored(&self, position: &Position, known: Outcome) -> Result<Outcome> {
        let (Some(early), Depth::AtMost(_)) = (&self.early, known.full_depth()) else { return Ok(known) };
        let stored = early.get(&position.board, position.side)?;
        Ok(stored
            .filter(|stored| stored.value() == known.value() && stored.depth().is_some())
            .unwrap_or(known))
    }

    /// Determines the depth of a position whose value and a bound of whose depth are `known`. If the deadline
    /// passes, the result is the best bound found so far. The outcome of any other position is returned unchanged.
    ///
    /// Cost: depends on the game. Packed values are asked if there are any. Otherwise, the sets of later plies are read as
    /// far as they fit into the memory of the run.
    ///
    /// # Errors
    /// Returns an error if a file is damaged.
    pub fn refine(
        &self,
        source: Source<'_>,
        position: &Position,
        known: Outcome,
        deadline: Deadline,
    ) -> Result<Outcome> {
        let Some((ply, win, most)) = question(source, position, known)? else { return Ok(known) };
        let game = source.game();
        let parity = game.never_ends_won();
        let place = Place::new(game, position, ply);
        let first = first_lost(ply, win);
        let depth = self.search(source, first, deadline, |search| search.depth(place, win, most, parity))?;
        Ok(known.with_depth(depth))
    }

    /// Determines in the same way whether the depth of a position is at most `plies`. Returns `None` for a position
    /// without a depth, and if the time does not suffice.
    ///
    /// # Errors
    /// Returns the same errors as [`Depths::refine`].
    pub fn is_within(
        &self,
        source: Source<'_>,
        position: &Position,
        known: Outcome,
        plies: u32,
        deadline: Deadline,
    ) -> Result<Option<bool>> {
        let Some((ply, win, most)) = question(source, position, known)? else {
            return Ok(known.depth().map(|depth| depth <= plies));
        };
        if most <= plies {
            return Ok(Some(true));
        }
        let place = Place::new(source.game(), position, ply);
        let first = first_lost(ply, win);
        self.search(source, first, deadline, |search| search.is_decided_within(place, win, plies))
    }

    /// Answers a question by a search in the shared table. The side that loses moves first at ply `first_lost`.
    fn search<T>(
        &self,
        source: Source<'_>,
        first_lost: u32,
        deadline: Deadline,
        ask: impl FnOnce(&mut Search<'_, '_>) -> T,
    ) -> Result<T> {
        let keys = self.keys.get_or_init(|| Keys::new(source.game()));
        let memory = source.memory().unwrap_or(u64::MAX) / PART_OF_MEMORY;
        let share = memory / (self.others + 1);
        self.table.limit_bytes(share);
        let numbers = self.numbers.get_or_init(|| NumberTable::new(share / 2));
        self.table.make_room();
        let is_over = AtomicBool::new(false);
        let common = Common {
            source,
            first_lost,
            memory,
            keys,
            table: &self.table,
            numbers,
            early: self.early.as_ref(),
            deadline,
            is_over: &is_over,
        };
        rayon::in_place_scope(|scope| {
            let mut search = Search::new(common, scope)?;
            let answer = ask(&mut search);
            is_over.store(true, Ordering::Relaxed);
            search.must_have_read()?;
            Ok(answer)
        })
    }
}

/// Returns the first ply after `ply` at which the side to move loses, if the position of ply `ply` is won (`win`) or lost.
fn first_lost(ply: u32, win: bool) -> u32 {
    ply + if win { 1 } else { 2 }
}

/// Returns the ply of a position, whether it is won, and a bound of its depth. Returns `None` if a search could not add
/// anything to what is `known` about the position.
fn question(source: Source<'_>, position: &Position, known: Outcome) -> Result<Option<(u32, bool, u32)>> {
    let (Depth::AtMost(most), true) = (known.full_depth(), source.is_of_reached()) else { return Ok(None) };
    let reached = source.reached(&source.game().word_of(&position.board), position.side)?;
    Ok(reached.map(|(ply, _)| (ply, known.value() == Some(Value::Win), most)))
}
