//! Breadth-first search for all positions that can be reached from given positions.
//!
//! The positions of a level are expanded in batches. Threads sort the successors of a batch by shard, and then each shard is
//! extended by one thread, in the order of the batch. Nothing depends on the number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_games::{ExplicitGame, Move, Side};
use rayon::prelude::*;

use super::control::{ReachedControl, Step};
use super::packing::{Key, Packing, hash};
use super::shards::{SHARDS, Shard, shard_of};
use crate::error::{Error, Result};

/// The number of positions that a thread takes at a time, if their keys have one word.
const JOB: usize = 1 << 10;
/// The number of jobs in a batch.
pub(super) const BATCH: usize = 32;

/// Consecutive positions of a shard.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) shard: usize,
    pub(super) numbers: Range<usize>,
}

/// The positions that a thread takes at a time.
pub(super) type Job = Vec<Piece>;

/// The game and all positions that are reached.
pub(super) struct Reached<'a, G: ?Sized, const N: usize> {
    pub(super) game: &'a G,
    pub(super) name: &'a str,
    pub(super) packing: Packing,
    pub(super) interrupt: &'a AtomicBool,
    pub(super) shards: Vec<Shard<N>>,
    /// For each level, the number of positions in each shard at its end.
    pub(super) levels: Vec<[usize; SHARDS]>,
    /// Whether all moves lead from a level to the next one.
    pub(super) is_layered: bool,
}

/// What a thread needs to expand positions.
#[derive(Default)]
pub(super) struct Scratch {
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

impl<'a, G: ExplicitGame + Sync + ?Sized, const N: usize> Reached<'a, G, N> {
    /// Finds all positions that are reached from the given ones.
    pub(super) fn search(
        game: &'a G,
        name: &'a str,
        packing: Packing,
        interrupt: &'a AtomicBool,
        starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
        control: &mut ReachedControl<'_>,
    ) -> Result<Self> {
        // If all moves lead to the next level, predecessors are not needed.
        let counts = game.plies_played(&game.start().0).is_none();
        let shards = (0..SHARDS).map(|_| Shard::new(counts)).collect();
        let mut found = Self { game, name, packing, interrupt, shards, levels: Vec::new(), is_layered: true };
        for (board, side) in starts {
            let reason = || format!("the start board {board:?} is not a board of the game");
            let key = found.packing.key(&board, side);
            let key = key.ok_or_else(|| Error::Rules { game: name.to_string(), reason: reason() })?;
            found.shards[shard_of(hash(&key))].add(&key);
        }
        found.levels.push(found.ends());
        let mut outputs: Vec<Vec<Vec<Key<N>>>> = vec![vec![Vec::new(); SHARDS]; BATCH];
        loop {
            let level = found.levels.len() - 1;
            (control.progress)(Step::Search { ply: level as u32, positions: found.num_positions() });
            for batch in found.jobs(level).chunks(BATCH) {
                found.expand_batch(batch, &mut outputs)?;
                found.add(&mut outputs[..batch.len()]);
                found.must_fit(control)?;
                (control.progress)(Step::Search { ply: level as u32, positions: found.num_positions() });
            }
            let ends = found.ends();
            if ends == found.levels[level] {
                break;
            }
            found.levels.push(ends);
        }
        Ok(found)
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
        self.jobs_between(first, self.levels[level])
    }

    /// Splits all positions into jobs.
    pub(super) fn all_jobs(&self) -> Vec<Job> {
        self.jobs_between([0; SHARDS], self.ends())
    }

    fn jobs_between(&self, first: [usize; SHARDS], last: [usize; SHARDS]) -> Vec<Job> {
        let mut jobs: Vec<Job> = Vec::new();
        let mut room = 0;
        for shard in 0..SHARDS {
            let mut at = first[shard];
            while at < last[shard] {
                if room == 0 {
                    jobs.push(Vec::new());
                    room = JOB / N;
                }
                let end = last[shard].min(at + room);
                if let Some(job) = jobs.last_mut() {
                    job.push(Piece { shard, numbers: at..end });
                }
                room -= end - at;
                at = end;
            }
        }
        jobs
    }

    /// Calls `visit` with each position of a job: its shard, its number there, and its moves.
    pub(super) fn visit(
        &self,
        job: &Job,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(usize, usize, Expanded<'_, N>) -> Result<()>,
    ) -> Result<()> {
        let Scratch { board, moves } = scratch;
        for Piece { shard, numbers } in job {
            for number in numbers.clone() {
                if self.interrupt.load(Ordering::Relaxed) {
                    return Err(Error::Interrupted);
                }
                let key = self.shards[*shard].keys.get(number);
                let side = self.packing.board(&key, board);
                moves.clear();
                self.game.legal_moves(board, side, moves);
                visit(*shard, number, Expanded { key, board, side, moves })?;
            }
        }
        Ok(())
    }

    /// Returns the key after a move.
    pub(super) fn successor(&self, from: &Expanded<'_, N>, mv: &Move) -> Result<Key<N>> {
        let next = self.packing.successor(&from.key, from.board, mv);
        next.map_err(|reason| self.rules(from, &format!("move {mv:?}: {reason}")))
    }

    /// Returns the error for rules that contradict themselves in a position.
    pub(super) fn rules(&self, at: &Expanded<'_, N>, reason: &str) -> Error {
        let reason = format!("board {:?}, {} to move: {reason}", at.board, at.side);
        Error::Rules { game: self.name.to_string(), reason }
    }

    /// Writes the successors of the positions of each job to its output, by shard.
    fn expand_batch(&self, batch: &[Job], outputs: &mut [Vec<Vec<Key<N>>>]) -> Result<()> {
        batch.par_iter().zip(outputs).try_for_each_init(Scratch::default, |scratch, (job, output)| {
            self.visit(job, scratch, &mut |_, _, from| {
                for mv in from.moves {
                    let next = self.successor(&from, mv)?;
                    output[shard_of(hash(&next))].push(next);
                }
                Ok(())
            })
        })
    }

    /// Adds the positions of outputs, and clears them.
    fn add(&mut self, outputs: &mut [Vec<Vec<Key<N>>>]) {
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
        let is_too_many = control.most_positions.is_some_and(|most| num_positions > most);
        if is_too_many || bytes > control.memory_limit || num_positions >= u64::from(u32::MAX) {
            return Err(Error::TooManyReached {
                game: self.name.to_string(),
                num_positions,
                limit_bytes: control.memory_limit,
            });
        }
        Ok(())
    }
}
