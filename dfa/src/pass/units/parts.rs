//! The inputs of a merge: fragments, and then the first layers of the plan.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::unique::FIRST;

use super::fragment_file::FragmentFile;
use super::plan::Plan;

/// The layers of an automaton, whose rows are read one layer at a time from the last layer backwards.
pub(super) enum Part<'a> {
    /// The layers from the cut on, for the keys of one unit.
    Fragment(Box<FragmentFile>),
    /// The layers before the cut.
    Top(&'a Plan),
}

impl<'a> Part<'a> {
    /// Returns the number of rows in a layer.
    pub(super) fn num_rows(&self, layer: usize) -> usize {
        match self {
            Self::Fragment(fragment) => fragment.num_states_in(layer),
            Self::Top(plan) => plan.top[layer].len() / plan.shape.num_letters(layer),
        }
    }

    /// Returns the rows of a layer, which must be the one before the layer that was read last.
    pub(super) fn rows(&mut self, layer: usize) -> Result<Cow<'a, [u32]>> {
        Ok(match self {
            Self::Fragment(fragment) => fragment.rows()?.into(),
            Self::Top(plan) => plan.top[layer].as_slice().into(),
        })
    }

    /// Creates the error for a target that does not exist.
    pub(super) fn no_such_state(&self) -> Error {
        let path = match self {
            Self::Fragment(fragment) => fragment.path().into(),
            Self::Top(_) => "plan in memory".into(),
        };
        Error::Corrupt { path, reason: "a transition leads to a state that does not exist".into() }
    }
}

/// Returns the new number of a target, where the states of its layer have the new numbers `states`. Returns `None` if
/// the state does not exist.
#[inline]
pub(super) fn became(states: &[u32], target: u32) -> Option<u32> {
    match target.checked_sub(FIRST) {
        None => Some(target),
        Some(state) => states.get(state as usize).copied(),
    }
}
