//! Scratch files of the explicit solver for reached positions.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nerode_dfa::disk::{self, File};
use nerode_oracle::{Error as OracleError, Scratch, ScratchFile};

use super::disk::Disk;
use crate::error::Error;

/// A folder for scratch files.
pub(super) struct ScratchFolder {
    folder: PathBuf,
    disk: Disk,
    /// The first failure of a file, which is more than an error of the operating system can say.
    failure: Arc<OnceLock<Error>>,
}

/// A file without a name.
struct Nameless {
    file: File,
    folder: PathBuf,
    disk: Disk,
    failure: Arc<OnceLock<Error>>,
}

impl ScratchFolder {
    /// Creates files in `folder`, which need not exist yet, on `disk`.
    pub(super) fn new(folder: &Path, disk: &Disk) -> Self {
        Self { folder: folder.into(), disk: disk.clone(), failure: Arc::default() }
    }

    /// Replaces an error of the solver by the first failure of a file, if that is the reason.
    pub(super) fn explain(self, error: OracleError) -> Error {
        match error {
            OracleError::Disk { kind, reason } => {
                let first = Arc::into_inner(self.failure).and_then(OnceLock::into_inner);
                first.unwrap_or_else(|| Error::io(self.folder, io::Error::new(kind, reason)))
            }
            other => other.into(),
        }
    }
}

impl Scratch for ScratchFolder {
    fn create(&self) -> io::Result<Box<dyn ScratchFile>> {
        let Self { folder, disk: place, failure } = self;
        let file = match File::nameless(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                disk::create_dir_all(folder)?;
                File::nameless(folder)
            }
            created => created,
        }?;
        let (folder, disk, failure) = (folder.clone(), place.clone(), Arc::clone(failure));
        Ok(Box::new(Nameless { file, folder, disk, failure }))
    }
}

impl ScratchFile for Nameless {
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        if let Err(full) = self.disk.must_hold(&self.folder, bytes.len() as u64) {
            let _ = self.failure.set(full);
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write_all_at(at, bytes)
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(at, bytes)
    }
}
