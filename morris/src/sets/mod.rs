//! Sectors of morris games solved as sets. A sector consists of all positions with given numbers of stones on the board
//! and none in hand. It is solved by images of whole sets under three relations: moves that close no mill, moves that
//! close one, and captures.
//!
//! P1 is to move in all sets. Sector (a, b) holds the positions in which P1 has a stones and P2 has b. The sides are
//! exchanged after each turn, so a turn leads to (b, a), or to (b - 1, a) if a stone is taken. Let X' be X with the
//! sides exchanged, U the set of all words of a sector, and Q, M and C the preimages under quiet moves, moves that
//! close mills, and captures. If a mill may take nothing, C also contains the positions that stay as they are.
//!
//! ```text
//! W(a,b)[d] = ( Q(L(b,a)'[d-1]) ∪ M(C(L(b-1,a)'[d-1])) ) \ W(a,b)[<d]
//! A(a,b)[d] = U \ Q(¬W(b,a)'[<d])                                      every quiet move loses
//! L(a,b)[d] = ( A(a,b)[d] \ M(C(¬W(b-1,a)'[<d])) ) \ L(a,b)[<d]
//! ```
//! L of depth 0 consists of the positions without a move. Sets are by exact depth, not cumulative (paper 004,
//! section 2). `unit.rs` restricts these steps to positions that can be new.
//!
//! Invariant: a sector is solved from sectors with one stone less, which are computed in the same way. No explicit
//! tables are used.

pub mod against_run;
mod answers;
mod compare;
mod folder;
mod request;
mod sector_sets;
mod solver;
mod turns;
mod unit;

pub use answers::{SectorSetsSolution, SectorSummary, value_at};
pub use compare::compare;
pub use folder::SetsDir;
pub use sector_sets::{SectorSets, Stones};
pub use solver::SectorSolver;
