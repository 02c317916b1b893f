//! Breakthrough as sets of words and moves that rewrite letters: goal ranks that contain a pawn, and one step for every
//! pair of cells.

use nerode_dfa::{MoveGraph, Result, Set, Step, Store};

use super::{BLACK, Breakthrough, EMPTY, WHITE};
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

impl Breakthrough {
    /// Returns the letters of `side` and its opponent, and the goal ranks of both.
    fn colours(&self, side: Side) -> ([u8; 2], [usize; 2]) {
        let top = self.grid.height() - 1;
        match side {
            Side::P1 => ([WHITE, BLACK], [top, 0]),
            Side::P2 => ([BLACK, WHITE], [0, top]),
        }
    }

    fn layers_of_rank(&self, rank: usize) -> Vec<usize> {
        (0..self.grid.width()).map(|file| self.layout.layer(self.grid.cell(file, rank))).collect()
    }
}

impl SymbolicGame for Breakthrough {
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        let ([own, other], [goal, their_goal]) = self.colours(side);
        let some = 1..=self.grid.width();
        let win = store.letter_count(own, &self.layers_of_rank(goal), some.clone())?;
        let through = store.letter_count(other, &self.layers_of_rank(their_goal), some)?;
        Ok(Terminal { loss: store.difference(&through, &win)?, draw: store.empty(), win })
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    /// Returns the positions in which no side has more pawns than at the start, where they fill two ranks.
    fn admissible(&self, store: &mut Store, _side: Side) -> Result<Option<Set>> {
        let (all, most): (Vec<usize>, usize) = ((0..self.grid.num_cells()).collect(), 2 * self.grid.width());
        let white = store.letter_count(WHITE, &all, 0..=most)?;
        let black = store.letter_count(BLACK, &all, 0..=most)?;
        store.intersection(&white, &black).map(Some)
    }

    fn moves(&self, _store: &mut Store, side: Side) -> Result<MoveGraph> {
        let ([own, other], [goal, home]) = self.colours(side);
        let straight = [(EMPTY, own)];
        let aslant = [(EMPTY, own), (other, own)];
        let mut graph = MoveGraph::new(self.shape.clone());
        let mut rank = home;
        while rank != goal {
            let next = if goal > home { rank + 1 } else { rank - 1 };
            for file in 0..self.grid.width() {
                for target in file.saturating_sub(1)..=(file + 1).min(self.grid.width() - 1) {
                    let from = self.layout.layer(self.grid.cell(file, rank));
                    let to = self.layout.layer(self.grid.cell(target, next));
                    let arrivals: &[(u8, u8)] = if target == file { &straight } else { &aslant };
                    graph.add(Step::identity().change(from, own, EMPTY).change_any(to, arrivals))?;
                }
            }
            rank = next;
        }
        Ok(graph)
    }
}
