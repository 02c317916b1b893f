//! Hints for errors: the library reports the problem, and the hint names the option of the program that helps.

mod advice;
mod continuation;
mod directories;
mod game_names;
mod memory_needed;

use std::path::Path;

use nerode_dfa::Error as DfaError;
use nerode_games::Error as GameError;

use super::words::{how_to_resume, resume_command, shell};
use nerode_morris::tables::SectorDir;
use nerode_oracle::Error as OracleError;
use nerode_play::contest::THIS_LOG;
use nerode_solver::archive::claim::FOREIGN;
use nerode_solver::archive::place::OUTSIDE;
use nerode_solver::error::{CapError, Error, Lack, PlayError, RunNeeds};

pub(super) use advice::advised;
use advice::{Advised, say};
pub(super) use continuation::{Beginning, Continuation, Place};
pub(super) use directories::not_taken;
use directories::{
    is_meet, of_busy_unit, of_contents, of_damaged, of_file, of_foreign_sector, of_own_run, of_permission,
    of_unfinished,
};
use game_names::of_unknown;
pub(super) use game_names::{clearer, meant, name_of_words};
use memory_needed::{MORE_MEMORY, more_memory};

/// Returns the option or command that helps with `error`, if there is one. `continuation` is the way to continue the
/// work from where it was interrupted.
pub(super) fn hint(error: &anyhow::Error, continuation: Option<Continuation>) -> Option<String> {
    let command = continuation.as_ref().and_then(Continuation::command);
    if is_interruption(error) {
        return match (command, continuation) {
            (Some(command), _) => say(format!("completed work is kept; '{command}' resumes it")),
            (None, Some(_)) => say("nothing was written yet; repeat the command to start again"),
            (None, None) => None,
        };
    }
    let hint = error.chain().find_map(of_cause);
    if is_full_disk(error) {
        return say(command.map_or_else(
            || "free disk space and repeat the command, or choose a place on another disk".into(),
            |command| format!("completed work is kept; free disk space, and '{command}' resumes it"),
        ));
    }
    match (hint, command) {
        (Some(hint), Some(command)) if hint.starts_with(MORE_MEMORY) => {
            say(format!("completed work is kept; resume it with '{command}' and {hint}"))
        }
        (hint, _) => hint,
    }
}

fn of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<String> {
    if let Some(error) = cause.downcast_ref::<Error>() {
        return of_library(error);
    }
    if let Some(error) = cause.downcast_ref::<DfaError>() {
        return of_automata(error);
    }
    if let Some(error) = cause.downcast_ref::<std::io::Error>() {
        return of_permission(error);
    }
    if let Some(cap) = cause.downcast_ref::<CapError>() {
        return say(of_cap(cap));
    }
    if let Some(advised) = cause.downcast_ref::<Advised>() {
        return say(advised.hint());
    }
    cause.downcast_ref::<GameError>().and_then(of_game)
}

/// Returns `true` if the disk was too full for a file.
fn is_full_disk(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref().is_some_and(Error::is_full_disk))
}

/// Returns `true` if the user stopped the work.
pub(super) fn is_interruption(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref().is_some_and(Error::is_interruption)
            || cause.downcast_ref().is_some_and(GameError::is_interruption)
            || cause.downcast_ref().is_some_and(DfaError::is_interruption)
    })
}

