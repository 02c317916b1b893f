//! Breadth-first search with the positions in files.

use std::ops::Range;

use nerode_games::{ExplicitGame, Side};
use rayon::prelude::*;

use super::records::{Record, Records, Scratch, Sorted};
use super::sort::{Merge, Sorter};
use crate::error::{Error, Result};
use crate::reached::control::{ReachedControl, Step};
use crate::reached::packing::{Key, hash};
use crate::reached::search::{BATCH, Expanded, Job, Output, Piece, Reached, Rules, Work, jobs_between};
use crate::reached::shards::{SHARDS, shard_of};

/// The number of records of an earlier level that are read at a time.
const BLOCK: u64 = 1 << 9;

/// The number of a job, and the places of a position in it and in its shard.
pub(super) struct Place {
    pub(super) job: usize,
    pub(super) at: usize,
    pub(super) shard: usize,
    pub(super) number: usize,
}

/// A function that is called with the place of a position, its moves, and the output of its job.
type Visit<'a, T, const N: usize> =
    &'a (dyn Fn(&Place, &Expanded<'_, N>, &mut Output<T>) -> Result<()> + Sync);

/// The game and all positions that are reached, in files.
pub(super) struct DiskReached<'a, G: ?Sized, const N: usize> {
    pub(super) rules: Rules<'a, G>,
    pub(super) scratch: &'a dyn Scratch,
    /// The positions of each shard, level by level, and in ascending order within a level.
    pub(super) keys: Vec<Records<Key<N>>>,
    /// For each level, the number of positions in each shard at its end.
    pub(super) levels: Vec<[usize; SHARDS]>,
    /// Whether all moves lead from a level to the next one.
    pub(super) is_layered: bool,
    /// The number of plies to the positions of level 0, if the game promises that no position occurs at two plies.
    plies: Option<u32>,
    /// The number of bytes for each of at most four lists that are in memory at the same time.
    pub(super) budget: u64,
}

impl<'a, G: ExplicitGame + Sync + ?Sized, const N: usize> DiskReached<'a, G, N> {
    /// Writes the complete levels of `reached` to files, and frees its memory. If there is none yet, level 0 contains its positions and
    /// the remaining starts.
    pub(super) fn spill(
        reached: Reached<'a, G, N>,
        starts: &mut dyn Iterator<Item = (Vec<u8>, Side)>,
        scratch: &'a dyn Scratch,
        control: &mut ReachedControl<'_>,
    ) -> Result<Self> {
        let Reached { rules, mut shards, levels, is_layered } = reached;
        shards.par_iter_mut().for_each(|shard| shard.forget_numbers());
        let keys = (0..SHARDS).map(|_| Records::new(scratch)).collect::<Result<_>>()?;
        let budget = control.memory_limit / 4;
        let mut found = Self { rules, scratch, keys, levels, is_layered, plies: None, budget };
        if found.levels.is_empty() {
            let mut sorter = Sorter::new(scratch, budget, true)?;
            for (number, shard) in shards.into_iter().enumerate() {
                shard.keys.iter().try_for_each(|key| sorter.add(number, key))?;
            }
            for (board, side) in starts {
                let key = found.rules.start(&board, side)?;
                sorter.add(shard_of(hash(&key)), key)?;
            }
            found.add_level(sorter)?;
        } else {
            let levels = &found.levels;
            found.keys.par_iter_mut().zip(shards).enumerate().try_for_each(|(number, (keys, shard))| {
                let mut first = 0;
                for level in levels {
                    let mut of_level: Vec<Key<N>> =
                        (first..level[number]).map(|at| shard.keys.get(at)).collect();
                    of_level.sort_unstable();
                    keys.append(&of_level)?;
                    first = level[number];
                }
                Ok(())
            })?;
        }
        found.plies = found.promised_plies()?;
        Ok(found)
    }

    /// Returns the number of plies to the positions of level 0 if the game promises one and it is the same for all.
    fn promised_plies(&self) -> Result<Option<u32>> {
        let (mut all, mut board) = (None, Vec::new());
        for (shard, keys) in self.keys.iter().enumerate() {
            let mut starts = keys.sorted(self.range(0, shard), BLOCK);
            while let Some(key) = starts.peek()? {
                self.rules.packing.board(&key, &mut board);
                let plies = self.rules.game.plies_played(&board);
                if plies.is_none() || all.is_some_and(|all| all != plies) {
                    return Ok(None);
                }
                all = Some(plies);
                starts.advance();
            }
        }
        Ok(all.flatten().filter(|_| self.is_layered))
    }

