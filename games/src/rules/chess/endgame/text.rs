//! Positions of endgames as FEN, or as a list of men if FEN cannot express the word, and moves as `e2e4` and `e7e8q`.

use super::{Endgame, kind_of};
use crate::error::Result;
use crate::explicit::Move;
use crate::game::{Notation, Position};
use crate::notation::counted;
use crate::picture::Picture;
use crate::rules::chess::fen::{self, Parsed};
use crate::rules::chess::material::{FORMS, Slot};
use crate::rules::chess::men::Man;

/// The prefix of a list of men.
const LIST: char = '=';

impl Endgame {
    fn parse(&self, text: &str) -> Parsed<Position> {
        match text.strip_prefix(LIST) {
            Some(list) => self.parse_list(list),
            None => self.parse_fen(text),
        }
    }

    fn parse_fen(&self, text: &str) -> Parsed<Position> {
        let fen = fen::read(text, self.material.grid)?;
        if fen.castling != "-" || fen.passed.is_some() {
            return Err("endgames have neither castling nor en passant: both fields must be '-'".into());
        }
        let mut board = vec![0; self.material.cell_states.len()];
        let mut free: Vec<&Slot> = self.material.slots.iter().collect();
        let mut others = Vec::new();
        for (square, man) in
            fen.men.iter().enumerate().filter_map(|(square, man)| man.map(|man| (square, man)))
        {
            match free.iter().position(|slot| slot.man == man) {
                Some(place) => board[free.remove(place).square] = square as u8,
                None => others.push((square, man)),
            }
        }
        // A man that does not belong to the material is a promoted pawn.
        for (square, man) in others {
            let form = FORMS.iter().position(|kind| *kind == man.kind);
            let place = free.iter().position(|slot| slot.man.side == man.side && slot.form.is_some());
            let (Some(form), Some(place)) = (form, place) else {
                return Err(format!("one {} too many for {}", man.symbol(), self.material.spec()));
            };
            let slot = free.remove(place);
            board[slot.square] = square as u8;
            if let Some(cell) = slot.form {
                board[cell] = form as u8;
            }
        }
        for slot in free {
            if self.material.king(slot.man.side).square == slot.square {
                return Err(format!("the king {} is missing", slot.man.symbol()));
            }
            board[slot.square] = self.material.taken();
        }
        Ok(Position { board, side: fen.side })
    }

    fn parse_list(&self, text: &str) -> Parsed<Position> {
        let (list, side) = text.split_once([' ', '_']).ok_or("the side to move is missing")?;
        let parts: Vec<&str> = list.split(',').collect();
        if parts.len() != self.material.slots.len() {
            return Err(format!(
                "{}, but {} has {}",
                counted(parts.len(), "piece"),
                self.material.spec(),
                self.material.slots.len()
            ));
        }
        let mut board = vec![0; self.material.cell_states.len()];
        for (slot, part) in self.material.slots.iter().zip(parts) {
            let man = part.chars().next().and_then(Man::of_symbol).filter(|man| man.side == slot.man.side);
            let man = man.ok_or_else(|| format!("'{part}' does not begin with a piece of the right side"))?;
            let known = slot.forms().into_iter().find(|(kind, _)| *kind == man.kind);
            let (_, form) =
                known.ok_or_else(|| format!("'{part}' is in the place of {}", slot.man.symbol()))?;
            if let (Some(cell), Some(form)) = (slot.form, form) {
                board[cell] = form;
            }
            board[slot.square] = match &part[1..] {
                "-" if self.material.king(slot.man.side).square != slot.square => self.material.taken(),
                square => fen::square_of(square, self.material.grid)? as u8,
            };
        }
        Ok(Position { board, side: fen::side_of(side.trim())? })
    }

    /// Returns the men by square. If several men share a square, the last one counts.
    fn placed(&self, board: &[u8]) -> Vec<Option<Man>> {
        let mut men = vec![None; self.material.grid.num_cells()];
        for slot in &self.material.slots {
            if let (Some(at), Some(kind)) =
                (men.get_mut(usize::from(board[slot.square])), kind_of(slot, board))
            {
                *at = Some(Man { kind, ..slot.man });
            }
        }
        men
    }

    fn list(&self, position: &Position) -> String {
        let man = |slot: &Slot| {
            let kind = kind_of(slot, &position.board).unwrap_or(slot.man.kind);
            let symbol = Man { kind, ..slot.man }.symbol();
            match position.board[slot.square] {
                taken if taken == self.material.taken() => format!("{symbol}-"),
                square => format!("{symbol}{}", self.material.grid.square(usize::from(square))),
            }
        };
        let men: Vec<String> = self.material.slots.iter().map(man).collect();
        let side = if position.side.index() == 0 { "w" } else { "b" };
        format!("{LIST}{} {side}", men.join(","))
    }
}

impl Notation for Endgame {
    fn position_form(&self) -> String {
        let (width, height) = (self.material.grid.width(), self.material.grid.height());
        format!(
            "a FEN: {height} rows of {width} squares from the top, separated by '/', with KQRBNP for white \
             pieces, kqrbnp for black pieces and numbers for runs of empty squares; {}; or {LIST} and each \
             piece with its square or '-', separated by ','",
            fen::REST
        )
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        let drawn = self.material.grid.line_of_drawing(text);
        self.parse(drawn.as_deref().unwrap_or(text).trim())
            .map_err(|reason| self.position_error(text, reason))
    }

    /// Formats a FEN, or a list of men for words that FEN cannot express, such as those with two men on one square.
    fn format_position(&self, position: &Position) -> String {
        let fen = fen::write(&self.placed(&position.board), self.material.grid, position.side, "-", None);
        match self.parse_fen(&fen) {
            Ok(same) if same == *position => fen,
            _ => self.list(position),
        }
    }

    fn draw(&self, position: &Position) -> String {
        fen::draw(&self.placed(&position.board), self.material.grid, position)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(fen::picture(&self.placed(&position.board), self.material.grid))
    }

    /// Formats the squares that a man leaves and enters, followed by the promotion of a pawn.
    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let grid = self.material.grid;
        let after = |cell: usize| {
            mv.iter().find(|change| usize::from(change.cell) == cell).map(|change| change.after)
        };
        for slot in self.material.slots.iter().filter(|slot| slot.man.side == position.side) {
            let Some(to) = after(slot.square) else { continue };
            let becomes = slot.form.and_then(after).and_then(|form| FORMS.get(usize::from(form)));
            let becomes =
                becomes.map(|kind| kind.symbol().to_ascii_lowercase().to_string()).unwrap_or_default();
            let from = usize::from(position.board[slot.square]);
            return format!("{}{}{becomes}", grid.square(from), grid.square(usize::from(to)));
        }
        String::new()
    }
}
