//! The turns of a side without stones in hand, split into small relations for sectors that are solved as sets.

use nerode_dfa::{Dfa, Letter, MoveGraph, Result, Step};

use super::turns::Turns;
use super::view::{Mills, NO_MILL, SOME_MILLS, View};
use super::{EMPTY, Morris};
use crate::morris::{Capture, PRESETS, Rules};
use crate::side::Side;

/// The turns of a side without stones in hand, in parts. A single relation for closing a mill and capturing a stone
/// would be large on the board of nine men's morris.
///
/// A side that flies has three stones, so its move closes a mill exactly when the resulting word contains a mill of
/// that side. In this case, `quiet` and `closing` contain the same moves, and `mills` distinguishes them.
#[derive(Clone, Debug)]
pub struct SectorMoves {
    /// The moves that do not close a mill, or all moves of a side that flies.
    pub quiet: MoveGraph,
    /// The moves that close a mill, without the capture, or all moves of a side that flies.
    pub closing: MoveGraph,
    /// The captures of one stone of the opponent.
    pub captures: MoveGraph,
    /// The set `{ w : the side has a mill }`. `closing` leads into it; if the side flies, `quiet` leads out of it.
    pub mills: Dfa,
    /// Whether the side flies.
    pub flies: bool,
    /// The set `{ w : a mill just closed takes nothing }`, if the rules have such positions.
    pub kept: Option<Dfa>,
}

/// Returns the moves of `side` in the game with the given rules and letter order, for sectors without stones in hand.
pub(crate) fn sector_moves(
    rules: &Rules,
    order: &str,
    side: Side,
    flies: bool,
) -> crate::Result<SectorMoves> {
    // The preset matters only for the name of the game.
    Ok(Morris::of(&PRESETS[0], rules.clone(), Some(order))?.sector_moves(side, flies)?)
}

impl Morris {
    /// Returns the turns of `side` without stones in hand. The side jumps if it `flies`, and otherwise moves along lines.
    fn sector_moves(&self, side: Side, flies: bool) -> Result<SectorMoves> {
        let graph = |fill: &dyn Fn(&mut Turns<'_>) -> Result<()>| {
            let mut turns = Turns::new(self, side);
            fill(&mut turns)?;
            Ok::<_, nerode_dfa::Error>(turns.graph)
        };
        let view = View::new(self, side);
        let in_mills = view.others_in_mills()?;
        let (quiet, closing) = if flies {
            let flights = graph(&|turns| turns.flights())?;
            (flights.clone(), flights)
        } else {
            let slides = |mills: Mills| graph(&|turns| turns.moves(mills.clone(), &[]).map(drop));
            (slides(NO_MILL)?, slides(SOME_MILLS)?)
        };
        let captures = graph(&|turns| turns.captures(&[], &in_mills, None).map(drop))?;
        let kept = (self.rules.capture == Capture::Protected).then_some(in_mills);
        Ok(SectorMoves { quiet, closing, captures, mills: view.own_mills()?, flies, kept })
    }
}

impl View<'_> {
    /// Returns the set `{ w : the side has a mill }`.
    fn own_mills(&self) -> Result<Dfa> {
        let mills = self.game.rules.board.mills();
        let through = |point: usize| (0..mills.len()).filter(move |&i| mills[i] >> point & 1 == 1);
        // The state consists of the points read so far and the mills that lack a stone. It is `None` once a mill is complete.
        let step = |layer: usize, state: &Option<(u32, u32)>, letter: Letter| {
            let Some(((passed, broken), point)) = state.zip(self.point(layer)) else { return Some(*state) };
            let passed = passed | 1 << point;
            if letter != self.own {
                return Some(Some((passed, through(point).fold(broken, |broken, i| broken | 1 << i))));
            }
            let whole = through(point).any(|i| broken >> i & 1 == 0 && mills[i] & !passed == 0);
            Some((!whole).then_some((passed, broken)))
        };
        Dfa::from_step(&self.game.shape, Some((0, 0)), step, Option::is_none)
    }
}

impl Turns<'_> {
    /// Adds the jumps of a stone on the board to any empty point.
    fn flights(&mut self) -> Result<()> {
        let points = || 0..self.view.num_points();
        let mut steps = Vec::new();
        for (from, to) in points().flat_map(|from| points().map(move |to| (from, to))).filter(|(a, b)| a != b)
        {
            let lift = Step::identity().change(self.view.layer(from), self.view.own, EMPTY);
            steps.push(lift.change(self.view.layer(to), EMPTY, self.view.own));
        }
        steps.into_iter().try_for_each(|step| self.graph.add(step).map(drop))
    }
}
