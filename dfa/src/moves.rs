//! Moves as data: steps with pre-conditions, changes and post-conditions, and the general move graph (paper 004,
//! section 4.2, figure 1).
//!
//! This module does not deal with states; [`crate::Relation`] compiles these descriptions into automata.

use serde::{Deserialize, Serialize};

use crate::condition::Condition;
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};

/// The effect of a step on one layer, which is any of the (before, after) pairs. Layers without a change keep their
/// letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The layer whose letter is rewritten.
    pub layer: usize,
    /// The allowed (before, after) pairs.
    pub pairs: Vec<(Letter, Letter)>,
}

/// One simple move: `{ (x, y) : x ∈ pre, y ∈ post, y is x with the changes applied }` (paper 004, section 4.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// The name of the step for error messages and for the notation of moves. It does not affect the relation.
    pub label: Option<String>,
    /// The condition that must hold before the step.
    pub pre: Condition,
    /// The letters that the step rewrites.
    pub changes: Vec<Change>,
    /// The condition that must hold after the step.
    pub post: Condition,
}

impl Step {
    /// Creates a step without conditions or changes, which is the identity relation.
    pub fn identity() -> Self {
        Self::default()
    }

    /// Adds a change that rewrites one letter to another.
    #[must_use]
    pub fn change(self, layer: usize, before: Letter, after: Letter) -> Self {
        self.change_any(layer, &[(before, after)])
    }

    /// Adds a change that rewrites a layer by any one of `pairs`.
    #[must_use]
    pub fn change_any(mut self, layer: usize, pairs: &[(Letter, Letter)]) -> Self {
        self.changes.push(Change { layer, pairs: pairs.to_vec() });
        self
    }

    /// Adds a condition that must hold before the step.
    #[must_use]
    pub fn when(mut self, pre: Condition) -> Self {
        self.pre = self.pre.and(pre);
        self
    }

    /// Adds a condition that must hold after the step.
    #[must_use]
    pub fn then(mut self, post: Condition) -> Self {
        self.post = self.post.and(post);
        self
    }

    /// Sets the name of the step.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    fn check(&self, shape: &Shape) -> Result<()> {
        self.pre.check(shape)?;
        self.post.check(shape)?;
        let mut seen = vec![false; shape.num_layers()];
        for change in &self.changes {
            let known =
                change.layer < shape.num_layers() && !std::mem::replace(&mut seen[change.layer], true);
            let fits = |&(a, b): &(Letter, Letter)| {
                usize::from(a.max(b)) < shape.num_letters(change.layer.min(seen.len() - 1))
            };
            if !known || !change.pairs.iter().all(fits) {
                return Err(Error::Move(format!(
                    "change of layer {} is outside the shape or repeated",
                    change.layer
                )));
            }
        }
        Ok(())
    }
}

/// Formats a step for an error message.
fn named(node: NodeIndex, step: &Step) -> String {
    match &step.label {
        Some(label) => format!("{node} ({label})"),
        None => node.to_string(),
    }
}

/// The index of a node of a [`MoveGraph`].
pub type NodeIndex = usize;

/// All moves of one side, as a graph of steps. Each path from a source to a sink is a kind of move, which performs the
/// steps of the path in order.
///
/// A list of simple moves is a graph in which every node is both a source and a sink. Nodes are numbered in the order
/// in which they are added, and edges lead from lower to higher numbers, so that the graph is acyclic by construction.
///
/// # Examples
/// ```
/// use nerode_dfa::{MoveGraph, Shape, Step};
/// let shape = Shape::uniform(3, 2).unwrap();
/// let mut moves = MoveGraph::new(shape);
/// for layer in 0..3 {
///     moves.add(Step::identity().change(layer, 1, 0)).unwrap();
/// }
/// assert_eq!(moves.num_nodes(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct MoveGraph {
    shape: Shape,
    nodes: Vec<Step>,
    edges: Vec<(NodeIndex, NodeIndex)>,
}

impl MoveGraph {
    /// Creates a graph without moves for words of `shape`.
    pub fn new(shape: Shape) -> Self {
        Self { shape, nodes: Vec::new(), edges: Vec::new() }
    }

    /// Adds a step and returns its node.
    ///
    /// # Errors
    /// Returns [`Error::Move`], with the label of the step, if the step does not fit the shape.
    pub fn add(&mut self, step: Step) -> Result<NodeIndex> {
        let node = self.nodes.len();
        step.check(&self.shape).map_err(|error| error.in_step(&named(node, &step)))?;
        self.nodes.push(step);
        Ok(node)
    }

    /// Adds an edge, so that step `to` may follow step `from`.
    ///
    /// # Errors
    /// Returns [`Error::Move`], with the labels of both steps, unless `from < to` and both steps exist.
    pub fn connect(&mut self, from: NodeIndex, to: NodeIndex) -> Result<()> {
        if from >= to || to >= self.nodes.len() {
            let name = |node: NodeIndex| match self.nodes.get(node) {
                Some(step) => named(node, step),
                None => format!("{node} (no such step)"),
            };
            return Err(Error::Move(format!(
                "edge {} -> {}: an edge must lead from an earlier to a later step",
                name(from),
                name(to)
            )));
        }
        self.edges.push((from, to));
        Ok(())
    }

    /// Returns the shape of the words that the moves rewrite.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the number of steps.
    pub fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the step at `node`.
    ///
    /// # Panics
    /// Panics if the node does not exist.
    pub fn step(&self, node: NodeIndex) -> &Step {
        &self.nodes[node]
    }

    /// Returns the nodes that have an edge to `node`.
    pub fn predecessors(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.edges.iter().filter(move |e| e.1 == node).map(|e| e.0)
    }

    /// Returns `true` if a move may end after `node`, that is, if no edge starts there.
    pub fn is_sink(&self, node: NodeIndex) -> bool {
        self.edges.iter().all(|e| e.0 != node)
    }
}
