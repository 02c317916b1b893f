//! `nerode.Game`: a game of the library, or a game described in Python.

use std::path::PathBuf;
use std::sync::Arc;

use nerode::games::explicit::apply;
use nerode::games::{self, registry};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raised;
use crate::own::make::{Given, own_game};
use crate::position::{Position, position_of, side_named};
use crate::shape::Shape;
use crate::solution::Solution;
use crate::solve::{SolveRequest, heuristic_of, solve, solve_sectors};
use crate::whole::{whole, whole_or_none};

/// A game, either from the library (see `nerode.open`) or defined in Python.
///
/// A custom game is defined by data. `moves` and `ended` apply to both sides, or are dictionaries with a value for each side:
///
/// >>> from nerode import Game, Shape, Step
/// >>> heap = Shape([8])
/// >>> take = [Step({0: [(left, left - taken) for left in range(taken, 8)]}) for taken in (1, 2)]
/// >>> game = Game("heap", heap, start=[7], moves=take, ends=True)
/// >>> game.solve().query().value
/// 'win'
#[pyclass(frozen, module = "nerode")]
pub struct Game {
    pub solver: nerode::Solver,
    /// The arguments from which a custom game was created.
    own: Option<Own>,
}

struct Own {
    shape: Shape,
    given: Py<PyDict>,
}

impl Game {
    pub fn game(&self) -> Arc<dyn games::Game> {
        self.solver.shared_game()
    }

    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Returns the shape, with the names of the letters in the game.
    pub fn shape_of(py: Python<'_>, game: &dyn games::Game) -> PyResult<Shape> {
        Shape::named(py, game.layers().into_iter().map(|layer| layer.letters).collect(), true)
    }
}

/// Returns the families of games in the library: name, parameters, example and description.
#[pyfunction]
#[pyo3(name = "_families")]
pub fn families() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    registry::families().iter().map(|info| (info.family, info.parameters, info.example, info.note)).collect()
}

