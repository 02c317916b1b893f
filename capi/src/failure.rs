//! Failures as status codes with messages.

use std::io;

use nerode_probe::{Error, ReadError};

/// The result of a call.
#[allow(non_camel_case_types, reason = "the name is that of the C interface")]
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum nerode_status {
    /// Success.
    NERODE_OK = 0,
    /// An argument is null, is not UTF-8, or is out of range, or a struct has another version.
    NERODE_ARGUMENT = 1,
    /// A handle is null, has been closed, or is a handle of another kind.
    NERODE_HANDLE = 2,
    /// There is no such file, folder or sector.
    NERODE_MISSING = 3,
    /// The operating system or the source could not read.
    NERODE_IO = 4,
    /// A file is damaged, truncated, or was replaced while it was open.
    NERODE_DAMAGED = 5,
    /// A file has a version of its format that this library does not read.
    NERODE_VERSION = 6,
    /// A file was made under other rules of a game of this name.
    NERODE_RULES = 7,
    /// A file or folder is no packed solution.
    NERODE_CONTENTS = 8,
    /// A position or move cannot be read, is not legal, or does not belong to the game.
    NERODE_POSITION = 9,
    /// Memory was exhausted.
    NERODE_MEMORY = 10,
    /// The library failed; the message describes how. Please report it.
    NERODE_INTERNAL = 11,
}

/// A failure: its code, and a message for people.
pub(crate) struct Failure {
    pub(crate) status: nerode_status,
    pub(crate) message: String,
}

impl Failure {
    /// Creates a failure of the caller: an argument that cannot be used.
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self { status: nerode_status::NERODE_ARGUMENT, message: message.into() }
    }

    /// Creates a failure for a handle that is not what the function expects.
    pub(crate) fn handle(message: impl Into<String>) -> Self {
        Self { status: nerode_status::NERODE_HANDLE, message: message.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { status: status_of(&error), message: error.to_string() }
    }
}

fn status_of(error: &Error) -> nerode_status {
    match error {
        Error::Io { source, .. } => of_io(source),
        Error::Corrupt { .. } => nerode_status::NERODE_DAMAGED,
        Error::WrongVersion { .. } => nerode_status::NERODE_VERSION,
        Error::WrongRules { .. } => nerode_status::NERODE_RULES,
        Error::OtherContents { .. } => nerode_status::NERODE_CONTENTS,
        Error::MissingSector { .. } => nerode_status::NERODE_MISSING,
        Error::Mismatch { .. } | Error::Game(_) => nerode_status::NERODE_POSITION,
        Error::Dfa(error) => match error {
            ReadError::Io { source, .. } => of_io(source),
            ReadError::Corrupt { .. } => nerode_status::NERODE_DAMAGED,
            ReadError::Version { .. } => nerode_status::NERODE_VERSION,
            ReadError::OutOfMemory { .. } => nerode_status::NERODE_MEMORY,
            _ => nerode_status::NERODE_INTERNAL,
        },
        _ => nerode_status::NERODE_INTERNAL,
    }
}

fn of_io(error: &io::Error) -> nerode_status {
    match error.kind() {
        io::ErrorKind::NotFound => nerode_status::NERODE_MISSING,
        io::ErrorKind::OutOfMemory => nerode_status::NERODE_MEMORY,
        io::ErrorKind::UnexpectedEof => nerode_status::NERODE_DAMAGED,
        _ => nerode_status::NERODE_IO,
    }
}
