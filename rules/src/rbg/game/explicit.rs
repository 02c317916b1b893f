//! The explicit description: the interpreter, with positions as contents of cells.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use nerode_games::{CellChange, Move, Side, Value};

use super::super::book::{Rulebook, Stage};
use super::super::compile::{Begin, Plan, Standing, Start};
use super::super::fault::{Fault, Result};
use super::super::play::{self, Interpreter, State, Turn};
use super::cells::Cells;

/// The interpreter, with its positions converted to contents of cells.
#[derive(Debug)]
pub(super) struct Oracle {
    pub(super) interpreter: Interpreter,
    pub(super) start: Start,
    start_state: State,
}

/// A move with the position after it, as contents of cells.
pub(super) type Successor = (Turn, Vec<u8>);

impl Oracle {
    /// Creates the interpreter and finds the start position.
    ///
    /// # Errors
    /// Returns an error if no player ever moves.
    pub(super) fn new(book: &Rulebook) -> Result<Self> {
        let interpreter = Interpreter::new(book);
        let (state, begin) = interpreter.begin()?;
        let num_variables = book.variables().len();
        let ended = book.first.as_ref().filter(|first| matches!(first.stage, Stage::Over { .. }));
        let over = ended.map(|_| state.registers()[num_variables..].to_vec());
        let first_turn =
            book.first_turn().map(|(switch, square)| play::Begin { switch, square: square as u16 });
        let (begin, registers) = match ended {
            Some(first) => (first_turn, first.registers.as_slice()),
            None => (begin, state.registers()),
        };
        let (Some(player), Some(begin)) = (interpreter.first_player()?, begin) else {
            return Err(book.error(Fault::new(
                book.origin.places.rules,
                "the game is over before any player moves",
                "no path leads to a player's turn",
            )));
        };
        let can_move = !interpreter.successors(&state)?.is_empty();
        let scores = registers[num_variables..].to_vec();
        let begin = Begin { switch: begin.switch, square: begin.square, scores };
        let variables = &state.registers()[..num_variables];
        let held =
            state.board().iter().map(|&piece| u32::from(piece)).chain(variables.iter().copied()).collect();
        Ok(Self { interpreter, start: Start { player, begin, over, can_move, held }, start_state: state })
    }

    /// Returns the start position as contents of cells.
    pub(super) fn start(&self, plan: &Plan, cells: &Cells) -> Option<Vec<u8>> {
        let variables = &self.start_state.registers()[..self.num_variables()];
        cells.board(self.start_state.board(), variables, plan.start_letter()?)
    }

    fn num_variables(&self) -> usize {
        self.interpreter.book().variables().len()
    }

    /// Returns the position in which a turn begins at a place of the plan.
    fn state(&self, cells: &Cells, board: &[u8], begin: &Begin) -> Option<State> {
        let registers = [cells.variables(board), begin.scores.clone()].concat();
        let at = play::Begin { switch: begin.switch, square: begin.square };
        self.interpreter.state_at(at, cells.pieces(board), registers)
    }

    /// Returns every move from a turn that begins as given. If the rules run forever, returns no moves, because the compiler
    /// rejects such rules.
    pub(super) fn successors(
        &self,
        plan: &Plan,
        cells: &Cells,
        board: &[u8],
        side: Side,
        begin: &Begin,
    ) -> Vec<Successor> {
        let Some(state) = self.state(cells, board, begin) else { return Vec::new() };
        let found = self.interpreter.successors(&state).unwrap_or_default();
        let after = |(turn, next, begin): play::Successor| {
            let (variables, scores) = next.registers().split_at(self.num_variables());
            let letter = match begin {
                Some(at) => {
                    let begin = Begin { switch: at.switch, square: at.square, scores: scores.to_vec() };
                    plan.letter_of(side.other().index(), &begin)
                }
                None => plan.letter_of_end(scores),
            };
            Some((turn, cells.board(next.board(), variables, letter?)?))
        };
        found.into_iter().filter_map(after).collect()
    }

    /// Appends the distinct moves.
    pub(super) fn moves(&self, plan: &Plan, cells: &Cells, board: &[u8], side: Side, out: &mut Vec<Move>) {
        match plan.standing(side.index(), cells.status(board)) {
            Standing::Turn(node) => {
                let Some(begin) = plan.begin_at(node) else { return };
                let successors = self.successors(plan, cells, board, side, begin);
                let moves: BTreeSet<Move> =
                    successors.iter().map(|(_, after)| change(board, after)).collect();
                out.extend(moves);
            }
            Standing::Wait(node) => {
                let mut after = board.to_vec();
                if let Some(letter) = plan.letter_after_wait(side.index(), node) {
                    cells.set_status(&mut after, letter);
                }
                out.push(change(board, &after));
            }
            Standing::Over(_) | Standing::Nothing => {}
        }
    }

    /// Returns the value for `side`, which is to move, if the game is over.
    pub(super) fn outcome(&self, plan: &Plan, cells: &Cells, board: &[u8], side: Side) -> Option<Value> {
        let letter = cells.status(board);
        if !plan.is_possible(side.index(), letter, &cells.values(board)) {
            return Some(Value::Draw);
        }
        match plan.standing(side.index(), letter) {
            Standing::Turn(node) => {
                let mut moves = Vec::new();
                self.moves(plan, cells, board, side, &mut moves);
                moves.is_empty().then(|| value(plan.end_at(node), side))
            }
            Standing::Wait(_) => None,
            Standing::Over(outcome) => Some(value(outcome, side)),
            Standing::Nothing => Some(Value::Draw),
        }
    }
}

/// Returns the cells that differ between two boards.
pub(super) fn change(before: &[u8], after: &[u8]) -> Move {
    let cells = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    cells.map(|(cell, (_, &after))| CellChange { cell: cell as u16, after }).collect()
}

/// Returns the value for a side of an outcome seen from the first side.
pub(super) fn value(outcome: Ordering, side: Side) -> Value {
    let seen = match side {
        Side::P1 => outcome,
        Side::P2 => outcome.reverse(),
    };
    match seen {
        Ordering::Less => Value::Loss,
        Ordering::Equal => Value::Draw,
        Ordering::Greater => Value::Win,
    }
}
