//! The sizes that a solve in units was begun with. They lie beside its units, so that whoever goes on need not know them.

use std::io::{ErrorKind, Write};
use std::path::Path;

use nerode_dfa::{disk, write_atomic};

use super::choices::{FOLDER, UnitSizes};
use crate::error::{Error, Result};

/// The file of sizes, in [`FOLDER`].
const SIZES: &str = "sizes";

/// The sizes of the solve in `home`, if it was begun in units and is not finished. Sizes that cannot be read are taken to be the
/// usual ones: results do not depend on them.
///
/// # Errors
/// [`Error::Io`].
pub fn kept(home: &Path) -> Result<Option<UnitSizes>> {
    let folder = home.join(FOLDER);
    let path = folder.join(SIZES);
    match disk::read(&path) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).unwrap_or_default())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(folder.exists().then(UnitSizes::default)),
        Err(e) => Err(Error::io(path, e)),
    }
}

/// The sizes that the solve in `home` goes on with: those that are `asked` for, which are kept now; else those kept before.
///
/// # Errors
/// [`Error::Io`].
pub fn settled(home: &Path, asked: Option<UnitSizes>) -> Result<Option<UnitSizes>> {
    let before = kept(home)?;
    if let Some(sizes) = asked.filter(|_| asked != before) {
        keep(home, sizes)?;
    }
    Ok(asked.or(before))
}

fn keep(home: &Path, sizes: UnitSizes) -> Result<()> {
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
    fn sizes_are_kept_until_others_are_asked_for() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(settled(home.path(), None).unwrap(), None);
        let sizes = UnitSizes::from_states(77);
        assert_eq!(settled(home.path(), Some(sizes)).unwrap(), Some(sizes));
        assert_eq!(settled(home.path(), None).unwrap(), Some(sizes));
        let others = UnitSizes::from_states(3);
        assert_eq!(settled(home.path(), Some(others)).unwrap(), Some(others));
        assert_eq!(kept(home.path()).unwrap(), Some(others));
    }

    #[test]
    fn sizes_that_cannot_be_read_are_the_usual_ones() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join(FOLDER);
        std::fs::create_dir(&folder).unwrap();
        assert_eq!(kept(home.path()).unwrap(), Some(UnitSizes::default()));
        std::fs::write(folder.join(SIZES), b"{\"from").unwrap();
        assert_eq!(kept(home.path()).unwrap(), Some(UnitSizes::default()));
    }
}
