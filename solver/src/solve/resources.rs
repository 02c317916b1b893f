//! Limits and means of a computation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode_dfa::{Passes, Shape, Store};

use crate::error::{Error, Result};
use crate::units::{UnitSizes, UnitsBy, UnitsWatch};

use super::disk::Disk;

/// Limits and means of a computation.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Cap on the engine's tables, in bytes.
    pub memory: u64,
    /// Threads to use; results do not depend on it.
    pub threads: usize,
    /// Set by the user to stop at the next safe point.
    pub interrupt: Arc<AtomicBool>,
    /// How sets are moved; results do not depend on it.
    pub backend: Backend,
    /// The disk that files go to.
    pub disk: Disk,
    /// Which images go to files unit by unit, in solves that have a directory; `None`: no image does.
    pub units: Option<UnitSizes>,
    /// Who does units; results do not depend on it.
    pub units_by: UnitsBy,
    /// Told how far the units of a ply are.
    pub on_units: Option<UnitsWatch>,
}

impl Resources {
    /// An empty store under the memory cap, with the threads.
    ///
    /// # Errors
    /// More threads than the system gives.
    pub(crate) fn store(&self, shape: &Shape) -> Result<Store> {
        let mut store = Store::new(shape.clone(), self.memory)?;
        store.set_threads(self.threads)?;
        store.set_interrupt(Arc::clone(&self.interrupt));
        Ok(store)
    }

    /// Passes under the memory cap, with the threads. Scratch files go to `scratch`, if given.
    ///
    /// # Errors
    /// More threads than the system gives.
    pub(crate) fn passes(&self, scratch: Option<PathBuf>) -> Result<Passes> {
        let mut passes = Passes::new(self.memory, self.threads)?;
        passes.set_interrupt(Arc::clone(&self.interrupt));
        if let Some(folder) = scratch {
            passes.set_scratch(folder);
            let disk = self.disk.clone();
            passes.set_scratch_room(move |folder| disk.room(folder));
        }
        Ok(passes)
    }

    /// Stops here if the user asked for it.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn must_go_on(&self) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }
}

/// How sets are moved and combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Recursions while sets are small, passes from then on.
    #[default]
    Auto,
    /// Recursions that remember results.
    Recursion,
    /// Passes a layer at a time.
    Passes,
}

impl Default for Resources {
    /// One thread, no cap, nobody to interrupt, whichever way suits.
    fn default() -> Self {
        Self {
            memory: u64::MAX,
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
