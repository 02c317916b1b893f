//! States of the first side set that become states of the result, because the residual depends on nothing else.
//!
//! In late plies of a solve, nearly the entire result consists of such copies. A copy costs a single look-up instead of
//! an expansion.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::Result;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::intern::{Cell, Merged};
use super::macrostates::COPY;
use super::rows::Rows;

/// The number of copies that a task looks up.
const STRETCH: usize = 1 << 12;

/// The copied states, layer by layer, closed under transitions.
pub(super) struct Copies<'a> {
    side: Option<&'a Dfa>,
    /// The states of each layer in ascending order. Layers before the first one in progress have none.
    states: Vec<Vec<u32>>,
}

impl<'a> Copies<'a> {
    /// Creates an empty collection for layers up to `from`. `side` is the first side set, if it exists.
    pub(super) fn new(side: Option<&'a Dfa>, from: usize) -> Self {
        Self { side, states: vec![Vec::new(); from + 1] }
    }

    /// Adds a layer, consisting of the states that are copied by `rows` of the previous layer and the states to which
    /// copied states of that layer lead.
    pub(super) fn extend(&mut self, rows: &Rows) {
        let Some(side) = self.side else { return self.states.push(Vec::new()) };
        let layer = self.states.len() - 1;
        let copied: Vec<Vec<u32>> =
            rows.0.par_iter().map(|r| r.iter().filter(|t| **t >= COPY).map(|t| t - COPY).collect()).collect();
        if self.states[layer].is_empty() && copied.iter().all(Vec::is_empty) {
            return self.states.push(Vec::new());
        }
        let mut marked = vec![false; side.num_states_from(layer + 1) + FIRST as usize];
        for state in copied.into_iter().flatten() {
            marked[state as usize] = true;
        }
        let letters = side.shape().num_letters(layer);
        for &state in &self.states[layer] {
            let start = (state - FIRST) as usize * letters;
            for &target in side.raw_rows(layer)[start..start + letters].iter().filter(|t| **t >= FIRST) {
                marked[target as usize] = true;
            }
        }
        self.states.push((FIRST..marked.len() as u32).filter(|&s| marked[s as usize]).collect());
    }

    /// Returns the copied states of a layer.
    pub(super) fn layer(&self, layer: usize) -> &[u32] {
        &self.states[layer]
    }

    /// Returns the number of bytes that [`Copies::join`] needs for the states of a layer: the rows of `row_bytes`,
    /// which temporarily exist twice, and three numbers.
    pub(super) fn bytes_to_join(&self, layer: usize, row_bytes: usize) -> u64 {
        (self.states[layer].len() * (2 * row_bytes + 3 * size_of::<u32>())) as u64
    }

    /// Returns the new states for the copied states of a layer, which either exist in `table` or are added to it.
    /// Copied states differ from one another, so each is looked up only among the rows of macrostates, of which there
    /// are few in late plies.
    ///
    /// `row` appends the row of a state.
    ///
    /// # Errors
    /// Returns [`Error::TooManyStates`](crate::Error::TooManyStates) if the layer is full.
    fn join_with<T: Cell>(
        &self,
        layer: usize,
        table: &mut Merged<T>,
        row: impl Fn(u32, &mut Vec<T>) + Sync,
    ) -> Result<Copied> {
        let states = &self.states[layer];
        let look_up = |states: &[u32]| -> (Vec<u32>, Vec<T>) {
            let mut rows = Vec::with_capacity(states.len() * table.width());
            let numbers = states.iter().map(|&state| {
                let start = rows.len();
                row(state, &mut rows);
                let found = table.find(&rows[start..]);
                found.inspect(|_| rows.truncate(start)).unwrap_or(REJECT)
            });
            (numbers.collect(), rows)
        };
        let (found, rows): (Vec<_>, Vec<_>) = states.par_chunks(STRETCH).map(look_up).unzip();
        let mut new = table.append(&rows)?.into_iter();
        drop(rows);
        let mut copied = Copied(vec![REJECT; states.last().map_or(0, |&last| last as usize + 1)]);
        for (&state, number) in states.iter().zip(found.into_iter().flatten()) {
            copied.0[state as usize] = if number == REJECT { new.next().unwrap_or(REJECT) } else { number };
        }
        debug_assert!(new.next().is_none(), "each appended row must belong to a copied state");
        Ok(copied)
    }

    /// Joins the copies like [`Copies::join_with`], using each state's row of targets. `below` contains the new states
    /// of the next layer.
    ///
    /// # Errors
    /// Returns the same errors as [`Copies::join_with`].
    pub(super) fn join(&self, layer: usize, below: &Copied, table: &mut Merged<u32>) -> Result<Copied> {
        let Some(side) = self.side else { return Ok(Copied::default()) };
        let letters = side.shape().num_letters(layer);
        self.join_with(layer, table, |state, row| {
            let start = (state - FIRST) as usize * letters;
            let targets = &side.raw_rows(layer)[start..start + letters];
            row.extend(targets.iter().map(|&target| below.of(target)));
        })
    }
}

/// The states of the result that correspond to the copied states of one layer.
#[derive(Default)]
pub(super) struct Copied(Vec<u32>);

impl Copied {
    /// Returns the new state for a constant or a copied state.
    #[inline]
    pub(super) fn of(&self, state: u32) -> u32 {
        match state {
            REJECT | ACCEPT => state,
            state => self.0[state as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::intern::Interner;
    use super::*;

    #[test]
    fn copies_become_rows_that_are_there_or_new_ones() -> Result<()> {
        let states: Vec<u32> = (FIRST..3 * STRETCH as u32).step_by(2).collect();
        let row_of = |state: u32| [state + 7, state % 5];
        let interner = Interner::new(2);
        let mut writer = interner.writer(0);
        let interned: Vec<u32> = states.iter().copied().step_by(1000).collect();
        let rows: Vec<u32> = interned.iter().flat_map(|&state| row_of(state)).collect();
        writer.intern_all(&rows, |_| None, &mut Vec::new())?;
        drop(writer);
        let (mut table, _) = interner.finish(0)?;
        let there: Vec<Option<u32>> = interned.iter().map(|&state| table.find(&row_of(state))).collect();
        let copies = Copies { side: None, states: vec![states] };
        let copied = copies.join_with(0, &mut table, |state, row| row.extend(row_of(state)))?;
        assert!(interned.iter().zip(there).all(|(&state, number)| Some(copied.of(state)) == number));
        let distinct = table.into_distinct();
        let mut numbers = std::collections::BTreeSet::new();
        for &state in copies.layer(0) {
            assert_eq!(distinct.row(copied.of(state)), row_of(state));
            assert!(numbers.insert(copied.of(state)));
        }
        Ok(())
    }
}
