//! A solve that is followed for a while: what each ply had, and how fast it went.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use nerode_games::Game;
use serde::Serialize;

use super::deadline::{is_stop, within};
use nerode_solver::archive::decimal;
use nerode_solver::archive::run_dir::{Kind, Request, RunDir, SetName};
use nerode_solver::error::{Error, Result};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::progress::PlyDone;
use nerode_solver::solve::reach::Reach;
use nerode_solver::solve::resources::Resources;

/// The sets of one ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlyGrowth {
    /// What was computed: `retrograde`, `forward` or `back up`.
    pub phase: &'static str,
    /// i.
    pub ply: u32,
    /// States of the sets together.
    #[serde(rename = "num_states")]
    pub states: u64,
    /// Positions that have a value by then, or that are reached at this ply.
    #[serde(with = "decimal")]
    pub positions: u128,
    /// Bytes of the files that are new at this ply.
    pub bytes: u64,
}

/// What was seen of a solve.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// By phase and ply.
    pub plies: Vec<PlyGrowth>,
    /// Whether it came to its end.
    pub finished: bool,
    /// States of the ply with most, with those that its values take.
    pub(super) largest: u64,
    /// States of all sets that were made.
    pub(super) all: u64,
    /// Bytes of all files.
    pub(super) bytes: u64,
    /// Bytes that the engine held when its first ply was done, and the most after any ply.
    pub(super) first_bytes: u64,
    pub(super) held_bytes: u64,
    /// Seconds up to the last ply, and in all.
    pub(super) seconds: f64,
    pub(super) spent_seconds: f64,
}

/// What a solve has taken that was followed for a while and not to its end: a whole solve takes no less.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Taken {
    /// Plies that were done, each by moving sets once.
    pub plies: usize,
    /// States of the ply with most.
    #[serde(rename = "num_states")]
    pub states: u64,
    /// Bytes of all files.
    pub bytes: u64,
    /// Bytes of memory that the engine held.
    pub memory_bytes: u64,
    /// Seconds.
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
    /// Solves as `request` says until the deadline, in a temporary directory. What is begun after it has no ply.
    ///
    /// # Errors
    /// Interruption by the user; files that cannot be written; rules that contradict themselves.
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
        // There is none where time or memory was over before the first ply.
        if RunDir::exists(&path) {
            course.take(&RunDir::open(&path)?);
        }
        Ok(course)
    }

    /// Counts forward until the deadline, for a game that cannot be solved backward.
    ///
    /// # Errors
    /// As [`Course::follow`].
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

    /// Takes the numbers from the manifest, which names every ply that is on disk.
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
        // Backward plies come first, then forward ones, then values.
        self.plies.sort_by_key(|line| {
            (["retrograde", "forward"].iter().position(|p| *p == line.phase).unwrap_or(2), line.ply)
        });
    }

    /// Plies that were done by moving sets: those before any move do not count.
    pub(super) fn moved_plies(&self) -> usize {
        self.plies.iter().filter(|line| line.ply > 0).count()
    }

    /// Whether all that play reaches is known, and values are on their way back: what is left is like what was seen.
    pub(super) fn is_backing_up(&self) -> bool {
        self.plies.last().is_some_and(|line| line.phase == "back up")
    }

    /// What it has taken.
    pub(super) fn taken(&self) -> Taken {
        Taken {
            plies: self.moved_plies(),
            states: self.largest,
            bytes: self.bytes,
            memory_bytes: self.held_bytes,
            seconds: self.spent_seconds,
        }
    }

    /// States of the plies of the phase that was computed last.
    pub(super) fn last_phase(&self) -> Vec<u64> {
        let last = self.plies.last().map(|line| line.phase);
        self.plies.iter().filter(|line| Some(line.phase) == last).map(|line| line.states).collect()
    }
}
