//! Retrograde analysis on whole sets (paper 004, section 2), over every word of the shape.
//!
//! ```text
//! W[p][i+1] = W0[p] ∪ (preimage_p(L[q][i]) \ T_p)
//! L[p][i+1] = L0[p] ∪ (¬T_p \ preimage_p(¬W[q][i]))
//! ```
//! Sets are cumulative: `W[p][i]` holds the positions that p, to move, wins within i plies. The sets `W[P1]`, `L[P2]` need only
//! each other, and so do `W[P2]`, `L[P1]`: two chains, of which one is enough where the sides are each other's mirror image.
//!
//! What a side wins with its next move is known from the first ply on, and is neither asked for in later ones nor lost: `W[p][1]`
//! takes the place of `W0[p]`, and `T_p ∪ W[p][1]` that of `T_p` for losses, in passes over sets that are much larger. It is
//! cheap to carry along and leaves fewer residuals to be told apart.
//!
//! Where few positions are new, only those are moved:
//!
//! ```text
//! W[p][i+1] \ W[p][i] = preimage_p(L[q][i] \ L[q][i-1]) \ W[p][i] \ T_p
//! L[p][i+1] \ L[p][i] = C \ preimage_p(¬W[q][i])    C = preimage_p(W[q][i] \ W[q][i-1]) \ L[p][i] \ T_p
//! ```

use std::sync::OnceLock;

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::error::Result;
use crate::solve::engine::{Engine, Moved};
use crate::solve::method::Chains;

/// `W_i` and `L_i` of both sides; those of a chain that is not computed stay as at level 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// `win[p]`: positions with p to move that p wins within i plies.
    pub win: [Dfa; 2],
    /// `loss[p]`: positions with p to move that p loses within i plies.
    pub loss: [Dfa; 2],
}

/// New losses of the opponent are moved alone, for new wins, if they have at most this part of the states of all, in percent.
const NEW_LOSSES: usize = 60;
/// The same of new wins, for new losses, which need two passes then.
const NEW_WINS: usize = 40;

/// What the last step added to a set, where it is known.
type News = [Option<Dfa>; 2];

/// The iteration from `W_0`, `L_0` to the fixpoint.
pub struct Retrograde {
    chains: Chains,
    ply: u32,
    now: Level,
    /// The level before, to see what is new.
    before: Option<Level>,
    new_wins: News,
    new_losses: News,
    at_once: [OnceLock<AtOnce>; 2],
}

/// What a side to move wins with its next move.
struct AtOnce {
    /// `W[p][1]`.
    win: Dfa,
    /// Where the game is neither over nor won so.
    open: Dfa,
}

/// Sets with fewer times as many states as `W[p][1]` are computed without it.
const AT_ONCE: usize = 16;

impl Retrograde {
    /// Level 0: the terminal sets.
    pub fn new(engine: &Engine, chains: Chains) -> Self {
        let win = Side::BOTH.map(|p| engine.ended(p).win.clone());
        let loss = Side::BOTH.map(|p| engine.ended(p).loss.clone());
        Self::resume(chains, 0, Level { win, loss }, None)
    }

    /// Continues from a level computed earlier and the level before it.
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

    /// The number of plies, i, of [`Retrograde::level`].
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The sets computed so far.
    pub fn level(&self) -> &Level {
        &self.now
    }

    /// Computes the next level; `false` at the fixpoint, which leaves everything as it was.
    ///
    /// A set whose input did not change is not computed again: where wins take an odd and losses an even number of plies,
    /// every other set is free.
    ///
    /// The two chains are computed at once where that pays and memory allows ([`Engine::both`]).
    ///
    /// Cost: at most four images, or six of new positions alone; once more two, of what is won at once.
    ///
    /// # Errors
    /// Running out of memory or disk; interruption. The level reached stays valid.
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

    /// The next sets of the chain of `winner`'s wins, where their input changed.
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

    /// What `side` wins with its next move, if that is little beside the `input` of a step.
    fn at_once(&self, engine: &mut Engine, side: Side, input: &Dfa) -> Result<Option<&AtOnce>> {
        engine.choose_way(input);
        if !engine.passing() {
            return Ok(None);
        }
        let known = &self.at_once[side.index()];
        if known.get().is_none() {
            // Another thread may have been first, with the same sets.
            let _ = known.set(AtOnce::new(engine, side)?);
        }
        Ok(known.get().filter(|at_once| at_once.is_little(input)))
    }
}

impl AtOnce {
    fn new(engine: &mut Engine, side: Side) -> Result<Self> {
        let (ended, lost) = (engine.ended(side).clone(), engine.ended(side.other()).loss.clone());
        let sides = [&ended.win, &ended.all];
        let win = engine.image(Moved::into(&lost, side), &sides, is_won)?;
        let open = engine.combine(&[&ended.playing, &win], |x| x[0] && !x[1])?;
        Ok(Self { win, open })
    }

    fn is_little(&self, input: &Dfa) -> bool {
        AT_ONCE * self.win.num_states() <= input.num_states()
    }

    /// What a step from `input` may take for known.
    fn beside(engine: &mut Engine, side: Side, input: &Dfa) -> Result<Option<Self>> {
        engine.choose_way(input);
        let known = if engine.passing() { Some(Self::new(engine, side)?) } else { None };
        Ok(known.filter(|at_once| at_once.is_little(input)))
    }
}

