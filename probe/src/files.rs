//! Files in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use crate::{Bytes, Folder};

/// Files in memory, by name.
///
/// # Examples
/// ```
/// use nerode_probe::{Files, Folder};
/// let files: Files = [("values.json", b"{}".to_vec())].into_iter().collect();
/// assert_eq!(files.read("values.json").unwrap(), b"{}");
/// assert!(files.open("packed.json").is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Files(BTreeMap<String, Arc<[u8]>>);

impl Files {
    /// Adds a file, and replaces any file of the same name.
    pub fn insert(&mut self, name: &str, bytes: Vec<u8>) {
        self.0.insert(name.into(), bytes.into());
    }
}

impl<N: Into<String>> FromIterator<(N, Vec<u8>)> for Files {
    fn from_iter<I: IntoIterator<Item = (N, Vec<u8>)>>(files: I) -> Self {
        Self(files.into_iter().map(|(name, bytes)| (name.into(), bytes.into())).collect())
    }
}

impl Folder for Files {
    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        let bytes = self.0.get(name).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(Arc::clone(bytes)))
    }
}
