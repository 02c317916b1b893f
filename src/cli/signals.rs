//! Signal handling: the first signal stops the work at the next safe point, or ends the process if there is none
//! within the grace period. A second signal ends the process immediately.
//!
//! Ending the process at any time is safe, because files are written under temporary names and become valid only when
//! the manifest is replaced, which happens last.

use std::sync::Arc;

use anyhow::Result;

use super::output::Output;

/// Starts handling signals.
#[cfg(unix)]
pub(super) fn install(out: &Arc<Output>) -> Result<()> {
    use anyhow::Context;
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot handle signals")?;
    let out = Arc::clone(out);
    let take = move || signals.forever().for_each(|signal| unix::taken(signal, &out));
    std::thread::Builder::new().name("signals".into()).spawn(take).context("cannot handle signals")?;
    Ok(())
}

/// Does nothing: on other systems the process ends immediately.
#[cfg(not(unix))]
pub(super) fn install(_out: &Arc<Output>) -> Result<()> {
    Ok(())
}

#[cfg(unix)]
mod unix {
    use std::sync::Arc;
    use std::sync::mpsc;
    use std::time::Duration;

    use crate::cli::hints;
    use crate::cli::interrupt::{exit_code, is_waiting, receive, restore_terminal};
    use crate::cli::output::Output;
    use nerode_solver::archive::draft::discard_all;
    use nerode_solver::error::Error;

    /// The time that the work has to stop by itself. Together with the last messages, it stays well below two
    /// seconds.
    const GRACE: Duration = Duration::from_millis(1000);

    /// The time for printing the last messages, because the reader of standard error may have stopped reading.
    const LAST_WORDS: Duration = Duration::from_millis(400);

    pub(super) fn taken(signal: i32, out: &Arc<Output>) {
        if !receive(signal) {
            end();
        }
        if is_waiting() {
            restore_terminal();
            say_last_words(Arc::clone(out));
            end();
        }
        let for_end = Arc::clone(out);
        let ending = std::thread::Builder::new().name("ending".into()).spawn(move || {
            std::thread::sleep(GRACE);
            say_last_words(for_end);
            end();
        });
        if ending.is_err() {
            end();
        }
        // Printing may block on a reader, but the thread that ends the process must not.
        let out = Arc::clone(out);
        let _ = std::thread::Builder::new()
            .name("notice".into())
            .spawn(move || out.note("stopping; a second signal stops immediately"));
    }

    fn say_last_words(out: Arc<Output>) {
        let (done, told) = mpsc::channel();
        let words = std::thread::Builder::new().name("last words".into()).spawn(move || {
            let error = anyhow::Error::from(Error::Interrupted);
            out.error(&error, hints::hint(&error, out.continuation()).as_deref());
            let _ = done.send(());
        });
        if words.is_ok() {
            let _ = told.recv_timeout(LAST_WORDS);
        }
    }

    fn end() -> ! {
        restore_terminal();
        discard_all();
        std::process::exit(exit_code().unwrap_or(2).into())
    }
}
