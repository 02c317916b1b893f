//! The iteration over plies, which decides which sets of the next level are computed.

use std::sync::OnceLock;

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::at_once::AtOnce;
use super::steps::{Growth, Input, loss_step, win_step};
use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::method::Chains;

/// `W_i` and `L_i` of both sides. The sets of a chain that is not computed remain those of level 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// `win[p]`: positions with p to move that p wins within i plies.
    pub win: [Dfa; 2],
    /// `loss[p]`: positions with p to move that p loses within i plies.
    pub loss: [Dfa; 2],
}

/// The positions that the last step added to each set, where known.
type News = [Option<Dfa>; 2];

/// The iteration from `W_0`, `L_0` to the fixpoint.
pub struct Retrograde {
    chains: Chains,
    ply: u32,
    now: Level,
    /// The previous level, which shows what is new.
    before: Option<Level>,
    new_wins: News,
    new_losses: News,
    at_once: [OnceLock<AtOnce>; 2],
}

impl Retrograde {
    /// Starts at level 0, which consists of the terminal sets.
    pub fn new(engine: &Engine, chains: Chains) -> Self {
        let win = Side::BOTH.map(|p| engine.terminal(p).win.clone());
        let loss = Side::BOTH.map(|p| engine.terminal(p).loss.clone());
        Self::resume(chains, 0, Level { win, loss }, None)
    }

    /// Continues from a level computed earlier, and the level before it.
    pub fn resume(chains: Chains, ply: u32, now: Level, before: Option<Level>) -> Self {
        Self {
            chains,
            ply,
            now,
            before,
            new_wins: [None, None],
            new_losses: [None, None],
            at_once: Default::default(),
        }
    }

    /// Returns the number of plies, i, of [`Retrograde::level`].
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the sets computed so far.
    pub fn level(&self) -> &Level {
        &self.now
    }

    /// Computes the next level, or returns `false` at the fixpoint, which leaves everything unchanged.
    ///
    /// A set whose input did not change is not recomputed. If wins take an odd and losses an even number of plies, this
    /// saves every other set.
    ///
    /// The two chains are computed concurrently if that is worthwhile and memory allows it ([`Engine::both`]).
    ///
    /// Cost: at most four images, or six images of new positions only; in addition, two images once for the positions
    /// that are won with the next move.
    ///
    /// # Errors
    /// Returns an error if memory or disk space is exhausted, or if the computation is interrupted. The current level
    /// stays valid.
    pub fn step(&mut self, engine: &mut Engine) -> Result<bool> {
        let first = |engine: &mut Engine| self.advance(engine, Side::P1);
        let second = |engine: &mut Engine| self.advance(engine, Side::P2);
        let chains = match self.chains {
            Chains::Both => engine.both(first, second)?.into(),
            Chains::One => [first(engine)?, Advance::default()],
        };
        let mut next = self.now.clone();
        let (mut new_wins, mut new_losses): (News, News) = ([None, None], [None, None]);
        for (winner, advance) in Side::BOTH.into_iter().zip(chains) {
            let (p, q) = (winner.index(), winner.other().index());
            if let Some((win, new)) = advance.win {
                (next.win[p], new_wins[p]) = (win, new);
            }
            if let Some((loss, new)) = advance.loss {
                (next.loss[q], new_losses[q]) = (loss, new);
            }
        }
        if next == self.now {
            return Ok(false);
        }
        self.before = Some(std::mem::replace(&mut self.now, next));
        (self.new_wins, self.new_losses) = (new_wins, new_losses);
        self.ply += 1;
        Ok(true)
    }

    /// Computes the next sets of the chain of `winner`'s wins whose input has changed.
    fn advance(&self, engine: &mut Engine, winner: Side) -> Result<Advance> {
        let (p, q) = (winner.index(), winner.other().index());
        let (now, before) = (&self.now, self.before.as_ref());
        let mut advance = Advance::default();
        if before.is_none_or(|b| b.loss[q] != now.loss[q]) {
            let lost = Input::new(&now.loss[q], before.map(|b| &b.loss[q]), &self.new_losses[q]);
            let at_once = self.at_once(engine, winner, lost.now)?;
            advance.win = Some(win_step(engine, winner, lost, &now.win[p], at_once)?);
        }
        if before.is_none_or(|b| b.win[p] != now.win[p]) {
            let won = Input::new(&now.win[p], before.map(|b| &b.win[p]), &self.new_wins[p]);
            let at_once = self.at_once(engine, winner.other(), won.now)?;
            advance.loss = Some(loss_step(engine, winner.other(), won, &now.loss[q], at_once)?);
        }
        Ok(advance)
    }

    /// Returns the positions that `side` wins with its next move, if that set is small in comparison with the `input`
    /// of a step.
    fn at_once(&self, engine: &mut Engine, side: Side, input: &Dfa) -> Result<Option<&AtOnce>> {
        engine.choose_way(input);
        if !engine.passing() {
            return Ok(None);
        }
        let known = &self.at_once[side.index()];
        if known.get().is_none() {
            // Another thread may have set it first, to the same sets.
            let _ = known.set(AtOnce::new(engine, side)?);
        }
        Ok(known.get().filter(|at_once| at_once.is_little(input)))
    }
}

/// The result of a step of one chain; `None` for a set that does not change.
#[derive(Default)]
struct Advance {
    /// The wins of the winner of the chain.
    win: Option<Growth>,
    /// The losses of the opponent.
    loss: Option<Growth>,
}
