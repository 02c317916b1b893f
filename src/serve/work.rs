//! Work that takes time: on threads of its own, a bounded number at once, given up when the client goes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::problem::{Outcome, Problem};

/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);
/// Blocks of batches, and passes over whole sets, at once.
const HEAVY: usize = 2;
/// Batches that are not sent to their end yet; most of them wait for their clients.
const BATCHES: usize = 16;

/// How much work it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// A few look-ups.
    Light,
    /// Many look-ups, or whole sets in memory.
    Heavy,
}

/// Whether anybody still waits for the work.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted(Arc<AtomicBool>);

impl Wanted {
    pub(super) fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// A flag that is true as soon as nobody waits.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// Says so when a request is dropped.
struct Leaving(Wanted);

impl Drop for Leaving {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

/// Bounds what is done at once.
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

    /// The right to do some work, when it is one's turn.
    pub(super) async fn permit(&self, weight: Weight) -> Outcome<OwnedSemaphorePermit> {
        let semaphore = match weight {
            Weight::Light => &self.light,
            Weight::Heavy => &self.heavy,
        };
        patiently(semaphore).await
    }

    /// The right to answer a batch, which is more than one turn: each block waits for its own.
    pub(super) async fn batch(&self) -> Outcome<OwnedSemaphorePermit> {
        patiently(&self.batches).await
    }

    /// A turn for heavy work, however long it takes; `None` where there will be none.
    pub(super) async fn heavy_turn(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.heavy).acquire_owned().await.ok()
    }

    /// Does some work when it is its turn. `Wanted` says whether anybody still waits for it.
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
            tracing::error!(%error, "work has ended without a result");
            Err(Problem::internal("the work has ended without a result"))
        })
    }
}

/// A place, or the word that the service is busy.
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
            // The next in the queue gets its turn.
            assert!(workers.run(Weight::Light, |_| Ok(7)).await.is_ok_and(|seven| seven == 7));
        });
        over.recv().unwrap();
    }
}
