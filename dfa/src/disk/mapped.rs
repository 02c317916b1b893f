//! Numbers in an unnamed file that is mapped into memory. The operating system loads them on access, and reclaims their
//! memory when it is needed elsewhere.
//!
//! This is the only module of the project that contains `unsafe` code. It relies on the fact that the file has no name
//! and is closed once it is mapped, so that no process, including this one, can modify or truncate it. If the disk
//! fails while the file is read, the process is terminated, as with any mapped file.
#![expect(unsafe_code, reason = "mapping a file requires unsafe code; see the module documentation")]

use std::io;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use memmap2::{Mmap, MmapOptions};

use super::File;

/// All mapped files, for [`release_mapped`].
static ALL: Mutex<Vec<Weak<Mmap>>> = Mutex::new(Vec::new());

/// The numbers of an unnamed file.
#[derive(Debug)]
pub(crate) struct Mapped(Arc<Mmap>);

impl Mapped {
    /// Maps the first `len` numbers of `file`, which must not have a name.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::UnexpectedEof`] if the file has fewer numbers, or the error of the operating system.
    pub(super) fn new(file: File, len: usize) -> io::Result<Self> {
        if file.metadata()?.len() < 4 * len as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: no process modifies or truncates the file; see the module documentation.
        let map = unsafe { MmapOptions::new().len(4 * len).map(&file.0) }?;
        let map = Arc::new(map);
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| one.strong_count() > 0);
        all.push(Arc::downgrade(&map));
        Ok(Self(map))
    }
}

impl Deref for Mapped {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        // This cannot fail, because a map is page-aligned and contains whole numbers.
        bytemuck::cast_slice(&self.0)
    }
}

/// Releases the memory of all sets that are stored in files. They are loaded again on the next access.
///
/// Cost: the call itself is cheap. Loading the numbers again is served from the operating system's cache, as long as it
/// still contains them.
pub fn release_mapped() {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().filter_map(Weak::upgrade).for_each(|map| release(&map));
}

#[cfg(unix)]
fn release(map: &Mmap) {
    // SAFETY: the map is never written to, so reading it again yields the contents of the file.
    let advised = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    // A system that does not accept the advice reclaims the memory on its own.
    drop(advised);
}

#[cfg(not(unix))]
fn release(_: &Mmap) {}

#[cfg(test)]
mod tests {
    use super::super::NumberWriter;
    use super::*;

    #[test]
    fn mapped_data_survives_the_release_of_its_memory() {
        let folder = tempfile::tempdir().unwrap();
        let numbers: Vec<u32> = (0..100_000).map(|i| i * 40_003).collect();
        let mut writer = NumberWriter::new(folder.path()).unwrap();
        writer.extend(&numbers).unwrap();
        let mapped = writer.map().unwrap();
        assert_eq!(*mapped, numbers[..]);
        release_mapped();
        assert_eq!(*mapped, numbers[..]);
    }

    #[test]
    fn more_numbers_than_a_file_has_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Mapped::new(File::nameless(folder.path()).unwrap(), 1).is_err());
    }
}
