//! Morris games, solved sector by sector: explicitly ([`tables`]), with draws distinguished ([`ranked`]), as automata
//! ([`sets`]), in stored forms ([`compressed`]), and in the file formats of [`malom`]. [`stored`] queries all of them.
//! [`changes`] compares rules, and [`early`] stores the bounds that a search has proved for opening positions.
#![forbid(unsafe_code)]

pub mod changes;
pub mod compressed;
pub mod early;
pub mod malom;
pub mod ranked;
pub mod sets;
pub mod stored;
pub mod tables;
