//! Traps: the probability, for each move, that a fallible opponent errs, and the move that is most demanding.
//!
//! A perfect side plays against a fallible one. A move of the fallible side *keeps* the value if the position has the
//! same value afterwards. Let p_j be the probability that it makes its move j. Then the probability that it keeps the
//! value for n plies is
//!
//! ```text
//! P(0) = 1
//! P(n) = sum over its moves j that keep the value of p_j P(n - 1 after j)     where the fallible side moves
//! P(n) = min over the moves i that keep the value of P(n - 1 after i)         where the other side moves
//! ```
//!
//! (Lincke, *Perfect Play using Nine Men's Morris as an Example*, section 10.) If the game is over, P is 1. All
//! probabilities are exact fractions.

mod chance;
mod model;
mod search;

use std::cmp::{Ordering, Reverse};

use nerode_games::{Side, Value};
#[cfg(feature = "engine")]
use rayon::prelude::*;

use nerode_solver::error::Result;
use nerode_solver::stored::{Answer, Reply, Solution};

pub use chance::Chance;
use model::Effect;
pub use model::{Horizon, TrapModel};
use search::Search;

/// The maximum depth in plies.
pub const MOST_PLIES: u8 = 4;

/// The parameters of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traps {
    /// The model of the fallible side.
    pub model: TrapModel,
    /// The number of plies from the position on. If it is even, the opponent of the side to move is fallible; if it
    /// is odd, the side to move is.
    pub plies: u8,
}

/// A move, and the probability that the fallible side errs after it.
#[derive(Clone, Debug)]
pub struct TrapMove {
    /// The move.
    pub reply: Reply,
    /// The probability that the fallible side errs with or after this move, within the given plies. `None` if a
    /// relevant value is unknown.
    pub goes_wrong: Option<Chance>,
    /// The probability that the fallible side makes this move, if it is to move.
    pub played: Option<Chance>,
}

/// The traps in a position.
#[derive(Clone, Debug)]
pub struct TrapAnswer {
    /// The fallible side.
    pub fallible: Side,
    /// The probability that it errs within the given plies. `None` if a relevant value is unknown.
    pub goes_wrong: Option<Chance>,
    /// All moves, those that keep the value first, with the most demanding one at the beginning.
    pub moves: Vec<TrapMove>,
}

impl Traps {
    /// Returns the traps in the position of `answer`, which is the answer of `solution`.
    ///
    /// Won positions contain no traps for the opponent, because the value of a lost position stays the same for every
    /// move. In such positions, the quickest win comes first. In lost positions, the first move is the one to which
    /// the winner replies wrongly with the highest probability, or, among several, the one that delays the loss
    /// longest.
    ///
    /// Cost: one look-up for every position that keeps the value within the given plies.
    ///
    /// # Errors
    /// Returns [`PlayError::NoDepths`](nerode_solver::error::PlayError::NoDepths) with the distance model if a losing move has no
    /// depth, and the errors of `Solution::query`.
    pub fn of(self, solution: &Solution, answer: &Answer) -> Result<TrapAnswer> {
        let search = Search::new(solution, self.model);
        let side = answer.position().side;
        if self.plies % 2 == 1 {
            return self.of_fallible(&search, answer);
        }
        let trap_of = |reply: &Reply| -> Result<TrapMove> {
            let kept = search.fallible(reply.position(), self.plies.saturating_sub(1))?;
            Ok(TrapMove { reply: reply.clone(), goes_wrong: otherwise(kept), played: None })
        };
        #[cfg(feature = "engine")]
        let replies = answer.moves().par_iter();
        #[cfg(not(feature = "engine"))]
        let replies = answer.moves().iter();
        let mut moves: Vec<TrapMove> = replies.map(trap_of).collect::<Result<_>>()?;
        // The sort is stable, so that equally demanding moves stay in the order of the answer.
        moves.sort_by(|a, b| order(a, b, side));
        let keeping =
            moves.iter().filter(|mv| answer.value().is_some() && mv.reply.value() == answer.value());
        let most = keeping.filter_map(|mv| mv.goes_wrong.clone()).max();
        let none = || answer.moves().is_empty().then(Chance::never);
        Ok(TrapAnswer { fallible: side.other(), goes_wrong: most.or_else(none), moves })
    }

    /// Returns the traps if the side to move is the fallible one.
    fn of_fallible(self, search: &Search<'_>, answer: &Answer) -> Result<TrapAnswer> {
        let side = answer.position().side;
        let effect = |reply: &Reply| search::effect(answer.value(), reply.value(), reply.depth());
        let effects: Vec<Option<Effect>> = answer.moves().iter().map(effect).collect();
        let played = search.chances(&effects)?;
        let mut moves = Vec::with_capacity(effects.len());
        for (at, reply) in answer.moves().iter().enumerate() {
            let goes_wrong = match effects[at] {
                None => None,
                Some(Effect::Keeps) => otherwise(search.perfect(reply.position(), self.plies - 1)?),
                Some(_) => Some(Chance::always()),
            };
            let played = played.as_ref().map(|chances| chances[at].clone());
            moves.push(TrapMove { reply: reply.clone(), goes_wrong, played });
        }
        let mut parts = moves.iter().map(|mv| Some(mv.goes_wrong.as_ref()?.and(mv.played.as_ref()?)));
        let goes_wrong = parts.try_fold(Chance::never(), |sum, part| Some(sum.or(&part?)));
        Ok(TrapAnswer { fallible: side, goes_wrong, moves })
    }
}

fn otherwise(kept: Option<Chance>) -> Option<Chance> {
    kept.map(|kept| kept.otherwise())
}

/// Orders two moves, the better one for `mover` first: by score if there are scores, and then by value. Wins are
/// ordered by depth. Draws are ordered by rank, if draws are ranked, and then by how demanding they are. Losses are
/// ordered by how demanding they are, and then by delay.
fn order(a: &TrapMove, b: &TrapMove, mover: Side) -> Ordering {
    let key = |mv: &TrapMove| {
        let score = mv.reply.score().unwrap_or(0);
        let worse = if mover == Side::P1 { -score } else { score };
        let depth = mv.reply.depth().unwrap_or(0);
        let (group, quick, slow) = match mv.reply.value() {
            Some(Value::Win) => (0, depth, 0),
            Some(Value::Draw) => (1, 0, 0),
            None => (2, 0, 0),
            Some(Value::Loss) => (3, 0, depth),
        };
        ((worse, group, quick), (Reverse(mv.goes_wrong.clone()), Reverse(slow)))
    };
    let (first, second) = (key(a), key(b));
    let ranks = a.reply.draw().zip(b.reply.draw());
    let by_rank = ranks.map_or(Ordering::Equal, |(draw, than)| than.compare(draw));
    first.0.cmp(&second.0).then(by_rank).then(first.1.cmp(&second.1))
}
