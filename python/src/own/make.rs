//! Creates a game from Python arguments.

use nerode::dfa::Dfa as Set;
use nerode::games::{Layout, Position, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Ended, OwnGame};
use crate::dfa::Dfa;
use crate::errors::{named, raised};
use crate::moves::Moves;
use crate::position::side_named;
use crate::shape::Shape;
use crate::whole::{texts_of, whole};

/// The arguments from which a game is created, by name, except its name and shape.
pub struct Given<'a, 'py>(pub &'a Bound<'py, PyDict>);

impl<'py> Given<'_, 'py> {
    /// Returns the argument `name`, unless it is missing or `None`.
    fn get(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|given| !given.is_none()))
    }

    /// Returns the argument `name` for one side. A dictionary may contain a value for each side.
    fn of_side(&self, name: &str, side: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(given) = self.get(name)? else { return Ok(None) };
        match given.cast::<PyDict>() {
            Ok(sides) if sides.contains("P1")? || sides.contains("P2")? => sides.get_item(side),
            _ => Ok(Some(given)),
        }
    }

    fn moves(&self, shape: &Shape, side: &str) -> PyResult<Moves> {
        let py = self.0.py();
        let missing = || PyValueError::new_err(format!("there are no moves for {side}"));
        let given = self.of_side("moves", side)?.ok_or_else(missing)?;
        let moves = match given.cast::<Moves>() {
            Ok(moves) => moves.get().clone(),
            Err(_) => py.get_type::<Moves>().call1((shape.clone(), given))?.cast::<Moves>()?.get().clone(),
        };
        must_be_of(py, &moves.shape, shape, "the moves")?;
        Ok(moves)
    }

    fn ended(&self, shape: &Shape, side: &str) -> PyResult<Ended> {
        let py = self.0.py();
        let none = || Set::empty(&shape.inner);
        let mut ended = Ended { win: none(), loss: none(), draw: none() };
        let Some(given) = self.of_side("ended", side)? else { return Ok(ended) };
        let wrong = |given: &Bound<'_, PyAny>| match given.repr() {
            Ok(text) => PyTypeError::new_err(format!(
                "{text} is not a dictionary of sets by value, such as {{'loss': set}}, or one for each side"
            )),
            Err(error) => error,
        };
        for (value, set) in given.cast::<PyDict>().map_err(|_| wrong(&given))?.iter() {
            let set = set.cast::<Dfa>().map_err(|_| wrong(&given))?.get();
            must_be_of(py, &set.shape, shape, "a set of terminal positions")?;
            let place = match value_named(&value.str()?.to_cow()?)? {
                Value::Win => &mut ended.win,
                Value::Loss => &mut ended.loss,
                Value::Draw => &mut ended.draw,
            };
            *place = set.inner.clone();
        }
        let pairs = [(&ended.win, &ended.loss), (&ended.win, &ended.draw), (&ended.loss, &ended.draw)];
        for (one, other) in pairs {
            if !one.is_disjoint(other).map_err(|error| raised(py, error))? {
                let text = format!("with {side} to move, a terminal position has two values");
                return Err(named(py, "BadRules", text));
            }
        }
        Ok(ended)
    }
}

fn must_be_of(py: Python<'_>, found: &Shape, shape: &Shape, what: &str) -> PyResult<()> {
    if found == shape {
        return Ok(());
    }
    Err(named(py, "BadShape", format!("the words of {what} have another shape than those of the game")))
}

/// Returns the value with the given name.
pub fn value_named(name: &str) -> PyResult<Value> {
    let known = [Value::Win, Value::Draw, Value::Loss].into_iter().find(|value| value.to_string() == name);
    known.ok_or_else(|| {
        PyValueError::new_err(format!("'{name}' is not a value: values are win, draw and loss"))
    })
}

/// Creates the game.
pub fn own_game(py: Python<'_>, name: String, shape: Shape, given: &Given<'_, '_>) -> PyResult<OwnGame> {
    let text = |wanted: &str, usual: &str| -> PyResult<String> {
        given.get(wanted)?.map_or_else(|| Ok(usual.to_string()), |given| given.extract())
    };
    let start =
        given.get("start")?.ok_or_else(|| PyValueError::new_err("the argument `start` is missing"))?;
    let start = Position { board: shape.word(&start)?, side: side_named(py, &text("side", "P1")?)? };
    let num_cells = shape.names.len();
    let labels: Vec<String> = match given.get("labels")? {
        Some(labels) => texts_of("labels", "names of cells", &labels)?,
        None => (0..num_cells).map(|cell| cell.to_string()).collect(),
    };
    if labels.len() != num_cells {
        return Err(PyValueError::new_err(format!("{} labels, but {num_cells} cells", labels.len())));
    }
    let width: Option<usize> = given.get("width")?.map(|width| whole(&width)).transpose()?;
    if width.is_some_and(|width| width == 0 || !num_cells.is_multiple_of(width)) {
        return Err(PyValueError::new_err("the number of cells is not a multiple of the width"));
    }
    let layout = Layout::choose(vec![("cells", (0..num_cells).collect())], None);
    let mut game = OwnGame {
        name,
        description: text("description", "")?,
        layout: layout.map_err(|error| raised(py, error))?,
        labels,
        width,
        start,
        moves: [given.moves(&shape, "P1")?, given.moves(&shape, "P2")?],
        ended: [given.ended(&shape, "P1")?, given.ended(&shape, "P2")?],
        no_move: value_named(&text("no_move", "loss")?)?,
        always_ends: given.get("ends")?.is_some_and(|ends| ends.is_truthy().unwrap_or(false)),
        fingerprint: String::new(),
        shape,
    };
    game.fingerprint = game.hash().map_err(|error| raised(py, error))?;
    Ok(game)
}
