//! Threads that do the work, and a calling thread that stays awake for Ctrl-C.
//!
//! Every process has a pool of its own. A process that was forked has none of its parent's threads, so it begins a new pool.
//! The locks here are held for a moment, by threads that hold the interpreter's lock: a fork never copies one that is taken.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// How often a waiting thread looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(20);

/// The pool of this process, with a thread for each core.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match known.take() {
        Some((process, pool)) if process == std::process::id() => {
            *known = Some((process, Arc::clone(&pool)));
            return Ok(pool);
        }
        // Its threads are the parent's, and cannot be told to end.
        Some(other) => std::mem::forget(other),
        None => {}
    }
    let made =
        ThreadPoolBuilder::new().build().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let made = Arc::new(made);
    *known = Some((std::process::id(), Arc::clone(&made)));
    Ok(made)
}

/// Does `work` without the interpreter's lock, on all cores.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}

/// Does `work`, which stops when the flag that it gets is true: Ctrl-C sets it, and so does `tell` that raises. What the
/// work sends is told to `tell`, in the calling thread.
pub fn watched<T: Send, M: Send>(
    py: Python<'_>,
    work: impl FnOnce(Arc<AtomicBool>, Sender<M>) -> T + Send,
    mut tell: impl FnMut(M) -> PyResult<()>,
) -> PyResult<T> {
    let pool = pool()?;
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, mut receiver) = channel();
    std::thread::scope(|scope| {
        let flag = Arc::clone(&stop);
        let worker = scope.spawn(move || pool.install(|| work(flag, sender)));
        let mut raised = None;
        loop {
            let (back, message) = py.detach(move || {
                let message = receiver.recv_timeout(LOOK);
                (receiver, message)
            });
            receiver = back;
            let outcome = match message {
                Ok(message) if raised.is_none() => tell(message),
                Err(RecvTimeoutError::Disconnected) => break,
                _ => Ok(()),
            };
            if let Err(error) = outcome.and_then(|()| py.check_signals()) {
                stop.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
        let result = py.detach(|| worker.join());
        match (raised, result) {
            (Some(error), _) => Err(error),
            (None, Ok(done)) => Ok(done),
            (None, Err(_)) => {
                Err(PyRuntimeError::new_err("nerode failed where it should not; please report this"))
            }
        }
    })
}
