//! Nodes with the same play ahead are one.
//!
//! Two nodes are alike when their edges do the same and lead to nodes that are alike. So the square where a turn ends, and the
//! scores that it ends with, count only where play or an outcome depends on them.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::explore::Graph;
use super::graph::{Edge, Effect, NodeId, Phase, Target, Test};

/// Most edges that are looked at, again and again.
const LOOKS: usize = 1 << 28;

/// An edge in the sign of a node: what is done, the class of the pattern that is looked at, and where it leads.
type EdgeSign = (usize, Option<usize>, Target);

/// For each node, the one that stands for it. `order` compares the scores at a node.
pub(super) fn representatives(graph: &Graph, order: impl Fn(NodeId) -> Ordering) -> Vec<NodeId> {
    let ends = ends_at(graph);
    let kinds = graph.nodes.iter().enumerate().map(|(at, node)| (node.phase, ends[at].then(|| order(at))));
    let mut classes = numbered(kinds);
    let effects = effects(graph);
    let all: usize = effects.iter().map(Vec::len).sum();
    let mut count = 0;
    for round in 0.. {
        if round * all > LOOKS {
            break;
        }
        let number = classes.iter().max().map_or(0, |most| most + 1);
        if number == count {
            return first_of_each(&classes);
        }
        count = number;
        let signs: Vec<(usize, Vec<EdgeSign>)> = (0..graph.nodes.len())
            .map(|at| (classes[at], edge_signs(graph, at, &effects[at], &classes)))
            .collect();
        classes = numbered(signs.into_iter());
    }
    // Too large to find out: every node stands for itself.
    (0..graph.nodes.len()).collect()
}

/// The edges of a node, with classes in the place of nodes. Their order counts for the keeper alone.
fn edge_signs(graph: &Graph, at: NodeId, effects: &[usize], classes: &[usize]) -> Vec<EdgeSign> {
    let node = &graph.nodes[at];
    let sign = |(edge, &effect): (&Edge, &usize)| {
        let pattern = match edge.effect.test {
            Some(Test::Pattern { start, .. }) => Some(classes[start]),
            _ => None,
        };
        (effect, pattern, edge.to.renamed(classes))
    };
    let mut signs: Vec<EdgeSign> = node.edges.iter().zip(effects).map(sign).collect();
    if !node.phase.is_keepers() {
        signs.sort_unstable();
        signs.dedup();
    }
    signs
}

/// For each edge of each node a number of its effect, patterns left out.
fn effects(graph: &Graph) -> Vec<Vec<usize>> {
    let mut numbers = HashMap::new();
    let mut number = |effect: &Effect| {
        let text = match &effect.test {
            Some(Test::Pattern { negated, .. }) => format!("{negated} {:?}", effect.cells),
            other => format!("{other:?} {:?}", effect.cells),
        };
        let new = numbers.len();
        *numbers.entry(text).or_insert(new)
    };
    graph.nodes.iter().map(|node| node.edges.iter().map(|edge| number(&edge.effect)).collect()).collect()
}

/// Whether the game ends at a node if nothing can be done there.
fn ends_at(graph: &Graph) -> Vec<bool> {
    let mut ends: Vec<bool> = (0..graph.nodes.len())
        .map(|node| graph.nodes[node].phase == Phase::KeeperBegins && !graph.surely_goes_on(node))
        .collect();
    for edge in graph.nodes.iter().flat_map(|node| &node.edges) {
        if let Target::Rest(node) = edge.to {
            ends[node] = true;
        }
    }
    ends
}

/// Equal signs get equal numbers, from 0 in the order of first occurrence.
fn numbered<S: std::hash::Hash + Eq>(signs: impl Iterator<Item = S>) -> Vec<usize> {
    let mut numbers = HashMap::new();
    signs
        .map(|sign| {
            let new = numbers.len();
            *numbers.entry(sign).or_insert(new)
        })
        .collect()
}

/// For each node the first of its class.
fn first_of_each(classes: &[usize]) -> Vec<NodeId> {
    let mut first = HashMap::new();
    classes.iter().enumerate().map(|(at, class)| *first.entry(class).or_insert(at)).collect()
}
