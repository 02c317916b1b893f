//! Value ranges of early positions, in a folder next to the sectors. For every position that play from the start
//! reaches after a given number of placements, they store what a search into the available sectors has shown (paper
//! 001, section 1.2).
//!
//! Invariant: every range contains the value of its position. Ranges are only read if they were written for the same
//! rules.

mod folder;
mod ranges;
mod reached;

pub use folder::{EarlyBounds, EarlySector, Stored};
pub use ranges::{RangeCounts, SectorRanges};
pub use reached::{Reached, after_placements};
