//! Probes: solves that are observed until their sets become too large or the time is up.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use nerode_games::Game;
use serde::Serialize;

use nerode_solver::archive::decimal::Decimal;
use nerode_solver::archive::run_dir::{Kind, Request, RunDir, SetName};
use nerode_solver::error::{Error, Result};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::progress::{PliesLeft, PlyDone, Rate};
use nerode_solver::solve::reach::Reach;
use nerode_solver::solve::resources::Resources;

/// The limits of a probe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// The number of states of a ply above which the probe ends.
    pub states: u64,
    /// The time at which it ends at the latest.
    pub until: Instant,
}

/// The memory of the engine of a probe.
const PROBE_BYTES: u64 = 1 << 30;

/// The number of plies after which a solve at a steady rate may end early.
const MANY_PLIES: u32 = 128;

/// The interval between checks of the clock.
const TICK: Duration = Duration::from_millis(10);

/// The sets of one ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlyGrowth {
    /// The phase of the computation: `retrograde`, `forward` or `back up`.
    pub phase: &'static str,
    /// The ply i.
    pub ply: u32,
    /// The total number of states of the sets.
    #[serde(rename = "num_states")]
    pub states: u64,
    /// The number of positions that have a value by this ply, or that are reached at this ply.
    #[serde(with = "Decimal")]
    pub positions: u128,
    /// The size in bytes of the files that are new at this ply.
    pub bytes: u64,
}

/// The observed part of a solve.
#[derive(Clone, Debug, Default)]
pub(super) struct Probe {
    /// The plies, ordered by phase and ply.
    pub plies: Vec<PlyGrowth>,
    /// Whether the solve finished.
    pub finished: bool,
    /// The number of states of the largest ply, including those of its values.
    pub largest: u64,
    /// The number of states of all stored sets.
    pub all: u64,
    /// The size of all files in bytes.
    pub bytes: u64,
    /// The memory of the engine in bytes after its first ply, and the largest memory after any ply.
    pub first_bytes: u64,
    pub held_bytes: u64,
    /// The duration in seconds.
    pub seconds: f64,
    /// The remaining plies, if the solve advanced at a steady rate and did not finish.
    pub left: Option<PliesLeft>,
}

/// The cost of the observed part of an unfinished solve. A complete solve costs at least as much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// The number of completed plies that applied moves to sets.
    pub plies: usize,
    /// The number of states of the largest ply.
    #[serde(rename = "num_states")]
    pub states: u64,
    /// The size of all files in bytes.
    pub bytes: u64,
    /// The memory of the engine in bytes.
    pub memory_bytes: u64,
    /// The duration in seconds.
    pub seconds: f64,
}

fn phase(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::W | Kind::L => Some("retrograde"),
        Kind::R => Some("forward"),
        Kind::RW | Kind::RL | Kind::RD | Kind::RU => Some("back up"),
        Kind::D | Kind::U => None,
    }
}

impl Probe {
    /// Solves in a temporary directory according to `request` within `budget`. A ply that is not finished by then does
    /// not count. A solve of many plies ends early if it could not finish in time at the rate of its last plies.
    ///
    /// # Errors
    /// Returns an error if the user interrupts, if files cannot be written, or if the rules contradict themselves.
    pub(super) fn solve(
        game: &Arc<dyn Game>,
        request: Request,
        resources: &Resources,
        budget: Budget,
    ) -> Result<Self> {
        let began = Instant::now();
        let mut probe = Self::default();
        if began >= budget.until {
            return Ok(probe);
        }
        let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
        let path = folder.path().join("run");
        let solved = within(budget.until, resources, |resources| {
            let mut rate = Rate::default();
            let mut watch = |done: &PlyDone| {
                rate.record(done, began.elapsed().as_secs_f64());
                probe.left = rate.left();
                let rest = budget.until.saturating_duration_since(Instant::now()).as_secs_f64();
                if done.ply >= MANY_PLIES && probe.left.is_some_and(|left| left.seconds > rest) {
                    resources.interrupt.store(true, Ordering::Relaxed);
                }
                if probe.first_bytes == 0 {
                    probe.first_bytes = done.bytes;
                }
                probe.held_bytes = probe.held_bytes.max(done.bytes);
                if done.states > budget.states {
                    resources.interrupt.store(true, Ordering::Relaxed);
                }
            };
            solve(Arc::clone(game), request, &path, Existing::Refuse, resources, &mut watch).map(|_| ())
        })?;
        match solved {
            Ok(()) => (probe.finished, probe.left) = (true, None),
            Err(error) if is_stop(&error) => {}
            Err(error) => return Err(error),
        }
        probe.seconds = began.elapsed().as_secs_f64();
        // The run directory does not exist if time or memory was exhausted before the first ply.
        if RunDir::exists(&path) {
            probe.read(&RunDir::open(&path)?);
        }
        Ok(probe)
    }

