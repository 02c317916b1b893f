//! How a stored sector was made: the rules, the positions, and what a look-up must look at.

use nerode_games::morris::Rules;

use super::words::{PointOrder, RootSide};
use super::worth::Detail;
use crate::tables::Sector;

/// What a look-up looks at beside what is stored of the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Probe {
    /// Nothing.
    Nothing,
    /// Where a stone can be taken, the positions that captures lead to.
    Captures,
}

/// What sets one automaton apart from another beside its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Digest of the rules, see [`rules_digest`].
    pub rules: [u8; 32],
    /// Which positions.
    pub sector: Sector,
    /// Whose stones choose the root.
    pub root_side: RootSide,
    /// Whether worths tell depths.
    pub detail: Detail,
    /// What a look-up must look at beside the automaton.
    pub probe: Probe,
    /// The order in which points are read.
    pub order: PointOrder,
}

impl Header {
    /// How a position is looked up, in words.
    pub(super) fn how(&self) -> String {
        let probe = if self.probe == Probe::Captures { ", captures looked at" } else { "" };
        format!("stored, root {}{probe}", self.root_side.name())
    }
}

/// Digest of all options that values of sectors depend on; not of the number of stones at the start.
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

/// A digest as text.
pub(super) fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
