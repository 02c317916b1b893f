//! Failures as status codes with messages.

use std::io;

use nerode_probe::{Error, ReadError};

use crate::types::nerode_status;

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
