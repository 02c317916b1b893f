//! How much of the work on many files is done, as a share of their bytes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cli::output::Progress;

/// A display of the work on several files, each with a size known beforehand.
pub(in crate::cli) struct Share<'a> {
    progress: &'a Progress,
    item: String,
    /// Bytes of the files that are done, and of those, the part of the one in work that is.
    done: u64,
    within: AtomicU64,
    total: u64,
}

impl<'a> Share<'a> {
    /// For files of `total` bytes, of which `done` are done.
    pub(in crate::cli) fn new(progress: &'a Progress, done: u64, total: u64) -> Self {
        Self { progress, item: String::new(), done, within: AtomicU64::new(0), total }
    }

    /// Shows the file that is begun.
    pub(in crate::cli) fn begin(&mut self, item: String) {
        self.item = item;
        self.within.store(0, Ordering::Relaxed);
        self.show(self.done);
    }

    /// Shows that so many bytes of it are done.
    pub(in crate::cli) fn tell(&self, bytes: u64) {
        // Threads tell in any order.
        let before = self.within.fetch_max(bytes, Ordering::Relaxed);
        self.show(self.done + before.max(bytes));
    }

    /// The file, which has so many bytes, is done.
    pub(in crate::cli) fn end(&mut self, bytes: u64) {
        self.done += bytes;
    }

    fn show(&self, done: u64) {
        let percent = done as f64 * 100.0 / self.total.max(1) as f64;
        let item = format!("{} ({percent:.1} % of all bytes)", self.item);
        let [done, total] = [done, self.total].map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        self.progress.item(item, done, total);
    }
}
