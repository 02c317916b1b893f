//! Morris games, solved by sectors: [`tables`] explicitly, [`ranked`] with draws told apart, [`sets`] as automata, [`compressed`]
//! as stored forms, and in the files of [`malom`]; [`changes`] compares rules; [`early`] keeps what a search has shown of openings.
#![forbid(unsafe_code)]

pub mod changes;
pub mod compressed;
pub mod early;
pub mod malom;
pub mod ranked;
pub mod sets;
pub mod tables;
