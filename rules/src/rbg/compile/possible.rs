//! Limits that every position of play satisfies, depending on where its turn begins. No game reaches words that violate them.

use std::collections::{BTreeSet, HashMap};

use super::super::board::Board;
use super::amounts::{Amount, amounts};
use super::explore::Graph;
use super::graph::NodeId;
use super::joints::Joints;
use super::symmetry::Names;
use super::ways::Play;

/// The number of parts into which a piece is divided for computing averages. It is divisible by every number of letters up to 16.
const PARTS: usize = 720_720;

/// A condition on the contents of cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Limit {
    /// Never satisfied, because play does not reach the node.
    Never,
    /// There are at most this many of these pieces.
    AtMost(BTreeSet<u32>, usize),
    /// Two squares contain one of these pairs.
    Together([usize; 2], Vec<(u32, u32)>),
}

impl Limit {
    /// Returns `true` if a position satisfies the limit. `held` contains the contents of cells.
    fn holds(&self, squares: usize, held: &[u32]) -> bool {
        match self {
            Self::Never => false,
            Self::AtMost(pieces, most) => {
                held[..squares].iter().filter(|piece| pieces.contains(piece)).count() <= *most
            }
            Self::Together([a, b], pairs) => pairs.contains(&(held[*a], held[*b])),
        }
    }

    /// Returns `true` if the average word exceeds the limit.
    fn is_tight(&self, graph: &Graph) -> bool {
        let Self::AtMost(pieces, most) = self else { return true };
        let of_square = |square: usize| {
            let counted = graph.contents.of(square).filter(|piece| pieces.contains(piece)).count();
            counted * PARTS / graph.contents.number_of(square)
        };
        (0..graph.contents.num_squares()).map(of_square).sum::<usize>() > most * PARTS
    }

    /// Returns the limit under a renaming of squares and pieces.
    fn renamed(&self, names: &Names<'_>) -> Self {
        let piece = |piece: u32| names.piece(piece);
        match self {
            Self::Never => Self::Never,
            Self::AtMost(pieces, most) => {
                Self::AtMost(pieces.iter().map(|&kind| piece(kind)).collect(), *most)
            }
            Self::Together([a, b], pairs) => {
                let [a, b] = [names.squares[*a], names.squares[*b]];
                let turns = a > b;
                let pair = |&(one, other): &(u32, u32)| match turns {
                    true => (piece(other), piece(one)),
                    false => (piece(one), piece(other)),
                };
                let mut pairs: Vec<(u32, u32)> = pairs.iter().map(pair).collect();
                pairs.sort_unstable();
                Self::Together([a.min(b), a.max(b)], pairs)
            }
        }
    }
}

/// The beginning of play.
pub(super) struct From<'a> {
    /// The contents of cells at the start.
    pub(super) held: &'a [u32],
    /// The nodes where turns begin.
    pub(super) begins: &'a [NodeId],
}

/// The limits of positions, by node.
#[derive(Debug, Default)]
pub(super) struct Possible {
    pub(super) limits: HashMap<NodeId, Vec<Limit>>,
    /// The limits in use, without amounts that exclude only a few words, because counting these would enlarge the sets.
    pub(super) used: HashMap<NodeId, Vec<Limit>>,
    /// The nodes that play reaches, in ascending order.
    #[cfg_attr(not(feature = "sets"), expect(dead_code, reason = "only moves on sets need it"))]
    pub(super) nodes: Vec<NodeId>,
    /// The maximum amounts of some pieces, also within turns, by number of a node.
    #[cfg_attr(not(feature = "sets"), expect(dead_code, reason = "only moves on sets need it"))]
    pub(super) amounts: Vec<Amount>,
}

