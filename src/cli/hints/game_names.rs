//! Errors and hints for unknown names of games.

use std::path::Path;

use nerode_games::Error as GameError;

use super::advice::advised;
use crate::cli::words::{resume_command, shell};
use crate::registry;
use nerode_solver::archive::kind_of;
use nerode_solver::error::Error;

/// Rephrases the error according to the intention of the user: a directory or a file given instead of a game is named
/// as such.
pub(in crate::cli) fn clearer(error: anyhow::Error) -> anyhow::Error {
    match unknown_name(&error).and_then(of_path) {
        Some((message, hint)) => advised(message, hint),
        None => error,
    }
}

/// Returns the name of the unknown game, if that is the cause of the error.
fn unknown_name(error: &anyhow::Error) -> Option<&str> {
    error.chain().find_map(|cause| {
        let error = match cause.downcast_ref() {
            Some(Error::Game(error)) => Some(error),
            _ => cause.downcast_ref::<GameError>(),
        };
        match error {
            Some(GameError::UnknownGame { name, .. }) => Some(name.as_str()),
            _ => None,
        }
    })
}

/// Returns message and hint for a name that is, or looks like, the path of a directory or a file.
fn of_path(name: &str) -> Option<(String, String)> {
    let path = Path::new(name);
    if let Some(kind) = kind_of(path) {
        let hint =
            format!("'{}' resumes it, 'nerode info {}' describes it", resume_command(path), shell(path));
        return Some((format!("{name}: this is a directory with {kind}, not a game"), hint));
    }
    let games = "games have names such as breakthrough:4x5; 'nerode games' describes every family";
    let what = if path.is_dir() {
        "this is a directory, not a game"
    } else if path.is_file() {
        "this is a file, not a game"
    } else if name.contains(['/', std::path::MAIN_SEPARATOR]) {
        "there is no such directory"
    } else {
        return None;
    };
    Some((format!("{name}: {what}"), games.into()))
}

/// Returns the hint for a name that no family has, because it may be a board of one.
pub(super) fn of_unknown(name: &str) -> String {
    let is_word = name.starts_with(char::is_alphabetic);
    let mut specs = registry().families().iter().map(|info| format!("{}:{name}", info.family));
    match specs.find(|spec| is_word && registry().open(spec).is_ok()) {
        Some(spec) => format!("'{spec}' is a game; 'nerode games' describes every family"),
        None => "'nerode games' describes every family".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str) -> String {
        clearer(registry().open(name).err().unwrap().into()).to_string()
    }

    #[test]
    fn what_is_a_path_is_not_called_a_game() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        std::fs::write(path("file"), "").unwrap();
        assert!(said(&path("nowhere")).ends_with("there is no such directory"));
        assert!(said(&path("file")).ends_with("this is a file, not a game"));
        assert!(said(&path("")).ends_with("this is a directory, not a game"));
        assert!(said("nothing").contains("unknown game 'nothing'"));
    }

    #[test]
    fn the_board_of_a_family_is_known_by_itself() {
        assert!(of_unknown("nine").contains("'morris:nine'"));
        for other in ["nothing", "4x5", ""] {
            assert_eq!(of_unknown(other), "'nerode games' describes every family", "{other}");
        }
    }
}
