//! What a solution covers, and where its depths come from.

use std::fmt;

use serde::Serialize;

/// The positions that a solution covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Coverage {
    /// Every board, whether it can be reached or not.
    AllBoards,
    /// The positions reached from the start. If the run was limited to a number of plies, those within them.
    ReachedPositions,
    /// The positions of a care set.
    CareSet,
    /// The positions of the sectors that are present.
    Sectors,
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AllBoards => "all boards, whether they can be reached or not",
            Self::ReachedPositions => "the positions reached from the start",
            Self::CareSet => "the positions of a care set",
            Self::Sectors => "the positions of its sectors",
        })
    }
}

/// Where the depths in the answers of a solution come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DepthSource {
    /// They are stored, and exact.
    Stored,
    /// They are searched for. What is not found in time is an upper bound.
    Search,
    /// Only upper bounds are stored for positions that were decided early.
    Bounds,
    /// There are none.
    Absent,
}

impl fmt::Display for DepthSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stored => "exact",
            Self::Search => "by search; an upper bound where the time does not suffice",
            Self::Bounds => "exact for the last plies, upper bounds for positions decided earlier",
            Self::Absent => "none",
        })
    }
}
