//! What a user of the program can do about an error: the library says what happened, the hint names the option.

use std::io::ErrorKind;

use nerode_dfa::Error as DfaError;
use nerode_games::Error as GameError;

use super::words::resume_command;
use crate::error::{Error, Lack, RunNeeds};

/// The option or command that helps with `error`, where there is one. `continuation`: the command line that goes on with the
/// work from where it was stopped.
pub(super) fn hint(error: &anyhow::Error, continuation: Option<String>) -> Option<String> {
    if is_interruption(error) {
        return continuation.map(|command| format!("what was done is kept; '{command}' goes on with it"));
    }
    let hint = error.chain().find_map(|cause| {
        if let Some(error) = cause.downcast_ref::<Error>() {
            return of_library(error);
        }
        if let Some(error) = cause.downcast_ref::<DfaError>() {
            return of_automata(error);
        }
        cause.downcast_ref::<GameError>().and_then(of_game)
    });
    let Some(command) = continuation else { return hint };
    if is_full_disk(error) {
        return say(format!("what was done is kept; make room on the disk, and '{command}' goes on with it"));
    }
    match hint {
        Some(hint) if hint == MORE_MEMORY => {
            say(format!("what was done is kept; '{command}' goes on with it: {hint} there"))
        }
        hint => hint,
    }
}

/// What helps where memory does not suffice.
const MORE_MEMORY: &str = "raise --memory";

/// Whether there was no room left for a file.
fn is_full_disk(error: &anyhow::Error) -> bool {
    let full = |e: &std::io::Error| e.kind() == std::io::ErrorKind::StorageFull;
    error.chain().any(|cause| {
        matches!(cause.downcast_ref(), Some(Error::DiskFull { .. }))
            || matches!(cause.downcast_ref(), Some(Error::Io { source, .. }) if full(source))
            || matches!(cause.downcast_ref(), Some(Error::Dfa(DfaError::Io { source, .. })) if full(source))
    })
}

/// Whether the user stopped the work.
pub(super) fn is_interruption(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        matches!(cause.downcast_ref(), Some(Error::Interrupted | Error::Dfa(DfaError::Interrupted)))
            || matches!(cause.downcast_ref(), Some(Error::Game(GameError::Dfa(DfaError::Interrupted))))
            || matches!(cause.downcast_ref(), Some(GameError::Dfa(DfaError::Interrupted)))
            || matches!(cause.downcast_ref(), Some(DfaError::Interrupted))
    })
}

