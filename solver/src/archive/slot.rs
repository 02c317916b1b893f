//! A value that is read from disk by one thread when it is first requested, and then kept in memory.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::Result;

/// A value that is read at most once. Later requests take no lock.
#[derive(Debug)]
pub struct Slot<T> {
    value: OnceLock<T>,
    /// Held by the thread that reads, so that no other thread reads the same value.
    reading: Mutex<()>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self { value: OnceLock::new(), reading: Mutex::new(()) }
    }
}

impl<T> Slot<T> {
    /// Returns the value, and calls `read` if it has not been read yet. Other threads that request it in the meantime
    /// wait.
    ///
    /// # Errors
    /// Returns any error of `read`. The next call reads again.
    pub fn get_or_read(&self, read: impl FnOnce() -> Result<T>) -> Result<&T> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let _one_reads = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = read()?;
        Ok(self.value.get_or_init(|| value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn many_threads_read_once_and_errors_are_not_cached() {
        let (slot, reads) = (Slot::default(), AtomicU32::new(0));
        assert!(slot.get_or_read(|| Err(Error::Interrupted)).is_err());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let read = || Ok(reads.fetch_add(1, Ordering::Relaxed) + 7);
                    assert_eq!(*slot.get_or_read(read).unwrap(), 7);
                });
            }
        });
        assert_eq!(reads.into_inner(), 1);
    }
}
