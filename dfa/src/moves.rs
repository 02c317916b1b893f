//! Moves as data: pre-condition, changes, post-condition, and the general move graph (paper 004, section 4.2, figure 1).
//!
//! Nothing here touches a state: [`crate::Relation`] compiles these descriptions.

use serde::{Deserialize, Serialize};

use crate::condition::Condition;
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};

/// What happens to one layer in a step: any of the (before, after) pairs; layers without a change keep their letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The layer rewritten.
    pub layer: usize,
    /// Allowed (before, after) pairs.
    pub pairs: Vec<(Letter, Letter)>,
}

/// One simple move: `{ (x, y) : x ∈ pre, y ∈ post, y is x with the changes applied }` (paper 004, section 4.2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Step {
    /// What people call the step, for errors and for the notation of moves. It relates nothing.
    pub label: Option<String>,
    /// Holds before the step.
    pub pre: Condition,
    /// Letters rewritten by the step.
    pub changes: Vec<Change>,
    /// Holds after the step.
    pub post: Condition,
}

impl Step {
    /// A step without conditions or changes: the identity.
    pub fn identity() -> Self {
        Self::default()
    }

    /// Adds one rewritten letter.
    #[must_use]
    pub fn change(self, layer: usize, before: Letter, after: Letter) -> Self {
        self.change_any(layer, &[(before, after)])
    }

    /// Adds a layer rewritten by any one of `pairs`.
    #[must_use]
    pub fn change_any(mut self, layer: usize, pairs: &[(Letter, Letter)]) -> Self {
        self.changes.push(Change { layer, pairs: pairs.to_vec() });
        self
    }

    /// Adds to what must hold before the step.
    #[must_use]
    pub fn when(mut self, pre: Condition) -> Self {
        self.pre = self.pre.and(pre);
        self
    }

    /// Adds to what must hold after the step.
    #[must_use]
    pub fn then(mut self, post: Condition) -> Self {
        self.post = self.post.and(post);
        self
    }

    /// Names the step.
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

/// A step in an error message.
fn named(node: NodeIndex, step: &Step) -> String {
    match &step.label {
        Some(label) => format!("{node} ({label})"),
        None => node.to_string(),
    }
}

/// Index of a node of a [`MoveGraph`].
pub type NodeIndex = usize;

/// All moves of one side: a graph of steps. Every path from a source to a sink, its steps done in turn, is a kind of move.
///
/// A list of simple moves is the graph whose nodes are all sources and sinks. Nodes are numbered in the order added and
/// edges lead from lower to higher numbers, so that the graph is acyclic by construction.
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
    /// A graph without moves over words of `shape`.
    pub fn new(shape: Shape) -> Self {
        Self { shape, nodes: Vec::new(), edges: Vec::new() }
    }

    /// Adds a step and returns its node.
    ///
    /// # Errors
    /// [`Error::Move`], with the step's label, when the step does not fit the shape.
    pub fn add(&mut self, step: Step) -> Result<NodeIndex> {
        let node = self.nodes.len();
        step.check(&self.shape).map_err(|error| error.in_step(&named(node, &step)))?;
        self.nodes.push(step);
        Ok(node)
    }

    /// Lets step `to` follow step `from`.
    ///
    /// # Errors
    /// [`Error::Move`], with the labels of both, unless `from < to` and both exist.
    pub fn connect(&mut self, from: NodeIndex, to: NodeIndex) -> Result<()> {
        if from >= to || to >= self.nodes.len() {
            let name = |node: NodeIndex| match self.nodes.get(node) {
                Some(step) => named(node, step),
                None => format!("{node} (no such step)"),
            };
            return Err(Error::Move(format!(
                "edge {} -> {}: edges go from an earlier to a later step",
                name(from),
                name(to)
            )));
        }
        self.edges.push((from, to));
        Ok(())
    }

    /// The shape of the words that the moves rewrite.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of steps.
    pub fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The step at `node`.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn step(&self, node: NodeIndex) -> &Step {
        &self.nodes[node]
    }

    /// Nodes with an edge to `node`.
    pub fn predecessors(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        self.edges.iter().filter(move |e| e.1 == node).map(|e| e.0)
    }

    /// Whether a move may end after `node`: no edge leaves it.
    pub fn is_sink(&self, node: NodeIndex) -> bool {
        self.edges.iter().all(|e| e.0 != node)
    }
}
