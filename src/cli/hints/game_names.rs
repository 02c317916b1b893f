//! Errors and hints for unknown names of games.

use std::path::Path;

use nerode_games::Error as GameError;
use nerode_rules::rbg::bundled;

use super::advice::advised;
use crate::cli::words::{how_to_resume, shell};
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
        let hint = format!("{}, and 'nerode info {}' describes it", how_to_resume(path), shell(path));
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

/// Other names of games, in lower case without spaces, and the games.
const OTHER_NAMES: [(&str, &str); 15] = [
    ("4inarow", "connect:7x6"),
    ("c4", "connect:7x6"),
    ("connect4", "connect:7x6"),
    ("connectfour", "connect:7x6"),
    ("fourinarow", "connect:7x6"),
    ("noughtsandcrosses", "tictactoe:3x3"),
    ("tictactoe", "tictactoe:3x3"),
    ("reversi", "othello:4x4"),
    ("checkers", "rbg:draughts"),
    ("gameoftheamazons", "amazons:4x4"),
    ("mancala", "rbg:kalah"),
    ("mill", "morris:nine"),
    ("mills", "morris:nine"),
    ("merels", "morris:nine"),
    ("laskermorris", "morris:lasker"),
];

/// Returns the hint for a name that no family has, because it may be a board of one, a game whose rules come as a file,
/// or another name of a game.
pub(super) fn of_unknown(name: &str) -> String {
    match meant(name) {
        Some(game) => format!("'{game}' is a game; 'nerode games' describes all of them"),
        None => "'nerode games' describes all games".into(),
    }
}

/// Returns the game that is probably meant by a name that no family has.
pub(in crate::cli) fn meant(name: &str) -> Option<String> {
    let is_word = name.starts_with(char::is_alphabetic);
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let other = OTHER_NAMES.iter().filter(|(other, _)| *other == plain).map(|(_, game)| (*game).to_string());
    let file = bundled().iter().filter(|game| game.name == plain).map(|game| format!("rbg:{}", game.name));
    let morris =
        plain.strip_suffix("morris").map(|board| board.trim_end_matches("mens").trim_end_matches("men"));
    let families = registry().families().iter().filter(|_| is_word);
    let boards =
        families.flat_map(|info| [format!("{}:{name}", info.family), format!("{}:{plain}", info.family)]);
    let mut games = other.chain(file).chain(morris.map(|board| format!("morris:{board}"))).chain(boards);
    games.find(|game| registry().open(game).is_ok())
}

/// The maximum number of words of a name after the first one.
const MORE_WORDS: usize = 3;

/// Returns the name and the game if `first` and some of the `words` after it are together another name of a game, or a family and
/// its board.
pub(in crate::cli) fn name_of_words<'a>(
    first: &str,
    words: impl Iterator<Item = &'a str>,
) -> Option<(String, String)> {
    let mut name = first.to_string();
    for (at, word) in words.take(MORE_WORDS).enumerate() {
        name = format!("{name} {word}");
        let of_family = || {
            let game = format!("{first}:{word}");
            let is_board = at == 0 && registry().family_named(first).is_some();
            (is_board && registry().open(&game).is_ok()).then_some(game)
        };
        // Other words, such as a drawn row, add nothing to a name.
        let is_named = || word.contains(char::is_alphanumeric).then(|| meant(&name)).flatten();
        if let Some(game) = is_named().or_else(of_family) {
            return Some((name, game));
        }
    }
    None
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
            assert_eq!(of_unknown(other), "'nerode games' describes all games", "{other}");
        }
    }

    #[test]
    fn other_names_of_games_are_known() {
        for (name, game) in [
            ("hex", "rbg:hex"),
            ("reversi", "othello:4x4"),
            ("checkers", "rbg:draughts"),
            ("Mancala", "rbg:kalah"),
            ("Connect Four", "connect:7x6"),
            ("connect-4", "connect:7x6"),
            ("nine mens morris", "morris:nine"),
            ("Six Men's Morris", "morris:six"),
            ("Fox and Hounds", "rbg:foxandhounds"),
        ] {
            let hint = of_unknown(name);
            assert!(hint.starts_with(&format!("'{game}' is a game")), "{name}: {hint}");
        }
        for (_, game) in OTHER_NAMES {
            assert!(registry().open(game).is_ok(), "{game}");
        }
    }
}
