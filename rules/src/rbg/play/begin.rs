//! The beginnings of turns, identified by the switch that passed the turn, for callers with another representation of positions.

use super::super::book::Mover;
use super::super::fault::Result;
use super::Interpreter;
use super::program::{Op, PlaceId};
use super::state::{Begin, Change, State, Turn};

/// A move: its changes, the position after it, and the beginning of the next turn, or `None` if the game is over.
pub type Successor = (Turn, State, Option<Begin>);

impl Interpreter {
    /// Returns the position in which the first player moves and the beginning of that turn, or `None` if the game is over.
    ///
    /// # Errors
    /// Returns the same errors as [`Interpreter::start`].
    pub fn begin(&self) -> Result<(State, Option<Begin>)> {
        let (state, switch) = self.before_start();
        let (state, switch) = self.continue_keeper(&mut self.walker(), state, switch)?;
        let begin = self.begin_of(&state, switch);
        Ok((state, begin))
    }

    /// Returns the position with a turn that begins as given, or `None` if no switch to a player has this number.
    #[must_use]
    pub fn state_at(&self, begin: Begin, board: Vec<u8>, registers: Vec<u32>) -> Option<State> {
        let switch = *self.program.switches.get(begin.switch as usize)?;
        let place = &self.program.places[switch as usize];
        match place.op {
            Op::Switch(mover @ Mover::Player(_)) => {
                Some(State { board, registers, mover, place: place.next, square: begin.square, over: false })
            }
            _ => None,
        }
    }

    /// Returns every legal move with the beginning of the next turn.
    ///
    /// # Errors
    /// Returns the same errors as [`Interpreter::moves`].
    pub fn successors(&self, state: &State) -> Result<Vec<Successor>> {
        let mut walker = self.walker();
        let mut found = Vec::new();
        self.each(&mut walker, state, &mut |turn, next, switch| found.push((turn.to_vec(), next, switch)))?;
        let mut successors = Vec::with_capacity(found.len());
        for (turn, next, switch) in found {
            let (next, switch) = self.continue_keeper(&mut walker, next, switch)?;
            let begin = self.begin_of(&next, switch);
            successors.push((turn, next, begin));
        }
        Ok(successors)
    }

    /// Returns `true` if a change places a piece.
    #[must_use]
    pub fn puts(&self, change: &Change) -> bool {
        self.program.places.get(change.place as usize).is_some_and(|place| matches!(place.op, Op::Put(_)))
    }

    pub(super) fn begin_of(&self, state: &State, switch: PlaceId) -> Option<Begin> {
        let number = self.program.switches.iter().position(|&place| place == switch)?;
        (!state.over).then_some(Begin { switch: number as u32, square: state.square })
    }
}
