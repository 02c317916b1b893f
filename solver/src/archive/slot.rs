//! A value that is read from disk by one thread when it is first requested, and then kept in memory.

use std::sync::{Mutex, OnceLock, PoisonError};

#[cfg(feature = "engine")]
use nerode_dfa::thread_pool;

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
    /// Returns any error of `read`, after which the next call reads again, or an error if no thread can be started.
    pub fn get_or_read(&self, read: impl FnOnce() -> Result<T> + Send) -> Result<&T>
    where
        T: Send,
    {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let _one_reads = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let value = apart(read)?;
        Ok(self.value.get_or_init(|| value))
    }
}

/// Calls `read`, which uses no other threads without the feature `engine`.
#[cfg(not(feature = "engine"))]
fn apart<T: Send>(read: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    read()
}

/// Calls `read` in a thread pool of its own. A thread of the pool of the caller would take up other work while it waits for
/// parts of the reading, and this work might wait for the same value.
#[cfg(feature = "engine")]
fn apart<T: Send>(read: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let pool = thread_pool(rayon::current_num_threads())?;
    let reader = || pool.install(read);
    std::thread::scope(|scope| match scope.spawn(reader).join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn reading_in_parallel_does_not_wait_for_itself() {
        use rayon::prelude::*;
        for threads in [1, 2, 4] {
            let (slot, pool) = (Slot::default(), thread_pool(threads).unwrap());
            let read =
                || Ok((0..64u64).into_par_iter().map(|n| (0..1000 * n).fold(0, u64::wrapping_add)).sum());
            pool.install(|| {
                (0..64)
                    .into_par_iter()
                    .for_each(|_| assert!(slot.get_or_read(read).is_ok_and(|&sum: &u64| sum > 0)));
            });
        }
    }

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
