//! The state of interruption: whether the user has stopped the work, and with which signal.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock};

/// The flag that the first signal sets and that all work checks.
static INTERRUPT: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(false)));

/// The signal that was received last, or zero if there was none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// Returns the flag that a signal sets.
pub(super) fn interrupt_flag() -> Arc<AtomicBool> {
    Arc::clone(&INTERRUPT)
}

/// Returns the exit code of a process that was stopped by a signal, if there was one: 130 for Ctrl-C, 143 for
/// SIGTERM.
pub(super) fn exit_code() -> Option<u8> {
    let signal = RECEIVED.load(Ordering::SeqCst);
    u8::try_from(signal).ok().filter(|signal| *signal > 0).and_then(|signal| signal.checked_add(128))
}

/// Records a signal. Returns `true` if it is the first one.
#[cfg(unix)]
pub(super) fn receive(signal: i32) -> bool {
    RECEIVED.store(signal, Ordering::SeqCst);
    !INTERRUPT.swap(true, Ordering::SeqCst)
}
