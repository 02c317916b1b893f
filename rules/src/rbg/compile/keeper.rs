//! The keeper's paths: the keeper follows the first possible path in the order of the rules.
//!
//! If two edges of a node are possible in the same position, the later one has a guard, which excludes the positions in which an
//! earlier edge leads to the end of a path.

use std::collections::{HashMap, HashSet};

use nerode_dfa::{Result, Set};

use super::graph::{Edge, NodeId, Target};
use super::sets::Sets;

/// The keeper's paths from a set of nodes.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    /// The positions from which the keeper reaches the end of a path, by node.
    goes_on: HashMap<NodeId, Set>,
    /// For each edge of each node, the positions in which the keeper may follow it, or `None` if there is no restriction.
    guards: HashMap<NodeId, Vec<Option<Set>>>,
}

impl Keeper {
    /// Processes the keeper's nodes among `nodes`. Every node must come after the targets of its edges.
    pub(super) fn new(sets: &mut Sets<'_>, nodes: &[NodeId]) -> Result<Self> {
        let mut keeper = Self::default();
        for &node in nodes {
            if sets.graph.nodes[node].phase.is_keepers() {
                keeper.look(sets, node)?;
            }
        }
        Ok(keeper)
    }

    /// Returns the guard of an edge of a node.
    pub(super) fn guard(&self, node: NodeId, edge: usize) -> Option<&Set> {
        self.guards.get(&node)?.get(edge)?.as_ref()
    }

    /// Returns the positions in which the keeper is stuck at a node.
    pub(super) fn stuck(&self, sets: &mut Sets<'_>, node: NodeId) -> Result<Set> {
        match self.goes_on.get(&node) {
            Some(set) => sets.store.complement(set),
            None => Ok(sets.store.full()),
        }
    }

    fn look(&mut self, sets: &mut Sets<'_>, node: NodeId) -> Result<()> {
        let (mut any, mut guards) = (sets.store.empty(), Vec::new());
        let graph = sets.graph;
        for edge in &graph.nodes[node].edges {
            let possible = self.possible(sets, edge)?;
            guards.push(if sets.store.is_disjoint(&possible, &any) {
                None
            } else {
                Some(sets.store.complement(&any)?)
            });
            any = sets.store.union(&any, &possible)?;
        }
        self.goes_on.insert(node, any);
        self.guards.insert(node, guards);
        Ok(())
    }

    /// Returns the positions in which an edge leads to the end of a path.
    fn possible(&self, sets: &mut Sets<'_>, edge: &Edge) -> Result<Set> {
        let onward = match edge.to {
            Target::Node(next) => match self.goes_on.get(&next) {
                Some(set) => set.clone(),
                None => sets.store.empty(),
            },
            Target::Keeper(_) | Target::Rest(_) | Target::Accept => sets.store.full(),
        };
        sets.find_patterns(&edge.effect)?;
        sets.before(&edge.effect, &onward)
    }
}

/// Returns the nodes of the turns that begin at `begins`, each after the targets of its edges. The graph must not have cycles.
pub(super) fn backwards(sets: &Sets<'_>, begins: &[NodeId]) -> Vec<NodeId> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    for &begin in begins {
        if !seen.insert(begin) {
            continue;
        }
        let mut path = vec![(begin, 0)];
        while let Some((node, at)) = path.last_mut() {
            let Some(edge) = sets.graph.nodes[*node].edges.get(*at) else {
                found.push(*node);
                path.pop();
                continue;
            };
            *at += 1;
            if let Target::Node(next) | Target::Keeper(next) = edge.to
                && seen.insert(next)
            {
                path.push((next, 0));
            }
        }
    }
    found
}
