//! The handles that a [`Store`] returns: sets and compiled moves.

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

/// A set of words in a [`Store`]. It is cheap to clone, and it protects its states from collection.
///
/// Two sets of the same store can be compared in constant time. Sets of different stores are never equal.
#[derive(Clone, Debug)]
pub struct Set {
    pub(super) root: Arc<Root>,
}

impl Set {
    pub(crate) fn state(&self) -> u32 {
        self.root.state.load(Ordering::Relaxed)
    }

    /// Returns `true` if the set is `∅`. Takes constant time.
    pub fn is_empty(&self) -> bool {
        self.state() == REJECT
    }

    /// Returns `true` if the set contains every word of the shape. Takes constant time.
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

/// The moves of one side, compiled by [`Store::relation`]. They can only be used with the store that compiled them.
#[derive(Clone, Debug)]
pub struct Moves {
    pub(crate) forward: Vec<u16>,
    pub(crate) backward: Vec<u16>,
    pub(super) num_states: usize,
    pub(super) store: Weak<()>,
}

impl Moves {
    /// Returns the number of relations into which the moves were compiled.
    pub fn num_clusters(&self) -> usize {
        self.forward.len()
    }

    /// Returns the total number of states of all relations.
    pub fn num_states(&self) -> usize {
        self.num_states
    }
}
