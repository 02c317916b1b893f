//! How a solution grows: numbers of positions, states and bytes by ply, by sector or by layer, to be plotted.

mod figure;
mod fit;
mod last;
mod naming;
mod table;

use std::collections::BTreeSet;
use std::fmt;

pub use self::figure::{Axes, panels, significant};
pub use self::fit::{Fit, fits};
pub use self::last::by_positions;
pub use self::naming::title;
pub use self::table::{read, write};

/// What follows one another in a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Step {
    /// Plies.
    #[default]
    Ply,
    /// Sectors of a morris game.
    Sector,
    /// Layers of the automata.
    Layer,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ply => "ply",
            Self::Sector => "sector",
            Self::Layer => "layer",
        })
    }
}

/// A number that is plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// The positions that a ply adds to those of the previous one.
    New,
    /// The positions.
    Positions,
    /// The states.
    States,
    /// The size of the files in bytes.
    Bytes,
    /// The time in seconds.
    Seconds,
}

impl Measure {
    /// Every measure.
    pub const ALL: [Self; 5] = [Self::New, Self::Positions, Self::States, Self::Bytes, Self::Seconds];

    /// Returns the name, which is also that of the column of a CSV file.
    pub fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Positions => "positions",
            Self::States => "states",
            Self::Bytes => "bytes",
            Self::Seconds => "seconds",
        }
    }

    /// Returns the measure with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|measure| measure.name() == name)
    }
}

/// A set, or several sets together, at a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The name of the series of sets, such as `W-P1`.
    pub set: String,
    /// The number of the step.
    pub step: u32,
    /// The name of the step, if it has one besides its number.
    pub label: Option<String>,
    /// The number of positions that the step adds to the previous one, where sets contain those of earlier steps.
    pub new: Option<u128>,
    /// The number of positions.
    pub positions: Option<u128>,
    /// The number of states.
    pub states: Option<u128>,
    /// The size of the files in bytes.
    pub bytes: Option<u128>,
    /// The time in seconds.
    pub seconds: Option<f64>,
}

impl Row {
    /// Returns a number of the row, if it has it.
    #[expect(clippy::cast_precision_loss)]
    pub fn number(&self, measure: Measure) -> Option<f64> {
        let count = match measure {
            Measure::New => self.new,
            Measure::Positions => self.positions,
            Measure::States => self.states,
            Measure::Bytes => self.bytes,
            Measure::Seconds => return self.seconds,
        };
        count.map(|count| count as f64)
    }
}

/// The rows of a solution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Growth {
    /// The game, or another name of the solution.
    pub solution: String,
    /// What the rows follow.
    pub step: Step,
    /// The rows, by set and step.
    pub rows: Vec<Row>,
}

impl Growth {
    /// Creates the growth with these rows. `W_i` and `L_i` contain the positions of earlier plies, so that [`Row::new`] is the
    /// difference between consecutive plies.
    pub fn new(solution: String, step: Step, mut rows: Vec<Row>) -> Self {
        rows.sort_by(|a, b| (&a.set, a.step).cmp(&(&b.set, b.step)));
        let before: Vec<Option<u128>> = (0..rows.len())
            .map(|row| row.checked_sub(1).filter(|&before| rows[before].set == rows[row].set))
            .map(|before| before.map_or(Some(0), |before| rows[before].positions))
            .collect();
        for (row, before) in rows.iter_mut().zip(before) {
            if step == Step::Ply && row.new.is_none() && is_cumulative(&row.set) {
                row.new = row.positions.zip(before).map(|(all, before)| all.saturating_sub(before));
            }
        }
        Self { solution, step, rows }
    }

    /// Returns the names of the series.
    pub fn sets(&self) -> Vec<&str> {
        let mut sets: Vec<&str> = self.rows.iter().map(|row| row.set.as_str()).collect();
        sets.dedup();
        sets
    }

    /// Returns the measures of which a row has a number.
    pub fn measures(&self) -> BTreeSet<Measure> {
        let has = |measure: &Measure| self.rows.iter().any(|row| row.number(*measure).is_some());
        Measure::ALL.into_iter().filter(has).collect()
    }

    /// Keeps the series with these names.
    pub fn retain_sets(&mut self, names: &[String]) {
        self.rows.retain(|row| names.contains(&row.set));
    }
}

/// Returns `true` for the sets `W_i` and `L_i`, each of which contains those of earlier plies.
fn is_cumulative(set: &str) -> bool {
    matches!(set.split('-').next(), Some("W" | "L"))
}

/// Returns the contents of a series of sets, such as `L-P1`, or of a set, such as `L-P1-007`, in words.
fn in_words(set: &str) -> String {
    let mut parts = set.split('-');
    let (kind, side, ply) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let contents = match kind {
        "W" | "RW" => "won",
        "L" | "RL" => "lost",
        "D" | "RD" => "drawn",
        "U" | "RU" => "undecided",
        "R" => "reached",
        _ => return set.to_string(),
    };
    let mover = side.map(|side| format!(", {side} to move")).unwrap_or_default();
    let at =
        ply.and_then(|ply| ply.parse::<u32>().ok()).map(|ply| format!(", ply {ply}")).unwrap_or_default();
    format!("{contents}{mover}{at}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the row of a set at a step, with the given number of positions.
    pub(super) fn row(set: &str, step: u32, positions: u128) -> Row {
        Row { set: set.into(), step, positions: Some(positions), states: Some(7), ..Row::default() }
    }

    #[test]
    fn new_positions_are_what_a_ply_adds() {
        let rows = [
            row("W-P1", 0, 1),
            row("L-P1", 2, 10),
            row("L-P1", 0, 3),
            row("L-P1", 1, 3),
            row("RW", 4, 8),
            row("RW", 3, 5),
        ];
        let growth = Growth::new("a".into(), Step::Ply, rows.to_vec());
        let new: Vec<_> = growth.rows.iter().map(|row| (row.set.as_str(), row.step, row.new)).collect();
        let expected = [
            ("L-P1", 0, Some(3)),
            ("L-P1", 1, Some(0)),
            ("L-P1", 2, Some(7)),
            ("RW", 3, None),
            ("RW", 4, None),
            ("W-P1", 0, Some(1)),
        ];
        assert_eq!(new, expected);
        assert_eq!(growth.sets(), ["L-P1", "RW", "W-P1"]);
        assert_eq!(growth.measures(), [Measure::New, Measure::Positions, Measure::States].into());
    }

    #[test]
    fn names_of_sets_are_explained() {
        assert_eq!(in_words("L-P1"), "lost, P1 to move");
        assert_eq!(in_words("RW"), "won");
        assert_eq!(in_words("RD-P2"), "drawn, P2 to move");
        assert_eq!(in_words("W-P2-011"), "won, P2 to move, ply 11");
        assert_eq!(in_words("scores"), "scores");
    }
}
