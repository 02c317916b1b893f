//! Queries of many positions at once, with arrays as input and output.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use nerode::{Evaluation, Position, RankedDraw, Side, Solution, Value, games};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use rayon::prelude::*;

use crate::best::BestMoves;
use crate::errors::raised;
use crate::game::Game;
use crate::pool::{detached, watched};
use crate::position::{fits, given_position, must_be_legal, must_fit, side_named};

/// The number of positions that are looked up between two checks for Ctrl-C.
pub const AT_ONCE: usize = 1 << 15;
/// The minimum number of positions for each thread.
const AT_LEAST: usize = 64;
/// The value that represents a missing number in arrays.
const NONE: i32 = i32::MIN;

/// The sides to move: none given, a single side, or one for each board.
pub struct Sides<'a, 'py>(pub Option<&'a Bound<'py, PyAny>>);

impl Sides<'_, '_> {
    fn of(&self, py: Python<'_>, boards: usize) -> PyResult<Vec<Side>> {
        let Some(given) = self.0.filter(|given| !given.is_none()) else {
            return Err(PyValueError::new_err(
                "boards need a side: 'P1', 'P2', or an array with 0 for P1 and 1 for P2",
            ));
        };
        if let Ok(name) = given.extract::<String>() {
            return Ok(vec![side_named(py, &name)?; boards]);
        }
        let numbers = py.import("nerode._answers")?.call_method1("side_bytes", (given,))?;
        let numbers = numbers.cast::<PyBytes>()?.as_bytes();
        if numbers.len() != boards {
            return Err(PyValueError::new_err(format!("{} sides, but {boards} boards", numbers.len())));
        }
        let side = |&number: &u8| Side::BOTH.get(usize::from(number)).copied();
        let sides: Option<Vec<Side>> = numbers.iter().map(side).collect();
        sides.ok_or_else(|| PyValueError::new_err("a side must be 0 for P1 or 1 for P2"))
    }
}

/// The solution that answers a batch, and what to determine for each position.
#[derive(Clone, Copy)]
pub struct Ask<'a, 'py> {
    pub solution: &'a Solution,
    /// The game as a Python object, for the texts of positions.
    pub game: &'a Bound<'py, Game>,
    /// If `false`, a position that cannot occur in play raises an exception.
    pub any: bool,
    /// If `true`, a best move is determined for each position.
    pub best_moves: bool,
}

/// The answers to a batch: evaluations, and the texts of best moves unless they were not asked for.
pub struct Found {
    evaluations: Vec<Evaluation>,
    best_moves: Option<Vec<String>>,
}

/// Returns an error like `error` that names the position in a list by its index.
fn at_index(py: Python<'_>, index: usize, error: &PyErr) -> PyErr {
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    PyErr::from_type(error.get_type(py), format!("positions[{index}]: {text}"))
}

/// Returns the evaluation of each position as `nerode.Answers`.
pub fn query<'py>(
    ask: Ask<'_, 'py>,
    given: &Bound<'py, PyAny>,
    sides: &Sides<'_, '_>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let game = Arc::clone(ask.solution.shared_game());
    if !given.hasattr("__array_interface__")? {
        if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
            let text =
                format!("{} is a single position: pass a list of positions, or use query", given.repr()?);
            return Err(PyTypeError::new_err(text));
        }
        let handle = ask.game.get().handle().in_order_of(&game);
        let read = |(index, position): (usize, PyResult<Bound<'py, PyAny>>)| {
            given_position(&handle, &position?).map_err(|error| at_index(py, index, &error))
        };
        let positions = given.try_iter()?.enumerate().map(read).collect::<PyResult<Vec<Position>>>()?;
        let found = look_up(py, ask, positions.len(), |rows| positions[rows].to_vec())?;
        return answers(ask, found, boards(py, &*game, &positions)?);
    }
    let states = game.cell_states();
    let cells = states.len().max(1);
    let bytes = py.import("nerode._answers")?.call_method1("board_bytes", (given, states.len()))?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    let sides = sides.of(py, bytes.len() / cells)?;
    let wrong =
        detached(py, || bytes.par_chunks(cells).enumerate().find_first(|(_, board)| !fits(states, board)))?;
    if let Some((index, board)) = wrong {
        must_fit(py, game.as_ref(), board).map_err(|error| at_index(py, index, &error))?;
    }
    let position = |row: usize| {
        let board = bytes[row * cells..(row + 1) * cells].to_vec();
        Position { board, side: sides[row] }
    };
    let found = look_up(py, ask, sides.len(), |rows| rows.into_par_iter().map(position).collect())?;
    let sides: Vec<u8> = sides.iter().map(|side| side.index() as u8).collect();
    answers(ask, found, boards_of(py, cells, bytes, &sides)?)
}

/// Looks up `count` positions in batches, which `positions` returns by range, and regularly checks for Ctrl-C.
fn look_up(
    py: Python<'_>,
    ask: Ask<'_, '_>,
    count: usize,
    positions: impl Fn(Range<usize>) -> Vec<Position> + Sync,
) -> PyResult<Found> {
    let (solution, any, wants_moves) = (ask.solution, ask.any, ask.best_moves);
    let game = solution.game();
    let is_excluded =
        |position: &Position| !any && game.why_illegal(&position.board, position.side).is_some();
    let work = |stop: Arc<AtomicBool>, _: Sender<()>| {
        let best = wants_moves.then(|| BestMoves::new(solution));
        let mut found = Found::empty(wants_moves);
        for start in (0..count).step_by(AT_ONCE) {
            if stop.load(Ordering::Relaxed) {
                return Err(nerode::Error::Interrupted);
            }
            let batch = positions(start..count.min(start + AT_ONCE));
            let excluded = batch.par_iter().enumerate().find_first(|(_, position)| is_excluded(position));
            if let Some((index, position)) = excluded {
                return Ok((found, Some((start + index, position.clone()))));
            }
            found.append(match &best {
                Some(best) => Found::of(best, true, &batch)?,
                None => Found::known(solution.query_many(&batch)?),
            });
        }
        Ok((found, None))
    };
    let (found, excluded) = watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))?;
    if let Some((index, position)) = excluded {
        must_be_legal(py, game, &position).map_err(|error| at_index(py, index, &error))?;
    }
    Ok(found)
}

