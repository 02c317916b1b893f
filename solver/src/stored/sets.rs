//! The sets that make up a solution: their sizes, samples and automata.

use nerode_dfa::Dfa;
use nerode_games::{Position, Side, Value};

use super::{Holds, ListedAutomaton, Stored};
use crate::archive::run_dir::{Kind, SetEntry, SetName};
use crate::archive::stored_run::StoredRun;
use crate::archive::table::TableSolution;
use crate::error::Result;
use crate::outcome::code16;
use crate::solve::method::Method;

/// A set of positions with one side to move.
#[derive(Clone, Copy)]
pub struct PositionSet<'a> {
    run: &'a StoredRun,
    name: SetName,
    entry: &'a SetEntry,
}

impl std::fmt::Debug for PositionSet<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PositionSet").field(&self.name()).finish()
    }
}

impl PositionSet<'_> {
    /// Returns the name, such as `W-P1-003`, which consists of kind, side to move and ply.
    pub fn name(&self) -> String {
        self.name.to_string()
    }

    /// Returns the kind of positions in the set.
    pub fn kind(&self) -> Kind {
        self.name.kind
    }

    /// Returns the side to move.
    pub fn side(&self) -> Side {
        self.name.side
    }

    /// Returns the ply. `W_i` and `L_i` contain the positions that are decided within i plies.
    pub fn ply(&self) -> u32 {
        self.name.ply
    }

    /// Returns the number of states of the minimal automaton.
    pub fn num_states(&self) -> u64 {
        self.entry.num_states()
    }

    /// Returns the number of positions.
    pub fn num_positions(&self) -> u128 {
        self.entry.num_positions()
    }

    /// Describes the set as an automaton of the solution.
    pub(super) fn listed(&self) -> ListedAutomaton {
        ListedAutomaton {
            name: self.name(),
            holds: Holds::Set(self.kind()),
            side: self.side(),
            ply: self.ply(),
            sector: None,
            is_partial: false,
            num_states: self.num_states(),
            num_positions: Some(self.num_positions()),
        }
    }

    /// Returns the automaton over words with one letter per cell in the game's letter order.
    ///
    /// Cost: reads a file on the first call.
    ///
    /// # Errors
    /// Returns an error for a set that is stored as the mirror image of another one, which
    /// [`Chains::One`](crate::solve::method::Chains::One) does, and for damaged files.
    pub fn dfa(&self) -> Result<&Dfa> {
        self.run.set(self.name.kind, self.name.side, self.name.ply)
    }

    /// Reads the automaton like [`PositionSet::dfa`], but on every call and without caching it in the solution, which
    /// suits callers that visit many sets.
    ///
    /// # Errors
    /// Returns the same errors as [`PositionSet::dfa`].
    pub fn read_dfa(&self) -> Result<Dfa> {
        self.run.read(self.name.kind, self.name.side, self.name.ply)
    }

    /// Draws `n` positions of the set, uniformly and independently. The same seed returns the same positions, and an
    /// empty set returns none.
    ///
    /// # Errors
    /// Returns the same errors as [`PositionSet::dfa`], and an error if the number of positions does not fit into 128
    /// bits.
    pub fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        let words = self.dfa()?.ranking()?.sample(seed, n);
        let position =
            |word: Vec<u8>| Position { board: self.run.game.board_of(&word), side: self.name.side };
        Ok(words.into_iter().map(position).collect())
    }
}

/// Returns the sets of a run, ordered by name.
pub(super) fn of_run(run: &StoredRun) -> impl Iterator<Item = PositionSet<'_>> {
    run.run
        .sets()
        .filter_map(move |(name, entry)| Some(PositionSet { run, name: SetName::parse(name)?, entry }))
}

impl dyn Stored {
    /// Returns all sets of the solution, ordered by name. A folder of values, scores or sectors has none.
    pub fn sets(&self) -> Vec<PositionSet<'_>> {
        self.run().map_or_else(|_| Vec::new(), |run| of_run(run).collect())
    }

    /// Returns the number of positions with `side` to move that have the given value, or whose value is unknown. If
    /// the solution was computed forward from the start as sets, a position counts once for every ply at which it occurs.
    ///
    /// Cost: one pass over the file for a table of reached positions by key.
    ///
    /// # Errors
    /// Returns [`Error::NoSets`](crate::error::Error::NoSets) for a folder of values, scores or sectors, and an error if the
    /// run is unfinished, a file is damaged, or a number does not fit into 128 bits.
    pub fn count(&self, side: Side, value: Option<Value>) -> Result<u128> {
        if let Some(table) = self.downcast_ref().and_then(TableSolution::keyed) {
            let mut count = 0;
            table.each(&mut |(position, code)| {
                let is_counted = position.side == side && code16::outcome(code).value() == value;
                count += u128::from(is_counted);
                Ok(())
            })?;
            return Ok(count);
        }
        let run = self.run()?;
        run.must_be_finished()?;
        let of = |kind, ply| Ok(run.entry(kind, side, ply)?.num_positions());
        if run.method() == Method::Retrograde {
            let last = run.last_ply();
            return match value {
                Some(Value::Win) => of(Kind::W, last),
                Some(Value::Loss) => of(Kind::L, last),
                // The remaining positions are draws once nothing more can be decided; before that, only those stored
                // as draws are.
                Some(Value::Draw) if run.is_complete() => {
                    let all = run.game.shape().num_words().ok_or(nerode_dfa::Error::CountOverflow)?;
                    Ok(all.saturating_sub(of(Kind::W, last)?).saturating_sub(of(Kind::L, last)?))
                }
                Some(Value::Draw) => Ok(of(Kind::D, last).unwrap_or(0)),
                None => run.num_unknown(side),
            };
        }
        let kind = match value {
            Some(Value::Win) => Kind::RW,
            Some(Value::Draw) => Kind::RD,
            Some(Value::Loss) => Kind::RL,
            None => Kind::RU,
        };
        run.forward_plies(side).map(|ply| of(kind, ply)).try_fold(0u128, |sum, n| {
            sum.checked_add(n?).ok_or_else(|| nerode_dfa::Error::CountOverflow.into())
        })
    }
}
