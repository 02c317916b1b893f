//! Recursive operations of the engine, in a store that caches results.

use std::collections::VecDeque;

use nerode_dfa::{Dfa, Direction, Moves, Set, Store};

use super::operand::Operand;
use crate::error::Result;

/// The number of recent sets that stay in the store between operations.
const RECENT: usize = 24;

/// The recursions: a store with the moves of the game and the sets of recent operations.
pub(super) struct Recursions {
    pub(super) store: Store,
    moves: [Moves; 2],
    recent: VecDeque<(Dfa, Set)>,
}

impl Recursions {
    /// Creates recursions in the store that contains the moves of both sides.
    pub(super) fn new(store: Store, moves: [Moves; 2]) -> Self {
        Self { store, moves, recent: VecDeque::with_capacity(RECENT) }
    }

    /// Returns `{ y : f([y ∈ operand, y ∈ set for each of sides]) }`, where moves may lead anywhere.
    pub(super) fn image(
        &mut self,
        operand: Operand<'_>,
        sides: &[&Dfa],
        f: &dyn Fn(&[bool]) -> bool,
    ) -> Result<Dfa> {
        let mut set = self.set(operand.set)?;
        if operand.complement {
            set = self.store.complement(&set)?;
        }
        let moves = &self.moves[operand.side.index()].clone();
        let image = match operand.direction {
            Direction::Forward => self.store.image(&set, moves)?,
            Direction::Backward => self.store.preimage(&set, moves)?,
        };
        let mut all = vec![image];
        for side in sides {
            all.push(self.set(side)?);
        }
        let result = self.store.combine(&all, f)?;
        Ok(self.dfa(&result))
    }

    /// Returns `{ y : f([y ∈ set for each of sets]) }`.
    pub(super) fn combine(&mut self, sets: &[&Dfa], f: &dyn Fn(&[bool]) -> bool) -> Result<Dfa> {
        let sets = sets.iter().map(|set| self.set(set)).collect::<Result<Vec<_>>>()?;
        let result = self.store.combine(&sets, f)?;
        Ok(self.dfa(&result))
    }

    /// Returns `dfa` as a set of the store.
    fn set(&mut self, dfa: &Dfa) -> Result<Set> {
        if let Some((_, set)) = self.recent.iter().find(|(known, _)| known.is_same(dfa)) {
            return Ok(set.clone());
        }
        let set = self.store.import(dfa)?;
        self.remember(dfa.clone(), set.clone());
        Ok(set)
    }

    /// Returns `set` as a finished automaton.
    fn dfa(&mut self, set: &Set) -> Dfa {
        if let Some((dfa, _)) = self.recent.iter().find(|(_, known)| known == set) {
            return dfa.clone();
        }
        let dfa = self.store.freeze(set);
        self.remember(dfa.clone(), set.clone());
        dfa
    }

    fn remember(&mut self, dfa: Dfa, set: Set) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((dfa, set));
    }
}
