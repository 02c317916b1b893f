//! Players that ask a solution.

use std::sync::Arc;

use nerode_games::Value;
use rand::RngExt;
use rand_chacha::ChaCha12Rng;

use super::player::{Chosen, Player, one_of};
use crate::facade::{Reply, Solution};
use crate::play::course::Course;
use crate::play::traps::{TrapModel, TrapMove, Traps};
use nerode_solver::error::Result;

/// Of moves that win, those to the positions that came up least often. Without depths nothing else says whether play comes nearer to
/// the end, and a side that always chooses so wins in the end: where a position came up for ever, each of its winning moves would be
/// made for ever, also the one that shortens the win.
fn rarest<'a, T>(moves: Vec<&'a T>, course: &Course<'_>, reply: impl Fn(&T) -> &Reply) -> Vec<&'a T> {
    let times = |mv: &T| course.positions().filter(|seen| *seen == reply(mv).position()).count();
    let times: Vec<usize> = moves.iter().map(|mv| times(mv)).collect();
    let least = times.iter().min().copied();
    moves.into_iter().zip(times).filter(|(_, times)| Some(*times) == least).map(|(mv, _)| mv).collect()
}

/// Whether a move wins, and nothing says how soon.
fn wins_some_time(reply: &Reply) -> bool {
    reply.value() == Some(Value::Win) && reply.depth().is_none()
}

/// The best moves by value and depth; a random one of several. Wins without depths go where play has been least often.
pub(super) struct Perfect {
    pub(super) solution: Arc<Solution>,
    pub(super) rng: ChaCha12Rng,
}

impl Player for Perfect {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let answer = self.solution.query(course.position())?;
        let key = |reply: &Reply| (reply.score(), reply.value(), reply.depth());
        let best = answer.moves().first();
        let is_equal = |reply: &&Reply| Some(key(reply)) == best.map(key);
        let mut equal: Vec<&Reply> = answer.moves().iter().filter(is_equal).collect();
        if best.is_some_and(wins_some_time) {
            equal = rarest(equal, course, |reply| reply);
        }
        one_of(&equal, course, &mut self.rng).map(|reply| Chosen::Move(reply.mv().clone()))
    }
}

/// The best moves by value, depth and rank of draws. Of several the one that asks most where traps are given, else a random one.
pub(super) struct Ranked {
    pub(super) solution: Arc<Solution>,
    pub(super) traps: Option<Traps>,
    pub(super) rng: ChaCha12Rng,
}

/// Whether two moves from one position are worth the same, draws told apart.
fn is_equal(a: &Reply, b: &Reply) -> bool {
    let draws = a.draw().zip(b.draw());
    (a.score(), a.value(), a.depth()) == (b.score(), b.value(), b.depth())
        && draws.is_none_or(|(a, b)| a.compare(b).is_eq())
}

impl Player for Ranked {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let answer = self.solution.query(course.position())?;
        let best = answer.moves().first();
        let is_best = |reply: &Reply| best.is_some_and(|best| is_equal(reply, best));
        let Some(traps) = self.traps else {
            let equal: Vec<&Reply> = answer.moves().iter().filter(|reply| is_best(reply)).collect();
            return one_of(&equal, course, &mut self.rng).map(|reply| Chosen::Move(reply.mv().clone()));
        };
        let moves = traps.of(&self.solution, &answer)?.moves;
        let asks = |mv: &TrapMove| mv.goes_wrong.clone();
        let most = moves.iter().filter(|mv| is_best(&mv.reply)).map(asks).max();
        let equal: Vec<&TrapMove> =
            moves.iter().filter(|mv| is_best(&mv.reply) && Some(asks(mv)) == most).collect();
        one_of(&equal, course, &mut self.rng).map(|mv| Chosen::Move(mv.reply.mv().clone()))
    }
}

/// Of the moves that keep the value the one that asks most of a fallible opponent; a random one of several. Unless it wins, it goes where
/// play has not been before, while it can: who has seen a trap will see it again.
pub(super) struct Trapping {
    pub(super) solution: Arc<Solution>,
    pub(super) traps: Traps,
    pub(super) rng: ChaCha12Rng,
}

impl Player for Trapping {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let answer = self.solution.query(course.position())?;
        let moves = match answer.value() {
            // Whatever the opponent does, it has lost: there is nothing to find.
            Some(Value::Win) => Traps { plies: 0, ..self.traps }.of(&self.solution, &answer)?.moves,
            _ => self.traps.of(&self.solution, &answer)?.moves,
        };
        let value = |mv: &TrapMove| (mv.reply.score(), mv.reply.value());
        let is_new = |mv: &TrapMove| course.positions().all(|seen| seen != mv.reply.position());
        let keeping = || moves.iter().filter(|mv| Some(value(mv)) == moves.first().map(value));
        let first = match answer.value() {
            Some(Value::Win) => moves.first(),
            _ => keeping().find(|mv| is_new(mv)).or(moves.first()),
        };
        let key = |mv: &TrapMove| (mv.reply.depth(), mv.goes_wrong.clone(), is_new(mv));
        let equal: Vec<&TrapMove> = match first {
            Some(first) if wins_some_time(&first.reply) => {
                rarest(keeping().collect(), course, |mv| &mv.reply)
            }
            _ => keeping().filter(|mv| Some(key(mv)) == first.map(key)).collect(),
        };
        one_of(&equal, course, &mut self.rng).map(|mv| Chosen::Move(mv.reply.mv().clone()))
    }
}

/// Moves as a model of a fallible side says; at random where it says nothing.
pub(super) struct Fallible {
    pub(super) solution: Arc<Solution>,
    pub(super) model: TrapModel,
    pub(super) rng: ChaCha12Rng,
}

impl Player for Fallible {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let answer = self.solution.query(course.position())?;
        let moves = Traps { model: self.model, plies: 1 }.of(&self.solution, &answer)?.moves;
        let mut left: f64 = self.rng.random();
        for mv in &moves {
            let Some(played) = &mv.played else { break };
            left -= played.as_f64();
            if left < 0.0 {
                return Ok(Chosen::Move(mv.reply.mv().clone()));
            }
        }
        one_of(&moves, course, &mut self.rng).map(|mv| Chosen::Move(mv.reply.mv().clone()))
    }
}
