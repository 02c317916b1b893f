//! A sector as sets by depth.

use nerode_dfa::Dfa;

/// Stones of the side to move and of the other, all on the board.
pub type Stones = [u8; 2];

/// Positions of a sector by depth, with P1 to move.
#[derive(Clone, Debug)]
pub struct SectorSets {
    /// How many stones P1 has, who is to move, and P2.
    pub stones: Stones,
    /// `by_depth[d]`: positions that end in d plies, won where d is odd, lost where it is even.
    pub by_depth: Vec<Dfa>,
    /// All positions of the sector.
    pub all: Dfa,
}

impl SectorSets {
    /// States of the sets of all depths together.
    pub fn num_states(&self) -> usize {
        self.by_depth.iter().map(Dfa::num_states).sum()
    }

    /// States of the largest of them.
    pub fn largest_num_states(&self) -> usize {
        self.by_depth.iter().map(Dfa::num_states).max().unwrap_or(0)
    }
}
