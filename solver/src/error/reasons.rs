//! Messages of errors that need more than a format string.

use std::fmt;
use std::path::Path;

use nerode_dfa::Size;
use nerode_games::counted;

/// A property that a game lacks, see [`super::Error::NotForGame`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Backward moves over all positions, of which there are too many.
    BackwardMoves,
    /// Sets of all positions that fit into memory or onto disk; the game is solved sector by sector instead.
    WholeSets,
    /// A rule that defines the positions admissible at a ply.
    AdmissiblePositions,
    /// Scores at the end of a game.
    Scores,
    /// A care set with this name.
    CareSet(String),
    /// A guarantee that every game ends, without which a search from the start may not terminate.
    End,
    /// A guarantee that every game ends, without which a game need not have a score.
    EndOfScores,
    /// Sides that are mirror images of each other, so that one chain of sets determines the other.
    MirrorImage,
    /// The same moves for both sides, and an end at which the side without a move has lost.
    Nimbers,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::CareSet(name) => {
                return write!(f, "has no care set '{name}'; values of all positions need none");
            }
            Self::BackwardMoves => "is too large to be solved backward; count its positions forward instead",
            Self::WholeSets => "has too many positions for sets of all positions; solve it by sectors",
            Self::AdmissiblePositions => {
                "has no rule for the positions that are admissible at a ply; solve for the reachable positions \
                 instead"
            }
            Self::Scores => "has no scores, only wins, draws and losses; solve it for values instead",
            Self::End => {
                "may repeat positions, so a search from the start may never end and cannot prove draws"
            }
            Self::EndOfScores => {
                "may repeat positions, so a game may go on forever without a score; solve it for values instead"
            }
            Self::MirrorImage => {
                "has sides that are not mirror images of each other; both chains of sets must be computed"
            }
            Self::Nimbers => {
                "has no nimbers: they need the same moves for both sides, and play that always ends when a side without a \
                 move loses; solve it for values instead"
            }
        };
        f.write_str(text)
    }
}

/// The kind of run that is needed, see [`super::Error::WrongRun`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunNeeds {
    /// A retrograde run.
    Retrograde,
    /// A run from the start.
    Meet,
    /// A retrograde run that has reached the fixpoint.
    Fixpoint,
    /// A retrograde run that has reached the fixpoint, of a game that always ends.
    FixpointOfEndingGame,
    /// The sets of both chains.
    BothChains,
    /// The sets of all plies.
    AllPlies,
    /// A run from the start to the end of the game, or one of a limited number of plies without retrograde plies.
    MeetWithoutRetrogradeEnd,
}

impl fmt::Display for RunNeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Retrograde => "a retrograde run; a run from the start covers only reachable positions",
            Self::Meet => {
                "a run from the start; a retrograde run does not know which positions are reachable"
            }
            Self::Fixpoint => "a retrograde run to the fixpoint",
            Self::FixpointOfEndingGame => "a retrograde run to the fixpoint of a game that always ends",
            Self::MeetWithoutRetrogradeEnd => {
                "a run from the start to the end of the game; one that stops earlier must not have retrograde plies"
            }
            Self::BothChains => "a run that holds the sets of both chains",
            Self::AllPlies => {
                "the sets of all plies, unless the run has reached the fixpoint of a game that always ends"
            }
        })
    }
}

/// Returns the message of [`super::Error::TooLarge`].
pub(super) fn too_large(what: &str, needed: u128, limit: u64) -> String {
    let needed = Size(needed);
    match limit {
        0 => format!(
            "{what} needs {needed}, more than the system can provide; close other programs or choose a smaller \
             game"
        ),
        u64::MAX => format!("{what} needs {needed}, more than any machine has; choose a smaller game"),
        limit => {
            let limit = Size(limit.into());
            format!(
                "{what} needs {needed}, but the limit is {limit}; raise the memory limit or choose a smaller \
                 game"
            )
        }
    }
}

/// Returns the message of [`super::Error::MissingSector`].
pub(super) fn missing_sector(sector: &str, needed_by: Option<&str>, folder: Option<&Path>) -> String {
    let why = needed_by.map_or_else(String::new, |from| format!(", which {from} leads to,"));
    let place = folder.map_or_else(|| "available".into(), |folder| format!("in {}", folder.display()));
    format!("sector {sector}{why} is not {place}; solve it first")
}

/// Returns the message of [`super::Error::NoSuchUnit`].
pub(super) fn no_such_unit(unit: &str, num_units: usize) -> String {
    let units = counted(num_units, "unit");
    format!("there is no unit {unit}: its plan has {units}, numbered from 0")
}

/// Returns the message of [`super::Error::WrongVersion`].
pub(super) fn wrong_version(path: &Path, found: u32, supported: u32) -> String {
    format!(
        "{}: unsupported format version {found} (this program reads version {supported}); recreate the file, or use the \
         program that wrote it",
        path.display()
    )
}

/// Returns the message of [`super::Error::WrongRules`].
pub(super) fn wrong_rules(path: &Path, found: &str, expected: &str) -> String {
    format!(
        "{}: created for rules {found}, not for rules {expected}; name the game for which it was created, or \
         recreate it",
        path.display()
    )
}

/// Returns the message of [`super::Error::Outdated`].
pub(super) fn outdated(path: &Path, source: &Path) -> String {
    format!(
        "{}: these values do not match the run in {}, which has been replaced or continued since; recreate them",
        path.display(),
        source.display()
    )
}

/// Returns the message of [`super::Error::DiskFull`].
pub(super) fn disk_full(path: &Path, needed_bytes: u64, free_bytes: u64, margin_bytes: u64) -> String {
    let [needed, free, margin] = [needed_bytes, free_bytes, margin_bytes].map(|bytes| Size(bytes.into()));
    let path = path.display();
    if needed_bytes == 0 {
        return format!("{path}: {margin} must stay free, but only {free} are free; free up disk space");
    }
    format!("{path}: writing {needed} must leave {margin} free, but only {free} are free; free up disk space")
}

/// Returns the message of [`super::Error::NoOrderFits`].
pub(super) fn no_order_fits(game: &str, limit_bytes: u64) -> String {
    format!(
        "no letter order of {game} fits in {}; raise the memory limit, compute fewer plies or choose a smaller \
         game",
        Size(limit_bytes.into())
    )
}