/// `|W0 ∪ (preimage(lost) \ T)|`: how many positions `side` wins by moving to what its opponent has lost.
///
/// Cost: one pass without states.
///
/// # Errors
/// As [`Engine::count_image`].
pub fn count_wins(engine: &mut Engine, side: Side, lost: &Dfa) -> Result<u128> {
    let at_once = AtOnce::beside(engine, side, lost)?;
    let ended = engine.ended(side).clone();
    let sides = [at_once.as_ref().map_or(&ended.win, |known| &known.win), &ended.all];
    engine.count_image(Moved::into(lost, side), &sides, is_won)
}

/// `|L0 ∪ (¬T \ preimage(¬won))|`: how many positions `side` has lost because its opponent has won wherever it moves.
///
/// Cost: one pass without states.
///
/// # Errors
/// As [`Engine::count_image`].
pub fn count_losses(engine: &mut Engine, side: Side, won: &Dfa) -> Result<u128> {
    let at_once = AtOnce::beside(engine, side, won)?;
    let ended = engine.ended(side).clone();
    let sides = [&ended.loss, at_once.as_ref().map_or(&ended.playing, |known| &known.open)];
    engine.count_image(Moved::avoiding(won, side), &sides, is_lost)
}

/// A set of the next level and what it has beyond that of the level before, if known.
type Grown = (Dfa, Option<Dfa>);

/// What a step makes of one chain; `None` for a set that stays as it is.
#[derive(Default)]
struct Advance {
    /// Wins of the chain's winner.
    win: Option<Grown>,
    /// Losses of the opponent.
    loss: Option<Grown>,
}

/// A set that positions are moved into, and what it was a ply before.
struct Input<'a> {
    now: &'a Dfa,
    before: Option<&'a Dfa>,
    new: &'a Option<Dfa>,
}

impl<'a> Input<'a> {
    fn new(now: &'a Dfa, before: Option<&'a Dfa>, new: &'a Option<Dfa>) -> Self {
        Self { now, before, new }
    }

    /// What is known to be new, if that is so little that it pays to move it alone.
    fn known(&self, percent: usize) -> Option<Dfa> {
        self.new.clone().filter(|new| self.is_little(new, percent))
    }

    /// The same, found out if it is not known and may be little: most of a set that still grows in states is new.
    fn found(&self, engine: &mut Engine, percent: usize) -> Result<Option<Dfa>> {
        let (now, Some(before)) = (self.now, self.before) else { return Ok(None) };
        if self.new.is_some() || !engine.passing() || now.num_states() > before.num_states() {
            return Ok(self.known(percent));
        }
        let new = engine.combine(&[now, before], |x| x[0] && !x[1])?;
        Ok(Some(new).filter(|new| self.is_little(new, percent)))
    }

    fn is_little(&self, new: &Dfa, percent: usize) -> bool {
        new.num_states() * 100 <= self.now.num_states() * percent
    }
}

/// Whether a word is won that may lead `to_loss`: at once, or so, where the game is not over.
fn is_won(to_loss: bool, sides: &[bool]) -> bool {
    sides[0] || to_loss && !sides[1]
}

/// Whether a word is lost that may `escape`: the game is, or it is open without a way out.
fn is_lost(escape: bool, sides: &[bool]) -> bool {
    sides[0] || sides[1] && !escape
}

/// `W0 ∪ (preimage(lost) \ T)`, and what it has beyond `so_far`, if known: `so_far` is what came of `lost` a ply before.
fn win_step(
    engine: &mut Engine,
    side: Side,
    lost: Input<'_>,
    so_far: &Dfa,
    at_once: Option<&AtOnce>,
) -> Result<Grown> {
    let ended = engine.ended(side).clone();
    let Some(new) = lost.found(engine, NEW_LOSSES)? else {
        let sides = [at_once.map_or(&ended.win, |known| &known.win), &ended.all];
        return Ok((engine.image(Moved::into(lost.now, side), &sides, is_won)?, None));
    };
    let sides = [so_far, &ended.playing];
    let wins = engine.image(Moved::into(&new, side), &sides, |x, s| x && !s[0] && s[1])?;
    Ok((engine.combine(&[so_far, &wins], |x| x[0] || x[1])?, Some(wins)))
}

/// `L0 ∪ (¬T \ preimage(¬won))`, and what it has beyond `so_far`, if known: `so_far` is what came of `won` a ply before.
fn loss_step(
    engine: &mut Engine,
    side: Side,
    won: Input<'_>,
    so_far: &Dfa,
    at_once: Option<&AtOnce>,
) -> Result<Grown> {
    let ended = engine.ended(side).clone();
    let escape = Moved::avoiding(won.now, side);
    let open = at_once.map_or(&ended.playing, |known| &known.open);
    let Some(new) = won.known(NEW_WINS) else {
        return Ok((engine.image(escape, &[&ended.loss, open], is_lost)?, None));
    };
    let candidates = engine.image(Moved::into(&new, side), &[so_far, open], |x, s| x && !s[0] && s[1])?;
    drop(new);
    let losses = engine.image(escape, &[&candidates], |x, s| s[0] && !x)?;
    Ok((engine.combine(&[so_far, &losses], |x| x[0] || x[1])?, Some(losses)))
}
