//! Decides positions in the order of their depths, by predecessors in files.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use nerode_games::ExplicitGame;
use nerode_games::outcome::code16::{self, DRAW, UNKNOWN};
use rayon::prelude::*;

use super::records::Records;
use super::rows::DiskRows;
use super::search::{DiskReached, Place, too_large};
use super::sort::Merge;
use crate::backward::{Codes, Depth, allocate};
use crate::error::{Error, Result};
use crate::reached::control::{ReachedControl, Step};
use crate::reached::decide::table_of;
use crate::reached::packing::Key;
use crate::reached::search::Expanded;
use crate::reached::shards::SHARDS;

/// The number of records that are read at a time.
const BLOCK: u64 = 1 << 12;

/// The predecessors of the positions of a shard.
struct Predecessors {
    /// For each position, the end of its predecessors, which begin at the end of those of the position before it.
    ends: Records<u64>,
    /// The numbers of predecessors over all shards.
    numbers: Records<u32>,
}

/// Decides all positions.
pub(super) fn decide<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    reached: DiskReached<'_, G, N>,
    control: &mut ReachedControl<'_>,
) -> Result<DiskRows<N>> {
    let reached = reached.into_one_level()?;
    // The search verified that this number is less than 2^32.
    let count = reached.num_positions() as usize;
    let lack = || too_large(reached.rules.name, count as u64, 8 * count as u64, control.memory_limit);
    // Codes and numbers of moves, beside two lists of the sorter.
    let fits = 4 * count as u64 <= 2 * reached.budget;
    let lists =
        fits.then(|| allocate(count, || AtomicU16::new(UNKNOWN)).zip(allocate(count, || AtomicU16::new(0))));
    let (codes, open) = lists.flatten().ok_or_else(lack)?;
    let firsts = firsts(&reached);
    let predecessors = predecessors(&reached, &firsts, &codes, &open, control)?;
    let table = table_of(reached.rules.name);
    for depth in 1.. {
        let next = Depth::new(depth);
        let found = predecessors.par_iter().enumerate().map(|(shard, lists)| {
            let of_shard = &codes[firsts[shard]..firsts[shard] + lists.ends.len() as usize];
            let last = decided_at(depth - 1, of_shard);
            lists.each_before(last, reached.rules.interrupt, &mut |is_loss, before| {
                next.decides(is_loss, &codes[before], &open[before], &table)
            })
        });
        if !found.try_reduce(|| false, |a, b| Ok(a | b))? {
            break;
        }
    }
    drop(open);
    let write = |(shard, &first): (usize, &usize)| {
        let mut file = Records::new(reached.scratch)?;
        for code in &codes[first..first + reached.keys[shard].len() as usize] {
            let code = code.load(Ordering::Relaxed);
            // Both sides can avoid losing forever.
            file.push(if code == UNKNOWN { DRAW } else { code })?;
        }
        file.flush()?;
        Ok(file)
    };
    let files = firsts.par_iter().enumerate().map(write).collect::<Result<Vec<_>>>()?;
    let stretches = (0..SHARDS).map(|shard| (shard, reached.range(0, shard))).collect();
    Ok(DiskRows::new(reached.keys, files, stretches, reached.rules.packing, reached.budget))
}

/// Returns the number of the first position of each shard.
fn firsts<G: ExplicitGame + Sync + ?Sized, const N: usize>(reached: &DiskReached<'_, G, N>) -> Vec<usize> {
    let mut at = 0;
    let first = |keys: &Records<Key<N>>| {
        let first = at;
        at += keys.len() as usize;
        first
    };
    reached.keys.iter().map(first).collect()
}

/// Returns the places of the positions that are decided at a depth, and whether they are lost.
fn decided_at(depth: u16, codes: &[AtomicU16]) -> impl Iterator<Item = (u64, bool)> {
    let (win, loss) = (code16::win_in(depth), code16::loss_in(depth));
    codes.iter().enumerate().filter_map(move |(at, code)| {
        let code = Some(code.load(Ordering::Relaxed));
        (code == win || code == loss).then_some((at as u64, code == loss))
    })
}

/// Finds the predecessors of all positions, the codes of those without moves, and the numbers of moves of the others.
fn predecessors<G: ExplicitGame + Sync + ?Sized, const N: usize>(
    reached: &DiskReached<'_, G, N>,
    firsts: &[usize],
    codes: &Codes,
    open: &[AtomicU16],
    control: &mut ReachedControl<'_>,
) -> Result<Vec<Predecessors>> {
    let total = codes.len() as u64;
    let number = |place: &Place, from: &Expanded<'_, N>| {
        let number = firsts[place.shard] + place.number;
        if from.moves.is_empty() {
            codes[number].store(reached.rules.terminal(from)?, Ordering::Relaxed);
        }
        let moves = u16::try_from(from.moves.len())
            .map_err(|_| reached.rules.broken(from, "there are more than 65535 moves"))?;
        open[number].store(moves, Ordering::Relaxed);
        Ok(number)
    };
    let mut progress = |done| (control.progress)(Step::Decide { done, total });
    let moves = reached.moves(0, &mut reached.jobs(0), &number, &mut progress)?;
    let of_shard = |shard: usize, mut moves: Merge<'_, (Key<N>, u32)>| {
        let mut keys = reached.keys[shard].sorted(reached.range(0, shard), BLOCK);
        let (mut ends, mut numbers) = (Records::new(reached.scratch)?, Records::new(reached.scratch)?);
        while let Some(((key, from), _)) = moves.next()? {
            // The search has found every successor, unless the game changes its mind.
            let at = keys.find(&key)?.ok_or_else(|| reached.rules.changed(&key))?;
            while ends.len() < at {
                ends.push(numbers.len())?;
            }
            numbers.push(from)?;
        }
        while ends.len() < reached.keys[shard].len() {
            ends.push(numbers.len())?;
        }
        ends.flush()?;
        numbers.flush()?;
        Ok(Predecessors { ends, numbers })
    };
    moves.finish(reached.budget, reached.rules.interrupt, &of_shard)
}

impl Predecessors {
    /// Calls `decides` with each predecessor of the given positions, and whether the position is lost. Returns whether some call
    /// returned `true`.
    fn each_before(
        &self,
        positions: impl Iterator<Item = (u64, bool)>,
        interrupt: &AtomicBool,
        decides: &mut dyn FnMut(bool, usize) -> Result<bool>,
    ) -> Result<bool> {
        let (mut ends, mut numbers) = (self.ends.window(), self.numbers.window());
        let mut is_any = false;
        for (at, is_loss) in positions {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Error::Interrupted);
            }
            let first = match at.checked_sub(1) {
                Some(before) => ends.get(before, self.ends.len())?,
                None => 0,
            };
            for place in first..ends.get(at, self.ends.len())? {
                let before = numbers.get(place, self.numbers.len())?;
                is_any |= decides(is_loss, before as usize)?;
            }
        }
        Ok(is_any)
    }
}
