//! Solutions as callers see them, independent of the form in which a directory stores them.
//!
//! [`Stored`] is the interface that every form implements, and a `Library` opens a directory of any form.

mod answer;
#[cfg(feature = "engine")]
mod automata;
mod coverage;
#[cfg(feature = "engine")]
mod digest;
#[cfg(feature = "engine")]
mod filter;
mod infer;
#[cfg(feature = "engine")]
mod library;
#[cfg(feature = "engine")]
mod of_depth;
#[cfg(feature = "engine")]
mod own;
#[cfg(feature = "engine")]
mod reached;
#[cfg(feature = "engine")]
mod sample;
#[cfg(feature = "engine")]
mod sets;
mod solution;
#[cfg(feature = "engine")]
mod value_automata;
mod values;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "engine")]
use chacha20::ChaCha12Rng;
#[cfg(feature = "engine")]
use nerode_dfa::Letter;
#[cfg(feature = "engine")]
use nerode_games::Side;
use nerode_games::{Game, Position};
#[cfg(feature = "engine")]
use rand::SeedableRng;

#[cfg(feature = "engine")]
use crate::archive::stored_run::StoredRun;
use crate::depth::Deadline;
#[cfg(feature = "engine")]
use crate::error::Error;
use crate::error::Result;
use crate::outcome::{Evaluation, ValueRange};
use crate::solve::method::Method;
#[cfg(feature = "engine")]
use crate::solve::resources::Resources;

#[cfg(feature = "engine")]
pub use crate::archive::stored_run::OutcomeMap;
pub use answer::{Answer, Reply};
#[cfg(feature = "engine")]
pub use automata::{Automaton, Holds, ListedAutomaton, OutcomeTarget};
pub use coverage::{Coverage, DepthSource};
#[cfg(feature = "engine")]
pub use filter::SampleFilter;
#[cfg(feature = "engine")]
pub use library::{Library, Opener, open_own};
#[cfg(feature = "engine")]
pub use of_depth::admissible;
#[cfg(feature = "engine")]
pub use own::{PackedRun, SolvedRun};
#[cfg(feature = "engine")]
pub use reached::{ReachedPart, ReachedPlies, ReachedPly, ReachedSets, for_each_reached};
#[cfg(feature = "engine")]
pub use sets::PositionSet;
pub use solution::Solution;

/// The time that searches for depths may take in the answer to one query, unless the caller chooses another one.
pub const SEARCH_TIME: Duration = Duration::from_secs(10);

/// A solution of a game, in whatever form it is stored. Several threads can query it at the same time.
///
/// A form says how one position is looked up. Queries about moves, lines and samples are derived from that.
pub trait Stored: Any + Send + Sync {
    /// Returns a shared handle to the game, in the letter order of the solution.
    fn shared_game(&self) -> &Arc<dyn Game>;

    /// Returns the game, in the letter order of the solution.
    fn game(&self) -> &dyn Game {
        self.shared_game().as_ref()
    }

    /// Describes the form in words, such as `a run` or `packed sectors`.
    fn form(&self) -> String;

    /// Returns the evaluation of a position, without its moves.
    ///
    /// # Errors
    /// Returns an error if the run is unfinished or if a file is damaged.
    fn look_up(&self, position: &Position) -> Result<Evaluation>;

    /// Returns the range of the value of a position without a proved value, as an earlier search has stored it.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::look_up`].
    fn stored_range(&self, _position: &Position) -> Result<ValueRange> {
        Ok(ValueRange::UNKNOWN)
    }

    /// Determines the depth of a position by search, if its value is proved and a bound of its depth is `known`. A depth
    /// that is not found before the deadline is still bounded. The default implementation searches nothing.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::look_up`].
    fn search_depth(
        &self,
        _position: &Position,
        known: Evaluation,
        _deadline: Deadline,
    ) -> Result<Evaluation> {
        Ok(known)
    }

    /// Determines in the same way whether the depth of a position is at most `plies`. Returns `None` if the time does not
    /// suffice.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::look_up`].
    fn is_within(
        &self,
        _position: &Position,
        known: Evaluation,
        plies: u32,
        _deadline: Deadline,
    ) -> Result<Option<bool>> {
        Ok(known.depth().map(|depth| depth <= plies))
    }

    /// Returns the time at which the searches for the answer to a query that begins now have to end. The default
    /// implementation suits forms that search nothing.
    fn search_deadline(&self) -> Deadline {
        Deadline::NEVER
    }

    /// Limits the time that searches for depths may take in the answer to one query. A run by meet in the middle contains
    /// values but no depths.
    fn limit_search(&mut self, _time: Duration) {}

    /// Returns `true` if every position that the solution covers has a proved value.
    fn is_complete(&self) -> bool {
        true
    }

    /// Returns the method by which positions were decided, or `None` if the solution does not record it.
    fn method(&self) -> Option<Method> {
        None
    }

    /// Returns which positions the solution covers.
    fn coverage(&self) -> Coverage {
        Coverage::AllBoards
    }

    /// Returns where the depths of wins and losses come from.
    fn depth_source(&self) -> DepthSource {
        DepthSource::Stored
    }

    /// Returns the last ply up to which the depths of all positions are stored, in a solution that otherwise determines
    /// depths by search.
    fn depths_stored_to(&self) -> Option<u32> {
        None
    }

    /// Returns `true` if the solution contains the depths of wins and losses, or bounds of them.
    fn has_depths(&self) -> bool {
        matches!(self.depth_source(), DepthSource::Stored | DepthSource::Partial | DepthSource::Bounds)
    }

