//! What a solution says of a position: its value, its depth, and every move, best first.

use std::cmp::Ordering;
use std::collections::HashSet;

use nerode_games::explicit::apply;
use nerode_games::{Move, Position, Side, Value};

use super::found::Found;
use super::solution::Solution;
use nerode_morris::ranked::RankedDraw;
use nerode_solver::error::Result;
use nerode_solver::outcome::Outcome;

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

    /// Which draw it is, in a solution that tells draws apart.
    pub fn draw(&self) -> Option<RankedDraw> {
        self.found.draw
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
    /// Seen by whoever moves next.
    draw_after: Option<RankedDraw>,
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

    /// Which draw it is for whoever makes the move, in a solution that tells draws apart. The value in it is that of the sector
    /// before the move.
    pub fn draw(&self) -> Option<RankedDraw> {
        self.found.draw
    }

    /// Which draw the position after the move is for whoever moves next.
    #[cfg(feature = "cli")]
    pub(crate) fn draw_after(&self) -> Option<RankedDraw> {
        self.draw_after
    }

    /// Whether the solution covers the position after the move.
    pub fn is_covered(&self) -> bool {
        self.found.covered
    }

    /// Value and depth as one; `None` where the solution does not cover the position after the move.
    pub fn outcome(&self) -> Option<Outcome> {
        self.found.outcome()
    }

    /// Which comes first for `mover`: the better by score where there are scores; then quick wins, draws by rank, unknown values, slow
    /// losses.
    fn compare(&self, other: &Self, mover: Side) -> Ordering {
        let group = |reply: &Self| match reply.found.value {
            Some(Value::Win) => 0,
            Some(Value::Draw) => 1,
            None => 2,
            Some(Value::Loss) => 3,
        };
        let scores = [self, other].map(|reply| reply.found.score.unwrap_or(0));
        let by_score = if mover == Side::P1 { scores[1].cmp(&scores[0]) } else { scores[0].cmp(&scores[1]) };
        by_score.then(group(self).cmp(&group(other))).then_with(|| match self.found.value {
            Some(Value::Win) => self.found.depth.cmp(&other.found.depth),
            Some(Value::Loss) => other.found.depth.cmp(&self.found.depth),
            Some(Value::Draw) => {
                let draws = self.found.draw.zip(other.found.draw);
                draws.map_or(Ordering::Equal, |(draw, than)| than.compare(draw))
            }
            None => Ordering::Equal,
        })
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
        let here = self.sector_value(position);
        let mut legal = Vec::new();
        game.legal_moves(&position.board, position.side, &mut legal);
        let mut moves = Vec::with_capacity(legal.len());
        for mv in legal {
            let next = Position { board: apply(&position.board, &mv), side: position.side.other() };
            let text = game.format_move(position, &mv);
            let after = self.look_up(&next)?;
            let found = after.seen_from(here);
            moves.push(Reply { mv, text, position: next, found, draw_after: after.draw });
        }
        // Stable, so that moves of one value stay in the order of the rules.
        moves.sort_by(|a, b| a.compare(b, position.side));
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
        self.best_line_while(position, &|_| true)
    }

    /// The same, as long as `goes_on` says so of the moves found so far.
    pub(crate) fn best_line_while(
        &self,
        position: &Position,
        goes_on: &dyn Fn(&[Reply]) -> bool,
    ) -> Result<Vec<Reply>> {
        let mut line: Vec<Reply> = Vec::new();
        let mut seen = HashSet::from([position.clone()]);
        let mut at = position.clone();
        while goes_on(&line)
            && let Some(best) = self.query(&at)?.moves.into_iter().next()
        {
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