fn of_library(error: &Error) -> Option<String> {
    let text = match error {
        Error::Dfa(error) => return of_automata(error),
        Error::Game(error) => return of_game(error),
        Error::TooLarge { limit_bytes: 0 | u64::MAX, .. } => return None,
        Error::TooLarge { .. } => MORE_MEMORY,
        Error::NoOrderFits { .. } => "raise --memory or lower --plies",
        Error::NoMirrorImage { .. } => "leave --chains away",
        Error::ChainsOfMeet => "leave --chains away with --method meet",
        Error::NotForGame { lack: Lack::AdmissiblePositions, .. } => "leave --admissible-from away",
        Error::Occupied { contents, .. } if contents == "a run" => {
            "continue it with --resume, replace it with --overwrite, or name another --run-dir"
        }
        Error::Occupied { .. } => "replace it with --overwrite, or name another folder with --out",
        Error::OtherContents { expected, found, .. }
            if expected == "a run" && found.starts_with("nothing") =>
        {
            "make a run with 'nerode solve'"
        }
        Error::OtherContents { expected, .. } if expected == "files of others" => "name a file elsewhere",
        Error::OtherContents { .. } => "name another folder with --out or --run-dir",
        Error::Busy { .. } => "or name another --run-dir",
        Error::OtherRequest { path, .. } => {
            let command = resume_command(path);
            return say(format!(
                "'{command}' goes on with the options it was begun with; or name another --run-dir"
            ));
        }
        Error::NotFinished { path } | Error::NoRetrogradePly { path } => {
            return say(format!("'{}' goes on with it", resume_command(path)));
        }
        Error::MirrorImage { .. } => "solve with --chains both",
        Error::Outdated { source_path, .. } => {
            return say(format!("'nerode pack {} --overwrite' makes them again", source_path.display()));
        }
        Error::NoCareSet { .. } => "leave --care away",
        // The system's own word on it is of something else.
        Error::Io { source, .. }
            if source.kind() == ErrorKind::AlreadyExists && source.raw_os_error().is_none() =>
        {
            "replace it with --overwrite, or name another file"
        }
        Error::WrongRun { needs: RunNeeds::RetrogradeOrFinished, .. } => {
            "finish it with 'nerode resume DIR', then check it"
        }
        Error::WrongRun { needs: RunNeeds::Retrograde, .. } => "solve with --method retrograde",
        Error::WrongRun { needs: RunNeeds::FixpointOfEndingGame, .. } => {
            "leave --last away to check every ply"
        }
        Error::WrongRun { needs: RunNeeds::Fixpoint, .. } => "solve without --plies and --method meet",
        Error::WrongRun { needs: RunNeeds::BothChains, .. } => "solve with --chains both",
        Error::MissingSector { sector, folder: Some(folder), .. } => {
            let folder = folder.display();
            return say(format!(
                "solve unit {sector} with 'nerode unit GAME {sector} --run-dir {folder}', or it and all that it needs with \
                 'nerode solve GAME --sector {sector} --run-dir {folder}'"
            ));
        }
        Error::NotForGame { game, lack: Lack::BackwardMoves } => {
            return say(format!("'nerode reach {game} --plies N' counts its positions"));
        }
        Error::NotForGame { game, lack: Lack::WholeSets } => {
            return say(format!("'nerode solve {game}' solves it by sectors"));
        }
        Error::NotForGame { game, lack: Lack::Scores } => {
            return say(format!("solve it with 'nerode solve {game}'"));
        }
        Error::WrongOrder { needed, .. } => return say(format!("solve with --order {needed}")),
        Error::NotBuilt { feature } => return say(format!("build it with --features {feature}")),
        _ => return None,
    };
    say(text)
}

fn of_automata(error: &DfaError) -> Option<String> {
    match error {
        DfaError::OutOfMemory { .. } => say(MORE_MEMORY),
        _ => None,
    }
}

fn of_game(error: &GameError) -> Option<String> {
    match error {
        GameError::UnknownGame { .. } => say("'nerode games' describes every family"),
        GameError::UnknownOrder { .. } => say("'nerode info GAME' lists the names that --order takes"),
        GameError::Illegal { .. } => say("--any answers it all the same, as the solution holds it"),
        GameError::Dfa(error) => of_automata(error),
        _ => None,
    }
}

fn say(text: impl Into<String>) -> Option<String> {
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> DfaError {
        DfaError::OutOfMemory { what: "states", needed_bytes: 2, limit_bytes: 1 }
    }

    #[test]
    fn the_option_is_found_however_deep_the_error_lies() {
        let errors = [
            anyhow::Error::from(memory()),
            anyhow::Error::from(Error::Dfa(memory())),
            anyhow::Error::from(Error::Game(GameError::Dfa(memory()))).context("while solving"),
        ];
        for error in errors {
            assert_eq!(hint(&error, None).as_deref(), Some("raise --memory"), "{error:?}");
        }
    }

    #[test]
    fn only_a_command_that_goes_on_is_told_to() {
        for error in [anyhow::Error::from(Error::Interrupted), anyhow::Error::from(DfaError::Interrupted)] {
            let said = hint(&error, Some("nerode go on".into()));
            assert!(said.is_some_and(|said| said.contains("'nerode go on'")));
            assert_eq!(hint(&error, None), None);
        }
        assert_eq!(hint(&anyhow::anyhow!("something else"), Some("nerode go on".into())), None);
    }
}
