//! Looks positions up in [`Forms`]: one ply ahead where an automaton leaves something open.
//!
//! Invariant: a look-up never comes back to a sector that it came from. Captures lead to sectors with fewer stones. A derived
//! sector is not stored itself, but the sector that its quiet turns lead to is.

use std::ops::ControlFlow;

use nerode_games::morris::{FullBoard, State, Turn};

use super::automaton::MultiRoot;
use super::entries::can_capture;
use super::forms::{Forms, Held};
use super::header::Probe;
use super::words::Words;
use super::worth::{Detail, Worth};
use crate::tables::Sector;
use nerode_solver::error::Result;

/// Sectors that turns of one position lead to, by kind of turn: placed or not, and stones taken. Looked up once.
type Around<'a> = [[Option<&'a Held>; 3]; 2];

impl Forms<'_> {
    /// The worth of a position.
    ///
    /// *Cost*: one look-up in an automaton; where stones can be taken and it does not settle the matter, or where the sector is
    /// derived, one for each turn that is looked at, and theirs.
    ///
    /// # Errors
    /// [`Error::MissingSector`](nerode_solver::error::Error::MissingSector) when the position's sector, or one that must be looked at, is not here.
    pub fn worth(&self, state: State) -> Result<Worth> {
        if let Some(value) = state.decided_by_stones() {
            let lost = value == nerode_games::Value::Loss;
            return Ok(if lost { Worth::LOSS } else { Worth::LOSS.before(Detail::Values) });
        }
        self.worth_in(self.held(Sector::of(state))?, state, None)
    }

    /// The worth of a position; or less, but so much that a turn to it is worth no more than `parent`.
    fn worth_in(&self, held: &Held, state: State, parent: Option<Worth>) -> Result<Worth> {
        match held {
            Held::Stored(stored) => self.at_least(&stored.0, &stored.1, state, parent),
            Held::Filed(filed) => {
                let (words, automaton) = self.read(filed)?;
                self.at_least(words, automaton, state, parent)
            }
            Held::Derived(worths) => self.by_turns(state, worths, parent),
        }
    }

    /// Whether a position worth at least `worth` makes the turn to it worth no more than `parent`, what its side has without it.
    fn is_enough(&self, worth: Worth, parent: Option<Worth>) -> bool {
        parent.is_some_and(|parent| worth.before(self.detail) <= parent)
    }

    /// The worth of a position of an automaton's sector, `words` being those of the automaton.
    pub(super) fn completed(&self, words: &Words, automaton: &MultiRoot, state: State) -> Result<Worth> {
        self.at_least(words, automaton, state, None)
    }

    /// As [`Forms::worth_in`], `words` being those of the automaton.
    fn at_least(
        &self,
        words: &Words,
        automaton: &MultiRoot,
        state: State,
        parent: Option<Worth>,
    ) -> Result<Worth> {
        let said = automaton.says(words, state);
        let most = automaton.worths().last().copied().unwrap_or(said);
        let is_settled = automaton.header().probe == Probe::Nothing || said >= most;
        if is_settled || self.is_enough(said, parent) || !can_capture(&self.rules, state) {
            return Ok(said);
        }
        let done = |best| best >= most || self.is_enough(best, parent);
        Ok(self.best_turn(state, Some(said), done, |turn| turn.taken != 0)?.unwrap_or(said))
    }

    /// The worth of a position by a look at all its turns, whatever is kept of its sector.
    ///
    /// # Errors
    /// As for [`Forms::worth`].
    pub(super) fn by_all_turns(&self, state: State) -> Result<Worth> {
        self.by_turns(state, self.held(Sector::of(state))?.worths(), None)
    }

    /// By all turns, quiet ones first: they are the cheaper ones to look up.
    fn by_turns(&self, state: State, worths: &[Worth], parent: Option<Worth>) -> Result<Worth> {
        let most = worths.last().copied().unwrap_or(Worth::DRAW);
        let done = |best| best >= most || self.is_enough(best, parent);
        let mut best = self.best_turn(state, None, done, |turn| turn.taken == 0)?;
        if !best.is_some_and(done) && can_capture(&self.rules, state) {
            best = self.best_turn(state, best, done, |turn| turn.taken != 0)?;
        }
        // A side that cannot move.
        let full = state.own | state.other == self.rules.board.all();
        let no_move =
            if full && self.rules.full_board == FullBoard::Draw { Worth::DRAW } else { Worth::LOSS };
        Ok(best.unwrap_or(no_move))
    }

    /// The best of `floor` and of the turns that are `wanted`; stops when that is `done`.
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

    /// What a turn is worth, or anything up to `floor` where it is not worth more.
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
        let held = match *slot {
            Some(held) => held,
            None => *slot.insert(self.held(Sector::of(after))?),
        };
        let bound = held.worths().first().map_or(Worth::DRAW, |least| least.before(self.detail));
        if Some(bound) <= floor {
            return Ok(bound);
        }
        Ok(self.worth_in(held, after, floor)?.before(self.detail))
    }
}
