//! Decides levels from the last to the first, if all moves lead from a level to the next one.

use std::sync::atomic::{AtomicU16, AtomicU64, Ordering};

use nerode_games::ExplicitGame;
use rayon::prelude::*;

use super::records::Records;
use super::rows::DiskRows;
use super::search::{DiskReached, Place, too_large};
use super::sort::Merge;
use crate::backward::{allocate, too_deep};
use crate::error::Result;
use crate::reached::control::{ReachedControl, Step};
use crate::reached::decide::{code_before, rank_of, table_of};
use crate::reached::packing::Key;
use crate::reached::search::{Expanded, Job, Piece};
use crate::reached::shards::SHARDS;

/// The number of records of the next level that are read at a time.
const BLOCK: u64 = 1 << 12;

/// A part of a level.
struct Part {
    jobs: Vec<Job>,
    /// The number of the first position of each job in the part.
    firsts: Vec<usize>,
    num_positions: usize,
}

/// The greatest ranks of successors found so far, or the code for a position without moves.
struct Ranks {
    ranks: Vec<AtomicU16>,
    /// A bit for each position without moves.
    over: Vec<AtomicU64>,
}

/// Decides all positions.
pub(super) fn decide<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    reached: DiskReached<'_, G, N>,
    control: &mut ReachedControl<'_>,
) -> Result<DiskRows<N>> {
    let codes = (0..SHARDS).map(|_| Records::new(reached.scratch)).collect::<Result<Vec<Records<u16>>>>()?;
    let total = reached.num_positions();
    let mut done = 0;
    for level in (0..reached.levels.len()).rev() {
        let mut jobs = reached.jobs(level);
        loop {
            let part = Part::of(&mut jobs, reached.budget);
            if part.num_positions == 0 {
                break;
            }
            decide_part(&reached, level, &part, &codes, &mut |now| {
                (control.progress)(Step::Decide { done: done + now, total });
            })?;
            done += part.num_positions as u64;
            (control.progress)(Step::Decide { done, total });
        }
    }
    let stretches = (0..reached.levels.len())
        .flat_map(|level| (0..SHARDS).map(move |shard| (level, shard)))
        .map(|(level, shard)| (shard, reached.range(level, shard)));
    let stretches = stretches.collect();
    Ok(DiskRows::new(reached.keys, codes, stretches, reached.rules.packing, reached.budget))
}

impl Part {
    /// Takes jobs whose ranks fit into this number of bytes, or one.
    fn of(jobs: &mut impl Iterator<Item = Job>, bytes: u64) -> Self {
        let most = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<u16>();
        let mut part = Self { jobs: Vec::new(), firsts: Vec::new(), num_positions: 0 };
        while part.num_positions < most.max(1)
            && let Some(job) = jobs.next()
        {
            part.firsts.push(part.num_positions);
            part.num_positions += job.iter().map(|piece| piece.numbers.len()).sum::<usize>();
            part.jobs.push(job);
        }
        part
    }
}

/// Decides the positions of a part of a level. Calls `progress` with the number of positions that are expanded.
fn decide_part<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    reached: &DiskReached<'_, G, N>,
    level: usize,
    part: &Part,
    codes: &[Records<u16>],
    progress: &mut dyn FnMut(u64),
) -> Result<()> {
    let count = part.num_positions;
    let lack =
        || too_large(reached.rules.name, reached.num_positions(), 2 * count as u64, 4 * reached.budget);
    let ranks = Ranks {
        ranks: allocate(count, || AtomicU16::new(0)).ok_or_else(lack)?,
        over: allocate(count.div_ceil(64), || AtomicU64::new(0)).ok_or_else(lack)?,
    };
    let number = |place: &Place, from: &Expanded<'_, N>| {
        let number = part.firsts[place.job] + place.at;
        if from.moves.is_empty() {
            ranks.end(number, reached.rules.terminal(from)?);
        }
        Ok(number)
    };
    let moves = reached.moves(level, &mut part.jobs.iter().cloned(), &number, progress)?;
    let next_level = |shard: usize| match level + 1 < reached.levels.len() {
        true => reached.range(level + 1, shard),
        false => 0..0,
    };
    let rate = |shard: usize, mut moves: Merge<'_, (Key<N>, u32)>| {
        let range = next_level(shard);
        let (mut keys, mut codes) = (reached.keys[shard].sorted(range.clone(), BLOCK), codes[shard].window());
        while let Some(((key, from), _)) = moves.next()? {
            // The search has found every successor, unless the game changes its mind.
            let number = keys.find(&key)?.ok_or_else(|| reached.rules.changed(&key))?;
            // The maximum does not depend on the order, so relaxed ordering suffices.
            let rank = rank_of(codes.get(number, range.end)?);
            ranks.ranks[from as usize].fetch_max(rank, Ordering::Relaxed);
        }
        Ok(())
    };
    moves.finish(reached.budget, reached.rules.interrupt, &rate)?;
    part.jobs.par_iter().zip(&part.firsts).try_for_each(|(job, &first)| {
        let mut at = first;
        for Piece { shard, numbers } in job {
            let found = (at..at + numbers.len()).map(|number| ranks.code(number));
            let found: Option<Vec<u16>> = found.collect();
            let found = found.ok_or_else(|| too_deep(&table_of(reached.rules.name)))?;
            codes[*shard].write(numbers.start as u64, &found)?;
            at += numbers.len();
        }
        Ok(())
    })
}

impl Ranks {
    /// Sets the code of a position without moves.
    fn end(&self, number: usize, code: u16) {
        self.ranks[number].store(code, Ordering::Relaxed);
        self.over[number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
    }

    /// Returns the code of a position, or `None` if its depth is too large.
    fn code(&self, number: usize) -> Option<u16> {
        let rank = self.ranks[number].load(Ordering::Relaxed);
        let is_over = self.over[number / 64].load(Ordering::Relaxed) >> (number % 64) & 1 == 1;
        if is_over { Some(rank) } else { code_before(rank) }
    }
}
