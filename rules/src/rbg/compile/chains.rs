//! Termination proofs for loops in which a path makes changes, such as chain captures.
//!
//! A loop terminates if every round decreases the number of some kind of piece and no round increases it. The proof relies on the
//! contents of squares, which are known right after a path has tested them.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::circles::{circles, onward};
use super::explore::Graph;
use super::graph::{Edge, NodeId};

/// A terminating loop.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The nodes of the loop, in ascending order.
    pub(super) nodes: Vec<NodeId>,
    /// The edges that capture a piece, by node and number.
    pub(super) takes: HashSet<(NodeId, usize)>,
}

/// The known contents of cells at a node.
pub(super) type Known = HashMap<usize, BTreeSet<u32>>;

/// The maximum number of kinds of pieces for which every subset is tried.
const KINDS: usize = 10;

/// Returns the loop of a cycle, if it provably terminates.
pub(super) fn chain(graph: &Graph, circle: &[NodeId]) -> Option<Chain> {
    let known = known_at(graph, circle);
    let inside = |edge: &Edge| onward(edge.to).is_some_and(|node| circle.binary_search(&node).is_ok());
    let squares = graph.contents.num_squares();
    let kinds: BTreeSet<u32> = (0..squares).flat_map(|square| graph.contents.of(square)).collect();
    let kinds: Vec<u32> = kinds.into_iter().collect();
    if kinds.len() > KINDS {
        return None;
    }
    'selections: for selection in 1..(1_u32 << kinds.len()) - 1 {
        let chosen = |piece: u32| {
            kinds.iter().position(|&kind| kind == piece).is_some_and(|at| selection >> at & 1 == 1)
        };
        let mut takes = HashSet::new();
        for &node in circle {
            for (number, edge) in graph.nodes[node].edges.iter().enumerate().filter(|(_, edge)| inside(edge))
            {
                match change(graph, edge, known.get(&node), squares, &chosen) {
                    Some(Change::More) => continue 'selections,
                    Some(Change::Fewer) => _ = takes.insert((node, number)),
                    Some(Change::None) | None => {}
                }
            }
        }
        let others = |node: NodeId, number: usize| {
            circle.binary_search(&node).is_ok()
                && inside(&graph.nodes[node].edges[number])
                && !takes.contains(&(node, number))
        };
        if circles(graph, &others).is_empty() {
            return Some(Chain { nodes: circle.to_vec(), takes });
        }
    }
    None
}

/// The change in the number of chosen pieces along an edge.
enum Change {
    /// The number decreases by at least one.
    Fewer,
    /// The number stays equal or decreases.
    None,
    /// The number may increase.
    More,
}

/// Returns the change in the number of chosen pieces along an edge, or `None` if no path uses the edge.
fn change(
    graph: &Graph,
    edge: &Edge,
    known: Option<&Known>,
    squares: usize,
    chosen: &dyn Fn(u32) -> bool,
) -> Option<Change> {
    let known = known?;
    let mut fewer = false;
    for (cell, pairs) in edge.effect.cells.iter().filter(|(cell, _)| *cell < squares) {
        let possible = |before: u32| known.get(cell).is_none_or(|held| held.contains(&before));
        let pairs: Vec<(u32, u32)> = pairs.iter().copied().filter(|&(before, _)| possible(before)).collect();
        if pairs.is_empty() {
            return None;
        }
        if pairs.iter().any(|&(before, after)| !chosen(before) && chosen(after)) {
            return Some(Change::More);
        }
        fewer |= pairs.iter().all(|&(before, after)| chosen(before) && !chosen(after));
    }
    debug_assert!(edge.effect.cells.iter().all(|(cell, _)| *cell < graph.contents.num_cells()));
    Some(if fewer { Change::Fewer } else { Change::None })
}

/// Returns the known contents at the nodes of a cycle. At its entries, these follow from the incoming edges.
fn known_at(graph: &Graph, circle: &[NodeId]) -> HashMap<NodeId, Known> {
    let is_inside = |node: &NodeId| circle.binary_search(node).is_ok();
    let mut known: HashMap<NodeId, Known> = HashMap::new();
    for (from, node) in graph.nodes.iter().enumerate() {
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
