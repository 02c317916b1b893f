//! `nerode.Solution`: a solved game in a directory.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use nerode::{Form, Method, games};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::Reduced;
use crate::answer::{Answer, Reply, replies, text_of};
use crate::best::BestMoves;
use crate::dfa::Dfa;
use crate::errors::{named, raised};
use crate::game::{Game, Handle};
use crate::many::{self, Ask, Found, Sides};
use crate::own::make::value_named;
use crate::place::Place;
use crate::pool::{detached, watched};
use crate::position::{Position, must_be_legal, position_of, side_named};
use crate::progress::{Listener, bytes_or_none, options};
use crate::solve::one_of;
use crate::table::Table;
use crate::whole::{texts_of, whole};

/// A solved game, which several threads may query at the same time.
///
/// Its files are in a directory and are read when they are needed. A forked process opens them again. A solution is pickled by its
/// path. As a context manager, it is closed at the end of the block, which deletes temporary files.
///
/// >>> import nerode
/// >>> solution = nerode.open("tictactoe:3x3").solve()
/// >>> solution.value(), solution.value("XX./OO./... X"), solution.moves("XX./OO./... X")[0]
/// ('draw', 'win', <c3: win in 1>)
/// >>> with nerode.open("nim:2x3").solve() as solution:
/// ...     solution.best_move("3/1 P1").text
/// 'a-2'
#[pyclass(frozen, module = "nerode")]
pub struct Solution {
    /// The solution with the process that opened it, unless it is closed. The lock is held only briefly, together with the
    /// interpreter's lock.
    opened: Mutex<Option<(u32, Arc<nerode::Solution>)>>,
    game: Py<Game>,
    place: Mutex<Option<Place>>,
    path: PathBuf,
    is_kept: bool,
}

impl Solution {
    /// Returns the solution of `game`, whose words are in the letter order of the solution.
    pub fn new(game: &Bound<'_, Game>, solution: Arc<nerode::Solution>, place: Place) -> PyResult<Self> {
        let (py, order) = (game.py(), solution.game().order());
        let game = match game.get().game().order() == order {
            true => game.clone().unbind(),
            // An order that only stored solutions have stays theirs.
            false => match game.get().in_order(py, order) {
                Ok(ordered) => Py::new(py, ordered)?,
                Err(_) => game.clone().unbind(),
            },
        };
        let path = place.path().to_path_buf();
        let is_kept = matches!(place, Place::Kept(_));
        let opened = Mutex::new(Some((std::process::id(), solution)));
        Ok(Self { opened, game, place: Mutex::new(Some(place)), path, is_kept })
    }

