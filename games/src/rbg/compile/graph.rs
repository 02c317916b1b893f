//! Rules on a board as a graph: nodes are places of the rules on squares, edges are what is done between them.

use super::super::fault::At;
use super::numbers::Comparing;

/// Number of a node.
pub(super) type NodeId = usize;

/// Number of a list of scores.
pub(super) type ScoresId = u32;

/// Whose path a node is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Phase {
    /// A player's.
    Turn(usize),
    /// The keeper's, right after a switch to the keeper.
    KeeperBegins,
    /// The keeper's.
    Keeper,
    /// A pattern's.
    Pattern,
}

impl Phase {
    pub(super) fn is_keepers(self) -> bool {
        matches!(self, Self::KeeperBegins | Self::Keeper)
    }
}

/// What must hold that does not depend on one cell alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// A path from a node of a pattern to its end exists, or none does.
    Pattern { start: NodeId, negated: bool },
    /// A comparison holds.
    Compare(Comparing),
}

/// What is done on an edge: a test, and what becomes of the contents of cells, each with (before, after).
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Effect {
    pub(super) test: Option<Test>,
    pub(super) cells: Vec<(usize, Vec<(u32, u32)>)>,
}

impl Effect {
    /// Nothing is looked at and nothing changed.
    pub(super) fn is_free(&self) -> bool {
        self.test.is_none() && self.cells.is_empty()
    }

    /// Where the pattern begins that it asks for.
    pub(super) fn pattern(&self) -> Option<NodeId> {
        match self.test {
            Some(Test::Pattern { start, .. }) => Some(start),
            _ => None,
        }
    }
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Target {
    /// The path goes on.
    Node(NodeId),
    /// The path ends, and the keeper begins one there.
    Keeper(NodeId),
    /// The path ends, and a player begins one there.
    Rest(NodeId),
    /// The pattern ends.
    Accept,
}

impl Target {
    /// The node that it leads to.
    pub(super) fn node(self) -> Option<NodeId> {
        match self {
            Self::Node(node) | Self::Keeper(node) | Self::Rest(node) => Some(node),
            Self::Accept => None,
        }
    }

    /// The same with the node replaced.
    pub(super) fn renamed(self, names: &[NodeId]) -> Self {
        match self {
            Self::Node(node) => Self::Node(names[node]),
            Self::Keeper(node) => Self::Keeper(names[node]),
            Self::Rest(node) => Self::Rest(names[node]),
            Self::Accept => Self::Accept,
        }
    }
}

/// An edge.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) effect: Effect,
    pub(super) to: Target,
    /// A piece is put or a number assigned, be it the same as before.
    pub(super) writes: bool,
    /// What is done, in the file.
    pub(super) at: At,
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) phase: Phase,
    pub(super) scores: ScoresId,
    /// The edges that leave it, in the order of the rules.
    pub(super) edges: Vec<Edge>,
}
