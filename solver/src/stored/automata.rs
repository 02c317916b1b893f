//! The automata of which a solution consists: sets of positions, and maps from positions to values.

use nerode_dfa::packed::{PackedMap, PackedReader};
use nerode_dfa::{CodeTarget, Dfa, Letter, Target, ValueMap};
use nerode_games::{Game, Side, Value};

use super::{DepthSource, Stored};
use crate::archive::run_dir::Kind;
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome, code2, code16};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// What an automaton of a solution says about words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Accepts the positions of a set of this kind.
    Set(Kind),
    /// Accepts the positions that have this value and end in exactly `ply` plies.
    Exactly(Value),
    /// Accepts the positions that are reached after exactly `ply` plies.
    Reached,
    /// Returns the value of a position.
    Values,
}

/// An automaton of a solution, as described without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAutomaton {
    /// Its name, which is unique in the solution.
    pub name: String,
    /// What it says about words.
    pub holds: Holds,
    /// The side to move.
    pub side: Side,
    /// The ply of the set, or the last ply of the solution for an automaton of all plies.
    pub ply: u32,
    /// The sector to which its words belong, if the solution consists of sectors.
    pub sector: Option<String>,
    /// The number of states, not counting constants.
    pub num_states: u64,
    /// Whether its answers mean something only for the words of a care set, such as those that play reaches at its ply.
    pub is_partial: bool,
    /// The number of accepted positions, if it is stored.
    pub num_positions: Option<u128>,
}

/// The target of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A state of the next layer, by its number within the layer.
    State(u32),
    /// No continuation is accepted.
    Reject,
    /// Every continuation is accepted.
    Accept,
    /// Every continuation has this outcome.
    Outcome(Outcome),
}

/// An automaton of a solution.
pub enum Automaton<'a> {
    /// A set of words.
    Set(Dfa),
    /// The values of all words, and whether they include depths.
    Values(&'a ValueMap, bool),
    /// A set of words in a packed file, which means something only for words of its care set.
    PackedSet(&'a PackedMap, &'a PackedReader),
    /// Values of words in a packed file, which mean something only for words of its care set.
    PackedValues(&'a PackedMap, &'a PackedReader),
}

impl From<Target> for Goal {
    fn from(target: Target) -> Self {
        match target {
            Target::Reject => Self::Reject,
            Target::Accept => Self::Accept,
            Target::State(state) => Self::State(state),
        }
    }
}

impl Automaton<'_> {
    /// Returns the number of states of a layer.
    pub fn num_states_in(&self, layer: usize) -> u64 {
        match self {
            Self::Set(set) => set.num_states_in(layer) as u64,
            Self::Values(map, _) => map.num_states_in(layer) as u64,
            Self::PackedSet(map, _) | Self::PackedValues(map, _) => map.num_states_in(layer),
        }
    }

    /// Returns the initial target.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the automaton has a code that means nothing.
    pub fn root(&self) -> Result<Goal> {
        match self {
            Self::Set(set) => Ok(set.root().into()),
            Self::Values(map, _) => self.goal(map.root()),
            Self::PackedSet(map, _) | Self::PackedValues(map, _) => self.goal(map.root()),
        }
    }

    /// Returns the target of a letter from a state.
    ///
    /// # Errors
    /// Returns an error if a packed file cannot be read or is damaged.
    ///
    /// # Panics
    /// Panics if there is no such state or letter.
    pub fn target(&self, layer: usize, state: u32, letter: Letter) -> Result<Goal> {
        match self {
            Self::Set(set) => Ok(set.target(layer, state, letter).into()),
            Self::Values(map, _) => self.goal(map.target(layer, state, letter)),
            Self::PackedSet(map, reader) | Self::PackedValues(map, reader) => {
                self.goal(map.target(reader, layer, state, letter)?)
            }
        }
    }

    fn goal(&self, target: CodeTarget) -> Result<Goal> {
        let code = match target {
            CodeTarget::State(state) => return Ok(Goal::State(state)),
            CodeTarget::Code(code) => code,
        };
        Ok(match self {
            Self::Set(_) | Self::PackedSet(..) => {
                if code == 0 {
                    Goal::Reject
                } else {
                    Goal::Accept
                }
            }
            Self::Values(_, true) => Goal::Outcome(code16::outcome(code)),
            Self::Values(_, false) => Goal::Outcome(code16::outcome(code).with_depth(Depth::Unknown)),
            Self::PackedValues(_, reader) => {
                let known = u8::try_from(code).ok().and_then(code2::outcome);
                let no_code = || Error::corrupt(reader.path(), format!("{code} is not the code of a value"));
                Goal::Outcome(known.ok_or_else(no_code)?)
            }
        })
    }
}

/// Returns the admissible positions with `side` to move, or all words if the game has no rule for them.
///
/// # Errors
/// Returns an error if memory is exhausted or the computation is interrupted.
pub fn admissible(game: &dyn Game, side: Side, resources: &Resources) -> Result<Dfa> {
    let mut store = resources.store(game.shape())?;
    let set = game.admissible(&mut store, side)?;
    Ok(set.map_or_else(|| Dfa::full(game.shape()), |set| store.freeze(&set)))
}

impl dyn Stored {
    /// Returns the admissible positions with `side` to move that have this value and, if a depth is given, end in exactly `depth`
    /// plies.
    /// Returns `None` if the solution is not stored as sets of words, or without the depths that this takes.
    ///
    /// Cost: for a depth of a retrograde run, reads two sets; otherwise, that of [`Stored::outcome_map`].
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::outcome_map`].
    pub fn positions_of(
        &self,
        side: Side,
        value: Value,
        depth: Option<u32>,
        resources: &Resources,
    ) -> Result<Option<Dfa>> {
        let found = self.words_of(side, value, depth, resources)?;
        let admissible = |found: Dfa| Ok(found.and(&admissible(self.game(), side, resources)?)?);
        found.map(admissible).transpose()
    }

    fn words_of(
        &self,
        side: Side,
        value: Value,
        depth: Option<u32>,
        resources: &Resources,
    ) -> Result<Option<Dfa>> {
        if let (Ok(run), Some(depth)) = (self.run(), depth)
            && run.method() == Method::Retrograde
        {
            let kind = match value {
                Value::Win => Kind::W,
                Value::Loss => Kind::L,
                Value::Draw => return Ok(Some(Dfa::empty(run.game.shape()))),
            };
            if depth > run.last_ply() {
                return Ok(Some(Dfa::empty(run.game.shape())));
            }
            // The first set that is kept also contains what was decided at earlier plies.
            if run.first_kept(kind, side)? >= depth.max(1) {
                return Ok(None);
            }
            // Mirror images of sets are contained in the outcomes below.
            if !run.entry(kind, side, depth)?.is_mirror() {
                let within = run.read(kind, side, depth)?;
                let before = match depth.checked_sub(1) {
                    Some(before) => run.read(kind, side, before)?,
                    None => Dfa::empty(run.game.shape()),
                };
                return Ok(Some(within.minus(&before)?));
            }
        } else if depth.is_some() && self.depth_source() != DepthSource::Stored {
            return Ok(None);
        }
        let Some(outcomes) = self.outcome_map(side, resources)? else { return Ok(None) };
        let map = outcomes.in_order_of(self.game(), resources)?;
        let is_wanted = |code| {
            outcomes.outcome(code).is_some_and(|outcome| {
                outcome.value() == Some(value) && depth.is_none_or(|depth| outcome.depth() == Some(depth))
            })
        };
        Ok(Some(map.select(is_wanted)?))
    }
}
