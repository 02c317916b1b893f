//! Computations with a deadline. They are stopped by the same flag that a user's Ctrl-C sets, which the engine already checks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use nerode_solver::error::{Error, Result};
use nerode_solver::solve::resources::Resources;

/// The interval between checks of the clock.
const TICK: Duration = Duration::from_millis(10);

/// Runs `work` with resources whose flag is set at `deadline` or when the user interrupts.
///
/// # Errors
/// Returns [`Error::Interrupted`] if the user interrupted.
pub(super) fn within<T>(
    deadline: Instant,
    resources: &Resources,
    work: impl FnOnce(&Resources) -> T,
) -> Result<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let user = &resources.interrupt;
    let limited = Resources { interrupt: Arc::clone(&stop), ..resources.clone() };
    let done = std::thread::scope(|scope| {
        // The sender is dropped when the work ends, in every case.
        let (_working, working) = mpsc::channel::<()>();
        scope.spawn(move || {
            while working.recv_timeout(TICK) == Err(mpsc::RecvTimeoutError::Timeout) {
                if Instant::now() >= deadline || user.load(Ordering::Relaxed) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
        work(&limited)
    });
    if user.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(done) }
}

/// Returns `true` if `error` only reports that time, memory or disk space was exhausted.
pub(super) fn is_stop(error: &Error) -> bool {
    let full = |error: &std::io::Error| error.kind() == std::io::ErrorKind::StorageFull;
    match error {
        Error::DiskFull { .. } | Error::TooLarge { .. } => true,
        Error::Io { source, .. } => full(source),
        other => other.is_interruption() || other.is_out_of_room(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_told_to_end_and_a_user_is_heard() {
        let resources = Resources::default();
        let wait = |resources: &Resources| {
            while !resources.interrupt.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
            }
            7
        };
        assert_eq!(within(Instant::now(), &resources, wait).unwrap(), 7);
        let never = Instant::now() + Duration::from_secs(3600);
        assert_eq!(within(never, &resources, |_| 8).unwrap(), 8);
        resources.interrupt.store(true, Ordering::Relaxed);
        assert!(matches!(within(never, &resources, wait), Err(Error::Interrupted)));
    }
}
