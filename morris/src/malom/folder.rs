//! A folder of Malom's files: which there are, and a record of those that were written here.
//!
//! A strong file has neither header nor digest: nothing in it says that it is whole. So the record holds length and digest of each
//! file, and a digest of the sectors that it was made from.
//!
//! Invariant: a file is in the record before it has its name. So one that is there without being in the record, or made from other
//! sectors, is of somebody else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nerode_dfa::disk;
use serde::{Deserialize, Serialize};

use super::name::FileName;
use nerode_solver::archive::files::write_bytes_atomic;
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};

/// Name of the record.
const RECORD: &str = "nerode-export.json";

/// Whether `path` is called as the record of an export is.
pub fn is_record(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == RECORD)
}

/// The files in `folder` that bear names of Malom's, in the order of their names.
///
/// # Errors
/// [`Error::Io`] when the folder cannot be read.
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

/// How the file of a sector stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// There is none.
    Absent,
    /// It is what was written from these sectors.
    Whole,
    /// It was written from these sectors, and is cut short or has other contents.
    Spoilt,
    /// It was not written from these sectors.
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
    /// Digest of the sectors that it was made from.
    source: String,
}

impl Record {
    /// The record in `folder`; one that is not there, or cannot be read, knows no file.
    pub fn open(folder: &Path) -> Self {
        let text = disk::read(&folder.join(RECORD)).unwrap_or_default();
        let files = serde_json::from_slice(&text).unwrap_or_default();
        Self { folder: folder.into(), files }
    }

    /// How the file called `name` stands that is to be made from the sectors with the digest `source`. *Cost*: reads the file, unless
    /// its length tells.
    ///
    /// # Errors
    /// [`Error::Io`] when a file that is there cannot be read.
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

    /// Notes a file that is written from the sectors with the digest `source`, beside those that others have noted by now.
    ///
    /// # Errors
    /// [`Error::Io`].
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
