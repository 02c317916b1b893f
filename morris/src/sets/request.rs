//! The request for sectors made to a directory of sets, recorded so that the work can be resumed without repeating the
//! request.

use std::collections::BTreeSet;
use std::path::Path;

use super::folder::{SetsDir, Top, manifest_name};
use crate::tables::Sector;
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::error::{Error, Result};

impl SetsDir {
    /// Returns the spec of the game of the directory `path`, and the requested sectors in order.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if it is not such a directory, [`Error::WrongVersion`], [`Error::Corrupt`], or
    /// [`Error::Io`].
    pub fn request(path: &Path) -> Result<(String, BTreeSet<Sector>)> {
        let top: Top = contents::read_from(path, Contents::SectorSets)?;
        let no_sector = |_| Error::corrupt(Contents::SectorSets.file(path), "it lists an invalid sector");
        let wanted = top.wanted.iter().map(|name| name.parse().map_err(no_sector)).collect::<Result<_>>()?;
        Ok((top.game.spec, wanted))
    }

    /// Returns the requested sectors of the directory `path` that are not there yet.
    ///
    /// # Errors
    /// Returns the same errors as [`SetsDir::request`].
    pub fn missing(path: &Path) -> Result<Vec<Sector>> {
        let is_missing = |sector: &Sector| !path.join(manifest_name([sector.own, sector.other])).exists();
        Ok(Self::request(path)?.1.into_iter().filter(is_missing).collect())
    }

    /// Records a request for `sectors` and all their dependencies, so that the work can be resumed without repeating
    /// the request.
    ///
    /// # Errors
    /// Returns the same errors as [`SetsDir::request`].
    pub fn want(&self, sectors: &[Sector]) -> Result<()> {
        Self::change_request(&self.path, |wanted| wanted.extend(sectors))
    }

    /// Withdraws the request for `sectors` in the directory `path`. Their files stay.
    ///
    /// # Errors
    /// Returns the same errors as [`SetsDir::request`].
    pub fn want_no_more(path: &Path, sectors: &[Sector]) -> Result<()> {
        Self::change_request(path, |wanted| wanted.retain(|sector| !sectors.contains(sector)))
    }

    fn change_request(path: &Path, change: impl Fn(&mut BTreeSet<Sector>)) -> Result<()> {
        let before = Self::request(path)?.1;
        let mut wanted = before.clone();
        change(&mut wanted);
        if wanted == before {
            return Ok(());
        }
        let mut top: Top = contents::read_from(path, Contents::SectorSets)?;
        top.wanted = wanted.iter().map(Sector::to_string).collect();
        contents::write(&Contents::SectorSets.file(path), Contents::SectorSets, &top)
    }
}
