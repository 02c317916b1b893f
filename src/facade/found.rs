//! What a source of answers says of one position: one form for runs, values, sectors and scores.

use nerode_games::{Side, Value};

use nerode_morris::ranked::RankedDraw;
use nerode_solver::outcome::{Depth, Outcome};

/// What a solution says of one position, its moves left aside, seen from the side to move. See [`Solution::query_many`](crate::Solution::query_many).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub(crate) value: Option<Value>,
    pub(crate) depth: Option<u32>,
    pub(crate) score: Option<i32>,
    /// Of a draw, where draws are told apart.
    pub(crate) draw: Option<RankedDraw>,
    pub(crate) covered: bool,
}

impl Found {
    /// The proved value; `None` where it is not known.
    pub fn value(&self) -> Option<Value> {
        self.value
    }

    /// Plies to the end of the game. `None` for draws, and where the solution holds no depths.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// The score that P1 gets, in a solution that holds scores.
    pub fn score(&self) -> Option<i32> {
        self.score
    }

    /// Which draw it is, in a solution that tells draws apart.
    pub fn draw(&self) -> Option<RankedDraw> {
        self.draw
    }

    /// Whether the solution covers the position.
    pub fn is_covered(&self) -> bool {
        self.covered
    }

    /// `None`: the position is not covered.
    pub(crate) fn of(outcome: Option<Outcome>) -> Self {
        let known = outcome.unwrap_or_default();
        Self {
            value: known.value(),
            depth: known.depth(),
            score: None,
            draw: None,
            covered: outcome.is_some(),
        }
    }

    /// What a sector says.
    pub(crate) fn of_plies((value, depth): (Value, Option<u16>)) -> Self {
        Self { value: Some(value), depth: depth.map(u32::from), score: None, draw: None, covered: true }
    }

    /// Value and depth as one; `None` where the position is not covered.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let known = |value| match self.draw {
            Some(draw) => Outcome::Draw { rank: draw.rank },
            None => Outcome::new(value, Depth::of(self.depth)),
        };
        self.covered.then(|| self.value.map_or(Outcome::Unknown, known))
    }

    /// The same for whoever moved to the position, one ply before. Which draw it is depends on where the move came from.
    pub(crate) fn seen_by_mover(self) -> Self {
        let depth = self.depth.map(|depth| depth + 1);
        Self { value: self.value.map(Value::negated), depth, draw: None, ..self }
    }

    /// The same, from a sector of value `here`, where sectors have values.
    pub(crate) fn seen_from(self, here: Option<i32>) -> Self {
        let draw = self.draw.zip(here).map(|(draw, here)| draw.seen_by_mover(here));
        Self { draw, ..self.seen_by_mover() }
    }

    /// What a score says, which is seen from P1: a positive one is a win of P1. `None`: the position is not covered.
    pub(crate) fn of_score(score: Option<i32>, side: Side) -> Self {
        let value = score.map(|score| match if side == Side::P1 { score } else { -score } {
            0 => Value::Draw,
            ahead if ahead > 0 => Value::Win,
            _ => Value::Loss,
        });
        Self { value, depth: None, score, draw: None, covered: score.is_some() }
    }
}
