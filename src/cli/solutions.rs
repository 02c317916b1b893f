//! The places of solutions: the default folder, the name of a solution in it, and the solutions in any folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nerode_games::{Error as GameError, FamilyInfo, Game};
use nerode_rules::rbg::{Rulebook, read, with_variant};

use super::hints::{advised, meant, name_of_words};
use super::interrupt::interrupt_flag;
use super::output::Output;
use super::resources::usable_memory;
use super::rules::{VariantArgs, is_rules, rulebook};
use super::solve::{beyond_reach, interpreted_solution, stops_midway, uncompiled};
use super::words::{shell, stopped_at, to_the_end};
use crate::facade::{Options, Solver, open, open_solution};
use crate::registry;
use nerode_dfa::disk;
use nerode_oracle::ReachedSolution;
use nerode_report::estimate::within;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::table::keyed::write_keyed;
use nerode_solver::archive::table::reached::ReachedTable;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::error::Error;
use nerode_solver::solve::choose::{needs_sectors, suits_table};
use nerode_solver::solve::reached::few;
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::Solution;

/// The folder of solutions that are given no other place.
pub(super) const DEFAULT_FOLDER: &str = "runs";

/// The endings of the names of solutions there, by form: a run or sectors, sectors as sets, a table, scores.
const SUFFIXES: [&str; 4] = ["", ".sets", ".tbl", ".scores"];

/// Returns the directory name of the game with the given spec: the spec, or the name of the file of its rules without folders,
/// with separators replaced by safe characters.
pub(super) fn safe_name(spec: &str) -> String {
    let (base, variant) = with_variant(spec);
    let base = match base.ends_with(".rbg") {
        true => Path::new(base).file_name().and_then(OsStr::to_str).unwrap_or(base),
        false => base,
    };
    variant
        .map_or_else(|| base.to_string(), |variant| format!("{base}:{variant}"))
        .replace([':', ',', '/', '\\'], "_")
}

/// Returns the default path of a solution of a game.
pub(super) fn default_path(game: &dyn Game, suffix: &str) -> PathBuf {
    path_of(&game.spec(), suffix)
}

fn path_of(spec: &str, suffix: &str) -> PathBuf {
    PathBuf::from(DEFAULT_FOLDER).join(safe_name(spec) + suffix)
}

/// What a user names where a command expects a solution.
enum Named {
    /// A path. It need not exist.
    Path(PathBuf),
    /// The name of a game that has no solution in the default place.
    Unsolved(String),
}

/// Finds the solution that a user names by a path or by its game.
///
/// # Errors
/// Returns an error if `named` is a misspelt game, or rules that cannot be read or that have changed since they were solved.
fn find(named: &Path) -> Result<Named> {
    let is_text = |name: &&str| is_rules(name) && !named.is_dir();
    let Some(name) = named.to_str().filter(|name| is_text(name) || !named.exists()) else {
        return Ok(Named::Path(named.into()));
    };
    // Rules may take long to compile, or may not be compiled at all, and their solution is found without.
    let book = if is_text(&name) { Some(rulebook(name, &VariantArgs::default())?) } else { None };
    // The usual board of a family may be too large to open.
    let known = match &book {
        Some(_) => Some(name),
        None => registry().family_named(name).map(|family| family.usual),
    };
    let spec = match known.is_none().then(|| registry().open(name)) {
        None => known.unwrap_or(name).to_string(),
        Some(Ok(game)) => game.spec(),
        Some(Err(error)) => {
            let unknown_name = |hint: String| {
                Err(advised(format!("{}: no directory and no game has this name", named.display()), hint))
            };
            return match (meant(name), error) {
                (Some(game), _) => {
                    unknown_name(format!("'{game}' is a game; 'nerode games' describes all of them"))
                }
                // The family exists, and the error says what is wrong with the board or the options.
                (None, error @ GameError::Spec { .. }) => Err(error.into()),
                (None, GameError::UnknownGame { nearest: Some(nearest), .. }) => {
                    unknown_name(format!("did you mean '{nearest}'? 'nerode games' describes all games"))
                }
                (None, _) => Ok(Named::Path(named.into())),
            };
        }
    };
    let mut places = SUFFIXES.iter().map(|suffix| path_of(&spec, suffix));
    let Some(path) = places.find(|path| path.exists()) else { return Ok(Named::Unsolved(name.into())) };
    match book {
        Some(book) if !has_rules(&path, &book)? => Err(advised(
            format!("{} contains a solution of other rules than those in {name} now", path.display()),
            format!(
                "'nerode solve {name} --overwrite' solves the present rules; the path {} names the old solution",
                shell(&path)
            ),
        )),
        _ => Ok(Named::Path(path)),
    }
}

