//! The memory cap of this process: one guard watches it from the moment a command has determined it.

use std::sync::OnceLock;

use super::interrupt::interrupt_flag;
use nerode_solver::error::CapError;
use nerode_solver::memory::{MemoryGuard, held_bytes};

/// The guard, and the memory that the program itself held when the guard was started.
static GUARD: OnceLock<(MemoryGuard, u64)> = OnceLock::new();

/// Starts the guard of the memory cap, which interrupts the work in the same way as a signal. `program` is the memory
/// of the program itself. Does nothing if the guard was started before.
pub(super) fn watch(cap: u64, program: u64) {
    GUARD.get_or_init(|| (MemoryGuard::start(cap, interrupt_flag()), program));
}

/// Returns the current cap and the memory that the program itself held when the cap was set, or `None` if there is no
/// cap.
pub(super) fn cap_and_program() -> Option<(u64, u64)> {
    GUARD.get().map(|(guard, program)| (guard.cap(), *program))
}

/// Returns the number of bytes of memory that this process holds, if the system reports it, and the current cap.
pub(super) fn memory() -> (Option<u64>, Option<u64>) {
    (held_bytes(), cap_and_program().map(|(cap, _)| cap))
}

/// Returns the error of the guard, if the cap was exceeded and the guard interrupted the work.
pub(super) fn cap_error() -> Option<CapError> {
    GUARD.get()?.0.error()
}