impl Found {
    /// Returns the answers to no positions, with best moves if `wants_moves` is set.
    pub fn empty(wants_moves: bool) -> Self {
        Self { evaluations: Vec::new(), best_moves: wants_moves.then(Vec::new) }
    }

    /// Answers a batch of positions on the threads of the pool, and determines their best moves if `wants_moves` is set.
    pub fn of(best: &BestMoves<'_>, wants_moves: bool, batch: &[Position]) -> nerode::Result<Self> {
        let by_sets: Option<Vec<Evaluation>> =
            batch.par_iter().with_min_len(AT_LEAST).map(|position| best.evaluation(position)).collect();
        let evaluations = match by_sets {
            Some(evaluations) => evaluations,
            None => best.solution.query_many(batch)?,
        };
        let of = |(position, found): (&Position, &Evaluation)| best.best(position, found);
        let moves = || {
            batch.par_iter().zip(&evaluations).with_min_len(AT_LEAST).map(of).collect::<nerode::Result<_>>()
        };
        let best_moves = wants_moves.then(moves).transpose()?;
        Ok(Self { evaluations, best_moves })
    }

    /// Appends other answers.
    pub fn append(&mut self, mut other: Self) {
        self.evaluations.append(&mut other.evaluations);
        if let (Some(moves), Some(mut more)) = (&mut self.best_moves, other.best_moves) {
            moves.append(&mut more);
        }
    }

    /// Returns known evaluations without best moves.
    pub fn known(evaluations: Vec<Evaluation>) -> Self {
        Self { evaluations, best_moves: None }
    }
}

/// Returns the number that represents a value in arrays.
fn code_of(found: &Evaluation) -> i8 {
    match found.value() {
        Some(Value::Win) => 1,
        Some(Value::Draw) => 0,
        Some(Value::Loss) => -1,
        None if found.is_covered() => -2,
        None => -3,
    }
}

/// Returns the bytes of 32-bit numbers in the byte order of this machine.
fn words(numbers: impl Iterator<Item = i32>) -> Vec<u8> {
    numbers.flat_map(i32::to_ne_bytes).collect()
}

/// Returns the results as arrays, together with the boards and sides.
pub fn answers<'py>(
    ask: Ask<'_, 'py>,
    found: Found,
    boards: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = boards.py();
    let Found { evaluations: found, best_moves } = &found;
    let values: Vec<u8> = found.iter().map(|found| code_of(found) as u8).collect();
    let depth = |found: &Evaluation| found.depth().and_then(|depth| i32::try_from(depth).ok()).unwrap_or(-1);
    let depths = words(found.iter().map(depth));
    let has_scores = found.iter().any(|found| found.score().is_some());
    let has_ranks = found.iter().any(|found| found.draw().is_some());
    let draw = |part: fn(RankedDraw) -> Option<i32>| move |found: &Evaluation| found.draw().and_then(part);
    let columns = [
        has_scores.then(|| column(found, Evaluation::score)),
        has_ranks.then(|| column(found, draw(|draw| Some(draw.rank)))),
        has_ranks.then(|| column(found, draw(|draw| draw.distance))),
    ];
    let array = |bytes: &[u8]| PyByteArray::new(py, bytes);
    let columns = columns.map(|column| column.map(|bytes| array(&bytes)));
    let best_moves = best_moves.as_ref().map(|texts| {
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        (array(&padded(texts, width)), width)
    });
    let parts = (ask.game, array(&values), array(&depths), columns, boards, best_moves);
    py.import("nerode._answers")?.getattr("Answers")?.call1(parts)
}

/// Returns texts as characters of four bytes, `width` for each text, which is padded with zeros.
fn padded(texts: &[String], width: usize) -> Vec<u8> {
    let mut all = Vec::with_capacity(4 * width * texts.len());
    for text in texts {
        let end = all.len() + 4 * width;
        all.extend(text.chars().flat_map(|c| u32::from(c).to_ne_bytes()));
        all.resize(end, 0);
    }
    all
}

/// Returns a number for each position, or [`NONE`] where there is no number.
fn column(found: &[Evaluation], number: impl Fn(&Evaluation) -> Option<i32>) -> Vec<u8> {
    words(found.iter().map(|found| number(found).unwrap_or(NONE)))
}

/// Returns boards and sides as arrays.
pub fn boards<'py>(
    py: Python<'py>,
    game: &dyn games::Game,
    positions: &[Position],
) -> PyResult<Bound<'py, PyAny>> {
    let boards: Vec<u8> = positions.iter().flat_map(|position| &position.board).copied().collect();
    let sides: Vec<u8> = positions.iter().map(|position| position.side.index() as u8).collect();
    boards_of(py, game.cell_states().len(), &boards, &sides)
}

/// Returns boards of `cells` cells and sides as arrays.
fn boards_of<'py>(py: Python<'py>, cells: usize, boards: &[u8], sides: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let parts = (PyByteArray::new(py, boards), PyByteArray::new(py, sides), cells);
    py.import("nerode._answers")?.call_method1("boards", parts)
}
