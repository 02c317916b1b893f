//! Sets of a run: their names and their entries in the manifest.

use nerode_dfa::Shape;
use nerode_games::Side;
use serde::{Deserialize, Serialize};

use crate::archive::decimal::Decimal;
use crate::archive::stored::StoredFile;
use crate::error::{Error, Result};

/// The kind of a set in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `W_i` over all words.
    W,
    /// `L_i` over all words.
    L,
    /// Proved draws, over all words.
    D,
    /// Positions that are undecided within the plies searched, over all words.
    U,
    /// `R_i`: the positions that are reachable at ply i or, from [`admissible_from`](super::Request::admissible_from)
    /// on, admissible at that ply.
    R,
    /// The won positions in `R_i`.
    RW,
    /// The lost positions in `R_i`.
    RL,
    /// The proved draws in `R_i`.
    RD,
    /// The positions in `R_i` that are undecided within the plies searched.
    RU,
}

/// The name of a set of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetName {
    /// The kind of the set.
    pub kind: Kind,
    /// The side to move.
    pub side: Side,
    /// The ply i.
    pub ply: u32,
}

impl SetName {
    /// Parses a name as it occurs in a manifest. Returns `None` if no set has that name.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let kind = match parts.next()? {
            "W" => Kind::W,
            "L" => Kind::L,
            "D" => Kind::D,
            "U" => Kind::U,
            "R" => Kind::R,
            "RW" => Kind::RW,
            "RL" => Kind::RL,
            "RD" => Kind::RD,
            "RU" => Kind::RU,
            _ => return None,
        };
        let side = parts.next()?;
        let side = Side::BOTH.into_iter().find(|known| known.to_string() == side)?;
        let name = Self { kind, side, ply: parts.next()?.parse().ok()? };
        (name.to_string() == text).then_some(name)
    }
}

impl std::fmt::Display for SetName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}-{}-{:03}", self.kind, self.side, self.ply)
    }
}

/// A set as listed in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetEntry {
    /// The file, relative to the directory of the run. Several sets may share a file.
    pub(crate) file: String,
    /// The number of states of the automaton, excluding constants.
    pub(crate) num_states: u64,
    /// The number of words in the set.
    #[serde(with = "Decimal")]
    pub(crate) num_positions: u128,
    /// The length and digest of the file.
    #[serde(flatten)]
    pub(crate) stored: StoredFile,
    /// `true` if the file contains the mirror image: a word is in the set if the word with the sides swapped is in the
    /// set of the file.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) mirror: bool,
    /// `true` if the file was removed because only the last plies are kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) dropped: bool,
    /// The names of the sets that have to be removed from the set in the file to obtain this set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) without: Vec<String>,
}

impl SetEntry {
    /// Returns the file, relative to the directory of the run. Several sets may share a file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Returns the names of the sets that have to be removed from the set in the file to obtain this set:
    /// `set = file \ ⋃ without`. Empty for a set that has a file of its own.
    pub fn without(&self) -> &[String] {
        &self.without
    }

    /// Returns `true` if the set has no file of its own and is the remainder of a file after removing other sets.
    pub fn is_remainder(&self) -> bool {
        !self.without.is_empty()
    }

    /// Returns the size of the file in bytes, or 0 for a mirror image or a remainder, which is read from the files of
    /// other sets.
    pub fn own_bytes(&self) -> u64 {
        if self.mirror || self.is_remainder() { 0 } else { self.stored.bytes }
    }

    /// Returns the number of states of the automaton, excluding constants.
    pub fn num_states(&self) -> u64 {
        self.num_states
    }

    /// Returns the number of words in the set.
    pub fn num_positions(&self) -> u128 {
        self.num_positions
    }

    /// Returns the length and digest of the file.
    pub fn stored(&self) -> &StoredFile {
        &self.stored
    }

    /// Returns `true` if the file contains the mirror image: a word is in the set if the word with the sides swapped is
    /// in the set of the file.
    pub fn is_mirror(&self) -> bool {
        self.mirror
    }

    /// Returns `true` if the file was removed because only the last plies are kept. The numbers and the digest remain
    /// available.
    pub fn is_dropped(&self) -> bool {
        self.dropped
    }

    /// Returns an upper bound for the size of its tables in memory in bytes, where `shape` is the shape of its words.
    pub(crate) fn most_bytes(&self, shape: &Shape) -> u64 {
        let letters = shape.alphabets().iter().max().map_or(0, |&most| u64::from(most));
        self.num_states.saturating_mul(letters * size_of::<u32>() as u64)
    }

    /// Returns an error if the file of the set was removed.
    pub(crate) fn must_be_kept(&self) -> Result<()> {
        if self.dropped { Err(Error::NotKept { file: self.file.clone() }) } else { Ok(()) }
    }

    /// Returns an error for a mirror image, which has no automaton.
    pub(crate) fn must_be_stored(&self) -> Result<()> {
        if !self.mirror {
            return Ok(());
        }
        Err(Error::MirrorImage { file: self.file.clone() })
    }
}
