//! Computes the positions from which the end of a pattern is reachable, as least fixpoints of backward steps.

use std::collections::{HashMap, HashSet, VecDeque};

use nerode_dfa::{Result, Set};

use super::graph::{Effect, NodeId, Target};
use super::sets::Sets;

impl Sets<'_> {
    /// Computes the patterns that an effect tests, including nested patterns.
    pub(super) fn find_patterns(&mut self, effect: &Effect) -> Result<()> {
        // The remaining patterns. The innermost is last.
        let mut left: Vec<NodeId> = effect.pattern().into_iter().collect();
        while let Some(&start) = left.last() {
            if self.patterns.contains_key(&start) {
                left.pop();
                continue;
            }
            let inner = self.inner_patterns(start);
            if inner.is_empty() {
                self.find_pattern(start)?;
                left.pop();
            } else {
                left.extend(inner);
            }
        }
        Ok(())
    }

    /// Returns the patterns that are tested within a pattern and have not been computed.
    fn inner_patterns(&self, start: NodeId) -> Vec<NodeId> {
        let graph = self.graph;
        let nodes = self.unknown_from(start);
        let effects = nodes.iter().flat_map(|&node| &graph.nodes[node].edges).map(|edge| &edge.effect);
        effects.filter_map(Effect::pattern).filter(|inner| !self.patterns.contains_key(inner)).collect()
    }

    /// Returns the nodes reachable from a node whose sets have not been computed.
    fn unknown_from(&self, start: NodeId) -> Vec<NodeId> {
        let (mut seen, mut left, mut found) = (HashSet::from([start]), vec![start], Vec::new());
        while let Some(node) = left.pop() {
            found.push(node);
            let next = self.graph.nodes[node].edges.iter().filter_map(|edge| edge.to.node());
            left.extend(next.filter(|next| !self.patterns.contains_key(next) && seen.insert(*next)));
        }
        found
    }

    /// Computes the sets of all nodes of a pattern, whose nested patterns must have been computed.
    fn find_pattern(&mut self, start: NodeId) -> Result<()> {
        let graph = self.graph;
        let nodes = self.unknown_from(start);
        let mut into: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for &node in &nodes {
            for next in graph.nodes[node].edges.iter().filter_map(|edge| edge.to.node()) {
                into.entry(next).or_default().push(node);
            }
        }
        for &node in &nodes {
            self.patterns.insert(node, self.store.empty());
        }
        let mut left: VecDeque<NodeId> = nodes.iter().rev().copied().collect();
        let mut waiting: HashSet<NodeId> = nodes.into_iter().collect();
        while let Some(node) = left.pop_front() {
            waiting.remove(&node);
            let set = self.reaching(node)?;
            if self.patterns.get(&node) == Some(&set) {
                continue;
            }
            self.patterns.insert(node, set);
            for &before in into.get(&node).into_iter().flatten() {
                if waiting.insert(before) {
                    left.push_back(before);
                }
            }
        }
        Ok(())
    }

    /// Returns the positions from which a node's edges lead to the end, given the current sets of their targets.
    fn reaching(&mut self, node: NodeId) -> Result<Set> {
        let graph = self.graph;
        let mut parts = Vec::new();
        for edge in &graph.nodes[node].edges {
            let onward = match edge.to {
                Target::Accept => self.store.full(),
                Target::Node(next) | Target::Keeper(next) | Target::Rest(next) => {
                    match self.patterns.get(&next) {
                        Some(set) => set.clone(),
                        None => continue,
                    }
                }
            };
            if !onward.is_empty() {
                parts.push(self.before(&edge.effect, &onward)?);
            }
        }
        self.store.union_all(&parts)
    }
}
