//! Sets of a run: their names, and what the manifest says of each.

use nerode_dfa::Shape;
use nerode_games::Side;
use serde::{Deserialize, Serialize};

use crate::archive::stored::StoredFile;
use crate::error::{Error, Result};

/// What a set in a run holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `W_i` over all words.
    W,
    /// `L_i` over all words.
    L,
    /// Proved draws, over all words.
    D,
    /// Undecided within the plies searched, over all words.
    U,
    /// `R_i`: reachable at ply i, or, from [`admissible_from`](super::Request::admissible_from) on, admissible at that ply.
    R,
    /// In `R_i` and won.
    RW,
    /// In `R_i` and lost.
    RL,
    /// In `R_i` and proved drawn.
    RD,
    /// In `R_i` and undecided within the plies searched.
    RU,
}

/// Identifies a set of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetName {
    /// What it holds.
    pub kind: Kind,
    /// The side to move.
    pub side: Side,
    /// i.
    pub ply: u32,
}

impl SetName {
    /// The set that a manifest calls `text`; `None` where no set has that name.
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

/// A set as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetEntry {
    /// File below the run directory; several sets may share one.
    pub(crate) file: String,
    /// States of the automaton, constants not counted.
    pub(crate) num_states: u64,
    /// Words in the set.
    #[serde(with = "crate::archive::decimal")]
    pub(crate) num_positions: u128,
    /// Length and digest of the file.
    #[serde(flatten)]
    pub(crate) stored: StoredFile,
    /// Whether the file holds the mirror image: a word is in the set if the word with the sides swapped is in the file's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) mirror: bool,
    /// Whether the file was removed, because the last plies alone are kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) dropped: bool,
    /// Names of sets without whose words the file's set is this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) without: Vec<String>,
}

impl SetEntry {
    /// File below the run directory; several sets may share one.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Names of the sets of the run whose words are in the file and not in this set: `set = file \ ⋃ without`. Empty for a set that has
    /// a file of its own.
    pub fn without(&self) -> &[String] {
        &self.without
    }

    /// Whether the set is what other sets leave of a file, and has none of its own.
    pub fn is_remainder(&self) -> bool {
        !self.without.is_empty()
    }

    /// Bytes of the file, 0 for a set that is read from the files of others: a mirror image or a remainder.
    pub fn own_bytes(&self) -> u64 {
        if self.mirror || self.is_remainder() { 0 } else { self.stored.bytes }
    }

    /// States of the automaton, constants not counted.
    pub fn num_states(&self) -> u64 {
        self.num_states
    }

    /// Words in the set.
    pub fn num_positions(&self) -> u128 {
        self.num_positions
    }

    /// Length and digest of the file.
    pub fn stored(&self) -> &StoredFile {
        &self.stored
    }

    /// Whether the file holds the mirror image: a word is in the set if the word with the sides swapped is in the file's.
    pub fn is_mirror(&self) -> bool {
        self.mirror
    }

    /// Whether the file was removed, because the last plies alone are kept. Numbers and digest stay.
    pub fn is_dropped(&self) -> bool {
        self.dropped
    }

    /// Bytes that its tables take at most in memory; its words are those of `shape`.
    pub(crate) fn most_bytes(&self, shape: &Shape) -> u64 {
        let letters = shape.alphabets().iter().max().map_or(0, |&most| u64::from(most));
        self.num_states.saturating_mul(letters * size_of::<u32>() as u64)
    }

    /// Refuses a set whose file was removed.
    pub(crate) fn must_be_kept(&self) -> Result<()> {
        if self.dropped { Err(Error::NotKept { file: self.file.clone() }) } else { Ok(()) }
    }

    /// Refuses a mirror image, which has no automaton.
    pub(crate) fn must_be_stored(&self) -> Result<()> {
        if !self.mirror {
            return Ok(());
        }
        Err(Error::MirrorImage { file: self.file.clone() })
    }
}
