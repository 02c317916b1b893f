//! The positions of a solution as chunks of arrays.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

use nerode::dfa::{Dfa, Words};
use nerode::{Coverage, Position, ReachedPlies, ReachedPly, Resources, Side};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::best::BestMoves;
use crate::errors::raised;
use crate::many::{AT_ONCE, Ask, Found, answers, boards};
use crate::pool::watched_with;
use crate::progress::{Listener, options};
use crate::solution::Solution;

/// An iterator over the positions of a solution in chunks.
#[pyclass(module = "nerode._nerode")]
pub struct Table {
    solution: Py<Solution>,
    parts: Parts,
    current: Option<(Side, Words)>,
    sectors: std::vec::IntoIter<String>,
    rows: usize,
    best_moves: bool,
    memory: Option<u64>,
    listener: Listener,
    /// Stops the work on a chunk.
    stop: Arc<AtomicBool>,
    /// `true` after an error within a chunk, whose positions are lost.
    is_broken: bool,
}

/// The sets of positions that are listed one after the other.
enum Parts {
    /// The number of positions that the list of the solution has returned.
    Listed(u64),
    Known(std::vec::IntoIter<(Side, Dfa)>),
    /// The lock only makes the search shareable between threads.
    Plies(Box<Mutex<ReachedPlies>>),
}

impl Table {
    /// Prepares the iteration. The options are those of `Solution.table` in Python.
    pub fn new(
        solution: &Bound<'_, Solution>,
        (reachable, rows, best_moves): (bool, usize, bool),
        memory: Option<u64>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = solution.py();
        let opened = solution.get().get(py)?;
        let sectors = opened.sectors().map_err(|error| raised(py, error))?;
        let stop = Arc::new(AtomicBool::new(false));
        let work = |_: Sender<()>| {
            let options = options(memory, Arc::clone(&stop));
            options.guarded(|| parts(&opened, reachable, options.resources()))
        };
        let parts = match sectors.is_empty() {
            true => watched_with(py, &stop, work, |()| Ok(()))?.map_err(|error| raised(py, error))?,
            false => Parts::Known(Vec::new().into_iter()),
        };
        Ok(Self {
            solution: solution.clone().unbind(),
            parts,
            current: None,
            sectors: sectors.into_iter(),
            rows: rows.max(1),
            best_moves,
            memory,
            listener: Listener::new(py, progress, &opened.game().spec())?,
            stop,
            is_broken: false,
        })
    }

    /// Returns the next set of positions, or `None` after the last one.
    fn next_part(
        &mut self,
        solution: &nerode::Solution,
        sender: &Sender<ReachedPly>,
    ) -> nerode::Result<Option<(Side, Dfa)>> {
        match &mut self.parts {
            Parts::Listed(_) => Ok(None),
            Parts::Known(parts) => Ok(parts.next()),
            Parts::Plies(plies) => {
                let plies = plies.get_mut().unwrap_or_else(PoisonError::into_inner);
                let next = plies.advance(&**solution)?;
                if let Some(ply) = &next {
                    // The receiver is gone once the work is being stopped.
                    let _ = sender.send(ply.clone());
                }
                if next.is_none() {
                    self.parts = Parts::Known(Vec::new().into_iter());
                }
                Ok(next.map(|ply| (ply.side, ply.set)))
            }
        }
    }

    /// Returns the next positions, at most `most`.
    fn next_positions(
        &mut self,
        solution: &nerode::Solution,
        most: usize,
        sender: &Sender<ReachedPly>,
    ) -> nerode::Result<Vec<Position>> {
        let mut positions = Vec::new();
        if let Parts::Listed(done) = &mut self.parts {
            positions = solution.listed(*done, most)?.unwrap_or_default();
            *done += positions.len() as u64;
            return Ok(positions);
        }
        while positions.len() < most {
            let Some((side, words)) = &mut self.current else {
                let Some((side, set)) = self.next_part(solution, sender)? else { break };
                self.current = Some((side, set.words()));
                continue;
            };
            match words.next() {
                Some(word) => {
                    positions.push(Position { board: solution.game().board_of(&word), side: *side });
                }
                None => self.current = None,
            }
        }
        Ok(positions)
    }

    /// Returns the positions of the next chunk with their evaluations.
    fn next_chunk(
        &mut self,
        solution: &nerode::Solution,
        resources: &Resources,
        sender: &Sender<ReachedPly>,
    ) -> nerode::Result<(Vec<Position>, Found)> {
        let best = BestMoves::new(solution);
        let (mut positions, mut found) = (Vec::new(), Found::empty(self.best_moves));
        loop {
            let most = AT_ONCE.min(self.rows - positions.len());
            let mut batch = self.next_positions(solution, most, sender)?;
            if batch.is_empty() {
                return Ok((positions, found));
            }
            resources.must_go_on()?;
            found.append(Found::of(&best, self.best_moves, &batch)?);
            positions.append(&mut batch);
        }
    }
}

/// Returns the sets of the positions that a run covers, or of those that play reaches. A list of positions has only these.
fn parts(solution: &nerode::Solution, reachable: bool, resources: &Resources) -> nerode::Result<Parts> {
    if solution.listed(0, 0)?.is_some() {
        return Ok(Parts::Listed(0));
    }
    solution.run()?;
    if !reachable && solution.coverage() == Coverage::AllBoards {
        let all = Side::BOTH.map(|side| (side, Dfa::full(solution.game().shape())));
        return Ok(Parts::Known(Vec::from(all).into_iter()));
    }
    Ok(Parts::Plies(Box::new(Mutex::new(solution.reached_plies(resources)?))))
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
        if self.is_broken {
            return Err(PyValueError::new_err("the iteration has ended with an error: call table again"));
        }
        let opened = solution.get().get(py)?;
        let (best_moves, memory, stop) = (self.best_moves, self.memory, Arc::clone(&self.stop));
        let listener = std::mem::take(&mut self.listener);
        let tell = |done: ReachedPly| {
            let positions = done.set.count().map_err(|error| raised(py, error))?;
            let parts = ("forward", done.ply, done.set.num_states(), positions, done.bytes);
            listener.tell(py, "PlyDone", parts)
        };
        let work = |sender: Sender<ReachedPly>| {
            let options = options(memory, Arc::clone(&stop));
            options.guarded(|| self.next_chunk(&opened, options.resources(), &sender))
        };
        let chunk =
            watched_with(py, &stop, work, tell).and_then(|done| done.map_err(|error| raised(py, error)));
        let is_over = chunk.as_ref().is_ok_and(|(positions, _)| positions.is_empty());
        if is_over || chunk.is_err() {
            listener.close(py)?;
        }
        self.listener = listener;
        self.is_broken = chunk.is_err();
        let (positions, found) = chunk?;
        if is_over {
            return Ok(None);
        }
        let python_game = solution.get().python_game(py);
        let ask = Ask { solution: &opened, game: &python_game, any: true, best_moves };
        answers(ask, found, boards(py, opened.game(), &positions)?).map(Some)
    }
}
