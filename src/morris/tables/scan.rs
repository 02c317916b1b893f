//! Every slot of a sector looked at by all threads, with one report.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::check::Report;
use crate::error::{Error, Result};

/// Slots that one task looks at.
const CHUNK_SLOTS: u64 = 1 << 13;

/// What `look` reports of all slots, on the threads of the pool in force; first mismatch and error are
/// those of the lowest slot.
pub(crate) fn every_slot(
    num_slots: u64,
    interrupt: &AtomicBool,
    look: impl Fn(u64, &mut Report) -> Result<()> + Sync,
) -> Result<Report> {
    let chunk = |chunk: u64| {
        if interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let mut report = Report::default();
        for slot in chunk * CHUNK_SLOTS..num_slots.min((chunk + 1) * CHUNK_SLOTS) {
            look(slot, &mut report)?;
        }
        Ok(report)
    };
    let reports: Vec<Result<Report>> =
        (0..num_slots.div_ceil(CHUNK_SLOTS)).into_par_iter().map(chunk).collect();
    reports.into_iter().try_fold(Report::default(), |mut all, report| {
        all.merge(report?);
        Ok(all)
    })
}
