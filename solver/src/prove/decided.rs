//! The positions that the sets of a run decide.

use nerode_dfa::{Dfa, Letter};
use nerode_games::{Game, Side, Value};

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::error::Result;

/// `W_i` and `L_i` of a ply i of a run, and terminal positions.
pub(super) struct Decided<'a> {
    game: &'a dyn Game,
    /// The sets of wins and of losses of each side.
    sets: [[(Value, Set<'a>); 2]; 2],
    /// The cell of each layer.
    cells: &'a [usize],
    /// A function from cells to cells, and the contents there if the sides are swapped.
    swapped: Option<(Vec<usize>, Vec<Vec<u8>>)>,
    /// The value of all other positions, if they have one.
    rest: Option<Value>,
    bytes: u64,
}

/// A set, which may be that of the other side.
struct Set<'a> {
    automaton: &'a Dfa,
    is_of_other_side: bool,
}

impl<'a> Decided<'a> {
    /// Reads the sets of a ply of `run`.
    ///
    /// # Errors
    /// Returns an error if the run is not retrograde, or if a file is missing or damaged.
    pub(super) fn at(run: &'a StoredRun, ply: u32) -> Result<Self> {
        let set = |kind, side: Side| -> Result<Set<'a>> {
            let is_of_other_side = run.entry(kind, side, ply)?.is_mirror();
            let stored = if is_of_other_side { side.other() } else { side };
            Ok(Set { automaton: run.set(kind, stored, ply)?, is_of_other_side })
        };
        let of_side = |side| -> Result<[(Value, Set<'a>); 2]> {
            Ok([(Value::Win, set(Kind::W, side)?), (Value::Loss, set(Kind::L, side)?)])
        };
        let sets = [of_side(Side::P1)?, of_side(Side::P2)?];
        let game = run.game.as_ref();
        let swapped = game.side_swap().map(|swap| {
            // The cell from which the content of a cell comes.
            let mut from = vec![0; swap.image.len()];
            swap.image.iter().enumerate().for_each(|(cell, &to)| from[to] = cell);
            (from, swap.contents)
        });
        let in_memory = sets.iter().flatten().filter(|(_, set)| !set.is_of_other_side);
        let bytes = in_memory.map(|(_, set)| set.automaton.bytes()).sum();
        let is_fixpoint = run.run.manifest.progress.fixpoint && ply == run.last_ply();
        let rest = is_fixpoint.then_some(Value::Draw);
        Ok(Self { game, sets, cells: game.cell_of_layer(), swapped, rest, bytes })
    }

    /// Returns the size of the sets in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the value of a board for `side`, which is to move, if it is decided. `word` is overwritten.
    pub(super) fn value(&self, board: &[u8], side: Side, word: &mut Vec<Letter>) -> Option<Value> {
        let in_sets = self.sets[side.index()].iter().find_map(|(value, set)| {
            word.clear();
            match self.swapped.as_ref().filter(|_| set.is_of_other_side) {
                None => word.extend(self.cells.iter().map(|&cell| board[cell])),
                Some((from, contents)) => word.extend(self.cells.iter().map(|&cell| {
                    let from = from[cell];
                    contents[from][usize::from(board[from])]
                })),
            }
            set.automaton.contains(word).then_some(*value)
        });
        in_sets.or_else(|| self.game.outcome(board, side)).or(self.rest)
    }
}
