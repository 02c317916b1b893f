//! What each move of a game gave away.

use nerode_games::{Side, Value};

use super::course::Course;
use crate::facade::{Reply, Solution};
use nerode_solver::error::Result;

/// A move of a game, beside the best one in its place.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// Who made it.
    pub side: Side,
    /// The move, with what is known of it.
    pub made: Reply,
    /// The best move, as [`Solution::query`] lists it first.
    pub best: Reply,
    /// What the move gave away.
    pub given: Given,
}

/// What a move gave away, for the side that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nothing.
    Nothing,
    /// A win or a draw.
    Value,
    /// Points of the score, where there are scores.
    Score(u32),
    /// A better draw, where draws are told apart: so much in rank, seen by the side that made the move; 0 where the rank is the same and
    /// only its distance is worse.
    Rank(u32),
    /// The win takes so many plies longer, or the loss comes so many plies sooner.
    Plies(u32),
    /// Something that counts is not known.
    Unknown,
}

/// Every move of the game in `course`, judged by `solution`.
///
/// # Errors
/// Those of [`Solution::query`].
pub fn judge(solution: &Solution, course: &Course<'_>) -> Result<Vec<JudgedMove>> {
    let mut judged = Vec::with_capacity(course.plies().len());
    for (before, ply) in course.positions().zip(course.plies()) {
        let answer = solution.query(before)?;
        let made = answer.moves().iter().find(|reply| *reply.mv() == ply.mv);
        // Moves of a course are legal, so that there is always one.
        if let (Some(made), Some(best)) = (made, answer.moves().first()) {
            let given = given(made, best);
            judged.push(JudgedMove { side: before.side, made: made.clone(), best: best.clone(), given });
        }
    }
    Ok(judged)
}

fn given(made: &Reply, best: &Reply) -> Given {
    let (Some(got), Some(could)) = (made.value(), best.value()) else { return Given::Unknown };
    if let (Some(got), Some(could)) = (made.score(), best.score()) {
        return if got == could { Given::Nothing } else { Given::Score(got.abs_diff(could)) };
    }
    match (got, made.depth(), best.depth()) {
        (got, ..) if got != could => Given::Value,
        (Value::Win | Value::Loss, Some(took), Some(least)) if took != least => {
            Given::Plies(took.abs_diff(least))
        }
        (Value::Draw, ..) => of_draws(made, best),
        _ => Given::Nothing,
    }
}

/// What a draw gave away beside a better one.
fn of_draws(made: &Reply, best: &Reply) -> Given {
    match made.draw().zip(best.draw()) {
        Some((got, could)) if got.compare(could).is_lt() => Given::Rank(got.rank.abs_diff(could.rank)),
        _ => Given::Nothing,
    }
}
