//! The tree of work on an image: its units and the merges of their fragments.
//!
//! A merge combines several consecutive fragments into one. In this way, processes share the work of merging, and the
//! final merge has only few files to read. The pieces of work are called *nodes*: first come the units, then the merges
//! of units, then merges of merges.

use std::ops::Range;

/// The number of fragments in a merge if several processes share the work.
pub(super) const SHARED: usize = 8;
/// The number of fragments in a merge if one process does all the work. Their files are open at the same time.
pub(super) const ALONE: usize = 128;

/// The nodes by number. A node comes after all nodes from which it is made.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    top: Range<usize>,
}

#[derive(Clone, Debug)]
struct Node {
    /// The units whose keys the fragment contains.
    units: Range<usize>,
    /// The nodes that are merged; empty for a unit.
    children: Range<usize>,
    /// The node that is made from this one.
    parent: Option<usize>,
}

impl Tree {
    /// Creates the tree for `num_units` units, with merges of at most `most` fragments, which must be at least three.
    pub(super) fn new(num_units: usize, most: usize) -> Self {
        let unit = |unit| Node { units: unit..unit + 1, children: 0..0, parent: None };
        let mut tree = Self { nodes: (0..num_units).map(unit).collect(), top: 0..num_units };
        while tree.top.len() > most {
            tree.add_level(tree.top.len().div_ceil(most));
        }
        tree
    }

    /// Merges the top nodes into `groups` groups.
    fn add_level(&mut self, groups: usize) {
        let (below, first) = (self.top.clone(), self.nodes.len());
        let bound = |group: usize| below.start + group * below.len() / groups;
        for group in 0..groups {
            let children = bound(group)..bound(group + 1);
            let units = self.nodes[children.start].units.start..self.nodes[children.end - 1].units.end;
            let node = self.nodes.len();
            self.nodes[children.clone()].iter_mut().for_each(|child| child.parent = Some(node));
            self.nodes.push(Node { units, children, parent: None });
        }
        self.top = first..self.nodes.len();
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the nodes that the final merge combines.
    pub(super) fn top(&self) -> Range<usize> {
        self.top.clone()
    }

    /// Returns the units whose keys the fragment of a node contains.
    pub(super) fn units(&self, node: usize) -> Range<usize> {
        self.nodes[node].units.clone()
    }

    /// Returns the nodes from which a node is made; empty for a unit.
    pub(super) fn children(&self, node: usize) -> Range<usize> {
        self.nodes[node].children.clone()
    }

    /// Returns `true` if a node is a unit rather than a merge.
    pub(super) fn is_unit(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    /// Returns the node itself and all nodes that are made from it, from bottom to top.
    pub(super) fn upwards(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |&node| self.nodes[node].parent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_in_one_node_of_each_level() {
        for (num_units, most) in
            [(0, 8), (1, 8), (8, 8), (9, 8), (64, 8), (65, 8), (1000, 8), (7, 3), (300, 128)]
        {
            let tree = Tree::new(num_units, most);
            assert!(tree.top().len() <= most, "{num_units}");
            let units = |nodes: Range<usize>| nodes.flat_map(|node| tree.units(node)).collect::<Vec<_>>();
            assert_eq!(units(tree.top()), (0..num_units).collect::<Vec<_>>());
            for node in 0..tree.len() {
                let children = tree.children(node);
                assert_eq!(tree.is_unit(node), node < num_units);
                if !tree.is_unit(node) {
                    assert!((2..=most).contains(&children.len()) && children.end <= node);
                    assert!(children.clone().all(|child| tree.upwards(child).nth(1) == Some(node)));
                    assert_eq!(units(children), tree.units(node).collect::<Vec<_>>());
                }
            }
        }
    }
}
