//! Exact depths by search, for runs that contain values but no depths.
//!
//! A run by meet in the middle says who wins a position, and bounds the depth by the number of plies that the run
//! covers. A search determines the depth exactly. The winner considers only moves that keep the win, as the sets of the
//! next ply show, and the loser considers every move. Each step of the search is the question whether a position is
//! decided within a given number of plies; the answers are kept in a table as bounds of depths.

mod deadline;
#[cfg(feature = "engine")]
mod depths;
#[cfg(feature = "engine")]
mod early;
#[cfg(feature = "engine")]
pub(crate) mod keys;
#[cfg(feature = "engine")]
mod lost;
#[cfg(feature = "engine")]
mod proof;
#[cfg(feature = "engine")]
mod search;
#[cfg(feature = "engine")]
mod source;
#[cfg(feature = "engine")]
mod stored;
#[cfg(feature = "engine")]
mod table;

pub use deadline::Deadline;
#[cfg(feature = "engine")]
pub use depths::Depths;
#[cfg(feature = "engine")]
pub use early::{EarlyDone, store_early};
#[cfg(feature = "engine")]
pub use source::Source;
#[cfg(feature = "engine")]
pub use stored::{stored_depths, stored_plies};
