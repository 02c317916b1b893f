//! Arguments that name Malom's files, individually or as folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use nerode_games::morris::Rules;

use crate::cli::hints::advised;
use crate::cli::words::shell;
use nerode_dfa::disk;
use nerode_morris::malom::{FileName, Kind, Variant, files_of, is_record};
use nerode_morris::tables::Sector;

/// One of Malom's files.
pub(in crate::cli) struct MalomFile {
    pub(in crate::cli) path: PathBuf,
    pub(in crate::cli) sector: Sector,
    pub(in crate::cli) bytes: u64,
    /// Whether the file was found in a folder instead of being named itself.
    pub(in crate::cli) is_listed: bool,
}

/// Returns the files that `paths` name, and those for `rules` in the folders that they name. If a folder contains
/// both files of a sector, the strong one is used, which is smaller and has the same values and depths. The record of
/// an export is skipped.
pub(in crate::cli) fn malom_files(paths: &[PathBuf], rules: &Rules) -> Result<Vec<MalomFile>> {
    let mut files = Vec::new();
    for path in paths.iter().filter(|path| !is_record(path)) {
        if !path.exists() {
            return Err(advised(
                format!("{} does not exist", path.display()),
                "name files of another program's database, or a folder that contains them",
            ));
        }
        if path.is_dir() {
            files.extend(in_folder(path, rules)?);
        } else {
            files.push(MalomFile::new(path.clone(), &FileName::of(path)?, false)?);
        }
    }
    if files.is_empty() {
        bail!("none of Malom's files is named, only the record that 'nerode export' keeps of them");
    }
    Ok(files)
}

impl MalomFile {
    fn new(path: PathBuf, name: &FileName, is_listed: bool) -> Result<Self> {
        let found = disk::metadata(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self { path, sector: name.sector, bytes: found.len(), is_listed })
    }
}

fn in_folder(folder: &Path, rules: &Rules) -> Result<Vec<MalomFile>> {
    let variant = Variant::of(rules)?;
    let all = files_of(folder)?;
    let mut by_sector: BTreeMap<Sector, (PathBuf, FileName)> = BTreeMap::new();
    for (path, name) in all.iter().filter(|(_, name)| name.variant == variant) {
        if name.kind == Kind::Strong || !by_sector.contains_key(&name.sector) {
            by_sector.insert(name.sector, (path.clone(), *name));
        }
    }
    if by_sector.is_empty() {
        let others =
            all.iter().map(|(_, name)| name.variant.name()).collect::<std::collections::BTreeSet<_>>();
        let others: Vec<&str> = others.into_iter().collect();
        let has = if others.is_empty() {
            String::new()
        } else {
            format!("; it has files of {}", others.join(", "))
        };
        bail!(
            "{} has no file of this game: those are called {}_W_B_WF_BF.sec or .sec2, where W and B are stones on the board{has}",
            folder.display(),
            variant.name()
        );
    }
    by_sector.into_values().map(|(path, name)| MalomFile::new(path, &name, true)).collect()
}

/// Returns the command that imports `path` if it is one of Malom's files or a folder of them, and `None` otherwise.
pub(in crate::cli) fn import_command(path: &Path) -> Option<String> {
    let name = if path.is_dir() { files_of(path).ok()?.first()?.1 } else { FileName::of(path).ok()? };
    Some(format!("nerode import {} {} --run-dir NEW", name.variant.game(), shell(path)))
}
