//! Copying of automata into a store.

use crate::automaton::Dfa;
use crate::ops::{Attempt, Local, Recursion, RowBuf};
use crate::unique::FIRST;

impl Recursion<'_> {
    /// Returns the state that has the language of `dfa`.
    pub(crate) fn import(&self, dfa: &Dfa, local: &mut Local) -> Attempt<u32> {
        let mut below: Vec<u32> = Vec::new();
        for layer in (0..self.shape.num_layers()).rev() {
            let mut here = Vec::with_capacity(dfa.num_states_in(layer));
            for row in dfa.raw_rows(layer).chunks(self.shape.num_letters(layer)) {
                let row: RowBuf = row
                    .iter()
                    .map(|&target| if target < FIRST { target } else { below[(target - FIRST) as usize] })
                    .collect();
                here.push(self.state(layer, &row, local)?);
            }
            below = here;
        }
        let root = dfa.raw_root();
        Ok(if root < FIRST { root } else { below[0] })
    }
}