    /// Counts forward within `budget`, for a game that cannot be solved backward.
    ///
    /// # Errors
    /// Returns the same errors as [`Probe::solve`].
    pub(super) fn forward(game: &Arc<dyn Game>, resources: &Resources, budget: Budget) -> Result<Self> {
        let mut probe = Self::default();
        let counted = within(budget.until, resources, |resources| {
            let mut engine = Engine::in_play(Arc::clone(game), resources, None)?;
            let mut reach = Reach::new(&engine)?;
            loop {
                let states = reach.set().num_states() as u64;
                let distinct = engine.canonical_for_counting(reach.side(), reach.set())?;
                let positions = distinct.count()?;
                probe.plies.push(PlyGrowth {
                    phase: "forward",
                    ply: reach.ply(),
                    states,
                    positions,
                    bytes: 0,
                });
                if states > budget.states || !reach.step(&mut engine)? {
                    return Ok(());
                }
            }
        })?;
        match counted {
            Err(error) if !is_stop(&error) => Err(error),
            _ => Ok(probe),
        }
    }

    /// Reads the numbers from the manifest, which lists every ply on disk.
    fn read(&mut self, run: &RunDir) {
        let mut files = BTreeSet::new();
        let mut plies: BTreeMap<(&str, u32), PlyGrowth> = BTreeMap::new();
        for (name, entry) in run.sets() {
            let new = files.insert(entry.file());
            let bytes = if new { entry.stored().bytes() } else { 0 };
            self.all += if new { entry.num_states() } else { 0 };
            self.bytes += bytes;
            let Some(SetName { kind, ply, .. }) = SetName::parse(name) else { continue };
            let Some(phase) = phase(kind) else { continue };
            let empty = PlyGrowth { phase, ply, states: 0, positions: 0, bytes: 0 };
            let line = plies.entry((phase, ply)).or_insert(empty);
            line.states += if entry.is_mirror() { 0 } else { entry.num_states() };
            line.bytes += bytes;
            if kind != Kind::RU {
                line.positions = line.positions.saturating_add(entry.num_positions());
            }
        }
        let values_of = |ply| plies.get(&("back up", ply)).map_or(0, |line| line.states);
        self.largest = plies
            .values()
            .map(|line| line.states + if line.phase == "forward" { values_of(line.ply) } else { 0 })
            .max()
            .unwrap_or(0);
        self.plies = plies.into_values().collect();
        // Backward plies come first, then forward plies, then values.
        self.plies.sort_by_key(|line| {
            (["retrograde", "forward"].iter().position(|p| *p == line.phase).unwrap_or(2), line.ply)
        });
    }

    /// Returns the cost of the observed part.
    pub(super) fn cost(&self) -> Cost {
        Cost {
            plies: self.plies.iter().filter(|line| line.ply > 0).count(),
            states: self.largest,
            bytes: self.bytes,
            memory_bytes: self.held_bytes,
            seconds: self.seconds,
        }
    }

    /// Returns the numbers of states of the plies in the last phase.
    pub(super) fn last_phase(&self) -> Vec<u64> {
        let last = self.plies.last().map(|line| line.phase);
        self.plies.iter().filter(|line| Some(line.phase) == last).map(|line| line.states).collect()
    }
}

/// Runs `work` with the resources of a probe, at most 1 GiB of memory, whose flag is set at `deadline` or when the user interrupts.
/// `work` may set the flag itself.
///
/// # Errors
/// Returns [`Error::Interrupted`] if the user interrupted.
pub fn within<T>(deadline: Instant, resources: &Resources, work: impl FnOnce(&Resources) -> T) -> Result<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let user = &resources.interrupt;
    let limited = Resources {
        interrupt: Arc::clone(&stop),
        memory: resources.memory.min(PROBE_BYTES),
        units: None,
        ..resources.clone()
    };
    let result = std::thread::scope(|scope| {
        // The sender is dropped when the work ends, in every case.
        let (_working, working) = mpsc::channel::<()>();
        scope.spawn(move || {
            while working.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                if Instant::now() >= deadline || user.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        work(&limited)
    });
    if user.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(result) }
}

/// Returns `true` if `error` only reports that time, memory or disk space was exhausted.
pub(super) fn is_stop(error: &Error) -> bool {
    let full = |error: &std::io::Error| error.kind() == std::io::ErrorKind::StorageFull;
    match error {
        Error::Interrupted | Error::DiskFull { .. } | Error::TooLarge { .. } => true,
        Error::Dfa(nerode_dfa::Error::Interrupted) => true,
        Error::Io { source, .. } => full(source),
        other => other.is_out_of_room(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_stops_at_its_deadline_and_when_the_user_interrupts() {
        let resources = Resources::default();
        let wait = |resources: &Resources| {
            while !resources.interrupt.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
            }
            7
        };
        assert_eq!(within(Instant::now(), &resources, wait).unwrap(), 7);
        let never = Instant::now() + Duration::from_secs(3600);
        assert_eq!(within(never, &resources, |_| 8).unwrap(), 8);
        resources.interrupt.store(true, Ordering::Relaxed);
        assert!(matches!(within(never, &resources, wait), Err(Error::Interrupted)));
    }
}
