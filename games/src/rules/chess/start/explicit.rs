//! The game from its start position as plain rules, with conversions between cells and a board of men.

use super::{EDGE, KINGS, MEN, SPECIAL, SQUARES, Start, letter, man};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::rules::chess::fen;
use crate::rules::chess::men::{Kind, Man};
use crate::rules::chess::play::Board;
use crate::side::{Side, Value};

/// The files of the rooks, with the king's wing first as in [`Board::rights`].
const CORNERS: [usize; 2] = [EDGE - 1, 0];

impl Start {
    fn corner(&self, side: Side, wing: usize) -> usize {
        self.grid.cell(CORNERS[wing], if side == Side::P1 { 0 } else { EDGE - 1 })
    }

    /// Converts cells to a board.
    pub(super) fn men_of(&self, cells: &[u8]) -> Board {
        let mut board = Board::without_men(self.grid);
        board.kings = [usize::from(cells[0]), usize::from(cells[1])];
        for (square, &content) in cells[KINGS..].iter().enumerate() {
            board.put(square, man(self.grid, square, content));
            if content == SPECIAL && board.men()[square].is_some_and(|man| man.kind == Kind::Pawn) {
                board.passed |= 1 << square;
            }
        }
        for side in Side::BOTH {
            for wing in 0..CORNERS.len() {
                board.rights[side.index()][wing] = cells[KINGS + self.corner(side, wing)] == SPECIAL;
            }
        }
        board
    }

    /// Converts a board to cells. Castling rights and passed pawns are letters of their men.
    pub(super) fn cells_of(&self, board: &Board) -> Vec<u8> {
        let mut cells: Vec<u8> = board.kings.iter().map(|&square| square as u8).collect();
        cells.extend(board.men().iter().map(|man| man.map_or(0, letter)));
        for square in (0..SQUARES).filter(|square| board.passed >> square & 1 == 1) {
            cells[KINGS + square] = SPECIAL;
        }
        for side in Side::BOTH {
            for wing in (0..CORNERS.len()).filter(|&wing| board.rights[side.index()][wing]) {
                cells[KINGS + self.corner(side, wing)] = SPECIAL;
            }
        }
        cells
    }

    /// Returns `true` if the rook of `wing` and the king of `side` are on their initial squares.
    pub(super) fn may_castle(&self, men: &[Option<Man>], side: Side, wing: usize) -> bool {
        let corner = self.corner(side, wing);
        let king = self.grid.cell(4, self.grid.rank(corner));
        men[corner] == Some(Man { side, kind: Kind::Rook })
            && men[king] == Some(Man { side, kind: Kind::King })
    }
}

impl ExplicitGame for Start {
    fn cell_states(&self) -> &[u16] {
        &self.cell_states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let contents = self.grid.parse_rows(MEN, &fen::SYMBOLS).unwrap_or_default();
        let mut board = Board::without_men(self.grid);
        for (square, &content) in contents.iter().enumerate() {
            board.put(square, man(self.grid, square, content));
        }
        board.kings = [4, 60];
        board.rights = [[true; 2]; 2];
        (self.cells_of(&board), Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let men = self.men_of(board);
        if men.find_move(side, |_| true) {
            return None;
        }
        Some(if men.in_check(side) { Value::Loss } else { Value::Draw })
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let men = self.men_of(board);
        men.find_move(side, |ply| {
            let after = self.cells_of(&men.after(ply, side));
            let changed =
                (0u16..).zip(board.iter().zip(&after)).filter(|(_, (before, after))| before != after);
            out.push(changed.map(|(cell, (_, &after))| CellChange { cell, after }).collect());
            false
        });
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let men = self.men_of(board);
        for (owner, name) in Side::BOTH.into_iter().zip(["white", "black"]) {
            let count = |wanted: Kind| {
                men.men().iter().flatten().filter(|man| man.side == owner && man.kind == wanted).count()
            };
            let king = men.men()[men.kings[owner.index()]];
            if count(Kind::King) != 1 || king != Some(Man { side: owner, kind: Kind::King }) {
                return Some(format!("{name} does not have exactly one king"));
            }
            let pawns = count(Kind::Pawn);
            let promoted: usize = [(Kind::Queen, 1), (Kind::Rook, 2), (Kind::Bishop, 2), (Kind::Knight, 2)]
                .map(|(kind, most)| count(kind).saturating_sub(most))
                .iter()
                .sum();
            if pawns + promoted > EDGE {
                return Some(format!("{name} has more pieces than its pawns could promote to"));
            }
        }
        let edge = |square: usize| [0, EDGE - 1].contains(&self.grid.rank(square));
        let pawn = |square: &usize| men.men()[*square].is_some_and(|man| man.kind == Kind::Pawn);
        if let Some(square) = (0..SQUARES).filter(pawn).find(|&square| edge(square)) {
            return Some(format!("a pawn is on {}, where no pawn can be", self.grid.square(square)));
        }
        men.why_illegal(side)
    }
}
