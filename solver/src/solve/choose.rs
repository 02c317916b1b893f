//! Selection of a suitable method for a game.

use std::sync::Arc;

use nerode_dfa::Dfa;
use nerode_games::{Game, SolvedBy};

use super::engine::Engine;
use super::method::{Chains, Method};
use super::reach::Reach;
use super::resources::Resources;
use super::retrograde::{Level, Retrograde};
use crate::error::{Error, Lack, Result};

/// Returns an error for games whose positions can only be enumerated from the start.
pub(crate) fn must_be_solvable(game: &dyn Game) -> Result<()> {
    if game.forward_only() {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::BackwardMoves });
    }
    Ok(())
}

/// Returns an error for a game that may never end, for which a search from the start may not terminate.
pub fn must_end(game: &dyn Game) -> Result<()> {
    if game.may_cycle() {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::End });
    }
    Ok(())
}

/// The number of positions of a morris game with one side to move above which it is solved by sectors instead of as
/// sets.
const MOST_MORRIS_POSITIONS: u128 = 1 << 40;

/// The number of positions above which sectors are much faster: five men's morris takes a second by sectors and half a
/// minute as sets.
const MOST_AS_SETS: u128 = 1 << 30;

/// Returns `true` if a game must be solved by sectors, because it belongs to the morris family and has too many
/// positions for sets of all of them.
pub fn needs_sectors(game: &dyn Game) -> bool {
    has_sectors_beyond(game, MOST_MORRIS_POSITIONS)
}

/// Returns `true` if a game is best solved by sectors. Sets may also be able to solve it, but take longer.
pub fn suits_sectors(game: &dyn Game) -> bool {
    has_sectors_beyond(game, MOST_AS_SETS)
}

fn has_sectors_beyond(game: &dyn Game, positions: u128) -> bool {
    let large = game.shape().num_words().is_none_or(|n| n > positions);
    large && matches!(game.solved_by(), SolvedBy::Sectors(_))
}

/// The numbers of boards between which an endgame is best solved as a table. Smaller ones are solved quickly as sets, and the file of
/// a larger one takes more than half a gigabyte.
const BOARDS_OF_TABLES: std::ops::RangeInclusive<u128> = 1 << 20..=1 << 27;

/// Returns `true` if a game is best solved as a table of all boards: play may begin on any board, so that most of them have to be
/// decided anyway, and their number suits a table.
pub fn suits_table(game: &dyn Game) -> bool {
    game.begins_anywhere() && game.shape().num_words().is_some_and(|n| BOARDS_OF_TABLES.contains(&n))
}

/// The number of plies that [`choose`] computes by each method.
const TRIAL_PLIES: u32 = 8;

/// The memory for the trial of retrograde analysis in a game with many terminal words.
const TRIAL_BYTES: u64 = 256 << 20;

/// The number of states of W_i and L_i that cost as much as one state of R_i. Reachable sets are stored, are processed
/// once forward and twice backward, and are less regular.
const REACH_WEIGHT: usize = 30;

/// Selects the method whose sets grow more slowly over the first plies, by comparing the states of W_i and L_i of both
/// sides with the states of R_i.
///
/// The choice is deterministic, because it compares numbers of states rather than times. Retrograde analysis is chosen
/// for a game without reachable moves and for a game that may never end.
///
/// # Errors
/// Returns an error if memory is exhausted or the computation is interrupted.
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
            // Meet in the middle is chosen if sets over all words do not fit even at the start.
            Err(Error::Dfa(nerode_dfa::Error::OutOfMemory { .. })) => return Ok(Method::Meet),
            Err(other) => return Err(other),
        }
    }
    let is_small = num_states(retrograde.level()) <= REACH_WEIGHT * forward;
    Ok(if is_small { Method::Retrograde } else { Method::Meet })
}

/// Returns an engine with sets over all words, which is `engine` if it has them.
///
/// # Errors
/// Returns an error if memory is exhausted. The limit is [`TRIAL_BYTES`] for a game that describes terminal positions
/// by several sets, because a single set of all such words may be too large.
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
