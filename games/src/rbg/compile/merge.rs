//! Nodes with the same play ahead are one.
//!
//! Two nodes are alike when their edges do the same and lead to nodes that are alike. So the square where a turn ends, and the
//! scores that it ends with, count only where play or an outcome depends on them.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use super::explore::Graph;
use super::graph::{Edge, Effect, NodeId, Phase, Target, Test};

/// An edge in the sign of a node: what is done, the class of the pattern that is looked at, and where it leads.
type EdgeSign = (usize, Option<usize>, Target);

/// For each node, the one that stands for it. `order` compares the scores at a node.
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

/// Nodes in classes that are split until the nodes of each are alike.
struct Classes {
    /// By node, its class.
    of: Vec<usize>,
    /// By class, its nodes.
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

    /// Splits the classes of nodes that have changed, by their signs; gives the nodes whose class is a new one.
    ///
    /// Nodes of a class that have not changed are still alike. The largest part of a class keeps its number, so that a node
    /// gets a new one few times.
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

    /// Gives all parts of a class but the largest a class of their own; gives the nodes of these.
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

/// For each node, those with an edge to it or to a pattern that begins there.
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

/// The edges of a node, with classes in the place of nodes. Their order counts for the keeper alone.
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

/// For each edge of each node a number of its effect, patterns left out.
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
