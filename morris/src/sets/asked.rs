//! Which sectors a directory of sets was asked for, so that the work can go on without being told again.

use std::collections::BTreeSet;
use std::path::Path;

use super::folder::{SetsDir, Top, manifest_name};
use crate::tables::Sector;
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::error::{Error, Result};

impl SetsDir {
    /// The game of the directory `path`, by its spec, and the sectors that were asked for, in order.
    ///
    /// # Errors
    /// [`Error::OtherContents`] when it is no such directory; [`Error::WrongVersion`]; [`Error::Corrupt`]; [`Error::Io`].
    pub fn asked(path: &Path) -> Result<(String, BTreeSet<Sector>)> {
        let top: Top = contents::read_from(path, Contents::SectorSets)?;
        let no_sector = |_| Error::corrupt(Contents::SectorSets.file(path), "it names a sector that is none");
        let wanted = top.wanted.iter().map(|name| name.parse().map_err(no_sector)).collect::<Result<_>>()?;
        Ok((top.game.spec, wanted))
    }

    /// Sectors that were asked for in the directory `path` and are not there.
    ///
    /// # Errors
    /// As [`SetsDir::asked`].
    pub fn missing(path: &Path) -> Result<Vec<Sector>> {
        let is_missing = |sector: &Sector| !path.join(manifest_name([sector.own, sector.other])).exists();
        Ok(Self::asked(path)?.1.into_iter().filter(is_missing).collect())
    }

    /// Notes that `sectors` are asked for, with all that they depend on, so that the work can go on without being told again.
    ///
    /// # Errors
    /// As [`SetsDir::asked`].
    pub fn want(&self, sectors: &[Sector]) -> Result<()> {
        Self::change_asked(&self.path, |wanted| wanted.extend(sectors))
    }

    /// Notes that `sectors` are no longer asked for in the directory `path`. Their files stay.
    ///
    /// # Errors
    /// As [`SetsDir::asked`].
    pub fn want_no_more(path: &Path, sectors: &[Sector]) -> Result<()> {
        Self::change_asked(path, |wanted| wanted.retain(|sector| !sectors.contains(sector)))
    }

    fn change_asked(path: &Path, change: impl Fn(&mut BTreeSet<Sector>)) -> Result<()> {
        let before = Self::asked(path)?.1;
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
