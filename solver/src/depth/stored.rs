//! The file of the depths of early positions.

use crate::archive::contents::DEPTHS_FILE;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::reached::ReachedTable;
use crate::error::Result;
use crate::solve::method::Method;

/// Opens the stored depths of a run, if there are any.
///
/// # Errors
/// Returns an error if the file is damaged, or belongs to another game or letter order.
pub fn stored_depths(run: &StoredRun) -> Result<Option<ReachedTable>> {
    let Some(table) = open(run)? else { return Ok(None) };
    table.verify_digest()?;
    Ok(Some(table))
}

/// Returns the number of plies whose depths are stored with a run, also if the file is damaged but its header is not. Returns `None`
/// if there are none.
pub fn stored_plies(run: &StoredRun) -> Option<u32> {
    open(run).ok().flatten().map(|table| table.num_plies())
}

fn open(run: &StoredRun) -> Result<Option<ReachedTable>> {
    let path = run.run.path().join(DEPTHS_FILE);
    if run.method() != Method::Meet || !path.is_file() {
        return Ok(None);
    }
    ReachedTable::open_for(&path, &run.game).map(Some)
}
