//! What is merged: fragments, then the first layers of the plan.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::unique::FIRST;

use super::fragment_file::FragmentFile;
use super::plan::Plan;

/// Layers of an automaton, of which rows are read a layer at a time from the last one back.
pub(super) enum Part<'a> {
    /// The layers from the cut on, for the keys of one unit.
    Fragment(Box<FragmentFile>),
    /// The layers before the cut.
    Top(&'a Plan),
}

impl<'a> Part<'a> {
    /// Number of rows of a layer.
    pub(super) fn num_rows(&self, layer: usize) -> usize {
        match self {
            Self::Fragment(fragment) => fragment.num_states_in(layer),
            Self::Top(plan) => plan.top[layer].len() / plan.shape.num_letters(layer),
        }
    }

    /// The rows of a layer, which is the one before the layer that was read last.
    pub(super) fn rows(&mut self, layer: usize) -> Result<Cow<'a, [u32]>> {
        Ok(match self {
            Self::Fragment(fragment) => fragment.rows()?.into(),
            Self::Top(plan) => plan.top[layer].as_slice().into(),
        })
    }

    /// The error of a target that no state has.
    pub(super) fn no_such_state(&self) -> Error {
        let path = match self {
            Self::Fragment(fragment) => fragment.path().into(),
            Self::Top(_) => "plan in memory".into(),
        };
        Error::Corrupt { path, reason: "a transition leads to no state".into() }
    }
}

/// What a target becomes, where the states of its layer become `states`; `None` where no state has this number.
#[inline]
pub(super) fn became(states: &[u32], target: u32) -> Option<u32> {
    match target.checked_sub(FIRST) {
        None => Some(target),
        Some(state) => states.get(state as usize).copied(),
    }
}
