//! The places of solutions: the default folder, the name of a solution in it, and the solutions in any folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nerode_games::Game;
use nerode_rules::rbg::with_variant;

use super::hints::advised;
use super::words::shell;
use crate::registry;
use nerode_dfa::disk;
use nerode_solver::archive::kind_of;
use nerode_solver::archive::table::reached::ReachedTable;

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

/// Returns the path of the solution that a user names: a path, or a game whose solution is in the default place.
///
/// # Errors
/// Returns an error if `named` is the name of a game without such a solution.
pub(super) fn solution_at(named: &Path) -> Result<PathBuf> {
    let is_rules = named.extension().is_some_and(|ending| ending == "rbg");
    let game =
        named.to_str().filter(|_| is_rules || !named.exists()).and_then(|name| registry().open(name).ok());
    let Some(game) = game else { return Ok(named.into()) };
    let mut places = SUFFIXES.iter().map(|suffix| default_path(game.as_ref(), suffix));
    places.find(|path| path.exists()).ok_or_else(|| {
        advised(
            format!("no solution of {} in {DEFAULT_FOLDER}", game.spec()),
            format!("'nerode solve {}' creates one", shell(named)),
        )
    })
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
