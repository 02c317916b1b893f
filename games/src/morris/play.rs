//! Plain play on two sets of points: the turns of a position, and the positions that may precede it.
//!
//! This module is written for solvers that visit billions of positions. It does not use automata, and it shares only
//! the board and the options with the symbolic description.

use std::ops::ControlFlow;

use crate::morris::rules::{Capture, FEWEST_STONES, FullBoard, Rules};
use crate::side::{Side, Value};

/// A position as seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The points with stones of the side to move.
    pub own: u32,
    /// The points with stones of the opponent.
    pub other: u32,
    /// The number of stones that the side to move has in hand.
    pub own_hand: u8,
    /// The number of stones that the opponent has in hand.
    pub other_hand: u8,
}

/// One turn: a placed or moved stone, and the stones that it captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn {
    /// The origin of the stone as a set, which is empty if the stone was placed.
    pub from: u32,
    /// The destination of the stone as a set of one point.
    pub to: u32,
    /// The captured stones of the opponent: none, one, or two.
    pub taken: u32,
}

impl Turn {
    /// Returns the number of captured stones: none, one, or two.
    ///
    /// This does not use `count_ones`, because portable builds lack the instruction for it, and without that
    /// instruction it takes ten times as long.
    #[inline]
    pub fn num_taken(&self) -> usize {
        usize::from(self.taken != 0) + usize::from(self.taken & self.taken.wrapping_sub(1) != 0)
    }
}

/// Iterates over the points of a set, lowest first.
#[inline]
pub fn points(set: u32) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let next = (left != 0).then_some(left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        next
    })
}

impl State {
    /// Returns the number of stones that the side to move has on the board.
    #[inline]
    pub fn own_stones(&self) -> u8 {
        self.own.count_ones() as u8
    }

    /// Returns the number of stones that the opponent has on the board.
    #[inline]
    pub fn other_stones(&self) -> u8 {
        self.other.count_ones() as u8
    }

    /// Returns the value for the side to move if a side has fewer than three stones.
    #[inline]
    pub fn decided_by_stones(&self) -> Option<Value> {
        if self.own_stones() + self.own_hand < FEWEST_STONES {
            Some(Value::Loss)
        } else if self.other_stones() + self.other_hand < FEWEST_STONES {
            Some(Value::Win)
        } else {
            None
        }
    }

    /// Returns the position after `turn`, as seen by the opponent, who moves next.
    #[inline]
    #[must_use]
    pub fn after(&self, turn: Turn) -> State {
        State {
            own: self.other & !turn.taken,
            other: self.own & !turn.from | turn.to,
            own_hand: self.other_hand,
            other_hand: self.own_hand - u8::from(turn.from == 0),
        }
    }
}

impl Rules {
    /// Returns the start position, as seen by P1.
    pub fn start(&self) -> State {
        State { own: 0, other: 0, own_hand: self.stones[0], other_hand: self.stones[1] }
    }

    /// Returns the position on `board` with `side` to move. The cells are those of the family `morris`: the points (0
    /// empty, 1 P1, 2 P2), followed by both hands.
    ///
    /// # Panics
    /// Panics if the board has fewer cells.
    pub fn state_of(&self, board: &[u8], side: Side) -> State {
        let (on_points, hands) = board.split_at(self.board.num_points());
        let stones_of = |content: u8| {
            let points = on_points.iter().zip(0u32..).filter(|(found, _)| **found == content);
            points.fold(0, |set, (_, point)| set | 1 << point)
        };
        let (own, other) = (side.index(), side.other().index());
        State {
            own: stones_of(own as u8 + 1),
            other: stones_of(other as u8 + 1),
            own_hand: hands[own],
            other_hand: hands[other],
        }
    }

    /// Returns the board of a position with `side` to move. This is the inverse of [`Rules::state_of`].
    pub fn board_of(&self, state: State, side: Side) -> Vec<u8> {
        let mut board = vec![0; self.board.num_points() + 2];
        let num_points = self.board.num_points();
        let seen = [(state.own, state.own_hand, side), (state.other, state.other_hand, side.other())];
        for (stones, hand, holder) in seen {
            points(stones).for_each(|point| board[point] = holder.index() as u8 + 1);
            board[num_points + holder.index()] = hand;
        }
        board
    }

    /// Returns the stones of the opponent that a new mill may capture: those outside mills, or all stones if every
    /// stone is in a mill and the rules allow capturing them. The set is empty if nothing can be captured.
    #[inline]
    pub fn capturable(&self, other: u32) -> u32 {
        let free = other & !self.board.in_mills(other);
        if free != 0 || self.capture == Capture::Protected { free } else { other }
    }

