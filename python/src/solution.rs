//! `nerode.Solution`: a solved game in a directory.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use nerode::games;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::Reduced;
use crate::answer::{Answer, Reply, replies, text_of};
use crate::dfa::Dfa;
use crate::errors::{named, raised};
use crate::game::Game;
use crate::many::{self, Sides};
use crate::own::make::value_named;
use crate::place::Place;
use crate::pool::{detached, watched};
use crate::position::{Position, must_be_legal, position_of, side_named};
use crate::whole::whole;

/// A solved game, which several threads may query at the same time.
///
/// Its files are in a directory and are read when they are needed. A forked process opens them again. A solution is pickled by its
/// path.
///
/// >>> import nerode
/// >>> solution = nerode.open("tictactoe:3x3").solve()
/// >>> solution.value(), solution.value("XX./OO./... X"), solution.moves("XX./OO./... X")[0]
/// ('draw', 'win', <c3: win in 1>)
#[pyclass(frozen, module = "nerode")]
pub struct Solution {
    /// The solution with the process that opened it. The lock is held only briefly, together with the interpreter's lock.
    opened: Mutex<(u32, Arc<nerode::Solution>)>,
    game: Py<Game>,
    place: Place,
}

impl Solution {
    pub fn new(game: &Bound<'_, Game>, solution: Arc<nerode::Solution>, place: Place) -> Self {
        Self { opened: Mutex::new((std::process::id(), solution)), game: game.clone().unbind(), place }
    }

