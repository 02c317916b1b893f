//! The transition table of a layer, which is stored in memory or in a file.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io;
use std::ops::Deref;
use std::path::Path;

use super::SMALL_LAYER;
use crate::disk::{Mapped, NumberWriter};
use crate::error::{Error, Result};

/// The concatenated rows of the states of a layer. Tables with the same contents are equal wherever they are stored.
pub(crate) enum Table {
    /// A table in memory.
    Memory(Vec<u32>),
    /// A table in an unnamed file, of which the operating system loads the parts that are read.
    File(Mapped),
}

impl Table {
    /// Moves the table into a file in `folder` if it is large.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the file cannot be written.
    pub(crate) fn filed(self, folder: &Path) -> Result<Self> {
        if self.bytes() < SMALL_LAYER {
            return Ok(self);
        }
        self.in_file(folder).map_err(|e| Error::io(folder, e))
    }

    fn in_file(&self, folder: &Path) -> io::Result<Self> {
        let mut file = NumberWriter::new(folder)?;
        file.extend(self)?;
        file.map().map(Self::File)
    }

    /// Converts the table to rows in memory.
    pub(crate) fn into_memory(self) -> Vec<u32> {
        match self {
            Self::Memory(rows) => rows,
            Self::File(rows) => rows.to_vec(),
        }
    }

    /// Returns the number of bytes that the process holds, which is 0 for a table in a file.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Memory(rows) => 4 * rows.capacity() as u64,
            Self::File(_) => 0,
        }
    }
}

impl Deref for Table {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        match self {
            Self::Memory(rows) => rows,
            Self::File(rows) => rows,
        }
    }
}

impl From<Vec<u32>> for Table {
    fn from(rows: Vec<u32>) -> Self {
        Self::Memory(rows)
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.deref() == other.deref()
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.deref().hash(state);
    }
}
