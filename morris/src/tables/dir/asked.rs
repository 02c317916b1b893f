//! What was asked of a directory, as its manifest remembers it.

use std::collections::BTreeSet;

use super::{Manifest, SectorDir};
use crate::tables::sector::Sector;
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::error::{Error, Result};

/// What was asked of a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskedSectors {
    /// The sectors, in order. What they depend on belongs to them.
    pub sectors: BTreeSet<Sector>,
    /// Whether every position is to be checked by forward play before its sector is written.
    pub check: bool,
}

impl SectorDir {
    /// What was asked of it so far.
    ///
    /// # Errors
    /// As [`SectorDir::open`].
    pub fn asked(&self) -> Result<AskedSectors> {
        let manifest: Manifest = contents::read_from(&self.path, Contents::Sectors)?;
        let no_sector =
            |_| Error::corrupt(Contents::Sectors.file(&self.path), "it names a sector that is none");
        let sectors = manifest.wanted.iter().map(|name| name.parse().map_err(no_sector));
        Ok(AskedSectors { sectors: sectors.collect::<Result<_>>()?, check: manifest.check })
    }

    /// Notes that `sectors` are asked for, with all that they depend on, so that the work can go on without being told again. With
    /// `check`, every position is to be checked from now on; without it nothing changes in that.
    ///
    /// # Errors
    /// As [`SectorDir::open`]; [`Error::Busy`] while another process notes something for more than a moment; [`Error::Io`].
    pub fn want(&self, sectors: &[Sector], check: bool) -> Result<()> {
        self.change_asked(|asked| {
            asked.sectors.extend(sectors);
            asked.check |= check;
        })
    }

    /// Notes that `sectors` are no longer asked for. Their files stay.
    ///
    /// # Errors
    /// As [`SectorDir::want`].
    pub fn want_no_more(&self, sectors: &[Sector]) -> Result<()> {
        self.change_asked(|asked| asked.sectors.retain(|sector| !sectors.contains(sector)))
    }

    fn change_asked(&self, change: impl Fn(&mut AskedSectors)) -> Result<()> {
        let changed = || -> Result<(AskedSectors, bool)> {
            let before = self.asked()?;
            let mut asked = before.clone();
            change(&mut asked);
            let differs = asked != before;
            Ok((asked, differs))
        };
        if !changed()?.1 {
            return Ok(());
        }
        let _lock = self.lock_manifest()?;
        let mut manifest: Manifest = contents::read_from(&self.path, Contents::Sectors)?;
        let asked = changed()?.0;
        manifest.wanted = asked.sectors.iter().map(Sector::to_string).collect();
        manifest.check = asked.check;
        contents::write(&Contents::Sectors.file(&self.path), Contents::Sectors, &manifest)
    }
}
