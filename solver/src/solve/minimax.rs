//! The score of every position that play reaches, by the plain rules and without sets. The positions of each ply are then stored as
//! those of [`score`](super::score).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nerode_dfa::{Dfa, Letter, ValueMap};
use nerode_games::explicit::apply;
use nerode_games::{Game, Side, side_at};
use nerode_oracle::{ReachedControl, ReachedScores, Step, solve_scores};

use super::progress::{PlyDone, Watch};
use super::resources::Resources;
use super::score::{Codes, ScoredPly, Scores};
use crate::error::{Error, Lack, Result};

/// Computes the scores of all positions that are reachable from the start of `game`, whose play must not repeat positions, on the
/// threads of the current pool.
///
/// Cost: that of [`solve_scores`], and then for each ply one list of words for every score that occurs in it.
///
/// # Errors
/// Returns [`Error::NotForGame`] for a game without scores or one in which play can repeat positions, or an error if memory is
/// exhausted or the computation is interrupted.
pub fn solve(
    game: Arc<dyn Game>,
    resources: &Resources,
    steps: &mut dyn FnMut(Step),
    watch: Watch<'_>,
) -> Result<Scores> {
    let Some(range) = game.scores() else {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::Scores });
    };
    let codes = Codes { least: *range.start() };
    codes.code(*range.end())?;
    let control = ReachedControl {
        memory_limit: resources.memory,
        most_positions: None,
        interrupt: &resources.interrupt,
        progress: steps,
    };
    let scores = solve_scores(game.as_ref(), &game.spec(), control)?;
    let mut level = BTreeSet::from([game.start().0]);
    let mut plies = Vec::new();
    while !level.is_empty() {
        resources.must_go_on()?;
        let ply = plies.len() as u32;
        let side = side_at(game.as_ref(), ply);
        let scored = scored(game.as_ref(), side, &level, &scores, codes, resources)?;
        let (states, positions) = (scored.map.num_states() as u64, scored.positions);
        watch(&PlyDone { phase: "scores", ply, states, positions, undecided: None, bytes: 0 });
        plies.push(scored);
        let mut next = BTreeSet::new();
        for board in level {
            let mut moves = Vec::new();
            game.legal_moves(&board, side, &mut moves);
            next.extend(moves.iter().map(|mv| apply(&board, mv)));
        }
        level = next;
    }
    Ok(Scores { game, codes, plies })
}

/// Returns the positions of a ply with their scores.
fn scored(
    game: &dyn Game,
    side: Side,
    level: &BTreeSet<Vec<u8>>,
    scores: &ReachedScores,
    codes: Codes,
    resources: &Resources,
) -> Result<ScoredPly> {
    let mut by_score: BTreeMap<i32, Vec<Vec<Letter>>> = BTreeMap::new();
    for board in level {
        let unstable = || "its moves change from one call to the next".to_string();
        let score = scores.get(board, side);
        let score = score.ok_or_else(|| Error::Rules { game: game.spec(), reason: unstable() })?;
        by_score.entry(score).or_default().push(game.word_of(board));
    }
    let counts = by_score.iter().map(|(&score, words)| (score, words.len() as u128)).collect();
    // The words whose score is at least the one in each pair.
    let mut words: Vec<Vec<Letter>> = Vec::new();
    let mut highest_first = Vec::new();
    for (score, more) in by_score.into_iter().rev() {
        words.extend(more);
        words.sort_unstable();
        highest_first.push((codes.code(score)?, Dfa::from_sorted_words(game.shape(), &words)?));
    }
    let states = highest_first.last().map_or(0, |(_, all)| all.num_states() as u64);
    let map = ValueMap::from_levels(game.shape(), &highest_first, resources.memory)?;
    Ok(ScoredPly { side, positions: level.len() as u128, states, counts, map })
}
