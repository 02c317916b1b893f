//! What is done of an image: its units, and merges of their fragments.
//!
//! A merge makes one fragment of several that follow one another. So processes share the merging, and the last merge has few files to
//! read. A piece of work is a *node*: first come the units, then the merges of units, then merges of merges.

use std::ops::Range;

/// Fragments that are merged at once where processes share the work.
pub(super) const SHARED: usize = 8;
/// The same where one process does all: their files are open at once.
pub(super) const ALONE: usize = 128;

/// Nodes by number: a node comes after all that it is made from.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    top: Range<usize>,
}

#[derive(Clone, Debug)]
struct Node {
    /// Units whose keys the fragment has.
    units: Range<usize>,
    /// Nodes that are merged; none for a unit.
    children: Range<usize>,
    /// The node that is made from this one.
    parent: Option<usize>,
}

impl Tree {
    /// For so many units, of which `most` fragments, three or more, are merged at once.
    pub(super) fn new(num_units: usize, most: usize) -> Self {
        let unit = |unit| Node { units: unit..unit + 1, children: 0..0, parent: None };
        let mut tree = Self { nodes: (0..num_units).map(unit).collect(), top: 0..num_units };
        while tree.top.len() > most {
            tree.add_level(tree.top.len().div_ceil(most));
        }
        tree
    }

    /// Merges the nodes on top in so many groups.
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

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Nodes of which the last merge is made.
    pub(super) fn top(&self) -> Range<usize> {
        self.top.clone()
    }

    /// Units whose keys the fragment of a node has.
    pub(super) fn units(&self, node: usize) -> Range<usize> {
        self.nodes[node].units.clone()
    }

    /// Nodes that a node is made from; none for a unit.
    pub(super) fn children(&self, node: usize) -> Range<usize> {
        self.nodes[node].children.clone()
    }

    /// Whether a node is a unit, and no merge.
    pub(super) fn is_unit(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    /// The node and all that are made from it, one from the other.
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
