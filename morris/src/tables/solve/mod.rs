//! Retrograde analysis of one work unit, from the sectors that its turns lead to.
//!
//! The algorithm of paper 000 (section III) merges two queues by depth and counts the remaining children of each
//! position. This module uses no queues. It processes one level of depth after the other in passes over the codes. The
//! origins of a position are the positions with a turn that leads to it.
//!
//! - The origins of a loss found at level d are wins in d + 1.
//! - The origins of a win found at level d are proposed: their children are examined to determine whether they are
//!   losses.
//!
//! Large tables do not fit into the caches, so the order of memory accesses matters most. Positions with the same
//! stones of the side not to move are processed together, because their turns lead to the same few rows. Accesses that
//! are scattered over a table are done in batches.
//!
//! A position therefore needs one byte and one bit. A position that is never proposed is examined only once, which is
//! the case for most positions in the middle game.
//!
//! Invariants: when level d begins, every code up to d is final. A greater code is a win whose depth may still
//! decrease, or a loss whose depth is final. The result of a level does not depend on the order of its writes.

mod first_look;
mod levels;
mod lowering;
mod proposals;
mod targets;
#[cfg(test)]
mod tests;
mod unit;
mod work;

pub use unit::solve_unit;
