//! A solve that is observed for some time: the size of each ply and the speed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use nerode_games::Game;
use serde::Serialize;

use super::deadline::{is_stop, within};
use nerode_solver::archive::decimal::Decimal;
use nerode_solver::archive::run_dir::{Kind, Request, RunDir, SetName};
use nerode_solver::error::{Error, Result};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::progress::PlyDone;
use nerode_solver::solve::reach::Reach;
use nerode_solver::solve::resources::Resources;

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
pub struct Course {
    /// The plies, ordered by phase and ply.
    pub plies: Vec<PlyGrowth>,
    /// Whether the solve finished.
    pub finished: bool,
    /// The number of states of the largest ply, including those of its values.
    pub(super) largest: u64,
    /// The number of states of all sets that were created.
    pub(super) all: u64,
    /// The size of all files in bytes.
    pub(super) bytes: u64,
    /// The memory of the engine in bytes after its first ply, and the largest memory after any ply.
    pub(super) first_bytes: u64,
    pub(super) held_bytes: u64,
    /// The time in seconds up to the last ply, and in total.
    pub(super) seconds: f64,
    pub(super) spent_seconds: f64,
}

/// The cost of the observed part of an unfinished solve. A complete solve costs at least as much.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Taken {
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

impl Course {
    /// Solves in a temporary directory according to `request` until the deadline. A ply that is not finished by then
    /// does not count.
    ///
    /// # Errors
    /// Returns an error if the user interrupts, if files cannot be written, or if the rules contradict themselves.
    pub(super) fn follow(
        game: &Arc<dyn Game>,
        request: Request,
        resources: &Resources,
        until: Instant,
    ) -> Result<Self> {
        let began = Instant::now();
        let mut course = Self::default();
        if began >= until {
            return Ok(course);
        }
        let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
        let path = folder.path().join("run");
        let mut watch = |done: &PlyDone| {
            if course.first_bytes == 0 {
                course.first_bytes = done.bytes;
            }
            course.held_bytes = course.held_bytes.max(done.bytes);
            course.seconds = began.elapsed().as_secs_f64();
        };
        let solved = within(until, resources, |resources| {
            solve(Arc::clone(game), request, &path, Existing::Refuse, resources, &mut watch).map(|_| ())
        })?;
        match solved {
            Ok(()) => course.finished = true,
            Err(error) if is_stop(&error) => {}
            Err(error) => return Err(error),
        }
        course.spent_seconds = began.elapsed().as_secs_f64();
        // There is no run directory if time or memory was exhausted before the first ply.
        if RunDir::exists(&path) {
            course.take(&RunDir::open(&path)?);
        }
        Ok(course)
    }

    /// Counts forward until the deadline, for a game that cannot be solved backward.
    ///
    /// # Errors
    /// Returns the same errors as [`Course::follow`].
    pub(super) fn forward(game: &Arc<dyn Game>, resources: &Resources, until: Instant) -> Result<Self> {
        let mut course = Self::default();
        let walked = within(until, resources, |resources| course.walk(game, resources))?;
        match walked {
            Err(error) if !is_stop(&error) => Err(error),
            _ => Ok(course),
        }
    }

    fn walk(&mut self, game: &Arc<dyn Game>, resources: &Resources) -> Result<()> {
        let mut engine = Engine::in_play(Arc::clone(game), resources, None)?;
        let mut reach = Reach::new(&engine)?;
        loop {
            let distinct = engine.canonical_for_counting(reach.side(), reach.set())?;
            self.plies.push(PlyGrowth {
                phase: "forward",
                ply: reach.ply(),
                states: reach.set().num_states() as u64,
                positions: distinct.count()?,
                bytes: 0,
            });
            if !reach.step(&mut engine)? {
                return Ok(());
            }
        }
    }

    /// Reads the numbers from the manifest, which lists every ply on disk.
    fn take(&mut self, run: &RunDir) {
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

    /// Returns the number of completed plies that applied moves to sets. Plies before any move do not count.
    pub(super) fn moved_plies(&self) -> usize {
        self.plies.iter().filter(|line| line.ply > 0).count()
    }

    /// Returns `true` if all reachable positions are known and their values are being computed. The remaining plies
    /// then resemble the observed ones.
    pub(super) fn is_backing_up(&self) -> bool {
        self.plies.last().is_some_and(|line| line.phase == "back up")
    }

    /// Returns the cost of the observed part.
    pub(super) fn taken(&self) -> Taken {
        Taken {
            plies: self.moved_plies(),
            states: self.largest,
            bytes: self.bytes,
            memory_bytes: self.held_bytes,
            seconds: self.spent_seconds,
        }
    }

    /// Returns the numbers of states of the plies in the last phase.
    pub(super) fn last_phase(&self) -> Vec<u64> {
        let last = self.plies.last().map(|line| line.phase);
        self.plies.iter().filter(|line| Some(line.phase) == last).map(|line| line.states).collect()
    }
}