    /// Calls `f` with every legal turn of the side to move until `f` breaks. Different turns lead to different positions.
    /// Positions that [`State::decided_by_stones`] decides also have turns here, so callers must check them first.
    ///
    /// A turn that closes a mill captures a stone. If no stone may be captured, the turn is illegal under
    /// [`Capture::Always`], which happens only while the opponent has no stone on the board. Under
    /// [`Capture::Protected`], the turn then captures nothing.
    #[inline]
    pub fn try_turns<B>(&self, state: State, mut f: impl FnMut(Turn) -> ControlFlow<B>) -> ControlFlow<B> {
        let empty = self.board.all() & !(state.own | state.other);
        let (places, moves) = self.may_place_and_move(state.own_stones(), state.own_hand);
        // All turns may capture the same stones, which are computed when the first turn closes a mill.
        let mut takeable = None;
        if places {
            for to in points(empty) {
                let mills = self.board.mills_closed(state.own, to);
                self.finish(state, Turn { from: 0, to: 1 << to, taken: 0 }, mills, &mut takeable, &mut f)?;
            }
        }
        if moves {
            let flies = self.flies(state.own_stones(), state.own_hand);
            for from in points(state.own) {
                let rest = state.own & !(1 << from);
                let targets = if flies { empty } else { empty & self.board.neighbours(from) };
                for to in points(targets) {
                    let mills = usize::from(self.board.closes_mill(rest, to));
                    let turn = Turn { from: 1 << from, to: 1 << to, taken: 0 };
                    self.finish(state, turn, mills, &mut takeable, &mut f)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Completes a turn that closes `mills` mills with every choice of captures.
    #[inline]
    fn finish<B>(
        &self,
        state: State,
        turn: Turn,
        mills: usize,
        takeable: &mut Option<u32>,
        f: &mut impl FnMut(Turn) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if mills == 0 {
            return f(turn);
        }
        let first = *takeable.get_or_insert_with(|| self.capturable(state.other));
        if first == 0 {
            return if self.capture == Capture::Protected { f(turn) } else { ControlFlow::Continue(()) };
        }
        for taken in points(first) {
            let taken = 1 << taken;
            // Two stones are captured one after the other. A pair that can be captured in either order counts once.
            let second = if mills > 1 && self.take > 1 { self.capturable(state.other & !taken) } else { 0 };
            if second == 0 {
                f(Turn { taken, ..turn })?;
                continue;
            }
            for next in points(second) {
                let next = 1u32 << next;
                let either_order = first & next != 0 && self.capturable(state.other & !next) & taken != 0;
                if !either_order || taken < next {
                    f(Turn { taken: taken | next, ..turn })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls `f` with every legal turn; see [`Rules::try_turns`].
    #[inline]
    pub fn turns(&self, state: State, mut f: impl FnMut(Turn)) {
        let _: ControlFlow<()> = self.try_turns(state, |turn| {
            f(turn);
            ControlFlow::Continue(())
        });
    }

    /// Calls `f` with the turns of [`Rules::try_turns`] that move a stone and close a mill, until `f` breaks. If `f`
    /// does not break, returns whether there is a move that does not close a mill. This is fast for positions with few
    /// captures, which most positions are.
    #[inline]
    pub fn try_mill_moves<B>(
        &self,
        state: State,
        mut f: impl FnMut(Turn) -> ControlFlow<B>,
    ) -> ControlFlow<B, bool> {
        if !self.may_place_and_move(state.own_stones(), state.own_hand).1 {
            return ControlFlow::Continue(false);
        }
        let empty = self.board.all() & !(state.own | state.other);
        let flies = self.flies(state.own_stones(), state.own_hand);
        let (mut takeable, mut closing) = (None, 0);
        for to in points(empty & self.board.mill_makers(state.own)) {
            let origins = if flies { state.own } else { state.own & self.board.neighbours(to) };
            for from in points(origins).filter(|from| self.board.closes_mill(state.own & !(1 << from), to)) {
                closing += 1;
                self.finish(
                    state,
                    Turn { from: 1 << from, to: 1 << to, taken: 0 },
                    1,
                    &mut takeable,
                    &mut f,
                )?;
            }
        }
        let targets = |from| (if flies { empty } else { empty & self.board.neighbours(from) }).count_ones();
        let mut all = 0;
        ControlFlow::Continue(points(state.own).any(|from| {
            all += targets(from);
            all > closing
        }))
    }

    /// Calls `f` with every position from which a move without a capture leads to `state`, as seen by the side that
    /// moved. This is the inverse of the turns of [`Rules::try_turns`] with a non-empty `from` and an empty `taken`.
    #[inline]
    pub fn quiet_origins(&self, state: State, mut f: impl FnMut(State)) {
        if !self.may_place_and_move(state.other_stones(), state.other_hand).1 {
            return;
        }
        let empty = self.board.all() & !(state.own | state.other);
        let flies = self.flies(state.other_stones(), state.other_hand);
        let mills_stand = self.capture == Capture::Protected && self.capturable(state.own) == 0;
        for to in points(state.other) {
            let rest = state.other & !(1 << to);
            if self.board.closes_mill(rest, to) && !mills_stand {
                continue;
            }
            let origins = if flies { empty } else { empty & self.board.neighbours(to) };
            for from in points(origins) {
                f(State {
                    own: rest | 1 << from,
                    other: state.own,
                    own_hand: state.other_hand,
                    other_hand: state.own_hand,
                });
            }
        }
    }

    /// Returns `true` if the side to move has a legal turn.
    #[inline]
    pub fn can_move(&self, state: State) -> bool {
        self.try_turns(state, |_| ControlFlow::Break(())).is_break()
    }

    /// Returns the value for the side to move if the game is over, because a side has too few stones or the side to
    /// move cannot move.
    pub fn outcome(&self, state: State) -> Option<Value> {
        if let Some(value) = state.decided_by_stones() {
            return Some(value);
        }
        if self.can_move(state) {
            return None;
        }
        let full = state.own | state.other == self.board.all();
        Some(if full && self.full_board == FullBoard::Draw { Value::Draw } else { Value::Loss })
    }
}

#[cfg(test)]
mod tests;
