//! The automata of which a solution consists: sets of positions, and maps from positions to values.

use nerode_dfa::packed::{PackedMap, PackedReader};
use nerode_dfa::{CodeTarget, Dfa, Letter, Target, ValueMap};
use nerode_games::{Side, Value};

use crate::archive::run_dir::Kind;
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome, code2, code16};

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
pub enum OutcomeTarget {
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

impl From<Target> for OutcomeTarget {
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
    pub fn root(&self) -> Result<OutcomeTarget> {
        match self {
            Self::Set(set) => Ok(set.root().into()),
            Self::Values(map, _) => self.decode(map.root()),
            Self::PackedSet(map, _) | Self::PackedValues(map, _) => self.decode(map.root()),
        }
    }

    /// Returns the target of a letter from a state.
    ///
    /// # Errors
    /// Returns an error if a packed file cannot be read or is damaged.
    ///
    /// # Panics
    /// Panics if `layer`, `state` or `letter` is out of bounds.
    pub fn target(&self, layer: usize, state: u32, letter: Letter) -> Result<OutcomeTarget> {
        match self {
            Self::Set(set) => Ok(set.target(layer, state, letter).into()),
            Self::Values(map, _) => self.decode(map.target(layer, state, letter)),
            Self::PackedSet(map, reader) | Self::PackedValues(map, reader) => {
                self.decode(map.target(reader, layer, state, letter)?)
            }
        }
    }

    fn decode(&self, target: CodeTarget) -> Result<OutcomeTarget> {
        let code = match target {
            CodeTarget::State(state) => return Ok(OutcomeTarget::State(state)),
            CodeTarget::Code(code) => code,
        };
        Ok(match self {
            Self::Set(_) | Self::PackedSet(..) => {
                if code == 0 {
                    OutcomeTarget::Reject
                } else {
                    OutcomeTarget::Accept
                }
            }
            Self::Values(_, true) => OutcomeTarget::Outcome(code16::outcome(code)),
            Self::Values(_, false) => {
                OutcomeTarget::Outcome(code16::outcome(code).with_depth(Depth::Unknown))
            }
            Self::PackedValues(_, reader) => {
                let known = u8::try_from(code).ok().and_then(code2::outcome);
                let no_code = || Error::corrupt(reader.path(), format!("{code} is not the code of a value"));
                OutcomeTarget::Outcome(known.ok_or_else(no_code)?)
            }
        })
    }
}
