//! A scan of every slot of a sector by all threads, which produces a single report.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::index::SectorIndex;
use nerode_solver::check::Report;
use nerode_solver::error::{Result, check_interrupt};

/// The number of slots that one task examines.
const CHUNK_SLOTS: u64 = 1 << 15;

/// Reports on every position of `index`. `begin` creates the state of a part, `look` examines each position of the
/// part, given as own and other stones, and `end` reports the remainder of the part. Runs on the threads of the current
/// pool. The first mismatch is that of the lowest part.
pub(crate) fn every_position<T>(
    index: &SectorIndex,
    interrupt: &AtomicBool,
    begin: impl Fn() -> T + Sync,
    look: impl Fn(&mut T, u32, u32, &mut Report) + Sync,
    end: impl Fn(T, &mut Report) + Sync,
) -> Result<Report> {
    every_part(index.num_slots(), interrupt, |slots, report| {
        let mut made = begin();
        index.for_each(slots, |_, own, other| look(&mut made, own, other, report));
        end(made, report);
        Ok(())
    })
}

/// Reports the results of `look` for all slots, on the threads of the current pool. The first mismatch and the error
/// are those of the lowest slot.
pub(crate) fn every_slot(
    num_slots: u64,
    interrupt: &AtomicBool,
    look: impl Fn(u64, &mut Report) -> Result<()> + Sync,
) -> Result<Report> {
    every_part(num_slots, interrupt, |mut slots, report| slots.try_for_each(|slot| look(slot, report)))
}

fn every_part(
    num_slots: u64,
    interrupt: &AtomicBool,
    look: impl Fn(Range<u64>, &mut Report) -> Result<()> + Sync,
) -> Result<Report> {
    let chunk = |chunk: u64| {
        check_interrupt(interrupt)?;
        let mut report = Report::default();
        look(chunk * CHUNK_SLOTS..num_slots.min((chunk + 1) * CHUNK_SLOTS), &mut report)?;
        Ok(report)
    };
    let reports: Vec<Result<Report>> =
        (0..num_slots.div_ceil(CHUNK_SLOTS)).into_par_iter().map(chunk).collect();
    reports.into_iter().try_fold(Report::default(), |mut all, report| {
        all.merge(report?);
        Ok(all)
    })
}
