//! Imports a sector file of another program as a table of ours.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::foreign::Foreign;
use super::slot::Entry;
use crate::tables::scan::every_slot;
use crate::tables::{SectorTable, Width};
use nerode_solver::error::{Error, Result};

/// Converts the values of the file into a table of ours. Draws lose their ranks.
///
/// *Cost*: two passes, and one byte for each slot, or two if a depth exceeds 253.
///
/// # Errors
/// Returns [`Error::Corrupt`] as [`Foreign::check`] does, [`Error::TooLarge`], [`Error::TooDeep`] beyond 65 533 plies,
/// or [`Error::Interrupted`].
pub fn import(foreign: &Foreign, interrupt: &AtomicBool) -> Result<SectorTable> {
    let deepest = foreign.check(interrupt)?;
    let width = if deepest <= Width::One.most_depth() { Width::One } else { Width::Two };
    if deepest > width.most_depth() {
        let what = format!("a table of {}", foreign.path().display());
        return Err(Error::TooDeep { what, most: width.most_depth().into() });
    }
    let table = SectorTable::open(foreign.sector(), Arc::clone(foreign.index()), width)?;
    every_slot(foreign.index().num_slots(), interrupt, |slot, _| {
        match foreign.entry(slot)? {
            Entry::Hole(_) => table.codes.set(slot, width.hole()),
            Entry::Win(plies) | Entry::Loss(plies) => table.codes.set(slot, plies),
            Entry::Draw { .. } | Entry::RankedDraw { .. } => {}
        }
        Ok(())
    })?;
    Ok(table)
}