    /// Returns `true` if the solution ranks draws.
    fn ranks_draws(&self) -> bool {
        false
    }

    /// Returns the value of the sector that contains a position, if draws are ranked. Ranks are relative to it.
    fn sector_value(&self, _position: &Position) -> Option<i32> {
        None
    }

    /// Returns the names of the sectors that the solution contains. The list is empty for solutions without sectors.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the directory cannot be read.
    fn sectors(&self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Returns the sector that is needed to evaluate the position but is missing. Returns `None` for a position that
    /// is covered, and for solutions without sectors.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::look_up`].
    fn missing_sector(&self, _position: &Position) -> Result<Option<String>> {
        Ok(None)
    }

    /// Draws `n` positions that the solution covers, at random and independently. The same seed returns the same
    /// positions.
    ///
    /// - From a retrograde run: all words with either side to move, uniformly. From any other run: the reachable
    ///   positions, once for each ply.
    /// - From the sectors of a morris game: all boards of the available sectors, uniformly.
    /// - From a table of reached positions by key: its positions, uniformly.
    /// - From another table, or a folder of values or scores: words that are covered, uniformly. If few words are covered, positions of
    ///   random games.
    ///
    /// The result may contain fewer positions if hardly any position is covered.
    ///
    /// # Errors
    /// Returns an error if a file is damaged or if a number does not fit into 128 bits.
    #[cfg(feature = "engine")]
    fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        let is_covered = |position: &Position| Ok(self.look_up(position)?.is_covered());
        sample::of_words(self.game(), &is_covered, n, &mut ChaCha12Rng::seed_from_u64(seed))
    }

    /// Draws positions in the same way from one sector. Returns `None` if the solution has no sector of that name.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::sample`].
    #[cfg(feature = "engine")]
    fn sample_in(&self, _sector: &str, _n: usize, _seed: u64) -> Result<Option<Vec<Position>>> {
        Ok(None)
    }

    /// Returns at most `most` of the positions that the solution lists, beginning with the one at place `from` in its list, or `None`
    /// unless the solution is a table of reached positions by key. After the last position, the result is empty.
    ///
    /// Cost: one read.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::Corrupt`] if the file is damaged.
    #[cfg(feature = "engine")]
    fn listed(&self, _from: u64, _most: usize) -> Result<Option<Vec<Position>>> {
        Ok(None)
    }

    /// Returns the run whose sets make up the solution.
    ///
    /// # Errors
    /// Returns [`Error::NoSets`] for a solution of another form.
    #[cfg(feature = "engine")]
    fn run(&self) -> Result<&StoredRun> {
        Err(Error::NoSets { game: self.game().spec() })
    }

    /// Returns what [`Stored::look_up`] returns for every position with `side` to move, as automata over words, or `None` if the
    /// solution is not stored as sets of words. Bounds of depths are left out.
    ///
    /// Cost: reads the sets, and combines those of all plies.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::look_up`], or an error if memory is exhausted.
    #[cfg(feature = "engine")]
    fn outcome_map(&self, _side: Side, _resources: &Resources) -> Result<Option<OutcomeMap<'_>>> {
        Ok(None)
    }

    /// Describes the automata of which the solution consists. The list is empty for a solution without automata, such as a
    /// table.
    ///
    /// # Errors
    /// Returns an error if what describes them is damaged or cannot be read.
    #[cfg(feature = "engine")]
    fn automata(&self) -> Result<Vec<ListedAutomaton>> {
        Ok(Vec::new())
    }

    /// Reads one of the automata of the solution, or returns `None` if none has this name.
    ///
    /// # Errors
    /// Returns an error if its file is damaged, or for a set that is stored as the mirror image of another one.
    #[cfg(feature = "engine")]
    fn automaton(&self, _name: &str) -> Result<Option<Automaton<'_>>> {
        Ok(None)
    }

    /// Returns the word by which the automata of the solution know a position.
    #[cfg(feature = "engine")]
    fn automaton_word(&self, position: &Position) -> Vec<Letter> {
        self.game().word_of(&position.board)
    }

    /// Returns a warning about a problem that does not prevent the solution from answering queries.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Returns the last ply of an unfinished run that [`Stored::stop_at_last_ply`] has made into a solution.
    fn ply_so_far(&self) -> Option<u32> {
        None
    }

    /// Makes a solution out of an unfinished run: positions that are decided within its plies have their values, and
    /// all others are unknown. Any other solution stays as it is.
    ///
    /// # Errors
    /// Returns [`Error::NoValuesYet`] for an unfinished run forward from the start, and [`Error::NoRetrogradePly`] for
    /// one that has not completed a ply.
    fn stop_at_last_ply(&mut self) -> Result<()> {
        Ok(())
    }

    /// Limits the memory for tables of sectors and ranks to `memory` bytes; the least recently used ones are dropped
    /// first. Sets of a run that are large in comparison with `memory` stay in files, see `StoredRun::with_memory`.
    fn limit_memory(&mut self, _memory: u64) {}
}

impl dyn Stored {
    /// Describes the method, the covered positions and the source of depths in words.
    pub fn coverage_text(&self) -> String {
        let method = self.method().map_or_else(String::new, |method| format!("method {method}; "));
        let stored = match self.depths_stored_to() {
            Some(ply) => format!("exact to ply {ply}, from there on "),
            None => String::new(),
        };
        format!("{method}covers {}; depths: {stored}{}", self.coverage(), self.depth_source())
    }

    /// Returns the solution in its own form, if that is `T`.
    pub fn downcast_ref<T: Stored>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}
