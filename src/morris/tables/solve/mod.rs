//! Retrograde analysis of one work unit, from the sectors that it leads to.
//!
//! Paper 000 (section III) merges two queues by depth and counts the children that are left. Here levels of depth are done
//! one after the other by passes over the codes: a loss found at level d makes its origins wins in d + 1; a win found at level d
//! proposes its origins, which are then proved lost or not by looking at all their children. So a position takes its byte and a
//! bit, no queue is kept, and positions that nothing is proved of, most of them in the middle game, cost one look.
//!
//! Invariants: when level d begins, every code up to d is final; codes above are values with a depth that may still get smaller
//! (wins) or is final (losses). What a level writes does not depend on the order in which it is written.

mod first_look;
mod levels;
mod proposals;
mod targets;
#[cfg(test)]
mod tests;
mod unit;
mod work;

pub use unit::solve_unit;
