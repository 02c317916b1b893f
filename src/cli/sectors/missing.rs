//! Sectors that an answer would need and the directory has not.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use nerode_games::Position;

use crate::archive::{Contents, kind_of};
use crate::cli::output::Output;
use crate::cli::words::shell;
use crate::facade::Solution;
use crate::morris::tables::Sector;

/// Says which sectors are missing for `positions` that are not covered, and how to have them.
pub(in crate::cli) fn tell_missing<'a>(
    solution: &Solution,
    dir: &Path,
    positions: impl Iterator<Item = &'a Position>,
    out: &Output,
) -> Result<()> {
    let mut missing = BTreeSet::new();
    for position in positions {
        missing.extend(solution.missing_sector(position)?);
    }
    let Some(first) = missing.first() else { return Ok(()) };
    let (game, path) = (solution.game().spec(), shell(dir));
    let names: Vec<&str> = missing.iter().map(String::as_str).collect();
    let (names, verb) = (names.join(", "), if missing.len() == 1 { "is" } else { "are" });
    let how = match kind_of(dir) {
        Some(Contents::Sectors) => format!(
            "; 'nerode unit {game} {first} --run-dir {path}' solves one unit, 'nerode solve {game} --sector {first} --run-dir {path}' \
             also what it needs"
        ),
        Some(Contents::SectorSets) if is_placed(first) => {
            format!("; 'nerode solve {game} --engine sets --sector {first} --run-dir {path}' solves it")
        }
        Some(Contents::SectorSets) => "; sets hold placed stones only, tables of sectors all".into(),
        _ => String::new(),
    };
    out.note(&format!("sector {names} {verb} not in {}{how}", dir.display()));
    Ok(())
}

/// Whether no stone is in hand in the sector of that name.
fn is_placed(name: &str) -> bool {
    name.parse::<Sector>().is_ok_and(|sector| sector.own_hand + sector.other_hand == 0)
}
