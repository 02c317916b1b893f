//! The manifest of a folder that need not be on a disk.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::{Contents, parse};
use crate::archive::folder::Folder;
use crate::error::{Error, Result};

/// Reads the manifest of a folder. Errors name its file as one in `path`.
///
/// # Errors
/// Returns [`Error::OtherContents`] if the folder has no manifest of this kind, [`Error::Io`], or an error of [`parse`].
pub fn read_in<T: DeserializeOwned>(folder: &dyn Folder, path: &Path, kind: Contents) -> Result<T> {
    let file = kind.file(path);
    match folder.read(kind.manifest()) {
        Ok(text) => parse(&text, &file, kind),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err(Error::OtherContents {
            path: path.into(),
            found: format!("no file {}", kind.manifest()),
            expected: kind.to_string(),
        }),
        Err(e) => Err(Error::io(file, e)),
    }
}
