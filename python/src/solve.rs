//! Solving with options.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use nerode::{Chains, Existing, Heuristic, Keep, Method, Options, PlyDone, UnitSolved};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::game::Game;
use crate::place::Place;
use crate::progress::Listener;
use crate::solution::Solution;

/// How a game is solved.
#[derive(Clone, Copy)]
enum Way {
    Sets(Method),
    Reached,
}

/// The arguments of a solve.
pub struct SolveRequest {
    method: Option<Way>,
    chains: Chains,
    keep: Keep,
    existing: Existing,
    memory: Option<u64>,
    threads: Option<usize>,
    place: Place,
    order: Option<String>,
    plies: Option<u32>,
}

/// Returns the meaning of a word that must be one of several.
pub fn one_of<T: Copy>(what: &str, given: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(name, _)| *name == given).map(|(_, value)| *value);
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    found.ok_or_else(|| {
        PyValueError::new_err(format!("unexpected {what} '{given}': use one of {}", names.join(", ")))
    })
}

/// Returns the maximum number of threads. Far more threads than cores would wait for each other for hours.
fn most_threads() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get).saturating_mul(4).max(16)
}

impl SolveRequest {
    /// Reads the arguments. The words are the method, the chains, the sets to keep, and the treatment of a directory that is not
    /// empty.
    pub fn new(
        py: Python<'_>,
        (method, chains, keep, existing): (Option<&str>, &str, &str, &str),
        memory: Option<u64>,
        threads: Option<usize>,
        path: Option<PathBuf>,
        order: Option<String>,
        plies: Option<u32>,
    ) -> PyResult<Self> {
        let methods = [
            ("retrograde", Way::Sets(Method::Retrograde)),
            ("meet", Way::Sets(Method::Meet)),
            ("reached", Way::Reached),
        ];
        let ways =
            [("refuse", Existing::Refuse), ("resume", Existing::Resume), ("overwrite", Existing::Overwrite)];
        Ok(Self {
            method: method.map(|name| one_of("method", name, &methods)).transpose()?,
            chains: one_of("chains", chains, &[("both", Chains::Both), ("one", Chains::One)])?,
            keep: one_of("keep", keep, &[("all", Keep::All), ("last", Keep::Last)])?,
            existing: one_of("existing", existing, &ways)?,
            memory,
            threads: threads.map(|threads| threads.min(most_threads())),
            place: Place::new(py, path)?,
            order,
            plies,
        })
    }

    fn options<'a>(&self) -> Options<'a> {
        let options = Options::default().directory(self.place.path()).existing(self.existing);
        let mut options = options.chains(self.chains).keep(self.keep);
        if let Some(bytes) = self.memory {
            options = options.memory_cap(bytes);
        }
        if let Some(threads) = self.threads {
            options = options.threads(threads);
        }
        if let Some(order) = &self.order {
            options = options.order(order);
        }
        if let Some(Way::Sets(method)) = self.method {
            options = options.method(method);
        }
        if let Some(plies) = self.plies {
            options = options.plies(plies);
        }
        options
    }
}

/// Solves the game with sets or, if the method says so, by its reached positions.
pub fn solve(
    game: &Bound<'_, Game>,
    request: SolveRequest,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Solution> {
    let solver = game.get().solver.clone();
    let py = game.py();
    let listener = Listener::new(py, progress, &solver.game().spec())?;
    let tell = |done: PlyDone| {
        listener.tell(py, "PlyDone", (done.phase, done.ply, done.states, done.positions, done.bytes))
    };
    let options = request.options();
    let is_reached = matches!(request.method, Some(Way::Reached));
    let work = |stop, sender: Sender<PlyDone>| {
        let watch = move |done: &PlyDone| {
            // The receiver is gone once the work is being stopped.
            let _ = sender.send(done.clone());
        };
        match is_reached {
            true => solver.solve_reached(options.interrupt(stop)),
            false => solver.solve(options.interrupt(stop).on_ply(watch)),
        }
    };
    let solution = listener.during(py, work, tell)?;
    Solution::new(game, Arc::new(solution), request.place)
}

/// Reads the option for ranking draws: no ranking, by ratios of wins for true, or by the named heuristic.
pub fn heuristic_of(ranked: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Heuristic>> {
    let Some(given) = ranked else { return Ok(None) };
    if let Ok(name) = given.cast::<PyString>() {
        let known = [("ratio", Heuristic::Ratio), ("difference", Heuristic::Difference)];
        return one_of("ranked", &name.to_cow()?, &known).map(Some);
    }
    Ok(given.is_truthy()?.then_some(Heuristic::Ratio))
}

/// Solves sectors of a morris game, and ranks draws if requested.
pub fn solve_sectors(
    game: &Bound<'_, Game>,
    request: SolveRequest,
    (sectors, ranked): (&[String], Option<Heuristic>),
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Solution> {
    let solver = game.get().solver.clone();
    let py = game.py();
    let listener = Listener::new(py, progress, &solver.game().spec())?;
    let tell =
        |done: UnitSolved| listener.tell(py, "UnitSolved", (done.name, done.positions, done.done, done.of));
    let mut options = request.options();
    if let Some(by) = ranked {
        options = options.ranked(by);
    }
    let names: Vec<&str> = sectors.iter().map(String::as_str).collect();
    let work = |stop, sender: Sender<UnitSolved>| {
        let watch = move |done: &UnitSolved| {
            // The receiver is gone once the work is being stopped.
            let _ = sender.send(done.clone());
        };
        solver.solve_sectors(&names, options.interrupt(stop).on_unit(watch))
    };
    let solution = listener.during(py, work, tell)?;
    Solution::new(game, Arc::new(solution), request.place)
}
