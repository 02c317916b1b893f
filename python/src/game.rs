//! `nerode.Game`: a game of the library, or a game described in Python.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use nerode::games::explicit::apply;
use nerode::games::{self, registry};
use nerode::{Options, Side, dfa};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rayon::prelude::*;

use crate::dfa::Dfa;
use crate::errors::{named, raised};
use crate::own::make::{Given, own_game};
use crate::pool::{detached, watched};
use crate::position::{Position, position_of, side_named};
use crate::progress::bytes_or_none;
use crate::shape::Shape;
use crate::solution::Solution;
use crate::solve::{SolveRequest, heuristic_of, solve, solve_sectors};
use crate::whole::{list_of, texts_of, whole, whole_or_none};

/// The arguments from which a custom game was created, except its name.
pub struct Own {
    shape: Shape,
    given: Py<PyDict>,
}

/// A game, with the arguments from which a custom game is created again in another process.
#[derive(Clone)]
pub struct Handle {
    game: Arc<dyn games::Game>,
    own: Option<Arc<Own>>,
}

impl Deref for Handle {
    type Target = dyn games::Game;

    fn deref(&self) -> &Self::Target {
        self.game.as_ref()
    }
}

impl Handle {
    /// Returns `true` if both are the same game, perhaps in different letter orders.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.game, &other.game)
            || self.spec() == other.spec() && self.fingerprint() == other.fingerprint()
    }

    /// Returns the game in another letter order.
    pub fn in_order_of(&self, game: &Arc<dyn games::Game>) -> Self {
        Self { game: Arc::clone(game), own: self.own.clone() }
    }

    /// Returns the game as a Python object.
    pub fn to_game(&self, py: Python<'_>) -> PyResult<Game> {
        match &self.own {
            Some(own) => {
                Ok(Game { solver: nerode::open_game(Arc::clone(&self.game)), own: Some(Arc::clone(own)) })
            }
            None => open(py, &self.spec(), self.rules_text().as_deref()),
        }
    }
}

/// A game, either from the library (see `nerode.open`) or defined in Python.
///
/// A custom game is defined by data, which the engine turns into sets and relations; it never calls Python:
///
/// - `name`: the name, which belongs to the identity of the game.
/// - `shape`: the letters of each layer of a word. Every cell of the board is a layer, in this order.
/// - `start`: the word of the start position.
/// - `moves`: the `Step`s of a move or a `Moves` object, for both sides, or a dictionary with an entry for `P1` and one for `P2`.
///   Every move passes the turn.
/// - `ended`: the sets of the positions in which the game is over, `{"win": set, "loss": set, "draw": set}` by value for the side to
///   move, or a dictionary with such an entry for each side. The sets must be disjoint. By default, there are none.
/// - `no_move`: the value for a side to move that has no move, `win`, `draw` or `loss`.
/// - `side`: the side that moves first.
/// - `rules`: a function of a word and a side that returns a value if the game is over, and otherwise the words after each move.
///   `check` compares it with the data; nothing else calls it.
/// - `labels`: the names of the cells, in the order of the layers; by default their numbers, from 0. Moves without a label are written
///   with them.
/// - `width`: the number of cells in a row of the board, for drawings and texts. It must divide the number of cells.
/// - `ends`: True promises that no play can go on forever, which allows the method `meet`. A solve by `meet` fails if the promise
///   turns out to be wrong.
/// - `description`: the rules in words.
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
    own: Option<Arc<Own>>,
}

impl Game {
    pub fn game(&self) -> Arc<dyn games::Game> {
        self.solver.shared_game()
    }

    pub fn handle(&self) -> Handle {
        Handle { game: self.game(), own: self.own.clone() }
    }

    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Returns the shape, with the names of the letters in the game.
    pub fn shape_of(py: Python<'_>, game: &dyn games::Game) -> PyResult<Shape> {
        Shape::named(py, game.layers().into_iter().map(|layer| layer.letters).collect(), true)
    }

