//! The places of solutions: the default folder, the name of a solution in it, and the solutions in any folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nerode_games::Game;
use nerode_rules::rbg::with_variant;

use super::hints::{advised, meant};
use super::interrupt::interrupt_flag;
use super::output::Output;
use super::resources::usable_memory;
use super::solve::stops_midway;
use super::words::shell;
use crate::facade::{Options, open};
use crate::registry;
use nerode_dfa::disk;
use nerode_report::estimate::within;
use nerode_solver::archive::kind_of;
use nerode_solver::archive::table::reached::ReachedTable;
use nerode_solver::solve::choose::needs_sectors;
use nerode_solver::solve::resources::Resources;

/// The folder of solutions that are given no other place.
pub(super) const DEFAULT_FOLDER: &str = "runs";

/// The endings of the names of solutions there, by form: a run or sectors, sectors as sets, a table, scores.
const SUFFIXES: [&str; 4] = ["", ".sets", ".tbl", ".scores"];

/// Returns the directory name of a game: its spec, or the name of the file of its rules without folders, with
/// separators replaced by safe characters.
pub(super) fn safe_name(game: &dyn Game) -> String {
    let spec = game.spec();
    let (base, variant) = with_variant(&spec);
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
    PathBuf::from(DEFAULT_FOLDER).join(safe_name(game) + suffix)
}

/// Returns the path of the solution that a user names: a path, or a game whose solution is in the default place. A small game
/// without a solution is solved there first.
///
/// # Errors
/// Returns an error if `named` is the name of a game that has no solution there and is not solved within a few seconds.
pub(super) fn solution_at(named: &Path, out: &Output) -> Result<PathBuf> {
    let is_rules = named.extension().is_some_and(|ending| ending == "rbg");
    let game =
        named.to_str().filter(|_| is_rules || !named.exists()).and_then(|name| registry().open(name).ok());
    let Some(game) = game else {
        return match named.to_str().filter(|_| !named.exists()).and_then(meant) {
            Some(game) => Err(advised(
                format!("{}: there is no such directory, and no game has this name", named.display()),
                format!("'{game}' is a game; 'nerode games' describes all of them"),
            )),
            None => Ok(named.into()),
        };
    };
    let mut places = SUFFIXES.iter().map(|suffix| default_path(game.as_ref(), suffix));
    if let Some(path) = places.find(|path| path.exists()) {
        return Ok(path);
    }
    match solved(&game, named, out)? {
        Some(path) => Ok(path),
        None => Err(advised(
            format!(
                "no solution of {} in {DEFAULT_FOLDER}, and it is not solved within seconds",
                game.spec()
            ),
            format!("'nerode solve {}' creates one", shell(named)),
        )),
    }
}

/// The number of boards up to which a game without a solution is solved when it is named.
const FEW_BOARDS: u128 = 1 << 26;

/// The time after which such a solve is given up.
const PATIENCE: Duration = Duration::from_secs(10);

/// Solves a small game into the default place, and returns the path. Returns `None` if the game has too many boards, cannot be solved
/// by sets, or takes too long. Nothing remains of such a solve.
fn solved(game: &Arc<dyn Game>, named: &Path, out: &Output) -> Result<Option<PathBuf>> {
    let is_small = game.shape().num_words().is_some_and(|boards| boards <= FEW_BOARDS);
    if !is_small || game.forward_only() || needs_sectors(game.as_ref()) {
        return Ok(None);
    }
    let path = default_path(game.as_ref(), "");
    let folder = Path::new(DEFAULT_FOLDER);
    out.note(&format!("{} has no solution in {DEFAULT_FOLDER} and is solved first", game.spec()));
    disk::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let scratch = tempfile::Builder::new().prefix(".solve-").tempdir_in(folder);
    let scratch = scratch.with_context(|| format!("cannot write into {}", folder.display()))?;
    let solver = open(named.to_str().unwrap_or_default())?;
    let run = scratch.path().join("run");
    let resources = Resources {
        memory: usable_memory(),
        threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        interrupt: interrupt_flag(),
        ..Resources::default()
    };
    let progress = out.progress("solve");
    let finished = within(Instant::now() + PATIENCE, &resources, |limits| {
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
