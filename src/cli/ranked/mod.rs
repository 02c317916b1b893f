//! Ranked draws in commands: `solve --ranked`, `resume`, and the histograms of `stats`.

mod histogram;
mod solve;

pub(super) use histogram::{RankStats, rank_stats, rank_stats_text};
pub(super) use solve::{Pending, RankedArgs, RankingChoice, Ranks, ranks_text};
