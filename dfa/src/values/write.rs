//! Writing of value-map files, and reading them from the disk.

use std::io::Write;
use std::path::Path;

use super::file::FORMAT;
use super::{CODE, ValueMap};
use crate::block::{decompress, put_layers};
use crate::disk;
use crate::error::{Error, Result};
use crate::frame::{Hashing, unwritten};

/// # Writing, and files on disk
impl ValueMap {
    /// Returns the bytes of the value-map file. Cost: two passes over the table.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if compression fails.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape, ValueMap};
    /// let shape = Shape::uniform(2, 2).unwrap();
    /// let map = ValueMap::from_levels(&shape, &[(7, Dfa::word(&shape, &[0, 1]).unwrap())], u64::MAX).unwrap();
    /// let bytes = map.to_bytes().unwrap();
    /// assert_eq!(ValueMap::from_bytes(&bytes, "memory".as_ref()).unwrap(), map);
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let codes = self.codes();
        let c = codes.len() as u32;
        let number = |target: u32| codes.partition_point(|&code| code < target as u16) as u32;
        let mut head = FORMAT.begin(&self.shape);
        head.extend_from_slice(&c.to_le_bytes());
        codes.iter().for_each(|code| head.extend_from_slice(&code.to_le_bytes()));
        let root = if self.root & CODE != 0 { number(self.root) } else { c };
        head.extend_from_slice(&root.to_le_bytes());
        let mut out = Hashing::new(Vec::new());
        out.write_all(&head).map_err(unwritten)?;
        let renumbered = |&target: &u32| if target & CODE != 0 { number(target) } else { c + target };
        put_layers(&mut out, &self.shape, c, |layer| self.layers[layer].iter().map(renumbered).collect())?;
        out.finish().map(|(bytes, _)| bytes).map_err(unwritten)
    }

    /// Reads a value-map file and verifies everything that the format guarantees.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`] or [`Error::Version`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads a value map from bytes in memory, like [`ValueMap::read`]. `path` is used only in error messages.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] or [`Error::Version`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        Self::from_bytes_with(bytes, path, decompress)
    }
}
