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
mod tests {
    use super::*;
    use crate::morris::rules::Preset;

    fn rules(name: &str) -> Rules {
        Preset::named(name).unwrap().rules()
    }

    fn set(rules: &Rules, labels: &str) -> u32 {
        labels.split_whitespace().fold(0, |mask, label| mask | 1 << rules.board.point(label).unwrap())
    }

    fn turns(rules: &Rules, state: State) -> Vec<Turn> {
        let mut all = Vec::new();
        rules.turns(state, |turn| all.push(turn));
        all
    }

    #[test]
    fn the_first_stone_goes_anywhere() {
        for (name, points) in [("nine", 24), ("morabaraba", 24), ("six", 16), ("seven", 17), ("three", 9)] {
            let rules = rules(name);
            assert_eq!(turns(&rules, rules.start()).len(), points, "{name}");
        }
    }

    #[test]
    fn a_mill_takes_a_stone_outside_mills_first() {
        let rules = rules("nine");
        let own = set(&rules, "a7 d7 b4 c4");
        let loose = State { own, other: set(&rules, "a1 d1 g1 e3 f4"), own_hand: 1, other_hand: 0 };
        let taken: Vec<u32> =
            turns(&rules, loose).iter().filter(|t| t.to == set(&rules, "g7")).map(|t| t.taken).collect();
        assert_eq!(taken, [set(&rules, "f4"), set(&rules, "e3")]);
        let all_in_mills = State { other: set(&rules, "a1 d1 g1"), ..loose };
        let closing = |r: &Rules| turns(r, all_in_mills).iter().filter(|t| t.taken != 0).count();
        // g7 and a4 close a mill, and any of three stones goes.
        assert_eq!(closing(&rules), 6);
        let protected = Rules { capture: Capture::Protected, ..rules };
        assert_eq!(closing(&protected), 0);
        assert_eq!(turns(&protected, all_in_mills).len(), 24 - 7);
    }

    #[test]
    fn two_mills_take_two_stones_where_the_rules_say_so() {
        let one = rules("nine");
        // d6 closes b6-d6-f6 and d7-d6-d5.
        let state = State {
            own: set(&one, "b6 f6 d7 d5"),
            other: set(&one, "a1 g1 e4 c3"),
            own_hand: 2,
            other_hand: 0,
        };
        let double = |r: &Rules| -> Vec<u32> {
            turns(r, state).iter().filter(|t| t.to == set(r, "d6")).map(|t| t.taken.count_ones()).collect()
        };
        assert_eq!(double(&one), [1; 4]);
        let two = Rules { take: 2, ..one };
        assert_eq!(double(&two), [2; 6]);
    }

    #[test]
    fn three_stones_fly_and_more_slide() {
        let rules = rules("nine");
        let state = State {
            own: set(&rules, "a7 g4 d1"),
            other: set(&rules, "a4 d7 b4 f6"),
            own_hand: 0,
            other_hand: 0,
        };
        assert_eq!(turns(&rules, state).len(), 3 * 17);
        assert_eq!(turns(&Rules { fly: false, ..rules.clone() }, state).len(), 6);
        let four = State { own: state.other, other: state.own, ..state };
        // a4-a1, d7-g7, d7-d6, b4-b6, b4-b2, b4-c4, f6-d6, f6-f4
        assert_eq!(turns(&rules, four).len(), 8);
    }

    #[test]
    fn lasker_moves_while_stones_are_in_hand() {
        let rules = rules("lasker");
        let state = State { own: set(&rules, "a7"), other: set(&rules, "g7"), own_hand: 9, other_hand: 9 };
        assert_eq!(turns(&rules, state).len(), 22 + 2);
        assert_eq!(turns(&rules, State { own_hand: 2, ..state }).len(), 22 + 22);
    }

