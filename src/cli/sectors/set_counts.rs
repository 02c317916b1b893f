//! Counts of a sector as sets.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Count, grouped};

/// Counts of a sector as sets, which contain all rotations and reflections of positions.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct SetCounts {
    /// The sector.
    sector: String,
    /// The number of positions.
    positions: Count,
    /// The number of positions that the side to move wins.
    win: Count,
    /// The number of drawn positions.
    draw: Count,
    /// The number of positions that the side to move loses.
    loss: Count,
    /// The number of plies of the longest win, or null if there is none.
    longest_win: Option<usize>,
    /// The number of plies of the longest loss, or null if there is none.
    longest_loss: Option<usize>,
    /// The total number of states of the sets of all depths.
    num_states: usize,
    /// The number of states of the largest of these sets.
    largest_num_states: usize,
}

/// The titles of the columns of [`SetCounts::row`].
pub(in crate::cli) const TITLES: [&str; 8] =
    ["sector", "positions", "win", "draw", "loss", "longest win", "longest loss", "states"];

impl SetCounts {
    /// Creates the counts from the number of positions of the sector, and the positions and states of its set of each
    /// depth.
    pub(in crate::cli) fn new(sector: String, positions: u128, sets: &[(u128, usize)]) -> Self {
        // Wins have odd depths, losses have even ones.
        let of = |odd: usize| sets.iter().skip(odd).step_by(2).map(|set| set.0).sum::<u128>();
        let longest = |odd: usize| (0..sets.len()).rev().find(|&d| d % 2 == odd && sets[d].0 > 0);
        let (win, loss) = (of(1), of(0));
        Self {
            sector,
            positions: Count(positions),
            win: Count(win),
            draw: Count(positions.saturating_sub(win + loss)),
            loss: Count(loss),
            longest_win: longest(1),
            longest_loss: longest(0),
            num_states: sets.iter().map(|set| set.1).sum(),
            largest_num_states: sets.iter().map(|set| set.1).max().unwrap_or(0),
        }
    }

    /// Formats the counts as cells of a table.
    pub(in crate::cli) fn row(&self) -> Vec<String> {
        let plies = |depth: Option<usize>| depth.map_or_else(|| "-".to_string(), |d| d.to_string());
        let mut row = vec![self.sector.clone()];
        row.extend([self.positions, self.win, self.draw, self.loss].map(|count| grouped(count.0)));
        row.extend([self.longest_win, self.longest_loss].map(plies));
        row.push(grouped(self.num_states as u128));
        row
    }
}
