//! Solves of small games on request of the page, one at a time, in a folder that is deleted when the service ends.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use axum::http::StatusCode;
use serde::Serialize;
use tempfile::TempDir;
use utoipa::ToSchema;

use super::problem::{Outcome, Problem};
use super::shelf::Shelf;
use crate::facade::{Options, open};
use nerode_solver::error::Result;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::progress::PlyDone;

/// The memory cap of a solve.
const MEMORY: u64 = 1 << 30;

/// Games that are solved within seconds, each with a short description.
const OFFERS: [(&str, &str); 10] = [
    ("tictactoe:3x3", "three in a row on nine cells"),
    ("breakthrough:4x5", "pawns that run for the far rank"),
    ("connect:4x4", "four in a row, in columns"),
    ("othello:4x4", "discs that turn over"),
    ("amazons:4x4", "queens that shoot their squares away"),
    ("nim:3x7", "take things from a heap"),
    ("morris:three", "three stones a side, and mills"),
    ("chess:KRvK", "king and rook against king"),
    ("rbg:hex", "join your two edges, rules from a file"),
    ("rbg:dodgem", "cars that drive past each other, rules from a file"),
];

/// A game that can be solved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Offer {
    game: &'static str,
    about: &'static str,
}

/// A solve that was asked for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Solve {
    /// The id under which the solution is served, as far as it is.
    pub(super) id: String,
    game: String,
    /// `solving`, `solved` or `failed`.
    state: &'static str,
    /// Why it has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// What is computed: `retrograde`, `forward` or `back up`.
    phase: &'static str,
    ply: u32,
    /// States of the sets of the ply.
    num_states: u64,
    /// Positions that have a value, or that the ply reaches.
    positions: String,
    seconds: f64,
}

/// All solves of this service.
pub(super) struct Solving {
    folder: TempDir,
    threads: usize,
    interrupt: Arc<AtomicBool>,
    solves: Arc<Mutex<Vec<Solve>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Solving {
    /// Creates a place for solves that use `threads` threads.
    ///
    /// # Errors
    /// Returns an error if no temporary folder can be created.
    pub(super) fn new(threads: usize) -> std::io::Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir()?,
            threads,
            interrupt: Arc::default(),
            solves: Arc::default(),
            thread: Mutex::default(),
        })
    }

    pub(super) fn offers() -> Vec<Offer> {
        OFFERS.map(|(game, about)| Offer { game, about }).into()
    }

    pub(super) fn solves(&self) -> Vec<Solve> {
        locked(&self.solves).clone()
    }

    /// Starts solving one of the offered games. A game that was requested before is not solved again.
    pub(super) fn begin(&self, game: &str, shelf: &Shelf) -> Outcome<Solve> {
        let Some((game, _)) = OFFERS.into_iter().find(|(offered, _)| *offered == game) else {
            let names = OFFERS.map(|(game, _)| game).join(", ");
            return Err(Problem::not_found("this game is not offered").accepting(names));
        };
        let mut thread = locked(&self.thread);
        let mut solves = locked(&self.solves);
        if let Some(known) = solves.iter().find(|solve| solve.game == game && solve.state != "failed") {
            return Ok(known.clone());
        }
        if let Some(other) = solves.iter().find(|solve| solve.state == "solving") {
            let detail = format!("{} is being solved: one game at a time", other.game);
            return Err(Problem::new(StatusCode::CONFLICT, "another is solved", detail));
        }
        let path = self.folder.path().join(solves.len().to_string());
        let id = shelf.add(&path, &game.replace(':', "-"), MEMORY);
        let solve = Solve {
            id,
            game: game.into(),
            state: "solving",
            why: None,
            phase: "",
            ply: 0,
            num_states: 0,
            positions: "0".into(),
            seconds: 0.0,
        };
        solves.push(solve.clone());
        let work = Work {
            game,
            path,
            threads: self.threads,
            interrupt: Arc::clone(&self.interrupt),
            solves: Arc::clone(&self.solves),
            at: solves.len() - 1,
        };
        *thread = Some(std::thread::spawn(move || work.run()));
        Ok(solve)
    }

    /// Stops the running solve, if there is one, and waits until it has stopped.
    pub(super) fn stop(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
        if let Some(thread) = locked(&self.thread).take()
            && thread.join().is_err()
        {
            tracing::warn!("a solve has ended without a result");
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A solve, as passed to the thread that executes it.
struct Work {
    game: &'static str,
    path: PathBuf,
    threads: usize,
    interrupt: Arc<AtomicBool>,
    solves: Arc<Mutex<Vec<Solve>>>,
    at: usize,
}

impl Work {
    fn run(self) {
        let begun = Instant::now();
        let solved = self.solve(begun);
        self.note(begun, |solve| match solved {
            Ok(()) => solve.state = "solved",
            Err(error) => {
                solve.state = "failed";
                solve.why = Some(error.to_string());
            }
        });
    }

    fn solve(&self, begun: Instant) -> Result<()> {
        let watch = |done: &PlyDone| {
            self.note(begun, |solve| {
                solve.phase = done.phase;
                solve.ply = done.ply;
                solve.num_states = done.states;
                solve.positions = done.positions.to_string();
            });
        };
        let options = Options::default()
            .directory(&self.path)
            .method(Method::Retrograde)
            .threads(self.threads)
            .memory_cap(MEMORY)
            .interrupt(Arc::clone(&self.interrupt))
            .on_ply(watch);
        open(self.game)?.solve(options).map(|_| ())
    }

    fn note(&self, begun: Instant, change: impl FnOnce(&mut Solve)) {
        if let Some(solve) = locked(&self.solves).get_mut(self.at) {
            change(solve);
            solve.seconds = begun.elapsed().as_secs_f64();
        }
    }
}
