//! Retrograde analysis of one work unit, from the sectors that it leads to.
//!
//! Paper 000 (section III) merges two queues by depth and counts the children that are left. Here there is no queue. Levels of
//! depth are done one after the other, by passes over the codes. The origins of a position are those with a turn to it.
//!
//! - The origins of a loss found at level d are wins in d + 1.
//! - The origins of a win found at level d are proposed: a look at all their children says whether they are lost.
//!
//! Large tables do not fit the caches, so the order of the looks matters most. Positions with the same stones of the side that does not
//! move are looked at together: their turns lead to the same few rows. What must go all over a table goes many slots at a time.
//!
//! So a position takes a byte and a bit. A position that is never proposed costs one look; in the middle game most are not.
//!
//! Invariants: when level d begins, every code up to d is final. A greater code is a win whose depth may still get smaller, or a
//! loss whose depth is final. What a level writes does not depend on the order in which it is written.

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
