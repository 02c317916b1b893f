//! A folder of Malom's files: its list of files, and a record of the files written by this program.
//!
//! A strong file has neither a header nor a digest, so its contents do not show whether it is complete. The record
//! therefore holds the length and digest of each file, and a digest of the sectors from which it was created.
//!
//! Invariant: a file is recorded before it gets its final name. Hence a file that is not in the record, or that is
//! recorded for other sectors, comes from another source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nerode_dfa::disk;
use serde::{Deserialize, Serialize};

use super::name::FileName;
use nerode_solver::archive::files::write_bytes_atomic;
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};

/// The name of the record.
const RECORD: &str = "nerode-export.json";

/// Returns `true` if `path` has the name of the record of an export.
pub fn is_record(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == RECORD)
}

/// Returns the files in `folder` whose names have Malom's form, in the order of their names.
///
/// # Errors
/// Returns [`Error::Io`] if the folder cannot be read.
pub fn files_of(folder: &Path) -> Result<Vec<(PathBuf, FileName)>> {
    let io = |e| Error::io(folder, e);
    let mut found = Vec::new();
    for entry in disk::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if let Ok(name) = FileName::of(&path)
            && path.is_file()
        {
            found.push((path, name));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// The status of the file of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// The file does not exist.
    Absent,
    /// The file is intact and was written from these sectors.
    Whole,
    /// The file was written from these sectors, but has been truncated or modified.
    Spoilt,
    /// The file was not written from these sectors.
    Foreign,
}

/// The files that were written to a folder.
#[derive(Debug, Default)]
pub struct Record {
    folder: PathBuf,
    files: BTreeMap<String, Recorded>,
}

/// A file that was written.
#[derive(Debug, Serialize, Deserialize)]
struct Recorded {
    #[serde(flatten)]
    file: StoredFile,
    /// The digest of the sectors from which the file was created.
    source: String,
}

impl Record {
    /// Opens the record in `folder`. The record is empty if it does not exist or cannot be read.
    pub fn open(folder: &Path) -> Self {
        let text = disk::read(&folder.join(RECORD)).unwrap_or_default();
        let files = serde_json::from_slice(&text).unwrap_or_default();
        Self { folder: folder.into(), files }
    }

    /// Returns the status of the file called `name`, given the digest `source` of its sectors. *Cost*: reads the file,
    /// unless its length is already wrong.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if an existing file cannot be read.
    pub fn look(&self, name: &FileName, source: &str) -> Result<Exported> {
        let name = name.to_string();
        let path = self.folder.join(&name);
        if std::fs::symlink_metadata(&path).is_err() {
            return Ok(Exported::Absent);
        }
        let Some(recorded) = self.files.get(&name).filter(|recorded| recorded.source == source) else {
            return Ok(Exported::Foreign);
        };
        Ok(if recorded.file.is_whole(&path)? { Exported::Whole } else { Exported::Spoilt })
    }

    /// Records a file that is written from the sectors with the digest `source`, and keeps entries that other processes
    /// have added meanwhile.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn note(&mut self, name: &FileName, source: &str, file: StoredFile) -> Result<()> {
        let path = self.folder.join(RECORD);
        self.files = Self::open(&self.folder).files;
        self.files.insert(name.to_string(), Recorded { file, source: source.into() });
        let text =
            serde_json::to_vec_pretty(&self.files).map_err(|e| Error::corrupt(&path, e.to_string()))?;
        write_bytes_atomic(&path, &text)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_whole_only_if_it_is_what_was_written_from_the_same_sectors() {
        let folder = tempfile::tempdir().unwrap();
        let name = FileName::of(Path::new("std_3_3_0_0.sec")).unwrap();
        let path = folder.path().join(name.to_string());
        let look = |source: &str| Record::open(folder.path()).look(&name, source).unwrap();
        assert_eq!(look("a"), Exported::Absent);
        let mut record = Record::open(folder.path());
        record.note(&name, "a", StoredFile::of(4, blake3::hash(b"abcd"))).unwrap();
        assert_eq!(look("a"), Exported::Absent);
        for (contents, standing) in [
            ("abcd", Exported::Whole),
            ("abc", Exported::Spoilt),
            ("abce", Exported::Spoilt),
            ("", Exported::Spoilt),
        ] {
            fs::write(&path, contents).unwrap();
            assert_eq!((look("a"), look("b")), (standing, Exported::Foreign), "{contents}");
        }
        fs::write(folder.path().join(RECORD), "{").unwrap();
        assert_eq!(look("a"), Exported::Foreign);
        assert_eq!(files_of(folder.path()).unwrap(), [(path, name)]);
    }
}