    /// Returns the library's solution, opened by this process.
    pub fn get(&self, py: Python<'_>) -> PyResult<Arc<nerode::Solution>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((process, solution)) = opened.as_mut() else {
            return Err(PyValueError::new_err("the solution is closed"));
        };
        if *process != std::process::id() {
            let again = Arc::new(read(py, &self.path, self.game.get())?);
            *process = std::process::id();
            std::mem::forget(std::mem::replace(solution, again));
        }
        Ok(Arc::clone(solution))
    }

    /// Returns the game as a Python object.
    pub fn python_game<'py>(&self, py: Python<'py>) -> Bound<'py, Game> {
        self.game.clone_ref(py).into_bound(py)
    }

    /// Returns the game in the letter order of the solution.
    fn handle(&self, solution: &nerode::Solution) -> Handle {
        self.game.get().handle().in_order_of(solution.shared_game())
    }

    /// Returns a sector as arrays.
    pub fn sector_of<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        best_moves: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let solution = self.get(py)?;
        let found = detached(py, || {
            let sector = nerode::Sector::open(&**solution, name)?;
            let (positions, found): (Vec<_>, Vec<_>) = sector.positions().unzip();
            let found = match best_moves {
                true => Found::of(&BestMoves::new(&solution), true, &positions)?,
                false => Found::known(found),
            };
            Ok((positions, found))
        })?;
        let (positions, found) = found.map_err(|error| match error {
            nerode::Error::Mismatch { .. } => named(py, "NoSuchSector", error.to_string()),
            error => raised(py, error),
        })?;
        let ask = Ask { solution: &solution, game: &self.python_game(py), any: true, best_moves };
        many::answers(ask, found, many::boards(py, solution.game(), &positions)?)
    }

    /// Returns a position of the solution's game. Without `any`, raises an exception if the rules exclude it.
    fn position_of(
        &self,
        py: Python<'_>,
        solution: &nerode::Solution,
        given: Option<&Bound<'_, PyAny>>,
        any: bool,
    ) -> PyResult<(Handle, games::Position)> {
        let game = self.handle(solution);
        let position = position_of(&game, given)?;
        if !any {
            must_be_legal(py, &*game, &position)?;
        }
        Ok((game, position))
    }

    /// Draws random positions that fulfil the restrictions.
    fn draw(
        &self,
        py: Python<'_>,
        (n, seed): (usize, u64),
        (legal, reachable): (bool, bool),
        value: Option<&str>,
    ) -> PyResult<Vec<games::Position>> {
        let solution = self.get(py)?;
        let value = value.map(value_named).transpose()?;
        let work = |stop, _: Sender<()>| {
            if reachable && solution.listed(0, 0)?.is_none() {
                let options = nerode::Options::default().interrupt(stop);
                return solution.reached_sets(options.resources())?.sample(n, seed, value);
            }
            let game = solution.game();
            let is_legal = |at: &games::Position| game.why_illegal(&at.board, at.side).is_none();
            let filter = nerode::SampleFilter {
                value: value.map(Some),
                accepts: legal.then_some(&is_legal),
                ..nerode::SampleFilter::default()
            };
            Ok(solution.sample_where(n, seed, &filter)?.unwrap_or_default())
        };
        watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))
    }

    fn answer(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Answer> {
        let solution = self.get(py)?;
        let (game, position) = self.position_of(py, &solution, position, any)?;
        let inner = detached(py, || solution.query(&position))?.map_err(|error| raised(py, error))?;
        Ok(Answer::new(inner, game))
    }
}

