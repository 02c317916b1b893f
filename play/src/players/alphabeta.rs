//! The player that searches ahead.

use chacha20::ChaCha12Rng;
use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position};
use rand::RngExt;

use super::player::{Chosen, Player, one_of};
use crate::alphabeta::{Budget, Field, MorrisField, PlainField, Search};
use crate::course::Course;
use nerode_solver::error::Result;

/// A player that searches ahead, and starts every game with empty tables.
pub(super) struct AlphaBeta {
    mind: Mind,
    budget: Budget,
    rng: ChaCha12Rng,
}

/// The representation of the game: sets of points for morris games, boards for others.
enum Mind {
    Morris(Box<Search<MorrisField>>),
    Plain,
}

impl AlphaBeta {
    pub(super) fn new(game: &dyn Game, budget: Budget, rng: ChaCha12Rng) -> Self {
        let morris = game.sector_rules().ok().cloned().map(MorrisField::new);
        let mind = morris.map_or(Mind::Plain, |field| Mind::Morris(Box::new(Search::new(field, budget))));
        Self { mind, budget, rng }
    }
}

impl Player for AlphaBeta {
    fn choose(&mut self, course: &Course<'_>) -> Result<Chosen> {
        let (game, at) = (course.game(), course.position());
        let seed: u64 = self.rng.random();
        let chosen = match &mut self.mind {
            Mind::Morris(search) => best(search.as_mut(), course, seed),
            Mind::Plain => best(&mut Search::new(PlainField::new(game), self.budget), course, seed),
        };
        let mut moves = Vec::new();
        game.legal_moves(&at.board, at.side, &mut moves);
        let found = moves.iter().find(|mv| Some(after(at, mv)) == chosen);
        match found {
            Some(mv) => Ok(Chosen::Move(mv.clone())),
            None => one_of(&moves, course, &mut self.rng).map(|mv| Chosen::Move(mv.clone())),
        }
    }
}

fn after(at: &Position, mv: &Move) -> Position {
    Position { board: apply(&at.board, mv), side: at.side.other() }
}

/// Returns the position after the best move.
fn best<F: Field>(search: &mut Search<F>, course: &Course<'_>, seed: u64) -> Option<Position> {
    let past: Vec<u64> = course.positions().map(|at| search.field().key(&search.field().node(at))).collect();
    let node = search.field().node(course.position());
    let found = search.best(&node, &past, seed)?;
    let next = search.field().after(&node, &found.step);
    Some(search.field().position(&next, course.position().side.other()))
}
