//! What the keeper does: the first path that there is, in the order of the rules.
//!
//! Edges of which two can be gone in one position get a guard each: that no edge before them leads to the end of a path.

use std::collections::{HashMap, HashSet};

use nerode_dfa::{Result, Set};

use super::graph::{Edge, NodeId, Target};
use super::sets::Sets;

/// The keeper's paths from some nodes on.
#[derive(Debug, Default)]
pub(super) struct Keeper {
    /// By node, the positions from which the keeper gets to the end of a path.
    goes_on: HashMap<NodeId, Set>,
    /// By node, for each edge the positions in which it is gone; `None` for all in which it can be.
    guards: HashMap<NodeId, Vec<Option<Set>>>,
}

impl Keeper {
    /// Looks at the keeper's nodes among `nodes`; every node comes after those that its edges lead to.
    pub(super) fn new(sets: &mut Sets<'_>, nodes: &[NodeId]) -> Result<Self> {
        let mut keeper = Self::default();
        for &node in nodes {
            if sets.graph.nodes[node].phase.is_keepers() {
                keeper.look(sets, node)?;
            }
        }
        Ok(keeper)
    }

    /// The guard of an edge of a node.
    pub(super) fn guard(&self, node: NodeId, edge: usize) -> Option<&Set> {
        self.guards.get(&node)?.get(edge)?.as_ref()
    }

    /// The positions in which the keeper cannot go on from a node.
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

    /// The positions in which an edge leads to the end of a path.
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

/// The nodes of turns that begin at `begins`, each after those that its edges lead to. There are no circles.
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
