//! The command `nerode list FOLDER`, which shows the solutions in a folder.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use schemars::JsonSchema;
use serde::Serialize;

use super::hints::advised;
use super::info::directory::describe;
use super::output::{Outcome, Output, bytes, table};
use super::solutions::{DEFAULT_FOLDER, solutions_in};
use super::words::shell;
use crate::facade::open_solution;
use nerode_dfa::disk;
use nerode_solver::archive::{Contents, kind_of};

/// Arguments of `list`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder that contains the solutions
    #[arg(default_value = DEFAULT_FOLDER)]
    folder: PathBuf,
}

/// A solution in the folder.
#[derive(JsonSchema, Serialize)]
struct Row {
    /// The directory or file. Bytes that are not UTF-8 text are replaced.
    path: String,
    /// The game with its parameters, or null if the solution cannot be opened.
    game: Option<String>,
    /// The contents in words.
    contents: String,
    /// Whether nothing of the request remains to be done, as in `info` and `stats`.
    finished: bool,
    /// Whether the solve went to its end: false if it is unfinished, and also if it stopped at a requested number of plies.
    complete: bool,
    /// The progress in words, or the reason why the solution cannot be opened.
    progress: String,
    /// The total size of the files in bytes.
    bytes: u64,
}

/// The solutions in a folder, sorted by name.
#[derive(JsonSchema, Serialize)]
pub(super) struct Listed {
    /// The folder.
    folder: PathBuf,
    /// The solutions.
    solutions: Vec<Row>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let folder = &args.folder;
    if kind_of(folder).is_some() {
        return Err(advised(
            format!("{} is a solution, not a folder of solutions", folder.display()),
            format!("'nerode info {}' describes it", shell(folder)),
        ));
    }
    if !folder.exists() {
        return Err(advised(
            format!("the folder {} does not exist", folder.display()),
            format!("'nerode solve GAME' creates '{DEFAULT_FOLDER}' and writes its solution there"),
        ));
    }
    if !folder.is_dir() {
        return Err(advised(
            format!("{} is a file, not a folder of solutions", folder.display()),
            "'nerode list FOLDER' shows the solutions in a folder",
        ));
    }
    print(folder, solutions_in(folder)?, out)
}

/// Prints the solutions at `paths`, which are all in `folder`.
pub(super) fn print(folder: &Path, paths: Vec<PathBuf>, out: &Output) -> Result<Outcome> {
    let solutions = paths.into_iter().map(|path| row(&path)).collect();
    out.result(&Listed { folder: folder.into(), solutions }, text)?;
    Ok(Outcome::Done)
}

/// Describes a solution. One that cannot be opened does not hide the others.
fn row(path: &Path) -> Row {
    let kind = kind_of(path);
    let described = match kind {
        Some(kind) => of_directory(path, kind),
        None => of_table(path),
    };
    described.unwrap_or_else(|error| Row {
        game: None,
        contents: kind.map_or_else(|| "a table".into(), |kind| kind.to_string()),
        finished: false,
        complete: false,
        progress: format!("{error:#}"),
        bytes: 0,
        path: path.display().to_string(),
    })
}

fn of_directory(path: &Path, kind: Contents) -> Result<Row> {
    let info = describe(path, kind, false)?;
    Ok(Row {
        path: path.display().to_string(),
        game: Some(info.game),
        contents: info.contents,
        finished: info.finished,
        complete: info.finished && info.stopped_at_ply.is_none(),
        progress: info.progress,
        bytes: info.bytes,
    })
}

fn of_table(path: &Path) -> Result<Row> {
    let solution = open_solution(path)?;
    let bytes = disk::metadata(path).with_context(|| format!("cannot read {}", path.display()))?.len();
    Ok(Row {
        path: path.display().to_string(),
        game: Some(solution.game().spec()),
        contents: solution.form(),
        finished: true,
        complete: solution.is_complete(),
        progress: if solution.is_complete() { "complete" } else { "up to its last ply" }.into(),
        bytes,
    })
}

fn text(listed: &Listed) -> String {
    if listed.solutions.is_empty() {
        return format!("{} contains no solutions\n", listed.folder.display());
    }
    let rows: Vec<Vec<String>> = listed
        .solutions
        .iter()
        .map(|row| {
            vec![
                row.path.clone(),
                row.game.clone().unwrap_or_else(|| "-".into()),
                row.contents.clone(),
                if row.complete { "yes" } else { "no" }.into(),
                bytes(row.bytes),
                row.progress.clone(),
            ]
        })
        .collect();
    table(&["solution", "game", "contents", "complete", "bytes", "progress"], &rows)
}
