//! Breadth-first search for all positions that can be reached from given positions.
//!
//! The positions of a level are expanded in batches. Threads sort the successors of a batch by shard, and then each shard is
//! extended by one thread, in the order of the batch. Nothing depends on the number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::outcome::code16;
use nerode_games::{ExplicitGame, Move, Side};
use rayon::prelude::*;

use super::control::{MOST_POSITIONS, ReachedControl, Step};
use super::packing::{Key, Packing, hash};
use super::shards::{SHARDS, Shard, shard_of};
use crate::error::{Error, Result};

/// The number of positions that a thread takes at a time, if their keys have one word.
const JOB: usize = 1 << 10;
/// The number of jobs in a batch.
pub(super) const BATCH: usize = 32;
/// The number of start positions between two checks of the limits.
const STARTS: usize = 1 << 12;

/// Consecutive positions of a shard.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) shard: usize,
    pub(super) numbers: Range<usize>,
}

/// The positions that a thread takes at a time.
pub(super) type Job = Vec<Piece>;

/// The game, and what every use of its rules needs.
#[derive(Clone)]
pub(super) struct Rules<'a, G: ?Sized> {
    pub(super) game: &'a G,
    pub(super) name: &'a str,
    pub(super) packing: Packing,
    pub(super) interrupt: &'a AtomicBool,
}

/// The game and all positions that are reached.
pub(super) struct Reached<'a, G: ?Sized, const N: usize> {
    pub(super) rules: Rules<'a, G>,
    pub(super) shards: Vec<Shard<N>>,
    /// For each level, the number of positions in each shard at its end.
    pub(super) levels: Vec<[usize; SHARDS]>,
    /// Whether all moves lead from a level to the next one.
    pub(super) is_layered: bool,
}

/// For each shard, what the expansion of a job adds to it.
pub(super) type Output<T> = Vec<Vec<T>>;

/// What a thread needs to expand positions.
#[derive(Default)]
pub(super) struct Work {
    board: Vec<u8>,
    moves: Vec<Move>,
}

/// A position with its moves.
pub(super) struct Expanded<'a, const N: usize> {
    pub(super) key: Key<N>,
    pub(super) board: &'a [u8],
    pub(super) side: Side,
    pub(super) moves: &'a [Move],
}

impl<G: ExplicitGame + ?Sized> Rules<'_, G> {
    /// Calls `visit` with a position and its moves.
    pub(super) fn expand<const N: usize>(
        &self,
        key: Key<N>,
        work: &mut Work,
        visit: &mut dyn FnMut(Expanded<'_, N>) -> Result<()>,
    ) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let Work { board, moves } = work;
        let side = self.packing.board(&key, board);
        moves.clear();
        self.game.legal_moves(board, side, moves);
        visit(Expanded { key, board, side, moves })
    }

    /// Returns the key of a start position.
    pub(super) fn start<const N: usize>(&self, board: &[u8], side: Side) -> Result<Key<N>> {
        self.packing.key(board, side).ok_or_else(|| {
            let reason = format!("the start board {board:?} is not a board of the game");
            Error::Rules { game: self.name.to_string(), reason }
        })
    }

    /// Returns the key after a move.
    pub(super) fn successor<const N: usize>(&self, from: &Expanded<'_, N>, mv: &Move) -> Result<Key<N>> {
        let next = self.packing.successor(&from.key, from.board, mv);
        next.map_err(|reason| self.broken(from, &format!("move {mv:?}: {reason}")))
    }

    /// Returns the code of a position without moves.
    pub(super) fn terminal<const N: usize>(&self, at: &Expanded<'_, N>) -> Result<u16> {
        let value = self.game.outcome(at.board, at.side);
        let reason = "the side to move has no legal move, although the game goes on";
        value.map(code16::terminal).ok_or_else(|| self.broken(at, reason))
    }

    /// Returns the error for rules that contradict themselves in a position.
    pub(super) fn broken<const N: usize>(&self, at: &Expanded<'_, N>, reason: &str) -> Error {
        let reason = format!("board {:?}, {} to move: {reason}", at.board, at.side);
        Error::Rules { game: self.name.to_string(), reason }
    }

    /// Returns the error for a position to which a move leads, but not when its position is examined again.
    pub(super) fn changed<const N: usize>(&self, key: &Key<N>) -> Error {
        let mut board = Vec::new();
        let side = self.packing.board(key, &mut board);
        let reason = format!("board {board:?}, {side} to move: a move leads here in only one of two calls");
        Error::Rules { game: self.name.to_string(), reason }
    }

    /// Returns the error for more positions than the limits allow.
    pub(super) fn too_many(&self, num_positions: u64, control: &ReachedControl<'_>) -> Error {
        let (game, limit_bytes) = (self.name.to_string(), control.memory_limit);
        match num_positions > MOST_POSITIONS {
            true => Error::TooManyPositions { game, most: MOST_POSITIONS },
            false => Error::TooManyReached { game, num_positions, limit_bytes },
        }
    }
}

impl<'a, G: ExplicitGame + Sync + ?Sized, const N: usize> Reached<'a, G, N> {
    /// Creates an empty set of positions.
    pub(super) fn new(rules: Rules<'a, G>) -> Self {
        // If all moves lead to the next level, predecessors are not needed.
        let counts = rules.game.plies_played(&rules.game.start().0).is_none();
        let shards = (0..SHARDS).map(|_| Shard::new(counts)).collect();
        Self { rules, shards, levels: Vec::new(), is_layered: true }
    }

