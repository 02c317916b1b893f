//! The whole graph of a game: from where the keeper begins, as far as paths get, with what cells can hold on the way.

use std::collections::{HashMap, HashSet};

use super::super::book::Rulebook;
use super::super::fault::{Fault, Result};
use super::contents::Contents;
use super::expand::{Begin, Expander};
use super::graph::{Edge, Effect, Node, NodeId, Phase, ScoresId, Target};
use super::nfa::Nfa;

/// Squares and variables that change, at most: each is a letter of a word, and one more says how play stands.
const LAYERS: usize = 511;

/// The rules on a board.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) contents: Contents,
    /// Lists of scores, by player.
    pub(super) scores: Vec<Vec<u32>>,
    /// By where a turn begins, its node.
    pub(super) begins: HashMap<Begin, NodeId>,
}

impl Graph {
    /// The graph of a book.
    ///
    /// What cells can hold is not known before: it is assumed to be what they hold at the start, and the graph is made again
    /// with what paths add to that, until they add nothing.
    ///
    /// # Errors
    /// Rules that are too large on this board; numbers with too many values.
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

    /// The scores at a node.
    pub(super) fn scores_at(&self, node: NodeId) -> &[u32] {
        self.scores_of(self.nodes[node].scores)
    }

    pub(super) fn scores_of(&self, scores: ScoresId) -> &[u32] {
        &self.scores[scores as usize]
    }

    /// Whether the keeper goes on from a node in every position.
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

    /// Whether what is done goes whatever the cells hold, tests left out.
    pub(super) fn is_total(&self, effect: &Effect) -> bool {
        effect.cells.iter().all(|(cell, pairs)| pairs.len() == self.contents.number_of(*cell))
    }

    /// The player whose turn a node belongs to.
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
