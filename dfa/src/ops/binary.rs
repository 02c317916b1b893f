//! Union, intersection, difference, and operations derived from them.

use std::sync::atomic::Ordering;

use crate::automaton::Dfa;
use crate::cache::Key;
use crate::error::Result;
use crate::ops::{Attempt, Local, Pending, PendingBuf, Recursion, RowBuf};
use crate::store::{Set, Store};
use crate::unique::{ACCEPT, REJECT};

/// A Boolean operation on residuals, defined by its terminal cases.
pub(crate) trait Binary: Sync {
    /// The number of the operation in cache keys.
    const OP: u16;
    /// Whether the operands may be swapped.
    const COMMUTES: bool;
    /// Returns the result if it can be determined without reading a row.
    fn terminal(a: u32, b: u32) -> Option<u32>;
}

pub(crate) struct Union;
pub(crate) struct Intersection;
pub(crate) struct Difference;

impl Binary for Union {
    const OP: u16 = 1;
    const COMMUTES: bool = true;
    #[inline]
    fn terminal(a: u32, b: u32) -> Option<u32> {
        if a == b || b == REJECT || a == ACCEPT {
            Some(a)
        } else if a == REJECT || b == ACCEPT {
            Some(b)
        } else {
            None
        }
    }
}

impl Binary for Intersection {
    const OP: u16 = 2;
    const COMMUTES: bool = true;
    #[inline]
    fn terminal(a: u32, b: u32) -> Option<u32> {
        if a == b || a == REJECT || b == ACCEPT {
            Some(a)
        } else if b == REJECT || a == ACCEPT {
            Some(b)
        } else {
            None
        }
    }
}

impl Binary for Difference {
    const OP: u16 = 3;
    const COMMUTES: bool = false;
    #[inline]
    fn terminal(a: u32, b: u32) -> Option<u32> {
        if a == b || a == REJECT || b == ACCEPT {
            Some(REJECT)
        } else if b == REJECT {
            Some(a)
        } else {
            None
        }
    }
}

impl Recursion<'_> {
    /// Computes `a ∘ b` for two states of `layer`.
    #[inline]
    pub(crate) fn binary<O: Binary>(&self, layer: usize, a: u32, b: u32, local: &mut Local) -> Attempt<u32> {
        let (a, b) = if O::COMMUTES && a > b { (b, a) } else { (a, b) };
        if let Some(known) = O::terminal(a, b) {
            return Ok(known);
        }
        let key = Key { op: O::OP, layer: layer as u16, a, b };
        match self.probe(key, local) {
            Some(known) => Ok(known),
            None => self.binary_missed::<O>(layer, a, b, local),
        }
    }

    /// Computes the same as [`Recursion::binary`], for operands in order that are neither terminal nor in the cache.
    fn binary_missed<O: Binary>(&self, layer: usize, a: u32, b: u32, local: &mut Local) -> Attempt<u32> {
        let (row_a, row_b) = (self.tables[layer].row(a), self.tables[layer].row(b));
        let mut row = RowBuf::new();
        let mut pending = PendingBuf::new();
        // The letters whose results are still pending, as (letter, index in `pending`).
        let mut waiting: smallvec::SmallVec<[(u16, u16); 8]> = smallvec::SmallVec::new();
        for (letter, (x, y)) in row_a.iter().zip(row_b).enumerate() {
            let (x, y) = (x.load(Ordering::Relaxed), y.load(Ordering::Relaxed));
            let (x, y) = if O::COMMUTES && x > y { (y, x) } else { (x, y) };
            if let Some(known) = O::terminal(x, y) {
                row.push(known);
                continue;
            }
            if let Some(same) = pending.iter().position(|p| p.a == x && p.b == y) {
                waiting.push((letter as u16, same as u16));
                row.push(REJECT);
                continue;
            }
            match self.probe(Key { op: O::OP, layer: layer as u16 + 1, a: x, b: y }, local) {
                Some(known) => row.push(known),
                None => {
                    waiting.push((letter as u16, pending.len() as u16));
                    pending.push(Pending { a: x, b: y, result: REJECT });
                    row.push(REJECT);
                }
            }
        }
        self.finish(layer, &mut pending, local, &|x, y, local: &mut Local| {
            self.binary_missed::<O>(layer + 1, x, y, local)
        })?;
        for (letter, index) in waiting {
            row[usize::from(letter)] = pending[usize::from(index)].result;
        }
        let result = self.state(layer, &row, local)?;
        self.cache.put(Key { op: O::OP, layer: layer as u16, a, b }, result);
        Ok(result)
    }
}

