//! A packed database: a folder with one file for each sector that has an automaton, and a manifest that names all sectors.
//!
//! Sectors without an automaton are *derived*: a look-up looks one ply ahead. While a database is made it is in a folder beside its
//! place, called after it with `.part` at the end. It takes its place once all sectors are packed.
//!
//! Invariants: the manifest names a sector only after its file was read back and compared with the sector's table; a file is
//! believed only if it has the digest that the manifest names.

mod ahead;
mod checking;
mod looking;
mod making;
mod part;
mod reading;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use ahead::LookAhead;
pub use making::{PackedSector, Packing, Progress, pack_directory};
pub use reading::PackedSectors;

use super::worth::{Detail, Worth};
use crate::tables::{GameName, Sector};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::Result;

const SUFFIX: &str = ".packed";

/// What a folder of packed sectors holds.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    #[serde(flatten)]
    game: GameName,
    #[serde(flatten)]
    look_ahead: LookAhead,
    /// Whether plies to the end are told.
    #[serde(default)]
    depths: bool,
    /// Sectors that are still to be packed.
    left: usize,
    /// By sector.
    sectors: BTreeMap<String, Entry>,
}

/// What is kept of a sector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// The automaton. A derived sector has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<StoredFile>,
    /// The worths that positions have, by their numbers.
    worths: Vec<u16>,
    /// Positions up to symmetry.
    orbits: u64,
    /// Those of them that were looked up when it was packed.
    looked_up: u64,
    /// How it is looked up, in words.
    how: String,
    /// Digest of the tables that it was made from.
    source: String,
}

impl Entry {
    fn worths(&self) -> Vec<Worth> {
        self.worths.iter().map(|&code| Worth::of_code(code)).collect()
    }

    fn bytes(&self) -> u64 {
        self.file.as_ref().map_or(0, StoredFile::bytes)
    }
}

impl Manifest {
    fn detail(&self) -> Detail {
        if self.depths { Detail::Depths } else { Detail::Values }
    }

    /// The sectors with what is kept of them.
    fn by_sector(&self) -> impl Iterator<Item = Result<(Sector, &Entry)>> {
        self.sectors.iter().map(|(name, entry)| Ok((name.parse()?, entry)))
    }
}

fn file_name(sector: Sector) -> String {
    format!("{sector}{SUFFIX}")
}