/// Opens the game with the name `spec`, or the game with the rules `text`, which is then called `spec`.
#[pyfunction]
#[pyo3(name = "_open", signature = (spec, text = None))]
pub fn open(py: Python<'_>, spec: &str, text: Option<&str>) -> PyResult<Game> {
    let opened = text.map_or_else(|| nerode::open(spec), |text| nerode::open_text(spec, text));
    Ok(Game { solver: opened.map_err(|error| raised(py, error))?, own: None })
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, shape, **given))]
    fn new(py: Python<'_>, name: String, shape: Shape, given: Option<Bound<'_, PyDict>>) -> PyResult<Self> {
        let given = given.unwrap_or_else(|| PyDict::new(py));
        py.import("nerode._own")?.call_method1("must_know", (&given,))?;
        let game = own_game(py, name, shape.clone(), &Given(&given))?;
        let solver = nerode::open_game(Arc::new(game));
        Ok(Self { solver, own: Some(Own { shape, given: given.unbind() }) })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String, Shape), Bound<'py, PyDict>)> {
        match &self.own {
            Some(own) => Ok(((self.spec(), own.shape.clone()), own.given.bind(py).clone())),
            None => Err(pyo3::exceptions::PyTypeError::new_err("games of the library are pickled by name")),
        }
    }

    fn __reduce_ex__<'py>(slf: &Bound<'py, Self>, protocol: usize) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if slf.get().is_own() {
            return py
                .import("builtins")?
                .getattr("object")?
                .getattr("__reduce_ex__")?
                .call1((slf, protocol));
        }
        let game = slf.get().solver.game();
        let parts = (py.import("nerode._nerode")?.getattr("_open")?, (game.spec(), game.rules_text()));
        Ok(parts.into_pyobject(py)?.into_any())
    }

    /// The canonical name.
    #[getter]
    fn spec(&self) -> String {
        self.solver.game().spec()
    }

    /// The rules in words.
    #[getter]
    fn rules(&self) -> String {
        self.solver.game().rules()
    }

    /// The text of the rules, which `open` reads, or None if the game was not opened from a text.
    #[getter]
    fn rules_text(&self) -> Option<String> {
        self.solver.game().rules_text()
    }

    /// The shape of the words that represent boards, in the current letter order.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<Shape> {
        match &self.own {
            Some(own) => Ok(own.shape.clone()),
            None => Self::shape_of(py, self.solver.game()),
        }
    }

    /// The meaning of each layer of a word, such as the name of a square.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.solver.game().layers().into_iter().map(|layer| layer.label).collect()
    }

    /// The cell of the board that each layer of a word represents.
    #[getter]
    fn cell_of_layer(&self) -> Vec<usize> {
        self.solver.game().cell_of_layer().to_vec()
    }

    /// The names of the letter orders that the game knows. Any other order is written as `cells:` followed by every cell once.
    #[getter]
    fn orders(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.solver.orders().map_err(|error| raised(py, error))
    }

    /// True if the game is solved by sectors, because it has too many positions to represent them all as sets.
    #[getter]
    fn needs_sectors(&self) -> bool {
        self.solver.needs_sectors()
    }

    /// The start position.
    #[getter]
    fn start(&self) -> Position {
        Position { inner: self.solver.game().start_position(), game: self.game() }
    }

    /// Returns the position for a text, or for a board given as bytes together with the side to move.
    #[pyo3(signature = (text, side = None))]
    fn position(&self, text: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Position> {
        let (py, game) = (text.py(), self.game());
        let Some(side) = side else {
            return Ok(Position { inner: position_of(&game, Some(text))?, game });
        };
        let board: Vec<u8> = text.extract()?;
        crate::position::must_fit(py, game.as_ref(), &board)?;
        Ok(Position { inner: nerode::Position { board, side: side_named(py, side)? }, game })
    }

    /// Returns the word that represents a position, in the current letter order.
    #[pyo3(signature = (position = None))]
    fn word<'py>(
        &self,
        py: Python<'py>,
        position: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = self.game();
        let position = position_of(&game, position)?;
        self.shape(py)?.to_python(py, &game.word_of(&position.board))
    }

    /// Returns the legal moves of a position, each as its text and the position after it. The list is empty if the game is over.
    #[pyo3(signature = (position = None))]
    fn moves(&self, position: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, Position)>> {
        let game = self.game();
        let position = position_of(&game, position)?;
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        let after = |mv| {
            let inner = nerode::Position { board: apply(&position.board, mv), side: position.side.other() };
            (game.format_move(&position, mv), Position { inner, game: Arc::clone(&game) })
        };
        Ok(moves.iter().map(after).collect())
    }

    /// Returns `win`, `draw` or `loss` for the side to move if the game is over, and otherwise None.
    #[pyo3(signature = (position = None))]
    fn outcome(&self, position: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
        let game = self.game();
        let position = position_of(&game, position)?;
        Ok(crate::answer::text_of(game.outcome(&position.board, position.side)))
    }

    /// Compares a custom game with its plain rules: all positions if there are at most `most`, and otherwise that many, half of
    /// them random and half from random play. Returns the number of compared positions, and raises `BadRules` at the first
    /// difference.
    #[pyo3(signature = (most = 10_000, seed = 0))]
    fn check<'py>(
        slf: &Bound<'py, Self>,
        #[pyo3(from_py_with = whole)] most: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rules = match &slf.get().own {
            Some(own) => own.given.bind(slf.py()).get_item("rules")?,
            None => None,
        };
        slf.py().import("nerode._own")?.call_method1("check", (slf, rules, most, seed))
    }

    /// Solves the game. The chapter on Python in the book explains the options. Without `path`, the files are in a temporary folder
    /// that is deleted together with the solution. Ctrl-C raises `KeyboardInterrupt`, and `existing="resume"` resumes the solve.
    ///
    /// >>> import nerode
    /// >>> nerode.open("breakthrough:3x4").solve(threads=1).query().value
    /// 'loss'
    #[pyo3(signature = (
        method = None, *, memory = None, threads = None, progress = None, path = None, existing = "refuse", order = None,
        plies = None, chains = "both", keep = "all", sectors = None, ranked = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "these are keyword arguments in Python")]
    fn solve(
        slf: &Bound<'_, Self>,
        method: Option<&str>,
        memory: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
        path: Option<PathBuf>,
        existing: &str,
        order: Option<String>,
        #[pyo3(from_py_with = whole_or_none)] plies: Option<u32>,
        chains: &str,
        keep: &str,
        sectors: Option<Vec<String>>,
        ranked: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Solution> {
        let words = (method, chains, keep, existing);
        let request = SolveRequest::new(slf.py(), words, memory, threads, path, order, plies)?;
        let ranked = heuristic_of(ranked)?;
        match (sectors, ranked) {
            (Some(sectors), ranked) => solve_sectors(slf, request, (&sectors, ranked), progress),
            (None, None) => solve(slf, request, progress),
            (None, Some(_)) => Err(PyValueError::new_err(
                "only draws of sectors can be ranked: pass sectors=[...] together with ranked",
            )),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Game {}>", self.spec())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let same = |other: &Bound<'_, Self>| {
            other.get().solver.game().fingerprint() == self.solver.game().fingerprint()
                && other.get().spec() == self.spec()
        };
        other.cast::<Self>().is_ok_and(same)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.spec().hash(&mut hasher);
        hasher.finish()
    }
}
