//! Turns as paths of steps.
//!
//! A turn that does not close a mill is a placement, a slide, or a stone that is lifted and dropped elsewhere. A turn
//! that closes a mill continues through a junction to the captures, and through a second junction to a second capture
//! if the rules allow two.

use nerode_dfa::{Condition, Dfa, Letter, MoveGraph, NodeIndex, Result, Step};

use super::view::{FEW, Mills, NO_MILL, ONE_MILL, SEVERAL_MILLS, SOME_MILLS, View};
use super::{EMPTY, Morris};
use crate::morris::{Capture, Phases};
use crate::side::Side;

/// The move graph of one side under construction.
pub(super) struct Turns<'a> {
    pub(super) view: View<'a>,
    pub(super) graph: MoveGraph,
}

impl<'a> Turns<'a> {
    /// Creates a graph without moves.
    pub(super) fn new(game: &'a Morris, side: Side) -> Self {
        Self { view: View::new(game, side), graph: MoveGraph::new(game.shape.clone()) }
    }

    pub(super) fn add_all(&mut self) -> Result<()> {
        let lifts = self.lifts()?;
        // Turns that do not close a mill end here, because no edge leaves their last steps.
        self.placements(NO_MILL)?;
        self.moves(NO_MILL, &lifts)?;
        let double =
            if self.view.game.rules.take == 2 { self.placements(SEVERAL_MILLS)? } else { Vec::new() };
        let mut single = self.moves(SOME_MILLS, &lifts)?;
        single.extend(self.placements(if double.is_empty() { SOME_MILLS } else { ONE_MILL })?);
        let protected = self.view.game.rules.capture == Capture::Protected;
        let in_mills = self.view.others_in_mills()?;
        self.captures(&single, &in_mills, protected.then_some(&in_mills))?;
        if !double.is_empty() {
            let first = self.captures(&double, &in_mills, protected.then_some(&in_mills))?;
            let none_left = self.view.others_gone()?;
            self.captures(&first, &in_mills, Some(if protected { &in_mills } else { &none_left }))?;
        }
        Ok(())
    }

    /// Returns the condition for moving a stone on the board: no stone in hand, unless the rules mix placing and moving.
    fn may_move(&self) -> Condition {
        match self.view.game.rules.phases {
            Phases::Separate => Condition::any().with(self.view.own_hand, &[0]),
            Phases::Mixed => Condition::any(),
        }
    }

    /// Adds a step for every point from which a stone is lifted to fly. Returns no steps if sides do not fly.
    fn lifts(&mut self) -> Result<Vec<NodeIndex>> {
        if !self.view.game.rules.fly {
            return Ok(Vec::new());
        }
        let may_fly = self.may_move().within(self.view.stones_up_to(FEW)?);
        let lift = |point| {
            Step::identity().change(self.view.layer(point), self.view.own, EMPTY).when(may_fly.clone())
        };
        let steps: Vec<Step> = (0..self.view.num_points()).map(lift).collect();
        steps.into_iter().map(|step| self.graph.add(step)).collect()
    }

    /// Adds the steps that place a stone from the hand on an empty point and close a number of mills in `mills`.
    fn placements(&mut self, mills: Mills) -> Result<Vec<NodeIndex>> {
        let hand = self.view.own_hand;
        let from_hand: Vec<(Letter, Letter)> =
            (1..self.view.game.shape.num_letters(hand)).map(|n| (n as Letter, n as Letter - 1)).collect();
        let mut nodes = Vec::new();
        for point in 0..self.view.num_points() {
            let step = self.view.arrival(point, mills.clone())?.change_any(hand, &from_hand);
            nodes.push(self.graph.add(step)?);
        }
        Ok(nodes)
    }

    /// Adds the steps that move a stone on the board to another point, along a line or by flying, and close a number of
    /// mills in `mills`.
    pub(super) fn moves(&mut self, mills: Mills, lifts: &[NodeIndex]) -> Result<Vec<NodeIndex>> {
        let mut nodes = Vec::new();
        for to in 0..self.view.num_points() {
            let arrival = self.view.arrival(to, mills.clone())?;
            for from in (0..self.view.num_points()).filter(|&from| self.view.are_neighbours(from, to)) {
                let from = self.view.layer(from);
                let slide = arrival.clone().change(from, self.view.own, EMPTY).when(self.may_move());
                nodes.push(self.graph.add(slide)?);
            }
            if !lifts.is_empty() {
                let drop = self.graph.add(arrival)?;
                // A stone that is dropped where it was lifted has not moved.
                for (_, &lift) in lifts.iter().enumerate().filter(|&(from, _)| from != to) {
                    self.graph.connect(lift, drop)?;
                }
                nodes.push(drop);
            }
        }
        Ok(nodes)
    }

    /// Adds captures after the steps `before`. A capture removes a stone outside mills, or any stone if all are in
    /// mills and the rules allow it. On words of `or_nothing`, nothing is captured.
    pub(super) fn captures(
        &mut self,
        before: &[NodeIndex],
        in_mills: &Dfa,
        or_nothing: Option<&Dfa>,
    ) -> Result<Vec<NodeIndex>> {
        let junction = self.graph.add(Step::identity())?;
        for &node in before {
            self.graph.connect(node, junction)?;
        }
        let mut conditions = Vec::new();
        for point in 0..self.view.num_points() {
            conditions.push((point, self.view.mills_through(point, self.view.other, NO_MILL)?));
            if self.view.game.rules.capture == Capture::Always {
                conditions.push((point, in_mills.clone()));
            }
        }
        let taken = |(point, condition): (usize, Dfa)| {
            let change = Step::identity().change(self.view.layer(point), self.view.other, EMPTY);
            change.when(Condition::any().within(condition))
        };
        let mut steps: Vec<Step> = conditions.into_iter().map(taken).collect();
        steps.extend(or_nothing.map(|set| Step::identity().when(Condition::any().within(set.clone()))));
        let mut nodes = Vec::with_capacity(steps.len());
        for step in steps {
            nodes.push(self.graph.add(step)?);
            self.graph.connect(junction, nodes[nodes.len() - 1])?;
        }
        Ok(nodes)
    }
}
