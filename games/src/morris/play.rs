//! Plain play on two sets of points: the turns of a position, and the positions that it may come from.
//!
//! Written for solvers that visit billions of positions. It knows no automata. It shares only the board and the options with
//! the symbolic description.

use std::ops::ControlFlow;

use crate::morris::rules::{Capture, FEWEST_STONES, FullBoard, Rules};
use crate::side::{Side, Value};

/// A position seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// Points with stones of the side to move.
    pub own: u32,
    /// Points with stones of the other side.
    pub other: u32,
    /// Stones that the side to move has in hand.
    pub own_hand: u8,
    /// Stones that the other side has in hand.
    pub other_hand: u8,
}

/// One turn: a stone placed or moved, and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Turn {
    /// Where the stone came from, as a set; empty when it was placed.
    pub from: u32,
    /// Where it went, as a set of one point.
    pub to: u32,
    /// Stones of the opponent taken: none, one, or two.
    pub taken: u32,
}

impl Turn {
    /// How many stones it takes: none, one, or two.
    ///
    /// Why not `count_ones`: without an instruction for it, which programs for every machine do not use, it takes ten times as long.
    #[inline]
    pub fn num_taken(&self) -> usize {
        usize::from(self.taken != 0) + usize::from(self.taken & self.taken.wrapping_sub(1) != 0)
    }
}

/// The points of a set, lowest first.
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
    /// Stones of the side to move, on the board.
    #[inline]
    pub fn own_stones(&self) -> u8 {
        self.own.count_ones() as u8
    }

    /// Stones of the other side, on the board.
    #[inline]
    pub fn other_stones(&self) -> u8 {
        self.other.count_ones() as u8
    }

    /// The value for the side to move, if a side has fewer than three stones.
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

    /// The position after `turn`, seen by the opponent, who moves next.
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
    /// The position at the start, seen by P1.
    pub fn start(&self) -> State {
        State { own: 0, other: 0, own_hand: self.stones[0], other_hand: self.stones[1] }
    }

    /// The position on `board` with `side` to move. Cells are those of the family `morris`: points (0 empty, 1 P1, 2 P2),
    /// then both hands.
    ///
    /// # Panics
    /// When the board has fewer cells.
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

    /// The board of a position with `side` to move: what [`Rules::state_of`] takes.
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

    /// Stones of the opponent that a new mill may take: those outside mills, or all if there are none outside and the rules
    /// allow it. Empty if nothing can be taken.
    #[inline]
    pub fn capturable(&self, other: u32) -> u32 {
        let free = other & !self.board.in_mills(other);
        if free != 0 || self.capture == Capture::Protected { free } else { other }
    }

    /// Calls `f` with every legal turn of the side to move until `f` breaks. No two turns lead to the same position.
    /// Positions that [`State::decided_by_stones`] decides have turns here like any other; callers check that first.
    ///
    /// A turn that closes a mill takes a stone. If no stone may be taken, the turn is illegal under [`Capture::Always`],
    /// which happens only while the opponent has no stone on the board. Under [`Capture::Protected`] it takes nothing.
    #[inline]
    pub fn try_turns<B>(&self, state: State, mut f: impl FnMut(Turn) -> ControlFlow<B>) -> ControlFlow<B> {
        let empty = self.board.all() & !(state.own | state.other);
        let (places, moves) = self.may_place_and_move(state.own_stones(), state.own_hand);
        // Every turn may take the same stones. They are computed when the first turn closes a mill.
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

    /// A turn that closes `mills` mills, with every choice of what it takes.
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
            // Two stones are taken one after the other; pairs that can be taken in either order count once.
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

    /// Calls `f` with every legal turn, see [`Rules::try_turns`].
    #[inline]
    pub fn turns(&self, state: State, mut f: impl FnMut(Turn)) {
        let _: ControlFlow<()> = self.try_turns(state, |turn| {
            f(turn);
            ControlFlow::Continue(())
        });
    }

    /// Calls `f` with the turns of [`Rules::try_turns`] that move a stone and close a mill, until `f` breaks. Otherwise
    /// returns whether a move without a mill exists. Fast on positions with few captures, which are most.
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

    /// Calls `f` with every position from which a move that takes nothing leads to `state`, seen by the side that moved. This
    /// is the inverse of the turns of [`Rules::try_turns`] with `from` not empty and `taken` empty.
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

    /// Whether the side to move has a legal turn.
    #[inline]
    pub fn can_move(&self, state: State) -> bool {
        self.try_turns(state, |_| ControlFlow::Break(())).is_break()
    }

    /// The value for the side to move if the game is over, by too few stones or because it cannot move.
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
