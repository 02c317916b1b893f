//! Databases in the format of Malom. Reads, compares and imports sectors of nine men's morris and its relatives that
//! were solved by other programs, and writes our own sectors in that format, byte for byte.
//!
//! A strong file (`.sec`) holds the value and depth of every position of a sector. An ultra-strong file (`.sec2`) also
//! ranks draws by the sector that perfect play ends up in; the ranks refer to a list of sector values (`.secval`) next
//! to it. The format is described here in our own words, based on its documentation. Slots are numbered as in
//! [`SectorIndex`](crate::tables::SectorIndex).
//!
//! Invariant: data from a file is never trusted, and lengths from a file never determine allocations. Lengths follow
//! from the sector, and every entry that is read is valid in the format.

mod body;
pub mod compare;
pub(crate) mod counters;
mod describe;
pub mod equations;
pub mod folder;
pub mod foreign;
mod import;
pub mod list;
pub mod name;
pub mod sec;
pub mod sec2;
pub mod secval;
pub mod slot;

pub use compare::compare;
pub use equations::check_ultra;
pub use folder::{Exported, Record, files_of, is_record};
pub use foreign::{Foreign, open};
pub use import::import;
pub use list::listed;
pub use name::{FileName, Kind, Variant};
pub use sec::{SecExport, export_sec};
pub use secval::SectorValues;
pub use slot::{Entry, Stored};
