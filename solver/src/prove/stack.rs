//! A thread with a stack that is deep enough for recursion along the longest path.

use std::thread;

use crate::error::{Error, Result};

/// The number of bytes for the stack, of which a search takes less than one kilobyte a move.
const STACK: usize = 1 << 28;

/// Calls `search` in a thread whose stack is large enough for the longest path.
pub(super) fn with_deep_stack<T: Send>(search: impl FnOnce() -> T + Send) -> Result<T> {
    let too_large = |e| Error::io(std::path::Path::new("a thread"), e);
    thread::scope(|scope| {
        let thread =
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).map_err(too_large)?;
        thread.join().map_err(|panic| std::panic::resume_unwind(panic))
    })
}
