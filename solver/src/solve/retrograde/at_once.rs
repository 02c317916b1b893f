//! What a side wins with its next move. It stays won in every later ply, so later plies need not find it again.

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::moved::Moved;

/// What a side to move wins with its next move.
pub(super) struct AtOnce {
    /// `W[p][1]`.
    pub(super) win: Dfa,
    /// Where the game is neither over nor won so.
    pub(super) open: Dfa,
}

/// Sets with fewer times as many states as `W[p][1]` are computed without it.
const AT_ONCE: usize = 16;

impl AtOnce {
    /// What `side` wins so.
    pub(super) fn new(engine: &mut Engine, side: Side) -> Result<Self> {
        let (ended, lost) = (engine.ended(side).clone(), engine.ended(side.other()).loss.clone());
        let sides = [&ended.win, &ended.all];
        let win = engine.image(Moved::into(&lost, side), &sides, is_won)?;
        let open = engine.combine(&[&ended.playing, &win], |x| x[0] && !x[1])?;
        Ok(Self { win, open })
    }

    /// Whether this is small beside the `input` of a step.
    pub(super) fn is_little(&self, input: &Dfa) -> bool {
        AT_ONCE * self.win.num_states() <= input.num_states()
    }

    /// The same, if it helps a step from `input`.
    pub(super) fn beside(engine: &mut Engine, side: Side, input: &Dfa) -> Result<Option<Self>> {
        engine.choose_way(input);
        let known = if engine.passing() { Some(Self::new(engine, side)?) } else { None };
        Ok(known.filter(|at_once| at_once.is_little(input)))
    }
}

/// Whether a word is won that may lead `to_loss`: at once, or so, where the game is not over.
pub(super) fn is_won(to_loss: bool, sides: &[bool]) -> bool {
    sides[0] || to_loss && !sides[1]
}

/// Whether a word is lost that may `escape`: the game is, or it is open without a way out.
pub(super) fn is_lost(escape: bool, sides: &[bool]) -> bool {
    sides[0] || sides[1] && !escape
}
