//! Values of the positions of a game that is given as a graph.

use nerode::games::{CellChange, ExplicitGame, Move, Side, Value};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::errors::raised;
use crate::pool::watched;

/// The number of cells of a board: the digits of the number of a position to the base 256.
const DIGITS: usize = 4;

/// A game whose positions are numbered, with the start first. A board is the number of a position.
struct Graph {
    sides: Vec<Side>,
    /// The value of each position in which the game is over.
    ends: Vec<Option<Value>>,
    /// The index of the first move of each position in `next`, and the number of all moves.
    first: Vec<u32>,
    /// The positions after the moves.
    next: Vec<u32>,
}

fn number(board: &[u8]) -> usize {
    board.iter().rev().fold(0, |number, &digit| number << 8 | usize::from(digit))
}

fn board(number: u32) -> [u8; DIGITS] {
    number.to_le_bytes()
}

impl ExplicitGame for Graph {
    fn cell_states(&self) -> &[u16] {
        &[256; DIGITS]
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (board(0).to_vec(), self.sides.first().copied().unwrap_or(Side::P1))
    }

    /// Boards that are not the number of a position are draws.
    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let at = number(board);
        match self.sides.get(at) {
            Some(&known) if known == side => self.ends[at],
            _ => Some(Value::Draw),
        }
    }

    fn legal_moves(&self, before: &[u8], _side: Side, out: &mut Vec<Move>) {
        let at = number(before);
        let (Some(&from), Some(&to)) = (self.first.get(at), self.first.get(at + 1)) else { return };
        for &next in &self.next[from as usize..to as usize] {
            let digits = (0u16..).zip(before.iter().zip(board(next)));
            let changed = digits.filter(|(_, (before, after))| **before != *after);
            out.push(changed.map(|(cell, (_, after))| CellChange { cell, after }).collect());
        }
    }
}

/// Reads the numbers of positions from bytes.
fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// Computes the value and the depth of every position of a graph from which play starts at position 0. `sides` contains 0 or 1,
/// and `ends` 1 for a win of the side to move, 0 for a draw, -1 for a loss, and any other number if the game goes on. The moves of
/// position `i` lead to `next[first[i]:first[i + 1]]`; both are 32-bit little-endian numbers. Every move passes the turn.
///
/// Returns values like those of `Answers.value`, and depths as 32-bit numbers, which are -1 where there are none.
#[pyfunction]
#[pyo3(name = "_solve_graph")]
pub fn solve_graph<'py>(
    py: Python<'py>,
    name: &str,
    sides: &[u8],
    ends: &[u8],
    first: &[u8],
    next: &[u8],
) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
    let side = |&number: &u8| Side::BOTH.get(usize::from(number)).copied();
    let sides: Option<Vec<Side>> = sides.iter().map(side).collect();
    let value = |&code: &u8| match code as i8 {
        1 => Some(Value::Win),
        0 => Some(Value::Draw),
        -1 => Some(Value::Loss),
        _ => None,
    };
    let (first, next) = (numbers(first), numbers(next));
    let graph =
        Graph { sides: sides.unwrap_or_default(), ends: ends.iter().map(value).collect(), first, next };
    let count = graph.sides.len();
    let is_ordered =
        graph.first.is_sorted() && graph.first.last().copied() == u32::try_from(graph.next.len()).ok();
    let passes_turn = |at: usize| {
        let moves = &graph.next[graph.first[at] as usize..graph.first[at + 1] as usize];
        moves.iter().all(|&next| graph.sides.get(next as usize) == Some(&graph.sides[at].other()))
    };
    let is_whole = graph.ends.len() == count && graph.first.len() == count + 1 && is_ordered;
    if count == 0 || !is_whole || !(0..count).all(passes_turn) {
        return Err(PyValueError::new_err("the graph is inconsistent"));
    }
    let work = |stop, _: std::sync::mpsc::Sender<()>| {
        nerode::solve_explicit(&graph, name, &nerode::Options::default().interrupt(stop))
    };
    let solved = watched(py, work, |()| Ok(()))?.map_err(|error| raised(py, error))?;
    let (mut values, mut depths) = (Vec::with_capacity(count), Vec::with_capacity(4 * count));
    for (at, &side) in (0u32..).zip(&graph.sides) {
        let found = solved.get(&board(at), side);
        let code: i8 = match found.and_then(|found| found.value()) {
            Some(Value::Win) => 1,
            Some(Value::Draw) => 0,
            Some(Value::Loss) => -1,
            None => -3,
        };
        let depth = found.and_then(|found| found.depth()).and_then(|depth| i32::try_from(depth).ok());
        values.push(code as u8);
        depths.extend(depth.unwrap_or(-1).to_ne_bytes());
    }
    Ok((PyByteArray::new(py, &values), PyByteArray::new(py, &depths)))
}
