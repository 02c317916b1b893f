//! The morris family on a single board: cells are converted to sets of points, plain play generates the turns, and
//! turns are converted back to changes of cells.

use super::text::colour;
use super::{BLACK, EMPTY, Morris, WHITE};
use crate::explicit::{CellChange, ExplicitGame, Move};
use crate::morris::rules::FEWEST_STONES;
use crate::morris::{Phases, State, Turn, points};
use crate::side::{Side, Value};

/// A reason why a position cannot occur in play.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Misfit {
    /// This side has more stones, on the board and in hand together, than it has in the game.
    TooMany(Side),
    /// The stones in hand do not fit any turn of the side to move, for either starting side.
    OutOfStep,
}

impl Morris {
    /// Returns the reason why `state` with `side` to move cannot occur in play, for either starting side, or `None` if
    /// it may occur.
    fn misfit(&self, state: State, side: Side) -> Option<Misfit> {
        let stones = self.rules.stones;
        let (own_stones, other_stones) = (stones[side.index()], stones[side.other().index()]);
        if state.own_stones() + state.own_hand > own_stones {
            return Some(Misfit::TooMany(side));
        }
        if state.other_stones() + state.other_hand > other_stones {
            return Some(Misfit::TooMany(side.other()));
        }
        let (own_placed, other_placed) = (own_stones - state.own_hand, other_stones - state.other_hand);
        // With separate phases, every turn places a stone as long as there is one in hand. The opponent has had as many
        // turns as the side to move, or one more.
        let fits = match (state.own_hand, state.other_hand) {
            _ if self.rules.phases == Phases::Mixed => true,
            (0, 0) => true,
            (0, _) => other_placed >= own_placed,
            (_, 0) => own_placed + 1 >= other_placed,
            _ => other_placed == own_placed || other_placed == own_placed + 1,
        };
        (!fits).then_some(Misfit::OutOfStep)
    }

    /// Returns the [`Morris::misfit`] of a board in words.
    fn why_misfit(&self, board: &[u8], side: Side) -> Option<String> {
        let state = self.rules.state_of(board, side);
        let [own, other] = [side, side.other()].map(colour);
        Some(match self.misfit(state, side)? {
            Misfit::TooMany(side) => format!(
                "{} has more stones, on the board and in hand together, than the {} of the game",
                colour(side),
                self.rules.stones[side.index()]
            ),
            Misfit::OutOfStep => format!(
                "with {own} to move, {own} cannot have {} stones in hand while {other} has {}: the sides place \
                 stones alternately",
                state.own_hand, state.other_hand
            ),
        })
    }

    /// Returns `true` if the missing stones of the opponent may have been captured by `side`, as seen in `state`. This
    /// requires a mill, and therefore three stones.
    fn has_taken(&self, state: State, side: Side) -> bool {
        let [own, other] = [side, side.other()].map(|side| self.rules.stones[side.index()]);
        own - state.own_hand >= FEWEST_STONES || state.other_stones() + state.other_hand == other
    }

    /// Returns the cells that `turn` of `side` rewrites, where `hand` is the number of stones in its hand before the turn.
    fn cells_of(&self, turn: Turn, side: Side, hand: u8) -> Move {
        let own = if side == Side::P1 { WHITE } else { BLACK };
        let change = |point: usize, after: u8| CellChange { cell: point as u16, after };
        let mut mv: Move = points(turn.from).map(|from| change(from, EMPTY)).collect();
        mv.extend(points(turn.to).map(|to| change(to, own)));
        mv.extend(points(turn.taken).map(|taken| change(taken, EMPTY)));
        if turn.from == 0 {
            mv.push(change(self.num_points() + side.index(), hand - 1));
        }
        mv
    }
}

impl ExplicitGame for Morris {
    fn cell_states(&self) -> &[u16] {
        &self.cell_states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        let mut board = vec![EMPTY; self.num_points()];
        board.extend(self.rules.stones);
        (board, Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let state = self.rules.state_of(board, side);
        if self.misfit(state, side).is_some() { Some(Value::Draw) } else { self.rules.outcome(state) }
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let state = self.rules.state_of(board, side);
        if self.misfit(state, side).is_none() && state.decided_by_stones().is_none() {
            self.rules.turns(state, |turn| out.push(self.cells_of(turn, side, state.own_hand)));
        }
    }

    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let state = self.rules.state_of(board, side);
        let [own, other] = [side, side.other()].map(colour);
        if let Some(reason) = self.why_misfit(board, side) {
            return Some(reason);
        }
        if state.other_stones() + state.other_hand < FEWEST_STONES {
            return Some(format!(
                "{own} is to move and {other} has fewer than three stones: the game was already over"
            ));
        }
        let other_view = self.rules.state_of(board, side.other());
        for (view, side) in [(state, side), (other_view, side.other())] {
            if !self.has_taken(view, side) {
                let [own, other] = [side, side.other()].map(colour);
                return Some(format!(
                    "{other} has lost a stone, but {own} has placed too few stones for a mill"
                ));
            }
        }
        None
    }
}
