//! `nerode.Moves`: the possible changes of a word, as a graph of steps.

use nerode::dfa::{Condition, MoveGraph, Step};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::Reduced;
use crate::dfa::Dfa;
use crate::errors::{named, raised};
use crate::making::cube;
use crate::shape::Shape;
use crate::whole::list_of;

/// The moves of a side, as steps that change letters if a condition holds.
///
/// Without `edges`, every step is a move. Edges are pairs of step numbers; with them, a move is a path from a step without incoming
/// edges to a step without outgoing edges.
///
/// >>> from nerode import Dfa, Moves, Shape, Step
/// >>> shape = Shape(".X", 3)
/// >>> right = Moves(shape, [Step({cell: "X.", cell + 1: ".X"}) for cell in range(2)])
/// >>> list(Dfa(shape, ["X.."]).image(right))
/// ['.X.']
#[pyclass(frozen, module = "nerode", from_py_object)]
#[derive(Clone)]
pub struct Moves {
    pub graph: MoveGraph,
    pub shape: Shape,
    edges: Vec<(usize, usize)>,
}

/// A word after a move, with the labels of the move's steps.
pub type Successor = (Vec<u8>, Option<String>);

impl Moves {
    fn build(py: Python<'_>, shape: Shape, steps: Vec<Step>, edges: Vec<(usize, usize)>) -> PyResult<Self> {
        let mut graph = MoveGraph::new(shape.inner.clone());
        for step in steps {
            graph.add(step).map_err(|error| raised(py, error))?;
        }
        for &(from, to) in &edges {
            graph.connect(from, to).map_err(|error| raised(py, error))?;
        }
        Ok(Self { graph, shape, edges })
    }

    pub fn steps(&self) -> Vec<&Step> {
        (0..self.graph.num_nodes()).map(|node| self.graph.step(node)).collect()
    }

    /// Returns the steps as JSON, a text that describes the whole graph.
    pub fn text(&self) -> String {
        serde_json::to_string(&(self.steps(), &self.edges)).unwrap_or_default()
    }

    /// Returns the distinct words after the moves from `word`, by the definition of steps and without compiling them.
    pub fn successors(&self, word: &[u8]) -> Vec<Successor> {
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); self.graph.num_nodes()];
        let mut is_first = vec![true; self.graph.num_nodes()];
        for &(from, to) in &self.edges {
            after[from].push(to);
            is_first[to] = false;
        }
        let mut found: Vec<Successor> = Vec::new();
        let first = (0..is_first.len()).rev().filter(|&node| is_first[node]);
        let mut open: Vec<(usize, Vec<u8>, Option<String>)> =
            first.map(|node| (node, word.to_vec(), None)).collect();
        while let Some((node, word, label)) = open.pop() {
            let step = self.graph.step(node);
            let label = joined(label, step.label.as_deref());
            for next in stepped(step, &word) {
                if !after[node].is_empty() {
                    open.extend(after[node].iter().map(|&to| (to, next.clone(), label.clone())));
                } else if found.iter().all(|(known, _)| *known != next) {
                    found.push((next, label.clone()));
                }
            }
        }
        found
    }
}

fn joined(first: Option<String>, second: Option<&str>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first} {second}")),
        (first, second) => first.or_else(|| second.map(String::from)),
    }
}

/// Returns the words to which a single step changes `word`.
fn stepped(step: &Step, word: &[u8]) -> Vec<Vec<u8>> {
    if !step.pre.holds(word) {
        return Vec::new();
    }
    let mut words = vec![word.to_vec()];
    for change in &step.changes {
        let before = word[change.layer];
        let to: Vec<u8> = change.pairs.iter().filter(|pair| pair.0 == before).map(|pair| pair.1).collect();
        words = words
            .iter()
            .flat_map(|word| {
                to.iter().map(|&letter| {
                    let mut word = word.clone();
                    word[change.layer] = letter;
                    word
                })
            })
            .collect();
    }
    words.retain(|word| step.post.holds(word));
    words
}

/// Reads a condition: none, a set, or letters by layer.
fn condition(shape: &Shape, given: &Bound<'_, PyAny>) -> PyResult<Condition> {
    if given.is_none() {
        return Ok(Condition::any());
    }
    if let Ok(set) = given.cast::<Dfa>() {
        if set.get().shape != *shape {
            return Err(named(
                given.py(),
                "BadShape",
                "a condition has words of a different shape from the moves",
            ));
        }
        return Ok(Condition::Within(set.get().inner.clone()));
    }
    match given.cast::<PyDict>() {
        Ok(letters) => cube(shape, letters),
        Err(_) => Err(PyTypeError::new_err("a condition must be a Dfa or a dictionary of letters by layer")),
    }
}

