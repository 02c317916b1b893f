//! Which method suits a game.

use std::sync::Arc;

use nerode_dfa::Dfa;
use nerode_games::Game;
use nerode_games::morris::rules_of;

use super::engine::Engine;
use super::method::{Chains, Method};
use super::reach::Reach;
use super::resources::Resources;
use super::retrograde::{Level, Retrograde};
use crate::error::{Error, Lack, Result};

/// Refuses games whose positions can only be enumerated from the start.
pub(crate) fn must_be_solvable(game: &dyn Game) -> Result<()> {
    if game.forward_only() {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::BackwardMoves });
    }
    Ok(())
}

/// Refuses a search from the start to the end where play may have none.
pub fn must_end(game: &dyn Game) -> Result<()> {
    if game.may_cycle() {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::End });
    }
    Ok(())
}

/// Positions of a morris game with one side to move beyond which it is solved by sectors and not as sets.
const MOST_MORRIS_POSITIONS: u128 = 1 << 40;

/// The same beyond which sectors are faster by far: five men's morris takes a second by sectors and half a minute as sets.
const MOST_AS_SETS: u128 = 1 << 30;

/// Whether a game is solved by sectors, because it is of the morris family and has too many positions for sets of all of them.
pub fn needs_sectors(game: &dyn Game) -> bool {
    is_morris_beyond(game, MOST_MORRIS_POSITIONS)
}

/// Whether a game is best solved by sectors: sets may solve it too, and take longer.
pub fn suits_sectors(game: &dyn Game) -> bool {
    is_morris_beyond(game, MOST_AS_SETS)
}

fn is_morris_beyond(game: &dyn Game, positions: u128) -> bool {
    let large = game.shape().num_words().is_none_or(|n| n > positions);
    large && rules_of(&game.spec()).is_ok()
}

/// Plies that [`choose`] computes by each method.
const TRIAL_PLIES: u32 = 8;

/// Memory for the trial of retrograde analysis in a game with many terminal words.
const TRIAL_BYTES: u64 = 256 << 20;

/// How many states of W_i and L_i cost as much as one of R_i. Reachable sets are stored, are processed once forward and twice
/// backward, and are less regular.
const REACH_WEIGHT: usize = 30;

/// The method whose sets grow more slowly over the first plies: states of W_i and L_i of both sides against states of R_i.
///
/// Deterministic: it compares numbers of states, not times. A game without reachable moves is retrograde's, and so is one
/// that may go on for ever.
///
/// # Errors
/// Running out of memory; interruption.
pub fn choose(game: Arc<dyn Game>, resources: &Resources) -> Result<Method> {
    must_be_solvable(game.as_ref())?;
    if game.may_cycle() {
        return Ok(Method::Retrograde);
    }
    let mut engine = Engine::in_play(Arc::clone(&game), resources, None)?;
    let mut reach = Reach::new(&engine)?;
    let (mut forward, mut plies) = (0usize, 0);
    for _ in 0..TRIAL_PLIES {
        let went_on = reach.step(&mut engine)?;
        forward = forward.max(reach.set().num_states());
        plies += 1;
        if !went_on {
            break;
        }
    }
    drop(reach);
    let mut engine = match trial_engine(game, engine, resources) {
        Err(error) if error.is_out_of_room() => return Ok(Method::Meet),
        engine => engine?,
    };
    let mut retrograde = Retrograde::new(&engine, Chains::Both);
    for _ in 0..plies {
        if num_states(retrograde.level()) > REACH_WEIGHT * forward {
            return Ok(Method::Meet);
        }
        match retrograde.step(&mut engine) {
            Ok(true) => {}
            Ok(false) => break,
            // Sets over all words that do not even fit at the start: go forward.
            Err(Error::Dfa(nerode_dfa::Error::OutOfMemory { .. })) => return Ok(Method::Meet),
            Err(other) => return Err(other),
        }
    }
    let is_small = num_states(retrograde.level()) <= REACH_WEIGHT * forward;
    Ok(if is_small { Method::Retrograde } else { Method::Meet })
}

/// An engine with sets of all words, made of `engine` where that has them.
///
/// # Errors
/// Running out of memory; of [`TRIAL_BYTES`] in a game that states in several sets where play is over, as it does because one set of
/// all such words may be too large.
fn trial_engine(game: Arc<dyn Game>, engine: Engine, resources: &Resources) -> Result<Engine> {
    if !engine.is_in_play() {
        return Ok(engine);
    }
    drop(engine);
    Engine::new(game, &Resources { memory: resources.memory.min(TRIAL_BYTES), ..resources.clone() }, None)
}

fn num_states(level: &Level) -> usize {
    level.win.iter().chain(&level.loss).map(Dfa::num_states).sum()
}
