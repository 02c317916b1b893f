//! Replaces loops in which a path only tests: the path jumps directly to any exit of the loop if a pattern confirms that a way to
//! the exit exists.

use std::collections::HashMap;

use super::circles::onward;
use super::explore::Graph;
use super::graph::{Edge, Effect, Node, NodeId, Phase, Target, Test};

/// Replaces the edges within a cycle of a player's path.
pub(super) fn walk_at_once(graph: &mut Graph, circle: &[NodeId]) {
    let inside = |edge: &Edge| onward(edge.to).is_some_and(|node| circle.binary_search(&node).is_ok());
    let mut ways: HashMap<NodeId, Vec<Edge>> = HashMap::new();
    for &exit in circle {
        let leaving: Vec<Edge> =
            graph.nodes[exit].edges.iter().filter(|edge| !inside(edge)).cloned().collect();
        let Some(at) = leaving.first().map(|edge| edge.at) else { continue };
        let starts = pattern_to(graph, circle, exit, &inside);
        let left = graph.nodes.len();
        graph.nodes.push(Node { edges: leaving, ..graph.nodes[exit].clone() });
        for (&node, &start) in circle.iter().zip(&starts) {
            let test = (node != exit).then_some(Test::Pattern { start, negated: false });
            let effect = Effect { test, cells: Vec::new() };
            ways.entry(node).or_default().push(Edge { effect, to: Target::Node(left), writes: false, at });
        }
    }
    for &node in circle {
        graph.nodes[node].edges = ways.remove(&node).unwrap_or_default();
    }
}

/// Creates a pattern that follows the cycle and ends at `exit`. Returns its start for each node of the cycle.
fn pattern_to(
    graph: &mut Graph,
    circle: &[NodeId],
    exit: NodeId,
    inside: &dyn Fn(&Edge) -> bool,
) -> Vec<NodeId> {
    let base = graph.nodes.len();
    let copy_of = |node: NodeId| circle.binary_search(&node).map_or(node, |at| base + at);
    for &node in circle {
        let mut copy = graph.nodes[node].clone();
        copy.phase = Phase::Pattern;
        copy.edges.retain(|edge| inside(edge));
        for edge in &mut copy.edges {
            if let Some(next) = onward(edge.to) {
                edge.to = Target::Node(copy_of(next));
            }
        }
        if node == exit {
            let at = graph.nodes[node].edges.first().map(|edge| edge.at).unwrap_or_default();
            copy.edges = vec![Edge { effect: Effect::default(), to: Target::Accept, writes: false, at }];
        }
        graph.nodes.push(copy);
    }
    (0..circle.len()).map(|at| base + at).collect()
}
