//! Merges nodes with the same continuations.
//!
//! Two nodes are equivalent if their edges have the same effects and lead to equivalent nodes. As a result, the square and the
//! scores at the end of a turn count only if play or an outcome depends on them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::explore::Graph;
use super::graph::{Edge, Effect, NodeId, Phase, Target, Test};

/// The signature of an edge: its effect, the class of the pattern in its test, and its target.
type EdgeSign = (usize, Option<usize>, Target);

/// Returns the representative of each node. `order` compares the scores at a node.
pub(super) fn representatives(graph: &Graph, order: impl Fn(NodeId) -> Ordering) -> Vec<NodeId> {
    let ends = ends_at(graph);
    let kinds = graph.nodes.iter().enumerate().map(|(at, node)| (node.phase, ends[at].then(|| order(at))));
    let mut classes = Classes::new(numbered(kinds));
    let (effects, before) = (effects(graph), before(graph));
    let mut changed: Vec<NodeId> = (0..graph.nodes.len()).collect();
    while !changed.is_empty() {
        let moved = classes.split(&changed, |at, of| edge_signs(graph, at, &effects[at], of));
        let mut next: Vec<NodeId> = moved.into_iter().flat_map(|node| before[node].iter().copied()).collect();
        next.sort_unstable();
        next.dedup();
        changed = next;
    }
    first_of_each(&classes.of)
}

/// A partition of nodes into classes, which is refined until the nodes of each class are equivalent.
struct Classes {
    /// The class of each node.
    of: Vec<usize>,
    /// The nodes of each class.
    members: Vec<Vec<NodeId>>,
}

impl Classes {
    fn new(of: Vec<usize>) -> Self {
        let mut members = vec![Vec::new(); of.iter().max().map_or(0, |most| most + 1)];
        for (node, &class) in of.iter().enumerate() {
            members[class].push(node);
        }
        Self { of, members }
    }

    /// Splits the classes of changed nodes by their signatures, and returns the nodes whose class is new.
    ///
    /// Unchanged nodes of a class remain equivalent. The largest part of a class keeps its number, so that the number of a node
    /// rarely changes.
    fn split<S: Hash + Eq>(
        &mut self,
        changed: &[NodeId],
        sign: impl Fn(NodeId, &[usize]) -> S,
    ) -> Vec<NodeId> {
        let mut by_class: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
        for &node in changed.iter().filter(|&&node| self.members[self.of[node]].len() > 1) {
            by_class.entry(self.of[node]).or_default().push(node);
        }
        let mut new = Vec::new();
        for (class, changed) in by_class {
            let mut parts: Vec<Vec<NodeId>> = Vec::new();
            let mut numbers: HashMap<S, usize> = HashMap::new();
            let same: Vec<NodeId> = self.members[class]
                .iter()
                .copied()
                .filter(|node| changed.binary_search(node).is_err())
                .collect();
            if let Some(&one) = same.first() {
                numbers.insert(sign(one, &self.of), 0);
                parts.push(same);
            }
            for node in changed {
                let number = *numbers.entry(sign(node, &self.of)).or_insert(parts.len());
                match parts.get_mut(number) {
                    Some(part) => part.push(node),
                    None => parts.push(vec![node]),
                }
            }
            new.push((class, parts));
        }
        new.into_iter().flat_map(|(class, parts)| self.parted(class, parts)).collect()
    }

    /// Moves all parts of a class except the largest to new classes, and returns their nodes.
    fn parted(&mut self, class: usize, mut parts: Vec<Vec<NodeId>>) -> Vec<NodeId> {
        let largest = (0..parts.len()).max_by_key(|&part| parts[part].len()).unwrap_or_default();
        self.members[class] = parts.swap_remove(largest);
        for part in &parts {
            part.iter().for_each(|&node| self.of[node] = self.members.len());
            self.members.push(part.clone());
        }
        parts.concat()
    }
}

/// Returns the predecessors of each node, including those with a test whose pattern begins at the node.
fn before(graph: &Graph) -> Vec<Vec<NodeId>> {
    let mut before = vec![Vec::new(); graph.nodes.len()];
    for (from, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            let pattern = edge.effect.pattern();
            for to in edge.to.node().into_iter().chain(pattern) {
                if before[to].last() != Some(&from) {
                    before[to].push(from);
                }
            }
        }
    }
    before
}

/// Returns the edges of a node with classes instead of nodes. Their order matters only for the keeper.
fn edge_signs(graph: &Graph, at: NodeId, effects: &[usize], classes: &[usize]) -> Vec<EdgeSign> {
    let node = &graph.nodes[at];
    let sign = |(edge, &effect): (&Edge, &usize)| {
        let pattern = edge.effect.pattern().map(|start| classes[start]);
        (effect, pattern, edge.to.renamed(classes))
    };
    let mut signs: Vec<EdgeSign> = node.edges.iter().zip(effects).map(sign).collect();
    if !node.phase.is_keepers() {
        signs.sort_unstable();
        signs.dedup();
    }
    signs
}

/// Returns a number for the effect of each edge of each node, disregarding patterns.
fn effects(graph: &Graph) -> Vec<Vec<usize>> {
    let mut numbers = HashMap::new();
    let mut number = |effect: &'_ Effect| {
        let test = match &effect.test {
            Some(Test::Pattern { negated, .. }) => (Some(*negated), None),
            Some(Test::Compare(comparing)) => (None, Some(comparing.clone())),
            None => (None, None),
        };
        let new = numbers.len();
        *numbers.entry((test, effect.cells.clone())).or_insert(new)
    };
    graph.nodes.iter().map(|node| node.edges.iter().map(|edge| number(&edge.effect)).collect()).collect()
}

/// Returns, for each node, whether the game ends there if no operation is possible.
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

/// Numbers signatures from 0 in order of first occurrence, so that equal signatures get equal numbers.
fn numbered<S: std::hash::Hash + Eq>(signs: impl Iterator<Item = S>) -> Vec<usize> {
    let mut numbers = HashMap::new();
    signs
        .map(|sign| {
            let new = numbers.len();
            *numbers.entry(sign).or_insert(new)
        })
        .collect()
}

/// Returns the first node of the class of each node.
fn first_of_each(classes: &[usize]) -> Vec<NodeId> {
    let mut first = HashMap::new();
    classes.iter().enumerate().map(|(at, class)| *first.entry(class).or_insert(at)).collect()
}
