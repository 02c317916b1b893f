//! Handles loops in the rules that a path can go through repeatedly: replaces the supported loops, and explains why others are
//! unsupported.

use std::collections::HashSet;

use super::super::book::Rulebook;
use super::super::fault::{At, Fault, Result};
use super::chains::{Chain, chain};
use super::circles::{circles, onward};
use super::explore::Graph;
use super::graph::{Edge, NodeId, Phase};
use super::walks::walk_at_once;

/// The maximum number of places of an unrolled loop, which is copied once for every piece that a path can capture in it.
const WRITTEN_OUT: usize = 1 << 19;

/// Replaces loops without changes by direct edges, and proves that loops with changes terminate.
///
/// # Errors
/// Returns an error with the location of an unsupported loop.
pub(super) fn settle_loops(book: &Rulebook, graph: &mut Graph, start: NodeId) -> Result<Vec<Chain>> {
    let mut chains = Vec::new();
    // Merging leaves nodes that no path reaches.
    let mut live = vec![false; graph.nodes.len()];
    graph.reached(start).into_iter().for_each(|node| live[node] = true);
    for circle in circles(graph, &|_, _| true) {
        let inside: HashSet<NodeId> = circle.iter().copied().collect();
        let is_inside = |edge: &Edge| onward(edge.to).is_some_and(|node| inside.contains(&node));
        let phases = || circle.iter().map(|&node| graph.nodes[node].phase);
        if phases().all(|phase| phase != Phase::Pattern) && !circle.iter().any(|&node| live[node]) {
            continue;
        }
        let edges =
            || circle.iter().flat_map(|&node| &graph.nodes[node].edges).filter(|edge| is_inside(edge));
        let place =
            |writes: bool| edges().filter(|edge| edge.writes == writes).map(|edge| edge.at).min_by_key(first);
        let refused = |at: Option<At>, message: &str, help: &str| {
            let fault = Fault::new(at.unwrap_or_default(), message, "inside a loop");
            Err(book.error(fault.help(help)))
        };
        if let Some(at) = place(true) {
            let message = "unsupported loop: a path may change the position repeatedly";
            if phases().any(|phase| phase == Phase::Pattern) {
                return refused(
                    Some(at),
                    message,
                    "patterns may repeat tests without limit, but changes only a fixed number of times",
                );
            }
            let Some(found) = chain(graph, &circle, &live) else {
                let help = "every round must remove a piece from the board that no round puts back";
                return refused(Some(at), message, help);
            };
            if found.nodes.len() * graph.contents.num_squares() > WRITTEN_OUT {
                return refused(
                    Some(at),
                    "this loop is too large to be unrolled",
                    "a smaller board may help",
                );
            }
            chains.push(found);
        } else if phases().all(|phase| matches!(phase, Phase::Turn(_))) {
            walk_at_once(graph, &circle);
        } else if phases().any(|phase| phase != Phase::Pattern) {
            let message = "unsupported loop: a path of the keeper may never end";
            return refused(place(false), message, "put the loop into a pattern, as in {? (step)* goal}");
        }
    }
    Ok(chains)
}

fn first(at: &At) -> usize {
    at.span.start
}
