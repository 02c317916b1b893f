//! The morris family: boards, rules as options, and plain play on sets of points.
//!
//! This is what the sector solver plays with. The symbolic description of the same games is written apart from it.

pub mod board;
pub mod play;
pub mod rules;

pub use board::{Board, BoardKind};
pub use play::{State, Turn, points};
pub use rules::{Capture, FullBoard, PRESETS, Phases, Preset, Rules};

pub use crate::rules::morris::rules_of;
