//! The header of packed values.

use serde::{Deserialize, Serialize};

/// The header, which follows the maps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The spec of the game, such as `connect:5x4`.
    pub spec: String,
    /// The fingerprint of the rules.
    pub fingerprint: String,
    /// The letter order of the words.
    pub order: String,
    /// The digest of the manifest of the run.
    pub source: String,
    /// The number of retrograde plies from the last ply, which bounds depths.
    pub retrograde_plies: u32,
    /// Whether every reached position has a proved value.
    pub is_complete: bool,
    /// The mirror images that are looked up instead of their originals: for each map, `image[cell]` is the cell to which
    /// the content of `cell` moves.
    pub mirrors: Vec<Vec<u16>>,
    /// The plies, from ply 0 on.
    pub plies: Vec<PlyMaps>,
    /// The maps in the order of the file.
    pub maps: Vec<MapPlace>,
}

/// The maps of one ply, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyMaps {
    /// The admissible words, among which the other maps are right; `None` if these are all words.
    pub admissible: Option<u32>,
    /// `R_i`.
    pub reached: u32,
    /// The values of the words of `R_i` that are not terminal.
    pub values: u32,
}

/// The place of a map in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapPlace {
    /// The offset of its blocks.
    pub at: u64,
    /// The length of its blocks in bytes.
    pub bytes: u64,
    /// The length of its index in bytes, which follows the blocks.
    pub index_bytes: u64,
    /// The number of its states.
    pub num_states: u64,
    /// The BLAKE3 digest of its index.
    pub index_blake3: [u8; 32],
}

impl Header {
    /// Returns the number of states of all maps.
    pub fn num_states(&self) -> u64 {
        self.maps.iter().map(|map| map.num_states).sum()
    }
}
