//! The line that is drawn again and again on a terminal.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// The line that is drawn just now, if any.
#[derive(Clone, Default)]
pub(in crate::cli::output) struct Drawn(Arc<Mutex<Option<ProgressBar>>>);

impl Drawn {
    /// Does what prints lines, with the drawn one out of the way.
    pub(in crate::cli::output) fn above<T>(&self, print: impl FnOnce() -> T) -> T {
        let bar = locked(&self.0).clone();
        match bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Begins to draw a line.
    pub(super) fn begin(&self) -> ProgressBar {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed_precise} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        *locked(&self.0) = Some(bar.clone());
        bar
    }

    /// Takes the line away.
    pub(super) fn end(&self, bar: &ProgressBar) {
        *locked(&self.0) = None;
        bar.finish_and_clear();
    }
}

/// What a mutex holds, also after a thread that held it has panicked.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
