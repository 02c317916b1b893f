//! The header of a stored sector: its rules, its positions, and the data that a look-up needs.

use nerode_games::morris::Rules;

use super::words::{PointOrder, RootSide};
use super::worth::Detail;
use crate::tables::Sector;

/// The data that a look-up needs in addition to the stored data of the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Probe {
    /// No additional data.
    Nothing,
    /// If a stone can be taken, the positions that captures lead to.
    Captures,
}

/// The properties that distinguish automata, apart from their edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The digest of the rules, see [`rules_digest`].
    pub rules: [u8; 32],
    /// The sector.
    pub sector: Sector,
    /// The side whose stones choose the root.
    pub root_side: RootSide,
    /// Whether worths include depths.
    pub detail: Detail,
    /// The data that a look-up needs in addition to the automaton.
    pub probe: Probe,
    /// The order in which points are read.
    pub order: PointOrder,
}

#[cfg(feature = "solve")]
impl Header {
    /// Describes the look-up of a position.
    pub(super) fn how(&self) -> String {
        let probe = if self.probe == Probe::Captures { ", captures searched" } else { "" };
        format!("stored, root {}{probe}", self.root_side.name())
    }
}

/// Returns a digest of all options that the values of sectors depend on, which do not include the number of stones at
/// the start.
pub fn rules_digest(rules: &Rules) -> [u8; 32] {
    let text = format!(
        "{:?} {:?} take {} {:?} fly {} full board {:?}",
        rules.board.kind(),
        rules.capture,
        rules.take,
        rules.phases,
        rules.fly,
        rules.full_board
    );
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// Returns a digest as text.
pub(super) fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