    /// Finds all positions that are reached from those of the last level.
    pub(super) fn search(&mut self, control: &mut ReachedControl<'_>) -> Result<()> {
        loop {
            let level = self.levels.len() - 1;
            let num_positions = self.num_positions();
            if !control.allows(num_positions) {
                return Err(self.rules.too_many(num_positions, control));
            }
            let mut progress =
                |_| (control.progress)(Step::Search { ply: level as u32, positions: num_positions });
            progress(0);
            let mut sorter = Sorter::new(self.scratch, self.budget, true)?;
            let visit: Visit<'_, Key<N>, N> = &|_, from, output| {
                for mv in from.moves {
                    let next = self.rules.successor(from, mv)?;
                    output[shard_of(hash(&next))].push(next);
                }
                Ok(())
            };
            self.expand(level, &mut self.jobs(level), &mut sorter, visit, &mut progress)?;
            if !self.add_level(sorter)? {
                return Ok(());
            }
        }
    }

    /// Sorts the moves from the positions of jobs of a level: the positions to which they lead, each with the number that `number`
    /// returns for the one from which the move leads. Calls `progress` with the number of positions that are expanded.
    pub(super) fn moves(
        &self,
        level: usize,
        jobs: &mut dyn Iterator<Item = Job>,
        number: &(dyn Fn(&Place, &Expanded<'_, N>) -> Result<usize> + Sync),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Sorter<(Key<N>, u32)>> {
        let mut sorter = Sorter::new(self.scratch, self.budget, false)?;
        let visit: Visit<'_, (Key<N>, u32), N> = &|place, from, output| {
            let number = number(place, from)?;
            for mv in from.moves {
                let next = self.rules.successor(from, mv)?;
                // Position numbers are less than 2^32.
                output[shard_of(hash(&next))].push((next, number as u32));
            }
            Ok(())
        };
        self.expand(level, jobs, &mut sorter, visit, progress)?;
        Ok(sorter)
    }

    /// Moves what `visit` adds to the outputs of jobs of a level to `sorter`, in batches.
    fn expand<T: Record>(
        &self,
        level: usize,
        jobs: &mut dyn Iterator<Item = Job>,
        sorter: &mut Sorter<T>,
        visit: Visit<'_, T, N>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<()> {
        let mut outputs: Vec<Output<T>> = vec![vec![Vec::new(); SHARDS]; BATCH];
        let (mut first, mut done) = (0, 0);
        loop {
            let batch: Vec<Job> = (&mut *jobs).take(BATCH).collect();
            if batch.is_empty() {
                return Ok(());
            }
            self.expand_batch(level, &batch, first, &mut outputs, visit)?;
            sorter.take(&mut outputs)?;
            first += batch.len();
            done += batch.iter().flatten().map(|piece| piece.numbers.len() as u64).sum::<u64>();
            progress(done);
        }
    }

    /// Calls `visit` with the place of each position of the jobs, its moves, and the output of its job. `first` is the number of the
    /// first job.
    fn expand_batch<T: Send>(
        &self,
        level: usize,
        jobs: &[Job],
        first: usize,
        outputs: &mut [Output<T>],
        visit: Visit<'_, T, N>,
    ) -> Result<()> {
        // Level numbers are far below 2^32.
        let plies = self.plies.map(|first| first + level as u32);
        let of_job = |(work, keys): &mut (Work, Vec<Key<N>>),
                      (job, (pieces, output)): (usize, (&Job, &mut Output<T>))| {
            let mut at = 0;
            for Piece { shard, numbers } in pieces {
                self.keys[*shard].read(numbers.start as u64..numbers.end as u64, keys)?;
                for (number, &key) in numbers.clone().zip(&*keys) {
                    self.rules.expand(key, work, &mut |from| {
                        if plies.is_some() && self.rules.game.plies_played(from.board) != plies {
                            let reason = "plies_played does not return the number of plies from the start";
                            return Err(self.rules.broken(&from, reason));
                        }
                        visit(&Place { job: first + job, at, shard: *shard, number }, &from, &mut *output)
                    })?;
                    at += 1;
                }
            }
            Ok(())
        };
        let jobs = jobs.par_iter().zip(outputs).enumerate();
        jobs.try_for_each_init(Default::default, of_job)
    }

    /// Adds a level with the positions of `sorter` that are in no earlier level. Returns `false` if there are none.
    fn add_level(&mut self, sorter: Sorter<Key<N>>) -> Result<bool> {
        let levels = if self.plies.is_some() { 0..0 } else { 0..self.levels.len() };
        let of_shard = |shard: usize, merge: Merge<'_, Key<N>>| {
            let earlier =
                levels.clone().map(|level| self.keys[shard].sorted(self.range(level, shard), BLOCK));
            let mut new = Records::new(self.scratch)?;
            let is_back = distinct(merge, earlier.collect(), &mut new)?;
            Ok((new, is_back))
        };
        let found = sorter.finish(self.budget, self.rules.interrupt, &of_shard)?;
        let is_new = found.iter().any(|(new, _)| new.len() > 0);
        self.is_layered &= !found.iter().any(|(_, is_back)| *is_back);
        self.keys.par_iter_mut().zip(found).try_for_each(|(keys, (new, _))| keys.extend(&new))?;
        if is_new {
            self.levels.push(std::array::from_fn(|shard| self.keys[shard].len() as usize));
        }
        Ok(is_new)
    }

    /// Sorts all positions of each shard, as if they were those of one level.
    pub(super) fn into_one_level(self) -> Result<Self> {
        let one = |(shard, keys): (usize, &Records<Key<N>>)| {
            let levels = (0..self.levels.len()).map(|level| keys.sorted(self.range(level, shard), BLOCK));
            let mut merge = Merge::new(levels.collect(), self.rules.interrupt)?;
            let mut sorted = Records::new(self.scratch)?;
            while let Some((key, _)) = merge.next()? {
                sorted.push(key)?;
            }
            sorted.flush()?;
            Ok(sorted)
        };
        let keys = self.keys.par_iter().enumerate().map(one).collect::<Result<Vec<_>>>()?;
        let levels = self.levels.last().copied().into_iter().collect();
        Ok(Self { keys, levels, plies: None, ..self })
    }

    /// Returns the places of the positions of a level in a shard.
    pub(super) fn range(&self, level: usize, shard: usize) -> Range<u64> {
        self.first(level)[shard] as u64..self.levels[level][shard] as u64
    }

    fn first(&self, level: usize) -> [usize; SHARDS] {
        level.checked_sub(1).map_or([0; SHARDS], |before| self.levels[before])
    }

    /// Splits the positions of a level into jobs.
    pub(super) fn jobs(&self, level: usize) -> impl Iterator<Item = Job> + use<G, N> {
        jobs_between::<N>(self.first(level), self.levels[level])
    }

    /// Returns the number of positions found so far.
    pub(super) fn num_positions(&self) -> u64 {
        self.keys.iter().map(Records::len).sum()
    }
}

/// Writes the distinct records of `merge` that are in none of the earlier sequences to `new`. Returns `true` if some are.
fn distinct<const N: usize>(
    mut merge: Merge<'_, Key<N>>,
    mut earlier: Vec<Sorted<Key<N>>>,
    new: &mut Records<Key<N>>,
) -> Result<bool> {
    let (mut last, mut is_back) = (None, false);
    while let Some((key, _)) = merge.next()? {
        if last.replace(key) == Some(key) {
            continue;
        }
        let mut is_known = false;
        for level in &mut earlier {
            if level.find(&key)?.is_some() {
                is_known = true;
                break;
            }
        }
        match is_known {
            true => is_back = true,
            false => new.push(key)?,
        }
    }
    new.flush()?;
    Ok(is_back)
}

/// Returns the error for a solve on disk that needs too much memory.
pub(super) fn too_large(name: &str, num_positions: u64, needed_bytes: u64, limit_bytes: u64) -> Error {
    let num_positions = nerode_games::grouped(num_positions.into());
    let what = format!("deciding the {num_positions} reached positions of {name} on disk");
    Error::TooLarge { what, needed_bytes: needed_bytes.into(), limit_bytes }
}
