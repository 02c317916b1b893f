//! Endgames as plain rules, with conversions between cells and a board of men.

use super::{Endgame, kind_of};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::rules::chess::material::FORMS;
use crate::rules::chess::men::{Kind, Man};
use crate::rules::chess::play::{Board, Ply};
use crate::side::{Side, Value};

/// A reason why a word is not a position of either side.
enum Misfit {
    /// Two men share this square.
    Shared(usize),
    /// There is a pawn on this square of the first or last rank.
    Pawn(usize),
    /// A man has a form that it cannot take.
    Form,
}

impl Endgame {
    /// Returns the men on their squares, or the reason why the word is not a position of either side.
    fn men_of(&self, cells: &[u8]) -> Result<Board, Misfit> {
        let (grid, taken) = (self.material.grid, self.material.taken());
        let mut board = Board::without_men(grid);
        for slot in &self.material.slots {
            let kind = kind_of(slot, cells).ok_or(Misfit::Form)?;
            let content = cells[slot.square];
            if content == taken {
                if kind != slot.man.kind {
                    return Err(Misfit::Form);
                }
                continue;
            }
            let square = usize::from(content);
            let rank = grid.rank(square);
            if board.men()[square].is_some() {
                return Err(Misfit::Shared(square));
            }
            if kind == Kind::Pawn && (rank == 0 || rank + 1 == grid.height()) {
                return Err(Misfit::Pawn(square));
            }
            board.put(square, Some(Man { kind, side: slot.man.side }));
            if kind == Kind::King {
                board.kings[slot.man.side.index()] = square;
            }
        }
        Ok(board)
    }

    /// Returns the board if it is a position with `side` to move.
    fn position(&self, cells: &[u8], side: Side) -> Option<Board> {
        self.men_of(cells).ok().filter(|board| !board.in_check(side.other()))
    }

    fn changes(&self, cells: &[u8], ply: Ply) -> Move {
        let mut changes = Move::new();
        let mut change = |cell: usize, after: u8| {
            if cells[cell] != after {
                changes.push(CellChange { cell: cell as u16, after });
            }
        };
        for slot in &self.material.slots {
            let square = Some(usize::from(cells[slot.square]));
            if square == Some(ply.from) {
                change(slot.square, ply.to as u8);
                let becomes = FORMS.iter().position(|kind| Some(*kind) == ply.promotion);
                if let (Some(cell), Some(form)) = (slot.form, becomes) {
                    change(cell, form as u8);
                }
            } else if square == ply.taken {
                change(slot.square, self.material.taken());
                if let Some(cell) = slot.form {
                    change(cell, 0);
                }
            }
        }
        changes
    }
}

impl ExplicitGame for Endgame {
    fn cell_states(&self) -> &[u16] {
        &self.material.cell_states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (self.start.clone(), Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let Some(men) = self.position(board, side) else { return Some(Value::Draw) };
        if men.find_move(side, |_| true) {
            return None;
        }
        Some(if men.in_check(side) { Value::Loss } else { Value::Draw })
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        if let Some(men) = self.position(board, side) {
            men.find_move(side, |ply| {
                out.push(self.changes(board, ply));
                false
            });
        }
    }

    fn representative(&self, board: &mut [u8]) {
        self.orbits.make_representative(&self.material, board);
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let square = |square| self.material.grid.square(square);
        match self.men_of(board) {
            Err(Misfit::Shared(at)) => Some(format!("two pieces are on {}", square(at))),
            Err(Misfit::Pawn(at)) => Some(format!("a pawn is on {}, where no pawn can be", square(at))),
            Err(Misfit::Form) => Some("a captured pawn is marked as promoted".to_string()),
            Ok(men) => men.why_illegal(side),
        }
    }
}
