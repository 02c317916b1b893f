//! The positions of a solution as chunks of arrays.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use nerode::dfa::{Dfa, Words};
use nerode::{Coverage, Position, Side, Value, games};
use pyo3::prelude::*;

use crate::best::BestMoves;
use crate::errors::raised;
use crate::many::{Ask, Found, answers, boards};
use crate::pool::watched;
use crate::solution::Solution;

/// An iterator over the positions of a solution in chunks.
#[pyclass(module = "nerode._nerode")]
pub struct Table {
    solution: Py<Solution>,
    parts: std::vec::IntoIter<(Side, Dfa)>,
    current: Option<(Side, Words)>,
    sectors: std::vec::IntoIter<String>,
    rows: usize,
    best_moves: bool,
}

impl Table {
    pub fn new(
        solution: &Bound<'_, Solution>,
        reachable: bool,
        rows: usize,
        best_moves: bool,
    ) -> PyResult<Self> {
        let py = solution.py();
        let opened = solution.get().get(py)?;
        let sectors = opened.sectors().map_err(|error| raised(py, error))?;
        let parts = match sectors.is_empty() {
            true => parts(py, &opened, reachable)?,
            false => Vec::new(),
        };
        Ok(Self {
            solution: solution.clone().unbind(),
            parts: parts.into_iter(),
            current: None,
            sectors: sectors.into_iter(),
            rows: rows.max(1),
            best_moves,
        })
    }

    /// Returns the next positions, at most as many as fit into a chunk.
    fn next_positions(&mut self, game: &dyn games::Game) -> Vec<Position> {
        let mut positions = Vec::new();
        while positions.len() < self.rows {
            let Some((side, words)) = &mut self.current else {
                let Some((side, set)) = self.parts.next() else { break };
                self.current = Some((side, set.words()));
                continue;
            };
            match words.next() {
                Some(word) => positions.push(Position { board: game.board_of(&word), side: *side }),
                None => self.current = None,
            }
        }
        positions
    }
}

/// Returns the sets of the positions that a run covers, or of those that play reaches, by side to move.
fn parts(py: Python<'_>, solution: &nerode::Solution, reachable: bool) -> PyResult<Vec<(Side, Dfa)>> {
    let work = |stop, _: Sender<()>| {
        solution.run()?;
        if !reachable && solution.coverage() == Coverage::AllBoards {
            return Ok(Side::BOTH.map(|side| (side, Dfa::full(solution.game().shape()))).into());
        }
        let options = nerode::Options::default().interrupt(stop);
        let sets = solution.reached_sets(options.resources())?;
        let mut parts = Vec::new();
        for part in sets.parts() {
            for value in [Some(Value::Win), Some(Value::Draw), Some(Value::Loss), None] {
                parts.push((part.side, part.with_value(value).clone()));
            }
        }
        Ok(parts)
    };
    watched(py, work, |()| Ok(()))?.map_err(|error: nerode::Error| raised(py, error))
}

#[pymethods]
impl Table {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let solution = self.solution.clone_ref(py).into_bound(py);
        if let Some(name) = self.sectors.next() {
            return solution.get().sector_of(py, &name, self.best_moves).map(Some);
        }
        let opened = solution.get().get(py)?;
        let game = Arc::clone(opened.shared_game());
        let (wants_moves, this) = (self.best_moves, &mut *self);
        let work = |_, _: Sender<()>| {
            let positions = this.next_positions(game.as_ref());
            let found = Found::of(&BestMoves::new(&opened), wants_moves, &positions)?;
            Ok((positions, found))
        };
        let (positions, found) =
            watched(py, work, |()| Ok(()))?.map_err(|error: nerode::Error| raised(py, error))?;
        if positions.is_empty() {
            return Ok(None);
        }
        let python_game = solution.get().python_game(py);
        let ask = Ask { solution: &opened, game: &python_game, any: true, best_moves: wants_moves };
        answers(ask, found, boards(py, game.as_ref(), &positions)?).map(Some)
    }
}
