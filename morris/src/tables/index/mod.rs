//! Positions of a sector and their slots: a perfect index, numbered as in Malom's files.
//!
//! Gasser was the first to index morris positions up to symmetry without many gaps; paper 000 (section II) counts with his hash
//! function and does not describe it. The one here works as follows. The stones of the side to move are reduced to the
//! representative of their class under the board's symmetries; the other side's are ranked among the points left over. Where a
//! representative has symmetries of its own, several slots hold one position up to symmetry: the least of them is its slot, the
//! others are holes.
//!
//! Invariants: slot and position are inverse on what is not a hole; symmetric positions have one slot.

mod classes;
mod gaps;
mod maker;
mod row;
mod slots;
mod subsets;
mod symmetries;
#[cfg(test)]
mod tests;

pub use classes::Classes;
pub use maker::IndexMaker;
pub use row::Row;
pub use slots::{SectorIndex, SlotsOf};

pub(crate) use subsets::{binomial, subsets};
pub use symmetries::{Op, Symmetries};