    /// Moves a set of words of the game along its moves.
    fn moved(
        &self,
        py: Python<'_>,
        (set, side): (&Dfa, &str),
        step: fn(&nerode::Solver, &dfa::Dfa, Side, &Options<'_>) -> nerode::Result<dfa::Dfa>,
    ) -> PyResult<Dfa> {
        let side = side_named(py, side)?;
        let shape = self.shape(py)?;
        if set.shape != shape {
            return Err(named(
                py,
                "BadShape",
                format!("the set has words of a different shape from {}: use game.shape", self.spec()),
            ));
        }
        let work =
            |stop, _: Sender<()>| step(&self.solver, &set.inner, side, &Options::default().interrupt(stop));
        let inner = watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))?;
        Ok(Dfa { inner, shape })
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
    #[pyo3(signature = (
        name, shape, *, start, moves, ended = None, no_move = "loss", side = "P1", rules = None, labels = None, width = None,
        ends = false, description = ""
    ))]
    #[allow(clippy::too_many_arguments, reason = "these are keyword arguments in Python")]
    fn new(
        py: Python<'_>,
        name: String,
        shape: Shape,
        start: Bound<'_, PyAny>,
        moves: Bound<'_, PyAny>,
        ended: Option<Bound<'_, PyAny>>,
        no_move: &str,
        side: &str,
        rules: Option<Bound<'_, PyAny>>,
        labels: Option<Bound<'_, PyAny>>,
        width: Option<Bound<'_, PyAny>>,
        ends: bool,
        description: &str,
    ) -> PyResult<Self> {
        let given = PyDict::new(py);
        given.set_item("start", start)?;
        given.set_item("moves", moves)?;
        given.set_item("no_move", no_move)?;
        given.set_item("side", side)?;
        given.set_item("ends", ends)?;
        given.set_item("description", description)?;
        for (name, value) in [("ended", ended), ("rules", rules), ("labels", labels), ("width", width)] {
            if let Some(value) = value {
                given.set_item(name, value)?;
            }
        }
        let game = own_game(py, name, shape.clone(), &Given(&given))?;
        let solver = nerode::open_game(Arc::new(game));
        Ok(Self { solver, own: Some(Arc::new(Own { shape, given: given.unbind() })) })
    }

    /// Pickles a game of the library by its name or its rules, and a custom game by its arguments. Plain rules that cannot be pickled,
    /// such as a lambda, are omitted.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let game = this.solver.game();
        let parts = match &this.own {
            Some(own) => {
                let helpers = py.import("nerode._own")?;
                let given = helpers.call_method1("picklable", (own.given.bind(py),))?;
                let arguments = (game.spec(), own.shape.clone(), given).into_pyobject(py)?;
                (helpers.getattr("game")?, arguments).into_pyobject(py)?
            }
            None => {
                let arguments = (game.spec(), game.rules_text()).into_pyobject(py)?;
                (py.import("nerode._nerode")?.getattr("_open")?, arguments).into_pyobject(py)?
            }
        };
        Ok(parts.into_any())
    }

    /// The canonical name. Equal games have equal names.
    ///
    /// >>> import nerode
    /// >>> nerode.open("connect:4x4,row=4").spec
    /// 'connect:4x4'
    #[getter]
    fn spec(&self) -> String {
        self.solver.game().spec()
    }

    /// The rules in words.
    ///
    /// >>> import nerode
    /// >>> "heap" in nerode.open("nim:2x3").rules
    /// True
    #[getter]
    fn rules(&self) -> String {
        self.solver.game().rules()
    }

    /// The text of the rules, which `open` reads, or None if the game was not opened from a text.
    ///
    /// >>> import nerode
    /// >>> nerode.open("rbg:pretwa").rules_text.count("#rules")
    /// 1
    #[getter]
    fn rules_text(&self) -> Option<String> {
        self.solver.game().rules_text()
    }

    /// The shape of the words that represent boards, in the current letter order.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:3x3").shape
    /// Shape('.XO', 9)
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<Shape> {
        match &self.own {
            Some(own) => Ok(own.shape.clone()),
            None => Self::shape_of(py, self.solver.game()),
        }
    }

    /// The meaning of each layer of a word, such as the name of a square.
    ///
    /// >>> import nerode
    /// >>> sorted(nerode.open("tictactoe:2x3").labels)
    /// ['a1', 'a2', 'a3', 'b1', 'b2', 'b3']
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.solver.game().layers().into_iter().map(|layer| layer.label).collect()
    }

    /// The cell of the board that each layer of a word represents.
    ///
    /// >>> import nerode
    /// >>> sorted(nerode.open("tictactoe:2x3").cell_of_layer)
    /// [0, 1, 2, 3, 4, 5]
    #[getter]
    fn cell_of_layer(&self) -> Vec<usize> {
        self.solver.game().cell_of_layer().to_vec()
    }

    /// The names of the letter orders that the game knows. Any other order is written as `cells:` followed by every cell once.
    ///
    /// >>> import nerode
    /// >>> len(nerode.open("breakthrough:3x4").orders) > 1
    /// True
    #[getter]
    fn orders(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.solver.orders().map_err(|error| raised(py, error))
    }

    /// The letter order of the words.
    ///
    /// >>> import nerode
    /// >>> game = nerode.open("breakthrough:3x4")
    /// >>> game.order == game.orders[0]
    /// True
    #[getter]
    fn order(&self) -> String {
        self.solver.game().order().to_string()
    }

    /// Returns the same game with words in another letter order, which is one of `orders` or written as `cells:` and every cell once.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:2x3").in_order("cells:5,4,3,2,1,0").cell_of_layer
    /// [5, 4, 3, 2, 1, 0]
    pub fn in_order(&self, py: Python<'_>, order: &str) -> PyResult<Self> {
        let solver = self.solver.with_order(order).map_err(|error| raised(py, error))?;
        Ok(Self { solver, own: self.own.clone() })
    }

    /// True if the game is solved by sectors, because it has too many positions to represent them all as sets.
    ///
    /// >>> import nerode
    /// >>> nerode.open("morris:nine").needs_sectors
    /// True
    #[getter]
    fn needs_sectors(&self) -> bool {
        self.solver.needs_sectors()
    }

    /// The start position.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").start
    /// <Position 3/3 P1 of nim:2x3>
    #[getter]
    fn start(&self) -> Position {
        Position { inner: self.solver.game().start_position(), game: self.handle() }
    }

    /// Returns the position for a text, or for a board given as bytes or numbers together with the side to move.
    ///
    /// >>> import nerode
    /// >>> nim = nerode.open("nim:2x3")
    /// >>> nim.position("3/1 P2") == nim.position([3, 1], "P2") == nim.position(b"\x03\x01", "P2")
    /// True
    #[pyo3(signature = (text, side = None))]
    fn position(&self, text: &Bound<'_, PyAny>, side: Option<&str>) -> PyResult<Position> {
        let (py, game) = (text.py(), self.handle());
        let Some(side) = side else {
            return Ok(Position { inner: position_of(&game, Some(text))?, game });
        };
        if text.is_instance_of::<PyString>() {
            let text = format!(
                "{} contains the side: pass it without `side`, or pass a board as bytes",
                text.repr()?
            );
            return Err(PyTypeError::new_err(text));
        }
        let board: Vec<u8> = match text.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => list_of("a board", "numbers from 0 to 255", text, |cell| cell.extract())?,
        };
        crate::position::must_fit(py, &*game, &board)?;
        Ok(Position { inner: nerode::Position { board, side: side_named(py, side)? }, game })
    }

    /// Returns the word that represents a position, in the current letter order. `position_of` is the inverse.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:3x3").word("XO./.../... X").count("X")
    /// 1
    #[pyo3(signature = (position = None))]
    fn word<'py>(
        &self,
        py: Python<'py>,
        position: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let game = self.handle();
        let position = position_of(&game, position)?;
        self.shape(py)?.to_python(py, &game.word_of(&position.board))
    }

    /// Returns the position that a word represents, in the current letter order, with `side` to move.
    ///
    /// >>> import nerode
    /// >>> game = nerode.open("tictactoe:3x3")
    /// >>> game.position_of(game.word("XO./.../... X"), "P1") == game.position("XO./.../... X")
    /// True
    fn position_of(&self, word: &Bound<'_, PyAny>, side: &str) -> PyResult<Position> {
        let (py, game) = (word.py(), self.handle());
        let word = self.shape(py)?.word(word)?;
        let inner = nerode::Position { board: game.board_of(&word), side: side_named(py, side)? };
        Ok(Position { inner, game })
    }

    /// Returns the texts of positions, whose boards are given as consecutive bytes, and whose sides to move are bytes, 0 for P1.
    fn _texts(&self, py: Python<'_>, boards: &[u8], sides: &[u8]) -> PyResult<Vec<String>> {
        let game = self.game();
        let cells = game.cell_states().len().max(1);
        let text = |(board, &side): (&[u8], &u8)| {
            let side = if side == 0 { Side::P1 } else { Side::P2 };
            game.format_position(&nerode::Position { board: board.to_vec(), side })
        };
        detached(py, || boards.par_chunks(cells).zip(sides).map(text).collect())
    }

    /// Iterates over the positions of a set of words of the game, such as one of a solution, with `side` to move.
    ///
    /// >>> import nerode
    /// >>> game = nerode.open("nim:1x3")
    /// >>> [str(position) for position in game.positions(game.solve("retrograde").set("W", 1, "P1"), "P1")]
    /// ['1 P1', '2 P1', '3 P1']
    fn positions(&self, py: Python<'_>, set: &Dfa, side: &str) -> PyResult<Positions> {
        if set.shape.inner != *self.solver.game().shape() {
            return Err(named(py, "BadShape", format!("the words are not boards of {}", self.spec())));
        }
        Ok(Positions { words: set.inner.words(), side: side_named(py, side)?, game: self.handle() })
    }

    /// Returns the words after one legal move of `side` from the positions of a set, with the opponent to move. No move leads out of
    /// a position in which the game is over.
    ///
    /// The words of the set have the shape `game.shape`, which is in the letter order of the game; sets of a solution are in the order
    /// `solution.order`. Ctrl-C interrupts the computation.
    ///
    /// >>> import nerode
    /// >>> game = nerode.open("tictactoe:3x3")
    /// >>> start = nerode.Dfa(game.shape, [game.word()])
    /// >>> two = game.image(game.image(start, "P1"), "P2")
    /// >>> len(two), game.preimage(two, "P2") >= game.image(start, "P1")
    /// (72, True)
    #[pyo3(signature = (set, side = "P1"))]
    fn image(&self, py: Python<'_>, set: &Dfa, side: &str) -> PyResult<Dfa> {
        self.moved(py, (set, side), nerode::Solver::image)
    }

    /// Returns the words, with `side` to move, from which a legal move leads to a word of the set. See `image`.
    ///
    /// >>> import nerode
    /// >>> game = nerode.open("nim:1x3")
    /// >>> lost = nerode.Dfa(game.shape, [[0]])
    /// >>> len(game.preimage(lost, "P1"))
    /// 3
    #[pyo3(signature = (set, side = "P1"))]
    fn preimage(&self, py: Python<'_>, set: &Dfa, side: &str) -> PyResult<Dfa> {
        self.moved(py, (set, side), nerode::Solver::preimage)
    }

    /// Returns the legal moves of a position, each as its text and the position after it. The list is empty if the game is over.
    ///
    /// >>> import nerode
    /// >>> [text for text, _ in nerode.open("nim:1x3").moves("2 P1")]
    /// ['a-1', 'a-2']
    #[pyo3(signature = (position = None))]
    fn moves(&self, position: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<(String, Position)>> {
        let game = self.handle();
        let position = position_of(&game, position)?;
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        let after = |mv| {
            let inner = nerode::Position { board: apply(&position.board, mv), side: position.side.other() };
            (game.format_move(&position, mv), Position { inner, game: game.clone() })
        };
        Ok(moves.iter().map(after).collect())
    }

    /// Returns `win`, `draw` or `loss` for the side to move if the game is over, and otherwise None.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:3x3").outcome("XXX/OO./... O")
    /// 'loss'
    #[pyo3(signature = (position = None))]
    fn outcome(&self, position: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
        let game = self.handle();
        let position = position_of(&game, position)?;
        Ok(crate::answer::text_of(game.outcome(&position.board, position.side)))
    }

    /// Compares a custom game with its plain rules: all positions if there are at most `most`, and otherwise that many, half of
    /// them random and half from random play. Returns the number of compared positions, and raises `BadRules` at the first
    /// difference.
    ///
    /// >>> from nerode import Game, Shape, Step
    /// >>> take = [Step({0: [(left, left - 1) for left in range(1, 4)]})]
    /// >>> def rules(heap, side):
    /// ...     return [(heap[0] - 1,)] if heap[0] else "loss"
    /// >>> Game("one by one", Shape(4, 1), start=[3], moves=take, rules=rules).check()
    /// 8
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

    /// Solves the game.
    ///
    /// - `method`: `retrograde` decides all boards and stores depths, and `meet` decides the positions that play reaches, whose depths
    ///   are found by search. `reached` decides these positions and their depths one by one by the plain rules, and stores them in a
    ///   table, which suits games with few of them; only `memory`, `threads`, `path` and `existing` apply to it. The default is that of
    ///   the first two whose sets grow more slowly over the first plies.
    /// - `memory`: a cap in bytes, or as a text such as `"4GiB"`, for the growth of this process during the solve.
    /// - `threads`: the number of threads, by default all cores. Results do not depend on it, and a few for each core are the most
    ///   that are started.
    /// - `progress`: True for a progress bar, or a function that is called with a `PlyDone` after every ply, or with a `UnitSolved`
    ///   after every work unit of sectors. An exception in the function stops the solve.
    /// - `path`: a directory for the solution, or a file for the table. Without it, the files are in a temporary folder that is
    ///   deleted together with the solution.
    /// - `existing`: what happens if the directory is not empty: `refuse`, `resume` or `overwrite`.
    /// - `order`: the letter order of the sets; see `orders`.
    /// - `plies`: the number of plies after which the solve stops, with the remaining positions undecided.
    /// - `chains`: `one` halves the work if the sides mirror each other; the default is `both`.
    /// - `keep`: `last` keeps only the sets of the last two plies, so that most depths are bounds; the default is `all`.
    /// - `sectors`: a list of sectors of a morris game, which are solved with all sectors that they lead to.
    /// - `ranked`: ranks the draws of sectors by `ratio`, which True stands for, or by `difference`.
    ///
    /// Ctrl-C raises `KeyboardInterrupt`, and `existing="resume"` resumes the solve.
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
        #[pyo3(from_py_with = bytes_or_none)] memory: Option<u64>,
        #[pyo3(from_py_with = whole_or_none)] threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
        path: Option<PathBuf>,
        existing: &str,
        order: Option<String>,
        #[pyo3(from_py_with = whole_or_none)] plies: Option<u32>,
        chains: &str,
        keep: &str,
        sectors: Option<&Bound<'_, PyAny>>,
        ranked: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Solution> {
        let words = (method, chains, keep, existing);
        let request = SolveRequest::new(slf.py(), words, memory, threads, path, order, plies)?;
        let ranked = heuristic_of(ranked)?;
        let sectors = sectors.map(|given| texts_of("sectors", "names of sectors", given)).transpose()?;
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

/// An iterator over the positions of a set.
#[pyclass(module = "nerode._nerode")]
pub struct Positions {
    words: dfa::Words,
    side: Side,
    game: Handle,
}

#[pymethods]
impl Positions {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Position> {
        let board = self.game.board_of(&self.words.next()?);
        Some(Position { inner: games::Position { board, side: self.side }, game: self.game.clone() })
    }
}
