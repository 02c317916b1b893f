//! The differences between two sets of rules, as fields of the document.

use serde::Serialize;

use crate::cli::sectors::SectorLine;
use nerode_morris::tables::value_of;

/// The number of positions with a certain change of value, over all sectors.
#[derive(Serialize)]
pub(super) struct ChangeLine {
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) orbits: String,
    pub(super) percent: f64,
    pub(super) examples: Vec<ExampleLine>,
}

/// A position whose value changes.
#[derive(Serialize)]
pub(super) struct ExampleLine {
    pub(super) sector: String,
    pub(super) position: String,
    /// The number of plies to the end under each set of rules.
    pub(super) first_dtw: Option<u16>,
    pub(super) second_dtw: Option<u16>,
}

/// The differences in one sector.
#[derive(Serialize)]
pub(super) struct SectorRow {
    pub(super) sector: String,
    pub(super) orbits: String,
    pub(super) changed: Changed,
    pub(super) other_dtw: String,
    pub(super) first: SectorLine,
    pub(super) second: SectorLine,
    #[serde(skip)]
    pub(super) counts: [u64; 6],
}

/// Numbers of orbits by kind of change.
#[derive(Serialize)]
pub(super) struct Changed {
    pub(super) draw_to_loss: String,
    pub(super) draw_to_win: String,
    pub(super) loss_to_draw: String,
    pub(super) win_to_draw: String,
    pub(super) loss_to_win: String,
    pub(super) win_to_loss: String,
}

impl Changed {
    pub(super) fn new(counts: &[u64; 6]) -> Self {
        let [draw_to_loss, draw_to_win, loss_to_draw, win_to_draw, loss_to_win, win_to_loss] =
            counts.map(|orbits| orbits.to_string());
        Self { draw_to_loss, draw_to_win, loss_to_draw, win_to_draw, loss_to_win, win_to_loss }
    }
}

#[derive(Serialize)]
pub(super) struct Diff {
    pub(super) game: String,
    pub(super) second_game: String,
    pub(super) orbits: String,
    pub(super) changed: String,
    pub(super) changes: Vec<ChangeLine>,
    /// The number of orbits that keep their value but take more or fewer plies.
    pub(super) other_dtw: String,
    pub(super) sectors: Vec<SectorRow>,
    pub(super) only_in_first: Vec<String>,
    pub(super) only_in_second: Vec<String>,
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
