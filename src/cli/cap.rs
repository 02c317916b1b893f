//! The monitor of the memory cap: work that exceeds the cap is stopped at the next safe point, as if by a signal.
//!
//! Tables and sets are counted before they grow, and rejected if they do not fit. The remaining memory of the process
//! is only known to the operating system, which has to be polled.

use std::fmt;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nerode_dfa::Size;
use nerode_dfa::disk::release_mapped;

use super::interrupt::interrupt_flag;
use super::memory::{held_bytes, held_bytes_and_of_files};
use super::solve::left_of;

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

/// The number of bytes, in addition to the program itself, below which no command is started.
const NOTHING: u64 = 10 << 20;

/// The smallest number of bytes, in addition to the program itself, that is worth a try.
const LEAST: u64 = 16 << 20;

/// The cap if it has been exceeded, and zero otherwise.
static BROKEN: AtomicU64 = AtomicU64::new(0);

/// The error for a cap that is too small.
#[derive(Debug)]
pub(super) enum TooSmall {
    /// The program itself uses all of it.
    ForProgram { held: u64, cap: u64 },
    /// The work would have exceeded it. `left` describes the data on disk in words.
    ForWork { cap: u64, left: Option<String> },
}

impl TooSmall {
    /// Returns the smallest cap, in MiB, that is worth a try.
    pub fn enough(&self) -> u64 {
        let bytes = match self {
            Self::ForProgram { held, .. } => held + LEAST,
            Self::ForWork { cap, .. } => cap + cap / 2,
        };
        bytes.div_ceil(1 << 20)
    }
}

impl fmt::Display for TooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = |&bytes: &u64| Size(bytes.into());
        match self {
            Self::ForProgram { held, cap } => {
                let [held, cap] = [held, cap].map(size);
                write!(f, "out of memory: the program itself holds {held}, and {cap} are allowed")?;
            }
            Self::ForWork { cap, .. } => {
                write!(f, "out of memory: the work would hold more, and {} are allowed", size(cap))?;
            }
        }
        f.write_str("; raise the memory limit")?;
        match self {
            Self::ForWork { left: Some(left), .. } => write!(f, "; {left}"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for TooSmall {}

/// Returns the number of bytes of `cap` that remain for the work after subtracting the memory of the program itself.
///
/// # Errors
/// Returns [`TooSmall`] if none remain.
pub(super) fn left_by_program(cap: u64) -> Result<u64, TooSmall> {
    let held = held_bytes().unwrap_or(0);
    match cap.checked_sub(held) {
        Some(left) if left > NOTHING => Ok(left),
        _ => Err(TooSmall::ForProgram { held, cap }),
    }
}

/// Starts monitoring memory. When the process holds nearly `cap` bytes, the work is asked to stop; until it does, it
/// takes a little more.
pub(super) fn watch(cap: u64) {
    static BEGUN: Once = Once::new();
    let (part, at_most, more) = STOPPING;
    let most = cap.saturating_sub((cap / part).min(at_most) + more);
    let look = move || {
        while let Some((held, of_files)) = held_bytes_and_of_files() {
            if held > cap - cap / FREE_OF_FILES && of_files > cap / WORTH_GIVING || held > most {
                // Sets in files are read again when they are needed.
                release_mapped();
            }
            if held > most && held_bytes().is_some_and(|held| held > most) {
                BROKEN.store(cap, Ordering::SeqCst);
                interrupt_flag().store(true, Ordering::SeqCst);
                return;
            }
            std::thread::sleep(EVERY);
        }
    };
    // Without this thread, the cap still applies to the memory that is counted.
    BEGUN.call_once(|| drop(std::thread::Builder::new().name("memory".into()).spawn(look)));
}

/// Returns the error to report instead of `error` if the work failed because the monitor stopped it, or `None` if the
/// cap was not exceeded.
pub(super) fn instead_of(error: &anyhow::Error) -> Option<anyhow::Error> {
    let cap = BROKEN.load(Ordering::SeqCst);
    let left = left_of(error).map(str::to_string);
    (cap > 0).then(|| TooSmall::ForWork { cap, left }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cap_below_the_program_says_what_is_worth_a_try() {
        let said = left_by_program(1 << 10);
        if held_bytes().is_some() {
            let error = said.unwrap_err();
            assert!(error.enough() >= 17 && error.to_string().contains("1.0 KiB are allowed"), "{error}");
            assert!(left_by_program(u64::MAX).unwrap() < u64::MAX);
        }
    }

    #[test]
    fn what_is_left_is_said() {
        let error = TooSmall::ForWork { cap: 64 << 20, left: Some("run holds a ply".into()) };
        assert_eq!(error.enough(), 96);
        assert!(error.to_string().ends_with("; run holds a ply"), "{error}");
    }
}
