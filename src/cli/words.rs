//! Words about directories that several commands use.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use nerode_solver::archive::kind_of;
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::method::Method;

/// A path as a shell takes it.
pub(super) fn shell(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:=,@%".contains(c);
    if text.chars().all(plain) && !text.is_empty() && !text.starts_with('=') {
        text
    } else {
        // Between single quotes a shell takes every other character as it is.
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Reads the name of a directory to write: `-` is standard output elsewhere, and a mistake here.
pub(super) fn directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_str() {
        Some("-") => Err("this is no directory, and standard output cannot hold one; name a directory"),
        _ => Ok(path),
    })
}

/// The command that goes on with a directory.
pub(super) fn resume_command(path: &Path) -> String {
    format!("nerode resume {}", shell(path))
}

/// The ply at which a finished run stopped because it was asked to go no further; `None` where it went to the end.
pub(super) fn stopped_at(run: &StoredRun) -> Option<u32> {
    let progress = run.run.progress();
    match run.method() {
        _ if run.is_complete() || !progress.finished => None,
        Method::Retrograde => progress.backward,
        Method::Meet => progress.forward,
    }
}

/// The command that takes a run that stopped, as it was asked to, to the end.
pub(super) fn to_the_end(path: &Path) -> String {
    format!("{} --plies end", resume_command(path))
}

/// How far a run is, in words.
pub(super) fn how_far(run: &RunDir) -> String {
    let progress = run.progress();
    let plies = |last: u32, what: &str| match last {
        0 => format!("{what} ply 0"),
        last => format!("{what} plies 0 to {last}"),
    };
    let mut parts = Vec::new();
    let meets = run.request().method == Method::Meet;
    // Forward search that meets nothing has a ply 0 of retrograde sets, which says nothing.
    if let Some(last) = progress.backward.filter(|last| !meets || *last > 0) {
        parts.push(plies(last, "retrograde"));
    }
    if let Some(last) = progress.forward {
        parts.push(plies(last, "forward"));
    }
    if let (Some(last), Some(first)) = (progress.forward, progress.backed_up) {
        parts.push(format!("values backed up from ply {last} to {first}"));
    }
    if parts.is_empty() { "no ply so far".into() } else { parts.join(", ") }
}

/// What to say of the file `path` where it lies in a directory of ours, which is to be named instead.
pub(super) fn part_of_directory(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|_| path.is_file())?;
    let kind = kind_of(folder)?;
    Some(format!("it is a file of {kind}: name the directory, {}", shell(folder)))
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