    /// Finds all positions that are reached from the given ones. After an error, the levels in `levels` are complete, and the
    /// shards may contain more positions.
    pub(super) fn search(
        &mut self,
        starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
        control: &mut ReachedControl<'_>,
    ) -> Result<()> {
        for (number, (board, side)) in starts.enumerate() {
            let key = self.rules.start(&board, side)?;
            self.shards[shard_of(hash(&key))].add(&key);
            if number % STARTS == 0 {
                self.must_fit(control)?;
            }
        }
        self.levels.push(self.ends());
        let mut outputs: Vec<Output<Key<N>>> = vec![vec![Vec::new(); SHARDS]; BATCH];
        loop {
            let level = self.levels.len() - 1;
            (control.progress)(Step::Search { ply: level as u32, positions: self.num_positions() });
            for batch in self.jobs(level).chunks(BATCH) {
                self.expand_batch(batch, &mut outputs)?;
                self.add(&mut outputs[..batch.len()]);
                self.must_fit(control)?;
                (control.progress)(Step::Search { ply: level as u32, positions: self.num_positions() });
            }
            let ends = self.ends();
            if ends == self.levels[level] {
                return Ok(());
            }
            self.levels.push(ends);
        }
    }

    fn ends(&self) -> [usize; SHARDS] {
        std::array::from_fn(|shard| self.shards[shard].keys.len())
    }

    /// Returns the number of positions found so far.
    pub(super) fn num_positions(&self) -> u64 {
        self.shards.iter().map(|shard| shard.keys.len() as u64).sum()
    }

    /// Removes the number of moves to each position, if they were counted, in the order of shards and of numbers within them.
    pub(super) fn take_arrivals(&mut self) -> Option<Vec<u32>> {
        let mut all = Vec::new();
        all.try_reserve_exact(self.num_positions() as usize + 1).ok()?;
        for shard in &mut self.shards {
            all.extend(shard.take_arrivals()?.iter());
        }
        Some(all)
    }

    /// Returns the number of bytes that the positions take.
    pub(super) fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// Splits the positions of a level into jobs.
    pub(super) fn jobs(&self, level: usize) -> Vec<Job> {
        let first = level.checked_sub(1).map_or([0; SHARDS], |before| self.levels[before]);
        jobs_between::<N>(first, self.levels[level]).collect()
    }

    /// Splits all positions into jobs.
    pub(super) fn all_jobs(&self) -> Vec<Job> {
        jobs_between::<N>([0; SHARDS], self.ends()).collect()
    }

    /// Calls `visit` with each position of a job: its shard, its number there, and its moves.
    pub(super) fn visit(
        &self,
        job: &Job,
        work: &mut Work,
        visit: &mut dyn FnMut(usize, usize, Expanded<'_, N>) -> Result<()>,
    ) -> Result<()> {
        for Piece { shard, numbers } in job {
            for number in numbers.clone() {
                let key = self.shards[*shard].keys.get(number);
                self.rules.expand(key, work, &mut |from| visit(*shard, number, from))?;
            }
        }
        Ok(())
    }

    /// Writes the successors of the positions of each job to its output, by shard.
    fn expand_batch(&self, batch: &[Job], outputs: &mut [Output<Key<N>>]) -> Result<()> {
        batch.par_iter().zip(outputs).try_for_each_init(Work::default, |work, (job, output)| {
            self.visit(job, work, &mut |_, _, from| {
                for mv in from.moves {
                    let next = self.rules.successor(&from, mv)?;
                    output[shard_of(hash(&next))].push(next);
                }
                Ok(())
            })
        })
    }

    /// Adds the positions of outputs, and clears them.
    fn add(&mut self, outputs: &mut [Output<Key<N>>]) {
        let ends = self.levels.last().copied().unwrap_or([0; SHARDS]);
        let leads_back = |(number, shard): (usize, &mut Shard<N>)| {
            let mut back = false;
            for key in outputs.iter().flat_map(|output| &output[number]) {
                back |= shard.arrive(key) < ends[number];
            }
            back
        };
        let back = self.shards.par_iter_mut().enumerate().map(leads_back).reduce(|| false, |a, b| a | b);
        self.is_layered &= !back;
        outputs.iter_mut().flatten().for_each(Vec::clear);
    }

    /// Returns an error if there are too many positions.
    fn must_fit(&self, control: &ReachedControl<'_>) -> Result<()> {
        let num_positions = self.num_positions();
        let growing = self.shards.iter().map(Shard::bytes_to_grow).max().unwrap_or(0);
        let threads = rayon::current_num_threads() as u64;
        let bytes = self.bytes() + growing * threads + 2 * num_positions;
        match control.allows(num_positions) && bytes <= control.memory_limit {
            true => Ok(()),
            false => Err(self.rules.too_many(num_positions, control)),
        }
    }
}

/// Splits the positions of each shard between two numbers into jobs.
pub(super) fn jobs_between<const N: usize>(
    first: [usize; SHARDS],
    last: [usize; SHARDS],
) -> impl Iterator<Item = Job> {
    let (mut shard, mut at) = (0, first[0]);
    std::iter::from_fn(move || {
        let (mut job, mut room) = (Vec::new(), JOB / N);
        while room > 0 && shard < SHARDS {
            let end = last[shard].min(at + room);
            if at < end {
                job.push(Piece { shard, numbers: at..end });
                room -= end - at;
                at = end;
            } else {
                shard += 1;
                at = first.get(shard).copied().unwrap_or(0);
            }
        }
        (!job.is_empty()).then_some(job)
    })
}
