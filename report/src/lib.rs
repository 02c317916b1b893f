//! Reports about solutions for people and other programs: statistics, orbits, drawings, estimates and exports.
//!
//! # Features
//! The default feature `engine` contains everything that needs the sets of a solution. Without it, the crate describes single
//! positions: [`board`], [`documents`], [`mod@line`], [`lines`] and [`position`].
#![forbid(unsafe_code)]

pub mod board;
#[cfg(feature = "engine")]
pub mod census;
#[cfg(feature = "engine")]
pub mod differences;
pub mod documents;
#[cfg(feature = "engine")]
pub mod estimate;
#[cfg(feature = "export")]
pub mod export;
#[cfg(feature = "plots")]
pub mod growth;
#[cfg(feature = "engine")]
pub mod headline;
pub mod line;
pub mod lines;
#[cfg(feature = "engine")]
pub mod listing;
#[cfg(feature = "engine")]
pub mod perft;
#[cfg(feature = "plots")]
pub mod plot;
pub mod position;
#[cfg(feature = "engine")]
pub mod run;
#[cfg(feature = "engine")]
pub mod sector_list;
#[cfg(feature = "engine")]
pub mod sectors;
#[cfg(feature = "engine")]
pub mod summary;
