//! What a user of the program can do about an error: the library says what happened, the hint names the option.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use nerode_dfa::Error as DfaError;
use nerode_games::Error as GameError;

use super::sectors::import_command;
use super::words::{resume_command, shell};
use crate::archive::contents::FOREIGN;
use crate::archive::run_dir::RunDir;
use crate::archive::table::TableFile;
use crate::archive::{Contents, kind_of};
use crate::error::{Error, Lack, RunNeeds};
use crate::morris::tables::SectorDir;
use crate::solve::method::Method;

/// What went wrong, and apart from it what helps.
#[derive(Debug)]
struct Advised {
    message: String,
    hint: String,
}

impl fmt::Display for Advised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Advised {}

/// An error that says `message`, with `hint` as what helps.
pub(super) fn advised(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Advised { message: message.into(), hint: hint.into() })
}

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
        if let Some(advised) = cause.downcast_ref::<Advised>() {
            return say(&advised.hint);
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
        Error::NotForGame { lack: Lack::MirrorImage, .. } => "leave --chains away",
        Error::ChainsOfMeet => "leave --chains away with --method meet",
        Error::NotForGame { lack: Lack::AdmissiblePositions, .. } => "leave --admissible-from away",
        Error::Occupied { path, contents } if contents == "a run" => return say(of_own_run(path)),
        Error::Occupied { .. } => "replace it with --overwrite, or name another directory",
        Error::OtherContents { expected, .. } if expected == "files of others" => "name a file elsewhere",
        Error::OtherContents { found, .. } if found.starts_with(FOREIGN) => {
            "name a directory that is new or empty"
        }
        Error::OtherContents { path, expected, .. } => return say(of_contents(path, expected)),
        Error::Busy { .. } => "or name another directory",
        Error::BusyUnit { folder, .. } => return say(of_busy_unit(folder)),
        Error::Corrupt { path, .. } => return of_damaged(path),
        Error::OtherRequest { path, .. } => {
            let command = resume_command(path);
            return say(format!(
                "'{command}' goes on with the options it was begun with; or name another --run-dir"
            ));
        }
        Error::NotFinished { path } => return say(of_unfinished(path)),
        Error::NoRetrogradePly { path } if is_meet(path) => {
            "only runs by --method retrograde have such plies"
        }
        Error::NoRetrogradePly { path } => return say(format!("'{}' goes on with it", resume_command(path))),
        Error::MirrorImage { .. } => "solve with --chains both",
        Error::Outdated { source_path, .. } => {
            return say(format!("'nerode pack {} --overwrite' makes them again", source_path.display()));
        }
        Error::NotForGame { lack: Lack::CareSet(_), .. } => "leave --care away",
        Error::Io { path, source } => return of_file(path, source),
        Error::WrongRun { needs: RunNeeds::RetrogradeOrFinished, .. } => "finish it with 'nerode resume DIR'",
        Error::WrongRun { needs: RunNeeds::Retrograde, .. } => "solve with --method retrograde",
        Error::WrongRun { needs: RunNeeds::FixpointOfEndingGame, .. } => {
            "leave --last away to check every ply"
        }
        Error::WrongRun { needs: RunNeeds::Fixpoint, .. } => "solve without --plies and --method meet",
        Error::WrongRun { needs: RunNeeds::BothChains, .. } => "solve with --chains both",
        Error::MissingSector { sector, folder: Some(folder), .. } => {
            let game = SectorDir::open(folder).ok()?.game().spec.clone();
            let (game, folder) = (shell(Path::new(&game)), shell(folder));
            return say(format!(
                "solve unit {sector} with 'nerode unit {game} {sector} --run-dir {folder}', or it and all that it needs with \
                 'nerode solve {game} --sector {sector} --run-dir {folder}'"
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
        Error::NotBuilt { feature } => return say(format!("build it with --features {feature}")),
        _ => return None,
    };
    say(text)
}

/// What to do with the run in the directory `path`, which is not finished.
fn of_unfinished(path: &Path) -> String {
    let resume = format!("'{}' goes on with it", resume_command(path));
    if is_meet(path) {
        return resume;
    }
    format!("{resume}; 'nerode query {} start --so-far' asks what it has decided so far", shell(path))
}

/// Whether the directory `path` holds a run from the start.
fn is_meet(path: &Path) -> bool {
    RunDir::open(path).is_ok_and(|run| run.request().method == Method::Meet)
}

/// What to do with the run in the directory `path`, where another was to be written.
fn of_own_run(path: &Path) -> String {
    if RunDir::open(path).is_ok_and(|run| run.progress().finished) {
        format!(
            "already solved; ask with 'nerode query {} start', or replace it with --overwrite",
            shell(path)
        )
    } else {
        format!("'{}' continues it; or replace it with --overwrite", resume_command(path))
    }
}

/// What the directory `path` is good for, where `expected` was looked for or was to be written.
fn of_contents(path: &Path, expected: &str) -> String {
    let Some(kind) = kind_of(path) else {
        if let Some(command) = import_command(path) {
            return of_malom(&command);
        }
        return "'nerode solve' makes solutions, and 'nerode info DIR' says what a directory holds".into();
    };
    let takers = match kind {
        Contents::Run => "query, line, stats, verify, export, pack, compare, estimate and info",
        Contents::Scores | Contents::SectorSets => "query, line, stats and info",
        Contents::Sectors => "query, line, stats, verify, export, pack, compare and info",
        Contents::Values | Contents::PackedSectors => "query and info",
    };
    format!("the commands {takers} take {kind}; a command that writes {expected} needs another directory")
}

/// What to do while another process solves a unit in the directory `folder`.
fn of_busy_unit(folder: &Path) -> String {
    let game = SectorDir::open(folder).map_or_else(|_| "GAME".into(), |dir| dir.game().spec.clone());
    let (game, folder) = (shell(Path::new(&game)), shell(folder));
    format!(
        "wait until it is done and give the same command again, or choose another unit: 'nerode plan {game} --run-dir {folder}' shows \
         which are open"
    )
}

/// What to do with files of Malom's, which `command` imports.
fn of_malom(command: &str) -> String {
    format!("these are files of Malom's: '{command}' makes a directory of sectors of them")
}

/// How to have the file `path` again, which is damaged or missing: sets of a run are made again.
fn of_damaged(path: &Path) -> Option<String> {
    let (dir, kind) =
        path.ancestors().skip(1).take(2).find_map(|dir| kind_of(dir).map(|kind| (dir, kind)))?;
    let is_set = kind == Contents::Run && path.parent() != Some(dir);
    is_set.then(|| format!("'{}' makes it again", resume_command(dir)))
}

/// What helps where the file or directory `path` is not what it should be.
fn of_file(path: &Path, error: &io::Error) -> Option<String> {
    // The system's own word on it is of something else.
    let is_ours = error.raw_os_error().is_none();
    match error.kind() {
        ErrorKind::AlreadyExists if is_ours => say("replace it with --overwrite, or name another file"),
        ErrorKind::NotFound if is_ours => say("'nerode solve' makes solutions"),
        ErrorKind::NotFound => of_damaged(path),
        ErrorKind::NotADirectory if is_ours && TableFile::open(path).is_ok() => {
            say("it is a table file: the commands query, line and verify take it")
        }
        ErrorKind::NotADirectory if is_ours && import_command(path).is_some() => {
            import_command(path).map(|command| of_malom(&command))
        }
        ErrorKind::NotADirectory if is_ours => say("'nerode solve' makes directories of solutions"),
        _ => None,
    }
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
        GameError::Spec { form, example, .. } => say(format!("for example '{example}'; the form is {form}")),
        GameError::Position { example, .. } => {
            say(format!("for example '{example}', the start position; 'start' is short for it"))
        }
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
