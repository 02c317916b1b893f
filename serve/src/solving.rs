//! Solves of small games on request of the page, one at a time, in a folder that is deleted when the service ends.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use tempfile::TempDir;

use super::problem::{Outcome, Problem};
use super::shelf::Shelf;
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
    ("amazons:3x3,start=1b1/3/1w1", "amazons that move like queens and shoot arrows to block squares"),
    ("nim:3x7", "objects taken from heaps"),
    ("morris:three", "three stones per side, and mills"),
    ("chess:KRvK", "king and rook against king"),
    ("rbg:hex", "a path between your two edges, with rules from a file"),
    ("rbg:dodgem", "cars that drive past each other, with rules from a file"),
];

/// A game that can be solved.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Offer {
    pub(super) game: &'static str,
    about: &'static str,
}

/// A requested solve.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct Solve {
    /// The id under which the solution is served, as far as it has been computed.
    pub(super) id: String,
    game: String,
    /// `solving`, `solved`, `failed` or `cancelled`.
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

/// A requested solve, its beginning, and the flag that interrupts it.
struct Requested {
    solve: Solve,
    begun: Instant,
    interrupt: Arc<AtomicBool>,
}

impl Requested {
    fn is_running(&self) -> bool {
        self.solve.state == "solving"
    }

    /// Returns the solve with the time that it has taken so far: a ply may take a while, and the clock runs during it.
    fn now(&self) -> Solve {
        let mut solve = self.solve.clone();
        if self.is_running() {
            solve.seconds = self.begun.elapsed().as_secs_f64();
        }
        solve
    }
}

/// All solves of this service.
pub(super) struct Solving {
    folder: TempDir,
    threads: usize,
    solves: Arc<Mutex<Vec<Requested>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Solving {
    /// Creates a place for solves that use `threads` threads.
    ///
    /// # Errors
    /// Returns an error if no temporary folder can be created.
    pub(super) fn new(threads: usize) -> std::io::Result<Self> {
        Ok(Self { folder: tempfile::tempdir()?, threads, solves: Arc::default(), thread: Mutex::default() })
    }

    pub(super) fn offers() -> Vec<Offer> {
        OFFERS.map(|(game, about)| Offer { game, about }).into()
    }

    pub(super) fn solves(&self) -> Vec<Solve> {
        locked(&self.solves).iter().map(Requested::now).collect()
    }

    /// Starts solving one of the offered games. A game that was requested before is not solved again, unless its solve
    /// failed or was cancelled.
    pub(super) fn begin(&self, game: &str, shelf: &Arc<Shelf>) -> Outcome<Solve> {
        let Some((game, _)) = OFFERS.into_iter().find(|(offered, _)| *offered == game) else {
            let names = OFFERS.map(|(game, _)| game).join(", ");
            return Err(Problem::not_found("this game is not offered").accepting(names));
        };
        let mut thread = locked(&self.thread);
        let mut solves = locked(&self.solves);
        let is_usable = |one: &&Requested| ["solving", "solved"].contains(&one.solve.state);
        if let Some(known) = solves.iter().filter(is_usable).find(|one| one.solve.game == game) {
            return Ok(known.now());
        }
        if let Some(other) = solves.iter().find(|one| one.is_running()) {
            let detail = format!("{} is being solved, and games are solved one at a time", other.solve.game);
            return Err(Problem::new(StatusCode::CONFLICT, "solve in progress", detail)
                .accepting("a request after the other solve has ended or has been cancelled"));
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
        let interrupt = Arc::new(AtomicBool::new(false));
        let begun = Instant::now();
        solves.push(Requested { solve: solve.clone(), begun, interrupt: Arc::clone(&interrupt) });
        let work = Work {
            shelf: Arc::clone(shelf),
            game,
            path,
            threads: self.threads,
            interrupt,
            begun,
            solves: Arc::clone(&self.solves),
            at: solves.len() - 1,
        };
        *thread = Some(std::thread::spawn(move || work.run()));
        Ok(solve)
    }

    /// Returns the solve with that id, the latest one if a cancelled solve was requested again.
    pub(super) fn get(&self, id: &str) -> Outcome<Solve> {
        let solves = locked(&self.solves);
        let known = solves.iter().rev().find(|one| one.solve.id == id).map(Requested::now);
        known.ok_or_else(|| Problem::not_found("no solve with that id has been requested"))
    }

    /// Cancels a solve, which ends shortly afterwards. A solve that has ended stays as it is.
    pub(super) fn cancel(&self, id: &str) -> Outcome<Solve> {
        for one in locked(&self.solves).iter().filter(|one| one.solve.id == id && one.is_running()) {
            one.interrupt.store(true, Ordering::Relaxed);
        }
        self.get(id)
    }

    /// Stops the running solve, if there is one, and waits until it has stopped.
    pub(super) fn stop(&self) {
        for one in locked(&self.solves).iter() {
            one.interrupt.store(true, Ordering::Relaxed);
        }
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
    shelf: Arc<Shelf>,
    game: &'static str,
    path: PathBuf,
    threads: usize,
    interrupt: Arc<AtomicBool>,
    begun: Instant,
    solves: Arc<Mutex<Vec<Requested>>>,
    at: usize,
}

impl Work {
    fn run(self) {
        let solved = self.solve();
        self.note(|solve| match solved {
            Ok(()) => solve.state = "solved",
            Err(error) if error.is_interruption() && self.interrupt.load(Ordering::Relaxed) => {
                self.shelf.remove(&solve.id);
                solve.state = "cancelled";
            }
            Err(error) => {
                self.shelf.remove(&solve.id);
                solve.state = "failed";
                solve.why = Some(error.to_string());
            }
        });
    }

    fn solve(&self) -> Result<()> {
        let game = self.shelf.registry().open(self.game)?;
        let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
        let resources = Resources {
            memory: MEMORY,
            threads: self.threads,
            interrupt: Arc::clone(&self.interrupt),
            ..Resources::default()
        };
        let mut watch = |done: &PlyDone| {
            self.note(|solve| {
                solve.phase = done.phase;
                solve.ply = done.ply;
                solve.num_states = done.states;
                solve.positions = done.positions.to_string();
            });
        };
        solve(game, request, &self.path, Existing::Refuse, &resources, &mut watch).map(|_| ())
    }

    fn note(&self, change: impl FnOnce(&mut Solve)) {
        if let Some(one) = locked(&self.solves).get_mut(self.at) {
            change(&mut one.solve);
            one.solve.seconds = self.begun.elapsed().as_secs_f64();
        }
    }
}
