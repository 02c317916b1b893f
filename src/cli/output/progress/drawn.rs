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
            let is_utf8 = is_utf8(|name| std::env::var(name).ok());
            bar.set_style(if is_utf8 { style } else { style.tick_chars("-\\|/ ") });
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

/// Returns `true` if the locale, which `variable` returns, has characters beyond ASCII.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let mut names = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    let locale = names.find_map(|name| variable(name).filter(|locale| !locale.is_empty()));
    // Windows has no such variables, and its terminals show these characters.
    let usual = if cfg!(windows) { "UTF-8" } else { "C" };
    let locale = locale.unwrap_or_else(|| usual.into()).to_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        let of = |variables: &[(&str, &str)]| {
            let found = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string());
            is_utf8(found)
        };
        assert!(of(&[("LANG", "de_DE.UTF-8")]) && of(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8")]));
        assert!(!of(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]) && !of(&[("LANG", "de_DE.ISO-8859-1")]));
        assert_eq!(of(&[]), cfg!(windows));
    }
}
