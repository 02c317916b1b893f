//! Counts the positions of a run from the start once each, although a position may occur at several plies.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use nerode_dfa::{Dfa, Letter, Passes};
use nerode_games::Side;

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;
use crate::solve::resources::Resources;

/// The positions that the plies visited so far contain.
///
/// In a game whose positions show the number of plies played, no position occurs at two plies, and nothing is stored.
pub(super) struct Distinct {
    passes: Passes,
    shows_plies: bool,
    seen: [Dfa; 2],
    /// The wrong positions, by the side to move.
    wrong: Mutex<[HashSet<Vec<Letter>>; 2]>,
}

impl Distinct {
    /// Begins a visit of the plies of `run`.
    ///
    /// # Errors
    /// Returns an error if the threads cannot be started.
    pub(super) fn new(run: &StoredRun, resources: &Resources) -> Result<Self> {
        Ok(Self {
            passes: resources.passes(None)?,
            shows_plies: run.game.plies_played(&run.game.start().0).is_some(),
            seen: [(); 2].map(|()| Dfa::empty(run.game.shape())),
            wrong: Mutex::default(),
        })
    }

    /// Returns `true` if no ply visited before contains a word with `side` to move.
    pub(super) fn is_new(&self, side: Side, word: &[Letter]) -> bool {
        self.shows_plies || !self.seen[side.index()].contains(word)
    }

    /// Records that a word with `side` to move is wrong. Returns `true` if this was not known.
    pub(super) fn is_newly_wrong(&self, side: Side, word: &[Letter]) -> bool {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        self.shows_plies || wrong[side.index()].insert(word.to_vec())
    }

    /// Ends the visit of a ply, which contains the words of `set` with `side` to move.
    ///
    /// # Errors
    /// Returns an error if memory is exhausted or the computation is interrupted.
    pub(super) fn add(&mut self, side: Side, set: &Dfa) -> Result<()> {
        if !self.shows_plies {
            let seen = &mut self.seen[side.index()];
            *seen = self.passes.combine(&[seen, set], |x| x[0] || x[1])?;
        }
        Ok(())
    }
}

/// Returns the number of distinct positions of a run from the start that have a value.
///
/// # Errors
/// Returns an error if a file is damaged, memory is exhausted, or the computation is interrupted.
pub(super) fn num_decided(run: &StoredRun, resources: &Resources) -> Result<u128> {
    let last = run.run.progress().forward.unwrap_or(0);
    let decided = [Kind::RW, Kind::RL, Kind::RD];
    let mut sum = 0u128;
    if run.game.plies_played(&run.game.start().0).is_some() {
        for ply in 0..=last {
            for kind in decided {
                sum = sum.saturating_add(run.entry(kind, run.side_at(ply), ply)?.num_positions());
            }
        }
        return Ok(sum);
    }
    let passes = resources.passes(None)?;
    let mut all = Side::BOTH.map(|_| Dfa::empty(run.game.shape()));
    for ply in 0..=last {
        let side = run.side_at(ply);
        for kind in decided {
            let set = run.read(kind, side, ply)?;
            let all = &mut all[side.index()];
            *all = passes.combine(&[all, &set], |x| x[0] || x[1])?;
        }
    }
    for set in &all {
        sum = sum.saturating_add(set.count()?);
    }
    Ok(sum)
}
