//! What a solution says of a position: its value, its depth, and every move, best first.

use std::cmp::Reverse;
use std::collections::HashSet;

use nerode_games::explicit::apply;
use nerode_games::{Move, Position, Side, Value};

use super::found::Found;
use super::solution::Solution;
use crate::error::Result;
use crate::outcome::Outcome;

/// What a solution says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    position: Position,
    found: Found,
    moves: Vec<Reply>,
}

impl Answer {
    /// The position asked for.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Its proved value for the side to move; `None` where it is not known.
    pub fn value(&self) -> Option<Value> {
        self.found.value
    }

    /// Plies to the end of the game if the winner hurries and the loser delays. `None` for draws, and where the solution
    /// holds no depths.
    pub fn depth(&self) -> Option<u32> {
        self.found.depth
    }

    /// The score that P1 gets, in a solution that holds scores.
    pub fn score(&self) -> Option<i32> {
        self.found.score
    }

    /// Whether the solution covers the position. Where it does not, nothing is known, now or later.
    pub fn is_covered(&self) -> bool {
        self.found.covered
    }

    /// Every legal move, best first; none when the game is over.
    pub fn moves(&self) -> &[Reply] {
        &self.moves
    }

    /// All that is said of the position itself.
    #[cfg(feature = "cli")]
    pub(crate) fn found(&self) -> Found {
        self.found
    }
}

/// A legal move. Value and depth are those of the side that makes it, so that the first move's are the position's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    mv: Move,
    text: String,
    position: Position,
    /// Seen by whoever makes the move.
    found: Found,
}

impl Reply {
    /// The move.
    pub fn mv(&self) -> &Move {
        &self.mv
    }

    /// The move as the game writes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The position after it.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Its value for whoever makes it; `None` where it is not known.
    pub fn value(&self) -> Option<Value> {
        self.found.value
    }

    /// Plies to the end of the game, this move among them.
    pub fn depth(&self) -> Option<u32> {
        self.found.depth
    }

    /// The score that P1 gets, in a solution that holds scores.
    pub fn score(&self) -> Option<i32> {
        self.found.score
    }

    /// Whether the solution covers the position after the move.
    pub fn is_covered(&self) -> bool {
        self.found.covered
    }

    /// Value and depth as one; `None` where the solution does not cover the position after the move.
    pub fn outcome(&self) -> Option<Outcome> {
        self.found.outcome()
    }

    /// Least for the best move of `mover`: by score where there are scores; then quick wins, draws, unknown values, slow losses.
    fn rank(&self, mover: Side) -> (i32, u8, u32, Reverse<u32>) {
        let score = self.found.score.unwrap_or(0);
        let worse = if mover == Side::P1 { -score } else { score };
        let depth = self.found.depth.unwrap_or(0);
        let (group, quick, slow) = match self.found.value {
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
    /// assert_eq!((answer.value(), answer.depth()), (Some(Value::Win), Some(3)));
    /// assert_eq!(answer.moves()[0].value(), answer.value());
    /// # Ok::<(), nerode::Error>(())
    /// ```
    ///
    /// # Panics
    /// When the position is not one of the game, which positions that the game has read or made always are.
    pub fn query(&self, position: &Position) -> Result<Answer> {
        let game = self.game();
        let found = self.look_up(position)?;
        let mut legal = Vec::new();
        game.legal_moves(&position.board, position.side, &mut legal);
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let next = Position { board: apply(&position.board, &mv), side: position.side.other() };
            let text = game.format_move(position, &mv);
            let found = self.look_up(&next)?.seen_by_mover();
            moves.push(Reply { mv, text, position: next, found });
        }
        // Stable, so that moves of one value stay in the order of the rules.
        moves.sort_by_key(|reply| reply.rank(position.side));
        Ok(Answer { position: position.clone(), found, moves })
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
    /// let depth = solution.query(&start)?.depth();
    /// assert_eq!(depth, Some(solution.best_line(&start)?.len() as u32));
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn best_line(&self, position: &Position) -> Result<Vec<Reply>> {
        let mut line: Vec<Reply> = Vec::new();
        let mut seen = HashSet::from([position.clone()]);
        let mut at = position.clone();
        while let Some(best) = self.query(&at)?.moves.into_iter().next() {
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
}
