//! Termination proofs for loops in which a path makes changes, such as chain captures.
//!
//! A loop terminates if every round decreases the number of some kind of piece and no round increases it. The proof relies on the
//! contents of squares, which are known right after a path has tested them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::circles::{circles, onward};
use super::explore::Graph;
use super::graph::{Edge, NodeId};

/// A terminating loop.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The nodes of the loop, in ascending order.
    pub(super) nodes: Vec<NodeId>,
    /// The edges that capture a piece, by node and number.
    #[cfg_attr(not(feature = "sets"), expect(dead_code, reason = "only moves on sets need it"))]
    pub(super) takes: HashSet<(NodeId, usize)>,
}

/// The known contents of cells at a node.
pub(super) type Known = HashMap<usize, BTreeSet<u32>>;

/// The possible changes of squares along an edge within a loop.
struct Inner {
    node: NodeId,
    number: usize,
    /// The contents before and after, by square.
    changes: Vec<Vec<(u32, u32)>>,
}

/// Returns the loop of a cycle, if it provably terminates. `live` contains `true` for each node that play may reach.
///
/// A set of kinds never grows if it contains, with the kind that a change leaves, also the kind that the change removes. All such
/// sets are unions of the smallest ones around single kinds. An edge captures if it takes a kind out of such a set.
pub(super) fn chain(graph: &Graph, circle: &[NodeId], live: &[bool]) -> Option<Chain> {
    let inner = inner_edges(graph, circle, live);
    let pairs = || inner.iter().flat_map(|edge| edge.changes.iter().flatten().copied());
    let kinds: BTreeSet<u32> = pairs().flat_map(|(before, after)| [before, after]).collect();
    // For each kind, the kinds from which it is made.
    let mut made_from: BTreeMap<u32, BTreeSet<u32>> =
        kinds.iter().map(|&kind| (kind, BTreeSet::from([kind]))).collect();
    loop {
        let known: usize = made_from.values().map(BTreeSet::len).sum();
        for (before, after) in pairs() {
            let more = made_from[&before].clone();
            made_from.entry(after).or_default().extend(more);
        }
        if made_from.values().map(BTreeSet::len).sum::<usize>() == known {
            break;
        }
    }
    let removed = |pairs: &Vec<(u32, u32)>| -> BTreeSet<u32> {
        pairs.iter().flat_map(|(before, _)| made_from[before].iter().copied()).collect()
    };
    let mut sets: BTreeSet<(usize, BTreeSet<u32>)> =
        made_from.values().map(|set| (set.len(), set.clone())).collect();
    sets.extend(inner.iter().flat_map(|edge| &edge.changes).map(removed).map(|set| (set.len(), set)));
    let mut all = HashSet::new();
    for (_, set) in sets {
        let takes = |edge: &&Inner| edge.changes.iter().any(|pairs| takes_out_of(&set, pairs));
        let takes: HashSet<(NodeId, usize)> =
            inner.iter().filter(takes).map(|edge| (edge.node, edge.number)).collect();
        if ends(graph, circle, &takes) {
            return Some(Chain { nodes: circle.to_vec(), takes });
        }
        all.extend(takes);
    }
    ends(graph, circle, &all).then(|| Chain { nodes: circle.to_vec(), takes: all })
}

/// Returns `true` if every change takes a kind out of the set.
fn takes_out_of(set: &BTreeSet<u32>, pairs: &[(u32, u32)]) -> bool {
    !pairs.is_empty() && pairs.iter().all(|(before, after)| set.contains(before) && !set.contains(after))
}

/// Returns `true` if every round of a loop follows one of these edges.
fn ends(graph: &Graph, circle: &[NodeId], takes: &HashSet<(NodeId, usize)>) -> bool {
    let others = |node: NodeId, number: usize| {
        let to = onward(graph.nodes[node].edges[number].to);
        circle.binary_search(&node).is_ok()
            && to.is_some_and(|to| circle.binary_search(&to).is_ok())
            && !takes.contains(&(node, number))
    };
    circles(graph, &others).is_empty()
}

