//! Sectors of morris games solved as sets: all positions with given numbers of stones on the board and none in hand, by images of
//! whole sets under three relations: moves that close no mill, moves that do, captures.
//!
//! P1 is to move everywhere. Sector (a, b) holds the positions in which P1 has a stones and P2 has b; after a turn the sides are
//! exchanged: it leads to (b, a), or to (b - 1, a) with a stone taken. With X' for X with the sides exchanged, U for all words of
//! a sector, and Q, M, C for the preimages under quiet moves, moves that close mills, and captures (where a mill may take nothing, C
//! also has the positions that stay as they are):
//!
//! ```text
//! W(a,b)[d] = ( Q(L(b,a)'[d-1]) ∪ M(C(L(b-1,a)'[d-1])) ) \ W(a,b)[<d]
//! A(a,b)[d] = U \ Q(¬W(b,a)'[<d])                                      every quiet move loses
//! L(a,b)[d] = ( A(a,b)[d] \ M(C(¬W(b-1,a)'[<d])) ) \ L(a,b)[<d]
//! ```
//! and L of depth 0 the positions without a move. Sets are by exact depth, not cumulative (paper 004, section 2). `unit.rs` has these
//! steps cut to what can be new.
//!
//! Invariant: a sector is solved from those with a stone less, found the same way; nothing explicit is looked at.

pub mod against_run;
mod answers;
mod asked;
mod compare;
mod folder;
mod sector_sets;
mod solver;
mod turns;
mod unit;

pub use answers::{SectorSetsSolution, SectorSummary};
pub use compare::compare;
pub use folder::SetsDir;
pub use sector_sets::{SectorSets, Stones};
pub use solver::SectorSolver;
