//! Numbers of a nameless file, mapped into memory: the system reads them where they are asked for, and takes their memory back where
//! others need it.
//!
//! The only module of the project with `unsafe` in it. What it takes for granted: the file has no name and is closed once it is mapped.
//! So no process can change it or cut it off, this one included. A disk that breaks while the file is read ends the
//! process, as with any mapped file.
#![allow(unsafe_code, reason = "files are mapped, see above")]

use std::io;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use memmap2::{Mmap, MmapOptions};

use super::File;

/// All that is mapped, for [`release_mapped`].
static ALL: Mutex<Vec<Weak<Mmap>>> = Mutex::new(Vec::new());

/// The numbers of a nameless file.
#[derive(Debug)]
pub(crate) struct Mapped(Arc<Mmap>);

impl Mapped {
    /// Maps the first `len` numbers of `file`, which must be nameless.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] where the file has fewer; what the system says.
    pub(super) fn new(file: File, len: usize) -> io::Result<Self> {
        if file.metadata()?.len() < 4 * len as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: nobody changes the file or cuts it off, see the module.
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
        // A map begins where a page does, and has whole numbers: this never fails.
        bytemuck::cast_slice(&self.0)
    }
}

/// Gives the system back the memory of all sets that are in files. They are read again where they are asked for.
///
/// Cost: next to nothing at once; reading again is from the system's cache, as long as that has them.
pub fn release_mapped() {
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().filter_map(Weak::upgrade).for_each(|map| release(&map));
}

#[cfg(unix)]
fn release(map: &Mmap) {
    // SAFETY: nothing is ever written to the map, so what is read again is what the file has.
    let advised = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    // A system that does not take the advice takes the memory back by itself.
    drop(advised);
}

#[cfg(not(unix))]
fn release(_: &Mmap) {}

#[cfg(test)]
mod tests {
    use super::super::NumberWriter;
    use super::*;

    #[test]
    fn what_is_mapped_is_there_after_its_memory_was_given_back() {
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
