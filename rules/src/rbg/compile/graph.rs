//! The graph of rules on a board: nodes are places of the rules on squares, and edges are the effects between them.

use super::super::fault::At;
use super::numbers::CompareTest;

/// The number of a node.
pub(super) type NodeId = usize;

/// The number of a list of scores.
pub(super) type ScoresId = u32;

/// The owner of the path to which a node belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Phase {
    /// A player's turn.
    Turn(usize),
    /// The keeper's path, right after a switch to the keeper.
    KeeperBegins,
    /// The keeper's path.
    Keeper,
    /// The path of a pattern.
    Pattern,
}

impl Phase {
    pub(super) fn is_keepers(self) -> bool {
        matches!(self, Self::KeeperBegins | Self::Keeper)
    }
}

/// A condition that does not depend on a single cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// A path from a node of a pattern to its end exists, or none exists.
    Pattern { start: NodeId, negated: bool },
    /// A comparison holds.
    Compare(CompareTest),
}

/// The effect of an edge: a test, and pairs of contents (before, after) by cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Effect {
    pub(super) test: Option<Test>,
    pub(super) cells: Vec<(usize, Vec<(u32, u32)>)>,
}

impl Effect {
    /// Returns `true` if the effect neither tests nor changes anything.
    pub(super) fn is_free(&self) -> bool {
        self.test.is_none() && self.cells.is_empty()
    }

    /// Returns the beginning of the pattern that the test uses.
    pub(super) fn pattern(&self) -> Option<NodeId> {
        match self.test {
            Some(Test::Pattern { start, .. }) => Some(start),
            _ => None,
        }
    }
}

/// The target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Target {
    /// The path continues at the node.
    Node(NodeId),
    /// The path ends, and the keeper begins a path at the node.
    Keeper(NodeId),
    /// The path ends, and a player begins a path at the node.
    Rest(NodeId),
    /// The pattern ends.
    Accept,
}

impl Target {
    /// Returns the node to which the edge leads.
    pub(super) fn node(self) -> Option<NodeId> {
        match self {
            Self::Node(node) | Self::Keeper(node) | Self::Rest(node) => Some(node),
            Self::Accept => None,
        }
    }

    /// Returns the same target with the node replaced.
    pub(super) fn renamed(self, names: &[NodeId]) -> Self {
        match self {
            Self::Node(node) => Self::Node(names[node]),
            Self::Keeper(node) => Self::Keeper(names[node]),
            Self::Rest(node) => Self::Rest(names[node]),
            Self::Accept => Self::Accept,
        }
    }
}

/// An edge of the graph.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) effect: Effect,
    pub(super) to: Target,
    /// Set if a piece is placed or a number assigned, even if the content stays the same.
    pub(super) writes: bool,
    /// The position of the operation in the file.
    pub(super) at: At,
}

/// A node of the graph.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) phase: Phase,
    pub(super) scores: ScoresId,
    /// The outgoing edges, in the order of the rules.
    pub(super) edges: Vec<Edge>,
}
