//! Othello on a single board, disc by disc in each direction.

use super::around::NONE;
use super::{BLACK, EMPTY, Othello, WHITE};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::side::{Side, Value};

fn disc(side: Side) -> u8 {
    match side {
        Side::P1 => BLACK,
        Side::P2 => WHITE,
    }
}

impl Othello {
    /// Returns the number of opposing discs that a disc of `side` on `cell` brackets in direction `way`.
    fn bracketed(&self, board: &[u8], cell: usize, way: usize, own: u8) -> usize {
        let mut at = self.around[cell][way];
        let mut count = 0;
        while at != NONE {
            match board[usize::from(at)] {
                EMPTY => return 0,
                content if content == own => return count,
                _ => count += 1,
            }
            at = self.around[usize::from(at)][way];
        }
        0
    }

    fn may_place(&self, board: &[u8], cell: usize, own: u8) -> bool {
        board[cell] == EMPTY && (0..8).any(|way| self.bracketed(board, cell, way, own) > 0)
    }

    fn may_turn(&self, board: &[u8], side: Side) -> bool {
        (0..board.len()).any(|cell| self.may_place(board, cell, disc(side)))
    }

    /// Returns the move of `side` that places a disc on `cell`, if it turns over any disc.
    fn placement(&self, board: &[u8], cell: usize, own: u8) -> Option<Move> {
        if board[cell] != EMPTY {
            return None;
        }
        let mut changes = Move::new();
        for way in 0..8 {
            let mut at = cell;
            for _ in 0..self.bracketed(board, cell, way, own) {
                at = usize::from(self.around[at][way]);
                changes.push(CellChange { cell: at as u16, after: own });
            }
        }
        if changes.is_empty() {
            return None;
        }
        changes.push(CellChange { cell: cell as u16, after: own });
        Some(changes)
    }

    /// Returns a disc that is not connected to the middle by a horizontal, vertical or diagonal path of discs.
    fn lone_disc(&self, board: &[u8]) -> Option<usize> {
        let mut joined = vec![false; board.len()];
        let mut waiting: Vec<usize> = self.middle().into();
        while let Some(cell) = waiting.pop() {
            if board[cell] != EMPTY && !joined[cell] {
                joined[cell] = true;
                waiting.extend(
                    self.around[cell].iter().filter(|&&next| next != NONE).map(|&next| usize::from(next)),
                );
            }
        }
        (0..board.len()).find(|&cell| board[cell] != EMPTY && !joined[cell])
    }

    /// Returns black's lead in discs when the game is over on `board`, which is negative if black is behind.
    fn final_score(&self, board: &[u8]) -> i32 {
        let count = |wanted: u8| board.iter().filter(|&&content| content == wanted).count() as i32;
        let ahead = count(BLACK) - count(WHITE);
        if self.scoring.empties_to_winner { ahead + ahead.signum() * count(EMPTY) } else { ahead }
    }

    /// Returns the value of a score for black.
    fn value(&self, score: i32) -> Value {
        match self.scoring.margin {
            Some(margin) if score >= margin => Value::Win,
            Some(_) => Value::Loss,
            None if score > 0 => Value::Win,
            None if score < 0 => Value::Loss,
            None => Value::Draw,
        }
    }
}

impl ExplicitGame for Othello {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let mut board = vec![EMPTY; self.grid.num_cells()];
        for (cell, content) in self.middle().into_iter().zip([WHITE, WHITE, BLACK, BLACK]) {
            board[cell] = content;
        }
        (board, Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        if self.may_turn(board, side) || self.may_turn(board, side.other()) {
            return None;
        }
        let value = self.value(self.final_score(board));
        Some(if side == Side::P1 { value } else { value.negated() })
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let before = out.len();
        out.extend((0..board.len()).filter_map(|cell| self.placement(board, cell, disc(side))));
        if out.len() == before && self.may_turn(board, side.other()) {
            out.push(Move::new());
        }
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        if self.middle().iter().any(|&cell| board[cell] == EMPTY) {
            return Some("a cell in the middle is empty, but discs are never removed".to_string());
        }
        if let Some(cell) = self.lone_disc(board) {
            let square = self.grid.square(cell);
            return Some(format!(
                "the disc on {square} is not connected to the middle, but discs are placed next to others"
            ));
        }
        let [own, other] = [side, side.other()].map(|side| ["black", "white"][side.index()]);
        if !board.contains(&disc(side.other())) {
            return Some(format!(
                "{own} is to move and {other} has no discs: {other} has placed none and could not have passed"
            ));
        }
        let (start, first) = self.start();
        if board.iter().filter(|&&content| content != EMPTY).count() > self.middle().len() {
            return None;
        }
        if board != start {
            return Some(
                "no disc has been placed, but the middle differs from the start position".to_string(),
            );
        }
        (side != first && self.may_turn(board, first)).then(|| format!("{other} moves first"))
    }

    /// Returns `true`, because every move except a pass fills a cell, and two passes never follow each other.
    fn always_ends(&self) -> bool {
        true
    }

    fn score(&self, board: &[u8]) -> Option<i32> {
        self.scoring.margin.is_none().then(|| self.final_score(board))
    }
}
