//! The evaluation of one position, in a form that is common to runs, values, sectors and scores.

use crate::side::{Side, Value};

use super::{Depth, Outcome, RankedDraw, ValueRange};

/// The evaluation of one position without its moves, for the side to move. See
/// `nerode_solver::stored::Stored::look_up`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluation {
    value: Option<Value>,
    depth: Depth,
    score: Option<i32>,
    draw: Option<RankedDraw>,
    /// The values that are possible if the value is not proved.
    range: ValueRange,
    covered: bool,
}

impl Evaluation {
    /// Returns the proved value, or `None` if it is unknown.
    pub fn value(&self) -> Option<Value> {
        self.value
    }

    /// Returns the number of plies to the end of the game. Returns `None` for draws, and if the depth is not known
    /// exactly.
    pub fn depth(&self) -> Option<u32> {
        self.depth.exact()
    }

    /// Returns an upper bound of the number of plies to the end of the game if the depth is not known exactly.
    pub fn depth_bound(&self) -> Option<u32> {
        match self.depth {
            Depth::AtMost(plies) => Some(plies),
            Depth::Exact(_) | Depth::Unknown => None,
        }
    }

    /// Returns the score of P1, if the solution contains scores.
    pub fn score(&self) -> Option<i32> {
        self.score
    }

    /// Returns the rank of the draw, if the solution ranks draws.
    pub fn draw(&self) -> Option<RankedDraw> {
        self.draw
    }

    /// Returns the range in which the value lies. It contains a single value if that is proved.
    pub fn range(&self) -> ValueRange {
        self.value.map_or(self.range, ValueRange::exact)
    }

    /// Returns `true` if the solution covers the position. The value of a position that it does not cover may follow from
    /// those of other positions.
    pub fn is_covered(&self) -> bool {
        self.covered
    }

    /// Returns the same evaluation with the rank of the draw.
    #[must_use]
    pub fn with_draw(self, draw: Option<RankedDraw>) -> Self {
        Self { draw, ..self }
    }

    /// Returns the same evaluation with another depth.
    #[must_use]
    pub fn with_depth(self, depth: Depth) -> Self {
        Self { depth, ..self }
    }

    /// Returns the same evaluation, narrowed to the values in `range`. A range that excludes every possible value has no effect.
    #[must_use]
    pub fn within(self, range: ValueRange) -> Self {
        let range = self.range().both(range).unwrap_or(self.range());
        match range.value() {
            Some(value) => Self { value: Some(value), range: ValueRange::UNKNOWN, ..self },
            None => Self { range, ..self },
        }
    }

    /// Converts an outcome. `None` means that the position is not covered.
    pub fn of(outcome: Option<Outcome>) -> Self {
        let known = outcome.unwrap_or_default();
        Self {
            value: known.value(),
            depth: known.full_depth(),
            score: None,
            draw: None,
            range: ValueRange::UNKNOWN,
            covered: outcome.is_some(),
        }
    }

    /// Converts the value and depth stored in a sector.
    pub fn of_plies((value, depth): (Value, Option<u16>)) -> Self {
        Self {
            value: Some(value),
            depth: Depth::of(depth.map(u32::from)),
            score: None,
            draw: None,
            range: ValueRange::UNKNOWN,
            covered: true,
        }
    }

    /// Returns value and depth together, or `None` if the position is not covered and its value is unknown.
    pub fn outcome(&self) -> Option<Outcome> {
        let known = |value| match self.draw {
            Some(draw) => Outcome::Draw { rank: draw.rank },
            None => Outcome::new(value, self.depth),
        };
        self.value.map(known).or(self.covered.then_some(Outcome::Unknown))
    }

    /// Returns the same evaluation for the side that moved to the position, one ply earlier. The rank of a draw
    /// depends on the position before the move.
    pub fn seen_by_mover(self) -> Self {
        let depth = match self.depth {
            Depth::Exact(plies) => Depth::Exact(plies + 1),
            Depth::AtMost(plies) => Depth::AtMost(plies + 1),
            Depth::Unknown => Depth::Unknown,
        };
        Self { value: self.value.map(Value::negated), depth, draw: None, range: self.range.negated(), ..self }
    }

    /// Returns the same evaluation as seen from a sector of value `here`, if sectors have values.
    pub fn seen_from(self, here: Option<i32>) -> Self {
        let draw = self.draw.zip(here).map(|(draw, here)| draw.seen_by_mover(here));
        Self { draw, ..self.seen_by_mover() }
    }

    /// Converts a score of P1, which is positive if P1 wins. `None` means that the position is not covered.
    pub fn of_score(score: Option<i32>, side: Side) -> Self {
        let value = score.map(|score| match if side == Side::P1 { score } else { -score } {
            0 => Value::Draw,
            ahead if ahead > 0 => Value::Win,
            _ => Value::Loss,
        });
        Self {
            value,
            depth: Depth::Unknown,
            score,
            draw: None,
            range: ValueRange::UNKNOWN,
            covered: score.is_some(),
        }
    }
}