/// Reads letters before and after: a single pair, or several.
fn pairs(shape: &Shape, layer: usize, given: &Bound<'_, PyAny>) -> PyResult<Vec<(u8, u8)>> {
    let parts = given.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    if let [before, after] = &parts[..]
        && let (Ok(before), Ok(after)) = (shape.letter(layer, before), shape.letter(layer, after))
    {
        return Ok(vec![(before, after)]);
    }
    let is_text = given.cast::<PyString>().is_ok();
    let pair = |part: &Bound<'_, PyAny>| {
        let two = part.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        match &two[..] {
            [before, after] if !is_text => Ok((shape.letter(layer, before)?, shape.letter(layer, after)?)),
            _ => {
                let text = format!(
                    "the change of layer {layer} is neither a pair of letters, before and after, nor a list of such pairs"
                );
                Err(named(part.py(), "BadMoves", text))
            }
        }
    };
    parts.iter().map(pair).collect()
}

/// Converts a Python step; see `nerode._steps`.
fn step_of(shape: &Shape, given: &Bound<'_, PyAny>) -> PyResult<Step> {
    if !given.hasattr("changes")? {
        return Err(PyTypeError::new_err(format!("{} is not a nerode.Step", given.repr()?)));
    }
    let mut step = Step::identity()
        .when(condition(shape, &given.getattr("when")?)?)
        .then(condition(shape, &given.getattr("then")?)?);
    let changes = given.getattr("changes")?;
    let Ok(changes) = changes.cast::<PyDict>() else {
        let text = format!("{} is not a dictionary of changes by layer", changes.repr()?);
        return Err(PyTypeError::new_err(text));
    };
    for (layer, change) in changes.iter() {
        let layer = shape.layer(&layer)?;
        step = step.change_any(layer, &pairs(shape, layer, &change)?);
    }
    step.label = given.getattr("label")?.extract()?;
    Ok(step)
}

#[pymethods]
impl Moves {
    #[new]
    #[pyo3(signature = (shape, steps, edges = None))]
    fn new(shape: Shape, steps: &Bound<'_, PyAny>, edges: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let pair = |edge: &Bound<'_, PyAny>| edge.extract::<(usize, usize)>();
        let edges = edges.map(|given| list_of("edges", "pairs of numbers of steps", given, pair));
        let edges = edges.transpose()?.unwrap_or_default();
        let list = steps.try_iter()?.map(|step| step_of(&shape, &step?)).collect::<PyResult<Vec<_>>>()?;
        Self::build(steps.py(), shape, list, edges)
    }

    /// Returns the distinct words that a single move reaches from `word`.
    ///
    /// >>> from nerode import Moves, Shape, Step
    /// >>> Moves(Shape(".X", 2), [Step({cell: ".X"}) for cell in range(2)]).apply("..")
    /// ['X.', '.X']
    fn apply<'py>(&self, word: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let word_letters = self.shape.word(word)?;
        let after = self.successors(&word_letters);
        after.iter().map(|(next, _)| self.shape.to_python(word.py(), next)).collect()
    }

    /// The shape of the words.
    ///
    /// >>> from nerode import Moves, Shape, Step
    /// >>> Moves(Shape(".X", 2), [Step({0: ".X"})]).shape
    /// Shape('.X', 2)
    #[getter]
    fn shape(&self) -> Shape {
        self.shape.clone()
    }

    /// The number of steps.
    fn __len__(&self) -> usize {
        self.graph.num_nodes()
    }

    fn __repr__(&self) -> String {
        format!("<Moves of {} steps>", self.graph.num_nodes())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, Bound<'py, PyTuple>> {
        let moves = slf.get();
        let parts = (moves.shape.clone(), moves.text());
        Ok((slf.get_type().getattr("_of_text")?, parts.into_pyobject(slf.py())?))
    }

    #[staticmethod]
    fn _of_text(py: Python<'_>, shape: Shape, text: &str) -> PyResult<Self> {
        let read = serde_json::from_str::<(Vec<Step>, Vec<(usize, usize)>)>(text);
        let (steps, edges) = read.map_err(|error| named(py, "BadMoves", error.to_string()))?;
        Self::build(py, shape, steps, edges)
    }
}
