//! The guard of a memory cap: work that exceeds the cap is stopped at the next safe point, as if by the user.
//!
//! Tables and sets are counted before they grow, and rejected if they do not fit. The remaining memory of the process
//! is only known to the operating system, which has to be polled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use nerode_dfa::disk::release_mapped;

use super::process::{held_bytes, held_bytes_and_of_files};
use crate::error::{CapError, Error};

/// The time between two polls.
const EVERY: Duration = Duration::from_millis(2);

/// The memory that work may take until it has stopped, as (divisor of the cap, maximum in bytes of that fraction, and
/// additional bytes).
const STOPPING: (u64, u64, u64) = (16, 128 << 20, 3 << 20);

/// The fraction of the cap, as a divisor, that is kept free of sets in files. The system may map 2 MiB of a file at
/// once, so this much can be added between two polls.
const FREE_OF_FILES: u64 = 4;

/// The fraction of the cap, as a divisor, above which it is worthwhile to release the memory of sets in files.
const WORTH_GIVING: u64 = 8;

/// A watcher that interrupts work when the process holds nearly as much memory as a cap allows, until it is dropped.
///
/// Where the system does not report the memory of a process, the cap applies only to the memory that is counted.
#[derive(Debug)]
pub struct MemoryGuard {
    cap: u64,
    exceeded: Arc<AtomicBool>,
    interrupt: Arc<AtomicBool>,
    /// The thread, which ends when the sender is dropped.
    watcher: Option<(Sender<()>, JoinHandle<()>)>,
}

impl MemoryGuard {
    /// Starts watching. When the process holds nearly `cap` bytes, `interrupt` is set; until the work stops, it takes a
    /// little more. If the cap was exceeded, the flag is cleared when the guard is dropped.
    pub fn start(cap: u64, interrupt: Arc<AtomicBool>) -> Self {
        let exceeded = Arc::new(AtomicBool::new(false));
        let (sender, dropped) = mpsc::channel();
        let flags = (Arc::clone(&exceeded), Arc::clone(&interrupt));
        let watch = move || watch(cap, &dropped, (&flags.0, &flags.1));
        // Without this thread, the cap still applies to the memory that is counted.
        let thread = std::thread::Builder::new().name("memory".into()).spawn(watch);
        Self { cap, exceeded, interrupt, watcher: thread.ok().map(|thread| (sender, thread)) }
    }

    /// Returns the cap in bytes.
    pub fn cap(&self) -> u64 {
        self.cap
    }

    /// Returns the error of the cap if the guard has interrupted the work.
    pub fn error(&self) -> Option<CapError> {
        self.exceeded.load(Ordering::SeqCst).then_some(CapError::Work { cap: self.cap })
    }

    /// Returns the error to report instead of `error` if the work was interrupted by this guard, and `error` otherwise.
    pub fn explain(&self, error: Error) -> Error {
        match self.error() {
            Some(cap) if error.is_interruption() => cap.into(),
            _ => error,
        }
    }
}

impl Drop for MemoryGuard {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.watcher.take() {
            drop(sender);
            // The thread does nothing that can panic, and there is nothing to return.
            let _ = thread.join();
        }
        if self.exceeded.load(Ordering::SeqCst) {
            self.interrupt.store(false, Ordering::SeqCst);
        }
    }
}

/// Polls the memory of the process until it exceeds the cap, or until the sender of `dropped` is dropped. The flags
/// report that the cap was exceeded, and interrupt the work.
fn watch(cap: u64, dropped: &Receiver<()>, (exceeded, interrupt): (&AtomicBool, &AtomicBool)) {
    let (part, at_most, more) = STOPPING;
    let most = cap.saturating_sub((cap / part).min(at_most) + more);
    while let Some((held, of_files)) = held_bytes_and_of_files() {
        if held > cap - cap / FREE_OF_FILES && of_files > cap / WORTH_GIVING || held > most {
            // Sets in files are read again when they are needed.
            release_mapped();
        }
        if held > most && held_bytes().is_some_and(|held| held > most) {
            exceeded.store(true, Ordering::SeqCst);
            if interrupt.swap(true, Ordering::SeqCst) {
                // The user was first.
                exceeded.store(false, Ordering::SeqCst);
            }
            return;
        }
        if dropped.recv_timeout(EVERY) != Err(RecvTimeoutError::Timeout) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits until `interrupt` is set, as work does.
    fn work(interrupt: &AtomicBool) {
        while !interrupt.load(Ordering::Relaxed) {
            std::thread::sleep(EVERY);
        }
    }

    #[test]
    fn a_cap_stops_work_and_leaves_the_flag_as_it_was() {
        if held_bytes().is_none() {
            return;
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let guard = MemoryGuard::start(1 << 20, Arc::clone(&interrupt));
        work(&interrupt);
        assert!(matches!(guard.explain(Error::Interrupted), Error::Cap(CapError::Work { cap: 1_048_576 })));
        assert!(matches!(guard.explain(nerode_dfa::Error::Interrupted.into()), Error::Cap(_)));
        let other = Error::TooDeep { what: "a table".into(), most: 1 };
        assert!(matches!(guard.explain(other), Error::TooDeep { .. }));
        drop(guard);
        assert!(!interrupt.load(Ordering::Relaxed));
    }

    #[test]
    fn a_large_cap_and_a_user_keep_their_errors() {
        let interrupt = Arc::new(AtomicBool::new(true));
        for cap in [1 << 20, u64::MAX] {
            let guard = MemoryGuard::start(cap, Arc::clone(&interrupt));
            std::thread::sleep(10 * EVERY);
            assert!(matches!(guard.explain(Error::Interrupted), Error::Interrupted));
            drop(guard);
            assert!(interrupt.load(Ordering::Relaxed));
        }
    }
}
