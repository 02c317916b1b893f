//! Execution of long work: on separate threads, of which a limited number runs at the same time, and cancelled when
//! the client disconnects.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::problem::{Outcome, Problem};

/// The time that a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);
/// The maximum number of blocks of batches, and of passes over whole sets, that run at the same time.
const HEAVY: usize = 2;
/// The maximum number of batches in progress, most of which wait for their clients.
const BATCHES: usize = 16;

/// The amount of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// A few look-ups.
    Light,
    /// Many look-ups, or whole sets in memory.
    Heavy,
}

/// A handle that shows whether a client still waits for the result.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted(Arc<AtomicBool>);

impl Wanted {
    pub(super) fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns a flag that becomes true when no client waits any longer.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// A guard that sets the flag when a request is dropped.
struct Leaving(Wanted);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// The limits on simultaneous work.
pub(super) struct Workers {
    light: Arc<Semaphore>,
    heavy: Arc<Semaphore>,
    batches: Arc<Semaphore>,
}

impl Workers {
    pub(super) fn new(threads: usize) -> Self {
        let places = |number| Arc::new(Semaphore::new(number));
        Self { light: places(threads.max(1)), heavy: places(HEAVY), batches: places(BATCHES) }
    }

    /// Waits for permission to do some work.
    pub(super) async fn permit(&self, weight: Weight) -> Outcome<OwnedSemaphorePermit> {
        let semaphore = match weight {
            Weight::Light => &self.light,
            Weight::Heavy => &self.heavy,
        };
        patiently(semaphore).await
    }

    /// Waits for permission to answer a batch. Its blocks wait for their own turns.
    pub(super) async fn batch(&self) -> Outcome<OwnedSemaphorePermit> {
        patiently(&self.batches).await
    }

    /// Waits without a time limit for permission to do heavy work. Returns `None` if the semaphore is closed.
    pub(super) async fn heavy_turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.heavy).acquire_owned().await.ok()
    }

    /// Runs some work when it has its turn. `Wanted` shows whether a client still waits for the result.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        weight: Weight,
        work: impl FnOnce(&Wanted) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let permit = self.permit(weight).await?;
        let wanted = Wanted::default();
        let leaving = Leaving(wanted.clone());
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&wanted);
            drop(permit);
            result
        });
        let result = done.await;
        drop(leaving);
        result.unwrap_or_else(|error| {
            tracing::error!(%error, "a task ended without a result");
            Err(Problem::internal("the task ended without a result"))
        })
    }
}

/// Waits for a place, and returns an error that the service is busy if this takes too long.
async fn patiently(semaphore: &Arc<Semaphore>) -> Outcome<OwnedSemaphorePermit> {
    let turn = timeout(PATIENCE, Arc::clone(semaphore).acquire_owned()).await;
    turn.ok().and_then(Result::ok).ok_or_else(Problem::busy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_given_up_when_nobody_waits() {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let (told, over) = std::sync::mpsc::channel();
        runtime.block_on(async {
            let workers = Workers::new(1);
            let work = workers.run(Weight::Light, move |wanted| {
                while !wanted.is_over() {
                    std::thread::yield_now();
                }
                told.send(()).unwrap();
                Ok(())
            });
            assert!(timeout(Duration::from_millis(50), work).await.is_err());
            // The next request in the queue gets its turn.
            assert!(workers.run(Weight::Light, |_| Ok(7)).await.is_ok_and(|seven| seven == 7));
        });
        over.recv().unwrap();
    }
}
