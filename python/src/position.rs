//! `nerode.Position`: a board with the side to move.

use std::sync::Arc;

use nerode::games;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::Reduced;
use crate::errors::{named, raised};

/// A board with the side to move. `str(position)` is its text, from which the game can read it.
///
/// >>> import nerode
/// >>> position = nerode.open("tictactoe:3x3").position("XO./.../... X")
/// >>> position.side, position.board[6:8]
/// ('P1', b'\x01\x02')
/// >>> print(position)
/// XO1/3/3 X
#[pyclass(frozen, module = "nerode", from_py_object)]
#[derive(Clone)]
pub struct Position {
    pub inner: games::Position,
    pub game: Arc<dyn games::Game>,
}

/// Returns the side with the given name.
pub fn side_named(py: Python<'_>, name: &str) -> PyResult<games::Side> {
    let known = games::Side::BOTH.into_iter().find(|side| side.to_string() == name);
    known.ok_or_else(|| named(py, "BadPosition", format!("'{name}' is not a side: sides are P1 and P2")))
}

/// Converts a text or a position to a position, and nothing to the start position.
pub fn position_of(
    game: &Arc<dyn games::Game>,
    given: Option<&Bound<'_, PyAny>>,
) -> PyResult<games::Position> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(game.start_position()) };
    if let Ok(position) = given.cast::<Position>() {
        let position = position.get();
        must_fit(given.py(), game.as_ref(), &position.inner.board)?;
        return Ok(position.inner.clone());
    }
    let text = given.cast::<PyString>()?;
    game.parse_position(&text.to_cow()?).map_err(|error| raised(given.py(), error))
}

/// Raises an exception with the reason if a position cannot occur in play.
pub fn must_be_legal(py: Python<'_>, game: &dyn games::Game, position: &games::Position) -> PyResult<()> {
    let excluded = |error| named(py, "BadPosition", format!("{error}; pass any=True to query it anyway"));
    game.check_legal(position).map_err(excluded)
}

/// Returns `true` if a board has as many cells as `states`, each with a valid content.
pub fn fits(states: &[u16], board: &[u8]) -> bool {
    board.len() == states.len() && board.iter().zip(states).all(|(&x, &most)| u16::from(x) < most)
}

/// Raises an exception if a board is not a board of the game.
pub fn must_fit(py: Python<'_>, game: &dyn games::Game, board: &[u8]) -> PyResult<()> {
    let states = game.cell_states();
    if fits(states, board) {
        return Ok(());
    }
    let shape: Vec<String> = states.iter().map(u16::to_string).collect();
    let text = format!(
        "the board does not belong to {}: the numbers of possible contents by cell are {}",
        game.spec(),
        shape.join(" ")
    );
    Err(named(py, "BadPosition", text))
}

#[pymethods]
impl Position {
    /// The contents of the cells as bytes.
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.board)
    }

    /// The side to move: `P1` or `P2`.
    #[getter]
    fn side(&self) -> String {
        self.inner.side.to_string()
    }

    /// Draws the board as text, in several lines.
    fn draw(&self) -> String {
        self.game.draw(&self.inner)
    }

    fn __str__(&self) -> String {
        self.game.format_position(&self.inner)
    }

    fn __repr__(&self) -> String {
        format!("<Position {} of {}>", self.__str__(), self.game.spec())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let is_same = |other: &Bound<'_, Self>| {
            other.get().inner == self.inner && other.get().game.fingerprint() == self.game.fingerprint()
        };
        other.cast::<Self>().is_ok_and(is_same)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.inner.hash(&mut hasher);
        hasher.finish()
    }

    /// Draws the board for notebooks, if the game has drawings.
    fn _repr_svg_(&self) -> Option<String> {
        let caption = format!("{} to move", self.inner.side);
        nerode::picture(self.game.as_ref(), &self.inner, &caption, None)
    }

    /// Draws the board as text for notebooks, if the game has no drawings.
    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.game.picture(&self.inner).is_some() {
            return Ok(None);
        }
        py.import("nerode._drawing")?.call_method1("preformatted", (self.draw(),)).map(Some)
    }

    /// Pickles the position together with the name or the rules of its game. Positions of custom games cannot be pickled.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String, String, Option<String>)> {
        let read = py.import("nerode")?.getattr("_position")?;
        Ok((read, (self.game.spec(), self.__str__(), self.game.rules_text())))
    }
}
