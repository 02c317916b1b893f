//! The interface that most users of the library need: opening a game, solving it and querying its solution. It also
//! decides which engine solves a game.

mod answer;
#[cfg(feature = "cli")]
mod asked;
mod digest;
mod found;
#[cfg(feature = "cli")]
mod known;
#[cfg(feature = "cli")]
mod line;
mod look_up;
mod many;
mod options;
mod picture;
mod ranks;
mod registry;
mod sample;
#[cfg(feature = "serve")]
mod sector_list;
mod sectors;
mod sets;
mod solution;
mod solver;
mod units;

pub use answer::{Answer, Reply};
#[cfg(feature = "cli")]
pub(crate) use asked::position_of;
pub use found::Found;
#[cfg(feature = "serve")]
pub(crate) use known::category;
#[cfg(feature = "cli")]
pub(crate) use known::{Known, MoveLine};
#[cfg(feature = "cli")]
pub(crate) use line::{LineEnd, leads_on, line_end};
pub use options::Options;
pub use picture::picture;
pub use registry::registry;
#[cfg(feature = "serve")]
pub(crate) use sector_list::ListedSector;
pub use sectors::Sector;
pub use sets::PositionSet;
pub use solution::Solution;
pub use solver::{Solver, open, open_game, open_text};
pub use units::UnitSolved;
