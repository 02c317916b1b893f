//! The probabilities of a position, computed from the values of its successors.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use nerode_games::explicit::apply;
use nerode_games::{Position, Value};

use super::chance::Chance;
use super::model::{Effect, TrapModel};
use nerode_solver::error::{PlayError, Result};
use nerode_solver::stored::Solution;

/// The maximum number of positions whose probabilities are cached.
const MOST_KEPT: usize = 1 << 20;

/// A search for probabilities, which caches the expensive ones because different move orders reach the same position.
pub(super) struct Search<'a> {
    solution: &'a Solution,
    model: TrapModel,
    kept: Mutex<HashMap<(Position, u8), Option<Chance>>>,
}

/// Returns the effect of a move from a position of value `before` to one of value `after`, for the side that makes
/// it. `None` if it is unknown.
pub(super) fn effect(before: Option<Value>, after: Option<Value>, depth: Option<u32>) -> Option<Effect> {
    Some(match (before?, after?) {
        (before, after) if after >= before => Effect::Keeps,
        (_, Value::Loss) => Effect::Loses(depth),
        _ => Effect::Draws,
    })
}

impl<'a> Search<'a> {
    pub(super) fn new(solution: &'a Solution, model: TrapModel) -> Self {
        Self { solution, model, kept: Mutex::default() }
    }

    /// Returns the probabilities with which a fallible side makes each of its moves, given their effects. Returns
    /// `None` if one of them is unknown.
    pub(super) fn chances(&self, effects: &[Option<Effect>]) -> Result<Option<Vec<Chance>>> {
        let Some(effects) = effects.iter().copied().collect::<Option<Vec<Effect>>>() else { return Ok(None) };
        let weights = self.weights(&effects)?;
        let sum: u64 = weights.iter().sum();
        Ok(Some(weights.into_iter().map(|weight| Chance::of(weight, sum.max(1))).collect()))
    }

    /// Returns the weight of each move. At least one move keeps the value of a position and has a positive weight.
    fn weights(&self, effects: &[Effect]) -> Result<Vec<u64>> {
        let weight = |&effect: &Effect| self.model.weight(effect);
        let no_depths = || PlayError::NoDepths { game: self.solution.game().spec() };
        Ok(effects.iter().map(weight).collect::<Option<_>>().ok_or_else(no_depths)?)
    }

    /// Returns the probability that the value is kept for `plies` plies if the fallible side is to move.
    pub(super) fn fallible(&self, position: &Position, plies: u8) -> Result<Option<Chance>> {
        if plies == 0 {
            return Ok(Some(Chance::always()));
        }
        self.remembered(position, plies, |search| search.find_fallible(position, plies))
    }

    fn find_fallible(&self, position: &Position, plies: u8) -> Result<Option<Chance>> {
        let before = self.solution.look_up(position)?.value();
        let next = self.after(position);
        let mut effects = Vec::with_capacity(next.len());
        for after in &next {
            let found = self.solution.look_up(after)?.seen_by_mover();
            let Some(effect) = effect(before, found.value(), found.depth()) else { return Ok(None) };
            effects.push(effect);
        }
        if effects.is_empty() {
            return Ok(before.map(|_| Chance::always()));
        }
        let weights = self.weights(&effects)?;
        let sum: u64 = weights.iter().sum();
        let keeping = (0..next.len()).filter(|&at| effects[at] == Effect::Keeps);
        if plies <= 2 {
            return Ok(Some(Chance::of(keeping.map(|at| weights[at]).sum(), sum)));
        }
        let mut kept = Chance::never();
        for at in keeping {
            let Some(later) = self.perfect(&next[at], plies - 1)? else { return Ok(None) };
            kept = kept.or(&Chance::of(weights[at], sum).and(&later));
        }
        Ok(Some(kept))
    }

    /// Returns the probability that the value is kept for `plies` plies if the other side is to move. It makes the
    /// move with the lowest such probability among those that are known to keep the value.
    pub(super) fn perfect(&self, position: &Position, plies: u8) -> Result<Option<Chance>> {
        if plies <= 1 {
            return Ok(Some(Chance::always()));
        }
        self.remembered(position, plies, |search| search.find_perfect(position, plies))
    }

    fn find_perfect(&self, position: &Position, plies: u8) -> Result<Option<Chance>> {
        let Some(before) = self.solution.look_up(position)?.value() else { return Ok(None) };
        let next = self.after(position);
        if next.is_empty() {
            return Ok(Some(Chance::always()));
        }
        let mut least: Option<Chance> = None;
        for after in &next {
            if self.solution.look_up(after)?.seen_by_mover().value() != Some(before) {
                continue;
            }
            let Some(kept) = self.fallible(after, plies - 1)? else { return Ok(None) };
            let is_never = kept.is_never();
            least = Some(least.map_or_else(|| kept.clone(), |least| least.min(kept.clone())));
            if is_never {
                break;
            }
        }
        Ok(least)
    }

    fn remembered(
        &self,
        position: &Position,
        plies: u8,
        find: impl FnOnce(&Self) -> Result<Option<Chance>>,
    ) -> Result<Option<Chance>> {
        let key = (position.clone(), plies);
        if let Some(kept) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(kept.clone());
        }
        let found = find(self)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MOST_KEPT {
            kept.insert(key, found.clone());
        }
        Ok(found)
    }

    /// Returns the positions after each move.
    fn after(&self, position: &Position) -> Vec<Position> {
        let mut moves = Vec::new();
        self.solution.game().legal_moves(&position.board, position.side, &mut moves);
        let side = position.side.other();
        moves.iter().map(|mv| Position { board: apply(&position.board, mv), side }).collect()
    }
}
