//! The game of the amazons on a single board, where amazons and arrows glide step by step.

use super::{ARROW, Amazons, EMPTY, colour};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::notation::counted;
use crate::side::{Side, Value};

/// The eight directions of a chess queen.
const WAYS: [(isize, isize); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Amazons {
    /// Returns the cell one step from `cell`, or `None` if it is off the board.
    fn step(&self, cell: usize, way: (isize, isize)) -> Option<usize> {
        let file = self.grid.file(cell).checked_add_signed(way.0)?;
        let rank = self.grid.rank(cell).checked_add_signed(way.1)?;
        (file < self.grid.width() && rank < self.grid.height()).then(|| self.grid.cell(file, rank))
    }

    /// Calls `take` with every cell that a queen on `from` can reach over empty cells.
    fn glide(&self, board: &[u8], from: usize, mut take: impl FnMut(usize)) {
        for way in WAYS {
            let mut at = from;
            while let Some(next) = self.step(at, way).filter(|&next| board[next] == EMPTY) {
                take(next);
                at = next;
            }
        }
    }

    fn is_shut_in(&self, board: &[u8], cell: usize) -> bool {
        WAYS.into_iter().filter_map(|way| self.step(cell, way)).all(|next| board[next] != EMPTY)
    }
}

impl ExplicitGame for Amazons {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (self.start.clone(), Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let own = colour(side);
        let no_move = (0..board.len()).all(|cell| board[cell] != own || self.is_shut_in(board, cell));
        no_move.then_some(Value::Loss)
    }

    fn never_ends_won(&self) -> bool {
        true
    }

    /// Returns the number of arrows that were not there at the start.
    fn plies_played(&self, board: &[u8]) -> Option<u32> {
        let arrows = |cells: &[u8]| cells.iter().filter(|&&content| content == ARROW).count();
        u32::try_from(arrows(board).saturating_sub(arrows(&self.start))).ok()
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let count = |cells: &[u8], letter: u8| cells.iter().filter(|&&content| content == letter).count();
        for (name, side) in [("white", Side::P1), ("black", Side::P2)] {
            let (found, wanted) = (count(board, colour(side)), count(&self.start, colour(side)));
            if found != wanted {
                let amazons = counted(found, "amazon");
                return Some(format!(
                    "{name} has {amazons} instead of {wanted}, but amazons are never captured"
                ));
            }
        }
        if (0..board.len()).any(|cell| self.start[cell] == ARROW && board[cell] != ARROW) {
            return Some("an arrow of the start position is missing, but arrows are permanent".to_string());
        }
        let turns = count(board, ARROW) - count(&self.start, ARROW);
        if turns % 2 != side.index() {
            let names = ["white", "black"];
            let (to_move, given) = (names[turns % 2], names[side.index()]);
            let arrows = counted(turns, "arrow");
            return Some(format!("after {arrows} {to_move} is to move, not {given}"));
        }
        (turns == 0 && board != self.start)
            .then(|| "no arrow has been shot, but the amazons are not on their starting cells".to_string())
    }

    /// Returns `true`, because every turn fills a cell.
    fn always_ends(&self) -> bool {
        true
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let own = colour(side);
        let mut lifted = board.to_vec();
        for from in (0..board.len()).filter(|&cell| board[cell] == own) {
            lifted[from] = EMPTY;
            self.glide(&lifted, from, |to| {
                let change = |cell: usize, after| CellChange { cell: cell as u16, after };
                self.glide(&lifted, to, |at| {
                    let mut turn = Move::from_slice(&[change(to, own), change(at, ARROW)]);
                    if at != from {
                        turn.push(change(from, EMPTY));
                    }
                    out.push(turn);
                });
            });
            lifted[from] = own;
        }
    }
}
