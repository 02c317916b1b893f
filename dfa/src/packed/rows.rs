//! The memory, the scratch files and the interrupt flag of the construction of a map.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::automaton::Table;
use crate::error::{Error, Result};

/// The purpose of the memory in error messages.
const WHAT: &str = "a packed map";

/// The limits of the construction of a map.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// The memory cap in bytes.
    pub memory: u64,
    /// A folder for unnamed scratch files, which receive rows that take more than a part of the memory.
    pub folder: Option<PathBuf>,
    /// A flag that stops the construction.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Workspace {
    /// Returns a workspace without limits.
    fn default() -> Self {
        Self { memory: u64::MAX, folder: None, interrupt: Arc::default() }
    }
}

impl Workspace {
    /// Returns an error if the construction was interrupted or holds more memory than the cap.
    pub(super) fn check(&self, held: u64) -> Result<()> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        if held > self.memory {
            return Err(Error::OutOfMemory { what: WHAT, needed_bytes: held, limit_bytes: self.memory });
        }
        Ok(())
    }
}

/// The rows of all layers, of which those of a large map are in scratch files.
pub(super) struct Rows<'a> {
    pub(super) work: &'a Workspace,
    layers: Vec<Table>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(work: &'a Workspace) -> Self {
        Self { work, layers: Vec::new() }
    }

    /// Returns the number of bytes in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.layers.iter().map(Table::bytes).sum()
    }

    /// Returns the rows of a layer.
    pub(super) fn of(&self, layer: usize) -> &[u32] {
        &self.layers[layer]
    }

    /// Removes the rows of a layer and returns them in memory.
    pub(super) fn take(&mut self, layer: usize) -> Vec<u32> {
        std::mem::replace(&mut self.layers[layer], Vec::new().into()).into_memory()
    }

    /// Stores the rows of a layer, in a file if all rows would take more than a quarter of the memory.
    pub(super) fn put(&mut self, layer: usize, mut rows: Vec<u32>) -> Result<()> {
        rows.shrink_to_fit();
        let table = Table::from(rows);
        let held = self.bytes().saturating_add(table.bytes());
        let table = match &self.work.folder {
            Some(folder) if held > self.work.memory / 4 => table.filed(folder)?,
            _ => table,
        };
        if layer == self.layers.len() {
            self.layers.push(table);
        } else {
            self.layers[layer] = table;
        }
        self.work.check(self.bytes())
    }
}
