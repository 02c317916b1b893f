//! Analysis of the moves of a game: what each of them gave away.

use nerode_games::{Side, Value};

use super::course::Course;
use nerode_solver::error::Result;
use nerode_solver::stored::{Reply, Solution};

/// A move of a game, together with the best move in the same position.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// The side that made it.
    pub side: Side,
    /// The move, with its evaluation.
    pub made: Reply,
    /// The best move, which is the first one that `Solution::query` lists.
    pub best: Reply,
    /// The loss that the move caused.
    pub given: Given,
}

/// The loss that a move caused for the side that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nothing.
    Nothing,
    /// A win or a draw.
    Value,
    /// Points of the score, in games with scores.
    Score(u32),
    /// A better draw, if draws are ranked: the difference in rank for the side that made the move. It is 0 if the
    /// rank is the same and only the distance is worse.
    Rank(u32),
    /// Plies: the win takes this many plies longer, or the loss comes this many plies sooner.
    Plies(u32),
    /// It cannot be determined, because a relevant value is unknown.
    Unknown,
}

/// Judges every move of the game in `course` with `solution`.
///
/// # Errors
/// Returns the same errors as `Solution::query`.
pub fn judge(solution: &Solution, course: &Course<'_>) -> Result<Vec<JudgedMove>> {
    let mut judged = Vec::with_capacity(course.plies().len());
    for (before, ply) in course.positions().zip(course.plies()) {
        let answer = solution.query(before)?;
        let made = answer.moves().iter().find(|reply| *reply.mv() == ply.mv);
        // The moves of a course are legal, so both always exist.
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

/// Compares a move that keeps a draw with the best one.
fn of_draws(made: &Reply, best: &Reply) -> Given {
    match made.draw().zip(best.draw()) {
        Some((got, could)) if got.compare(could).is_lt() => Given::Rank(got.rank.abs_diff(could.rank)),
        _ => Given::Nothing,
    }
}
