//! Players that query a solution.

use std::sync::Arc;

use chacha20::ChaCha12Rng;
use nerode_games::Value;
use rand::RngExt;

use super::player::{Chosen, Player, one_of};
use crate::course::Course;
use crate::traps::{TrapModel, TrapMove, Traps};
use nerode_solver::error::Result;
use nerode_solver::stored::{Reply, Solution};

/// Returns those of the winning moves that lead to the positions that have occurred least often. Without depths,
/// nothing else shows whether play approaches the end. A side that always chooses in this way wins eventually: if a
/// position occurred infinitely often, each of its winning moves would be made infinitely often, including the one
/// that shortens the win.
fn rarest<'a, T>(moves: Vec<&'a T>, course: &Course<'_>, reply: impl Fn(&T) -> &Reply) -> Vec<&'a T> {
    let times = |mv: &T| course.positions().filter(|seen| *seen == reply(mv).position()).count();
    let times: Vec<usize> = moves.iter().map(|mv| times(mv)).collect();
    let least = times.iter().min().copied();
    moves.into_iter().zip(times).filter(|(_, times)| Some(*times) == least).map(|(mv, _)| mv).collect()
}

/// Returns `true` if a move wins and its depth is unknown.
fn wins_some_time(reply: &Reply) -> bool {
    reply.value() == Some(Value::Win) && reply.depth().is_none()
}

/// A player of the best moves by value and depth, which chooses randomly among several. For wins without depths, it
/// chooses the position that has occurred least often.
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

/// A player of the best moves by value, depth and rank of draws. Among several, it chooses the most demanding one if
/// traps are given, and otherwise a random one.
pub(super) struct Ranked {
    pub(super) solution: Arc<Solution>,
    pub(super) traps: Option<Traps>,
    pub(super) rng: ChaCha12Rng,
}

/// Returns `true` if two moves from one position are equally good, including the ranks of draws.
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

/// A player of the most demanding of the moves that keep the value against a fallible opponent, which chooses
/// randomly among several. Unless it wins, it prefers new positions, because an opponent who has seen a trap will
/// recognise it again.
pub(super) struct Trapping {
    pub(super) solution: Arc<Solution>,
    pub(super) traps: Traps,
    pub(super) rng: ChaCha12Rng,
}

impl Player for Trapping {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let answer = self.solution.query(course.position())?;
        let moves = match answer.value() {
            // The opponent has already lost, so there are no traps.
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

/// A player that follows a model of a fallible side, and plays randomly if the model does not apply.
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
