//! Directories that contain too little to be checked on their own.

use std::path::Path;

use anyhow::Result;

use crate::cli::hints::advised;
use crate::cli::words::shell;
use nerode_solver::archive::{Contents, kind_of};

/// Rejects a directory that cannot be checked on its own, and suggests what can be done instead.
pub(super) fn must_be_checkable(path: &Path) -> Result<()> {
    let Some(kind) = kind_of(path) else { return Ok(()) };
    let dir = shell(path);
    let hint = match kind {
        Contents::Run | Contents::Sectors | Contents::PackedSectors => return Ok(()),
        Contents::Values => {
            format!("'nerode verify RUN --values {dir}' checks them against the run from which they were packed")
        }
        Contents::Scores => {
            "their signs are the values of a run: 'nerode solve' without --score creates one, and 'nerode verify' checks it".into()
        }
        Contents::Bounds => "'nerode verify' checks the sectors from which they were computed".into(),
        Contents::SectorSets => {
            format!("'nerode verify SECTORS --sets --sets-dir {dir} --sector S' compares them with sectors as tables")
        }
    };
    Err(advised(format!("{}: {kind} cannot be checked on their own", path.display()), hint))
}
