//! `nerode.Position`: a board with the side to move.

use nerode::games;
use nerode::games::explicit::apply;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::Reduced;
use crate::answer::{Reply, text_of};
use crate::errors::{named, raised};
use crate::game::{Game, Handle};

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
    pub game: Handle,
}

/// Returns the side with the given name.
pub fn side_named(py: Python<'_>, name: &str) -> PyResult<games::Side> {
    let known = games::Side::BOTH.into_iter().find(|side| side.to_string() == name);
    known.ok_or_else(|| named(py, "BadPosition", format!("'{name}' is not a side: sides are P1 and P2")))
}

/// Converts a text or a position to a position, and nothing to the start position.
pub fn position_of(game: &Handle, given: Option<&Bound<'_, PyAny>>) -> PyResult<games::Position> {
    match given.filter(|given| !given.is_none()) {
        Some(given) => given_position(game, given),
        None => Ok(game.start_position()),
    }
}

/// Converts a text or a position of the game to a position.
pub fn given_position(game: &Handle, given: &Bound<'_, PyAny>) -> PyResult<games::Position> {
    let py = given.py();
    if let Ok(position) = given.cast::<Position>() {
        let position = position.get();
        if !position.game.is_same(game) {
            let text = format!(
                "the position {} belongs to {}, not to {}",
                position.__str__(),
                position.game.spec(),
                game.spec()
            );
            return Err(named(py, "BadPosition", text));
        }
        return Ok(position.inner.clone());
    }
    let Ok(text) = given.cast::<PyString>() else {
        let text = format!("{} is neither a position nor the text of one", given.repr()?);
        return Err(PyTypeError::new_err(text));
    };
    game.parse_position(&text.to_cow()?).map_err(|error| raised(py, error))
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
    /// The contents of the cells as bytes. What the numbers mean depends on the game; 0 is an empty cell in most games.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").start.board
    /// b'\x03\x03'
    #[getter]
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.inner.board)
    }

    /// The side to move: `P1` or `P2`.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").start.side
    /// 'P1'
    #[getter]
    fn side(&self) -> String {
        self.inner.side.to_string()
    }

    /// The game.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").start.game
    /// <Game nim:2x3>
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<Game> {
        self.game.to_game(py)
    }

    /// `win`, `draw` or `loss` for the side to move if the game is over, and otherwise None.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").position("0/0 P1").outcome
    /// 'loss'
    #[getter]
    fn outcome(&self) -> Option<String> {
        text_of(self.game.outcome(&self.inner.board, self.inner.side))
    }

    /// Returns the legal moves, each as its text and the position after it. The list is empty if the game is over.
    ///
    /// >>> import nerode
    /// >>> [text for text, _ in nerode.open("breakthrough:3x4").start.moves()][:3]
    /// ['a2xb3', 'b2xa3', 'b2xc3']
    fn moves(&self) -> Vec<(String, Self)> {
        let mut moves = Vec::new();
        self.game.legal_moves(&self.inner.board, self.inner.side, &mut moves);
        moves.iter().map(|mv| (self.game.format_move(&self.inner, mv), self.after(mv))).collect()
    }

    /// Returns the position after the given moves, each a text or a `Reply`. A move is read as people type it: in either case, and
    /// with or without hyphens. A move that is not legal raises `BadMove`, with the legal moves in the message.
    ///
    /// >>> import nerode
    /// >>> print(nerode.open("breakthrough:3x4").start.play("a2xb3", "a4xb3"))
    /// 1bb/bbb/1ww/www w
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let py = moves.py();
        let mut at = self.clone();
        for given in moves.iter() {
            if given.cast::<PyString>().is_err() && given.cast::<Reply>().is_err() {
                let text = format!("{} is neither the text of a move nor a Reply", given.repr()?);
                return Err(PyTypeError::new_err(text));
            }
            let text = given.str()?;
            let mv = at.game.parse_move(&at.inner, &text.to_cow()?).map_err(|error| raised(py, error))?;
            at = at.after(&mv);
        }
        Ok(at)
    }

    /// Draws the board as text, in several lines.
    ///
    /// >>> import nerode
    /// >>> print(nerode.open("tictactoe:2x3").start.draw().splitlines()[-1])
    /// X to move
    fn draw(&self) -> String {
        self.game.draw(&self.inner)
    }

    pub fn __str__(&self) -> String {
        self.game.format_position(&self.inner)
    }

    fn __repr__(&self) -> String {
        format!("<Position {} of {}>", self.__str__(), self.game.spec())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let is_same =
            |other: &Bound<'_, Self>| other.get().inner == self.inner && other.get().game.is_same(&self.game);
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
        nerode::picture(&*self.game, &self.inner, &caption, None)
    }

    /// Draws the board as text for notebooks, if the game has no drawings.
    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.game.picture(&self.inner).is_some() {
            return Ok(None);
        }
        py.import("nerode._drawing")?.call_method1("preformatted", (self.draw(),)).map(Some)
    }

    /// A position does not change, so a copy of it is the position itself.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// Pickles the position together with its game.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Game, Vec<u8>, String)> {
        let read = py.import("nerode._own")?.getattr("position")?;
        Ok((read, (self.game.to_game(py)?, self.inner.board.clone(), self.inner.side.to_string())))
    }
}

impl Position {
    fn after(&self, mv: &games::Move) -> Self {
        let inner = games::Position { board: apply(&self.inner.board, mv), side: self.inner.side.other() };
        Self { inner, game: self.game.clone() }
    }
}