fn of_library(error: &Error) -> Option<String> {
    let text = match error {
        Error::Dfa(error) => return of_automata(error),
        Error::Game(error) => return of_game(error),
        Error::Cap(error) => return say(of_cap(error)),
        Error::TooLarge { limit_bytes: 0 | u64::MAX, .. } => return None,
        Error::TooLarge { needed_bytes, limit_bytes, .. } => {
            return say(more_memory(*needed_bytes, *limit_bytes));
        }
        Error::Reached(OracleError::TooManyReached { .. }) => {
            "raise --memory; 'solve GAME --engine reached' continues on disk, and 'verify RUN --table FILE' compares a run with its table"
        }
        Error::Unrepresentable { what, .. } if what.starts_with("a score") => {
            "lower the bounds of the players' scores, in the file or with --bound PLAYER=N, or omit --score"
        }
        Error::NoOrderFits { .. } => "raise --memory or lower --plies",
        Error::NotForGame { lack: Lack::End, .. } => "omit --method meet, or limit the search with --plies N",
        Error::NotForGame { lack: Lack::MirrorImage, .. } => "omit --chains",
        Error::NoValue { .. } => {
            "add a line 'W B WF BF VALUE' for it, at its place in the order of values, and increase the count in the third line; \
             or omit --secval"
        }
        Error::ChainsOfMeet => "omit --chains with --method meet",
        Error::NotForGame { lack: Lack::AdmissiblePositions, .. } => "omit --admissible-from",
        Error::Occupied { path, contents } if contents == "a run" => return say(of_own_run(path)),
        Error::Occupied { .. } => "replace it with --overwrite, or name another directory",
        Error::OtherContents { expected, .. } if expected == OUTSIDE => "name a file in another folder",
        Error::OtherContents { expected, .. } if expected == THIS_LOG => {
            "name a new file with --log; only the same command continues a match"
        }
        Error::OtherContents { found, .. } if found.starts_with(FOREIGN) => "name a new or empty directory",
        Error::OtherContents { path, expected, .. } => return say(of_contents(path, expected)),
        Error::Busy { .. } => "or name another directory",
        Error::BusyUnit { folder, .. } => return say(of_busy_unit(folder)),
        Error::Corrupt { path, .. } => return of_damaged(path),
        Error::WrongRules { path, .. } | Error::WrongVersion { path, .. } => return of_foreign_sector(path),
        Error::OtherRequest { path, .. } => {
            let command = resume_command(path);
            return say(format!(
                "'{command}' resumes it with its original options; or name another --run-dir"
            ));
        }
        Error::NotFinished { path } => return say(of_unfinished(path)),
        Error::NoRetrogradePly { path } if is_meet(path) => {
            "only runs with --method retrograde have retrograde plies"
        }
        Error::NoRetrogradePly { path } | Error::NoValuesYet { path } => return say(how_to_resume(path)),
        Error::MirrorImage { .. } => "solve with --chains both",
        Error::NotKept { .. } => "solve without --keep last",
        Error::WrongRun { needs: RunNeeds::AllPlies, .. } => {
            "solve without --keep last, or check positions with --sample or --explicit"
        }
        Error::Outdated { source_path, .. } => {
            return say(format!("'nerode pack {} --overwrite' recomputes them", shell(source_path)));
        }
        Error::NotForGame { lack: Lack::CareSet(_), .. } => "omit --care",
        Error::NoStrategy { .. } => "give the search more memory with --memory, or more time with --seconds",
        Error::Io { path, source } => return of_file(path, source),
        Error::WrongRun { needs: RunNeeds::Meet, .. } => "solve with --method meet",
        Error::WrongRun { needs: RunNeeds::Retrograde, .. } => "solve with --method retrograde",
        Error::WrongRun { needs: RunNeeds::FixpointOfEndingGame, .. } => "omit --last to check every ply",
        Error::WrongRun { needs: RunNeeds::Fixpoint, .. } => {
            "solve without --plies and without --method meet"
        }
        Error::WrongRun { needs: RunNeeds::BothChains, .. } => "solve with --chains both",
        Error::MissingSector { sector, folder: Some(folder), .. } => {
            let game = SectorDir::open(folder).ok()?.game().spec.clone();
            let (game, folder) = (shell(Path::new(&game)), shell(folder));
            return say(format!(
                "solve unit {sector} with 'nerode unit {game} {sector} --run-dir {folder}', or the unit and all its dependencies with \
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
        Error::Play(PlayError::Program { .. }) => "check the name of the program and its permissions",
        Error::Play(PlayError::Openings { .. }) => "use fewer --opening-plies",
        Error::Play(PlayError::NoDepths { .. }) => {
            "use --trap-model random, or query the run from which it was packed, solved with --method retrograde"
        }
        Error::NotBuilt { feature } => {
            return say(format!(
                "'cargo install --path . --features {feature}' in the source folder installs a program with it; --format csv and \
                 npy need no feature"
            ));
        }
        _ => return None,
    };
    say(text)
}

/// Returns the hint for a memory cap that is too small. How much would suffice is not known.
fn of_cap(error: &CapError) -> String {
    format!("{MORE_MEMORY}, for example to {}MiB", error.enough_mib())
}

fn of_automata(error: &DfaError) -> Option<String> {
    match error {
        DfaError::OutOfMemory { needed_bytes, limit_bytes, .. } => {
            say(more_memory(u128::from(*needed_bytes), *limit_bytes))
        }
        DfaError::TooManyStates { .. } => say("--backend recursion has no such limit, but is slower"),
        _ => None,
    }
}

fn of_game(error: &GameError) -> Option<String> {
    match error {
        GameError::UnknownGame { name, .. } => say(of_unknown(name)),
        GameError::Spec { form, example, .. } => say(format!("for example '{example}'; the form is {form}")),
        GameError::Position { example, .. } => {
            say(format!("for example '{example}', the start position, or 'start' for short"))
        }
        GameError::Illegal { .. } => say("--any answers it anyway, with the value in the solution"),
        GameError::Dfa(error) => of_automata(error),
        _ => None,
    }
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
    fn where_nothing_may_be_written_another_place_is_advised() {
        let forbidden = || std::io::Error::from_raw_os_error(13);
        let errors = [
            anyhow::Error::from(forbidden()).context("cannot make runs"),
            anyhow::Error::from(Error::io("runs", forbidden())),
        ];
        for error in errors {
            assert!(hint(&error, None).is_some_and(|said| said.contains("another place")), "{error:?}");
        }
    }

    #[test]
    fn a_full_disk_is_told_with_what_is_kept() {
        let full = || Error::DiskFull { path: "x".into(), needed_bytes: 0, free_bytes: 1, margin_bytes: 2 };
        assert!(!full().to_string().contains("0 bytes"), "{}", full());
        let said = hint(&full().into(), None).unwrap();
        assert!(said.contains("repeat the command") && !said.contains("kept"), "{said}");
        let said = hint(&full().into(), Some(Continuation::Command("nerode go on".into()))).unwrap();
        assert!(said.contains("is kept") && said.contains("'nerode go on'"), "{said}");
    }

    #[test]
    fn only_a_command_that_goes_on_is_told_to() {
        for error in [anyhow::Error::from(Error::Interrupted), anyhow::Error::from(DfaError::Interrupted)] {
            let goes_on = || Some(Continuation::Command("nerode go on".into()));
            let said = hint(&error, goes_on());
            assert!(said.is_some_and(|said| said.contains("'nerode go on'")));
            assert_eq!(hint(&error, None), None);
        }
        let other = anyhow::anyhow!("something else");
        assert_eq!(hint(&other, Some(Continuation::Command("nerode go on".into()))), None);
    }
}
