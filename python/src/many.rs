//! Queries of many positions at once, with arrays as input and output.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use nerode::{Evaluation, Position, RankedDraw, Side, Solution, Value, games};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use rayon::prelude::*;

use crate::errors::raised;
use crate::pool::{detached, watched};
use crate::position::{fits, must_be_legal, must_fit, position_of, side_named};

/// The number of positions that are looked up between two checks for Ctrl-C.
const AT_ONCE: usize = 1 << 15;
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

/// Returns the evaluation of each position as `nerode.Answers`. Unless `any` is set, a position that cannot occur in
/// play raises an exception.
pub fn query<'py>(
    solution: &Solution,
    given: &Bound<'py, PyAny>,
    sides: &Sides<'_, '_>,
    any: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    let game = Arc::clone(solution.shared_game());
    if !given.hasattr("__array_interface__")? {
        let positions = given.try_iter()?.map(|position| position_of(&game, Some(&position?)));
        let positions = positions.collect::<PyResult<Vec<Position>>>()?;
        return look_up(py, solution, any, positions.len(), |rows| positions[rows].to_vec());
    }
    let states = game.cell_states();
    let cells = states.len().max(1);
    let bytes = py.import("nerode._answers")?.call_method1("board_bytes", (given, states.len()))?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    let sides = sides.of(py, bytes.len() / cells)?;
    let wrong = detached(py, || bytes.par_chunks(cells).find_any(|board| !fits(states, board)))?;
    wrong.map_or(Ok(()), |board| must_fit(py, game.as_ref(), board))?;
    let position = |row: usize| {
        let board = bytes[row * cells..(row + 1) * cells].to_vec();
        Position { board, side: sides[row] }
    };
    look_up(py, solution, any, sides.len(), |rows| rows.into_par_iter().map(position).collect())
}

/// Looks up `count` positions in batches, which `positions` returns by range, and regularly checks for Ctrl-C. Unless
/// `any` is set, the first position that cannot occur in play raises an exception.
fn look_up<'py>(
    py: Python<'py>,
    solution: &Solution,
    any: bool,
    count: usize,
    positions: impl Fn(Range<usize>) -> Vec<Position> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let game = solution.game();
    let is_excluded =
        |position: &Position| !any && game.why_illegal(&position.board, position.side).is_some();
    let work = |stop: Arc<AtomicBool>, _: Sender<()>| {
        let mut found = Vec::with_capacity(count);
        for start in (0..count).step_by(AT_ONCE) {
            if stop.load(Ordering::Relaxed) {
                return Err(nerode::Error::Interrupted);
            }
            let batch = positions(start..count.min(start + AT_ONCE));
            if let Some(position) = batch.par_iter().find_first(|position| is_excluded(position)) {
                return Ok((found, Some(position.clone())));
            }
            found.append(&mut solution.query_many(&batch)?);
        }
        Ok((found, None))
    };
    let (found, excluded) = watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))?;
    excluded.map_or(Ok(()), |position| must_be_legal(py, game, &position))?;
    answers(py, &found, None)
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

/// Returns the results as arrays, together with the boards if they are given.
pub fn answers<'py>(
    py: Python<'py>,
    found: &[Evaluation],
    boards: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
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
    let parts = (array(&values), array(&depths), columns, boards);
    py.import("nerode._answers")?.getattr("Answers")?.call1(parts)
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
    let cells = game.cell_states().len();
    let boards: Vec<u8> = positions.iter().flat_map(|position| &position.board).copied().collect();
    let sides: Vec<u8> = positions.iter().map(|position| position.side.index() as u8).collect();
    let parts = (PyByteArray::new(py, &boards), PyByteArray::new(py, &sides), cells);
    py.import("nerode._answers")?.call_method1("boards", parts)
}
