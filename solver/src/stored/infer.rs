//! Evaluations of positions without a proved value, inferred from the rules, stored ranges and the values after their
//! moves.

use nerode_games::explicit::apply;
use nerode_games::{Position, Value};

use super::Stored;
use crate::error::Result;
use crate::outcome::{Depth, Evaluation, ValueRange};

impl dyn Stored {
    /// Returns what the solution implies about a position, without its moves and without a search. If the solution does not
    /// contain the value, this is the intersection of its stored range and of the range of the best move. If the
    /// depths after all moves are known, so is the depth of the position.
    ///
    /// Cost: one look-up. If the solution does not contain the value, one more for each move.
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::look_up`].
    pub fn infer(&self, position: &Position) -> Result<Evaluation> {
        let known = self.known(position)?;
        if known.value().is_some() {
            return Ok(known);
        }
        let game = self.game();
        let mut legal = Vec::new();
        game.legal_moves(&position.board, position.side, &mut legal);
        let after = legal.iter().map(|mv| {
            let next = Position { board: apply(&position.board, mv), side: position.side.other() };
            Ok(self.known(&next)?.seen_by_mover())
        });
        Ok(self.with_moves(known, &after.collect::<Result<Vec<_>>>()?))
    }

    /// Narrows the evaluation of a position without a proved value to what its moves imply. Evaluations of moves are those
    /// for the side that makes them.
    pub(super) fn with_moves(&self, known: Evaluation, moves: &[Evaluation]) -> Evaluation {
        let Some(best) = moves.iter().map(Evaluation::range).reduce(ValueRange::max) else { return known };
        let found = known.within(best);
        match found.value() {
            Some(Value::Win) => {
                // A loss that a run has not found by its ply i has a depth of more than i.
                let undecided = self.ply_so_far().map_or(1, |ply| ply.saturating_add(2));
                found.with_depth(depth_of_win(moves, undecided))
            }
            Some(Value::Loss) => found.with_depth(depth_of_loss(moves)),
            Some(Value::Draw) | None => found,
        }
    }

    /// Returns what the solution contains about a position. If it does not contain the value, or only a bound of the depth, this is
    /// the outcome by the rules if the game is over, or else the stored range.
    pub(super) fn known(&self, position: &Position) -> Result<Evaluation> {
        let found = self.look_up(position)?;
        if found.value().is_some() && found.depth_bound().is_none() {
            return Ok(found);
        }
        match self.game().outcome(&position.board, position.side) {
            Some(value) => {
                let depth = if value == Value::Draw { Depth::Unknown } else { Depth::Exact(0) };
                Ok(found.within(ValueRange::exact(value)).with_depth(depth))
            }
            None if found.value().is_some() => Ok(found),
            None => Ok(found.within(self.stored_range(position)?)),
        }
    }
}

/// Lowers the bound of the depth of a win or loss to what its moves imply. Evaluations of moves are those for the side that makes them.
pub(super) fn bounded_by_moves(evaluation: Evaluation, moves: &[Evaluation]) -> Evaluation {
    let Some(bound) = evaluation.depth_bound() else { return evaluation };
    let depth = match evaluation.value() {
        Some(Value::Win) => depth_of_win(moves, 1),
        Some(Value::Loss) => depth_of_loss(moves),
        Some(Value::Draw) | None => return evaluation,
    };
    match depth {
        Depth::Exact(_) => evaluation.with_depth(depth),
        Depth::AtMost(plies) if plies < bound => evaluation.with_depth(depth),
        _ => evaluation,
    }
}

/// Returns the depth of the quickest win. It is exact if no other move can be quicker, where a move that is covered but
/// undecided wins in no fewer plies than `undecided`.
fn depth_of_win(moves: &[Evaluation], undecided: u32) -> Depth {
    let wins = moves.iter().filter(|mv| mv.value() == Some(Value::Win));
    let Some(quickest) = wins.filter_map(plies).min() else { return Depth::Unknown };
    let can_be_quicker = |mv: &Evaluation| match mv.value() {
        Some(Value::Win) => mv.depth().is_none() && quickest > 1,
        Some(Value::Draw | Value::Loss) => false,
        None => quickest > if mv.is_covered() { undecided } else { 1 },
    };
    if moves.iter().any(can_be_quicker) { Depth::AtMost(quickest) } else { Depth::Exact(quickest) }
}

/// Returns the depth of the slowest loss.
fn depth_of_loss(moves: &[Evaluation]) -> Depth {
    let Some(most) =
        moves.iter().map(plies).collect::<Option<Vec<u32>>>().and_then(|all| all.into_iter().max())
    else {
        return Depth::Unknown;
    };
    if moves.iter().all(|mv| mv.depth().is_some()) { Depth::Exact(most) } else { Depth::AtMost(most) }
}

/// Returns the depth of a move, or else its bound.
fn plies(mv: &Evaluation) -> Option<u32> {
    mv.depth().or(mv.depth_bound())
}
