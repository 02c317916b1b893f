//! Games with scores: the score of every reachable position under best play, P1 for more and P2 for less.
//!
//! With S(t) the words whose score, were the game over, is at least t, and V(i,t) the positions of R(i) from which P1 can get t or
//! more:
//!
//! ```text
//! V(i,t) = R(i) ∩ (T ∩ S(t)  ∪  ¬T ∩ preimage(V(i+1,t)))             P1 to move
//! V(i,t) = R(i) ∩ (T ∩ S(t)  ∪  ¬T \ preimage(R(i+1) \ V(i+1,t)))    P2 to move
//! ```
//! A ply is finished for all t before the one before it is begun; its sets then become one automaton that gives the score.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use nerode_dfa::{Dfa, Store, ValueMap};
use nerode_games::explicit::apply;
use nerode_games::{Game, Move, Position, Side};

use super::progress::{PlyDone, Watch};
use crate::error::{Error, Lack, Result};
use crate::solve::engine::Engine;
use crate::solve::moved::Moved;
use crate::solve::reach::{Reach, side_at};
use crate::solve::resources::Resources;

/// The reachable positions of one ply.
#[derive(Clone, Debug)]
pub struct ScoredPly {
    /// Who moves.
    pub side: Side,
    /// Number of positions.
    pub positions: u128,
    /// States of the set of the positions.
    pub states: u64,
    /// Positions by their score.
    pub counts: BTreeMap<i32, u128>,
    /// The score of every position, as [`Codes`] say.
    pub map: ValueMap,
}

/// Scores as codes of a [`ValueMap`]: 0 for words that are no position of the ply, else 1 + score - least score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// The least score that the game has.
    pub least: i32,
}

impl Codes {
    fn code(self, score: i32) -> Result<u16> {
        u16::try_from(i64::from(score) - i64::from(self.least) + 1).map_err(|_| Error::Unrepresentable {
            what: format!("a score of {score}"),
            format: "a value map",
            limit: format!("codes for {} scores, the least of them {}", u16::MAX, self.least),
        })
    }

    /// The score of a code; `None` for 0.
    pub fn score(self, code: u16) -> Option<i32> {
        code.checked_sub(1).map(|above| self.least + i32::from(above))
    }
}

/// The scores of a game.
pub struct Scores {
    /// The game.
    pub game: Arc<dyn Game>,
    /// What codes stand for.
    pub codes: Codes,
    /// Ply by ply from the start to the end of the game.
    pub plies: Vec<ScoredPly>,
}

impl Scores {
    /// The score of a position of that ply; `None` where it is none.
    pub fn get(&self, ply: usize, board: &[u8]) -> Option<i32> {
        let map = &self.plies.get(ply)?.map;
        self.codes.score(map.get(&self.game.word_of(board)))
    }

    /// Best play from the start: each time the first move that keeps the score.
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

/// The scores of all positions that can be reached from the start of `game`.
///
/// Cost: the forward search, then for each ply one image for every score that tells positions of later plies apart. Memory: all
/// R(i), and the sets of two plies for all scores.
///
/// # Errors
/// [`Error::NotForGame`] for a game without scores; running out of memory; interruption.
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

/// `(t, S(t))` for every score but the least, ascending.
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
    /// R(0), R(1), ... to the last ply.
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
        (self.watch)(&PlyDone { phase, ply, states: states as u64, positions, bytes });
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

    /// V(i,t) for every t, from R(i + 1) and V(i + 1,t).
    fn levels(&mut self, all: &Dfa, side: Side, next: &Dfa, next_levels: &[Dfa]) -> Result<Vec<Dfa>> {
        let ended = self.engine.ended(side).all.clone();
        let over = self.engine.combine(&[all, &ended], |x| x[0] && x[1])?;
        let mut levels: Vec<Dfa> = Vec::new();
        let mut over_before: Option<Dfa> = None;
        for t in 0..self.at_least.len() {
            let reached = self.at_least[t].1.clone();
            let over_now = self.engine.combine(&[&over, &reached], |x| x[0] && x[1])?;
            // Nothing between the two scores: the same positions get this one.
            let same =
                t > 0 && over_before.as_ref() == Some(&over_now) && next_levels[t] == next_levels[t - 1];
            let level = match levels.last() {
                Some(before) if same => before.clone(),
                _ => self.level([all, &ended, &over_now], side, next, &next_levels[t])?,
            };
            levels.push(level);
            over_before = Some(over_now);
        }
        Ok(levels)
    }

    fn level(&mut self, [all, ended, over]: [&Dfa; 3], side: Side, next: &Dfa, level: &Dfa) -> Result<Dfa> {
        let sides = [all, ended, over];
        match side {
            Side::P1 => {
                let into = |x: bool, s: &[bool]| if s[1] { s[2] } else { s[0] && x };
                self.engine.image(Moved::into(level, side), &sides, into)
            }
            Side::P2 => {
                let others = self.engine.combine(&[next, level], |x| x[0] && !x[1])?;
                let kept = |x: bool, s: &[bool]| if s[1] { s[2] } else { s[0] && !x };
                self.engine.image(Moved::into(&others, side), &sides, kept)
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
