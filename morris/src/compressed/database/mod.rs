//! A packed database: a folder with one file for each sector that has an automaton, and a manifest that names all
//! sectors.
//!
//! Sectors without an automaton are *derived*: a look-up searches one ply ahead. While a database is being built, it is
//! in a folder next to its final place, with the same name and the suffix `.part`. The folder is renamed once all
//! sectors are packed.
//!
//! Invariants: the manifest names a sector only after its file has been read back and compared with the sector's table.
//! A file is accepted only if it has the digest in the manifest. If it is read in parts, its head has the digest in the manifest,
//! and every part is verified by the head.

mod ahead;
#[cfg(feature = "solve")]
mod checking;
#[cfg(feature = "solve")]
mod looking;
#[cfg(feature = "solve")]
mod making;
#[cfg(feature = "solve")]
mod part;
mod reading;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use ahead::LookAhead;
#[cfg(feature = "solve")]
pub use making::{PackedSector, Packing, Progress, pack_directory};
pub use reading::PackedSectors;

use super::worth::{Detail, Worth};
use crate::tables::{GameName, Sector};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::Result;

const SUFFIX: &str = ".packed";

/// The contents of a folder of packed sectors.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    game: GameName,
    #[serde(flatten)]
    look_ahead: LookAhead,
    /// Whether depths are included.
    #[serde(default)]
    depths: bool,
    /// The number of sectors that have not been packed yet.
    left: usize,
    /// The entries by sector.
    sectors: BTreeMap<String, Entry>,
}

/// The manifest's entry for a sector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// The file of the automaton. A derived sector has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<PackedFile>,
    /// The numbers of the worths of its positions.
    worths: Vec<u16>,
    /// The number of positions up to symmetry.
    orbits: u64,
    /// The number of those positions that were looked up when the sector was packed.
    looked_up: u64,
    /// A description of its look-up.
    how: String,
    /// The digest of the tables from which it was built.
    source: String,
}

/// The lengths and digests of a file and of its head, by which its parts are found and verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PackedFile {
    #[serde(flatten)]
    whole: StoredFile,
    head: StoredFile,
}

impl Entry {
    fn worths(&self) -> Vec<Worth> {
        self.worths.iter().map(|&code| Worth::of_code(code)).collect()
    }

    fn bytes(&self) -> u64 {
        self.file.as_ref().map_or(0, |file| file.whole.bytes())
    }
}

impl Manifest {
    fn detail(&self) -> Detail {
        if self.depths { Detail::Depths } else { Detail::Values }
    }

    /// Returns the sectors with their entries.
    fn by_sector(&self) -> impl Iterator<Item = Result<(Sector, &Entry)>> {
        self.sectors.iter().map(|(name, entry)| Ok((name.parse()?, entry)))
    }
}

fn file_name(sector: Sector) -> String {
    format!("{sector}{SUFFIX}")
}
