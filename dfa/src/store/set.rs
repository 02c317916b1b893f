//! What a [`Store`] hands out: sets and compiled moves.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Weak};

use crate::unique::{ACCEPT, REJECT};

#[cfg(doc)]
use super::Store;

#[derive(Debug)]
pub(super) struct Root {
    pub(super) state: AtomicU32,
    pub(super) store: Weak<()>,
}

/// A set of words living in a [`Store`]; cheap to clone; keeps its states from being collected.
///
/// Comparing two sets of one store takes constant time. Sets of different stores are never equal.
#[derive(Clone, Debug)]
pub struct Set {
    pub(super) root: Arc<Root>,
}

impl Set {
    pub(crate) fn state(&self) -> u32 {
        self.root.state.load(Ordering::Relaxed)
    }

    /// Whether the set is `∅`. Constant time.
    pub fn is_empty(&self) -> bool {
        self.state() == REJECT
    }

    /// Whether the set has every word of the shape. Constant time.
    pub fn is_full(&self) -> bool {
        self.state() == ACCEPT
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        self.root.store.ptr_eq(&other.root.store) && self.state() == other.state()
    }
}

impl Eq for Set {}

/// The moves of one side, compiled by [`Store::relation`]: usable with the store that compiled them.
#[derive(Clone, Debug)]
pub struct Moves {
    pub(crate) forward: Vec<u16>,
    pub(crate) backward: Vec<u16>,
    pub(super) num_states: usize,
    pub(super) store: Weak<()>,
}

impl Moves {
    /// Number of relations that the moves were compiled to.
    pub fn num_clusters(&self) -> usize {
        self.forward.len()
    }

    /// States of all relations together.
    pub fn num_states(&self) -> usize {
        self.num_states
    }
}
