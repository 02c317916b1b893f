//! Checks the stored depths of early positions of a run from the start.

use nerode_games::Position;

use super::Report;
use super::forward::check_plies;
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::archive::table::reached::{ReachedTable, outcome};
use crate::depth::stored_depths;
use crate::error::Result;
use crate::solve::resources::Resources;

/// Checks the depths that are stored with a run. Returns `None` if there are none. Calls `progress` with the number of positions
/// done and the total number.
///
/// Every ply lists the positions of the run. Values and depths of all plies but the last follow from those of the next ply by the
/// plain rules. The depths of the last ply were found by searches, which are not repeated, and only its values are compared with
/// the sets of the run.
///
/// Cost: the codes of two plies in memory, and one look-up for every position to which a move leads, on the threads of the current
/// pool.
///
/// # Errors
/// Returns an error if a file is damaged or belongs to other rules, [`Error::TooLarge`](crate::error::Error::TooLarge), or
/// [`Error::Interrupted`](crate::error::Error::Interrupted).
pub fn check(
    run: &StoredRun,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Option<Report>> {
    let Some(table) = stored_depths(run)? else { return Ok(None) };
    let mut report = check_plies(&table, true, resources, progress)?;
    let passes = resources.passes(None)?;
    for ply in 0..table.num_plies() {
        let stored = table.ply(ply)?.set;
        let reached = run.read(Kind::R, run.side_at(ply), ply)?;
        let other = passes.combine(&[&stored, &reached], |x| x[0] != x[1])?;
        report.wrong(other.count()?, || {
            format!("the stored depths of ply {ply} are not those of its positions")
        });
    }
    last_values(run, &table, resources, &mut report)?;
    Ok(Some(report))
}

/// Compares the values of the last ply with the sets of the run. Terminal positions are checked by the rules.
fn last_values(
    run: &StoredRun,
    table: &ReachedTable,
    resources: &Resources,
    report: &mut Report,
) -> Result<()> {
    let Some(last) = table.num_plies().checked_sub(1) else { return Ok(()) };
    let (list, sets) = (table.ply(last)?, PlySets::read(run, last)?);
    for (word, code) in list.iter() {
        resources.must_go_on()?;
        let position = Position { board: run.game.board_of(&word), side: list.side };
        let Some(known) = sets.value_of(&word) else { continue };
        if run.game.outcome(&position.board, position.side).is_some() {
            continue;
        }
        let stored = outcome(code);
        let is_unknown = known.value().is_none();
        report.position(is_unknown, stored.value() != known.value(), || {
            let text = run.game.format_position(&position);
            format!("{text}: {stored} according to the stored depths, but {known} in the run")
        });
    }
    Ok(())
}