impl Store {
    fn binary<O: Binary>(&mut self, a: &Set, b: &Set) -> Result<Set> {
        self.own(a);
        self.own(b);
        self.run(|engine, local| engine.binary::<O>(0, a.state(), b.state(), local))
    }

    /// Computes the union `a ∪ b`. Cost: at worst one state per pair of states; in measurements, about as many as the
    /// larger operand has.
    ///
    /// # Errors
    /// Returns [`crate::Error::OutOfMemory`], [`crate::Error::TooManyStates`] or [`crate::Error::Interrupted`].
    ///
    /// # Panics
    /// Panics if a set belongs to another store.
    pub fn union(&mut self, a: &Set, b: &Set) -> Result<Set> {
        self.binary::<Union>(a, b)
    }

    /// Computes the intersection `a ∩ b`. Cost, errors and panics are those of [`Store::union`].
    ///
    /// # Errors
    /// Returns the same errors as [`Store::union`].
    pub fn intersection(&mut self, a: &Set, b: &Set) -> Result<Set> {
        self.binary::<Intersection>(a, b)
    }

    /// Computes the difference `a \ b`. Cost, errors and panics are those of [`Store::union`].
    ///
    /// # Errors
    /// Returns the same errors as [`Store::union`].
    pub fn difference(&mut self, a: &Set, b: &Set) -> Result<Set> {
        self.binary::<Difference>(a, b)
    }

    /// Computes the complement, which contains every word of the shape that is not in `a`. Cost: one state per state of
    /// `a`.
    ///
    /// # Errors
    /// Returns the same errors as [`Store::union`].
    pub fn complement(&mut self, a: &Set) -> Result<Set> {
        let full = self.full();
        self.difference(&full, a)
    }

    /// Computes the union of all `sets`, which is `∅` for an empty list.
    ///
    /// # Errors
    /// Returns the same errors as [`Store::union`].
    pub fn union_all(&mut self, sets: &[Set]) -> Result<Set> {
        let empty = self.empty();
        self.reduce::<Union>(sets, empty)
    }

    /// Computes the intersection of all `sets`, which is the full set for an empty list.
    ///
    /// # Errors
    /// Returns the same errors as [`Store::union`].
    pub fn intersection_all(&mut self, sets: &[Set]) -> Result<Set> {
        let full = self.full();
        self.reduce::<Intersection>(sets, full)
    }

    /// Combines all sets, always the two with the fewest states first, because the cost of a step is bounded by their
    /// product.
    fn reduce<O: Binary>(&mut self, sets: &[Set], neutral: Set) -> Result<Set> {
        let mut queue: Vec<(usize, Set)> = Vec::with_capacity(sets.len());
        for set in sets {
            queue.push((self.num_states(set), set.clone()));
        }
        queue.sort_by_key(|entry| std::cmp::Reverse(entry.0));
        while queue.len() > 1 {
            let (Some((_, a)), Some((_, b))) = (queue.pop(), queue.pop()) else { break };
            let joined = self.binary::<O>(&a, &b)?;
            let entry = (self.num_states(&joined), joined);
            let at = queue.partition_point(|other| other.0 > entry.0);
            queue.insert(at, entry);
        }
        Ok(queue.pop().map_or(neutral, |entry| entry.1))
    }

    /// Returns the number of states of a set, excluding the constants. Cost: one visit per state.
    pub fn num_states(&self, set: &Set) -> usize {
        Dfa::num_states(&self.freeze(set))
    }
}