    /// Returns the library's solution, opened by this process.
    pub fn get(&self, py: Python<'_>) -> PyResult<Arc<nerode::Solution>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if opened.0 != std::process::id() {
            let again = read(py, self.place.path(), self.game.get())?;
            std::mem::forget(std::mem::replace(&mut *opened, (std::process::id(), Arc::new(again))));
        }
        Ok(Arc::clone(&opened.1))
    }

    /// Returns a position of the solution's game. Without `any`, raises an exception if the rules exclude it.
    fn position_of(
        &self,
        py: Python<'_>,
        solution: &nerode::Solution,
        given: Option<&Bound<'_, PyAny>>,
        any: bool,
    ) -> PyResult<(Arc<dyn games::Game>, games::Position)> {
        let game = Arc::clone(solution.shared_game());
        let position = position_of(&game, given)?;
        if !any {
            must_be_legal(py, game.as_ref(), &position)?;
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
            if reachable {
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
        Ok(Answer { inner, game })
    }
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
    /// passed as `game`.
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
        Ok(Self::new(&game, Arc::new(solution), Place::Kept(path)))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (PathBuf, Option<Py<Game>>)> {
        let Place::Kept(path) = &self.place else {
            let text = "a solution in a temporary directory cannot be pickled; solve with path=...";
            return Err(named(py, "DirectoryError", text));
        };
        let path = std::path::absolute(path).map_err(|error| named(py, "FileError", error.to_string()))?;
        let game = self.game.get().is_own().then(|| self.game.clone_ref(py));
        Ok((py.get_type::<Self>().getattr("open")?, (path, game)))
    }

    /// The solved game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The letter order of the solution's sets.
    #[getter]
    fn order(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.get(py)?.game().order().to_string())
    }

    /// The directory.
    #[getter]
    fn path(&self) -> PathBuf {
        self.place.path().to_path_buf()
    }

    /// True if every position that the solution covers has a proved value.
    #[getter]
    fn is_complete(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.get(py)?.is_complete())
    }

    /// The positions that the solution covers: `all-boards`, `reached-positions`, `care-set` or `sectors`.
    #[getter]
    fn covers(&self, py: Python<'_>) -> PyResult<String> {
        Ok(name_of(serde_json::to_value(self.get(py)?.coverage())))
    }

    /// Where the depths come from: `stored`, `partial`, `search`, `bounds` or `absent`. A depth that is not found by search in time is
    /// bounded from above.
    #[getter]
    fn depths(&self, py: Python<'_>) -> PyResult<String> {
        Ok(name_of(serde_json::to_value(self.get(py)?.depth_source())))
    }

    /// Returns the value and depth of a position and of each of its moves. The default is the start position. A position that the
    /// rules exclude, such as one with a floating stone, is answered only with `any`.
    #[pyo3(signature = (position = None, *, any = false))]
    fn query(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Answer> {
        self.answer(py, position, any)
    }

    /// Returns `win`, `draw` or `loss` for the side to move, or None if the value is unknown.
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
    #[pyo3(signature = (position = None, *, any = false))]
    fn moves(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Vec<Reply>> {
        let answer = self.answer(py, position, any)?;
        Ok(replies(answer.inner.moves(), &answer.game))
    }

    /// Returns the principal variation from a position, up to the end of the game.
    #[pyo3(signature = (position = None, *, any = false))]
    fn line(&self, py: Python<'_>, position: Option<&Bound<'_, PyAny>>, any: bool) -> PyResult<Vec<Reply>> {
        let solution = self.get(py)?;
        let (game, position) = self.position_of(py, &solution, position, any)?;
        let line = detached(py, || solution.best_line(&position))?.map_err(|error| raised(py, error))?;
        Ok(replies(&line, &game))
    }

    /// Returns the values and depths of many positions as arrays, using all cores. `positions` are texts and positions, or a NumPy
    /// array of bytes with one board in each row. For an array, `side` is the side to move: `P1`, `P2`, or an array with 0 for P1
    /// and 1 for P2. Without `any`, raises an exception if the rules exclude one of the positions.
    #[pyo3(signature = (positions, side = None, *, any = false))]
    fn query_many<'py>(
        &self,
        positions: &Bound<'py, PyAny>,
        side: Option<&Bound<'py, PyAny>>,
        any: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        many::query(self.get(positions.py())?.as_ref(), positions, &Sides(side), any)
    }

    /// The method by which positions were decided, `retrograde` or `meet`, or None if it is not recorded.
    #[getter]
    fn method(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.get(py)?.method().map(|method| method.to_string()))
    }

    /// Draws `n` positions uniformly from those that the solution covers. Equal seeds give equal positions.
    ///
    /// `covers` states which these are. If it covers all boards, most of the drawn positions cannot occur in play: `any=True`
    /// queries them, `legal=True` draws only positions that the rules do not exclude, and `reachable=True` only those that play
    /// from the start reaches, which takes a forward search. `value` restricts the sample to `win`, `draw` or `loss` for the side
    /// to move. If legal positions are rare, some come from random games, or the result is shorter.
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
        let game = Arc::clone(solution.shared_game());
        Ok(found.into_iter().map(|inner| Position { inner, game: Arc::clone(&game) }).collect())
    }

    /// Draws positions like `sample`, but returns two arrays that `query_many` accepts: the boards, one in each row, and the sides,
    /// 0 for P1 and 1 for P2.
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
    #[pyo3(signature = (side, value, *, reachable = false))]
    fn count(&self, py: Python<'_>, side: &str, value: Option<&str>, reachable: bool) -> PyResult<u128> {
        let (side, value) = (side_named(py, side)?, value.map(value_named).transpose()?);
        let solution = self.get(py)?;
        if !reachable {
            return solution.count(side, value).map_err(|error| raised(py, error));
        }
        let work = |stop, _: Sender<()>| {
            let options = nerode::Options::default().interrupt(stop);
            solution.reached_sets(options.resources())?.count(side, value)
        };
        watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))
    }

    /// Returns the sets of the solution as columns: name, kind, side, ply, states and positions.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
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
        Ok(columns)
    }

    /// Returns the set with the given name, such as `W-P1-003`.
    fn set(&self, py: Python<'_>, name: &str) -> PyResult<Dfa> {
        let solution = self.get(py)?;
        let sets = solution.sets();
        let Some(set) = sets.iter().find(|set| set.name() == name) else {
            return Err(named(
                py,
                "NoSuchSet",
                format!("there is no set '{name}'; stats() lists the available sets"),
            ));
        };
        let inner = detached(py, || set.dfa().cloned())?.map_err(|error| raised(py, error))?;
        let shape = Game::shape_of(py, solution.game())?;
        Ok(Dfa { inner, shape })
    }

    /// Checks every set against the rules, one ply at a time. Returns the number of checked positions, the number of wrong ones,
    /// and a description of the first error. Ctrl-C interrupts the check.
    fn verify(&self, py: Python<'_>) -> PyResult<(u128, u128, Option<String>)> {
        let solution = self.get(py)?;
        let work =
            |stop, _: Sender<()>| solution.verify(nerode::Options::default().interrupt(stop).resources());
        let report = watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))?;
        Ok((report.checked, report.mismatches, report.first_mismatch))
    }

    /// Returns the names of the sectors of a morris game that the solution contains.
    fn sectors(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.get(py)?.sectors().map_err(|error| raised(py, error))
    }

    /// Returns a sector of a morris game as arrays: the boards, one in each row, with their values and depths. P1 is to move, and
    /// only one of several symmetric positions is included.
    fn sector<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let solution = self.get(py)?;
        let found = detached(py, || {
            let sector = nerode::Sector::open(&**solution, name)?;
            Ok(sector.positions().unzip())
        })?;
        let (positions, found): (Vec<games::Position>, Vec<nerode::Evaluation>) =
            found.map_err(|error| match error {
                nerode::Error::Mismatch { .. } => named(py, "NoSuchSector", error.to_string()),
                error => raised(py, error),
            })?;
        let boards = many::boards(py, solution.game(), &positions)?;
        many::answers(py, &found, Some(boards))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let solution = self.get(py)?;
        let state = if solution.is_complete() { "" } else { ", incomplete" };
        Ok(format!("<Solution of {}{state}>", solution.game().spec()))
    }

    /// Draws the start position with the values of its moves, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let answer = self.answer(py, None, true)?;
        let caption = format!(
            "{} to move: {}",
            answer.inner.position().side,
            text_of(answer.inner.value()).unwrap_or_default()
        );
        Ok(nerode::picture(answer.game.as_ref(), answer.inner.position(), &caption, Some(&answer.inner)))
    }
}
