//! Decides reached positions, in one of two ways that give the same codes.
//!
//! - If all moves lead from a level to the next one, the levels are decided from the last to the first.
//! - Otherwise, positions are decided in the order of their depths, by stored predecessors.

use std::sync::atomic::{AtomicU16, Ordering};

use nerode_games::outcome::code16::{self, DRAW, UNKNOWN};
use nerode_games::{ExplicitGame, grouped};
use rayon::prelude::*;

use super::control::{ReachedControl, Step};
use super::packing::{Key, hash};
use super::search::{BATCH, Expanded, Job, Piece, Reached, Work};
use super::shards::{SHARDS, shard_of};
use crate::backward::{Arrivals, Backward, Codes, allocate, too_deep};
use crate::error::{Error, Result};

/// The moves from the positions of a job.
struct List<const N: usize> {
    /// For each shard, the positions to which moves lead, with the numbers of those from which they lead.
    moves: Vec<Vec<(Key<N>, u32)>>,
    /// The positions without moves, with their codes.
    terminals: Vec<(usize, u16)>,
}

impl<const N: usize> Default for List<N> {
    fn default() -> Self {
        Self { moves: vec![Vec::new(); SHARDS], terminals: Vec::new() }
    }
}

/// The rank of a drawn successor.
const DRAWN: u16 = 1 << 15;

/// Returns the rank of a successor for the side that moves to it: it is higher for better successors, and never 0.
pub(super) fn rank_of(code: u16) -> u16 {
    match code {
        DRAW => DRAWN,
        // The fastest win is the best move, and the slowest loss if there is none.
        code if code16::is_loss(code) => u16::MAX - code16::depth(code),
        code => 1 + code16::depth(code),
    }
}

/// Returns the code of a position whose best successor has a rank, or `None` if the depth is too large. Rank 0 is that of a position
/// without moves, whose code is then replaced.
pub(super) fn code_before(rank: u16) -> Option<u16> {
    match rank {
        DRAWN => Some(DRAW),
        rank if rank > DRAWN => code16::win_in(u16::MAX - rank + 1),
        rank => code16::loss_in(rank),
    }
}

/// A function that is called with the number of a position, and with its moves. It is not a type parameter, because one copy of the
/// code around it is as fast as one for each function.
pub(super) type Visit<'a, const N: usize> = &'a (dyn Fn(usize, &Expanded<'_, N>) -> Result<()> + Sync);

/// The positions with consecutive numbers over all shards.
pub(super) struct Numbered<'a, 'b, G: ?Sized, const N: usize> {
    reached: &'b Reached<'a, G, N>,
    /// The number of the first position of each shard.
    firsts: [usize; SHARDS],
}

/// Returns the code of each position, in the order of shards and of numbers within them.
pub(super) fn decide<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    reached: &mut Reached<'_, G, N>,
    control: &mut ReachedControl<'_>,
) -> Result<Codes> {
    // The search verified that this number is less than 2^32.
    let count = reached.num_positions() as usize;
    let codes = allocate(count, || AtomicU16::new(UNKNOWN)).ok_or_else(|| too_large(reached, control, 2))?;
    // The counts take memory that the levels do not need.
    let arrivals = reached.take_arrivals().filter(|_| !reached.is_layered);
    let reached = &*reached;
    if reached.is_layered {
        Numbered::new(reached).by_level(&codes, control)?;
    } else {
        let numbered = Numbered::new(reached);
        let at_end = |number: usize, from: &Expanded<'_, N>| {
            codes[number].store(reached.rules.terminal(from)?, Ordering::Relaxed);
            Ok(())
        };
        let backward = numbered.backward(arrivals, size_of::<u16>(), &at_end, control)?;
        backward.run(&table_of(reached.rules.name), &codes, control.interrupt)?;
    }
    Ok(codes)
}

/// Returns the error for a solve of which each position takes `each` more bytes than the search.
pub(super) fn too_large<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    reached: &Reached<'_, G, N>,
    control: &ReachedControl<'_>,
    each: u64,
) -> Error {
    let count = reached.num_positions();
    Error::TooLarge {
        what: format!("deciding the {} reached positions of {}", grouped(count.into()), reached.rules.name),
        needed_bytes: u128::from(reached.bytes()) + u128::from(each) * u128::from(count),
        limit_bytes: control.memory_limit,
    }
}

