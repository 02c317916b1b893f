//! Error types of the solving library.

mod cap;
mod making;
#[cfg(feature = "engine")]
mod oracle;
mod play;
mod reasons;

use std::path::PathBuf;

use nerode_games::grouped;

pub use cap::CapError;
pub use making::check_interrupt;
pub use play::PlayError;
pub use reasons::{Lack, RunNeeds};
use reasons::{
    disk_full, missing_sector, no_order_fits, no_such_unit, outdated, too_large, wrong_rules, wrong_version,
};

/// The result of solving, checking or writing.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that depends on data, memory or files. Its message says how to resolve it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The automata engine failed.
    #[error(transparent)]
    Dfa(#[from] nerode_dfa::Error),
    /// A game, position or move could not be read.
    #[error(transparent)]
    Game(#[from] nerode_games::Error),
    /// Reading or writing a file failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error reported by the operating system.
        source: std::io::Error,
    },
    /// A file is damaged or has unexpected contents.
    #[error("{path}: {reason}; restore the file from a copy or recreate it")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The reason why the file was rejected.
        reason: String,
    },
    /// A file has an unsupported format version.
    #[error("{}", wrong_version(.path, *.found, *.supported))]
    WrongVersion {
        /// The file.
        path: PathBuf,
        /// The version found in the file.
        found: u32,
        /// The version that this program reads and writes.
        supported: u32,
    },
    /// A file was created for other rules.
    #[error("{}", wrong_rules(.path, .found, .expected))]
    WrongRules {
        /// The file.
        path: PathBuf,
        /// The fingerprint of the rules in the file.
        found: String,
        /// The fingerprint of the expected rules.
        expected: String,
    },
    /// A directory has contents of another kind than the caller expects or wants to write.
    #[error("{path}: expected {expected}, found {found}")]
    OtherContents {
        /// The directory.
        path: PathBuf,
        /// A description of the actual contents.
        found: String,
        /// A description of the expected contents, or of the contents to be written.
        expected: String,
    },
    /// A directory already has contents of the kind to be written.
    #[error("{path}: already contains {contents}")]
    Occupied {
        /// The directory.
        path: PathBuf,
        /// A description of the contents.
        contents: String,
    },
    /// Another process is writing to the same place.
    #[error("{path}: another process is writing here; wait until it finishes")]
    Busy {
        /// The directory or file.
        path: PathBuf,
    },
    /// Another process is solving the same work unit of a morris game.
    #[error("{folder}: unit {unit} is being solved by another process")]
    BusyUnit {
        /// The directory of sectors.
        folder: PathBuf,
        /// The sector after which the unit is named.
        unit: String,
    },
    /// An input file of a work unit is missing or damaged.
    #[error("{path}: {reason}; stop and resume the solve, which recreates the file")]
    UnitInput {
        /// The file.
        path: PathBuf,
        /// The reason why the file was rejected.
        reason: String,
    },
    /// A merge cannot start because some of its fragments are missing.
    #[error("unit {unit} merges other units, of which {lacks} is not finished; run that unit first")]
    UnitWaits {
        /// The merge.
        unit: String,
        /// A unit that is not finished.
        lacks: String,
    },
    /// A plan has no unit with this number.
    #[error("{}", no_such_unit(.unit, *.num_units))]
    NoSuchUnit {
        /// The requested unit.
        unit: String,
        /// The number of units in the plan.
        num_units: usize,
    },
    /// The units of a ply were planned for other moves or sets than the current ones.
    #[error(
        "{path}: these units were planned by another version of the program or of the rules; run them with the \
         program that solves the game"
    )]
    OtherUnits {
        /// The directory of the units.
        path: PathBuf,
    },
    /// A run was started with a different request from the one that is to continue it.
    #[error("{path}: the run was started for {found}, not for {request}")]
    OtherRequest {
        /// The directory of the run.
        path: PathBuf,
        /// The request with which the run was started.
        found: String,
        /// The request that is to continue the run.
        request: String,
    },
    /// A run must be finished before it can answer queries.
    #[error("{path}: the solve is not finished")]
    NotFinished {
        /// The directory of the run.
        path: PathBuf,
    },
    /// A run has no retrograde ply so far.
    #[error("{path}: the run has no retrograde ply")]
    NoRetrogradePly {
        /// The directory of the run.
        path: PathBuf,
    },
    /// A run from the start is not finished, and has no values until then.
    #[error("{path}: the run searches forward from the start, and has values only when it is finished")]
    NoValuesYet {
        /// The directory of the run.
        path: PathBuf,
    },
    /// A run does not contain the requested set.
    #[error("{path}: the run has no set {name}; its manifest lists all sets")]
    NoSuchSet {
        /// The directory of the run.
        path: PathBuf,
        /// The name of the set.
        name: String,
    },
    /// A set of an early ply was removed because the run keeps only its last plies.
    #[error(
        "{file} was removed: this run keeps only the sets of its last plies, but the request needs earlier ones"
    )]
    NotKept {
        /// The former path of its file, relative to the directory of the run.
        file: String,
    },
    /// A set is stored only as the mirror image of another set.
    #[error(
        "the run contains one chain only: {file} contains this set with the sides exchanged, and no file contains the set itself"
    )]
    MirrorImage {
        /// The file of the other set, relative to the directory of the run.
        file: String,
    },
    /// Values were derived from another run, or from an earlier state of the same run.
    #[error("{}", outdated(.path, .source_path))]
    Outdated {
        /// The directory of the values.
        path: PathBuf,
        /// The directory of the run.
        source_path: PathBuf,
    },
    /// An explicit method would need too much memory for all positions.
    #[error("{}", too_large(.what, *.needed_bytes, *.limit_bytes))]
    TooLarge {
        /// The requested table or computation.
        what: String,
        /// The number of bytes it would need.
        needed_bytes: u128,
        /// The memory cap in force; 0 if the operating system cannot provide the memory, and [`u64::MAX`] if no machine
        /// could.
        limit_bytes: u64,
    },
    /// The reached positions of a game are too many or too large for the explicit solver.
    #[cfg(feature = "engine")]
    #[error(transparent)]
    Reached(nerode_oracle::Error),
    /// There is not enough free disk space.
    #[error("{}", disk_full(.path, *.needed_bytes, *.free_bytes, *.margin_bytes))]
    DiskFull {
        /// The path to be written.
        path: PathBuf,
        /// The number of bytes to be written.
        needed_bytes: u64,
        /// The number of free bytes.
        free_bytes: u64,
        /// The number of bytes that must stay free.
        margin_bytes: u64,
    },
    /// A position is further from the end of the game than a file or table can represent.
    #[error("a position is more than {most} plies from the end, the maximum that {what} can represent")]
    TooDeep {
        /// The file or table that holds the depths.
        what: String,
        /// The greatest depth that it can represent.
        most: u64,
    },
    /// An index is out of range.
    #[error(
        "the index {} is out of range: the number of positions is {}",
        grouped(u128::from(*.index)),
        grouped(u128::from(*.num_positions))
    )]
    PastTheEnd {
        /// The index.
        index: u64,
        /// The number of positions.
        num_positions: u64,
    },
    /// A game description violates its contract.
    #[error("the rules of {game} contradict themselves: {reason}; this is a bug in the game's description")]
    Rules {
        /// The game.
        game: String,
        /// The contradiction that was detected.
        reason: String,
    },
    /// A single chain of sets was requested for a forward search from the start.
    #[error("only retrograde analysis can compute a single chain of sets; forward search computes all sets")]
    ChainsOfMeet,
    /// Sets were requested from a solution that contains none.
    #[error("this solution of {game} contains values but no sets; open the run from which it was created")]
    NoSets {
        /// The game.
        game: String,
    },
    /// A required sector of a morris game is missing.
    #[error("{}", missing_sector(.sector, .needed_by.as_deref(), .folder.as_deref()))]
    MissingSector {
        /// The sector.
        sector: String,
        /// The sector or unit that depends on it, unless the caller requested the sector itself.
        needed_by: Option<String>,
        /// The directory that was searched, if the sector was expected on disk.
        folder: Option<PathBuf>,
    },
    /// A sector has no value, although its draws are to be ranked.
    #[error("the list of sector values has no value for sector {sector}, which is needed")]
    NoValue {
        /// The sector.
        sector: String,
    },
    /// No game of this kind has such a sector.
    #[error("there is no sector {sector}: {limits}")]
    NoSuchSector {
        /// The sector.
        sector: String,
        /// A description of the valid sectors.
        limits: String,
    },
    /// A text or code does not have the required form.
    #[error("'{text}' is not {what}; {form}")]
    Malformed {
        /// The expected meaning of the text.
        what: &'static str,
        /// The text.
        text: String,
        /// A description of the required form.
        form: &'static str,
    },
    /// Two items do not fit each other.
    #[error("{what}: expected {expected}, found {found}")]
    Mismatch {
        /// The item that does not fit: a file or an argument.
        what: String,
        /// A description of the actual item.
        found: String,
        /// A description of the expected item.
        expected: String,
    },
    /// A format or method cannot represent a value.
    #[error("{what} cannot be represented by {format}; supported: {limit}")]
    Unrepresentable {
        /// The value to be represented.
        what: String,
        /// The format.
        format: &'static str,
        /// The limit of the format.
        limit: String,
    },
    /// A game does not support the request.
    #[error("{game} {lack}")]
    NotForGame {
        /// The game.
        game: String,
        /// The property that the game lacks.
        lack: Lack,
    },
    /// No letter order of a game can be measured within the memory cap.
    #[error("{}", no_order_fits(.game, *.limit_bytes))]
    NoOrderFits {
        /// The game.
        game: String,
        /// The memory cap in force.
        limit_bytes: u64,
    },
    /// A run does not contain the requested data.
    #[error("{wanted} require {needs}")]
    WrongRun {
        /// The requested data.
        wanted: &'static str,
        /// The kind of run that is needed.
        needs: RunNeeds,
    },
    /// A proved value has no certificate.
    #[error("the value is proved, but no certificate was written: {reason}")]
    NoStrategy {
        /// The reason.
        reason: String,
    },
    /// This build of the program does not include a feature.
    #[error("this program was built without the feature '{feature}'")]
    NotBuilt {
        /// The name of the cargo feature.
        feature: &'static str,
    },
    /// A compressor failed in memory.
    #[error("{what}: {source}")]
    Codec {
        /// The name of the compressor.
        what: &'static str,
        /// The error reported by the compressor.
        source: std::io::Error,
    },
    /// A game cannot be played or continued.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The memory cap of the process is too small.
    #[error(transparent)]
    Cap(#[from] CapError),
    /// The user interrupted the program. Completed work is on disk.
    #[error("interrupted")]
    Interrupted,
}
