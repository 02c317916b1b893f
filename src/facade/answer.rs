//! What a solution says of a position: its value, its depth, and every move, best first.

use std::cmp::Reverse;
use std::collections::HashSet;

use nerode_games::explicit::apply;
use nerode_games::{Move, Position, Side, Value};

use super::found::Found;
use super::solution::Solution;
use crate::error::Result;
use crate::outcome::{Depth, Outcome};

/// What a solution says of a position. Values are those of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The position asked for.
    pub position: Position,
    /// Its proved value; `None` where it is not known.
    pub value: Option<Value>,
    /// Plies to the end of the game if the winner hurries and the loser delays. `None` for draws, and where the solution
    /// holds no depths.
    pub depth: Option<u32>,
    /// The score that P1 gets, in a solution that holds scores.
    pub score: Option<i32>,
    /// Whether the solution covers the position. Where it does not, nothing is known, now or later.
    pub covered: bool,
    /// Every legal move, best first; none when the game is over.
    pub moves: Vec<Reply>,
}

/// A legal move. Value and depth are those of the side that makes it, so that the first move's are the position's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub mv: Move,
    /// The move as the game writes it.
    pub text: String,
    /// The position after it.
    pub position: Position,
    /// Its value for whoever makes it; `None` where it is not known.
    pub value: Option<Value>,
    /// Plies to the end of the game, this move among them.
    pub depth: Option<u32>,
    /// The score that P1 gets, in a solution that holds scores.
    pub score: Option<i32>,
    /// Whether the solution covers the position after the move.
    pub covered: bool,
}

impl Reply {
    fn new(mv: Move, text: String, position: Position, found: Found) -> Self {
        Self {
            mv,
            text,
            position,
            value: found.value.map(Value::negated),
            depth: found.depth.map(|depth| depth + 1),
            score: found.score,
            covered: found.covered,
        }
    }

    /// Value and depth as one; `None` where the solution does not cover the position after the move.
    pub fn outcome(&self) -> Option<Outcome> {
        let known = |value| Outcome::new(value, Depth::of(self.depth));
        self.covered.then(|| self.value.map_or(Outcome::Unknown, known))
    }

    /// Least for the best move of `mover`: by score where there are scores; then quick wins, draws, unknown values, slow losses.
    fn rank(&self, mover: Side) -> (i32, u8, u32, Reverse<u32>) {
        let score = self.score.unwrap_or(0);
        let worse = if mover == Side::P1 { -score } else { score };
        let depth = self.depth.unwrap_or(0);
        let (group, quick, slow) = match self.value {
            Some(Value::Win) => (0, depth, 0),
            Some(Value::Draw) => (1, 0, 0),
            None => (2, 0, 0),
            Some(Value::Loss) => (3, 0, depth),
        };
        (worse, group, quick, Reverse(slow))
    }
}

impl Solution {
    /// Value and depth of a position, and of every move in it.
    ///
    /// Cost: a look-up for the position and one for each move; files that were not needed before are read.
    ///
    /// # Errors
    /// A run that is not finished; damaged files.
    ///
    /// # Examples
    /// ```
    /// use nerode::{Options, Value};
    /// let solution = nerode::open("nim:2x3")?.solve(Options::default())?;
    /// let position = solution.game().parse_position("3/1 P1")?;
    /// let answer = solution.query(&position)?;
    /// assert_eq!((answer.value, answer.depth), (Some(Value::Win), Some(3)));
    /// assert_eq!(answer.moves[0].value, answer.value);
    /// # Ok::<(), nerode::Error>(())
    /// ```
    ///
    /// # Panics
    /// When the position is not one of the game, which positions that the game has read or made always are.
    pub fn query(&self, position: &Position) -> Result<Answer> {
        let game = self.game();
        let Found { value, depth, score, covered } = self.look_up(position)?;
        let mut legal = Vec::new();
        game.legal_moves(&position.board, position.side, &mut legal);
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let next = Position { board: apply(&position.board, &mv), side: position.side.other() };
            let found = self.look_up(&next)?;
            moves.push(Reply::new(mv.clone(), game.format_move(position, &mv), next, found));
        }
        // Stable, so that moves of one value stay in the order of the rules.
        moves.sort_by_key(|reply| reply.rank(position.side));
        Ok(Answer { position: position.clone(), value, depth, score, covered, moves })
    }

    /// Best play from `position`: the best move of each position, the first of several, up to the end of the game.
    ///
    /// It ends earlier where nothing is known of the best move, and where play comes back to a position, as it may in draws.
    ///
    /// # Errors
    /// As [`Solution::query`].
    ///
    /// # Examples
    /// ```
    /// let solution = nerode::open("breakthrough:2x4")?.solve(nerode::Options::default())?;
    /// let start = solution.game().start_position();
    /// let depth = solution.query(&start)?.depth;
    /// assert_eq!(depth, Some(solution.best_line(&start)?.len() as u32));
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn best_line(&self, position: &Position) -> Result<Vec<Reply>> {
        let mut line: Vec<Reply> = Vec::new();
        let mut seen = HashSet::from([position.clone()]);
        let mut at = position.clone();
        while let Some(best) = self.query(&at)?.moves.into_iter().next() {
            if best.value.is_none() {
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
}
