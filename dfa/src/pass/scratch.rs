//! Scratch space for rows that do not fit into memory.

use crate::disk::NumberWriter;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns the number of bytes that may be written into a folder, or `None` if it is unknown.
type Room = dyn Fn(&Path) -> Option<u64> + Send + Sync;

/// A folder for unnamed files.
#[derive(Clone)]
pub(super) struct Scratch {
    folder: PathBuf,
    room: Option<Arc<Room>>,
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scratch").field(&self.folder).finish()
    }
}

impl Scratch {
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, room: None }
    }

    /// Sets the function that returns how many bytes may be written.
    pub fn with_room(self, room: Arc<Room>) -> Self {
        Self { room: Some(room), ..self }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Checks that there is room for `bytes` bytes.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::StorageFull`] if there is not.
    pub fn must_hold(&self, bytes: u64) -> io::Result<()> {
        match self.room.as_ref().and_then(|room| room(&self.folder)) {
            Some(room) if room < bytes => {
                let reason = format!("scratch files need {bytes} bytes, but only {room} may be written");
                Err(io::Error::new(io::ErrorKind::StorageFull, reason))
            }
            _ => Ok(()),
        }
    }

    /// Creates an empty file for `bytes` bytes of numbers.
    ///
    /// # Errors
    /// Returns the same errors as [`Scratch::must_hold`], or the error of the operating system.
    pub fn file(&self, bytes: u64) -> io::Result<NumberWriter> {
        self.must_hold(bytes)?;
        NumberWriter::new(&self.folder)
    }
}
