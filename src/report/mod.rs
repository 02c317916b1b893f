//! What people read of a solution: statistics, orbits, drawings, and exports for other programs.

pub mod census;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "plots")]
pub mod plot;
pub mod run;
