//! The state of interruption: whether the user has stopped the work, and with which signal.

#[cfg(unix)]
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock};

/// The flag that the first signal sets and that all work checks.
static INTERRUPT: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(false)));

/// The number of the signal of Ctrl-C.
const SIGINT: i32 = 2;

/// The signal that was received last, or zero if there was none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

/// Whether the program is waiting for input, and has no work that could be stopped at a safe point.
static WAITING: AtomicBool = AtomicBool::new(false);

/// Calls `read`, which waits for input. A signal ends the process meanwhile without delay.
pub(super) fn waiting<T>(read: impl FnOnce() -> T) -> T {
    WAITING.store(true, Ordering::SeqCst);
    let result = read();
    WAITING.store(false, Ordering::SeqCst);
    result
}

/// The settings of the terminal before a line is edited, and the key sequence that ends bracketed pasting.
#[cfg(unix)]
static TERMINAL: Mutex<Option<rustix::termios::Termios>> = Mutex::new(None);
#[cfg(unix)]
const NO_PASTING: &[u8] = b"\x1b[?2004l\r\n";

/// Remembers the settings of the terminal, which a line editor changes, for [`restore_terminal`].
pub(super) fn remember_terminal() {
    #[cfg(unix)]
    if let (Ok(mut terminal), Ok(settings)) = (TERMINAL.lock(), rustix::termios::tcgetattr(std::io::stdin()))
    {
        *terminal = Some(settings);
    }
}

/// Restores the settings of the terminal if the process ends while a line is edited.
#[cfg(unix)]
pub(super) fn restore_terminal() {
    use std::io::Write;
    if !is_waiting() {
        return;
    }
    if let Some(settings) = TERMINAL.try_lock().ok().and_then(|mut terminal| terminal.take()) {
        let now = rustix::termios::OptionalActions::Now;
        // The process ends in any case.
        let _ = std::io::stdout().write_all(NO_PASTING).and_then(|()| std::io::stdout().flush());
        let _ = rustix::termios::tcsetattr(std::io::stdin(), now, &settings);
    }
}

/// Returns `true` if the program is waiting for input.
#[cfg(unix)]
pub(super) fn is_waiting() -> bool {
    WAITING.load(Ordering::SeqCst)
}

/// Records that the user has pressed Ctrl-C while a line was edited, when the terminal sends no signal.
pub(super) fn receive_key() {
    RECEIVED.store(SIGINT, Ordering::SeqCst);
    INTERRUPT.store(true, Ordering::SeqCst);
}

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