/// Returns `true` if the solution at `path` has the rules in `book`.
fn has_rules(path: &Path, book: &Rulebook) -> Result<bool> {
    if Contents::Run.is_in(path) {
        return Ok(RunDir::open(path)?.request().fingerprint() == book.fingerprint());
    }
    let solution = open_solution(path)?;
    let Some(text) = solution.game().rules_text() else { return Ok(false) };
    Ok(read(&solution.game().spec(), &text)?.fingerprint() == book.fingerprint())
}

/// Returns the path of the solution that a user names: a path, or a game whose solution is in the default place.
///
/// # Errors
/// Returns an error that says how to solve the game if `named` is a game that has no solution there, or another error of names.
pub(super) fn stored_solution(named: &Path) -> Result<PathBuf> {
    match find(named)? {
        Named::Path(path) => Ok(path),
        Named::Unsolved(name) => Err(unsolved(&name, "")),
    }
}

/// Returns an error if `named` and some of the `words` after it are together a name of a game, as in `query connect four`, unless
/// `named` exists.
pub(super) fn must_be_one_name(named: &Path, words: &[String]) -> Result<()> {
    let Some(first) = named.to_str().filter(|_| !named.exists()) else { return Ok(()) };
    let Some((name, game)) = name_of_words(first, words.iter().map(String::as_str)) else { return Ok(()) };
    Err(advised(
        format!("{name}: no directory and no game has this name"),
        format!("'{game}' is a game; 'nerode games' describes all of them"),
    ))
}

/// Returns the path of the solution of the game that a user names, if it is in the default place.
pub(super) fn existing_solution(named: &Path) -> Option<PathBuf> {
    match find(named) {
        Ok(Named::Path(path)) if path != named => Some(path),
        _ => None,
    }
}

/// Returns the same path as [`stored_solution`]. A small game without a solution is solved there first.
///
/// # Errors
/// Returns the errors of [`stored_solution`] if a game has no solution and is not solved within a few seconds.
pub(super) fn solution_at(named: &Path, out: &Output) -> Result<PathBuf> {
    match find(named)? {
        Named::Path(path) => Ok(path),
        Named::Unsolved(name) => match solved(&name, out)? {
            Some(path) => Ok(path),
            None => Err(unsolved(&name, ", and it is not solved within seconds")),
        },
    }
}

/// Returns the family whose usual board `name` names.
fn as_usual(name: &str) -> Option<&'static FamilyInfo> {
    let is_named = |family: &&FamilyInfo| [family.family, family.usual].contains(&name.trim());
    registry().families().iter().find(is_named)
}

/// Returns the error for a game without a solution in the default place. `why` follows this statement.
fn unsolved(name: &str, why: &str) -> anyhow::Error {
    let family = as_usual(name);
    let spec = family.map_or(name, |family| family.usual);
    let missing = format!("no solution of {spec} in {DEFAULT_FOLDER}");
    match family.and_then(beyond_reach) {
        Some((far, hint)) => advised(format!("{missing}, and it is out of reach: {far}"), hint),
        None => advised(
            format!("{missing}{why}"),
            format!("'nerode solve {}' creates one", shell(Path::new(name))),
        ),
    }
}

/// The number of boards up to which a game without a solution is solved when it is named.
const FEW_BOARDS: u128 = 1 << 26;

