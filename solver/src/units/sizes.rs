//! The unit sizes with which a solve was started. They are stored together with its units, so that a resumed solve uses
//! the same sizes by default.

use std::io::{ErrorKind, Write};
use std::path::Path;

use nerode_dfa::{disk, write_atomic};

use super::choices::{FOLDER, UnitSizes};
use crate::error::{Error, Result};

/// The file of the sizes in [`FOLDER`].
const SIZES: &str = "sizes";

/// Returns the sizes of the solve in `home` if it was started in units and is not finished. If the sizes cannot be
/// read, returns the default sizes, because results do not depend on them.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn stored_sizes(home: &Path) -> Result<Option<UnitSizes>> {
    let folder = home.join(FOLDER);
    let path = folder.join(SIZES);
    match disk::read(&path) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).unwrap_or_default())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(folder.exists().then(UnitSizes::default)),
        Err(e) => Err(Error::io(path, e)),
    }
}

/// Returns the sizes with which the solve in `home` continues: those in `requested`, which are then stored, or otherwise
/// the stored ones.
///
/// # Errors
/// Returns [`Error::Io`].
pub fn effective_sizes(home: &Path, requested: Option<UnitSizes>) -> Result<Option<UnitSizes>> {
    let before = stored_sizes(home)?;
    if let Some(sizes) = requested.filter(|_| requested != before) {
        store(home, sizes)?;
    }
    Ok(requested.or(before))
}

fn store(home: &Path, sizes: UnitSizes) -> Result<()> {
    let folder = home.join(FOLDER);
    disk::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
    let path = folder.join(SIZES);
    let io = |e| Error::io(&path, e);
    let text = serde_json::to_string(&sizes).map_err(|e| io(e.into()))?;
    write_atomic(&path, io, |out| writeln!(out, "{text}").map_err(io))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_stay_until_others_are_requested() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(effective_sizes(home.path(), None).unwrap(), None);
        let sizes = UnitSizes::from_states(77);
        assert_eq!(effective_sizes(home.path(), Some(sizes)).unwrap(), Some(sizes));
        assert_eq!(effective_sizes(home.path(), None).unwrap(), Some(sizes));
        let others = UnitSizes::from_states(3);
        assert_eq!(effective_sizes(home.path(), Some(others)).unwrap(), Some(others));
        assert_eq!(stored_sizes(home.path()).unwrap(), Some(others));
    }

    #[test]
    fn sizes_that_cannot_be_read_are_the_usual_ones() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        assert_eq!(stored_sizes(home.path()).unwrap(), Some(UnitSizes::default()));
        std::fs::write(folder.join(SIZES), b"{\"from").unwrap();
        assert_eq!(stored_sizes(home.path()).unwrap(), Some(UnitSizes::default()));
    }
}
