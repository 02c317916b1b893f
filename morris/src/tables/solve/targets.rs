//! Where the turns of a sector's positions lead, by kind of turn.

use nerode_games::morris::Rules;

use crate::tables::sector::Sector;
use crate::tables::table::{SectorTable, SectorTables};
use nerode_solver::error::{Error, Result};

/// Where a kind of turn leads.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// Nowhere: such turns do not exist here, or end the game at once with a win.
    Over,
    /// To the unit's own sector that turns lead to.
    Inside,
    /// To a sector solved before.
    Beside(&'a SectorTable),
}

/// Turns by kind: placed or not, and how many stones they take.
pub(super) type Targets<'a> = [[Target<'a>; 3]; 2];

/// Where the turns of `sector` lead.
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
