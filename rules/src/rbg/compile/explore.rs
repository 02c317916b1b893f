//! The complete graph of a game: all nodes that paths reach from the keeper's beginning, with the possible contents of cells.

use std::collections::{HashMap, HashSet};

use super::super::book::Rulebook;
use super::super::fault::{Fault, Result};
use super::contents::Contents;
use super::expand::{Begin, Expander};
use super::graph::{Edge, Effect, Node, NodeId, Phase, ScoresId, Target};
use super::nfa::Nfa;

/// The maximum number of squares and variables that change. Each of them is a letter of a word, and one more letter is the
/// status.
const LAYERS: usize = 511;

/// The graph of the rules on a board.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) contents: Contents,
    /// The lists of scores, each by player.
    pub(super) scores: Vec<Vec<u32>>,
    /// The node of each beginning of a turn.
    pub(super) begins: HashMap<Begin, NodeId>,
}

impl Graph {
    /// Creates the graph of a book.
    ///
    /// The possible contents of cells are computed as a fixpoint: the first graph assumes the contents at the start, and the
    /// graph is rebuilt with the contents that paths add, until no more are added.
    ///
    /// # Errors
    /// Returns an error if the rules are too large on this board, or if a number has too many values.
    pub(super) fn new(book: &Rulebook) -> Result<Self> {
        let nfa = Nfa::new(book.rules());
        let mut contents = Contents::new(book);
        let mut made = 0;
        loop {
            let mut expander = Expander::new(book, &nfa, &mut contents);
            expander.edges_before = made;
            let start = expander.start();
            explore(&mut expander, start)?;
            let begins = std::mem::take(&mut expander.begins);
            made = expander.all_edges();
            let (nodes, scores) = expander.finish();
            if contents.num_changing() > LAYERS {
                let message = format!("more than {LAYERS} squares and variables that change");
                let fault = Fault::new(book.origin.places.board, message, "this board is too large");
                return Err(book.error(fault));
            }
            if !contents.take_grew() {
                return Ok(Self { nodes, contents, scores, begins });
            }
        }
    }

    /// Returns the scores at a node.
    pub(super) fn scores_at(&self, node: NodeId) -> &[u32] {
        self.scores_of(self.nodes[node].scores)
    }

    pub(super) fn scores_of(&self, scores: ScoresId) -> &[u32] {
        &self.scores[scores as usize]
    }

    /// Returns `true` if the keeper can continue from a node in every position.
    pub(super) fn surely_goes_on(&self, node: NodeId) -> bool {
        let (mut seen, mut left) = (HashSet::from([node]), vec![node]);
        while let Some(node) = left.pop() {
            let total = |edge: &&Edge| edge.effect.test.is_none() && self.is_total(&edge.effect);
            for edge in self.nodes[node].edges.iter().filter(total) {
                match edge.to {
                    Target::Node(next) if seen.insert(next) => left.push(next),
                    Target::Rest(_) | Target::Keeper(_) => return true,
                    _ => {}
                }
            }
        }
        false
    }

    /// Returns `true` if the effect applies to all contents of cells, disregarding its test.
    pub(super) fn is_total(&self, effect: &Effect) -> bool {
        effect.cells.iter().all(|(cell, pairs)| pairs.len() == self.contents.number_of(*cell))
    }

    /// Returns every node that is reachable from a node.
    pub(super) fn reached(&self, from: NodeId) -> Vec<NodeId> {
        let (mut seen, mut left) = (HashSet::from([from]), vec![from]);
        let mut found = Vec::new();
        while let Some(node) = left.pop() {
            found.push(node);
            let targets = self.nodes[node].edges.iter().filter_map(|edge| edge.to.node());
            left.extend(targets.filter(|&next| seen.insert(next)));
        }
        found
    }

    /// Returns the player whose turn a node belongs to.
    pub(super) fn player_at(&self, node: NodeId) -> Option<usize> {
        match self.nodes[node].phase {
            Phase::Turn(player) => Some(player),
            _ => None,
        }
    }
}

fn explore(expander: &mut Expander<'_>, start: NodeId) -> Result<()> {
    let (mut seen, mut left) = (HashSet::from([start]), vec![start]);
    while let Some(node) = left.pop() {
        expander.expand(node)?;
        for edge in expander.edges[node].iter().flatten() {
            let looked_at = edge.effect.pattern();
            left.extend(edge.to.node().into_iter().chain(looked_at).filter(|&next| seen.insert(next)));
        }
    }
    Ok(())
}
