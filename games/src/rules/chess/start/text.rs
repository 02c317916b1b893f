//! Positions of the whole game as FEN, and moves as `e2e4`, with castling as the king's move and promotions as `e7e8q`.

use super::{EDGE, KINGS, Start, man};
use crate::error::Result;
use crate::explicit::Move;
use crate::game::{Notation, Position, find_move};
use crate::picture::Picture;
use crate::rules::chess::fen::{self, Fen, Parsed};
use crate::rules::chess::men::{Kind, Man};
use crate::rules::chess::play::Board;
use crate::side::Side;

/// The castling rights in a FEN, with their side and their wing as in [`Board::rights`].
const RIGHTS: [(char, Side, usize); 4] =
    [('K', Side::P1, 0), ('Q', Side::P1, 1), ('k', Side::P2, 0), ('q', Side::P2, 1)];

impl Start {
    fn parse(&self, text: &str) -> Parsed<Position> {
        let fen = fen::read(text, self.grid)?;
        let mut board = Board::without_men(self.grid);
        for (square, &man) in fen.men.iter().enumerate() {
            board.put(square, man);
        }
        for side in Side::BOTH {
            let king = Some(Man { side, kind: Kind::King });
            let mut squares = (0..fen.men.len()).filter(|&square| fen.men[square] == king);
            board.kings[side.index()] = squares.next().ok_or("a king is missing")?;
            if squares.next().is_some() {
                return Err("a side has two kings".into());
            }
        }
        self.parse_rights(&fen, &mut board)?;
        if let Some(passed) = fen.passed {
            self.parse_passed(&fen, passed, &mut board)?;
        }
        Ok(Position { board: self.cells_of(&board), side: fen.side })
    }

    fn parse_rights(&self, fen: &Fen<'_>, board: &mut Board) -> Parsed<()> {
        for symbol in fen.castling.chars().filter(|_| fen.castling != "-") {
            let known = RIGHTS.iter().find(|right| right.0 == symbol);
            let &(_, side, wing) = known
                .ok_or_else(|| format!("unexpected castling right '{symbol}'; expected K, Q, k or q"))?;
            if !self.may_castle(&fen.men, side, wing) {
                return Err(format!(
                    "castling right '{symbol}' requires the king and the rook on their starting \
                    squares"
                ));
            }
            board.rights[side.index()][wing] = true;
        }
        Ok(())
    }

    /// Reads the pawn that has passed `square`. The board records it only if a pawn that might capture it stands beside it.
    fn parse_passed(&self, fen: &Fen<'_>, square: usize, board: &mut Board) -> Parsed<()> {
        let other = fen.side.other();
        let (rank, pawn, from) = match other {
            Side::P1 => (2, square + EDGE, square.wrapping_sub(EDGE)),
            Side::P2 => (EDGE - 3, square.wrapping_sub(EDGE), square + EDGE),
        };
        let stands = |at: usize, side: Side| fen.men.get(at) == Some(&Some(Man { side, kind: Kind::Pawn }));
        let empty = |at: usize| fen.men.get(at) == Some(&None);
        if self.grid.rank(square) != rank || !stands(pawn, other) || !empty(square) || !empty(from) {
            return Err(format!("no pawn has just passed {}", self.grid.square(square)));
        }
        let file = self.grid.file(square);
        if file > 0 && stands(pawn - 1, fen.side) || file + 1 < EDGE && stands(pawn + 1, fen.side) {
            board.passed |= 1 << pawn;
        }
        Ok(())
    }

    fn men(&self, position: &Position) -> Vec<Option<Man>> {
        let squares = position.board[KINGS..].iter().enumerate();
        squares.map(|(square, &content)| man(self.grid, square, content)).collect()
    }
}

impl Notation for Start {
    fn position_form(&self) -> String {
        format!(
            "a FEN: 8 rows of 8 squares from the top, separated by '/', with KQRBNP for white pieces, kqrbnp \
             for black pieces and numbers for runs of empty squares; {}",
            fen::REST
        )
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        let drawn = self.grid.line_of_drawing(text);
        self.parse(drawn.as_deref().unwrap_or(text).trim())
            .map_err(|reason| self.position_error(text, reason))
    }

    /// Formats a FEN without counters. For words that cannot occur in play, such as those with a third king, the text
    /// cannot be read back.
    fn format_position(&self, position: &Position) -> String {
        let board = self.men_of(&position.board);
        let right =
            |&(symbol, side, wing): &(char, Side, usize)| board.rights[side.index()][wing].then_some(symbol);
        let rights: String = RIGHTS.iter().filter_map(right).collect();
        let opposing = |pawn: &usize| board.men()[*pawn].is_some_and(|man| man.side != position.side);
        let pawn = (0..board.men().len()).filter(|square| board.passed >> square & 1 == 1).find(opposing);
        let passed = pawn.map(|pawn| if position.side == Side::P1 { pawn + EDGE } else { pawn - EDGE });
        let rights = if rights.is_empty() { "-" } else { &rights };
        fen::write(&self.men(position), self.grid, position.side, rights, passed)
    }

    fn draw(&self, position: &Position) -> String {
        fen::draw(&self.men(position), self.grid, position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(fen::picture(&self.men(position), self.grid))
    }

    /// Draws one text per square, as for any board, and omits the cells of the kings.
    fn draw_texts(&self, texts: &[String]) -> String {
        self.grid.draw_texts(texts.get(KINGS..).unwrap_or_default())
    }

    /// Reads a move, also castling as `O-O` and `O-O-O`, with letters or zeros.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        let typed = text.trim().trim_end_matches(['+', '#', '!', '?']).replace('0', "O").to_uppercase();
        let castled = match typed.as_str() {
            "O-O" => Some('g'),
            "O-O-O" => Some('c'),
            _ => None,
        };
        let rank = if position.side == Side::P1 { 1 } else { 8 };
        let king = usize::from(position.board[position.side.index()]);
        match castled.filter(|_| self.grid.square(king) == format!("e{rank}")) {
            Some(file) => find_move(self, position, &format!("e{rank}{file}{rank}")),
            None => find_move(self, position, text),
        }
    }

    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let king = mv.iter().find(|change| usize::from(change.cell) == position.side.index());
        if let Some(king) = king {
            let from = usize::from(position.board[position.side.index()]);
            return self.grid.square(from) + &self.grid.square(usize::from(king.after));
        }
        let men = self.men(position);
        let own = |man: Option<Man>| man.is_some_and(|man| man.side == position.side);
        let squares = mv
            .iter()
            .filter_map(|change| usize::from(change.cell).checked_sub(KINGS).map(|s| (s, change.after)));
        let (mut from, mut to, mut becomes) = (String::new(), String::new(), String::new());
        for (square, after) in squares {
            match (men[square], man(self.grid, square, after)) {
                (before, None) if own(before) => from = self.grid.square(square),
                (before, Some(arrived)) if own(Some(arrived)) && !own(before) => {
                    to = self.grid.square(square);
                    let pawn_left = mv.iter().any(|change| {
                        let square = usize::from(change.cell).checked_sub(KINGS);
                        let left = square.and_then(|square| men[square]);
                        left == Some(Man { side: position.side, kind: Kind::Pawn })
                    });
                    if pawn_left && arrived.kind != Kind::Pawn {
                        becomes = arrived.kind.symbol().to_ascii_lowercase().to_string();
                    }
                }
                _ => {}
            }
        }
        from + &to + &becomes
    }
}
