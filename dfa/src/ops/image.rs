//! Images of sets under relations: one recursion covers all moves of a side and caches its results by (state, state of
//! the relation).

use std::sync::atomic::Ordering;

use smallvec::SmallVec;

use crate::cache::Key;
use crate::error::Result;
use crate::moves::{MoveGraph, Step as MoveStep};
use crate::ops::binary::Union;
use crate::ops::{Attempt, Local, Pending, PendingBuf, Recursion, RowBuf};
use crate::relation::{IDENTITY, RelationLayer};
use crate::shape::Letter;
use crate::store::{FIRST_RELATION_OP, Moves, Set, Store};
use crate::unique::REJECT;

/// A part of the union to which a letter of the result leads.
#[derive(Clone, Copy)]
enum Part {
    Known(u32),
    Waiting(u16),
}

impl Recursion<'_> {
    /// Computes `{ y : x ∈ L(q), (x, y) ∈ m }` for a state `q` and a relation state `m` of `layer`.
    #[inline]
    pub(crate) fn image(&self, op: u16, layer: usize, q: u32, m: u32, local: &mut Local) -> Attempt<u32> {
        if q == REJECT || m == IDENTITY {
            return Ok(q);
        }
        if m == crate::relation::NOTHING {
            return Ok(REJECT);
        }
        match self.probe(Key { op, layer: layer as u16, a: q, b: m }, local) {
            Some(known) => Ok(known),
            None => self.image_missed(op, layer, q, m, local),
        }
    }

    fn image_missed(&self, op: u16, layer: usize, q: u32, m: u32, local: &mut Local) -> Attempt<u32> {
        let relation: &RelationLayer = &self.relations[usize::from(op - FIRST_RELATION_OP)].layers[layer];
        let letters = self.shape.num_letters(layer);
        let mut parts: SmallVec<[Part; 16]> = SmallVec::new();
        // The index type must be wide: 256 letters that can all be rewritten to one another yield 65536 parts.
        let mut ends: SmallVec<[u32; 8]> = SmallVec::new();
        let mut pending = PendingBuf::new();
        for after in 0..letters {
            for &(before, target) in relation.group(m, after) {
                let next = self.tables[layer].row(q)[usize::from(before)].load(Ordering::Relaxed);
                if next == REJECT {
                    continue;
                }
                if target == IDENTITY {
                    parts.push(Part::Known(next));
                    continue;
                }
                if let Some(same) = pending.iter().position(|p| p.a == next && p.b == target) {
                    parts.push(Part::Waiting(same as u16));
                    continue;
                }
                match self.probe(Key { op, layer: layer as u16 + 1, a: next, b: target }, local) {
                    Some(known) => parts.push(Part::Known(known)),
                    None => {
                        parts.push(Part::Waiting(pending.len() as u16));
                        pending.push(Pending { a: next, b: target, result: REJECT });
                    }
                }
            }
            ends.push(parts.len() as u32);
        }
        self.finish(layer, &mut pending, local, &|x, y, local: &mut Local| {
            self.image_missed(op, layer + 1, x, y, local)
        })?;
        let mut row = RowBuf::new();
        let mut start = 0;
        for end in ends {
            let group = &parts[start..end as usize];
            start = end as usize;
            let operands = group.iter().map(|part| match *part {
                Part::Known(state) => state,
                Part::Waiting(index) => pending[usize::from(index)].result,
            });
            row.push(self.union_of(layer + 1, operands.collect(), local)?);
        }
        let result = self.state(layer, &row, local)?;
        self.cache.put(Key { op, layer: layer as u16, a: q, b: m }, result);
        Ok(result)
    }

    /// Computes the union of several states of `layer`.
    #[inline]
    fn union_of(&self, layer: usize, mut operands: SmallVec<[u32; 8]>, local: &mut Local) -> Attempt<u32> {
        if operands.len() > 2 {
            operands.sort_unstable();
            operands.dedup();
        }
        let mut result = REJECT;
        for state in operands {
            result = self.binary::<Union>(layer, result, state, local)?;
        }
        Ok(result)
    }
}

impl Store {
    /// Computes the image `{ y : x → y for some x ∈ set }` under all moves at once (paper 004, section 4.2, "forward").
    ///
    /// Cost: one recursion per cluster of moves, memoised on pairs (state, relation state).
    ///
    /// # Errors
    /// Returns [`crate::Error::OutOfMemory`], [`crate::Error::TooManyStates`] or [`crate::Error::Interrupted`].
    ///
    /// # Panics
    /// Panics if the set or the moves belong to another store.
    pub fn image(&mut self, set: &Set, moves: &Moves) -> Result<Set> {
        self.own_moves(moves);
        self.image_under(set, &moves.forward)
    }

    /// Computes the preimage `{ x : x → y for some y ∈ set }` under all moves at once (paper 004, section 2,
    /// "reverse").
    ///
    /// Cost, errors and panics are those of [`Store::image`].
    ///
    /// # Errors
    /// Returns the same errors as [`Store::image`].
    pub fn preimage(&mut self, set: &Set, moves: &Moves) -> Result<Set> {
        self.own_moves(moves);
        self.image_under(set, &moves.backward)
    }

    fn image_under(&mut self, set: &Set, ops: &[u16]) -> Result<Set> {
        self.own(set);
        let mut images = Vec::with_capacity(ops.len());
        for &op in ops {
            let root = self.relation_root(op);
            images.push(self.run(|engine, local| engine.image(op, 0, set.state(), root, local))?);
        }
        match images.as_slice() {
            [one] => Ok(one.clone()),
            many => self.union_all(many),
        }
    }

    /// Selects the words of `set` that have the letter `before` in each named layer, and rewrites these letters to
    /// `after` (paper 004, section 4.3, "change").
    ///
    /// Cost: one state per state of `set`.
    ///
    /// # Errors
    /// Returns [`crate::Error::Move`] if a change does not fit the shape, and otherwise the same errors as
    /// [`Store::image`].
    pub fn change(&mut self, set: &Set, changes: &[(usize, Letter, Letter)]) -> Result<Set> {
        let moves = match self.changes.get(changes) {
            Some(known) => known.clone(),
            None => {
                let step =
                    changes.iter().fold(MoveStep::identity(), |s, &(layer, a, b)| s.change(layer, a, b));
                let mut graph = MoveGraph::new(self.shape().clone());
                graph.add(step)?;
                let moves = self.relation(&graph)?;
                self.changes.insert(changes.into(), moves.clone());
                moves
            }
        };
        self.image(set, &moves)
    }
}