/// Returns the name of the table in errors.
pub(super) fn table_of(name: &str) -> String {
    format!("a table of the reached positions of {name}")
}

impl<'a, 'b, G: ExplicitGame + Sync + ?Sized, const N: usize> Numbered<'a, 'b, G, N> {
    pub(super) fn new(reached: &'b Reached<'a, G, N>) -> Self {
        let mut at = 0;
        let firsts = std::array::from_fn(|shard| {
            let first = at;
            at += reached.shards[shard].keys.len();
            first
        });
        Self { reached, firsts }
    }

    /// Returns the number of a reached position.
    fn number(&self, key: &Key<N>) -> Option<usize> {
        let hash = hash(key);
        let shard = shard_of(hash);
        Some(self.firsts[shard] + self.reached.shards[shard].find(key, hash)?)
    }

    /// Returns the numbers of the positions to which the moves lead.
    fn successors<'m>(
        &'m self,
        from: &'m Expanded<'m, N>,
    ) -> impl Iterator<Item = Result<usize>> + use<'m, 'a, 'b, G, N> {
        from.moves.iter().map(|mv| {
            let next = self.reached.rules.successor(from, mv)?;
            // The search has found every successor, unless the game changes its mind.
            self.number(&next)
                .ok_or_else(|| self.reached.rules.broken(from, "its moves change from one call to the next"))
        })
    }

    /// Decides the levels from the last to the first. As in the search, threads sort the successors of a batch by shard, and each
    /// shard is then read by one thread, because look-ups all over the table would wait for memory most of the time.
    fn by_level(&self, codes: &Codes, control: &mut ReachedControl<'_>) -> Result<()> {
        let total = codes.len() as u64;
        let mut done = 0;
        let mut lists: Vec<List<N>> = (0..BATCH).map(|_| List::default()).collect();
        for level in (0..self.reached.levels.len()).rev() {
            for batch in self.reached.jobs(level).chunks(BATCH) {
                let lists = &mut lists[..batch.len()];
                batch.par_iter().zip(&mut *lists).try_for_each_init(Work::default, |work, (job, list)| {
                    self.list(job, work, list, codes)
                })?;
                (0..SHARDS).into_par_iter().try_for_each(|shard| self.rate(shard, lists, codes))?;
                done += batch
                    .par_iter()
                    .zip(&mut *lists)
                    .map(|(job, list)| self.settle(job, list, codes))
                    .try_reduce(|| 0, |a, b| Ok(a + b))?;
                (control.progress)(Step::Decide { done, total });
            }
        }
        Ok(())
    }

    /// Lists the moves from the positions of a job.
    fn list(&self, job: &Job, work: &mut Work, list: &mut List<N>, codes: &Codes) -> Result<()> {
        self.reached.visit(job, work, &mut |shard, number, from| {
            let number = self.firsts[shard] + number;
            if from.moves.is_empty() {
                list.terminals.push((number, self.reached.rules.terminal(&from)?));
            }
            codes[number].store(0, Ordering::Relaxed);
            for mv in from.moves {
                let next = self.reached.rules.successor(&from, mv)?;
                // Position numbers are less than 2^32.
                list.moves[shard_of(hash(&next))].push((next, number as u32));
            }
            Ok(())
        })
    }

    /// Raises the ranks of positions to those of their successors in a shard. Until [`Numbered::settle`], ranks take the places of
    /// codes.
    fn rate(&self, shard: usize, lists: &[List<N>], codes: &Codes) -> Result<()> {
        for (key, from) in lists.iter().flat_map(|list| &list.moves[shard]) {
            // The search has found every successor, unless the game changes its mind.
            let found = self.reached.shards[shard].find(key, hash(key));
            let number = found.ok_or_else(|| self.reached.rules.changed(key))?;
            // Threads share nothing but the ranks, whose maximum does not depend on the order, and codes of a later level, so
            // relaxed ordering suffices.
            let code = codes[self.firsts[shard] + number].load(Ordering::Relaxed);
            codes[*from as usize].fetch_max(rank_of(code), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Replaces the ranks of the positions of a job by codes, and clears the list.
    fn settle(&self, job: &Job, list: &mut List<N>, codes: &Codes) -> Result<u64> {
        let mut done = 0;
        for Piece { shard, numbers } in job {
            for code in &codes[self.firsts[*shard] + numbers.start..self.firsts[*shard] + numbers.end] {
                let to = code_before(code.load(Ordering::Relaxed));
                code.store(
                    to.ok_or_else(|| too_deep(&table_of(self.reached.rules.name)))?,
                    Ordering::Relaxed,
                );
                done += 1;
            }
        }
        for (number, code) in list.terminals.drain(..) {
            codes[number].store(code, Ordering::Relaxed);
        }
        list.moves.iter_mut().for_each(Vec::clear);
        Ok(done)
    }

    /// Finds the predecessors of all positions, and calls `at_end` with those without moves. `arrivals` contains the number of moves
    /// to each position, if the search counted them. The caller takes `each` bytes a position.
    pub(super) fn backward(
        &self,
        arrivals: Option<Vec<u32>>,
        each: usize,
        at_end: Visit<'_, N>,
        control: &mut ReachedControl<'_>,
    ) -> Result<Backward> {
        // The search verified that this number is less than 2^32.
        let count = self.reached.num_positions() as usize;
        let jobs = self.reached.all_jobs();
        let total = if arrivals.is_some() { count as u64 } else { 2 * count as u64 };
        let mut done = 0;
        let is_counted = arrivals.is_some();
        let arrivals = arrivals.map(Arrivals::counted).or_else(|| Arrivals::new(count));
        let arrivals = arrivals.ok_or_else(|| too_large(self.reached, control, 6))?;
        if !is_counted {
            for batch in jobs.chunks(BATCH) {
                done += self.in_batch(batch, &|_, from| {
                    for next in self.successors(from) {
                        arrivals.add(next?);
                    }
                    Ok(())
                })?;
                (control.progress)(Step::Decide { done, total });
            }
        }
        let what = format!("reached positions of {}", self.reached.rules.name);
        let bytes = self.reached.bytes() + (each * count) as u64;
        let lists = arrivals.into_lists(&what, bytes, control.memory_limit)?;
        for batch in jobs.chunks(BATCH) {
            done += self.in_batch(batch, &|number, from| {
                if from.moves.is_empty() {
                    at_end(number, from)?;
                }
                let moves = lists.set_moves(number, from.moves.len());
                moves.ok_or_else(|| self.reached.rules.broken(from, "there are more than 65535 moves"))?;
                for next in self.successors(from) {
                    // Position numbers are less than 2^32.
                    let added = lists.add(next?, number as u32);
                    added.ok_or_else(|| {
                        self.reached.rules.broken(from, "its moves change from one call to the next")
                    })?;
                }
                Ok(())
            })?;
            (control.progress)(Step::Decide { done, total });
        }
        Ok(lists.finish())
    }

    fn in_batch(&self, batch: &[Job], visit: Visit<'_, N>) -> Result<u64> {
        let of_job = |work: &mut Work, job: &Job| {
            let mut done = 0;
            self.reached.visit(job, work, &mut |shard, number, from| {
                done += 1;
                visit(self.firsts[shard] + number, &from)
            })?;
            Ok(done)
        };
        batch.par_iter().map_init(Work::default, of_job).try_reduce(|| 0, |a, b| Ok(a + b))
    }
}

#[cfg(test)]
mod tests {
    use nerode_games::outcome::code16::MAX_DEPTH;

    use super::*;

    /// Returns the code of a position by the definition: the fastest win, else a draw, else the slowest loss.
    fn by_definition(successors: &[u16]) -> Option<u16> {
        let losses = successors.iter().filter(|&&code| code16::is_loss(code)).min();
        match (losses, successors.contains(&DRAW)) {
            (Some(&loss), _) => code16::win_before(loss),
            (None, true) => Some(DRAW),
            (None, false) => successors.iter().max().and_then(|&win| code16::loss_before(win)),
        }
    }

    #[test]
    fn the_highest_rank_decides_as_the_definition() {
        let depths = [0, 1, 2, 300, MAX_DEPTH - 1, MAX_DEPTH];
        let wins = depths.iter().filter_map(|&depth| code16::win_in(depth));
        let losses = depths.iter().filter_map(|&depth| code16::loss_in(depth));
        let codes: Vec<u16> = wins.chain(losses).chain([DRAW]).collect();
        assert_eq!(codes.len(), 13);
        for &one in &codes {
            for &other in &codes {
                for &third in &codes {
                    let all = [one, other, third];
                    let rank = all.into_iter().map(rank_of).fold(0, u16::max);
                    assert_eq!(code_before(rank), by_definition(&all), "{all:?}");
                }
            }
        }
    }
}
