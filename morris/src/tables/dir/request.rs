//! The request made to a directory, as recorded in its manifest.

use std::collections::BTreeSet;

use super::{Manifest, SectorDir};
use crate::tables::sector::Sector;
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::error::{Error, Result};

/// The request made to a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectorsRequest {
    /// The requested sectors, in order. Their dependencies are requested implicitly.
    pub sectors: BTreeSet<Sector>,
    /// Whether every position is to be checked by forward play before its sector is written.
    pub check: bool,
}

impl SectorDir {
    /// Returns everything that has been requested of the directory so far.
    ///
    /// # Errors
    /// Returns the same errors as [`SectorDir::open`].
    pub fn request(&self) -> Result<SectorsRequest> {
        let manifest: Manifest = contents::read_from(&self.path, Contents::Sectors)?;
        let no_sector = |_| Error::corrupt(Contents::Sectors.file(&self.path), "it lists an invalid sector");
        let sectors = manifest.wanted.iter().map(|name| name.parse().map_err(no_sector));
        Ok(SectorsRequest { sectors: sectors.collect::<Result<_>>()?, check: manifest.check })
    }

    /// Records a request for `sectors` and all their dependencies, so that the work can be resumed without repeating
    /// the request. If `check` is `true`, every position is checked from now on; otherwise the setting does not change.
    ///
    /// # Errors
    /// Returns the same errors as [`SectorDir::open`], [`Error::Busy`] if another process holds the manifest for more
    /// than a moment, or [`Error::Io`].
    pub fn want(&self, sectors: &[Sector], check: bool) -> Result<()> {
        self.change_request(|request| {
            request.sectors.extend(sectors);
            request.check |= check;
        })
    }

    /// Withdraws the request for `sectors`. Their files stay.
    ///
    /// # Errors
    /// Returns the same errors as [`SectorDir::want`].
    pub fn want_no_more(&self, sectors: &[Sector]) -> Result<()> {
        self.change_request(|request| request.sectors.retain(|sector| !sectors.contains(sector)))
    }

    fn change_request(&self, change: impl Fn(&mut SectorsRequest)) -> Result<()> {
        let changed = || -> Result<(SectorsRequest, bool)> {
            let before = self.request()?;
            let mut request = before.clone();
            change(&mut request);
            let differs = request != before;
            Ok((request, differs))
        };
        if !changed()?.1 {
            return Ok(());
        }
        let _lock = self.lock_manifest()?;
        let mut manifest: Manifest = contents::read_from(&self.path, Contents::Sectors)?;
        let request = changed()?.0;
        manifest.wanted = request.sectors.iter().map(Sector::to_string).collect();
        manifest.check = request.check;
        contents::write(&Contents::Sectors.file(&self.path), Contents::Sectors, &manifest)
    }
}
