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
use nerode_games::Registry;
use nerode_solver::archive::run_dir::Request;
use nerode_solver::error::Result;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::method::Method;
use nerode_solver::solve::progress::PlyDone;
use nerode_solver::solve::resources::Resources;

/// The memory cap of a solve.
const MEMORY: u64 = 1 << 30;

/// Games that are solved within seconds, each with a short description.
const OFFERS: [(&str, &str); 10] = [
    ("tictactoe:3x3", "three in a row on nine cells"),
    ("breakthrough:4x5", "pawns that race to the far rank"),
    ("connect:4x4", "four in a row with discs dropped into columns"),
    ("othello:4x4", "discs that are outflanked and flipped"),
    ("amazons:4x4", "amazons that move like queens and shoot arrows to block squares"),
    ("nim:3x7", "objects taken from heaps"),
    ("morris:three", "three stones per side, and mills"),
    ("chess:KRvK", "king and rook against king"),
    ("rbg:hex", "a path between your two edges, with rules from a file"),
    ("rbg:dodgem", "cars that drive past each other, with rules from a file"),
];

/// A game that can be solved.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Offer {
    game: &'static str,
    about: &'static str,
}

/// A requested solve.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct Solve {
    /// The id under which the solution is served, as far as it has been computed.
    pub(super) id: String,
    game: String,
    /// `solving`, `solved` or `failed`.
    state: &'static str,
    /// The reason why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The current phase: `retrograde`, `forward` or `back up`.
    phase: &'static str,
    ply: u32,
    /// The number of states of the sets of the ply.
    num_states: u64,
    /// The number of positions that have a value, or that the ply reaches.
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
            let detail = format!("{} is being solved, and games are solved one at a time", other.game);
            return Err(Problem::new(StatusCode::CONFLICT, "solve in progress", detail));
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
            registry: shelf.registry(),
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
            tracing::warn!("a solve ended without a result");
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A solve, as passed to the thread that executes it.
struct Work {
    registry: &'static Registry,
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
        let game = self.registry.open(self.game)?;
        let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
        let resources = Resources {
            memory: MEMORY,
            threads: self.threads,
            interrupt: Arc::clone(&self.interrupt),
            ..Resources::default()
        };
        let mut watch = |done: &PlyDone| {
            self.note(begun, |solve| {
                solve.phase = done.phase;
                solve.ply = done.ply;
                solve.num_states = done.states;
                solve.positions = done.positions.to_string();
            });
        };
        solve(game, request, &self.path, Existing::Refuse, &resources, &mut watch).map(|_| ())
    }

    fn note(&self, begun: Instant, change: impl FnOnce(&mut Solve)) {
        if let Some(solve) = locked(&self.solves).get_mut(self.at) {
            change(solve);
            solve.seconds = begun.elapsed().as_secs_f64();
        }
    }
}
