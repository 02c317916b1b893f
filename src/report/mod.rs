//! What people read of a solution: statistics, orbits, drawings, and exports for other programs.

pub mod census;
pub mod export;
pub mod plot;
pub mod run;
