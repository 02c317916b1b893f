//! Ranked draws: drawn positions distinguished by the sector in which best play ends up (paper 000, sections III-C and
//! IV).
//!
//! Every sector has a value, which is greater for sectors that are harder for the opponent: it comes from [`by_ratio`],
//! [`by_difference`] or an external list. A drawn position is worth the value of the sector that play ends up in, and
//! has a distance in plies. Wins and losses are taken from the strong tables, so only drawn positions are processed.
//!
//! [`rank_unit`] ranks a work unit from the ranked sectors that it leads to, [`check_sector`] checks every position of
//! a sector by forward turns only, and [`Ranker`] ranks all units of a directory.

mod ask;
mod check;
mod file;
mod keys;
mod ranking;
mod run;
mod sec2;
mod solve;
mod table;
mod values;

pub use ask::{RankedSectors, SectorDraws};
pub use check::check_sector;
pub use file::path_of;
pub use keys::Keys;
pub use ranking::{Heuristic, Ranking, values_by, values_from};
pub use run::{Ranker, UnitRanked, bytes_to_rank, digest_with_ranks, load, load_with_children};
pub use sec2::Sec2Export;
pub use solve::rank_unit;
pub use table::{RankedTable, RankedTables, Worth};
pub use values::{by_difference, by_ratio};
