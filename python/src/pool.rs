//! Worker threads, and a calling thread that remains responsive to Ctrl-C.
//!
//! Every process has its own pool. A forked process has none of its parent's threads, so it starts a new pool. The locks here are
//! held only briefly, by threads that hold the interpreter's lock, so that a fork never copies a locked one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The interval at which a waiting thread checks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(20);

/// Returns the pool of this process, which has one thread per core.
fn pool() -> PyResult<Arc<ThreadPool>> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match known.take() {
        Some((process, pool)) if process == std::process::id() => {
            *known = Some((process, Arc::clone(&pool)));
            return Ok(pool);
        }
        // The threads of this pool belong to the parent process, so they cannot be told to terminate.
        Some(other) => std::mem::forget(other),
        None => {}
    }
    let made =
        ThreadPoolBuilder::new().build().map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let made = Arc::new(made);
    *known = Some((std::process::id(), Arc::clone(&made)));
    Ok(made)
}

/// Runs `work` without the interpreter's lock on all cores.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}

/// Runs `work`, which must stop when the flag passed to it is set. Ctrl-C sets the flag, and so does an exception in `tell`,
/// which the calling thread calls with every message that the work sends.
pub fn watched<T: Send, M: Send>(
    py: Python<'_>,
    work: impl FnOnce(Arc<AtomicBool>, Sender<M>) -> T + Send,
    tell: impl FnMut(M) -> PyResult<()>,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    watched_with(py, &stop, |sender| work(Arc::clone(&stop), sender), tell)
}

/// Runs `work` like [`watched`], with the flag `stop`.
pub fn watched_with<T: Send, M: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce(Sender<M>) -> T + Send,
    mut tell: impl FnMut(M) -> PyResult<()>,
) -> PyResult<T> {
    let pool = pool()?;
    let (sender, mut receiver) = channel();
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || pool.install(|| work(sender)));
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
            (None, Err(_)) => Err(PyRuntimeError::new_err("unexpected internal error; please report this")),
        }
    })
}
