//! Multi-valued retrograde analysis of one work unit, from the ranked sectors that it leads to (paper 000, sections III-C and IV-B).
//!
//! The paper keeps a queue of all values and counts the turns that are left. Here only drawn positions are worked on, because wins
//! and losses are those of the strong tables. A drawn position has no turn to a loss of the opponent, and its turns to wins of the
//! opponent do not matter.
//!
//! - A look at the turns that leave the unit gives each drawn position a value, as far as they decide it: `outside`.
//! - Values spread within the unit in the order of the queue, one level after the other: `levels`. A level is a distance from the
//!   sector's value and a number of plies. All positions of a level are done at once, whichever thread comes first.
//! - There is no counter. A position whose turn leads to one above its sector is looked at, with all its turns.
//!
//! Invariants: when a level begins, every value of that level and of those before it is final. A value of a later level above the
//! sector's may still be replaced by a better one; values below the sector's are final when they are written. What a level writes
//! does not depend on the order in which it is written.

mod levels;
mod outside;
mod targets;
mod unit;
mod work;

pub use unit::rank_unit;
