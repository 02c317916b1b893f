//! Threads with stacks that are deep enough for recursion along the longest path.

use std::path::Path;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

use crate::error::{Error, Result};

/// The number of bytes for a stack, of which a search takes less than one kilobyte a move.
const STACK: usize = 1 << 28;

/// Calls `search` in a thread whose stack is large enough for the longest path.
///
/// # Errors
/// Returns an error if the operating system cannot start the thread.
pub(super) fn with_deep_stack<T: Send>(search: impl FnOnce() -> T + Send) -> Result<T> {
    thread::scope(|scope| start(scope, search).map(join))
}

/// Calls `search` with the numbers below `threads`, each in such a thread.
///
/// # Errors
/// Returns the same errors as [`with_deep_stack`]. The threads that could be started have ended then.
pub(super) fn with_deep_stacks<T: Send>(
    threads: usize,
    search: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>> {
    let search = &search;
    thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|number| start(scope, move || search(number))).collect();
        started.into_iter().map(|thread| thread.map(join)).collect()
    })
}

fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    search: impl FnOnce() -> T + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, T>> {
    let started = Builder::new().stack_size(STACK).spawn_scoped(scope, search);
    started.map_err(|e| Error::io(Path::new("a thread"), e))
}

fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
