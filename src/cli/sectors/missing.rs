//! Sectors that an answer requires but that the directory lacks.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Result;
use nerode_games::Position;
use nerode_games::morris::Rules;

use crate::cli::hints::advised;
use crate::cli::output::{Output, counted};
use crate::cli::words::{resume_command, shell};
use nerode_morris::tables::{Sector, SectorDir, Unit, plan};
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::stored::Solution;

/// Reports which sectors are missing for those of `positions` that are not covered, and how to obtain them.
pub(in crate::cli) fn tell_missing<'a>(
    solution: &Solution,
    dir: &Path,
    positions: impl Iterator<Item = &'a Position>,
    out: &Output,
) -> Result<()> {
    let mut missing = BTreeSet::new();
    // The rules alone decide what is over, and boards that cannot occur belong to no sector.
    let is_open = |position: &&Position| solution.game().outcome(&position.board, position.side).is_none();
    for position in positions.filter(is_open) {
        missing.extend(solution.missing_sector(position)?);
    }
    let Some(first) = missing.first() else { return Ok(()) };
    let (game, path) = (solution.game().spec(), shell(dir));
    let names: Vec<&str> = missing.iter().map(String::as_str).collect();
    let (names, verb) = (names.join(", "), if missing.len() == 1 { "is" } else { "are" });
    let how = match kind_of(dir) {
        Some(Contents::Sectors) => format!(
            "; 'nerode unit {game} {first} --run-dir {path}' solves one unit, 'nerode solve {game} --sector {first} --run-dir {path}' \
             also its dependencies"
        ),
        Some(Contents::SectorSets) if is_placed(first) => {
            format!("; 'nerode solve {game} --engine sets --sector {first} --run-dir {path}' solves it")
        }
        Some(Contents::SectorSets) => "; only sectors as tables contain positions with stones in hand".into(),
        _ => String::new(),
    };
    let noun = if missing.len() == 1 { "sector" } else { "sectors" };
    out.note(&format!("{noun} {names} {verb} not in {}{how}", dir.display()));
    Ok(())
}

/// Returns the units on which sectors in `dir` depend but that are missing.
fn missing_units(rules: &Rules, dir: &SectorDir) -> Result<Vec<Unit>> {
    let there: Vec<Sector> = dir.sectors()?.iter().map(|file| file.sector).collect();
    Ok(plan(rules, &there)?.into_iter().filter(|unit| !dir.has(unit)).collect())
}

/// Reports that every file in `dir` is valid, and how to obtain more sectors if none of `roots` were requested.
pub(in crate::cli) fn nothing_to_do(dir: &SectorDir, roots: &[Sector]) -> String {
    if !roots.is_empty() {
        return "every requested sector exists, and every file is intact: there is nothing to do".into();
    }
    let (game, dir) = (&dir.game().spec, shell(dir.path()));
    format!(
        "every file is intact, and no sector was requested; 'nerode plan {game} --run-dir {dir}' lists the open units, and \
         'nerode unit {game} SECTOR --run-dir {dir}' solves one"
    )
}

/// Rejects a directory of single units, none of which were requested, if they depend on missing units.
pub(in crate::cli) fn must_be_closed(rules: &Rules, dir: &SectorDir) -> Result<()> {
    let missing = missing_units(rules, dir)?;
    let Some(first) = missing.first() else { return Ok(()) };
    let (game, path) = (&dir.game().spec, shell(dir.path()));
    let is = if missing.len() == 1 { "which is missing" } else { "which are missing" };
    let count = counted(missing.len() as u128, "work unit", "work units");
    Err(advised(
        format!(
            "every file in {} is intact, but its sectors depend on {count}, {is}; the first is {}",
            dir.path().display(),
            first.first()
        ),
        format!(
            "'nerode unit {game} {} --run-dir {path}' solves the first; 'nerode solve {game} --sector S --run-dir {path}' \
             solves sector S with all its dependencies",
            first.first()
        ),
    ))
}

/// Reports which of the requested units are missing, for a command that processes all units in the directory. Returns the names of
/// their sectors.
pub(in crate::cli) fn tell_open(rules: &Rules, dir: &SectorDir, out: &Output) -> Result<Vec<String>> {
    let wanted: Vec<Sector> = dir.request()?.sectors.into_iter().collect();
    let units = plan(rules, &wanted)?;
    let open: Vec<&Unit> = units.iter().filter(|unit| !dir.has(unit)).collect();
    if let Some(first) = open.first() {
        out.note(&format!(
            "{} of the {} {} missing; the first is {}; '{}' solves the missing ones",
            open.len(),
            counted(units.len() as u128, "requested work unit", "requested work units"),
            if open.len() == 1 { "is" } else { "are" },
            first.first(),
            resume_command(dir.path())
        ));
    }
    Ok(open.iter().flat_map(|unit| unit.sectors()).map(Sector::to_string).collect())
}

/// Returns `true` if no stone is in hand in the sector of that name.
fn is_placed(name: &str) -> bool {
    name.parse::<Sector>().is_ok_and(|sector| sector.own_hand + sector.other_hand == 0)
}
