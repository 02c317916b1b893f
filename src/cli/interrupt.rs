//! Whether the user has stopped the work, and by which signal.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock};

/// Set by the first signal: whoever works looks at it.
static INTERRUPT: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(false)));

/// The signal that came last; zero if none came.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// The flag that a signal sets.
pub(super) fn interrupt_flag() -> Arc<AtomicBool> {
    Arc::clone(&INTERRUPT)
}

/// The exit code of a process that a signal stopped, where one came: 130 for Ctrl-C, 143 for SIGTERM.
pub(super) fn exit_code() -> Option<u8> {
    let signal = RECEIVED.load(Ordering::SeqCst);
    u8::try_from(signal).ok().filter(|signal| *signal > 0).and_then(|signal| signal.checked_add(128))
}

/// Takes a signal in; whether it is the first one.
#[cfg(unix)]
pub(super) fn receive(signal: i32) -> bool {
    RECEIVED.store(signal, Ordering::SeqCst);
    !INTERRUPT.swap(true, Ordering::SeqCst)
}
