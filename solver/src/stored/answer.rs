//! Answers to queries: the value and depth of a position, and its moves in order of quality.

use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;

use nerode_games::explicit::apply;
use nerode_games::{Move, Position, Side, Value};
#[cfg(feature = "engine")]
use rayon::prelude::*;

use super::Stored;
use super::infer::bounded_by_moves;
use crate::depth::Deadline;
use crate::error::Result;
use crate::outcome::{Depth, Evaluation, Outcome, RankedDraw, ValueRange};

/// The minimum number of positions per thread in `query_many`: a look-up is quicker than handing it to another thread.
#[cfg(feature = "engine")]
const AT_LEAST: usize = 64;

/// The answer of a solution for one position and all its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    position: Position,
    evaluation: Evaluation,
    moves: Vec<Reply>,
}

impl Answer {
    /// Returns the position of the query.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the proved value for the side to move, or `None` if it is unknown.
    pub fn value(&self) -> Option<Value> {
        self.evaluation.value()
    }

    /// Returns the number of plies to the end of the game under best play: the winner plays for the shortest win and
    /// the loser for the longest loss. Returns `None` for draws, and if the solution contains no depths.
    pub fn depth(&self) -> Option<u32> {
        self.evaluation.depth()
    }

    /// Returns an upper bound of that number if it is not known exactly.
    pub fn depth_bound(&self) -> Option<u32> {
        self.evaluation.depth_bound()
    }

    /// Returns the score of P1, if the solution contains scores.
    pub fn score(&self) -> Option<i32> {
        self.evaluation.score()
    }

    /// Returns the rank of the draw, if the solution ranks draws.
    pub fn draw(&self) -> Option<RankedDraw> {
        self.evaluation.draw()
    }

    /// Returns `true` if the solution covers the position. The value of a position that is not covered is only known if it
    /// follows from the moves or from a stored range, and otherwise stays unknown even when the run is continued.
    pub fn is_covered(&self) -> bool {
        self.evaluation.is_covered()
    }

    /// Returns all legal moves, best first. The list is empty if the game is over.
    pub fn moves(&self) -> &[Reply] {
        &self.moves
    }

    /// Returns the evaluation of the position itself, without its moves.
    pub fn evaluation(&self) -> Evaluation {
        self.evaluation
    }

    /// Returns the answer, narrowed to the ranges that a search has shown for the position and for each of its moves, in
    /// their order and for the side that makes them. The moves are sorted by range, the best one first.
    #[must_use]
    pub fn within(mut self, range: ValueRange, moves: &[ValueRange]) -> Self {
        self.evaluation = self.evaluation.within(range);
        for (reply, range) in self.moves.iter_mut().zip(moves) {
            reply.evaluation = reply.evaluation.within(*range);
        }
        self.moves.sort_by_key(|reply| Reverse(reply.range().order()));
        self
    }

    /// Lowers the bound of the depth to what the moves imply.
    fn bound_by_moves(&mut self) {
        let moves: Vec<_> = self.moves.iter().map(|reply| reply.evaluation).collect();
        self.evaluation = bounded_by_moves(self.evaluation, &moves);
    }

    /// Orders the moves, the best one first. Moves of equal value stay in the order of the rules.
    fn sort(&mut self) {
        let side = self.position.side;
        self.moves.sort_by(|a, b| a.compare(b, side));
    }
}

/// A legal move. Its value and depth are those for the side that makes it, so the first move has the value and depth
/// of the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    mv: Move,
    text: String,
    position: Position,
    /// The evaluation for the side that makes the move.
    evaluation: Evaluation,
    /// The rank of the draw after the move, for the side to move there.
    draw_after: Option<RankedDraw>,
}

impl Reply {
    /// Returns the move.
    pub fn mv(&self) -> &Move {
        &self.mv
    }

    /// Returns the move in the notation of the game.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the position after the move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the evaluation for the side that makes the move.
    pub fn evaluation(&self) -> Evaluation {
        self.evaluation
    }

    /// Returns the value for the side that makes the move, or `None` if it is unknown.
    pub fn value(&self) -> Option<Value> {
        self.evaluation.value()
    }

    /// Returns the range of the value for the side that makes the move.
    pub fn range(&self) -> ValueRange {
        self.evaluation.range()
    }

