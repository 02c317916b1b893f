//! Tic-tac-toe as sets of words and moves that rewrite letters: a row is a product of letters, and a move changes one letter.

use nerode_dfa::{Dfa, MoveGraph, Result, Set, Step, Store};

use super::{EMPTY, TicTacToe, mark};
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

impl TicTacToe {
    /// Returns the layers of every line of `row` cells.
    fn lines(&self) -> Vec<Vec<usize>> {
        let (grid, reach) = (self.grid, self.row - 1);
        let mut lines = Vec::new();
        for cell in 0..grid.num_cells() {
            let (file, rank) = (grid.file(cell), grid.rank(cell));
            let (right, up) = (file + reach < grid.width(), rank + reach < grid.height());
            let mut line = |fits: bool, at: &dyn Fn(usize) -> (usize, usize)| {
                if fits {
                    let layer = |(file, rank)| self.layout.layer(grid.cell(file, rank));
                    lines.push((0..self.row).map(|i| layer(at(i))).collect());
                }
            };
            line(right, &|i| (file + i, rank));
            line(up, &|i| (file, rank + i));
            line(right && up, &|i| (file + i, rank + i));
            line(file >= reach && up, &|i| (file - i, rank + i));
        }
        lines
    }

    /// Returns the set `{ w : some line of w holds only the mark of side }`.
    fn rows_of(&self, store: &mut Store, side: Side) -> Result<Set> {
        let mut rows = Vec::new();
        for line in self.lines() {
            let cube: Vec<(usize, Vec<u8>)> =
                line.into_iter().map(|layer| (layer, vec![mark(side)])).collect();
            rows.push(store.cube(&cube)?);
        }
        store.union_all(&rows)
    }
}

impl SymbolicGame for TicTacToe {
    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        let win = self.rows_of(store, side)?;
        let theirs = self.rows_of(store, side.other())?;
        let layers: Vec<usize> = (0..self.grid.num_cells()).collect();
        let full = store.letter_count(EMPTY, &layers, 0..=0)?;
        let rows = store.union(&win, &theirs)?;
        Ok(Terminal { loss: store.difference(&theirs, &win)?, draw: store.difference(&full, &rows)?, win })
    }

    fn no_move_value(&self) -> Value {
        Value::Draw
    }

    /// Returns the positions with equal numbers of marks if P1 is to move, and with one more mark of P1 if P2 is to move.
    fn admissible(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        let ahead = match side {
            Side::P1 => 0,
            Side::P2 => 1,
        };
        let step = |_: usize, lead: &i32, letter: u8| Some(lead + [0, 1, -1][usize::from(letter)]);
        store.import(&Dfa::from_step(&self.shape, 0, step, |lead| *lead == ahead)?).map(Some)
    }

    /// Returns the positions with as many marks as plies. P1 has placed the first mark and every second one after it.
    fn admissible_at(&self, store: &mut Store, ply: u32) -> Result<Option<Set>> {
        let step = |_: usize, &[mut x, mut o]: &[u32; 2], letter: u8| {
            x += u32::from(letter == mark(Side::P1));
            o += u32::from(letter == mark(Side::P2));
            (x <= ply.div_ceil(2) && o <= ply / 2).then_some([x, o])
        };
        let set = Dfa::from_step(&self.shape, [0; 2], step, |&marks| marks == [ply.div_ceil(2), ply / 2])?;
        store.import(&set).map(Some)
    }

    fn moves(&self, _store: &mut Store, side: Side) -> Result<MoveGraph> {
        let mut graph = MoveGraph::new(self.shape.clone());
        for layer in 0..self.grid.num_cells() {
            graph.add(Step::identity().change(layer, EMPTY, mark(side)))?;
        }
        Ok(graph)
    }
}
