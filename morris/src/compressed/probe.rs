//! Looks up positions in [`Forms`], and searches one ply ahead where an automaton leaves the value open.
//!
//! Invariant: a look-up never returns to a sector that it came from. Captures lead to sectors with fewer stones. A
//! derived sector is not stored itself, but the sector that its quiet turns lead to is stored.

use std::ops::ControlFlow;

use nerode_games::morris::{FullBoard, Rules, State, Turn, points};

use super::automaton::Automaton;
#[cfg(feature = "solve")]
use super::automaton::MultiRoot;
use super::forms::{FiledAutomaton, Forms, Representation};
use super::header::Probe;
#[cfg(feature = "solve")]
use super::words::Words;
use super::worth::{Detail, Worth};
use crate::tables::Sector;
use nerode_solver::error::Result;

/// The sectors that the turns of one position lead to, by kind of turn: whether a stone is placed, and how many stones
/// are taken. Each is looked up once.
type Around<'a> = [[Option<&'a Representation>; 3]; 2];

impl Forms<'_> {
    /// Returns the worth of a position.
    ///
    /// *Cost*: one look-up in an automaton. If stones can be taken and the automaton leaves the value open, or if the
    /// sector is derived, also one look-up, recursively, for each turn that is examined.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`](nerode_solver::error::Error::MissingSector) if the position's sector, or one
    /// that is needed for the look-up, is missing.
    pub fn worth(&self, state: State) -> Result<Worth> {
        if let Some(value) = state.decided_by_stones() {
            let lost = value == nerode_games::Value::Loss;
            return Ok(if lost { Worth::LOSS } else { Worth::LOSS.before(Detail::Values) });
        }
        self.worth_in(self.representation(Sector::of(state))?, state, None)
    }

    /// Returns the worth of a position, or a lower bound that is sufficient to show that a turn to it is worth at most
    /// `parent`.
    fn worth_in(&self, form: &Representation, state: State, parent: Option<Worth>) -> Result<Worth> {
        match form {
            #[cfg(feature = "solve")]
            Representation::Stored(stored) => {
                let (words, automaton) = &**stored;
                self.at_least(automaton, automaton.says(words, state), state, parent)
            }
            Representation::Filed(filed) => match self.read(filed)? {
                #[cfg(feature = "solve")]
                (words, FiledAutomaton::Whole(automaton)) => {
                    self.at_least(automaton, automaton.says(words, state), state, parent)
                }
                (words, FiledAutomaton::InParts(automaton)) => {
                    self.at_least(automaton, automaton.look_up(words, state)?, state, parent)
                }
            },
            Representation::Derived(worths) => self.by_turns(state, worths, parent),
        }
    }

    /// Returns `true` if a position worth at least `worth` makes the turn to it worth at most `parent`, the worth that
    /// the side has without this turn.
    fn is_enough(&self, worth: Worth, parent: Option<Worth>) -> bool {
        parent.is_some_and(|parent| worth.before(self.detail) <= parent)
    }

    /// Returns the worth of a position in the sector of an automaton, to which `words` must belong.
    #[cfg(feature = "solve")]
    pub(super) fn completed(&self, words: &Words, automaton: &MultiRoot, state: State) -> Result<Worth> {
        self.at_least(automaton, automaton.says(words, state), state, None)
    }

    /// Does the same as [`Forms::worth_in`], where `said` is the answer of the sector's automaton.
    fn at_least<E>(
        &self,
        automaton: &Automaton<E>,
        said: Worth,
        state: State,
        parent: Option<Worth>,
    ) -> Result<Worth> {
        let most = automaton.worths().last().copied().unwrap_or(said);
        let is_settled = automaton.header().probe == Probe::Nothing || said >= most;
        if is_settled || self.is_enough(said, parent) || !can_capture(&self.rules, state) {
            return Ok(said);
        }
        let done = |best| best >= most || self.is_enough(best, parent);
        Ok(self.best_turn(state, Some(said), done, |turn| turn.taken != 0)?.unwrap_or(said))
    }

    /// Computes the worth of a position by examining all its turns, regardless of the representation of its sector.
    ///
    /// # Errors
    /// Returns the same errors as [`Forms::worth`].
    #[cfg(feature = "solve")]
    pub(super) fn by_all_turns(&self, state: State) -> Result<Worth> {
        self.by_turns(state, self.representation(Sector::of(state))?.worths(), None)
    }

    /// Computes the worth from all turns, starting with quiet ones because they are cheaper to look up.
    fn by_turns(&self, state: State, worths: &[Worth], parent: Option<Worth>) -> Result<Worth> {
        let most = worths.last().copied().unwrap_or(Worth::DRAW);
        let done = |best| best >= most || self.is_enough(best, parent);
        let mut best = self.best_turn(state, None, done, |turn| turn.taken == 0)?;
        if !best.is_some_and(done) && can_capture(&self.rules, state) {
            best = self.best_turn(state, best, done, |turn| turn.taken != 0)?;
        }
        // The remaining case is a side that cannot move.
        let full = state.own | state.other == self.rules.board.all();
        let no_move =
            if full && self.rules.full_board == FullBoard::Draw { Worth::DRAW } else { Worth::LOSS };
        Ok(best.unwrap_or(no_move))
    }

    /// Returns the best of `floor` and of the turns that are `wanted`. Stops as soon as that is `done`.
    fn best_turn(
        &self,
        state: State,
        floor: Option<Worth>,
        done: impl Fn(Worth) -> bool,
        wanted: impl Fn(Turn) -> bool,
    ) -> Result<Option<Worth>> {
        let mut around: Around<'_> = Default::default();
        let mut best = floor;
        let flow = self.rules.try_turns(state, |turn| {
            if !wanted(turn) {
                return ControlFlow::Continue(());
            }
            match self.after_turn(state, turn, best, &mut around) {
                Err(error) => return ControlFlow::Break(Err(error)),
                Ok(worth) => best = best.max(Some(worth)),
            }
            if best.is_some_and(&done) { ControlFlow::Break(Ok(())) } else { ControlFlow::Continue(()) }
        });
        match flow {
            ControlFlow::Break(Err(error)) => Err(error),
            _ => Ok(best),
        }
    }

    /// Returns the worth of a turn, or anything up to `floor` if the turn is not worth more.
    fn after_turn<'f>(
        &'f self,
        state: State,
        turn: Turn,
        floor: Option<Worth>,
        around: &mut Around<'f>,
    ) -> Result<Worth> {
        let after = state.after(turn);
        if after.decided_by_stones().is_some() {
            return Ok(Worth::LOSS.before(self.detail));
        }
        let slot = &mut around[usize::from(turn.from == 0)][turn.num_taken()];
        let form = match *slot {
            Some(form) => form,
            None => *slot.insert(self.representation(Sector::of(after))?),
        };
        let bound = form.worths().first().map_or(Worth::DRAW, |least| least.before(self.detail));
        if Some(bound) <= floor {
            return Ok(bound);
        }
        Ok(self.worth_in(form, after, floor)?.before(self.detail))
    }
}

/// Returns `true` if a stone may be taken. Only checks whether a stone on some empty point would close a mill,
/// regardless of where the stone comes from.
#[inline]
pub(super) fn can_capture(rules: &Rules, state: State) -> bool {
    let empty = rules.board.all() & !(state.own | state.other);
    points(empty).any(|to| rules.board.closes_mill(state.own, to))
}
