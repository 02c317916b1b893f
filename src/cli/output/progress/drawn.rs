//! The progress line on a terminal, which is redrawn repeatedly.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The line that is currently displayed, if any.
#[derive(Clone, Default)]
pub(in crate::cli::output) struct Drawn(Arc<Mutex<Option<ProgressBar>>>);

impl Drawn {
    /// Calls `print`, which prints lines, with the progress line temporarily removed.
    pub(in crate::cli::output) fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        let bar = locked(&self.0).clone();
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Starts displaying a line.
    pub(super) fn begin(&self) -> ProgressBar {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        *locked(&self.0) = Some(bar.clone());
        bar
    }

    /// Removes the line.
    pub(super) fn end(&self, bar: &ProgressBar) {
        *locked(&self.0) = None;
        bar.finish_and_clear();
    }
}

/// Locks a mutex, even if a thread that held it has panicked.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
