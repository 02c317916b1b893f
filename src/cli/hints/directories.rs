//! Hints about directories and files that a command cannot use.

use std::io::{self, ErrorKind};
use std::path::Path;

use nerode_games::morris::rules_of;

use super::advice::{advised, say};
use crate::cli::output::counted;
use crate::cli::sectors::import_command;
use crate::cli::solutions::solutions_in;
use crate::cli::words::{how_to_resume, part_of_directory, resume_command, shell};
use nerode_morris::tables::{Sector, SectorDir, roots_of};
use nerode_solver::archive::claim::is_busy;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::table::reached::ReachedTable;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::solve::method::Method;

/// Returns the hint for an unfinished run in the directory `path`.
pub(super) fn of_unfinished(path: &Path) -> String {
    let resume = how_to_resume(path);
    if is_meet(path) {
        return resume;
    }
    format!("{resume}; 'nerode query {} start --so-far' shows what it has decided so far", shell(path))
}

/// Returns `true` if the directory `path` contains a run forward from the start.
pub(super) fn is_meet(path: &Path) -> bool {
    RunDir::open(path).is_ok_and(|run| run.request().method == Method::Meet)
}

/// Returns the hint if the directory `path` already contains a run, and another one was to be written there.
pub(super) fn of_own_run(path: &Path) -> String {
    let Ok(run) = RunDir::open(path) else {
        return format!("resume it with '{}', or replace it with --overwrite", resume_command(path));
    };
    let game = run.request().game();
    let progress = run.progress();
    if progress.finished
        && run.request().plies().is_some()
        && !(progress.fixpoint || progress.forward_complete)
    {
        format!(
            "it contains a run of {game} that stopped at the requested number of plies; continue it with '{} --plies end', or replace \
             it with --overwrite",
            resume_command(path)
        )
    } else if progress.finished {
        format!(
            "it contains the finished run of {game}; query it with 'nerode query {} start', or replace it with --overwrite",
            shell(path)
        )
    } else if is_busy(path) {
        format!("another process is solving {game} there; name another --run-dir")
    } else {
        format!(
            "it contains an unfinished run of {game}; resume it with '{}', or replace it with --overwrite",
            resume_command(path)
        )
    }
}

/// Returns the hint for the directory `path`, with the commands that can use it, if a command expected `expected`
/// there or was to write it there.
pub(super) fn of_contents(path: &Path, expected: &str) -> String {
    let Some(kind) = kind_of(path) else {
        let known = part_of_directory(path)
            .or_else(|| of_lost_manifest(path))
            .or_else(|| of_folder(path))
            .or_else(|| import_command(path).map(|command| of_malom(&command)));
        return known.unwrap_or_else(|| {
            "'nerode solve' creates solutions, and 'nerode info DIR' describes the contents of a directory".into()
        });
    };
    format!("{}; a command that writes {expected} needs another directory", takers(kind))
}

/// Returns the hint for a folder that contains solutions, of which a command needs one.
fn of_folder(path: &Path) -> Option<String> {
    let solutions = solutions_in(path).ok()?;
    let first = shell(solutions.first()?);
    Some(format!(
        "{} contains {}, such as {first}; '{}' shows them",
        path.display(),
        counted(solutions.len() as u128, "solution", "solutions"),
        format_args!("nerode list {}", shell(path))
    ))
}

/// Returns the commands that accept a directory of this kind.
fn takers(kind: Contents) -> String {
    let takers = match kind {
        Contents::Run => "query, line, stats, verify, export, pack, compare, estimate and info",
        Contents::Scores | Contents::SectorSets => "query, line, stats and info",
        Contents::Sectors => "query, line, stats, verify, export, pack, compare, diff, bounds and info",
        Contents::Values | Contents::PackedSectors => "query and info",
        Contents::Bounds => {
            return format!(
                "'nerode query' uses {kind} if it is given the directory of sectors that contains them"
            );
        }
    };
    format!("the commands {takers} accept {kind}")
}

/// Returns the error for the directory `path` if a command expects `expected` there.
pub(in crate::cli) fn not_taken(path: &Path, kind: Contents, expected: &str) -> anyhow::Error {
    advised(format!("{}: expected {expected}, found {kind}", path.display()), takers(kind))
}

/// Returns the hint while another process solves a unit in the directory `folder`.
pub(super) fn of_busy_unit(folder: &Path) -> String {
    let game = SectorDir::open(folder).map_or_else(|_| "GAME".into(), |dir| dir.game().spec.clone());
    let (game, folder) = (shell(Path::new(&game)), shell(folder));
    format!(
        "wait until it is done and repeat the command, or choose another unit: 'nerode plan {game} --run-dir {folder}' lists \
         the open ones"
    )
}