/// Returns columns as a dictionary that converts to frames.
fn columns_of(columns: Bound<'_, PyDict>) -> PyResult<Bound<'_, PyAny>> {
    columns.py().import("nerode._frames")?.call_method1("Columns", (columns,))
}

/// Returns the name of a variant as JSON has it.
fn name_of(variant: serde_json::Result<serde_json::Value>) -> String {
    variant.ok().and_then(|name| name.as_str().map(str::to_string)).unwrap_or_default()
}

/// Opens a directory with a solution of `game`.
fn read(py: Python<'_>, path: &Path, game: &Game) -> PyResult<nerode::Solution> {
    let known = game.game();
    let opened = detached(py, || match game.is_own() {
        true => nerode::open_solution_with(path, &|_: &str, _: &str| Ok(Arc::clone(&known))),
        false => nerode::open_solution(path),
    });
    opened?.map_err(|error| raised(py, error))
}

#[pymethods]
impl Solution {
    /// Opens the solution in a directory or table file created by this package or by the program `nerode`. A custom game must be
    /// passed as `game`. `nerode.load` does the same.
    ///
    /// >>> import os, tempfile, nerode
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     _ = nerode.open("nim:2x3").solve(path=os.path.join(folder, "nim"))
    /// ...     nerode.Solution.open(os.path.join(folder, "nim")).value("3/1 P1")
    /// 'win'
    #[staticmethod]
    #[pyo3(signature = (path, game = None))]
    fn open(py: Python<'_>, path: PathBuf, game: Option<Bound<'_, Game>>) -> PyResult<Self> {
        let path = std::path::absolute(&path).map_err(|error| named(py, "FileError", error.to_string()))?;
        let (solution, game) = match game {
            Some(game) => (read(py, &path, game.get())?, game),
            None => {
                let solution =
                    detached(py, || nerode::open_solution(&path))?.map_err(|error| raised(py, error))?;
                let game = solution.game();
                let game = crate::game::open(py, &game.spec(), game.rules_text().as_deref())?;
                (solution, Bound::new(py, game)?)
            }
        };
        Self::new(&game, Arc::new(solution), Place::Kept(path))
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __exit__(
        &self,
        _kind: Option<&Bound<'_, PyAny>>,
        _error: Option<&Bound<'_, PyAny>>,
        _traceback: Option<&Bound<'_, PyAny>>,
    ) {
        self.close();
    }

    /// Closes the solution and deletes its files if they are temporary. Later calls raise `ValueError`.
    ///
    /// >>> import nerode
    /// >>> solution = nerode.open("nim:2x3").solve()
    /// >>> solution.close()
    /// >>> solution.value()
    /// Traceback (most recent call last):
    /// ValueError: the solution is closed
    fn close(&self) {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.place.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (PathBuf, Option<Py<Game>>)> {
        if !self.is_kept {
            let text = "a solution in a temporary directory cannot be pickled; solve with path=...";
            return Err(named(py, "DirectoryError", text));
        }
        let path =
            std::path::absolute(&self.path).map_err(|error| named(py, "FileError", error.to_string()))?;
        let game = self.game.get().is_own().then(|| self.game.clone_ref(py));
        Ok((py.get_type::<Self>().getattr("open")?, (path, game)))
    }

    /// The solved game, whose words are in the letter order of the solution.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().game
    /// <Game nim:2x3>
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The letter order of the solution's sets.
    ///
    /// >>> import nerode
    /// >>> nerode.open("tictactoe:2x3").solve(order="cells:0,1,2,3,4,5").order
    /// 'cells:0,1,2,3,4,5'
    #[getter]
    fn order(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.get(py)?.game().order().to_string())
    }

    /// The directory or the file.
    ///
    /// >>> import nerode
    /// >>> (nerode.open("nim:2x3").solve().path / "manifest.json").name
    /// 'manifest.json'
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// True if every position that the solution covers has a proved value.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().is_complete, nerode.open("nim:2x3").solve("retrograde", plies=1).is_complete
    /// (True, False)
    #[getter]
    fn is_complete(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.get(py)?.is_complete())
    }

    /// The positions that the solution covers: `all-boards`, `reached-positions`, `admissible-positions`, `care-set` or
    /// `sectors`.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("retrograde").covers, nerode.open("nim:2x3").solve("meet").covers
    /// ('all-boards', 'reached-positions')
    #[getter]
    fn covers(&self, py: Python<'_>) -> PyResult<String> {
        Ok(name_of(serde_json::to_value(self.get(py)?.coverage())))
    }

    /// Where the depths come from: `stored`, `partial`, `search`, `bounds` or `absent`. A depth that is not found by search in time is
    /// bounded from above.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("retrograde").depths, nerode.open("nim:2x3").solve("meet").depths
    /// ('stored', 'search')
    #[getter]
    fn depths(&self, py: Python<'_>) -> PyResult<String> {
        Ok(name_of(serde_json::to_value(self.get(py)?.depth_source())))
    }

    /// Returns the value and depth of a position and of each of its moves. The default is the start position. A position that the
    /// rules exclude, such as one with a floating stone, is answered only with `any`.
    ///
    /// >>> import nerode
    /// >>> nerode.open("breakthrough:3x4").solve().query().depth
    /// 12
    #[pyo3(signature = (position = None, *, any = false))]
    fn query(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Answer> {
        self.answer(py, position, any)
    }

    /// Returns `win`, `draw` or `loss` for the side to move, or None if the value is unknown.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve().value("3/1 P1")
    /// 'win'
    #[pyo3(signature = (position = None, *, any = false))]
    fn value(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        any: bool,
    ) -> PyResult<Option<String>> {
        let solution = self.get(py)?;
        let (_, position) = self.position_of(py, &solution, position, any)?;
        let found = detached(py, || solution.query_many(&[position]))?.map_err(|error| raised(py, error))?;
        Ok(text_of(found.first().and_then(nerode::Evaluation::value)))
    }

    /// Returns all legal moves of a position, best first.
    ///
    /// >>> import nerode
    /// >>> [(move.text, move.value) for move in nerode.open("nim:2x3").solve().moves("2/0 P1")]
    /// [('a-2', 'win'), ('a-1', 'loss')]
    #[pyo3(signature = (position = None, *, any = false))]
    fn moves(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Vec<Reply>> {
        let answer = self.answer(py, position, any)?;
        Ok(answer.replies().to_vec())
    }

    /// Returns a best move of a position, which is the first of `moves`, or None if the game is over.
    ///
    /// >>> import nerode
    /// >>> nerode.open("breakthrough:3x4").solve().best_move()
    /// <a2xb3: loss in 12>
    #[pyo3(signature = (position = None, *, any = false))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: Option<&Bound<'_, PyAny>>,
        any: bool,
    ) -> PyResult<Option<Reply>> {
        Ok(self.answer(py, position, any)?.replies().first().cloned())
    }

    /// Returns the principal variation from a position, up to the end of the game.
    ///
    /// >>> import nerode
    /// >>> [move.text for move in nerode.open("nim:2x3").solve("retrograde").line("3/1 P1")][0]
    /// 'a-2'
    #[pyo3(signature = (position = None, *, any = false))]
    fn line(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Vec<Reply>> {
        let solution = self.get(py)?;
        let (game, position) = self.position_of(py, &solution, position, any)?;
        let line = detached(py, || solution.best_line(&position))?.map_err(|error| raised(py, error))?;
        Ok(replies(&line, &game))
    }

    /// Returns the values and depths of many positions as arrays, using all cores. `positions` is a list of texts and positions, or a
    /// NumPy array of bytes with one board in each row. For an array, `side` is the side to move: `P1`, `P2`, or an array with 0 for
    /// P1 and 1 for P2. Without `any`, raises an exception if the rules exclude one of the positions. With `best_moves`, the result
    /// also contains a best move of each position.
    ///
    /// Depths are those that the solution contains; a depth that `query` would search for is missing.
    ///
    /// >>> import nerode
    /// >>> found = nerode.open("nim:2x3").solve("retrograde").query_many(["3/3 P1", "3/1 P1"], best_moves=True)
    /// >>> found.names(), found.depth.tolist(), str(found.best_move[1])
    /// (['loss', 'win'], [6, 3], 'a-2')
    #[pyo3(signature = (positions, side = None, *, any = false, best_moves = false))]
    fn query_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        side: Option<&Bound<'py, PyAny>>,
        any: bool,
        best_moves: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = positions.py();
        let (solution, game) = (self.get(py)?, self.python_game(py));
        many::query(Ask { solution: &solution, game: &game, any, best_moves }, positions, &Sides(side))
    }

    /// Iterates over the positions of the solution in chunks of at most `rows` positions, each an `Answers` with boards, sides, values
    /// and depths, and with the texts of best moves if `best_moves` is set.
    ///
    /// With `reachable`, these are the positions that play from the start reaches, each once, ordered by the ply at which they occur
    /// first, and then by word. For a solution that covers all boards, the plies are found by a forward search while the chunks are
    /// read. Otherwise, they are all positions that the solution covers, ordered by side or ply, and then by word. For a solution by
    /// sectors, each chunk is a sector, whatever `reachable` and `rows` are.
    ///
    /// `memory` is a cap in bytes, or as a text such as `"4GiB"`, for the growth of this process while a chunk is computed. `progress` is
    /// True for a progress bar, or a function that is called with a `PlyDone` for every ply whose positions follow; an exception in the
    /// function ends the iteration, and so does Ctrl-C.
    ///
    /// >>> import nerode
    /// >>> solution = nerode.open("tictactoe:3x3").solve()
    /// >>> sum(len(chunk) for chunk in solution.table(reachable=True))
    /// 5478
    #[pyo3(signature = (*, reachable = true, rows = 100_000, best_moves = true, memory = None, progress = None))]
    fn table(
        slf: &Bound<'_, Self>,
        reachable: bool,
        #[pyo3(from_py_with = whole)] rows: usize,
        best_moves: bool,
        #[pyo3(from_py_with = bytes_or_none)] memory: Option<u64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        Table::new(slf, (reachable, rows, best_moves), memory, progress)
    }

    /// Iterates over the positions of the solution one by one, in the order of `table`.
    ///
    /// >>> import nerode
    /// >>> solution = nerode.open("nim:1x2").solve()
    /// >>> sorted(str(position) for position in solution.positions())
    /// ['0 P1', '0 P2', '1 P2', '2 P1']
    #[pyo3(signature = (*, reachable = true))]
    fn positions<'py>(slf: &Bound<'py, Self>, reachable: bool) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("nerode._frames")?.call_method1("positions", (slf, reachable))
    }

    /// The method by which positions were decided, `retrograde` or `meet`, or None if it is not recorded.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("meet").method
    /// 'meet'
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.get(py)?.method().map(|method| method.to_string()))
    }

    /// Draws `n` positions from those that the solution covers, uniformly and independently. Equal seeds give equal positions.
    ///
    /// `covers` states which these are. If it covers all boards, most of the drawn positions cannot occur in play: `any=True`
    /// queries them, `legal=True` draws only positions that the rules do not exclude, and `reachable=True` only those that play
    /// from the start reaches, which takes a forward search. `value` restricts the sample to `win`, `draw` or `loss` for the side
    /// to move. If legal positions are rare, some come from random games, so that early positions are more frequent than they are in a
    /// uniform sample, or the result is shorter. Positions in which the game is over are included; their `outcome` is not None.
    ///
    /// >>> import nerode
    /// >>> solution = nerode.open("tictactoe:3x3").solve()
    /// >>> {solution.value(position) for position in solution.sample(20, reachable=True, value="win")}
    /// {'win'}
    #[pyo3(signature = (n, seed = 0, *, legal = false, reachable = false, value = None))]
    fn sample(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
        legal: bool,
        reachable: bool,
        value: Option<&str>,
    ) -> PyResult<Vec<Position>> {
        let solution = self.get(py)?;
        let found = self.draw(py, (n, seed), (legal, reachable), value)?;
        let game = self.handle(&solution);
        Ok(found.into_iter().map(|inner| Position { inner, game: game.clone() }).collect())
    }

    /// Draws positions like `sample`, but returns two arrays that `query_many` accepts: the boards, one in each row, and the sides,
    /// 0 for P1 and 1 for P2.
    ///
    /// >>> import nerode
    /// >>> boards, sides = nerode.open("nim:2x3").solve().sample_boards(5, seed=1)
    /// >>> len(boards), len(sides)
    /// (5, 5)
    #[pyo3(signature = (n, seed = 0, *, legal = false, reachable = false, value = None))]
    fn sample_boards<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
        legal: bool,
        reachable: bool,
        value: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.draw(py, (n, seed), (legal, reachable), value)?;
        many::boards(py, self.get(py)?.game(), &found)
    }

    /// Returns the number of positions with `side` to move and the given value. None counts unknown values.
    ///
    /// Counts the positions that the solution covers: all boards, or the reached positions once for every ply at which they occur.
    /// With `reachable`, counts the distinct positions that play from the start reaches. For a solution that covers all boards, this
    /// takes a forward search, which suits small games. Ctrl-C interrupts it.
    ///
    /// >>> import nerode
    /// >>> solution = nerode.open("tictactoe:3x3").solve("retrograde")
    /// >>> solution.count("P1", "draw"), solution.count("P1", "draw", reachable=True)
    /// (1388, 441)
    #[pyo3(signature = (side, value, *, reachable = false))]
    fn count(&self, py: Python<'_>, side: &str, value: Option<&str>, reachable: bool) -> PyResult<u128> {
        let (side, value) = (side_named(py, side)?, value.map(value_named).transpose()?);
        let solution = self.get(py)?;
        let work = |stop, _: Sender<()>| {
            // A list contains each position once.
            if !reachable || solution.listed(0, 0)?.is_some() {
                return solution.count(side, value);
            }
            let options = nerode::Options::default().interrupt(stop);
            solution.reached_sets(options.resources())?.count(side, value)
        };
        watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))
    }

    /// Returns the sets of the solution as columns: `name`, `kind`, `side` to move, `ply`, `num_states` and `num_positions`. The result
    /// is a dictionary with the methods `to_pandas`, `to_polars` and `to_arrow`. `set` explains the kinds.
    ///
    /// >>> import nerode
    /// >>> stats = nerode.open("nim:1x3").solve("retrograde").stats()
    /// >>> stats["name"][:2], stats["num_positions"][:2]
    /// (['D-P1-001', 'D-P2-001'], [0, 0])
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let solution = self.get(py)?;
        let sets = solution.sets();
        let columns = PyDict::new(py);
        columns.set_item("name", sets.iter().map(nerode::PositionSet::name).collect::<Vec<_>>())?;
        columns.set_item("kind", sets.iter().map(|set| format!("{:?}", set.kind())).collect::<Vec<_>>())?;
        columns.set_item("side", sets.iter().map(|set| set.side().to_string()).collect::<Vec<_>>())?;
        columns.set_item("ply", sets.iter().map(nerode::PositionSet::ply).collect::<Vec<_>>())?;
        columns
            .set_item("num_states", sets.iter().map(nerode::PositionSet::num_states).collect::<Vec<_>>())?;
        let positions = sets.iter().map(nerode::PositionSet::num_positions).collect::<Vec<_>>();
        columns.set_item("num_positions", positions)?;
        columns_of(columns)
    }

    /// Returns a set of the solution: by its name, such as `W-P1-003`, or by its kind, its ply and its side to move. A negative ply
    /// counts from the last one.
    ///
    /// | kind | positions with the side to move |
    /// |---|---|
    /// | `W`, `L` | won or lost within that many plies, among all boards |
    /// | `D`, `U` | drawn, or undecided within the plies searched, among all boards; for the last ply only |
    /// | `R` | reached from the start after that many plies, in a solution by `meet` |
    /// | `RW`, `RL`, `RD`, `RU` | won, lost, drawn or undecided among those |
    ///
    /// >>> import nerode
    /// >>> solution = nerode.open("breakthrough:3x4").solve("retrograde")
    /// >>> solution.set("W", 3, "P1") == solution.set("W-P1-003")
    /// True
    #[pyo3(signature = (name, ply = None, side = "P1"))]
    fn set(&self, py: Python<'_>, name: &str, ply: Option<i64>, side: &str) -> PyResult<Dfa> {
        let solution = self.get(py)?;
        let (sets, side) = (solution.sets(), side_named(py, side)?);
        let wanted = |set: &&nerode::PositionSet<'_>| match ply {
            None => set.name() == name,
            Some(ply) => {
                let is_kind =
                    |set: &nerode::PositionSet<'_>| format!("{:?}", set.kind()) == name && set.side() == side;
                let last = sets.iter().filter(|set| is_kind(set)).map(|set| i64::from(set.ply())).max();
                let ply = if ply < 0 { last.map_or(ply, |last| last + 1 + ply) } else { ply };
                is_kind(set) && i64::from(set.ply()) == ply
            }
        };
        let Some(set) = sets.iter().find(wanted) else {
            let what = ply.map_or_else(
                || format!("'{name}'"),
                |ply| format!("'{name}' of ply {ply} with {side} to move"),
            );
            let mut kinds: Vec<String> = sets.iter().map(|set| format!("{:?}", set.kind())).collect();
            kinds.dedup();
            kinds.sort_unstable();
            kinds.dedup();
            let text = format!(
                "set {what} does not exist; stats() lists the available sets, which are of the kinds {}",
                kinds.join(", ")
            );
            return Err(named(py, "NoSuchSet", text));
        };
        let inner = detached(py, || set.dfa().cloned())?.map_err(|error| raised(py, error))?;
        let shape = Game::shape_of(py, solution.game())?;
        Ok(Dfa { inner, shape })
    }

    /// Writes the values of all covered positions in a form for quick look-ups, and returns the number of bytes. By default, they are
    /// written to the folder `values` in the directory of the solution, where queries use them once the solution is opened again.
    ///
    /// `depths` adds the depths of a retrograde solution; others have none. `overwrite` replaces earlier values. `memory` is a cap in
    /// bytes, or as a text such as `"4GiB"`, for the growth of this process. `progress` is True for a progress bar, or a function that
    /// is called with a `StepDone` after every side or ply; an exception in the function stops the work, and so does Ctrl-C.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("retrograde").pack() > 0
    /// True
    #[pyo3(signature = (path = None, *, depths = true, overwrite = false, memory = None, progress = None))]
    #[allow(clippy::too_many_arguments, reason = "these are keyword arguments in Python")]
    fn pack(
        &self,
        py: Python<'_>,
        path: Option<PathBuf>,
        depths: bool,
        overwrite: bool,
        #[pyo3(from_py_with = bytes_or_none)] memory: Option<u64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let solution = self.get(py)?;
        let path = path.unwrap_or_else(|| self.path.join("values"));
        let step = if solution.method() == Some(Method::Meet) { "ply" } else { "side" };
        let listener = Listener::new(py, progress, &solution.game().spec())?;
        let work = |stop, sender: Sender<(u32, u32)>| {
            let mut tell = |done, of| {
                if done > 0 {
                    // The receiver is gone once the work is being stopped.
                    let _ = sender.send((done, of));
                }
            };
            nerode::pack(&**solution, &path, depths, overwrite, &options(memory, stop), &mut tell)
        };
        listener.during(py, work, |(done, of)| listener.tell(py, "StepDone", (step, done, of)))
    }

    /// Measures the values of the solution in several forms, and returns the columns `form`, `bytes`, `positions_per_byte`,
    /// `lookup_ns`, `build_seconds` and `note`, like `stats`. The forms are `automata`, `value-automaton`, `2-bit`, `1-byte`,
    /// `run-length` and `zstd`. `note` says why a form was not measured. `memory` is a cap in bytes, or as a text such as `"4GiB"`, for
    /// the growth of this process. `progress` is True for a progress bar, or a function that is called with a `StepDone` after every
    /// form; an exception in the function stops the work, and so does Ctrl-C.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("retrograde").compare(["2-bit", "1-byte"])["bytes"]
    /// [8, 32]
    #[pyo3(signature = (forms = None, *, memory = None, progress = None))]
    fn compare<'py>(
        &self,
        py: Python<'py>,
        forms: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = bytes_or_none)] memory: Option<u64>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let solution = self.get(py)?;
        let all = || Form::ALL.into_iter().filter(|&form| form != Form::Bdd);
        let forms: Vec<Form> = match forms {
            None => all().collect(),
            Some(given) => {
                let names = texts_of("forms", "names of forms", given)?;
                let known: Vec<(&str, Form)> = all().map(|form| (form.name(), form)).collect();
                names.iter().map(|name| one_of("form", name, &known)).collect::<PyResult<_>>()?
            }
        };
        let listener = Listener::new(py, progress, &solution.game().spec())?;
        let work = |stop, sender: Sender<(String, usize)>| {
            let mut rows = Vec::new();
            let mut tell = |row: nerode::Row| {
                // The receiver is gone once the work is being stopped.
                let _ = sender.send((row.form.clone(), rows.len() + 1));
                rows.push(row);
            };
            nerode::compare(&**solution, &forms, &options(memory, stop), &mut tell).map(|()| rows)
        };
        let rows = listener
            .during(py, work, |(form, done)| listener.tell(py, "StepDone", (form, done, forms.len())))?;
        let columns = PyDict::new(py);
        columns.set_item("form", rows.iter().map(|row| row.form.as_str()).collect::<Vec<_>>())?;
        columns.set_item("bytes", rows.iter().map(|row| row.bytes).collect::<Vec<_>>())?;
        let ratios = rows.iter().map(|row| row.positions_per_byte).collect::<Vec<_>>();
        columns.set_item("positions_per_byte", ratios)?;
        columns.set_item("lookup_ns", rows.iter().map(|row| row.lookup_ns).collect::<Vec<_>>())?;
        columns.set_item("build_seconds", rows.iter().map(|row| row.build_seconds).collect::<Vec<_>>())?;
        columns.set_item("note", rows.iter().map(|row| row.note.as_str()).collect::<Vec<_>>())?;
        columns_of(columns)
    }

    /// Draws the number of positions or, with `states`, the states of every kind of set by ply, for both sides, on `axes` of
    /// matplotlib or on new ones, which are returned.
    ///
    /// >>> import nerode
    /// >>> axes = nerode.open("breakthrough:3x4").solve().plot()  # doctest: +SKIP
    #[pyo3(signature = (axes = None, *, states = false))]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        axes: Option<Bound<'py, PyAny>>,
        states: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("nerode._frames")?.call_method1("plot", (slf, axes, states))
    }

    /// Checks every set against the rules, one ply at a time. Returns the number of checked positions, the number of wrong ones,
    /// and a description of the first error. Ctrl-C interrupts the check.
    ///
    /// >>> import nerode
    /// >>> nerode.open("nim:2x3").solve("retrograde").verify()[1:]
    /// (0, None)
    fn verify(&self, py: Python<'_>) -> PyResult<(u128, u128, Option<String>)> {
        let solution = self.get(py)?;
        let work =
            |stop, _: Sender<()>| solution.verify(nerode::Options::default().interrupt(stop).resources());
        let report = watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))?;
        Ok((report.checked, report.mismatches, report.first_mismatch))
    }

    /// Returns the names of the sectors of a morris game that the solution contains.
    ///
    /// >>> import nerode
    /// >>> nerode.open("morris:three").solve(sectors=["3-3-0-0"]).sectors()
    /// ['3-3-0-0']
    fn sectors(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.get(py)?.sectors().map_err(|error| raised(py, error))
    }

    /// Returns a sector of a morris game as arrays: the boards, one in each row, with their values and depths. P1 is to move, and
    /// only one of several symmetric positions is included.
    ///
    /// >>> import nerode
    /// >>> ending = nerode.open("morris:three").solve(sectors=["3-3-0-0"]).sector("3-3-0-0")
    /// >>> len(ending.boards) == len(ending.depth)
    /// True
    fn sector<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.sector_of(py, name, false)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let solution = self.get(py)?;
        let method = solution.method().map_or_else(String::new, |method| format!(" by {method}"));
        let state = if solution.is_complete() { "" } else { ", incomplete" };
        Ok(format!("<Solution of {}{method}: {}{state}>", solution.game().spec(), self.covers(py)?))
    }

    /// Draws the start position with the values of its moves, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.answer(py, None, true)?.svg())
    }
}
