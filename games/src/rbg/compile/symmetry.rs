//! Which permutations of the squares take the rules to themselves.
//!
//! A permutation does if the graph with its squares renamed plays like the graph itself, wherever a turn begins. Nothing is
//! assumed of the rules: both graphs are put side by side, and nodes are compared as they are to make nodes with the same play
//! ahead one.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::explore::Graph;
use super::graph::{NodeId, Target, Test};
use super::merge::representatives;
use super::status::Status;

/// Most edges of a graph that is looked at.
const EDGES: usize = 50_000;

/// Most edges of paths through a pattern that are followed, and of a single path.
const LOOKS: usize = 4096;
const LENGTH: usize = 64;

/// Whether every turn stays as it is when the content of every square `s` goes to `image[s]`. `order` compares scores at a node.
pub(super) fn keeps_play(
    graph: &Graph,
    status: &Status,
    image: &[usize],
    order: impl Fn(&Graph, NodeId) -> Ordering,
) -> bool {
    let contents = &graph.contents;
    let alike = |(cell, &to): (usize, &usize)| contents.of(cell).eq(contents.of(to));
    let edges: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    if edges > EDGES || !image.iter().enumerate().all(alike) {
        return false;
    }
    let both = beside_its_image(graph, image);
    let classes = representatives(&both, |node| order(&both, node));
    let moved = graph.nodes.len();
    let mut begins = status.turns.iter().chain(&status.waits).flatten();
    begins.all(|&node| classes[node] == classes[node + moved])
}

/// The graph, and after it the same with its squares renamed.
fn beside_its_image(graph: &Graph, image: &[usize]) -> Graph {
    let moved = graph.nodes.len();
    let later: Vec<NodeId> = (0..moved).map(|node| node + moved).collect();
    let mut both = graph.clone();
    for node in &graph.nodes {
        let mut copy = node.clone();
        for edge in &mut copy.edges {
            edge.to = match edge.to {
                Target::Accept => Target::Accept,
                other => other.renamed(&later),
            };
            if let Some(Test::Pattern { start, .. }) = &mut edge.effect.test {
                *start = later[*start];
            }
            for (cell, _) in &mut edge.effect.cells {
                *cell = image.get(*cell).copied().unwrap_or(*cell);
            }
        }
        both.nodes.push(copy);
    }
    for edge in both.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        edge.effect.cells.sort_by_key(|(cell, _)| *cell);
    }
    with_equal_patterns(both)
}

/// The graph with one pattern in the place of all that look at the same in another order.
fn with_equal_patterns(mut graph: Graph) -> Graph {
    let mut first: HashMap<BTreeSet<Look>, NodeId> = HashMap::new();
    let mut stands: HashMap<NodeId, NodeId> = HashMap::new();
    for edge in graph.nodes.iter().flat_map(|node| &node.edges) {
        let Some(Test::Pattern { start, .. }) = edge.effect.test else { continue };
        if let Entry::Vacant(entry) = stands.entry(start) {
            let same = looks(&graph, start).map(|looks| *first.entry(looks).or_insert(start));
            entry.insert(same.unwrap_or(start));
        }
    }
    for edge in graph.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        if let Some(Test::Pattern { start, .. }) = &mut edge.effect.test {
            *start = stands[start];
        }
    }
    graph
}

/// What a path through a pattern looks at: cells, with what they may hold.
type Look = BTreeMap<usize, BTreeSet<u32>>;

/// What every path through a pattern looks at, of which one must hold; `None` for patterns with many paths, and for those that do
/// more than look at cells.
fn looks(graph: &Graph, start: NodeId) -> Option<BTreeSet<Look>> {
    let mut found = BTreeSet::new();
    let mut left = vec![(start, Look::new(), 0)];
    let mut steps = 0;
    while let Some((node, look, length)) = left.pop() {
        for edge in &graph.nodes[node].edges {
            steps += 1;
            if steps > LOOKS || length > LENGTH || edge.effect.test.is_some() {
                return None;
            }
            let mut look = look.clone();
            for (cell, pairs) in &edge.effect.cells {
                if pairs.iter().any(|(before, after)| before != after) {
                    return None;
                }
                let held: BTreeSet<u32> = pairs.iter().map(|&(held, _)| held).collect();
                let known = look.entry(*cell).or_insert_with(|| held.clone());
                *known = known.intersection(&held).copied().collect();
            }
            match edge.to {
                Target::Node(next) => left.push((next, look, length + 1)),
                Target::Accept => _ = found.insert(look),
                Target::Keeper(_) | Target::Rest(_) => return None,
            }
        }
    }
    Some(found)
}
