//! Phrases about directories that several commands use.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use nerode_solver::archive::claim::is_busy;
use nerode_solver::archive::kind_of;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::method::Method;

/// Quotes a path for a shell.
pub(super) fn shell(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:=,@%".contains(c);
    if text.chars().all(plain) && !text.is_empty() && !text.starts_with('=') {
        text
    } else {
        // Between single quotes, a shell takes every other character literally.
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Returns a value parser for the name of a directory to write. It rejects `-`, which means standard output in other
/// commands.
pub(super) fn directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_str() {
        Some("-") => Err("standard output is not a directory; name a directory"),
        _ => Ok(path),
    })
}

/// Returns the command that resumes a directory.
pub(super) fn resume_command(path: &Path) -> String {
    format!("nerode resume {}", shell(path))
}

/// Says how to resume the work in the directory `path`, unless it is in progress.
pub(super) fn how_to_resume(path: &Path) -> String {
    match is_busy(path) {
        true => "another process is working on it".into(),
        false => format!("'{}' resumes it", resume_command(path)),
    }
}

/// Returns the ply at which a finished run stopped because of a limit on plies, or `None` if it was solved to the
/// end.
pub(super) fn stopped_at(run: &StoredRun) -> Option<u32> {
    let progress = run.run.progress();
    match run.method() {
        _ if run.is_complete() || !progress.finished => None,
        Method::Retrograde => progress.backward,
        Method::Meet => progress.forward,
    }
}

/// Returns the command that solves a run to the end if it stopped at a limit.
pub(super) fn to_the_end(path: &Path) -> String {
    format!("{} --plies end", resume_command(path))
}

/// Describes the progress of a run in words.
pub(super) fn how_far(run: &RunDir) -> String {
    let progress = run.progress();
    let plies = |last: u32, what: &str| match last {
        0 => format!("{what} ply 0"),
        last => format!("{what} plies 0 to {last}"),
    };
    let mut parts = Vec::new();
    let meets = run.request().method == Method::Meet;
    // If the forward search meets no retrograde sets, ply 0 of these sets is not worth mentioning.
    if let Some(last) = progress.backward.filter(|last| !meets || *last > 0) {
        parts.push(plies(last, "retrograde"));
    }
    if let Some(last) = progress.forward {
        parts.push(plies(last, "forward"));
    }
    if let (Some(last), Some(first)) = (progress.forward, progress.backed_up) {
        parts.push(format!("values backed up from ply {last} to {first}"));
    }
    if parts.is_empty() { "no ply yet".into() } else { parts.join(", ") }
}

/// Returns a message for the file `path` if it belongs to a directory of this program, whose name is needed instead.
pub(super) fn part_of_directory(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|_| path.is_file())?;
    let kind = kind_of(folder)?;
    Some(format!("it is a file of {kind}: name the directory {}", shell(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(shell(Path::new("runs/connect_5x4,row=3")), "runs/connect_5x4,row=3");
        assert_eq!(shell(Path::new("my runs")), "'my runs'");
        assert_eq!(shell(Path::new("odd/$(touch x)`y`\\")), "'odd/$(touch x)`y`\\'");
        assert_eq!(shell(Path::new("it's")), r"'it'\''s'");
        assert_eq!(shell(Path::new("~/x")), "'~/x'");
        assert_eq!(shell(Path::new("=x")), "'=x'");
        assert_eq!(resume_command(Path::new("r")), "nerode resume r");
    }
}
