//! The board as seen by one side, and sets of words on which the turns of that side depend.

use std::ops::RangeInclusive;

use nerode_dfa::{Condition, Dfa, Letter, Result, Step};

use super::{BLACK, EMPTY, Morris, WHITE};
use crate::side::Side;

/// The number of stones below which a side has lost, and with exactly which it may fly.
pub(super) const FEW: usize = 3;

/// The range of the number of mills that an arriving stone closes.
pub(super) type Mills = RangeInclusive<u32>;
pub(super) const NO_MILL: Mills = 0..=0;
pub(super) const ONE_MILL: Mills = 1..=1;
pub(super) const SOME_MILLS: Mills = 1..=u32::MAX;
pub(super) const SEVERAL_MILLS: Mills = 2..=u32::MAX;

impl Morris {
    /// Returns the layers of the points.
    pub(super) fn point_layers(&self) -> Vec<usize> {
        (0..self.num_points()).map(|point| self.layout.layer(point)).collect()
    }
}

/// The game as seen by one side: the letters of both sides, its hand, and the layers of points.
pub(super) struct View<'a> {
    pub(super) game: &'a Morris,
    pub(super) own: Letter,
    pub(super) other: Letter,
    pub(super) own_hand: usize,
}

impl<'a> View<'a> {
    pub(super) fn new(game: &'a Morris, side: Side) -> Self {
        let (own, other) = if side == Side::P1 { (WHITE, BLACK) } else { (BLACK, WHITE) };
        Self { game, own, other, own_hand: game.layout.layer(game.num_points() + side.index()) }
    }

    pub(super) fn num_points(&self) -> usize {
        self.game.num_points()
    }

    pub(super) fn layer(&self, point: usize) -> usize {
        self.game.layout.layer(point)
    }

    /// Returns the point of `layer`, or `None` if the layer represents a hand.
    pub(super) fn point(&self, layer: usize) -> Option<usize> {
        Some(self.game.layout.cells()[layer]).filter(|&cell| cell < self.num_points())
    }

    /// Returns the mills through `point`.
    pub(super) fn mills(&self, point: usize) -> Vec<u32> {
        self.game.rules.board.mills().iter().copied().filter(|mill| mill >> point & 1 == 1).collect()
    }

    /// Returns the set `{ w : the side has at most this many stones on points and in hand together }`.
    pub(super) fn stones_up_to(&self, most: usize) -> Result<Dfa> {
        let step = |layer: usize, seen: &usize, letter: Letter| {
            let more = match self.point(layer) {
                Some(_) => usize::from(letter == self.own),
                None if layer == self.own_hand => usize::from(letter),
                None => 0,
            };
            Some(seen + more).filter(|&seen| seen <= most)
        };
        Dfa::from_step(&self.game.shape, 0, step, |_| true)
    }

    /// Returns the set `{ w : the number of mills through point that hold only letter is in counts }`.
    pub(super) fn mills_through(&self, point: usize, letter: Letter, counts: Mills) -> Result<Dfa> {
        let mills = self.mills(point);
        let step = |layer: usize, broken: &u32, found: Letter| match self.point(layer) {
            Some(point) if found != letter => {
                let through = (0..mills.len()).filter(|&i| mills[i] >> point & 1 == 1);
                Some(through.fold(*broken, |broken, i| broken | 1 << i))
            }
            _ => Some(*broken),
        };
        let whole = |broken: &u32| counts.contains(&(mills.len() as u32 - broken.count_ones()));
        Dfa::from_step(&self.game.shape, 0u32, step, whole)
    }

    /// Returns the set `{ w : the opponent has no stone on the board }`.
    pub(super) fn others_gone(&self) -> Result<Dfa> {
        Dfa::letter_count(&self.game.shape, self.other, &self.game.point_layers(), 0..=0)
    }

    /// Returns the step of an own stone that arrives on the empty `point` and closes a number of mills in `mills`.
    pub(super) fn arrival(&self, point: usize, mills: Mills) -> Result<Step> {
        let closed = self.mills_through(point, self.own, mills)?;
        let step = Step::identity().change(self.layer(point), EMPTY, self.own);
        Ok(step.then(Condition::any().within(closed)))
    }

    pub(super) fn are_neighbours(&self, a: usize, b: usize) -> bool {
        self.game.rules.board.neighbours(a) >> b & 1 == 1
    }

    /// Returns the set `{ w : every stone of the opponent on the board is in a mill }`.
    pub(super) fn others_in_mills(&self) -> Result<Dfa> {
        let mills = self.game.rules.board.mills();
        let indices = |set: u32| (0..mills.len()).filter(move |&i| set >> i & 1 == 1);
        let through = |point: usize| {
            (0..mills.len()).filter(|&i| mills[i] >> point & 1 == 1).fold(0u32, |set, i| set | 1 << i)
        };
        let points_of = |set: u32| indices(set).fold(0, |points, i| points | mills[i]);
        // The state consists of the points read so far, the mills that may still be completed, and the stones that need
        // one of them.
        let step = |layer: usize, &(passed, open, waiting): &(u32, u32, u32), letter: Letter| {
            let Some(point) = self.point(layer) else { return Some((passed, open, waiting)) };
            let passed = passed | 1 << point;
            if letter != self.other {
                let open = open & !through(point);
                return (waiting & !points_of(open) == 0).then_some((passed, open, waiting));
            }
            let whole = indices(open).filter(|&i| mills[i] & !passed == 0).fold(0, |set, i| set | 1 << i);
            let waiting = (waiting | 1 << point) & !points_of(whole);
            let open = open & !whole;
            (waiting & !points_of(open) == 0).then_some((passed, open, waiting))
        };
        let all = (1u32 << mills.len()) - 1;
        Dfa::from_step(&self.game.shape, (0u32, all, 0u32), step, |&(_, _, waiting)| waiting == 0)
    }
}
