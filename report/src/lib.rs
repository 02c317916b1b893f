//! Reports about solutions for people and other programs: statistics, orbits, drawings, estimates and exports.
#![forbid(unsafe_code)]

pub mod board;
pub mod census;
pub mod differences;
pub mod estimate;
#[cfg(feature = "export")]
pub mod export;
pub mod headline;
pub mod line;
pub mod lines;
pub mod listing;
pub mod perft;
#[cfg(feature = "plots")]
pub mod plot;
pub mod position;
pub mod run;
pub mod sector_list;
pub mod sectors;
pub mod summary;
