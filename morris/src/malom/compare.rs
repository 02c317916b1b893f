//! Compares a table of ours with a file of another program, slot by slot.

use std::sync::atomic::AtomicBool;

use nerode_games::morris::Rules;

use super::describe;
use super::foreign::Foreign;
use super::slot::Entry;
use crate::tables::SectorTable;
use crate::tables::scan::every_slot;
use nerode_solver::check::Report;
use nerode_solver::error::{Error, Result};

/// Compares every slot: holes and their symmetries, the value of every position, and the depth of won and lost
/// positions. Positions are counted with all their images, and a wrong hole counts as one. All ranks of draws are treated alike. The first difference is reported with the board, both values and
/// the rules in force.
///
/// *Cost*: one pass over both, on all threads of the current pool. The report does not depend on their number.
///
/// # Errors
/// Returns [`Error::Mismatch`] if the table belongs to another sector, [`Error::WrongRules`] if the file belongs to
/// another variant, [`Error::Corrupt`] if an entry is not valid in the format, or [`Error::Interrupted`].
pub fn compare(
    rules: &Rules,
    table: &SectorTable,
    foreign: &Foreign,
    interrupt: &AtomicBool,
) -> Result<Report> {
    foreign.variant().check(rules, foreign.path())?;
    if table.sector != foreign.sector() {
        return Err(Error::Mismatch {
            what: foreign.path().display().to_string(),
            found: format!("sector {}", foreign.sector()),
            expected: format!("sector {}, as in the table", table.sector),
        });
    }
    let report = every_slot(table.index.num_slots(), interrupt, |slot, report| {
        let ours = ours(table, slot);
        let theirs = foreign.entry(slot)?;
        if !agree(ours, theirs) {
            let state = table.state(slot);
            let images = if table.index.hole(slot).is_some() {
                1
            } else {
                table.index.num_images(state.own, state.other)
            };
            report.wrong(images, || {
                let position = describe::position(rules, state);
                let rules = describe::rules(rules);
                let (ours, theirs) = (words(ours), words(theirs));
                let path = foreign.path().display();
                format!(
                    "sector {}, slot {slot}: the table says {ours}, but {path} says \
                     {theirs}\n{position}\nrules: {rules}",
                    table.sector
                )
            });
        }
        Ok(())
    })?;
    Ok(Report { checked: table.sector.num_boards(rules.board.num_points()), ..report })
}

fn ours(table: &SectorTable, slot: u64) -> Entry {
    match (table.index.hole(slot), table.depth_at(slot)) {
        (Some(op), _) => Entry::Hole(op),
        (None, None) => Entry::Draw { rank: 0, counter: 0 },
        (None, Some(depth)) if depth % 2 == 1 => Entry::Win(depth),
        (None, Some(depth)) => Entry::Loss(depth),
    }
}

fn agree(ours: Entry, theirs: Entry) -> bool {
    match (ours, theirs) {
        (Entry::Draw { .. }, Entry::Draw { .. } | Entry::RankedDraw { .. }) => true,
        _ => ours == theirs,
    }
}

fn words(entry: Entry) -> String {
    match entry {
        Entry::Hole(op) => format!("hole by symmetry {op}"),
        Entry::Win(plies) => format!("win in {plies}"),
        Entry::Loss(plies) => format!("loss in {plies}"),
        Entry::Draw { .. } => "draw".into(),
        Entry::RankedDraw { rank, distance } => format!("draw of rank {rank} at distance {distance}"),
    }
}
