//! Limits and settings of a computation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_dfa::{Passes, Shape, Store, thread_pool};
use rayon::ThreadPool;

use crate::error::{Result, check_interrupt};
use crate::memory::{MemoryGuard, engine_share, held_bytes};
use crate::units::{UnitSizes, UnitsBy, UnitsWatch};

use super::disk::Disk;

/// The limits and settings of a computation.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The memory cap for the tables of the engine, in bytes.
    pub memory: u64,
    /// The number of bytes that the process may hold in addition to what it holds when the work begins, which
    /// [`Resources::guarded`] watches; `None` for no limit.
    pub cap: Option<u64>,
    /// The number of threads. Results do not depend on it.
    pub threads: usize,
    /// A flag that the user sets to stop the computation at the next safe point.
    pub interrupt: Arc<AtomicBool>,
    /// The method by which sets are moved. Results do not depend on it.
    pub backend: Backend,
    /// The disk to which files are written.
    pub disk: Disk,
    /// The thresholds for computing images in units with files, in solves that have a directory; `None` disables units.
    pub units: Option<UnitSizes>,
    /// The processes that compute units. Results do not depend on it.
    pub units_by: UnitsBy,
    /// An observer of the progress of the units of a ply.
    pub on_units: Option<UnitsWatch>,
}

impl Resources {
    /// Returns the default resources for work that may take `cap` bytes in addition to the program itself. The tables of
    /// the engine get their share of it.
    pub fn within(cap: u64) -> Self {
        Self { memory: engine_share(cap), cap: Some(cap), ..Self::default() }
    }

    /// Starts a pool of this number of threads.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot start the threads.
    pub fn pool(&self) -> Result<ThreadPool> {
        Ok(thread_pool(self.threads)?)
    }

    /// Does `work` while a [`MemoryGuard`] keeps the cap, if there is one.
    ///
    /// # Errors
    /// Returns the errors of `work`, and [`Error::Cap`](crate::error::Error::Cap) if the guard interrupted it.
    pub fn guarded<T>(&self, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let Some(cap) = self.cap else { return work() };
        let cap = held_bytes().unwrap_or(0).saturating_add(cap);
        let guard = MemoryGuard::start(cap, Arc::clone(&self.interrupt));
        work().map_err(|error| guard.explain(error))
    }

    /// Creates an empty store with this memory cap and number of threads.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot start the threads.
    pub fn store(&self, shape: &Shape) -> Result<Store> {
        let mut store = Store::new(shape.clone(), self.memory)?;
        store.set_threads(self.threads)?;
        store.set_interrupt(Arc::clone(&self.interrupt));
        Ok(store)
    }

    /// Creates passes with this memory cap and number of threads. Scratch files are written to `scratch` if given.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot start the threads.
    pub fn passes(&self, scratch: Option<PathBuf>) -> Result<Passes> {
        let mut passes = Passes::new(self.memory, self.threads)?;
        passes.set_interrupt(Arc::clone(&self.interrupt));
        if let Some(folder) = scratch {
            passes.set_scratch(folder);
            let disk = self.disk.clone();
            passes.set_scratch_room(move |folder| disk.room(folder));
        }
        Ok(passes)
    }

    /// Returns an error if the user has requested an interruption.
    ///
    /// # Errors
    /// Returns [`Error::Interrupted`](crate::error::Error::Interrupted).
    pub fn must_go_on(&self) -> Result<()> {
        check_interrupt(&self.interrupt)
    }
}

/// The method by which sets are moved and combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Backend {
    /// Recursions while sets are small, and passes from then on.
    #[default]
    Auto,
    /// Recursions with cached results.
    Recursion,
    /// Passes that process one layer at a time.
    Passes,
}

impl Default for Resources {
    /// Returns one thread, no memory cap, an interrupt flag that is never set, and the automatic backend.
    fn default() -> Self {
        Self {
            memory: u64::MAX,
            cap: None,
            threads: 1,
            interrupt: Arc::new(AtomicBool::new(false)),
            backend: Backend::Auto,
            disk: Disk::default(),
            units: None,
            units_by: UnitsBy::default(),
            on_units: None,
        }
    }
}
