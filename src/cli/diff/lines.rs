//! The differences between two sets of rules, as fields of the document.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::Count;
use crate::cli::sectors::SectorLine;
use nerode_morris::tables::value_of;

/// The number of positions with a certain change of value, over all sectors.
#[derive(JsonSchema, Serialize)]
pub(super) struct ChangeLine {
    /// The value under the first set of rules.
    #[schemars(extend("enum" = ["win", "draw", "loss"]))]
    pub(super) from: &'static str,
    /// The value under the second set of rules.
    #[schemars(extend("enum" = ["win", "draw", "loss"]))]
    pub(super) to: &'static str,
    /// The number of orbits.
    pub(super) orbits: Count,
    /// The percentage of all compared orbits.
    pub(super) percent: f64,
    /// Some of these positions: those in which the game is over soonest under either set of rules.
    pub(super) examples: Vec<ExampleLine>,
}

/// A position whose value changes.
#[derive(JsonSchema, Serialize)]
pub(super) struct ExampleLine {
    /// Its sector.
    pub(super) sector: String,
    /// The position, with P1 to move.
    pub(super) position: String,
    /// The number of plies to the end under the first set of rules, or null for a draw.
    pub(super) first_dtw: Option<u16>,
    /// The number of plies to the end under the second set of rules, or null for a draw.
    pub(super) second_dtw: Option<u16>,
}

/// The differences in one sector.
#[derive(JsonSchema, Serialize)]
pub(super) struct SectorRow {
    /// The sector.
    pub(super) sector: String,
    /// The number of its orbits.
    pub(super) orbits: Count,
    /// The numbers of orbits by change of value.
    pub(super) changed: Changed,
    /// The number of orbits that keep their value but take more or fewer plies.
    pub(super) other_dtw: Count,
    /// The counts under the first set of rules.
    pub(super) first: SectorLine,
    /// The counts under the second set of rules.
    pub(super) second: SectorLine,
    #[serde(skip)]
    pub(super) counts: [u64; 6],
}

/// Numbers of orbits by change of value.
#[derive(JsonSchema, Serialize)]
pub(super) struct Changed {
    /// Draws that become losses.
    pub(super) draw_to_loss: Count,
    /// Draws that become wins.
    pub(super) draw_to_win: Count,
    /// Losses that become draws.
    pub(super) loss_to_draw: Count,
    /// Wins that become draws.
    pub(super) win_to_draw: Count,
    /// Losses that become wins.
    pub(super) loss_to_win: Count,
    /// Wins that become losses.
    pub(super) win_to_loss: Count,
}

impl Changed {
    pub(super) fn new(counts: &[u64; 6]) -> Self {
        let [draw_to_loss, draw_to_win, loss_to_draw, win_to_draw, loss_to_win, win_to_loss] =
            counts.map(Count::from);
        Self { draw_to_loss, draw_to_win, loss_to_draw, win_to_draw, loss_to_win, win_to_loss }
    }
}

/// The positions whose value differs between two sets of rules for the same board, in two directories of sectors.
/// Values are those for the side to move.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Diff {
    /// The game with the first set of rules.
    pub(super) game: String,
    /// The game with the second set of rules.
    pub(super) second_game: String,
    /// The number of orbits of all compared sectors.
    pub(super) orbits: Count,
    /// The number of these orbits whose value changes.
    pub(super) changed: Count,
    /// The six possible changes of value.
    pub(super) changes: Vec<ChangeLine>,
    /// The number of orbits that keep their value but take more or fewer plies.
    pub(super) other_dtw: Count,
    /// The compared sectors.
    pub(super) sectors: Vec<SectorRow>,
    /// Sectors that the second directory lacks.
    pub(super) only_in_first: Vec<String>,
    /// Sectors that the first directory lacks.
    pub(super) only_in_second: Vec<String>,
    /// The elapsed time in seconds.
    pub(super) seconds: f64,
}

impl ExampleLine {
    /// Describes values and depths under both sets of rules in words.
    pub(super) fn values(&self) -> String {
        let said = |depth: Option<u16>| {
            let value = value_of(depth);
            depth.map_or_else(|| value.to_string(), |plies| format!("{value} in {plies}"))
        };
        format!("{}, then {}", said(self.first_dtw), said(self.second_dtw))
    }
}
