//! Games with scores: the score of every reachable position under best play, where P1 maximises and P2 minimises.
//!
//! Let S(t) be the set of words whose score would be at least t if the game were over, and V(i,t) the set of positions
//! of R(i) from which P1 can obtain at least t:
//!
//! ```text
//! V(i,t) = R(i) ∩ (T ∩ S(t)  ∪  ¬T ∩ preimage(V(i+1,t)))             P1 to move
//! V(i,t) = R(i) ∩ (T ∩ S(t)  ∪  ¬T \ preimage(R(i+1) \ V(i+1,t)))    P2 to move
//! ```
//! Each ply is completed for all t before the previous ply is begun. Its sets are then combined into one automaton that
//! yields the score.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use nerode_dfa::{Dfa, Store, ValueMap};
use nerode_games::explicit::apply;
use nerode_games::side_at;
use nerode_games::{Game, Move, Position, Side};

use super::progress::{PlyDone, Watch};
use crate::error::{Error, Lack, Result};
use crate::solve::engine::Engine;
use crate::solve::operand::Operand;
use crate::solve::reach::Reach;
use crate::solve::resources::Resources;

/// The reachable positions of one ply with their scores.
#[derive(Clone, Debug)]
pub struct ScoredPly {
    /// The side to move.
    pub side: Side,
    /// The number of positions.
    pub positions: u128,
    /// The number of states of the set of positions.
    pub states: u64,
    /// The number of positions for each score.
    pub counts: BTreeMap<i32, u128>,
    /// The score of every position, encoded as described by [`Codes`].
    pub map: ValueMap,
}

/// The encoding of scores in a [`ValueMap`]: 0 for words that are not positions of the ply, and otherwise 1 + score -
/// least score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// The least score of the game.
    pub least: i32,
}

impl Codes {
    pub(super) fn code(self, score: i32) -> Result<u16> {
        u16::try_from(i64::from(score) - i64::from(self.least) + 1).map_err(|_| Error::Unrepresentable {
            what: format!("a score of {score}"),
            format: "a value map",
            limit: format!("codes for {} scores, the least of them {}", u16::MAX, self.least),
        })
    }

    /// Returns the score of a code, or `None` for 0.
    pub fn score(self, code: u16) -> Option<i32> {
        code.checked_sub(1).map(|above| self.least + i32::from(above))
    }
}

/// The scores of a game.
pub struct Scores {
    /// The game.
    pub game: Arc<dyn Game>,
    /// The encoding of the scores.
    pub codes: Codes,
    /// The plies from the start to the end of the game.
    pub plies: Vec<ScoredPly>,
}

impl Scores {
    /// Returns the score of a position of the given ply, or `None` if it is not a position of that ply.
    pub fn get(&self, ply: usize, board: &[u8]) -> Option<i32> {
        let map = &self.plies.get(ply)?.map;
        self.codes.score(map.get(&self.game.word_of(board)))
    }

    /// Returns a line of best play from the start. At each position, it continues with the first move that preserves
    /// the score.
    pub fn line(&self) -> (Vec<(Position, Move)>, Position) {
        let (board, side) = self.game.start();
        let mut position = Position { board, side };
        let mut line = Vec::new();
        for ply in 0..self.plies.len() {
            let score = self.get(ply, &position.board);
            let mut moves = Vec::new();
            self.game.legal_moves(&position.board, position.side, &mut moves);
            let keeps = |mv: &Move| self.get(ply + 1, &apply(&position.board, mv)) == score;
            let Some(mv) = moves.into_iter().find(keeps) else { break };
            let next = Position { board: apply(&position.board, &mv), side: position.side.other() };
            line.push((std::mem::replace(&mut position, next), mv));
        }
        (line, position)
    }
}

/// Computes the scores of all positions that are reachable from the start of `game`.
///
/// Cost: the forward search, and then for each ply one image for every score that distinguishes positions of later
/// plies. The memory contains all R(i), and the sets of two plies for all scores.
///
/// # Errors
/// Returns [`Error::NotForGame`] for a game without scores, or an error if memory is exhausted or the computation is
/// interrupted.
pub fn solve(game: Arc<dyn Game>, resources: &Resources, watch: Watch<'_>) -> Result<Scores> {
    let Some(range) = game.scores() else {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::Scores });
    };
    let mut engine = Engine::new(Arc::clone(&game), resources, None)?;
    let codes = Codes { least: *range.start() };
    codes.code(*range.end())?;
    let at_least = thresholds(game.as_ref(), range, engine.room())?;
    let mut solver = Solver { engine, at_least, codes, watch };
    let reached = solver.forward()?;
    let plies = solver.backward(reached)?;
    Ok(Scores { game, codes, plies })
}

