//! Multi-valued retrograde analysis of one work unit, from the ranked sectors that it leads to (paper 000, sections
//! III-C and IV-B).
//!
//! The algorithm of the paper keeps a queue of all values and counts the remaining turns. This module processes only
//! drawn positions, because wins and losses are taken from the strong tables. A drawn position has no turn to a loss of
//! the opponent, and its turns to wins of the opponent do not matter.
//!
//! - The turns that leave the unit give each drawn position a value, as far as they determine it: `outside`.
//! - Values spread within the unit in the order of the queue, one level after the other: `levels`. A level is a
//!   distance from the sector's value and a number of plies. All positions of a level are processed together, in any
//!   order of threads.
//! - There are no counters. Instead, a position with a turn to a position above its sector's value is examined with all
//!   its turns.
//!
//! Invariants: when a level begins, every value of that level and of earlier levels is final. A value of a later level
//! above the sector's may still be replaced by a better one, whereas values below the sector's are final when they are
//! written. The result of a level does not depend on the order of its writes.

mod levels;
mod outside;
mod targets;
mod unit;
mod work;

pub use unit::rank_unit;
