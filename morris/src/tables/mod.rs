//! Sectors of morris games, solved explicitly: every position up to symmetry, with its exact depth.
//!
//! A sector holds the positions with given numbers of stones. Sectors between which play can go back and forth form a
//! work unit, and units are solved one after the other, each from the units that its turns lead to (paper 000). This
//! module does not use automata.

#[cfg(feature = "solve")]
pub mod ask;
#[cfg(feature = "solve")]
mod cache;
#[cfg(feature = "solve")]
pub mod check;
#[cfg(feature = "solve")]
pub mod codes;
#[cfg(feature = "solve")]
pub mod dir;
#[cfg(feature = "solve")]
pub mod file;
pub mod index;
pub mod name;
#[cfg(feature = "solve")]
pub(crate) mod recent;
#[cfg(feature = "solve")]
pub mod recipe;
#[cfg(feature = "solve")]
pub(crate) mod rows;
#[cfg(feature = "solve")]
pub mod run;
#[cfg(feature = "solve")]
pub(crate) mod scan;
pub mod sector;
#[cfg(feature = "solve")]
pub mod solve;
#[cfg(feature = "solve")]
pub mod table;

#[cfg(feature = "solve")]
pub use ask::SectorSolution;
#[cfg(feature = "solve")]
pub use check::check_sector;
#[cfg(feature = "solve")]
pub use codes::{Codes, Width};
#[cfg(feature = "solve")]
pub use dir::{SectorDir, SectorFile, SectorsRequest};
pub use index::{IndexMaker, SectorIndex};
pub use name::GameName;
#[cfg(feature = "solve")]
pub use recipe::SectorSolve;
#[cfg(feature = "solve")]
pub use run::{Runner, Seconds, UnitDone, bytes_to_solve, num_slots};
pub use sector::{Sector, Unit, plan, roots_of};
#[cfg(feature = "solve")]
pub use solve::solve_unit;
#[cfg(feature = "solve")]
pub use table::{SectorCounts, SectorTable, SectorTables, value_of};
