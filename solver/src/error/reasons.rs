//! Messages of errors that need more than a format string.

use std::fmt;
use std::path::Path;

use nerode_dfa::Size;

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
    /// Sides that are mirror images of each other, so that one chain of sets determines the other.
    MirrorImage,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::CareSet(name) => {
                return write!(f, "states no care set '{name}'; values of all positions need none");
            }
            Self::BackwardMoves => "is too large to be solved backward; count its positions forward instead",
            Self::WholeSets => "has too many positions for sets of all of them; it is solved by sectors",
            Self::AdmissiblePositions => {
                "has no rule that says which positions are admissible at a ply; solve for those that are reached instead"
            }
            Self::Scores => "ends won, drawn or lost and has no scores; solve it for values instead",
            Self::End => {
                "may be played in circles: a search from the start finds no end, and cannot tell draws"
            }
            Self::MirrorImage => {
                "has sides that are not each other's mirror image: both chains of sets must be computed"
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
    /// A retrograde run, or a finished run from the start.
    RetrogradeOrFinished,
    /// A retrograde run that has reached the fixpoint.
    Fixpoint,
    /// A retrograde run that has reached the fixpoint, of a game that always ends.
    FixpointOfEndingGame,
    /// The sets of both chains.
    BothChains,
    /// The sets of all plies.
    AllPlies,
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
            Self::AllPlies => {
                "the sets of all plies, as long as the run is not at the fixpoint of a game that always ends"
            }
        })
    }
}

/// Returns the message of [`super::Error::TooLarge`].
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

/// Returns the message of [`super::Error::MissingSector`].
pub(super) fn missing_sector(sector: &str, needed_by: Option<&str>, folder: Option<&Path>) -> String {
    let why = needed_by.map_or_else(String::new, |from| format!(", which {from} leads to,"));
    let place = folder.map_or_else(|| "there".into(), |folder| format!("in {}", folder.display()));
    format!("sector {sector}{why} is not {place}; solve it first")
}

/// Returns the message of [`super::Error::WrongVersion`].
pub(super) fn wrong_version(path: &Path, found: u32, supported: u32) -> String {
    format!(
        "{}: format version {found}, this program reads version {supported}; make the file again with this program, or read it with \
         the program that wrote it",
        path.display()
    )
}

/// Returns the message of [`super::Error::WrongRules`].
pub(super) fn wrong_rules(path: &Path, found: &str, expected: &str) -> String {
    format!(
        "{}: made for rules {found}, asked for rules {expected}; name the game it was made for, or make it again",
        path.display()
    )
}

/// Returns the message of [`super::Error::Outdated`].
pub(super) fn outdated(path: &Path, source: &Path) -> String {
    format!(
        "{}: these values are not those of the run in {}, which was replaced or continued since; make them again",
        path.display(),
        source.display()
    )
}

/// Returns the message of [`super::Error::DiskFull`].
pub(super) fn disk_full(path: &Path, needed_bytes: u64, free_bytes: u64, margin_bytes: u64) -> String {
    let [needed, free, margin] = [needed_bytes, free_bytes, margin_bytes].map(|bytes| Size(bytes.into()));
    let path = path.display();
    if needed_bytes == 0 {
        return format!("{path}: {margin} are kept free, but only {free} are free; make room first");
    }
    format!(
        "{path}: {needed} are to be written and {margin} kept free, but only {free} are free; make room first"
    )
}

/// Returns the message of [`super::Error::NoOrderFits`].
pub(super) fn no_order_fits(game: &str, limit_bytes: u64) -> String {
    format!(
        "no letter order of {game} fits in {}; allow more, compute fewer plies or take a smaller game",
        Size(limit_bytes.into())
    )
}
