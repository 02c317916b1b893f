//! The layer that says how play stands: where turns begin that differ in what may follow, and how the game has ended.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::explore::Graph;
use super::graph::{NodeId, Target};

/// What a letter of the layer says with a side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Standing {
    /// The side's turn begins at a node.
    Turn(NodeId),
    /// The other side goes on at a node: this side lets it.
    Wait(NodeId),
    /// The game is over; `Less`: the first side has lost.
    Over(Ordering),
    /// No game comes to this letter with this side to move.
    Nothing,
}

/// The letters of the layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Status {
    /// By side, where its turns begin.
    pub(super) turns: [Vec<NodeId>; 2],
    /// By side, where the other one goes on.
    pub(super) waits: [Vec<NodeId>; 2],
    pub(super) outcomes: Vec<Ordering>,
}

impl Status {
    /// Letters with which play goes on.
    pub(super) fn running(&self) -> usize {
        let of = |side: usize| self.turns[side].len() + self.waits[side].len();
        of(0).max(of(1))
    }

    /// Number of letters.
    pub(super) fn len(&self) -> usize {
        self.running() + self.outcomes.len()
    }

    /// What a letter says with `side` to move.
    pub(super) fn standing(&self, side: usize, letter: usize) -> Standing {
        let turns = self.turns[side].len();
        if let Some(&node) = self.turns[side].get(letter) {
            return Standing::Turn(node);
        }
        if let Some(&node) = self.waits[side].get(letter - turns) {
            return Standing::Wait(node);
        }
        match letter.checked_sub(self.running()).and_then(|at| self.outcomes.get(at)) {
            Some(&outcome) => Standing::Over(outcome),
            None => Standing::Nothing,
        }
    }

    /// The letter with which `side` is to move where a turn of `mover` begins at a node.
    pub(super) fn letter(&self, side: usize, mover: usize, node: NodeId) -> Option<usize> {
        if side == mover {
            return self.turns[side].iter().position(|&known| known == node);
        }
        let wait = self.waits[side].iter().position(|&known| known == node);
        wait.map(|at| self.turns[side].len() + at)
    }

    /// The letter of an outcome.
    pub(super) fn outcome(&self, outcome: Ordering) -> Option<usize> {
        self.outcomes.iter().position(|&known| known == outcome).map(|at| self.running() + at)
    }

    /// By letter, the one that says of the other side what this one says of a side; `is_image` compares where turns begin. `None`
    /// where some letter has none, or different ones for the two sides.
    pub(super) fn exchanged(&self, is_image: impl Fn(NodeId, NodeId) -> bool) -> Option<Vec<usize>> {
        let is_same = |from: Standing, to: Standing| match (from, to) {
            (Standing::Turn(from), Standing::Turn(to)) | (Standing::Wait(from), Standing::Wait(to)) => {
                is_image(from, to)
            }
            (Standing::Over(from), Standing::Over(to)) => from == to.reverse(),
            (from, to) => from == Standing::Nothing && to == Standing::Nothing,
        };
        let fits = |letter: usize, other: usize| {
            [0, 1].into_iter().all(|side| {
                is_same(self.standing(side, letter), self.standing(1 - side, other))
                    && is_same(self.standing(side, other), self.standing(1 - side, letter))
            })
        };
        let letters = 0..self.len();
        let found: Vec<usize> = letters
            .clone()
            .map(|letter| letters.clone().find(|&other| fits(letter, other)))
            .collect::<Option<_>>()?;
        letters.into_iter().all(|letter| found[found[letter]] == letter).then_some(found)
    }

    /// Adds where a turn begins, for the first time.
    pub(super) fn add_turn(&mut self, side: usize, node: NodeId) -> bool {
        let new = !self.turns[side].contains(&node);
        if new {
            self.turns[side].push(node);
        }
        new
    }

    /// Adds where `side` lets the other one go on.
    pub(super) fn add_wait(&mut self, side: usize, node: NodeId) {
        if !self.waits[side].contains(&node) {
            self.waits[side].push(node);
        }
    }

    /// Adds an outcome.
    pub(super) fn add_outcome(&mut self, outcome: Ordering) {
        if !self.outcomes.contains(&outcome) {
            self.outcomes.push(outcome);
            self.outcomes.sort_unstable_by(|a, b| b.cmp(a));
        }
    }
}

/// The scores of the first side compared with those of the second.
pub(super) fn compared(scores: &[u32], players: [usize; 2]) -> Ordering {
    scores[players[0]].cmp(&scores[players[1]])
}

/// How play can stand, from the start on.
pub(super) fn standings(graph: &Graph, start: NodeId, players: [usize; 2]) -> Status {
    let mut status = Status::default();
    status.add_turn(0, start);
    let mut left = vec![(0, start)];
    while let Some((side, node)) = left.pop() {
        for target in ends_of_turn(graph, node) {
            match target {
                Target::Rest(next) => {
                    let mover = usize::from(graph.player_at(next) != Some(players[0]));
                    if mover == side {
                        status.add_wait(1 - side, next);
                    }
                    if status.add_turn(mover, next) {
                        left.push((mover, next));
                    }
                }
                Target::Keeper(node) => status.add_outcome(compared(graph.scores_at(node), players)),
                _ => {}
            }
        }
    }
    status
}

/// Where a turn that begins at a node ends: where the next one begins, and the keeper's nodes where the game may be over.
fn ends_of_turn(graph: &Graph, begin: NodeId) -> Vec<Target> {
    let (mut seen, mut left) = (HashSet::from([begin]), vec![begin]);
    let mut ends = Vec::new();
    while let Some(node) = left.pop() {
        for edge in &graph.nodes[node].edges {
            match edge.to {
                Target::Rest(_) => ends.push(edge.to),
                Target::Accept => {}
                Target::Node(next) | Target::Keeper(next) => {
                    if matches!(edge.to, Target::Keeper(_)) && !graph.surely_goes_on(next) {
                        ends.push(edge.to);
                    }
                    if seen.insert(next) {
                        left.push(next);
                    }
                }
            }
        }
    }
    ends
}