    /// Returns the number of plies to the end of the game, including this move.
    pub fn depth(&self) -> Option<u32> {
        self.evaluation.depth()
    }

    /// Returns an upper bound of that number if it is not known exactly.
    pub fn depth_bound(&self) -> Option<u32> {
        self.evaluation.depth_bound()
    }

    /// Returns the score of P1, if the solution contains scores.
    pub fn score(&self) -> Option<i32> {
        self.evaluation.score()
    }

    /// Returns the rank of the draw for the side that makes the move, if the solution ranks draws. The value in it is
    /// that of the sector before the move.
    pub fn draw(&self) -> Option<RankedDraw> {
        self.evaluation.draw()
    }

    /// Returns the rank of the draw after the move, for the side to move there.
    pub fn draw_after(&self) -> Option<RankedDraw> {
        self.draw_after
    }

    /// Returns `true` if the solution covers the position after the move.
    pub fn is_covered(&self) -> bool {
        self.evaluation.is_covered()
    }

    /// Returns value and depth together, or `None` if the solution does not cover the position after the move.
    pub fn outcome(&self) -> Option<Outcome> {
        self.evaluation.outcome()
    }

    /// Returns the depth, or else its bound, or else the greatest number.
    fn plies(&self) -> u32 {
        self.evaluation.depth().or(self.evaluation.depth_bound()).unwrap_or(u32::MAX)
    }

    /// Orders two moves, the better one for `mover` first: by score if there are scores, and otherwise quick wins,
    /// draws by rank, unknown values, and slow losses, in this order.
    fn compare(&self, other: &Self, mover: Side) -> Ordering {
        let group = |reply: &Self| match reply.evaluation.value() {
            Some(Value::Win) => 0,
            Some(Value::Draw) => 1,
            None => 2,
            Some(Value::Loss) => 3,
        };
        let scores = [self, other].map(|reply| reply.evaluation.score().unwrap_or(0));
        let by_score = if mover == Side::P1 { scores[1].cmp(&scores[0]) } else { scores[0].cmp(&scores[1]) };
        by_score.then(group(self).cmp(&group(other))).then_with(|| match self.evaluation.value() {
            Some(Value::Win) => self.plies().cmp(&other.plies()),
            Some(Value::Loss) => {
                let is_bound = |reply: &Self| reply.evaluation.depth_bound().is_some();
                other.plies().cmp(&self.plies()).then(is_bound(self).cmp(&is_bound(other)))
            }
            Some(Value::Draw) => {
                let draws = self.evaluation.draw().zip(other.evaluation.draw());
                draws.map_or(Ordering::Equal, |(draw, than)| than.compare(draw))
            }
            None => Ordering::Equal,
        })
    }
}

impl dyn Stored {
    /// Returns the value and depth of a position, without its moves, like `infer`. A depth that the solution does not
    /// contain is searched for; see [`Stored::limit_search`].
    ///
    /// # Errors
    /// Returns the same errors as [`Stored::look_up`].
    ///
    /// # Panics
    /// Panics in the same cases as `query`.
    pub fn evaluate(&self, position: &Position) -> Result<Evaluation> {
        self.search_depth(position, self.infer(position)?, self.search_deadline())
    }

    /// Returns the value and depth of a position and of every move in it. Depths that the solution does not contain are
    /// searched for, first that of the position and then those of the moves, until the time is over; see
    /// [`Stored::limit_search`].
    ///
    /// Cost: one look-up for the position and one for each move. Files that have not been needed before are read.
    ///
    /// # Errors
    /// Returns an error if the run is unfinished or if a file is damaged.
    ///
    /// # Panics
    /// Panics if the position does not belong to the game. Positions that the game has read or generated always do.
    pub fn query(&self, position: &Position) -> Result<Answer> {
        let deadline = self.search_deadline();
        let mut answer = self.with_best_move(position, deadline)?;
        let here = self.sector_value(position);
        let mut left = answer.moves.iter().filter(|reply| reply.evaluation.depth_bound().is_some()).count();
        for reply in answer.moves.iter_mut().filter(|reply| reply.evaluation.depth_bound().is_some()) {
            let known = self.known(&reply.position)?;
            reply.evaluation =
                self.search_depth(&reply.position, known, deadline.share(left))?.seen_from(here);
            left -= 1;
        }
        answer.bound_by_moves();
        answer.sort();
        Ok(answer)
    }