/// Returns `(t, S(t))` for every score except the least, in ascending order.
fn thresholds(game: &dyn Game, range: RangeInclusive<i32>, memory: u64) -> Result<Vec<(i32, Dfa)>> {
    let mut store = Store::new(game.shape().clone(), memory)?;
    let mut all = Vec::new();
    for least in range.skip(1) {
        let set = game.score_at_least(&mut store, least)?;
        all.push((least, store.freeze(&set)));
    }
    Ok(all)
}

struct Solver<'a> {
    engine: Engine,
    at_least: Vec<(i32, Dfa)>,
    codes: Codes,
    watch: Watch<'a>,
}

impl Solver<'_> {
    /// Returns R(0), R(1), ... up to the last ply.
    fn forward(&mut self) -> Result<Vec<Dfa>> {
        let mut reach = Reach::new(&self.engine)?;
        let mut all = Vec::new();
        loop {
            self.ply_done("forward", reach.ply(), reach.set(), reach.set().num_states())?;
            all.push(reach.set().clone());
            if !reach.step(&mut self.engine)? {
                return Ok(all);
            }
        }
    }

    fn ply_done(&mut self, phase: &'static str, ply: u32, set: &Dfa, states: usize) -> Result<()> {
        let (bytes, positions) = (self.engine.bytes(), set.count()?);
        (self.watch)(&PlyDone { phase, ply, states: states as u64, positions, undecided: None, bytes });
        Ok(())
    }

    fn backward(&mut self, mut reached: Vec<Dfa>) -> Result<Vec<ScoredPly>> {
        let nothing = Dfa::empty(self.engine.game.shape());
        let mut after = (nothing.clone(), vec![nothing; self.at_least.len()]);
        let mut plies = Vec::new();
        while let Some(all) = reached.pop() {
            let ply = reached.len() as u32;
            let side = side_at(self.engine.game.as_ref(), ply);
            let levels = self.levels(&all, side, &after.0, &after.1)?;
            let scored = self.scored(&all, side, &levels)?;
            self.ply_done("scores", ply, &all, scored.map.num_states())?;
            plies.push(scored);
            after = (all, levels);
        }
        plies.reverse();
        Ok(plies)
    }

    /// Computes V(i,t) for every t from R(i + 1) and V(i + 1,t).
    fn levels(&mut self, all: &Dfa, side: Side, next: &Dfa, next_levels: &[Dfa]) -> Result<Vec<Dfa>> {
        let terminal = self.engine.terminal(side).all.clone();
        let over = self.engine.combine(&[all, &terminal], |x| x[0] && x[1])?;
        let mut levels: Vec<Dfa> = Vec::new();
        let mut over_before: Option<Dfa> = None;
        for t in 0..self.at_least.len() {
            let reached = self.at_least[t].1.clone();
            let over_now = self.engine.combine(&[&over, &reached], |x| x[0] && x[1])?;
            // If no position separates the two scores, the sets are the same.
            let same =
                t > 0 && over_before.as_ref() == Some(&over_now) && next_levels[t] == next_levels[t - 1];
            let level = match levels.last() {
                Some(before) if same => before.clone(),
                _ => self.level([all, &terminal, &over_now], side, next, &next_levels[t])?,
            };
            levels.push(level);
            over_before = Some(over_now);
        }
        Ok(levels)
    }

    fn level(
        &mut self,
        [all, terminal, over]: [&Dfa; 3],
        side: Side,
        next: &Dfa,
        level: &Dfa,
    ) -> Result<Dfa> {
        let sides = [all, terminal, over];
        match side {
            Side::P1 => {
                let into = |x: bool, s: &[bool]| if s[1] { s[2] } else { s[0] && x };
                self.engine.image(Operand::into(level, side), &sides, into)
            }
            Side::P2 => {
                let others = self.engine.combine(&[next, level], |x| x[0] && !x[1])?;
                let kept = |x: bool, s: &[bool]| if s[1] { s[2] } else { s[0] && !x };
                self.engine.image(Operand::into(&others, side), &sides, kept)
            }
        }
    }

    fn scored(&mut self, all: &Dfa, side: Side, levels: &[Dfa]) -> Result<ScoredPly> {
        let scores = [self.codes.least].into_iter().chain(self.at_least.iter().map(|(t, _)| *t));
        let sets: Vec<(i32, &Dfa)> = scores.zip([all].into_iter().chain(levels)).collect();
        let mut counts = BTreeMap::new();
        let mut highest_first = Vec::new();
        let mut above = 0;
        for &(score, set) in sets.iter().rev() {
            let count = set.count()?;
            if count > above {
                counts.insert(score, count - above);
                highest_first.push((self.codes.code(score)?, set.clone()));
            }
            above = count;
        }
        let map = ValueMap::from_levels(all.shape(), &highest_first, self.engine.room())?;
        Ok(ScoredPly { side, positions: above, states: all.num_states() as u64, counts, map })
    }
}
