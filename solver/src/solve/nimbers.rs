//! The nimbers of impartial games under normal play, as sets of positions.
//!
//! In an impartial game, both sides have the same moves; under normal play, a side without a move has lost. The nimber of a
//! position is the least number that is not the nimber of a position after a move. Let G(k) be the set of positions of nimber k,
//! and U(k) that of all positions whose nimber is at least k. U(0) contains the positions that moves lead to from the start. Then
//!
//! ```text
//! G(k)   = { p ∈ U(k) : no move leads from p into G(k) }
//! U(k+1) = U(k) ∩ preimage(G(k))
//! ```
//! G(k) is therefore the set of lost positions of the game that is played within U(k) alone, in which a side without a move
//! within U(k) has lost. It is found by retrograde analysis, with the same images as any other game:
//!
//! ```text
//! L ← U \ preimage(U);   W ← U ∩ preimage(L);   L ← U \ preimage(U \ W);   and so on, until L stays the same
//! ```

use std::sync::Arc;

use nerode_dfa::Dfa;
use nerode_games::{Game, Side};

use super::engine::Engine;
use super::operand::Operand;
use super::progress::{PlyDone, Watch};
use super::resources::Resources;
use crate::error::{Error, Lack, Result};

/// The positions of an impartial game by their nimbers.
pub struct Nimbers {
    /// The game.
    pub game: Arc<dyn Game>,
    /// G(0), G(1), ... up to the greatest nimber that occurs. Together they contain once every position that moves lead to
    /// from the start.
    pub sets: Vec<Dfa>,
}

impl Nimbers {
    /// Returns the nimber of a position, or `None` if no moves lead to it from the start.
    ///
    /// Cost: one look-up in each set up to that of the position.
    pub fn get(&self, board: &[u8]) -> Option<usize> {
        let word = self.game.word_of(board);
        self.sets.iter().position(|set| set.contains(&word))
    }
}

/// Computes the nimbers of `game`. `watch` is called after every ply of the search for positions, and after every pair of images,
/// with the positions that have a nimber by then.
///
/// The moves of both sides are compared in every set that occurs, which proves that the nimbers hold whichever side is to move.
///
/// Cost: two images for every ply of the longest play, and two more for every two plies of the longest play among the positions of
/// each nimber and the greater ones.
///
/// # Errors
/// Returns [`Error::NotForGame`] if the game is not impartial, is not played under normal play, or can repeat positions; or an
/// error if memory is exhausted or the computation is interrupted.
pub fn solve(game: Arc<dyn Game>, resources: &Resources, watch: Watch<'_>) -> Result<Nimbers> {
    let mut solver = Solver {
        engine: Engine::new(Arc::clone(&game), resources, None)?,
        resources,
        watch,
        plies: 0,
        decided: 0,
    };
    let sets = solver.sets()?;
    Ok(Nimbers { game, sets })
}

struct Solver<'a> {
    engine: Engine,
    resources: &'a Resources,
    watch: Watch<'a>,
    /// The number of iterations so far.
    plies: u32,
    /// The number of positions in the sets so far.
    decided: u128,
}

impl Solver<'_> {
    fn sets(&mut self) -> Result<Vec<Dfa>> {
        let reached = self.positions()?;
        for side in Side::BOTH {
            self.must_be_normal_play(&reached[side.index()], side)?;
        }
        let mut open = self.engine.combine(&[&reached[0], &reached[1]], |x| x[0] || x[1])?;
        let mut sets = Vec::new();
        while !open.is_empty() {
            let (lost, won) = self.alone(&open)?;
            let undecided = self.engine.combine(&[&open, &lost, &won], |x| x[0] && !x[1] && !x[2])?;
            let of_other_side = self.moving(&lost, &open, Side::P2)?;
            if !undecided.is_empty() || of_other_side != won {
                return Err(self.refused());
            }
            self.decided += lost.count()?;
            sets.push(lost);
            open = won;
        }
        Ok(sets)
    }

    /// Returns the positions that moves lead to from the start, by the side to move.
    fn positions(&mut self) -> Result<[Dfa; 2]> {
        let game = &self.engine.game;
        let (board, mut side) = game.start();
        let mut new = Dfa::from_sorted_words(game.shape(), &[game.word_of(&board)])?;
        let mut reached = [Dfa::empty(game.shape()), Dfa::empty(game.shape())];
        while !new.is_empty() {
            let own = self.engine.combine(&[&reached[side.index()], &new], |x| x[0] || x[1])?;
            self.tell("positions", &own, own.count()?)?;
            reached[side.index()] = own;
            let there = reached[side.other().index()].clone();
            let [after, of_other_side] = [side, side.other()]
                .map(|mover| self.engine.image(Operand::from(&new, mover), &[&there], |x, s| x && !s[0]));
            new = after?;
            // Most games in which the sides move differently are refused here, before they are searched to the end.
            if of_other_side? != new {
                return Err(self.refused());
            }
            side = side.other();
        }
        self.plies = 0;
        Ok(reached)
    }

    /// Checks that the game is over exactly in those positions of `reached`, with `side` to move, that have no move, and that these
    /// are lost.
    fn must_be_normal_play(&mut self, reached: &Dfa, side: Side) -> Result<()> {
        let full = Dfa::full(reached.shape());
        let terminal = self.engine.terminal(side).clone();
        let stuck = self.engine.image(Operand::into(&full, side), &[reached], |x, s| s[0] && !x)?;
        let lost = self.engine.combine(&[reached, &terminal.loss], |x| x[0] && x[1])?;
        let over = self.engine.combine(&[reached, &terminal.all], |x| x[0] && x[1])?;
        if stuck != lost || stuck != over {
            return Err(self.refused());
        }
        Ok(())
    }

    /// Returns the lost and the won positions of the game that is played within `open` alone.
    fn alone(&mut self, open: &Dfa) -> Result<(Dfa, Dfa)> {
        let mut won = Dfa::empty(open.shape());
        let mut lost = won.clone();
        loop {
            let escapes = self.engine.combine(&[open, &won], |x| x[0] && !x[1])?;
            let more = self.engine.image(Operand::into(&escapes, Side::P1), &[open], |x, s| s[0] && !x)?;
            if more == lost {
                return Ok((lost, won));
            }
            lost = more;
            won = self.moving(&lost, open, Side::P1)?;
            self.tell("nimbers", &lost, self.decided + lost.count()?)?;
        }
    }

    fn tell(&mut self, phase: &'static str, set: &Dfa, positions: u128) -> Result<()> {
        self.resources.must_go_on()?;
        let (states, bytes) = (set.num_states() as u64, self.engine.bytes());
        (self.watch)(&PlyDone { phase, ply: self.plies, states, positions, undecided: None, bytes });
        self.plies += 1;
        Ok(())
    }

    /// Returns the positions of `open` from which `side` can move into `lost`.
    fn moving(&mut self, lost: &Dfa, open: &Dfa, side: Side) -> Result<Dfa> {
        self.engine.image(Operand::into(lost, side), &[open], |x, s| x && s[0])
    }

    fn refused(&self) -> Error {
        Error::NotForGame { game: self.engine.game.spec(), lack: Lack::Nimbers }
    }
}
