//! The score of every reached position under best play: P1 maximises and P2 minimises.
//!
//! A position is decided when all its successors are. Play from positions that are never decided can go on forever.

use std::sync::atomic::{AtomicI32, Ordering};

use nerode_games::{ExplicitGame, Side};

use super::control::ReachedControl;
use super::decide::{Numbered, too_large};
use super::packing::{Packing, side_of};
use super::search::{Expanded, Reached, Rules};
use super::shards::Shard;
use super::solution::number_in;
use crate::backward::allocate;
use crate::error::{Error, Result};

/// The scores of the reached positions of a game, from the point of view of P1.
pub struct ReachedScores {
    scored: Box<dyn AnyScored>,
}

impl std::fmt::Debug for ReachedScores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReachedScores").field("positions", &self.num_positions()).finish_non_exhaustive()
    }
}

impl ReachedScores {
    /// Returns the number of positions.
    pub fn num_positions(&self) -> u64 {
        self.scored.num_positions()
    }

    /// Returns the score of a position, or `None` if it is not reached.
    pub fn get(&self, board: &[u8], side: Side) -> Option<i32> {
        self.scored.get(board, side)
    }
}

/// Scores of positions with keys of any number of words.
trait AnyScored: Send + Sync {
    fn num_positions(&self) -> u64;
    fn get(&self, board: &[u8], side: Side) -> Option<i32>;
}

/// The scores of positions, in the order of shards and of the numbers within them.
struct Scored<const N: usize> {
    packing: Packing,
    shards: Vec<Shard<N>>,
    scores: Vec<i32>,
}

impl<const N: usize> AnyScored for Scored<N> {
    fn num_positions(&self) -> u64 {
        self.scores.len() as u64
    }

    fn get(&self, board: &[u8], side: Side) -> Option<i32> {
        self.scores.get(number_in(&self.packing, &self.shards, board, side)?).copied()
    }
}

/// Solves with keys of a fixed number of words.
pub(super) fn scores_with<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    game: &G,
    name: &str,
    packing: Packing,
    mut control: ReachedControl<'_>,
) -> Result<ReachedScores> {
    let mut reached = Reached::<_, N>::new(Rules { game, name, packing, interrupt: control.interrupt });
    reached.search(&mut std::iter::once(game.start()), &mut control)?;
    let arrivals = reached.take_arrivals();
    // The search verified that this number is less than 2^32.
    let count = reached.num_positions() as usize;
    // The score and the side to move.
    let each = size_of::<i32>() + size_of::<bool>();
    let lack = || too_large(&reached, &control, each as u64);
    let maximises = {
        let mut keys = reached.shards.iter().flat_map(|shard| shard.keys.iter());
        allocate(count, || keys.next().is_some_and(|key| side_of(&key) == Side::P1)).ok_or_else(lack)?
    };
    let mut sides = maximises.iter();
    let worst = || AtomicI32::new(if sides.next() == Some(&true) { i32::MIN } else { i32::MAX });
    let scores = allocate(count, worst).ok_or_else(lack)?;
    let numbered = Numbered::new(&reached);
    let ends = std::sync::Mutex::new(Vec::new());
    let at_end = |number: usize, from: &Expanded<'_, N>| {
        let score = game
            .score(from.board)
            .ok_or_else(|| reached.rules.broken(from, "the game is over, but it has no score"))?;
        scores[number].store(score, Ordering::Relaxed);
        // Position numbers are less than 2^32.
        ends.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(number as u32);
        Ok(())
    };
    let backward = numbered.backward(arrivals, each, &at_end, &mut control)?;
    let ends = ends.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let decided = backward.minimax(&scores, &|number| maximises[number as usize], ends, control.interrupt)?;
    if decided < count as u64 {
        let (undecided, num_positions) = (count as u64 - decided, count as u64);
        return Err(Error::Repeats { game: name.to_string(), undecided, num_positions });
    }
    let scores = scores.into_iter().map(AtomicI32::into_inner).collect();
    let Reached { rules, shards, .. } = reached;
    Ok(ReachedScores { scored: Box::new(Scored { packing: rules.packing, shards, scores }) })
}
