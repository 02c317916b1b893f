//! The status layer: distinguishes the turns with different continuations, and the results of games that are over.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::explore::Graph;
use super::graph::{NodeId, Target};

/// The meaning of a status letter with a side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Standing {
    /// The side's turn begins at a node.
    Turn(NodeId),
    /// The other side continues at a node, so this side passes.
    Wait(NodeId),
    /// The game is over. `Less` means that the first side has lost.
    Over(Ordering),
    /// No game reaches this letter with this side to move.
    Nothing,
}

/// The letters of the status.
#[derive(Clone, Debug, Default)]
pub(super) struct Status {
    /// For each side, the nodes where its turns begin.
    pub(super) turns: [Vec<NodeId>; 2],
    /// For each side, the nodes where the other side continues.
    pub(super) waits: [Vec<NodeId>; 2],
    pub(super) outcomes: Vec<Ordering>,
}

impl Status {
    /// Returns the number of letters with which play continues.
    pub(super) fn running(&self) -> usize {
        let of = |side: usize| self.turns[side].len() + self.waits[side].len();
        of(0).max(of(1))
    }

    /// Returns the number of letters.
    pub(super) fn len(&self) -> usize {
        self.running() + self.outcomes.len()
    }

    /// Returns the meaning of a letter with `side` to move.
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

    /// Returns the letter with which `side` is to move when a turn of `mover` begins at a node.
    pub(super) fn letter(&self, side: usize, mover: usize, node: NodeId) -> Option<usize> {
        if side == mover {
            return self.turns[side].iter().position(|&known| known == node);
        }
        let wait = self.waits[side].iter().position(|&known| known == node);
        wait.map(|at| self.turns[side].len() + at)
    }

    /// Returns the letter of an outcome.
    pub(super) fn outcome(&self, outcome: Ordering) -> Option<usize> {
        self.outcomes.iter().position(|&known| known == outcome).map(|at| self.running() + at)
    }

    /// Returns for each letter the one with the same meaning after the sides are exchanged. `is_image` compares the nodes where
    /// turns begin. Returns `None` if a letter has no such counterpart, or different ones for the two sides.
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

    /// Adds the beginning of a turn. Returns `true` if it is new.
    pub(super) fn add_turn(&mut self, side: usize, node: NodeId) -> bool {
        let new = !self.turns[side].contains(&node);
        if new {
            self.turns[side].push(node);
        }
        new
    }

    /// Adds a node where `side` passes and the other side continues.
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

/// Compares the score of the first player with that of the second.
pub(super) fn compared(scores: &[u32], players: [usize; 2]) -> Ordering {
    scores[players[0]].cmp(&scores[players[1]])
}

/// Computes the letters of the status that are reachable from the start. `players` contains the player of each side, and `ranked`
/// the players in the order in which their scores are compared.
pub(super) fn standings(graph: &Graph, start: NodeId, players: [usize; 2], ranked: [usize; 2]) -> Status {
    let mut status = Status::default();
    let first = usize::from(graph.player_at(start) != Some(players[0]));
    status.add_turn(first, start);
    let mut left = vec![(first, start)];
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
                Target::Keeper(node) => status.add_outcome(compared(graph.scores_at(node), ranked)),
                _ => {}
            }
        }
    }
    status
}

/// Returns the possible ends of a turn that begins at a node: the nodes where the next turns begin, and the keeper's nodes where
/// the game may be over.
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
