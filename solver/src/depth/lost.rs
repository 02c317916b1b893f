//! The sets of a run, or packed values, that decide whether a reached position is lost.

use std::sync::atomic::{AtomicBool, Ordering};

use nerode_dfa::{Dfa, Letter};
use nerode_games::Value;
use rayon::Scope;

use super::source::Source;
use crate::archive::packed::Packed;
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;

/// The sets of a ply.
enum Lost<'a> {
    /// The lost positions.
    In(&'a Dfa),
    /// The positions that are not lost.
    NotIn(Vec<&'a Dfa>),
}

/// The sets of every second ply, or packed values of all plies. Sets are read on first use; those that a search needs next are then read in another
/// thread.
pub(super) struct LostSets<'a, 's> {
    from: From<'a>,
    /// For each ply, its sets once they have been read, and whether they fit into memory.
    plies: Vec<(Option<Lost<'a>>, bool)>,
    scope: &'s Scope<'a>,
    /// Set when the search ends, so that no further set is read for it.
    is_over: &'a AtomicBool,
}

/// The origin of the values.
#[derive(Clone, Copy)]
enum From<'a> {
    Sets(&'a StoredRun),
    Packed(&'a Packed),
}

impl<'a, 's> LostSets<'a, 's> {
    /// Selects the sets of the plies `first`, `first + 2`, ... as far as they fit into `memory` bytes. Sets are read
    /// ahead in `scope` until `is_over` is set.
    ///
    /// # Errors
    /// Returns an error if the run lacks a set.
    pub(super) fn new(
        source: Source<'a>,
        first: u32,
        memory: u64,
        scope: &'s Scope<'a>,
        is_over: &'a AtomicBool,
    ) -> Result<Self> {
        let from = match (source, source.packed()) {
            (_, Some(packed)) | (Source::Packed(packed, _), None) => From::Packed(packed),
            (Source::Run(run), None) => From::Sets(run),
        };
        let mut plies: Vec<(Option<Lost<'a>>, bool)> = Vec::new();
        let From::Sets(run) = from else { return Ok(Self { from, plies, scope, is_over }) };
        let last = source.last_plies().0;
        plies.resize_with(last as usize + 1, || (None, false));
        let mut free = memory;
        for ply in (first..=last).step_by(2) {
            let bytes =
                |&kind: &Kind| Ok(run.entry(kind, run.side_at(ply), ply)?.most_bytes(run.game.shape()));
            let needed: u64 = kinds(run, ply)?.iter().map(bytes).sum::<Result<_>>()?;
            let Some(rest) = free.checked_sub(needed) else { break };
            free = rest;
            plies[ply as usize].1 = true;
        }
        Ok(Self { from, plies, scope, is_over })
    }

    /// Returns whether a reached word of ply `ply` is lost, or `None` if the sets of this ply are not available.
    ///
    /// # Errors
    /// Returns an error if a file is damaged.
    pub(super) fn contain(&mut self, word: &[Letter], ply: u32) -> Result<Option<bool>> {
        let run = match self.from {
            From::Packed(packed) if ply > packed.last_ply() => return Ok(None),
            From::Packed(packed) => {
                return Ok(Some(packed.value_of_reached(word, ply)? == Some(Value::Loss)));
            }
            From::Sets(run) => run,
        };
        let Some((sets, true)) = self.plies.get_mut(ply as usize) else { return Ok(None) };
        if sets.is_none() {
            *sets = Some(read(run, ply)?);
            self.read_ahead(run, ply + 2);
        }
        let is_lost = self.plies[ply as usize].0.as_ref().map(|sets| match sets {
            Lost::In(set) => set.contains(word),
            Lost::NotIn(sets) => !sets.iter().any(|set| set.contains(word)),
        });
        Ok(is_lost)
    }

    /// Reads the sets of a ply in another thread, so that they are there when they are needed.
    fn read_ahead(&self, run: &'a StoredRun, ply: u32) {
        if !matches!(self.plies.get(ply as usize), Some((None, true))) {
            return;
        }
        let is_over = self.is_over;
        self.scope.spawn(move |_| {
            if !is_over.load(Ordering::Relaxed) {
                // An error is reported when the search needs the sets, which are then read again.
                let _ = read(run, ply);
            }
        });
    }
}

/// Returns the sets that are read for a ply: the lost positions, unless they are stored as what remains of the reached
/// ones.
fn kinds(run: &StoredRun, ply: u32) -> Result<&'static [Kind]> {
    match run.entry(Kind::RL, run.side_at(ply), ply)?.is_remainder() {
        false => Ok(&[Kind::RL]),
        true => Ok(&[Kind::RW, Kind::RD, Kind::RU]),
    }
}

fn read(run: &StoredRun, ply: u32) -> Result<Lost<'_>> {
    let set = |&kind: &Kind| run.set(kind, run.side_at(ply), ply);
    match kinds(run, ply)? {
        [kind] => Ok(Lost::In(set(kind)?)),
        kinds => {
            let sets: Vec<&Dfa> = kinds.iter().map(set).collect::<Result<_>>()?;
            Ok(Lost::NotIn(sets.into_iter().filter(|set| !set.is_empty()).collect()))
        }
    }
}
