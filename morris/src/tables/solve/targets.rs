//! The destinations of the turns of a sector's positions, by kind of turn.

use nerode_games::morris::Rules;

use crate::tables::sector::Sector;
use crate::tables::table::{SectorTable, SectorTables};
use nerode_solver::error::{Error, Result};

/// The destination of a kind of turn.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// None: such turns do not exist here, or end the game immediately with a win.
    Over,
    /// The sector of the unit itself that turns lead to.
    Inside,
    /// A sector that has already been solved.
    Beside(&'a SectorTable),
}

/// Destinations by kind of turn: whether a stone is placed, and how many stones are taken.
pub(super) type Targets<'a> = [[Target<'a>; 3]; 2];

/// Returns the destinations of the turns of `sector`.
pub(super) fn targets<'a>(
    rules: &Rules,
    tables: &[SectorTable],
    sector: Sector,
    known: &'a SectorTables,
) -> Result<Targets<'a>> {
    let mut targets = [[Target::Over; 3]; 2];
    for (kind, places) in targets.iter_mut().zip([false, true]) {
        for (target, taken) in kind.iter_mut().zip(0..) {
            let Some(child) = sector.after(rules, places, taken) else { continue };
            let inside = tables.iter().any(|table| table.sector == child);
            *target = match (inside, known.get(&child)) {
                (true, _) => Target::Inside,
                (false, Some(table)) => Target::Beside(table),
                (false, None) => {
                    return Err(Error::MissingSector {
                        sector: child.to_string(),
                        needed_by: Some(sector.to_string()),
                        folder: None,
                    });
                }
            };
        }
    }
    Ok(targets)
}
