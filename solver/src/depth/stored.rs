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
pub(super) fn read(run: &StoredRun) -> Result<Option<ReachedTable>> {
    let path = run.run.path().join(DEPTHS_FILE);
    if run.method() != Method::Meet || !path.is_file() {
        return Ok(None);
    }
    let table = ReachedTable::open_for(&path, &run.game)?;
    table.verify_digest()?;
    Ok(Some(table))
}