impl Possible {
    /// Computes the limits. If there are `chains`, all amounts are used, because they limit the length of chains.
    pub(super) fn new(graph: &Graph, board: &Board, play: &Play, from: &From<'_>, chains: bool) -> Self {
        let amounts = amounts(graph, play, from.held);
        let joints = Joints::new(graph, board, play, from.held);
        let together = |node: usize, number: usize| {
            let squares = joints.squares[number];
            let [a, b] = squares.map(|square| graph.contents.number_of(square));
            let pairs = joints.at(graph, node, number).filter(|pairs| pairs.len() < a * b)?;
            Some(Limit::Together(squares, pairs))
        };
        let (mut limits, mut used) = (HashMap::new(), HashMap::new());
        for &node in from.begins {
            let Some(at) = play.number(node) else {
                used.insert(node, vec![Limit::Never]);
                limits.insert(node, vec![Limit::Never]);
                continue;
            };
            let counted =
                counted(&amounts, at).into_iter().map(|(pieces, most)| Limit::AtMost(pieces.clone(), most));
            let pairs = (0..joints.squares.len()).filter_map(|number| together(at, number));
            let all: Vec<Limit> = counted.chain(pairs).collect();
            let in_use = all.iter().filter(|limit| chains || limit.is_tight(graph)).cloned().collect();
            used.insert(node, in_use);
            limits.insert(node, all);
        }
        Self { limits, used, nodes: play.nodes.clone(), amounts }
    }

    /// Returns `true` if a position in which a turn begins at a node satisfies the limits in use. `held` contains the contents of
    /// cells.
    pub(super) fn holds(&self, node: NodeId, squares: usize, held: &[u32]) -> bool {
        self.used.get(&node).into_iter().flatten().all(|limit| limit.holds(squares, held))
    }

    /// Returns `true` if a position in which a turn begins at a node satisfies all limits.
    pub(super) fn admits(&self, node: NodeId, squares: usize, held: &[u32]) -> bool {
        self.limits.get(&node).into_iter().flatten().all(|limit| limit.holds(squares, held))
    }

    /// Returns `true` if a renaming preserves the limits in use.
    pub(super) fn is_invariant_under(&self, names: &Names<'_>) -> bool {
        self.used.values().all(|limits| are_renamed(limits, limits, names))
    }

    /// Returns `true` if a renaming maps the limits in use at a node to those at another node.
    pub(super) fn takes(&self, from: NodeId, to: NodeId, names: &Names<'_>) -> bool {
        let at = |node: NodeId| self.used.get(&node).map_or(&[][..], Vec::as_slice);
        are_renamed(at(from), at(to), names)
    }
}

/// Returns `true` if a renaming maps one list of limits bijectively to another.
fn are_renamed(from: &[Limit], to: &[Limit], names: &Names<'_>) -> bool {
    from.len() == to.len() && from.iter().all(|limit| to.contains(&limit.renamed(names)))
}

/// Returns the amounts at a node, given by number, that are not implied by others.
pub(super) fn counted(amounts: &[Amount], node: usize) -> Vec<(&BTreeSet<u32>, usize)> {
    let known: Vec<(&BTreeSet<u32>, usize)> =
        amounts.iter().filter_map(|amount| Some((&amount.pieces, amount.most[node]?))).collect();
    let most =
        |pieces: &BTreeSet<u32>| known.iter().find(|(other, _)| *other == pieces).map(|&(_, most)| most);
    let from_parts = |&(pieces, own): &(&BTreeSet<u32>, usize)| {
        known.iter().any(|&(part, theirs)| {
            let rest = || most(&pieces.difference(part).copied().collect());
            part.len() < pieces.len()
                && part.is_subset(pieces)
                && rest().is_some_and(|rest| theirs + rest <= own)
        })
    };
    let left: Vec<(&BTreeSet<u32>, usize)> = known.iter().copied().filter(|one| !from_parts(one)).collect();
    let from_more = |&(pieces, own): &(&BTreeSet<u32>, usize)| {
        left.iter()
            .any(|&(more, theirs)| more.len() > pieces.len() && more.is_superset(pieces) && theirs <= own)
    };
    left.iter().copied().filter(|one| !from_more(one)).collect()
}
