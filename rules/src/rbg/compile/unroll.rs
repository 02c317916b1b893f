//! Unrolls terminating loops to exactly the maximum number of rounds that some position allows.

use std::collections::HashMap;

use nerode_dfa::{Result, Set};

use super::chains::Chain;
use super::circles::onward;
use super::explore::Graph;
use super::graph::{Edge, Node, NodeId, Target};
use super::possible::Possible;
use super::sets::Sets;

/// Returns the maximum number of pieces that a path through the loop can capture in any position that play may reach.
pub(super) fn most_taken(sets: &mut Sets<'_>, chain: &Chain, possible: &Possible) -> Result<usize> {
    let graph = sets.graph;
    let inner: Vec<NodeId> = in_order(graph, chain);
    for edge in chain.nodes.iter().flat_map(|&node| &graph.nodes[node].edges) {
        sets.find_patterns(&edge.effect)?;
    }
    let mut limits: HashMap<NodeId, Set> = HashMap::new();
    for &node in &chain.nodes {
        limits.insert(node, possible.counted(sets, node)?);
    }
    let mut taken = limits.clone();
    let mut most = 0;
    loop {
        // The positions in which a path from each node captures one more piece.
        let mut more: HashMap<NodeId, Set> = HashMap::new();
        for &node in &inner {
            let mut parts = Vec::new();
            for (number, edge) in graph.nodes[node].edges.iter().enumerate() {
                let Some(next) = onward(edge.to).filter(|next| taken.contains_key(next)) else { continue };
                let from = if chain.takes.contains(&(node, number)) { &taken } else { &more };
                if let Some(onward) = from.get(&next).filter(|set| !set.is_empty()) {
                    let onward = onward.clone();
                    parts.push(sets.before(&edge.effect, &onward)?);
                }
            }
            let all = sets.store.union_all(&parts)?;
            let within = sets.store.intersection(&all, &limits[&node])?;
            more.insert(node, within);
        }
        if more.values().all(Set::is_empty) {
            return Ok(most);
        }
        (taken, most) = (more, most + 1);
    }
}

/// Returns the nodes of a loop, each after the targets of its edges, disregarding edges that capture.
fn in_order(graph: &Graph, chain: &Chain) -> Vec<NodeId> {
    let (mut seen, mut found) = (std::collections::HashSet::new(), Vec::new());
    for &start in &chain.nodes {
        if !seen.insert(start) {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((node, at)) = path.last_mut() {
            let (from, number) = (*node, *at);
            let Some(edge) = graph.nodes[from].edges.get(number) else {
                found.push(from);
                path.pop();
                continue;
            };
            *at += 1;
            let next = onward(edge.to).filter(|next| chain.nodes.binary_search(next).is_ok());
            if let Some(next) = next.filter(|_| !chain.takes.contains(&(from, number)))
                && seen.insert(next)
            {
                path.push((next, 0));
            }
        }
    }
    found
}

/// Returns the graph with a copy of the loop for each number of captured pieces, up to `most`.
pub(super) fn unrolled(mut graph: Graph, chain: &Chain, most: usize) -> Graph {
    let base = graph.nodes.len();
    let size = chain.nodes.len();
    // Copy 0 is the loop itself.
    let copy = |at: usize, round: usize| match round {
        0 => chain.nodes[at],
        _ => base + (round - 1) * size + at,
    };
    let mut nodes: Vec<(NodeId, Node)> = Vec::with_capacity(size * (most + 1));
    for round in 0..=most {
        for (at, &node) in chain.nodes.iter().enumerate() {
            let edges = graph.nodes[node].edges.iter().enumerate();
            let edges = edges.filter_map(|(number, edge)| {
                let takes = chain.takes.contains(&(node, number));
                match onward(edge.to).and_then(|next| chain.nodes.binary_search(&next).ok()) {
                    Some(_) if takes && round == most => None,
                    Some(next) => Some(Edge {
                        to: renamed(edge.to, copy(next, round + usize::from(takes))),
                        ..edge.clone()
                    }),
                    None => Some(edge.clone()),
                }
            });
            nodes.push((copy(at, round), Node { edges: edges.collect(), ..graph.nodes[node].clone() }));
        }
    }
    for (at, node) in nodes {
        if at < base {
            graph.nodes[at] = node;
        } else {
            graph.nodes.push(node);
        }
    }
    graph
}

fn renamed(target: Target, node: NodeId) -> Target {
    match target {
        Target::Keeper(_) => Target::Keeper(node),
        _ => Target::Node(node),
    }
}