/// Returns the hint for Malom's files, which `command` imports.
fn of_malom(command: &str) -> String {
    format!("these are Malom's files: '{command}' converts them to a directory of sectors")
}

/// Returns the way to restore the file `path`, which is damaged or missing: the sets of a run and sectors, as tables
/// or as sets, are recomputed.
pub(super) fn of_damaged(path: &Path) -> Option<String> {
    let (dir, kind) =
        path.ancestors().skip(1).take(2).find_map(|dir| kind_of(dir).map(|kind| (dir, kind)))?;
    let is_manifest = path.file_name().is_some_and(|name| name == kind.manifest());
    let is_made_again = match kind {
        Contents::Run => path.parent() != Some(dir),
        Contents::Sectors if is_manifest => return of_lost_manifest(dir),
        Contents::Sectors => path.extension().is_some_and(|end| end == "sector" || end == "ranks"),
        Contents::SectorSets => !is_manifest,
        Contents::Values | Contents::Scores | Contents::PackedSectors => false,
        Contents::Bounds => return say("'nerode bounds SECTORS --overwrite' recomputes them"),
    };
    is_made_again.then(|| format!("'{}' recomputes it", resume_command(dir)))
}

/// Returns the way to obtain a sector whose file `path` does not belong to it: the file has other rules or another
/// version, or is not a file. It may still be of use, so it is not replaced.
pub(super) fn of_foreign_sector(path: &Path) -> Option<String> {
    if path.file_name()? == Contents::PackedSectors.manifest() {
        let folder = shell(path.parent()?);
        return say(format!(
            "'nerode pack SECTORS --out {folder} --overwrite' packs them again, where SECTORS is the directory of the solved sectors"
        ));
    }
    let sector = path.file_name()?.to_str()?.strip_suffix(".sector")?;
    let folder = path.parent()?;
    let game = SectorDir::open(folder).ok()?.game().spec.clone();
    let [game, folder] = [Path::new(&game), folder].map(shell);
    say(format!(
        "move it elsewhere, and 'nerode unit {game} {sector} --run-dir {folder}' solves the sector again"
    ))
}

/// Returns the way to continue with the sectors in the directory `dir` if its manifest is missing or damaged. Every
/// sector file describes its own contents.
fn of_lost_manifest(dir: &Path) -> Option<String> {
    let (game, sectors) = SectorDir::found_in(dir)?;
    let rules = rules_of(&game.spec).ok()?.1;
    let roots: Vec<String> = roots_of(&rules, &sectors).iter().map(Sector::to_string).collect();
    let (game, roots, folder) = (shell(Path::new(&game.spec)), roots.join(","), shell(dir));
    let first = if Contents::Sectors.is_in(dir) {
        "move it elsewhere, and "
    } else {
        "its sectors.json is missing; "
    };
    Some(format!(
        "{first}'nerode solve {game} --sector {roots} --run-dir {folder}' creates a new one and uses the existing sectors"
    ))
}

/// Returns the hint for a file or directory `path` of the wrong kind.
pub(super) fn of_file(path: &Path, error: &io::Error) -> Option<String> {
    // An error number means that the error comes from the operating system and has another cause.
    let is_ours = error.raw_os_error().is_none();
    match error.kind() {
        ErrorKind::AlreadyExists if is_ours => say("replace it with --overwrite, or name another file"),
        ErrorKind::NotFound if is_ours => say("'nerode solve' creates solutions"),
        ErrorKind::NotFound => of_damaged(path).or_else(|| of_missing(path)),
        ErrorKind::PermissionDenied => of_permission(error),
        ErrorKind::IsADirectory => of_foreign_sector(path),
        ErrorKind::NotADirectory if is_ours && ReachedTable::is_one(path).is_ok() => {
            say("it is a table file, which query, line, verify, stats, compare, diff and serve accept")
        }
        ErrorKind::NotADirectory if is_ours && import_command(path).is_some() => {
            import_command(path).map(|command| of_malom(&command))
        }
        ErrorKind::NotADirectory if is_ours => say("'nerode solve' creates directories of solutions"),
        _ => None,
    }
}

/// Returns the hint for a file that was named and does not exist.
fn of_missing(path: &Path) -> Option<String> {
    let is_lost =
        !path.exists() && path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.is_dir());
    is_lost.then(|| "check the name; 'nerode list FOLDER' shows the solutions in a folder".into())
}

/// Returns the hint if the operating system denies permission to read or write.
pub(super) fn of_permission(error: &io::Error) -> Option<String> {
    let is_forbidden = error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_some();
    is_forbidden.then(|| "change the permissions, or choose another place".into())
}
