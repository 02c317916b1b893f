//! The forms of solutions by sectors: as tables, packed, and as sets.

mod lookup;
mod packed;
#[cfg(feature = "solve")]
mod sample;
#[cfg(feature = "solve")]
mod sector;
#[cfg(feature = "solve")]
mod sets;
#[cfg(feature = "solve")]
mod tables;

#[cfg(feature = "solve")]
use std::path::Path;

#[cfg(feature = "solve")]
use nerode_solver::archive::Contents;
#[cfg(feature = "solve")]
use nerode_solver::error::Result;
#[cfg(feature = "solve")]
use nerode_solver::stored::{Library, Stored};

#[cfg(feature = "solve")]
use crate::compressed::PackedSectors;
#[cfg(feature = "solve")]
use crate::sets::SectorSetsSolution;

#[cfg(feature = "solve")]
pub use sector::Sector;
#[cfg(feature = "solve")]
pub use tables::StoredSectors;

/// Opens solutions by sectors.
///
/// # Errors
/// Returns the errors of the form.
#[cfg(feature = "solve")]
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
