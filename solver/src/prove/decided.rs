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
    bytes_in_memory: u64,
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
        let stored = || sets.iter().flatten().filter(|(_, set)| !set.is_of_other_side);
        let bytes_in_memory = stored().map(|(_, set)| set.automaton.bytes()).sum();
        let bytes = stored().map(|(_, set)| expanded_bytes(set.automaton)).sum();
        let is_fixpoint = run.run.manifest.progress.fixpoint && ply == run.last_ply();
        let rest = is_fixpoint.then_some(Value::Draw);
        Ok(Self { game, sets, cells: game.cell_of_layer(), swapped, rest, bytes, bytes_in_memory })
    }

    /// Returns the size of the tables of the sets in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the size of those tables that are not in files.
    pub(super) fn bytes_in_memory(&self) -> u64 {
        self.bytes_in_memory
    }

    /// Returns the value of a board for `side`, which is to move, if it is decided.
    pub(super) fn value(&self, board: &[u8], side: Side) -> Option<Value> {
        self.values(board, side)[0]
    }

    /// Returns the values of several boards for `side`, which is to move, where they are decided. `boards` contains their cells, one
    /// board after the other. All of them are looked up together; see [`Dfa::contains_each`].
    pub(super) fn values(&self, boards: &[u8], side: Side) -> Vec<Option<Value>> {
        let cells = self.game.cell_states().len();
        let mut values = vec![None; boards.len() / cells];
        let mut words = Vec::with_capacity(boards.len());
        for (value, set) in &self.sets[side.index()] {
            let open = || values.iter().zip(boards.chunks_exact(cells)).filter(|(value, _)| value.is_none());
            words.clear();
            open().for_each(|(_, board)| self.push_word(board, set.is_of_other_side, &mut words));
            let found = set.automaton.contains_each(&words);
            let open = values.iter_mut().filter(|value| value.is_none());
            open.zip(found).filter(|(_, is_in)| *is_in).for_each(|(slot, _)| *slot = Some(*value));
        }
        for (value, board) in values.iter_mut().zip(boards.chunks_exact(cells)) {
            *value = value.or_else(|| self.game.outcome(board, side)).or(self.rest);
        }
        values
    }

    /// Appends the word of a board, or of the board with the sides swapped.
    fn push_word(&self, board: &[u8], swap: bool, words: &mut Vec<Letter>) {
        match self.swapped.as_ref().filter(|_| swap) {
            None => words.extend(self.cells.iter().map(|&cell| board[cell])),
            Some((from, contents)) => words.extend(self.cells.iter().map(|&cell| {
                let from = from[cell];
                contents[from][usize::from(board[from])]
            })),
        }
    }
}

/// Returns the size of the tables of a set in bytes, in memory or in files.
fn expanded_bytes(set: &Dfa) -> u64 {
    let of_layer = |layer| set.num_states_in(layer) * set.shape().num_letters(layer) * size_of::<u32>();
    (0..set.shape().num_layers()).map(|layer| of_layer(layer) as u64).sum()
}
