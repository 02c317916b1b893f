//! Databases in the format of Malom: sectors of nine men's morris and its relatives solved by others, read, compared and
//! imported; and our own sectors written in that form, to the byte.
//!
//! A strong file (`.sec`) holds value and depth of every position of a sector, an ultra-strong one (`.sec2`) also ranks draws by
//! the sector that perfect play ends up in; the ranks come from a list of sector values (`.secval`) beside it. The format is
//! described here in our own words, from its documentation; slots are numbered as [`SectorIndex`](crate::tables::SectorIndex)
//! numbers them.
//!
//! Invariant: nothing is believed or allocated on a file's word alone. Lengths follow from the sector; every entry that is read
//! is one that the format has.

pub mod algebra;
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
