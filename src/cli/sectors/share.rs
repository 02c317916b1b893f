//! Progress of work on many files, as a fraction of their bytes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cli::output::Progress;

/// A display of the progress on several files whose sizes are known in advance.
pub(in crate::cli) struct Share<'a> {
    progress: &'a Progress,
    item: String,
    /// The bytes of the completed files, and the processed bytes of the current one.
    done: u64,
    within: AtomicU64,
    total: u64,
}

impl<'a> Share<'a> {
    /// Creates a display for files of `total` bytes, of which `done` are completed.
    pub(in crate::cli) fn new(progress: &'a Progress, done: u64, total: u64) -> Self {
        Self { progress, item: String::new(), done, within: AtomicU64::new(0), total }
    }

    /// Shows the next file.
    pub(in crate::cli) fn begin(&mut self, item: String) {
        self.item = item;
        self.within.store(0, Ordering::Relaxed);
        self.show(self.done);
    }

    /// Shows the number of processed bytes of the current file.
    pub(in crate::cli) fn tell(&self, bytes: u64) {
        // Threads report in any order.
        let before = self.within.fetch_max(bytes, Ordering::Relaxed);
        self.show(self.done + before.max(bytes));
    }

    /// Marks the current file, which has `bytes` bytes, as completed.
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
