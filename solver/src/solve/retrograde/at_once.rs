//! Positions that a side wins with its next move. They stay won in every later ply, so later plies need not determine
//! them again.

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::operand::Operand;

/// The positions that the side to move wins with its next move.
pub(super) struct AtOnce {
    /// `W[p][1]`.
    pub(super) win: Dfa,
    /// The positions in which the game is neither over nor won with the next move.
    pub(super) open: Dfa,
}

/// Sets with fewer than this multiple of the states of `W[p][1]` are computed without it.
const AT_ONCE: usize = 16;

impl AtOnce {
    /// Computes the positions that `side` wins with its next move.
    pub(super) fn new(engine: &mut Engine, side: Side) -> Result<Self> {
        let (terminal, lost) = (engine.terminal(side).clone(), engine.terminal(side.other()).loss.clone());
        let sides = [&terminal.win, &terminal.all];
        let win = engine.image(Operand::into(&lost, side), &sides, is_won)?;
        let open = engine.combine(&[&terminal.playing, &win], |x| x[0] && !x[1])?;
        Ok(Self { win, open })
    }

    /// Returns `true` if this set is small in comparison with the `input` of a step.
    pub(super) fn is_little(&self, input: &Dfa) -> bool {
        AT_ONCE * self.win.num_states() <= input.num_states()
    }

    /// Computes the same sets if they speed up a step from `input`.
    pub(super) fn beside(engine: &mut Engine, side: Side, input: &Dfa) -> Result<Option<Self>> {
        engine.choose_way(input);
        let known = if engine.passing() { Some(Self::new(engine, side)?) } else { None };
        Ok(known.filter(|at_once| at_once.is_little(input)))
    }
}

/// Returns `true` if a word is won, where `to_loss` states whether some move leads to a loss of the opponent: it is won
/// already, or it is not terminal and has such a move.
pub(super) fn is_won(to_loss: bool, sides: &[bool]) -> bool {
    sides[0] || to_loss && !sides[1]
}

/// Returns `true` if a word is lost, where `escape` states whether some move avoids the wins of the opponent: it is
/// lost already, or it is open and has no such move.
pub(super) fn is_lost(escape: bool, sides: &[bool]) -> bool {
    sides[0] || sides[1] && !escape
}
