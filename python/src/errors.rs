//! Converts errors of the library to Python exceptions, which are classes of `nerode._errors`.

use nerode::{Error, dfa, games};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Creates the exception `name` of the package with a message.
pub fn named(py: Python<'_>, name: &str, message: impl Into<String>) -> PyErr {
    let class = py.import("nerode._errors").and_then(|module| module.getattr(name));
    match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
        Ok(class) => PyErr::from_type(class, message.into()),
        Err(error) => error,
    }
}

/// Creates the exception for an error of the library.
pub fn raised(py: Python<'_>, error: impl Into<Error>) -> PyErr {
    let error = error.into();
    let name = match &error {
        _ if error.is_interruption() => {
            return pyo3::exceptions::PyKeyboardInterrupt::new_err("interrupted; finished work is on disk");
        }
        _ if error.is_full_disk() => "DiskFull",
        Error::Dfa(inner) => of_sets(inner),
        Error::Game(inner) => of_games(inner),
        Error::Io { .. } => "FileError",
        Error::Corrupt { .. } | Error::WrongVersion { .. } => "DamagedFile",
        Error::WrongRules { .. } => "OtherRules",
        Error::OtherContents { .. } | Error::Occupied { .. } | Error::OtherRequest { .. } => "DirectoryError",
        Error::Busy { .. } | Error::BusyUnit { .. } => "Busy",
        Error::NotFinished { .. } | Error::NoRetrogradePly { .. } | Error::NoValuesYet { .. } => {
            "NotFinished"
        }
        Error::NoSuchSet { .. } | Error::NoSets { .. } | Error::MirrorImage { .. } => "NoSuchSet",
        Error::MissingSector { .. } | Error::NoSuchSector { .. } => "NoSuchSector",
        Error::TooLarge { .. } | Error::Reached(_) | Error::Cap(_) => "OutOfMemory",
        Error::NotForGame { .. } | Error::ChainsOfMeet => "NotSolvable",
        Error::Rules { .. } => "BadRules",
        _ => "Error",
    };
    named(py, name, error.to_string())
}

fn of_sets(error: &dfa::Error) -> &'static str {
    match error {
        dfa::Error::Shape(_) | dfa::Error::ShapeMismatch(_) => "BadShape",
        dfa::Error::Word(_) => "BadWord",
        dfa::Error::Move(_) => "BadMoves",
        dfa::Error::OutOfMemory { .. } | dfa::Error::TooManyStates { .. } => "OutOfMemory",
        dfa::Error::CountOverflow => "TooManyWords",
        dfa::Error::Corrupt { .. } | dfa::Error::Version { .. } => "DamagedFile",
        dfa::Error::Io { .. } => "FileError",
        _ => "Error",
    }
}

fn of_games(error: &games::Error) -> &'static str {
    match error {
        games::Error::Position { .. } | games::Error::Illegal { .. } => "BadPosition",
        games::Error::Move { .. } => "BadMove",
        games::Error::Dfa(inner) => of_sets(inner),
        games::Error::Rules(_) => "BadRules",
        _ => "BadGame",
    }
}
