//! What errors say beside their own words.

use std::fmt;
use std::path::Path;

use nerode_dfa::Size;

/// What a game lacks, see [`super::Error::NotForGame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Moves backward over all positions: there are too many.
    BackwardMoves,
    /// Sets of all positions that fit anywhere: it is solved sector by sector.
    WholeSets,
    /// A rule that says which positions are admissible at a ply.
    AdmissiblePositions,
    /// Scores at its end.
    Scores,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BackwardMoves => "is too large to be solved backward; count its positions forward instead",
            Self::WholeSets => "has too many positions for sets of all of them; it is solved by sectors",
            Self::AdmissiblePositions => {
                "has no rule that says which positions are admissible at a ply; solve for those that are reached instead"
            }
            Self::Scores => "ends won, drawn or lost and has no scores; solve it for values instead",
        })
    }
}

/// What a run should hold, see [`super::Error::WrongRun`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunNeeds {
    /// A retrograde run.
    Retrograde,
    /// A retrograde run, or one from the start that is finished.
    RetrogradeOrFinished,
    /// A retrograde run to the fixpoint.
    Fixpoint,
    /// A retrograde run to the fixpoint, of a game that always ends.
    FixpointOfEndingGame,
    /// The sets of both chains.
    BothChains,
}

impl fmt::Display for RunNeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Retrograde => "a retrograde run: one from the start covers reachable positions only",
            Self::RetrogradeOrFinished => {
                "a retrograde run: one from the start has its values only at the end"
            }
            Self::Fixpoint => "a retrograde run to the fixpoint",
            Self::FixpointOfEndingGame => "a retrograde run to the fixpoint of a game that always ends",
            Self::BothChains => "a run that holds the sets of both chains",
        })
    }
}

/// The text of [`super::Error::TooLarge`].
pub(super) fn too_large(what: &str, needed: u128, limit: u64) -> String {
    let needed = Size(needed);
    match limit {
        0 => format!(
            "{what} needs {needed}, more than the system gives; end other programs or take a smaller game"
        ),
        u64::MAX => format!("{what} needs {needed}, more than any machine has; take a smaller game"),
        limit => {
            let limit = Size(limit.into());
            format!(
                "{what} needs {needed}, and {limit} are allowed; allow more memory or take a smaller game"
            )
        }
    }
}

/// The text of [`super::Error::MissingSector`].
pub(super) fn missing_sector(sector: &str, needed_by: Option<&str>, folder: Option<&Path>) -> String {
    let why = needed_by.map_or_else(String::new, |from| format!(", which {from} leads to,"));
    let place = folder.map_or_else(|| "there".into(), |folder| format!("in {}", folder.display()));
    format!("sector {sector}{why} is not {place}; solve it first")
}
