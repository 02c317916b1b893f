//! Morris games, solved sector by sector: explicitly ([`tables`]), with draws distinguished (`ranked`), as automata
//! (`sets`), in stored forms ([`compressed`]), and in the file formats of `malom`. [`stored`] queries all of them.
//! `changes` compares rules, and `early` stores the bounds that a search has proved for opening positions.
//!
//! # Features
//! The default feature `solve` contains everything that solves and writes. Without it, the crate reads packed sectors
//! ([`compressed::PackedSectors`]), without threads and a file system.
#![forbid(unsafe_code)]

#[cfg(feature = "solve")]
pub mod changes;
pub mod compressed;
#[cfg(feature = "solve")]
pub mod early;
#[cfg(feature = "solve")]
pub mod malom;
#[cfg(feature = "solve")]
pub mod ranked;
#[cfg(feature = "solve")]
pub mod sets;
pub mod stored;
pub mod tables;
