//! Where rows go that memory does not hold.

use crate::disk::NumberWriter;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who says how many bytes may be written into a folder; `None` where nobody knows.
type Room = dyn Fn(&Path) -> Option<u64> + Send + Sync;

/// A folder for nameless files.
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

    /// The same with a word on how many bytes may be written.
    pub fn with_room(self, room: Arc<Room>) -> Self {
        Self { room: Some(room), ..self }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Refuses `bytes` bytes for which there is no room.
    ///
    /// # Errors
    /// [`io::ErrorKind::StorageFull`].
    pub fn must_hold(&self, bytes: u64) -> io::Result<()> {
        match self.room.as_ref().and_then(|room| room(&self.folder)) {
            Some(room) if room < bytes => {
                let reason = format!("scratch files take {bytes} bytes, and {room} may be written");
                Err(io::Error::new(io::ErrorKind::StorageFull, reason))
            }
            _ => Ok(()),
        }
    }

    /// An empty file for `bytes` bytes of numbers.
    ///
    /// # Errors
    /// As [`Scratch::must_hold`]; what the system says.
    pub fn file(&self, bytes: u64) -> io::Result<NumberWriter> {
        self.must_hold(bytes)?;
        NumberWriter::new(&self.folder)
    }
}
