//! The folder in which a database is built before it is moved to its final place.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::reading::PackedSectors;
use super::{Entry, Manifest, file_name};
use crate::tables::Sector;
use nerode_dfa::disk;
use nerode_solver::archive::claim::{self, LOCK};
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};
use nerode_solver::units::lock::Lock;

/// A database that is being built.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    /// The final place of the database.
    place: PathBuf,
    pub(super) manifest: Manifest,
    _lock: Lock,
}

const KIND: Contents = Contents::PackedSectors;

impl Part {
    /// Resumes the work begun for `place`, or begins anew. Existing work is reused if it was created for the same game
    /// with the same look-ahead and detail. With `overwrite` there may be packed sectors at `place`, which stay until
    /// the new ones replace them.
    ///
    /// # Errors
    /// Returns [`Error::Occupied`], [`Error::OtherContents`], [`Error::Busy`] if another process is packing, or
    /// [`Error::Io`].
    pub(super) fn begin(place: &Path, overwrite: bool, manifest: Manifest) -> Result<Self> {
        claim::must_be_free_for(place, KIND)?;
        if KIND.is_in(place) && !overwrite {
            return Err(Error::Occupied { path: place.into(), contents: KIND.to_string() });
        }
        let path = sibling(place, "part")?;
        let lock = claim::claim(&path, KIND)?;
        let mut part = Self { path, place: place.into(), manifest, _lock: lock };
        if KIND.is_in(&part.path)
            && let Ok(found) = contents::read_from::<Manifest>(&part.path, KIND)
            && found.game == part.manifest.game
            && (found.look_ahead, found.depths) == (part.manifest.look_ahead, part.manifest.depths)
        {
            part.manifest.sectors = found.sectors;
        }
        Ok(part)
    }

    /// Removes the entries of sectors that are not in `sectors`.
    pub(super) fn keep_only(&mut self, sectors: &[Sector]) {
        let names: BTreeSet<String> = sectors.iter().map(Sector::to_string).collect();
        self.manifest.sectors.retain(|name, _| names.contains(name));
    }

    /// Returns the path of the folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if `sector` has been packed from tables with this digest and its file is intact.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub(super) fn has(&self, sector: Sector, source: &str) -> Result<bool> {
        match self.manifest.sectors.get(&sector.to_string()) {
            Some(entry) if entry.source == source => match &entry.file {
                Some(file) => file.whole.is_whole(&self.path.join(file_name(sector))),
                None => Ok(true),
            },
            _ => Ok(false),
        }
    }

    /// Copies a sector with a file from another database, if it was built there from tables with this digest.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if its file is damaged, [`Error::DiskFull`], or [`Error::Io`].
    pub(super) fn take(&self, other: &PackedSectors, sector: Sector, source: &str) -> Result<Option<Entry>> {
        let entry = other.manifest.sectors.get(&sector.to_string()).filter(|entry| entry.source == source);
        let Some((entry, file)) = entry.and_then(|entry| Some((entry, entry.file.as_ref()?))) else {
            return Ok(None);
        };
        self.write(sector, &file.whole.read(&other.path.join(file_name(sector)))?)?;
        Ok(Some(entry.clone()))
    }

    /// Writes the automaton of a sector. It takes effect once [`Part::note`] has written the manifest.
    ///
    /// # Errors
    /// Returns [`Error::DiskFull`] or [`Error::Io`].
    pub(super) fn write(&self, sector: Sector, bytes: &[u8]) -> Result<StoredFile> {
        StoredFile::write(&self.path.join(file_name(sector)), bytes)
    }

    /// Writes the manifest.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub(super) fn note(&self) -> Result<()> {
        contents::write(&KIND.file(&self.path), KIND, &self.manifest)
    }

    /// Removes files of sectors that the manifest does not name, and moves the folder to its final place.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub(super) fn finish(mut self) -> Result<()> {
        self.manifest.left = 0;
        self.note()?;
        let io = |e| Error::io(&self.path, e);
        for entry in disk::read_dir(&self.path).map_err(io)? {
            let name = entry.map_err(io)?.file_name();
            let sector = name.to_str().and_then(|name| name.strip_suffix(super::SUFFIX));
            if let Some(sector) = sector
                && self.manifest.sectors.get(sector).is_none_or(|entry| entry.file.is_none())
            {
                let file = self.path.join(&name);
                disk::remove_file(&file).map_err(|e| Error::io(&file, e))?;
            }
        }
        let old = sibling(&self.place, "old")?;
        if disk::exists(&self.place).map_err(|e| Error::io(&self.place, e))? {
            disk::rename(&self.place, &old).map_err(|e| Error::io(&self.place, e))?;
        }
        disk::rename(&self.path, &self.place).map_err(|e| Error::io(&self.path, e))?;
        remove(&old)
    }
}

/// Returns the path `name.ending` next to `place`.
fn sibling(place: &Path, ending: &str) -> Result<PathBuf> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the folder has no name");
    let mut name: OsString = place.file_name().ok_or_else(|| Error::io(place, no_name()))?.into();
    name.push(".");
    name.push(ending);
    Ok(place.with_file_name(name))
}

/// Removes packed sectors from a folder, and the folder itself if it is then empty.
fn remove(old: &Path) -> Result<()> {
    let Ok(entries) = disk::read_dir(old) else {
        return Ok(());
    };
    for entry in entries {
        let name = entry.map_err(|e| Error::io(old, e))?.file_name();
        let text = name.to_string_lossy();
        if text.ends_with(super::SUFFIX) || [KIND.manifest(), LOCK].contains(&text.as_ref()) {
            let file = old.join(&name);
            disk::remove_file(&file).map_err(|e| Error::io(&file, e))?;
        }
    }
    // Unrelated files stay where they are.
    let _ = disk::remove_dir(old);
    Ok(())
}
