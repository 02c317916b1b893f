//! Nim as moves that rewrite letters: the letter of each heap may become any lower letter.

use nerode_dfa::{MoveGraph, Result, Set, Step, Store};

use super::Nim;
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

impl SymbolicGame for Nim {
    fn terminal(&self, store: &mut Store, _side: Side) -> Result<Terminal> {
        let none: Set = store.empty();
        Ok(Terminal { win: none.clone(), loss: none.clone(), draw: none })
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    fn moves(&self, _store: &mut Store, _side: Side) -> Result<MoveGraph> {
        let lower = |before: u8| (0..before).map(move |after| (before, after));
        let pairs: Vec<(u8, u8)> = (0..=self.most).flat_map(lower).collect();
        let mut graph = MoveGraph::new(self.shape.clone());
        for layer in 0..self.heaps {
            graph.add(Step::identity().change_any(layer, &pairs))?;
        }
        Ok(graph)
    }
}
