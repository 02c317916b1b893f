//! Breakthrough on a single board, where pawns are looked up cell by cell.

use super::{BLACK, Breakthrough, EMPTY, WHITE};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::side::{Side, Value};

impl Breakthrough {
    /// Calls `take` with the cells that a pawn of `side` leaves and enters, for every legal step, until `take` returns
    /// `true`. Returns `true` if it did.
    fn find_step(&self, board: &[u8], side: Side, mut take: impl FnMut(usize, usize) -> bool) -> bool {
        let width = self.grid.width();
        // Pawns on the goal rank cannot move. Both ranges start on file a.
        let (own, first) = if side == Side::P1 { (WHITE, 0) } else { (BLACK, width) };
        let mut file = 0;
        for from in first..first + board.len() - width {
            if board[from] == own {
                let ahead = if side == Side::P1 { from + width } else { from - width };
                if file > 0 && board[ahead - 1] != own && take(from, ahead - 1)
                    || board[ahead] == EMPTY && take(from, ahead)
                    || file + 1 < width && board[ahead + 1] != own && take(from, ahead + 1)
                {
                    return true;
                }
            }
            file = if file + 1 == width { 0 } else { file + 1 };
        }
        false
    }

    /// Returns the value for `side` if a pawn of either side is on its goal rank.
    fn broken_through(&self, board: &[u8], side: Side) -> Option<Value> {
        let width = self.grid.width();
        let white = board[board.len() - width..].contains(&WHITE);
        let black = board[..width].contains(&BLACK);
        let (mine, theirs) = if side == Side::P1 { (white, black) } else { (black, white) };
        if mine { Some(Value::Win) } else { theirs.then_some(Value::Loss) }
    }
}

impl ExplicitGame for Breakthrough {
    fn cell_states(&self) -> &[u16] {
        self.shape.alphabets()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let (cells, home) = (self.grid.num_cells(), 2 * self.grid.width());
        let mut board = vec![EMPTY; cells];
        board[..home].fill(WHITE);
        board[cells - home..].fill(BLACK);
        (board, Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.broken_through(board, side)
            .or_else(|| (!self.find_step(board, side, |_, _| true)).then_some(Value::Loss))
    }

    fn never_ends_won(&self) -> bool {
        true
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        if self.broken_through(board, side).is_some() {
            return;
        }
        let own = if side == Side::P1 { WHITE } else { BLACK };
        self.find_step(board, side, |from, to| {
            out.push(Move::from_slice(&[
                CellChange { cell: from as u16, after: EMPTY },
                CellChange { cell: to as u16, after: own },
            ]));
            false
        });
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let width = self.grid.width();
        let (lowest, highest) = (&board[..width], &board[board.len() - width..]);
        let count = |cells: &[u8], pawn: u8| cells.iter().filter(|&&content| content == pawn).count();
        let pawns = [("white", WHITE, highest), ("black", BLACK, lowest)];
        for (name, pawn, _) in pawns {
            let found = count(board, pawn);
            if found > 2 * width {
                return Some(format!("{name} has {found} pawns, more than the {} it began with", 2 * width));
            }
        }
        let (own, own_pawn, own_goal) = pawns[side.index()];
        let (other, other_pawn, other_goal) = pawns[side.other().index()];
        if count(own_goal, own_pawn) > 0 {
            return Some(format!(
                "{own} is to move and has a pawn on its last rank: the game was already over"
            ));
        }
        if count(other_goal, other_pawn) > 1 {
            return Some(format!("{other} has two pawns on its last rank: the first of them ended the game"));
        }
        if count(board, other_pawn) == 0 {
            return Some(format!("{own} is to move, so {other} moved last, but has no pawns"));
        }
        // Pawns never move backward, so a side whose pawns are all on their initial ranks has not moved.
        let unmoved = count(&board[..2 * width], WHITE) == 2 * width;
        (unmoved && (board.to_vec(), side) != self.start())
            .then(|| "white has not moved yet, so only the start position is possible".to_string())
    }

    /// Orders the contents as black, empty, white, so that the first digit that a move changes decreases. The cell of a
    /// white pawn precedes the cell that it enters and becomes empty; the destination of a black pawn precedes its cell
    /// and becomes black.
    fn digit(&self, _cell: usize, content: u8) -> u8 {
        [1, 2, 0][usize::from(content)]
    }

    fn moves_lower_index(&self) -> bool {
        true
    }
}