/// The time after which such a solve is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Solves a small game into the default place, and returns the path. Returns `None` if the game has too many boards or positions,
/// or takes too long. Nothing remains of such a solve.
fn solved(name: &str, out: &Output) -> Result<Option<PathBuf>> {
    if as_usual(name).and_then(beyond_reach).is_some() {
        return Ok(None);
    }
    let resources = Resources {
        memory: usable_memory(),
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        interrupt: interrupt_flag(),
        ..Resources::default()
    };
    let kept = |game: &dyn Game, solution| keep(game, solution, &resources, out).map(Some);
    if let Some((game, solution)) = uncompiled(name, &resources)? {
        return kept(game.as_ref(), solution);
    }
    let solver = match open(name) {
        Ok(solver) => solver,
        Err(refusal @ Error::Game(GameError::Rules(_))) => {
            return match interpreted_solution(name, &resources)? {
                Some((game, solution)) => kept(game.as_ref(), solution),
                None => Err(refusal.into()),
            };
        }
        Err(error) => return Err(error.into()),
    };
    let game = solver.game();
    if game.forward_only() || needs_sectors(game) || suits_table(game) {
        return Ok(None);
    }
    if let Some(solution) = resources.pool()?.install(|| few(game, &resources))? {
        return kept(game, solution);
    }
    match game.shape().num_words().is_some_and(|boards| boards <= FEW_BOARDS) {
        true => solved_as_sets(&solver, &resources, out),
        false => Ok(None),
    }
}

/// Creates the default folder.
fn make_folder() -> Result<&'static Path> {
    let folder = Path::new(DEFAULT_FOLDER);
    disk::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    Ok(folder)
}

/// Prints a note if the solution in `dir` is a run that stopped at a limit, so that the values of some positions are unknown.
pub(super) fn tell_stopped(solution: &Solution, dir: &Path, out: &Output) {
    let Some(ply) = solution.run().ok().and_then(stopped_at) else { return };
    out.note(&format!(
        "the run stopped at ply {ply}, as requested: positions that it has not decided are unknown; '{}' continues it",
        to_the_end(dir)
    ));
}

/// Prints the note that a game is solved first.
pub(super) fn tell(game: &dyn Game, out: &Output) {
    out.note(&format!("{} has no solution in {DEFAULT_FOLDER} and is solved first", game.spec()));
}

/// Writes a solution of reached positions to the default place.
fn keep(game: &dyn Game, solution: ReachedSolution, resources: &Resources, out: &Output) -> Result<PathBuf> {
    tell(game, out);
    make_folder()?;
    let path = default_path(game, ".tbl");
    let written = resources
        .pool()?
        .install(|| write_keyed(&path, game, solution.into_rows(), false, resources, &mut |_, _| ()));
    // Another process may have solved the game in the meantime.
    match written {
        Err(_) if path.exists() => Ok(path),
        written => written.map(|_| path).map_err(Into::into),
    }
}

/// Solves a game as sets unless this takes too long.
fn solved_as_sets(solver: &Solver, resources: &Resources, out: &Output) -> Result<Option<PathBuf>> {
    tell(solver.game(), out);
    let path = default_path(solver.game(), "");
    let folder = make_folder()?;
    let scratch = tempfile::Builder::new().prefix(".solve-").tempdir_in(folder);
    let scratch = scratch.with_context(|| format!("cannot write into {}", folder.display()))?;
    let run = scratch.path().join("run");
    let progress = out.progress("solve");
    let finished = within(Instant::now() + PATIENCE, resources, |limits| {
        let options = Options::default().directory(&run).threads(limits.threads).memory(limits.memory);
        solver.solve(options.interrupt(Arc::clone(&limits.interrupt)).on_ply(|done| progress.ply(done)))
    });
    progress.finish();
    match finished? {
        Ok(_) => {}
        Err(error) if stops_midway(&error) => return Ok(None),
        Err(error) => return Err(error.into()),
    }
    // Another process may have solved the game in the meantime.
    match disk::rename(&run, &path) {
        Err(_) if path.exists() => Ok(Some(path)),
        moved => moved.with_context(|| format!("cannot create {}", path.display())).map(|()| Some(path)),
    }
}

/// Returns the paths of the solutions in a folder, sorted by name: directories with a manifest, and table files.
pub(super) fn solutions_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read {}", folder.display());
    let mut paths = Vec::new();
    for entry in disk::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if kind_of(&path).is_some() || path.is_file() && ReachedTable::is_one(&path).is_ok() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
