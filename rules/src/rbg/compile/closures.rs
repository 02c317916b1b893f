//! Closures under shifts: the next tests and changes that a path can reach from a state on a square by shifts alone.

use std::collections::{HashMap, HashSet};

use super::super::board::Board;
use super::nfa::{EdgeId, Label, Nfa, StateId};

/// The number of a closure.
pub(super) type ClosureId = u32;

/// A test or change, and the square on which it happens.
pub(super) type Deed = (EdgeId, u16);

/// The distinct closures. Two places with the same next deeds have the same closure.
#[derive(Debug, Default)]
pub(super) struct Closures {
    lists: Vec<Vec<Deed>>,
    index: HashMap<Vec<Deed>, ClosureId>,
    known: HashMap<(StateId, u16, bool), ClosureId>,
}

impl Closures {
    /// Returns the deeds of a closure.
    pub(super) fn deeds(&self, closure: ClosureId) -> &[Deed] {
        &self.lists[closure as usize]
    }

    /// Returns the closure of a state on a square. If the order of deeds matters, they are in the order of the rules.
    pub(super) fn of(
        &mut self,
        nfa: &Nfa,
        board: &Board,
        state: StateId,
        square: u16,
        ordered: bool,
    ) -> ClosureId {
        if let Some(&known) = self.known.get(&(state, square, ordered)) {
            return known;
        }
        let mut deeds = deeds_from(nfa, board, state, square);
        if !ordered {
            deeds.sort_unstable();
        }
        let new = self.lists.len() as ClosureId;
        let id = *self.index.entry(deeds.clone()).or_insert(new);
        if id == new {
            self.lists.push(deeds);
        }
        self.known.insert((state, square, ordered), id);
        id
    }
}

fn deeds_from(nfa: &Nfa, board: &Board, state: StateId, square: u16) -> Vec<Deed> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([(state, square)]);
    // The remaining edges. The last one is processed next.
    let mut left: Vec<Deed> = nfa.leaving(state).iter().rev().map(|&edge| (edge, square)).collect();
    while let Some((edge, square)) = left.pop() {
        let to = match nfa.edge(edge).label {
            Label::Nothing => Some(square),
            Label::Shift(direction) => board.squares[usize::from(square)].next[direction].map(|to| to as u16),
            _ => {
                found.push((edge, square));
                None
            }
        };
        let Some(square) = to else { continue };
        let state = nfa.edge(edge).to;
        if seen.insert((state, square)) {
            left.extend(nfa.leaving(state).iter().rev().map(|&edge| (edge, square)));
        }
    }
    found
}
