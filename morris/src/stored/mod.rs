//! The forms of solutions by sectors: as tables, packed, and as sets.

mod lookup;
mod packed;
mod sample;
mod sector;
mod sets;
mod tables;

use std::path::Path;

use nerode_solver::archive::Contents;
use nerode_solver::error::Result;
use nerode_solver::stored::{Library, Stored};

use crate::compressed::PackedSectors;
use crate::sets::SectorSetsSolution;

pub use sector::Sector;
pub use tables::StoredSectors;

/// Opens solutions by sectors.
///
/// # Errors
/// Returns the errors of the form.
pub fn open_sectors(
    _library: &Library<'_>,
    kind: Option<Contents>,
    path: &Path,
) -> Result<Option<Box<dyn Stored>>> {
    Ok(Some(match kind {
        Some(Contents::Sectors) => Box::new(StoredSectors::open(path)?),
        Some(Contents::SectorSets) => Box::new(SectorSetsSolution::open(path)?),
        Some(Contents::PackedSectors) => Box::new(PackedSectors::open(path)?),
        _ => return Ok(None),
    }))
}