/// Returns the edges within a loop that a path may use, with their changes of squares.
fn inner_edges(graph: &Graph, circle: &[NodeId], live: &[bool]) -> Vec<Inner> {
    let known = known_at(graph, circle, live);
    let squares = graph.contents.num_squares();
    let mut found = Vec::new();
    for &node in circle {
        let Some(known) = known.get(&node) else { continue };
        for (number, edge) in graph.nodes[node].edges.iter().enumerate() {
            let is_inside = onward(edge.to).is_some_and(|node| circle.binary_search(&node).is_ok());
            if !is_inside || after(graph, known, edge).is_none() {
                continue;
            }
            let possible =
                |cell: usize, before: u32| known.get(&cell).is_none_or(|held| held.contains(&before));
            let changes =
                edge.effect.cells.iter().filter(|(cell, _)| *cell < squares).map(|(cell, pairs)| {
                    pairs.iter().copied().filter(|&(before, _)| possible(*cell, before)).collect()
                });
            found.push(Inner { node, number, changes: changes.collect() });
        }
    }
    found
}

/// Returns the known contents at the nodes of a cycle. At its entries, these follow from the incoming edges.
fn known_at(graph: &Graph, circle: &[NodeId], live: &[bool]) -> HashMap<NodeId, Known> {
    let is_inside = |node: &NodeId| circle.binary_search(node).is_ok();
    // Nodes that replaced another loop come after all the others.
    let is_live = |node: NodeId| live.get(node).copied().unwrap_or(true);
    let mut known: HashMap<NodeId, Known> = HashMap::new();
    for (from, node) in graph.nodes.iter().enumerate().filter(|(from, _)| is_live(*from)) {
        let targets = node.edges.iter().filter(|edge| !is_inside(&from) || onward(edge.to).is_none());
        for edge in targets {
            let Some(target) = edge.to.node().filter(is_inside) else { continue };
            let nothing = Known::new();
            let entered =
                if onward(edge.to).is_none() { Some(nothing) } else { after(graph, &nothing, edge) };
            let Some(entered) = entered else { continue };
            let either = known.get(&target).map_or(entered.clone(), |before| joined(before, &entered));
            known.insert(target, either);
        }
    }
    let mut left: Vec<NodeId> = known.keys().copied().collect();
    while let Some(node) = left.pop() {
        for edge in &graph.nodes[node].edges {
            let Some(next) = onward(edge.to).filter(is_inside) else { continue };
            let Some(after) = known.get(&node).and_then(|known| after(graph, known, edge)) else { continue };
            let joined = match known.get(&next) {
                None => after,
                Some(before) => joined(before, &after),
            };
            if known.get(&next) != Some(&joined) {
                known.insert(next, joined);
                left.push(next);
            }
        }
    }
    known
}

/// Returns the known contents after an edge, or `None` if no path uses the edge.
pub(super) fn after(graph: &Graph, known: &Known, edge: &Edge) -> Option<Known> {
    let mut after = known.clone();
    for (cell, pairs) in &edge.effect.cells {
        let possible = |before: u32| known.get(cell).is_none_or(|held| held.contains(&before));
        let held: BTreeSet<u32> =
            pairs.iter().filter(|(before, _)| possible(*before)).map(|&(_, after)| after).collect();
        if held.is_empty() {
            return None;
        }
        if held.len() == graph.contents.number_of(*cell) {
            after.remove(cell);
        } else {
            after.insert(*cell, held);
        }
    }
    Some(after)
}

/// Returns the contents that are known if either of two cases applies.
pub(super) fn joined(one: &Known, other: &Known) -> Known {
    let both = |(cell, held): (&usize, &BTreeSet<u32>)| {
        other.get(cell).map(|more| (*cell, held.union(more).copied().collect()))
    };
    one.iter().filter_map(both).collect()
}
