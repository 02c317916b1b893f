//! Move notation: the squares that a player changes, in order.

use std::collections::{BTreeMap, HashMap};

use nerode_games::{CellChange, Move, Position};

use super::super::compile::{Part, Standing};
use super::super::names::vacant;
use super::super::play::Turn;
use super::RuleGame;
use super::Texts;
use super::explicit::change;

/// The text of a move that changes nothing except the side to move.
const PASS: &str = "pass";

impl RuleGame {
    /// Returns distinct texts for all legal moves.
    pub(super) fn move_texts(&self, position: &Position) -> Texts {
        let (board, side) = (&position.board, position.side);
        let mut texts: BTreeMap<Move, String> = BTreeMap::new();
        match self.plan.standing(side.index(), self.cells.status(board)) {
            Standing::Turn(node) => {
                let Some(begin) = self.plan.begin_at(node) else { return Texts::new() };
                for (turn, after) in self.oracle.successors(&self.plan, &self.cells, board, side, begin) {
                    let text = self.short(board, &turn, &after);
                    let text_of = texts.entry(change(board, &after)).or_insert_with(|| text.clone());
                    if (text.len(), &text) < (text_of.len(), text_of) {
                        *text_of = text;
                    }
                }
            }
            Standing::Wait(_) => {
                let mut moves = Vec::new();
                self.oracle.moves(&self.plan, &self.cells, board, side, &mut moves);
                texts.extend(moves.into_iter().map(|mv| (mv, PASS.to_string())));
            }
            Standing::Over(_) | Standing::Nothing => {}
        }
        for longer in [Self::with_pieces, Self::in_full] {
            let mut count: HashMap<String, usize> = HashMap::new();
            texts.values().for_each(|text| *count.entry(text.clone()).or_default() += 1);
            for (mv, text) in texts.iter_mut().filter(|(_, text)| count[*text] > 1) {
                *text = longer(self, text, mv);
            }
        }
        texts.into_iter().collect()
    }

    /// Returns the squares on which pieces are placed, with an `x` before a square on which a piece is captured.
    fn short(&self, board: &[u8], turn: &Turn, contents: &[u8]) -> String {
        let (before, after) = (self.cells.pieces(board), self.cells.pieces(contents));
        if before == after {
            return self.numbers(board, contents);
        }
        let puts = turn.iter().filter(|change| self.oracle.interpreter.puts(change));
        let mut squares: Vec<usize> = Vec::new();
        for change in puts {
            let square = usize::from(change.square);
            if !squares.contains(&square) {
                squares.push(square);
            }
        }
        if squares.is_empty() {
            squares.extend(turn.last().map(|change| usize::from(change.square)));
        }
        let vacant = vacant(&self.book);
        let mut text = String::new();
        for (number, &square) in squares.iter().enumerate() {
            let taken = vacant != Some(before[square].into()) && before[square] != after[square];
            if number > 0 {
                text.push(if taken { 'x' } else { '-' });
            }
            text += &self.squares[square];
        }
        text
    }

    /// Returns the new values of the variables that a move changes, or the text of a pass if it changes none.
    fn numbers(&self, board: &[u8], after: &[u8]) -> String {
        let is_number =
            |change: &CellChange| matches!(self.cells.parts[usize::from(change.cell)], Part::Variable(_));
        let numbers: Move = change(board, after).into_iter().filter(is_number).collect();
        self.in_full(PASS, &numbers)
    }

    /// Returns the text with the pieces that are finally on the changed squares.
    fn with_pieces(&self, text: &str, mv: &Move) -> String {
        let vacant = vacant(&self.book);
        let piece = |change: &CellChange| match self.cells.parts[usize::from(change.cell)] {
            Part::Square(_) => {
                let piece = self.cells.contents[usize::from(change.cell)][usize::from(change.after)] as usize;
                (vacant != Some(piece)).then(|| self.symbols[piece])
            }
            _ => None,
        };
        let pieces: String = mv.iter().filter_map(piece).collect();
        if pieces.is_empty() { text.to_string() } else { format!("{text}={pieces}") }
    }

    /// Returns every changed cell with its new content, or the text if no cell changes.
    fn in_full(&self, text: &str, mv: &Move) -> String {
        if mv.is_empty() {
            return text.to_string();
        }
        let cell = |change: &CellChange| {
            let info = self.layer_info(usize::from(change.cell));
            format!("{}={}", info.label, info.letters[usize::from(change.after)])
        };
        mv.iter().map(cell).collect::<Vec<String>>().join(",")
    }
}
