//! Rules that are a text: in a file, or bundled with the program.

use std::io::Read;

use anyhow::{Context, Result};
use nerode_games::rbg::{FILE_BYTES, Rulebook, bundled, read};

use super::hints::advised;

/// Help text of the argument that names them.
pub(super) const WHAT: &str =
    "The rules: a file, '-' for standard input, or rbg:NAME for a game that comes with the program";

/// Reads the rules that `name` names.
pub(super) fn rulebook(name: &str) -> Result<Rulebook> {
    if let Some(game) = name.strip_prefix("rbg:") {
        let found = bundled().iter().find(|bundled| bundled.name == game);
        let known = || bundled().iter().map(|b| format!("rbg:{}", b.name)).collect::<Vec<_>>().join(", ");
        let found = found.ok_or_else(|| {
            advised(
                format!("no game called '{name}' comes with the program"),
                format!("there are {}", known()),
            )
        })?;
        return Ok(read(name, found.text)?);
    }
    let mut bytes = Vec::new();
    match name {
        "-" => take(std::io::stdin(), &mut bytes).context("cannot read standard input")?,
        path => std::fs::File::open(path)
            .and_then(|file| take(file, &mut bytes))
            .with_context(|| format!("cannot read {path}"))?,
    };
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        advised(format!("{name} is no text: byte {at} begins no character"), "save it as UTF-8")
    })?;
    Ok(read(name, &text)?)
}

/// Reads all bytes, but not many more than rules may have.
fn take(from: impl Read, bytes: &mut Vec<u8>) -> std::io::Result<usize> {
    from.take(FILE_BYTES as u64 + 1).read_to_end(bytes)
}