    /// Returns the answer to a query in which the depth of the position and of a best move, but not those of all moves,
    /// have been searched for if the solution does not contain them.
    fn with_best_move(&self, position: &Position, deadline: Deadline) -> Result<Answer> {
        let game = self.game();
        let mut evaluation = self.search_depth(position, self.known(position)?, deadline)?;
        let here = self.sector_value(position);
        let mut legal = Vec::new();
        game.legal_moves(&position.board, position.side, &mut legal);
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let next = Position { board: apply(&position.board, &mv), side: position.side.other() };
            let text = game.format_move(position, &mv);
            let after = self.known(&next)?;
            let evaluation = after.seen_from(here);
            moves.push(Reply { mv, text, position: next, evaluation, draw_after: after.draw() });
        }
        if evaluation.value().is_none() {
            let moves: Vec<_> = moves.iter().map(|reply| reply.evaluation).collect();
            evaluation = self.with_moves(evaluation, &moves);
        } else if let Some(plies) = evaluation.depth() {
            // The winner needs a move after which the opponent loses within one ply less. The loser needs one after which
            // the opponent does not win any sooner than that.
            let win = evaluation.value() == Some(Value::Win);
            let bound = if win { plies.saturating_sub(1) } else { plies.saturating_sub(2) };
            let mut has_best = false;
            for reply in moves.iter_mut().filter(|reply| reply.value() == evaluation.value()) {
                let Some(most) = reply.evaluation.depth_bound() else { continue };
                if !win {
                    reply.evaluation = reply.evaluation.with_depth(Depth::AtMost(most.min(plies)));
                }
                if has_best {
                    continue;
                }
                let known = self.look_up(&reply.position)?;
                if self.is_within(&reply.position, known, bound, deadline)? == Some(win) {
                    reply.evaluation = evaluation;
                    has_best = true;
                }
            }
        }
        let mut answer = Answer { position: position.clone(), evaluation, moves };
        answer.bound_by_moves();
        answer.sort();
        Ok(answer)
    }

    /// Returns the principal variation from `position`: the best move of each position, or the first of several, up
    /// to the end of the game.
    ///
    /// The line ends earlier if the best move has an unknown value, and if play returns to an earlier position, which
    /// can happen in draws. Searches for depths may take as long as in a query for the first move, and as long again for
    /// all later ones.
    ///
    /// # Errors
    /// Returns the same errors as `query`.
    pub fn best_line(&self, position: &Position) -> Result<Vec<Reply>> {
        self.best_line_while(position, &|_| true)
    }

    /// Returns the principal variation, extended only as long as `goes_on` returns `true` for the moves so far.
    ///
    /// # Errors
    /// Returns the same errors as `query`.
    pub fn best_line_while(
        &self,
        position: &Position,
        goes_on: &dyn Fn(&[Reply]) -> bool,
    ) -> Result<Vec<Reply>> {
        let mut line: Vec<Reply> = Vec::new();
        let mut seen = HashSet::from([position.clone()]);
        let mut at = position.clone();
        let mut later: Option<Deadline> = None;
        while goes_on(&line) {
            // Half of the time that is left for the later moves is for the next one.
            let deadline = later.map_or_else(|| self.search_deadline(), |later| later.share(2));
            let Some(best) = self.with_best_move(&at, deadline)?.moves.into_iter().next() else { break };
            later.get_or_insert_with(|| self.search_deadline());
            if best.value().is_none() {
                break;
            }
            at = best.position.clone();
            line.push(best);
            if !seen.insert(at.clone()) {
                break;
            }
        }
        Ok(line)
    }

    /// Returns the value and depth of each position. The look-ups run on the current thread pool, which uses all
    /// cores unless the caller installs another one.
    ///
    /// Cost: that of `infer` for each position. Files that have not been needed before are read.
    ///
    /// # Errors
    /// Returns the same errors as `query`.
    ///
    /// # Panics
    /// Panics in the same cases as `query`.
    #[cfg(feature = "engine")]
    pub fn query_many(&self, positions: &[Position]) -> Result<Vec<Evaluation>> {
        positions.par_iter().with_min_len(AT_LEAST).map(|position| self.infer(position)).collect()
    }
}
