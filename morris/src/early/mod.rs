//! Ranges of values of early positions, in a folder beside the sectors: of every position that play from the start comes to with so
//! many stones placed, what a search into the sectors that are there has shown (paper 001, section 1.2).
//!
//! Invariant: every range holds the value. What is read was written for the same rules.

mod folder;
mod ranges;
mod reached;

pub use folder::FOLDER;
pub use folder::{EarlyBounds, EarlySector, Stored};
pub use ranges::{RangeCounts, SectorRanges};
pub use reached::{Reached, after_placements};
