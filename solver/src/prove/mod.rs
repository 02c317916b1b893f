//! The value of one position by proof-number search, in a retrograde run that need not be finished.
//!
//! The sets `W_i` and `L_i` of the last ply decide some positions, and the rules decide the terminal ones. The search looks for a
//! finite tree of moves from the position to such leaves (paper 004, section 3). It is a depth-first proof-number search (df-pn): for
//! each open position, it estimates how many more positions have to be decided before the position is, and continues where the
//! number is least. The first numbers of a position follow from an estimate that learns from the positions that the search decides.
//!
//! A proof can be written to a certificate: the moves of a strategy, which are checked by the rules and the sets without a search.

mod certificate;
mod decided;
mod evaluation;
mod header;
mod kept;
mod maker;
mod search;
mod stack;
mod strategy;
#[cfg(test)]
mod tests;
mod value;

pub use certificate::{Checked, check_certificate};
pub use maker::Target;
pub use strategy::StrategySize;
pub use value::{Proved, Proving, Sought, prove};
