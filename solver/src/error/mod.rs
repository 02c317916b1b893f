//! Errors of the solving library.

mod making;
mod play;
mod reasons;

use std::path::PathBuf;

pub use play::PlayError;
pub use reasons::{Lack, RunNeeds};
use reasons::{disk_full, missing_sector, no_order_fits, outdated, too_large, wrong_rules, wrong_version};

/// Result of solving, checking or writing.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that depends on data, memory or files, with what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The automata engine failed.
    #[error(transparent)]
    Dfa(#[from] nerode_dfa::Error),
    /// A game, position or move could not be read.
    #[error(transparent)]
    Game(#[from] nerode_games::Error),
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's word on it.
        source: std::io::Error,
    },
    /// A file that is not what it should be, or is damaged.
    #[error("{path}: {reason}; restore the file from a copy or make it again")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of another format version.
    #[error("{}", wrong_version(.path, *.found, *.supported))]
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// Version found in the file.
        found: u32,
        /// Version this program reads and writes.
        supported: u32,
    },
    /// A file made for other rules.
    #[error("{}", wrong_rules(.path, .found, .expected))]
    WrongRules {
        /// The file.
        path: PathBuf,
        /// Fingerprint of the rules in the file.
        found: String,
        /// Fingerprint of the rules asked for.
        expected: String,
    },
    /// A directory that holds something other than what is looked for, or is to be written.
    #[error("{path}: it holds {found}, not {expected}")]
    OtherContents {
        /// The directory.
        path: PathBuf,
        /// What it holds, in words.
        found: String,
        /// What is looked for, or is to be written, in words.
        expected: String,
    },
    /// A directory that holds already what is to be written.
    #[error("{path}: it holds {contents} already")]
    Occupied {
        /// The directory.
        path: PathBuf,
        /// What it holds, in words.
        contents: String,
    },
    /// Another process writes the same.
    #[error("{path}: another process is writing it; wait for it")]
    Busy {
        /// The directory, or the file.
        path: PathBuf,
    },
    /// Another process solves the same work unit of a morris game.
    #[error("{folder}: unit {unit} is being solved by another process")]
    BusyUnit {
        /// The directory of sectors.
        folder: PathBuf,
        /// The sector that names the unit.
        unit: String,
    },
    /// A file that a unit of a ply is made from is missing or damaged.
    #[error("{path}: {reason}; stop the solve and resume it, which makes the file again")]
    UnitInput {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A merge of fragments that are not all there.
    #[error("unit {unit} merges others, of which {lacks} is not done; do that one first")]
    UnitWaits {
        /// The merge.
        unit: String,
        /// A unit that is not done.
        lacks: String,
    },
    /// A unit that a plan does not have.
    #[error("there is no unit {unit}: its plan has {num_units}, counted from 0")]
    NoSuchUnit {
        /// The unit.
        unit: String,
        /// Units of the plan.
        num_units: usize,
    },
    /// Units of a ply that were planned for other moves or sets than those at hand.
    #[error(
        "{path}: these units were planned by another version of the program or of the rules; do them with the program that solves"
    )]
    OtherUnits {
        /// The folder of the units.
        path: PathBuf,
    },
    /// A run that was begun with another request than the one to be continued.
    #[error("{path}: it holds {found}, not {asked}")]
    OtherRequest {
        /// The run's directory.
        path: PathBuf,
        /// The request that the run was begun with.
        found: String,
        /// The request to be continued.
        asked: String,
    },
    /// A run that has more to do before it can be asked.
    #[error("{path}: the solve is not finished")]
    NotFinished {
        /// The run's directory.
        path: PathBuf,
    },
    /// A run without a retrograde ply to look at.
    #[error("{path}: it has no retrograde ply to look at so far")]
    NoRetrogradePly {
        /// The run's directory.
        path: PathBuf,
    },
    /// A run without the set asked for.
    #[error("{path}: it has no set {name}; its manifest names those it has")]
    NoSuchSet {
        /// The run's directory.
        path: PathBuf,
        /// The set.
        name: String,
    },
    /// A set of an early ply, in a run that keeps the last plies alone.
    #[error(
        "{file} is gone: this run keeps the sets of its last plies alone, and the question needs those of earlier ones"
    )]
    NotKept {
        /// Where it was, below the run directory.
        file: String,
    },
    /// A set that is kept as the mirror image of another.
    #[error(
        "this set is the mirror image of the one in {file}: solve both chains to have it as an automaton"
    )]
    MirrorImage {
        /// File of the other, below the run's directory.
        file: String,
    },
    /// Values made from another run, or from the same run before it went on.
    #[error("{}", outdated(.path, .source_path))]
    Outdated {
        /// The values folder.
        path: PathBuf,
        /// The run's directory.
        source_path: PathBuf,
    },
    /// More positions than an explicit method can hold.
    #[error("{}", too_large(.what, *.needed_bytes, *.limit_bytes))]
    TooLarge {
        /// What was asked for.
        what: String,
        /// Bytes it would hold.
        needed_bytes: u128,
        /// The cap in force; 0 where the system does not give as much, and the greatest number where nothing could.
        limit_bytes: u64,
    },
    /// Not enough free disk for what is to be written.
    #[error("{}", disk_full(.path, *.needed_bytes, *.free_bytes, *.margin_bytes))]
    DiskFull {
        /// Where it was to be written.
        path: PathBuf,
        /// Bytes to be written.
        needed_bytes: u64,
        /// Bytes that are free.
        free_bytes: u64,
        /// Bytes that are left free.
        margin_bytes: u64,
    },
    /// A position further from the end than a number in a file or table can say.
    #[error("a position is more than {most} plies from the end, the most that {what} can hold")]
    TooDeep {
        /// What holds the depths.
        what: String,
        /// The greatest depth that fits.
        most: u64,
    },
    /// An index without a position.
    #[error("there is no position with index {index}: there are {num_positions}")]
    PastTheEnd {
        /// The index.
        index: u64,
        /// Number of positions.
        num_positions: u64,
    },
    /// A game description broke a promise it made.
    #[error("the rules of {game} contradict themselves: {reason}; this is a bug in the game's description")]
    Rules {
        /// The game.
        game: String,
        /// What was seen.
        reason: String,
    },
    /// One chain of sets was asked for, forward from the start.
    #[error("chains of sets are what retrograde analysis computes; forward search computes all sets")]
    ChainsOfMeet,
    /// Sets were asked of a solution that has none.
    #[error("this solution of {game} holds values and no sets; open the run that it was made from")]
    NoSets {
        /// The game.
        game: String,
    },
    /// A sector of a morris game that is needed and not there.
    #[error("{}", missing_sector(.sector, .needed_by.as_deref(), .folder.as_deref()))]
    MissingSector {
        /// The sector.
        sector: String,
        /// The sector or unit that leads to it, if it was not asked for itself.
        needed_by: Option<String>,
        /// The directory it was looked for in, if it was to be on disk.
        folder: Option<PathBuf>,
    },
    /// A sector without a value, where its draws are to be ranked.
    #[error("the list of sector values has none for sector {sector}, which is needed")]
    NoValue {
        /// The sector.
        sector: String,
    },
    /// A sector that no game of the kind has.
    #[error("there is no sector {sector}: {limits}")]
    NoSuchSector {
        /// The sector.
        sector: String,
        /// Which sectors there are.
        limits: String,
    },
    /// A text or code that does not say what it should.
    #[error("'{text}' is not {what}; {form}")]
    Malformed {
        /// What it should say.
        what: &'static str,
        /// The text.
        text: String,
        /// What it should look like.
        form: &'static str,
    },
    /// Two things that should fit each other and do not.
    #[error("{what}: {found}, where {expected} is needed")]
    Mismatch {
        /// What does not fit: a file, or what was handed in.
        what: String,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// Something that a format or a method has no place for.
    #[error("{what} does not fit {format}, which has {limit}")]
    Unrepresentable {
        /// What was to be represented.
        what: String,
        /// By which format.
        format: &'static str,
        /// What the format has instead.
        limit: String,
    },
    /// A request that a game does not allow.
    #[error("{game} {lack}")]
    NotForGame {
        /// The game.
        game: String,
        /// What the game lacks.
        lack: Lack,
    },
    /// No letter order of a game can be measured within the memory cap.
    #[error("{}", no_order_fits(.game, *.limit_bytes))]
    NoOrderFits {
        /// The game.
        game: String,
        /// The cap in force.
        limit_bytes: u64,
    },
    /// A run that does not hold what was asked of it.
    #[error("{wanted} need {needs}")]
    WrongRun {
        /// What was asked for.
        wanted: &'static str,
        /// What the run should hold.
        needs: RunNeeds,
    },
    /// A part of the program that this build leaves out.
    #[error("this program was built without the feature '{feature}'")]
    NotBuilt {
        /// The cargo feature.
        feature: &'static str,
    },
    /// A compressor failed in memory.
    #[error("{what}: {source}")]
    Codec {
        /// Which.
        what: &'static str,
        /// Its word on it.
        source: std::io::Error,
    },
    /// Play that cannot go on.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// Stopped by the user; what was done is on disk.
    #[error("interrupted")]
    Interrupted,
}
