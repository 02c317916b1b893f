//! What a solution covers, and where its depths come from.

use std::fmt;

use serde::Serialize;

use crate::archive::request::Request;
use crate::solve::method::Method;

/// The positions that a solution covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Coverage {
    /// Every board, whether it can be reached or not.
    AllBoards,
    /// The positions reached from the start. If the number of plies was limited, those within them.
    ReachedPositions,
    /// The positions reached from the start within some plies, and all admissible positions of later plies, among which are the
    /// reached ones.
    AdmissiblePositions,
    /// The positions of a care set.
    CareSet,
    /// The positions of the sectors that are present.
    Sectors,
}

impl Coverage {
    /// Returns what a run of `request` covers.
    pub fn of(request: &Request) -> Self {
        match (request.method, request.admissible_from) {
            (Method::Retrograde, _) => Self::AllBoards,
            (Method::Meet, None) => Self::ReachedPositions,
            (Method::Meet, Some(_)) => Self::AdmissiblePositions,
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AllBoards => "all boards, whether they can be reached or not",
            Self::ReachedPositions => "the positions reached from the start",
            Self::AdmissiblePositions => {
                "the positions reached in early plies, and all admissible ones of later plies"
            }
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
    /// They are stored and exact, but not known for every won and lost position.
    Partial,
    /// Determined by search; an upper bound if the search runs out of time.
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
            Self::Partial => "exact where known",
            Self::Search => "by search; upper bounds if a search runs out of time",
            Self::Bounds => "exact for the last plies, upper bounds for positions decided earlier",
            Self::Absent => "none",
        })
    }
}
