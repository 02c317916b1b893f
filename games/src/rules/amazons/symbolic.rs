//! The game of the amazons as moves that rewrite letters. The graph has three stages for every cell: the amazons that
//! arrive there, a junction, and the arrows shot from there.

use nerode_dfa::{Condition, Dfa, Letter, MoveGraph, Result, Set, Step, Store};

use super::{ARROW, Amazons, BLACK, EMPTY, WHITE, colour};
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

impl Amazons {
    /// Returns the layers of the cells in each of the eight directions from `cell`, nearest first.
    fn rays(&self, cell: usize) -> Vec<Vec<usize>> {
        let (file, rank) = (self.grid.file(cell), self.grid.rank(cell));
        let (right, up) = (self.grid.width() - 1 - file, self.grid.height() - 1 - rank);
        let ray = |cells: usize, at: &dyn Fn(usize) -> (usize, usize)| -> Vec<usize> {
            let layer = |(file, rank)| self.layout.layer(self.grid.cell(file, rank));
            (1..=cells).map(|i| layer(at(i))).collect()
        };
        vec![
            ray(right, &|i| (file + i, rank)),
            ray(file, &|i| (file - i, rank)),
            ray(up, &|i| (file, rank + i)),
            ray(rank, &|i| (file, rank - i)),
            ray(right.min(up), &|i| (file + i, rank + i)),
            ray(right.min(rank), &|i| (file + i, rank - i)),
            ray(file.min(up), &|i| (file - i, rank + i)),
            ray(file.min(rank), &|i| (file - i, rank - i)),
        ]
    }

    /// Returns the set `{ w : w has the amazons and arrows of the start, and fits(the number of further arrows) }`. The
    /// amazons may stand anywhere.
    fn with_arrows(&self, fits: impl Fn(usize) -> bool) -> Result<Dfa> {
        let count = |letter: u8| self.start.iter().filter(|&&content| content == letter).count();
        let amazons = [count(WHITE), count(BLACK)];
        let step = |layer: usize, &[mut white, mut black, mut more]: &[usize; 3], letter: Letter| {
            let was_arrow = self.start[self.layout.cells()[layer]] == ARROW;
            match letter {
                WHITE => white += 1,
                BLACK => black += 1,
                ARROW if !was_arrow => more += 1,
                _ => {}
            }
            let stays = letter == ARROW || !was_arrow;
            (white <= amazons[0] && black <= amazons[1] && stays).then_some([white, black, more])
        };
        Dfa::from_step(&self.shape, [0; 3], step, |&[white, black, more]| {
            [white, black] == amazons && fits(more)
        })
    }
}

/// Returns a step that requires all `layers` to be empty.
fn over(layers: &[usize]) -> Step {
    Step::identity().when(layers.iter().fold(Condition::any(), |all, &layer| all.with(layer, &[EMPTY])))
}

impl SymbolicGame for Amazons {
    /// Returns empty sets, because the game ends only when the side to move has no move.
    fn terminal(&self, store: &mut Store, _side: Side) -> Result<Terminal> {
        Ok(Terminal { win: store.empty(), loss: store.empty(), draw: store.empty() })
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    /// Returns the positions with the amazons of the start and its arrows in place, and with an even number of further
    /// arrows exactly when white is to move.
    fn admissible(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        store.import(&self.with_arrows(|more| more % 2 == side.index())?).map(Some)
    }

    /// Returns the positions with one additional arrow for each ply.
    fn admissible_at(&self, store: &mut Store, ply: u32) -> Result<Option<Set>> {
        store.import(&self.with_arrows(|more| u32::try_from(more) == Ok(ply))?).map(Some)
    }

    fn moves(&self, _store: &mut Store, side: Side) -> Result<MoveGraph> {
        let own = colour(side);
        let mut graph = MoveGraph::new(self.shape.clone());
        for cell in 0..self.grid.num_cells() {
            let (to, rays) = (self.layout.layer(cell), self.rays(cell));
            let mut arrivals = Vec::new();
            for ray in &rays {
                for (i, &from) in ray.iter().enumerate() {
                    let step = over(&ray[..i]).change(from, own, EMPTY).change(to, EMPTY, own);
                    arrivals.push(graph.add(step)?);
                }
            }
            // A board of one cell has no arrivals, and a junction alone would count as a move.
            if arrivals.is_empty() {
                continue;
            }
            let arrived = graph.add(Step::identity())?;
            for node in arrivals {
                graph.connect(node, arrived)?;
            }
            for ray in &rays {
                for (i, &at) in ray.iter().enumerate() {
                    let shot = graph.add(over(&ray[..i]).change(at, EMPTY, ARROW))?;
                    graph.connect(arrived, shot)?;
                }
            }
        }
        Ok(graph)
    }
}
