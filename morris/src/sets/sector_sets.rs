//! A sector as sets by depth.

use nerode_dfa::Dfa;

/// The stones of the side to move and of the other side, all on the board.
pub type Stones = [u8; 2];

/// The positions of a sector by depth, with P1 to move.
#[derive(Clone, Debug)]
pub struct SectorSets {
    /// The numbers of stones of P1, who is to move, and of P2.
    pub stones: Stones,
    /// `by_depth[d]` contains the positions that end in d plies, which are won if d is odd and lost if d is even.
    pub by_depth: Vec<Dfa>,
    /// All positions of the sector.
    pub all: Dfa,
}

impl SectorSets {
    /// Returns the total number of states of the sets of all depths.
    pub fn num_states(&self) -> usize {
        self.by_depth.iter().map(Dfa::num_states).sum()
    }

    /// Returns the number of states of the largest set.
    pub fn largest_num_states(&self) -> usize {
        self.by_depth.iter().map(Dfa::num_states).max().unwrap_or(0)
    }
}
