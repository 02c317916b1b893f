//! Traps: how likely a fallible opponent goes wrong, move by move, and the move that asks most of it.
//!
//! A side that never goes wrong plays against one that does. A move of the fallible side *keeps* the value if the position is worth
//! as much afterwards. With p_j for the chance that it makes its move j, the chance that it keeps the value for n plies is
//!
//! ```text
//! P(0) = 1
//! P(n) = sum over its moves j that keep the value of p_j P(n - 1 after j)     where the fallible side moves
//! P(n) = min over the moves i that keep the value of P(n - 1 after i)         where the other side moves
//! ```
//!
//! (Lincke, *Perfect Play using Nine Men's Morris as an Example*, section 10.) Where the game is over, P is 1. All chances are exact
//! fractions.

mod chance;
mod model;
mod search;

use std::cmp::{Ordering, Reverse};

use nerode_games::{Side, Value};
use rayon::prelude::*;

use crate::facade::{Answer, Reply, Solution};
use nerode_solver::error::Result;

pub use chance::Chance;
use model::Effect;
pub use model::{Horizon, TrapModel};
use search::Search;

/// Plies that are looked at in the end.
pub const MOST_PLIES: u8 = 4;

/// Which play is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traps {
    /// How the fallible side chooses.
    pub model: TrapModel,
    /// Plies from the position on. With an even number the opponent of the side to move is fallible; with an odd one the side to
    /// move is.
    pub plies: u8,
}

/// A move, and how likely the fallible side goes wrong once it is made.
#[derive(Clone, Debug)]
pub struct TrapMove {
    /// The move.
    pub reply: Reply,
    /// The chance that the fallible side has gone wrong after this move, or with it, within the plies. `None` where a value that
    /// counts is not known.
    pub goes_wrong: Option<Chance>,
    /// The chance that a fallible side makes this move, where it is to move.
    pub played: Option<Chance>,
}

/// What is known of the traps in a position.
#[derive(Clone, Debug)]
pub struct TrapAnswer {
    /// The side that goes wrong now and then.
    pub fallible: Side,
    /// The chance that it goes wrong within the plies. `None` where a value that counts is not known.
    pub goes_wrong: Option<Chance>,
    /// Every move: that which asks most first, among those that keep the value.
    pub moves: Vec<TrapMove>,
}

impl Traps {
    /// The traps in the position of `answer`, which is what `solution` says of it.
    ///
    /// Won positions have none for the opponent: whatever a side that has lost does, its value stays. The quickest win comes first
    /// there. In lost positions the move comes first that the winner answers wrongly most often; of several the one that delays longest.
    ///
    /// Cost: a look-up for every position within so many plies that keeps the value.
    ///
    /// # Errors
    /// [`PlayError::NoDepths`](crate::PlayError::NoDepths) with the distance model where a losing move has no depth; those of
    /// [`Solution::query`].
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
        let mut moves: Vec<TrapMove> = answer.moves().par_iter().map(trap_of).collect::<Result<_>>()?;
        // Stable, so that moves that ask as much stay in the order of the answer.
        moves.sort_by(|a, b| order(a, b, side));
        let keeping =
            moves.iter().filter(|mv| answer.value().is_some() && mv.reply.value() == answer.value());
        let most = keeping.filter_map(|mv| mv.goes_wrong.clone()).max();
        let none = || answer.moves().is_empty().then(Chance::never);
        Ok(TrapAnswer { fallible: side.other(), goes_wrong: most.or_else(none), moves })
    }

    /// The same where the side to move is the fallible one.
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

/// Less for the better move of `mover`: by score where there are scores, then by value; of wins the quick ones; of draws those of greater
/// rank, where draws are told apart, and then those that ask most; of losses those that ask most and then those that delay.
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