    #[test]
    fn who_cannot_move_or_has_two_stones_has_lost() {
        let rules = rules("nine");
        let stuck = State {
            own: set(&rules, "a7 a1 g7 g1"),
            other: set(&rules, "a4 d7 g4 d1"),
            own_hand: 0,
            other_hand: 0,
        };
        assert_eq!(rules.outcome(stuck), Some(Value::Loss));
        assert_eq!(rules.outcome(State { own: set(&rules, "a7 a1"), ..stuck }), Some(Value::Loss));
        assert_eq!(rules.outcome(State { other: set(&rules, "a4 d7"), ..stuck }), Some(Value::Win));
        assert_eq!(rules.outcome(State { own_hand: 1, ..stuck }), None);
        let full = State { own: 0xfff, other: 0xfff_000, own_hand: 0, other_hand: 0 };
        assert_eq!(rules.outcome(full), Some(Value::Loss));
        let drawn = Rules { full_board: FullBoard::Draw, ..rules };
        assert_eq!(drawn.outcome(full), Some(Value::Draw));
        assert_eq!(drawn.outcome(stuck), Some(Value::Loss));
    }

    #[test]
    fn moves_that_close_mills_are_those_among_all_turns() {
        for (rules, state) in samples() {
            let mut expected = Vec::new();
            let mut others = false;
            rules.turns(state, |turn| {
                let closes =
                    rules.board.closes_mill(state.own & !turn.from, turn.to.trailing_zeros() as usize);
                match (turn.from != 0, closes) {
                    (true, true) => expected.push(turn),
                    (true, false) => others = true,
                    (false, _) => (),
                }
            });
            let mut found = Vec::new();
            let rest = rules.try_mill_moves(state, |turn| {
                found.push(turn);
                ControlFlow::<()>::Continue(())
            });
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{state:?}");
            assert_eq!(rest, ControlFlow::Continue(others), "{state:?}");
        }
    }

    /// Turns that move a stone and take nothing, and their origins, are the same relation.
    #[test]
    fn quiet_origins_turn_quiet_turns_around() {
        use std::collections::BTreeSet;
        for (rules, state) in samples() {
            let quiet = |state: State| {
                let mut next = BTreeSet::new();
                rules.turns(state, |t| next.extend((t.from != 0 && t.taken == 0).then(|| state.after(t))));
                next
            };
            for next in quiet(state) {
                let mut origins = Vec::new();
                rules.quiet_origins(next, |origin| origins.push(origin));
                assert!(origins.contains(&state), "{state:?} {next:?}");
            }
            let mut origins = Vec::new();
            rules.quiet_origins(state, |origin| origins.push(origin));
            assert!(origins.iter().all(|&origin| quiet(origin).contains(&state)), "{state:?}");
        }
    }

    /// Random positions of several games and sectors.
    fn samples() -> Vec<(Rules, State)> {
        let nine = rules("nine");
        let protected = Rules { capture: Capture::Protected, ..nine.clone() };
        let cases: [(Rules, [u8; 4]); 7] = [
            (nine.clone(), [4, 3, 0, 0]),
            (nine.clone(), [3, 4, 0, 0]),
            (nine, [9, 9, 0, 0]),
            (protected, [3, 3, 0, 0]),
            (rules("lasker"), [2, 4, 1, 3]),
            (rules("seven"), [4, 5, 0, 0]),
            (rules("morabaraba"), [2, 3, 1, 0]),
        ];
        let mut seed = 7u64;
        let mut samples = Vec::new();
        for (rules, [own, other, own_hand, other_hand]) in cases {
            for _ in 0..1000 {
                let (mut mine, mut theirs) = (0u32, 0u32);
                let too_few = |set: u32, stones: u8| set.count_ones() < u32::from(stones);
                while too_few(mine, own) || too_few(theirs, other) {
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let point = (seed >> 33) % rules.board.num_points() as u64;
                    let free = 1u32 << point & !(mine | theirs);
                    if too_few(mine, own) { mine |= free } else { theirs |= free }
                }
                samples.push((rules.clone(), State { own: mine, other: theirs, own_hand, other_hand }));
            }
        }
        samples
    }

    #[test]
    fn no_mill_is_closed_against_an_empty_board() {
        let rules = rules("nine");
        let state = State { own: set(&rules, "a7 d7"), other: 0, own_hand: 7, other_hand: 9 };
        assert_eq!(turns(&rules, state).len(), 21);
        assert_eq!(turns(&Rules { capture: Capture::Protected, ..rules }, state).len(), 22);
    }
}
