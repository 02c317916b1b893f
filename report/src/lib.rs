//! What people read of a solution: statistics, orbits, drawings, estimates, and exports for other programs.
#![forbid(unsafe_code)]

pub mod board;
pub mod census;
pub mod estimate;
#[cfg(feature = "export")]
pub mod export;
pub mod headline;
#[cfg(feature = "plots")]
pub mod plot;
pub mod run;
pub mod sectors;
pub mod summary;
