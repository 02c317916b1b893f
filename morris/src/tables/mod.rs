//! Sectors of morris games, solved explicitly: every position up to symmetry, with its exact depth.
//!
//! A sector holds the positions with given numbers of stones. Sectors between which play can go back and forth form a
//! work unit, and units are solved one after the other, each from the units that its turns lead to (paper 000). This
//! module does not use automata.

pub mod ask;
mod cache;
pub mod check;
pub mod codes;
pub mod dir;
pub mod file;
pub mod index;
pub(crate) mod recent;
pub mod recipe;
pub(crate) mod rows;
pub mod run;
pub(crate) mod scan;
pub mod sector;
pub mod solve;
pub mod table;

pub use ask::SectorSolution;
pub use check::check_sector;
pub use codes::{Codes, Width};
pub use dir::{SectorDir, SectorFile, SectorsRequest};
pub use file::GameName;
pub use index::{IndexMaker, SectorIndex};
pub use recipe::SectorSolve;
pub use run::{Runner, Seconds, UnitDone, bytes_to_solve, num_slots};
pub use sector::{Sector, Unit, plan, roots_of};
pub use solve::solve_unit;
pub use table::{SectorCounts, SectorTable, SectorTables, value_of};
