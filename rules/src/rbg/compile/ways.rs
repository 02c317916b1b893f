//! The possible steps of play, one edge at a time, with the known contents of cells.

use std::collections::{BTreeMap, HashMap};

use super::chains::{Known, after, joined};
use super::explore::Graph;
use super::graph::{NodeId, Target};

/// The maximum number of nodes that are examined.
const NODES: usize = 20_000;

/// A possible edge with the pairs of contents that it can change, by cell.
pub(super) struct Way {
    /// The source and target, as numbers in [`Play::nodes`].
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) changes: Vec<(usize, Vec<(u32, u32)>)>,
}

/// All possible steps of play.
pub(super) struct Play {
    /// The nodes that play reaches, in ascending order.
    pub(super) nodes: Vec<NodeId>,
    pub(super) ways: Vec<Way>,
    /// The number of the node where play begins.
    pub(super) start: usize,
}

impl Play {
    /// Computes all possible steps from a node, or returns `None` if there are too many nodes.
    pub(super) fn new(graph: &Graph, start: NodeId) -> Option<Self> {
        let known = known_in_play(graph, start)?;
        let nodes: Vec<NodeId> = known.keys().copied().collect();
        let mut ways = Vec::new();
        for (from, (&node, known)) in known.iter().enumerate() {
            for edge in &graph.nodes[node].edges {
                let next = edge.to.node().filter(|_| after(graph, known, edge).is_some());
                let Some(to) = next.and_then(|next| nodes.binary_search(&next).ok()) else { continue };
                let possible =
                    |cell: usize, before: u32| known.get(&cell).is_none_or(|held| held.contains(&before));
                let change = |(cell, pairs): &(usize, Vec<(u32, u32)>)| {
                    let pairs =
                        pairs.iter().copied().filter(|&(before, _)| possible(*cell, before)).collect();
                    (*cell, pairs)
                };
                ways.push(Way { from, to, changes: edge.effect.cells.iter().map(change).collect() });
            }
        }
        let start = nodes.binary_search(&start).ok()?;
        Some(Self { nodes, ways, start })
    }

    /// Lets play begin at every turn of the first player, so that conditions which hold only at the start are not used as limits.
    /// A position given by the user is rarely the start position, but it has the same letter.
    pub(super) fn begin_anywhere(&mut self, graph: &Graph, turns: &[NodeId]) {
        let (start, player) = (self.start, graph.player_at(self.nodes[self.start]));
        let alike = turns.iter().filter(|&&node| graph.player_at(node) == player);
        let from: Vec<usize> =
            alike.filter_map(|&node| self.number(node)).filter(|&at| at != start).collect();
        self.ways.extend(from.into_iter().map(|from| Way { from, to: start, changes: Vec::new() }));
    }

    /// Returns the number of a node, or `None` if play does not reach it.
    pub(super) fn number(&self, node: NodeId) -> Option<usize> {
        self.nodes.binary_search(&node).ok()
    }

    /// Returns the ways that leave each node, by number.
    pub(super) fn leaving(&self) -> Vec<Vec<usize>> {
        let mut leaving = vec![Vec::new(); self.nodes.len()];
        for (number, way) in self.ways.iter().enumerate() {
            leaving[way.from].push(number);
        }
        leaving
    }
}

/// Returns the known contents of cells at every node that play reaches, or `None` if there are too many nodes.
fn known_in_play(graph: &Graph, start: NodeId) -> Option<BTreeMap<NodeId, Known>> {
    let mut known: HashMap<NodeId, Known> = HashMap::from([(start, Known::new())]);
    let mut left = vec![start];
    while let Some(node) = left.pop() {
        if known.len() > NODES {
            return None;
        }
        for edge in &graph.nodes[node].edges {
            let Some(next) = edge.to.node() else { continue };
            let Some(mut found) = after(graph, &known[&node], edge) else { continue };
            if matches!(edge.to, Target::Rest(_)) {
                found.clear();
            }
            let both = match known.get(&next) {
                None => found,
                Some(before) => joined(before, &found),
            };
            if known.get(&next) != Some(&both) {
                known.insert(next, both);
                left.push(next);
            }
        }
    }
    Some(known.into_iter().collect())
}
