//! The possible steps of play, with the nodes split by what the path knows about cells that it rewrites later.
//!
//! A path that carries a piece in a variable, as a rotation of squares does, tests a square in one step and rewrites it in another.
//! If each node stands for all contents at once, the piece seems to come from nowhere. Each case of a node therefore has contents of
//! its own. Nothing is known when a player begins a path.

use std::collections::{BTreeSet, HashMap};

use super::chains::{Known, after};
use super::explore::Graph;
use super::graph::{NodeId, Target};
use super::ways::{Play, Way};

/// The maximum number of cases of all nodes together.
const CASES: usize = 1 << 16;

/// Some cells with their contents, in ascending order.
type Case = Vec<(usize, u32)>;

/// Where a path forgets what it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forgets {
    /// When a player or the keeper begins a path, which results in fewer cases.
    AtEverySwitch,
    /// When a player begins a path.
    AtTurns,
}

impl Forgets {
    /// Returns the node to which an edge leads, if the path remembers what it knows.
    fn onward(self, target: Target) -> Option<NodeId> {
        match target {
            Target::Node(node) => Some(node),
            Target::Keeper(node) if self == Self::AtTurns => Some(node),
            _ => None,
        }
    }
}

/// Returns all possible steps from the start of `play`, or `None` if there are too many cases. A case of a node has a number of its
/// own in [`Play::nodes`].
pub(super) fn by_cases(graph: &Graph, play: &Play, forgets: Forgets) -> Option<Play> {
    let later = rewritten_later(graph, play, forgets);
    let start = play.nodes[play.start];
    let mut numbers: HashMap<(NodeId, Case), usize> = HashMap::from([((start, Case::new()), 0)]);
    let (mut nodes, mut cases, mut ways) = (vec![start], vec![Case::new()], Vec::new());
    let mut from = 0;
    while from < nodes.len() {
        let known: Known = cases[from].iter().map(|&(cell, held)| (cell, BTreeSet::from([held]))).collect();
        for edge in &graph.nodes[nodes[from]].edges {
            let Some(to) = edge.to.node() else { continue };
            let Some(after) = after(graph, &known, edge) else { continue };
            let mut case = Case::new();
            if forgets.onward(edge.to).is_some()
                && let Some(later) = later.get(&to)
            {
                let single = |cell: &usize| match after.get(cell) {
                    Some(held) if held.len() == 1 => held.first().map(|&held| (*cell, held)),
                    _ => None,
                };
                case.extend(later.iter().filter_map(single));
            }
            let new = nodes.len();
            let to_case = *numbers.entry((to, case.clone())).or_insert(new);
            if to_case == new {
                if new == CASES {
                    return None;
                }
                nodes.push(to);
                cases.push(case);
            }
            let possible =
                |cell: usize, before: u32| known.get(&cell).is_none_or(|held| held.contains(&before));
            let change = |(cell, pairs): &(usize, Vec<(u32, u32)>)| {
                (*cell, pairs.iter().copied().filter(|&(before, _)| possible(*cell, before)).collect())
            };
            ways.push(Way { from, to: to_case, changes: edge.effect.cells.iter().map(change).collect() });
        }
        from += 1;
    }
    Some(Play { nodes, ways, start: 0 })
}

/// Returns for each node the squares that its path may rewrite, and the variables that it may test or assign, before it forgets.
fn rewritten_later(graph: &Graph, play: &Play, forgets: Forgets) -> HashMap<NodeId, BTreeSet<usize>> {
    let squares = graph.contents.num_squares();
    let mut before: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    let mut later: HashMap<NodeId, BTreeSet<usize>> = HashMap::new();
    for &node in &play.nodes {
        for edge in &graph.nodes[node].edges {
            if let Some(to) = forgets.onward(edge.to) {
                before.entry(to).or_default().push(node);
            }
            let matters = |(cell, pairs): &&(usize, Vec<(u32, u32)>)| {
                *cell >= squares || pairs.iter().any(|(before, after)| before != after)
            };
            let cells = edge.effect.cells.iter().filter(matters).map(|(cell, _)| *cell);
            later.entry(node).or_default().extend(cells);
        }
    }
    let mut left: Vec<NodeId> = play.nodes.clone();
    while let Some(node) = left.pop() {
        let Some(own) = later.get(&node).cloned() else { continue };
        for &earlier in before.get(&node).map_or(&[][..], Vec::as_slice) {
            let known = later.entry(earlier).or_default();
            let size = known.len();
            known.extend(&own);
            if known.len() > size {
                left.push(earlier);
            }
        }
    }
    later
}
