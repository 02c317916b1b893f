//! Solutions of rules that are interpreted, because they are long or cannot be compiled to sets.

use std::sync::Arc;

use anyhow::Result;
use nerode_games::Game;
use nerode_oracle::ReachedSolution;
use nerode_rules::rbg::Rulebook;
use nerode_solver::solve::reached::at_most;
use nerode_solver::solve::resources::Resources;

use crate::cli::rules::{VariantArgs, is_rules, rulebook};
use crate::facade::interpreted;

/// The number of actions from which rules are long, so that compiling them takes a while.
const LONG: usize = 1 << 10;

/// A game that the interpreter plays, and the solution of its reached positions.
type Played = (Arc<dyn Game>, ReachedSolution);

/// Returns the solution of rules from a file, without compiling them, if the rules are long and play reaches at most as many
/// positions as the rules have actions: compiling visits every action on every square at which it may occur. Returns `None` if the
/// game is not given by such rules for two players.
pub(in crate::cli) fn uncompiled(name: &str, resources: &Resources) -> Result<Option<Played>> {
    if !is_rules(name) {
        return Ok(None);
    }
    // An error is reported by the compiler, which also shows where it is.
    let Ok(book) = rulebook(name, &VariantArgs::default()) else { return Ok(None) };
    let actions = book.rules().size();
    if actions < LONG { Ok(None) } else { Ok(played(name, &book, actions as u64, resources)?) }
}

/// The number of positions up to which the rules of a game are interpreted if they cannot be compiled and nothing else was requested.
const FEW_POSITIONS: u64 = 1 << 16;

/// Returns the solution of rules that cannot be compiled to sets. Returns `None` if they are not for two players or play reaches
/// too many positions for an answer within seconds.
pub(in crate::cli) fn interpreted_solution(name: &str, resources: &Resources) -> Result<Option<Played>> {
    played(name, &rulebook(name, &VariantArgs::default())?, FEW_POSITIONS, resources)
}

/// Solves rules by the interpreter if play reaches at most `most` positions and the interpreter does not fail.
fn played(name: &str, book: &Rulebook, most: u64, resources: &Resources) -> Result<Option<Played>> {
    let Ok(Some(game)) = interpreted(name, book) else { return Ok(None) };
    let solution = resources.pool()?.install(|| at_most(game.as_ref(), most, resources))?;
    Ok(solution.filter(|_| game.failure().is_none()).map(|solution| (game as Arc<dyn Game>, solution)))
}
