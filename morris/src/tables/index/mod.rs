//! Positions of a sector and their slots: a perfect index that is numbered as in Malom's files.
//!
//! Gasser was the first to index morris positions up to symmetry with few gaps; paper 000 (section II) counts with his
//! hash function but does not describe it. The index used here works as follows. The stones of the side to move are
//! reduced to the representative of their class under the symmetries of the board, and the other side's stones are
//! ranked among the remaining points. If a representative has symmetries of its own, several slots hold the same
//! position up to symmetry: the least of them is its slot, and the others are holes.
//!
//! Invariants: the functions from slots to positions and back are inverse to each other on all slots that are not
//! holes, and symmetric positions share one slot.

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
