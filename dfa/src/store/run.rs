//! Execution of recursions, with tables that grow between attempts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use crate::error::{Error, Result};
use crate::ops::{Abort, Local, Recursion};

use super::set::Root;
use super::{Set, Store};

impl Store {
    pub(super) fn handle(&mut self, state: u32) -> Set {
        let root = Arc::new(Root { state: AtomicU32::new(state), store: Arc::downgrade(&self.identity) });
        if self.roots.len() == self.roots.capacity() {
            self.roots.retain(|r| r.strong_count() > 0);
        }
        self.roots.push(Arc::downgrade(&root));
        Set { root }
    }

    /// Runs a recursion to completion. Grows full tables between attempts.
    pub(crate) fn run(
        &mut self,
        recursion: impl Fn(&Recursion<'_>, &mut Local) -> std::result::Result<u32, Abort> + Sync,
    ) -> Result<Set> {
        // At most one collection is run: afterwards, every state in the store is either live or was created by this
        // operation, so that a second collection would discard the work of the first attempt, again and again.
        let mut collected = false;
        self.ensure_headroom(&mut collected)?;
        loop {
            let engine = Recursion {
                shape: &self.shape,
                tables: &self.tables,
                cache: &self.cache,
                relations: &self.relations,
                interrupt: self.interrupt.as_deref(),
                computed: AtomicU64::new(0),
                unwinding: AtomicBool::new(false),
                computed_limit: if self.cache_may_grow() {
                    self.cache.num_entries() as u64 / 2
                } else {
                    u64::MAX
                },
                parallel_layers: if self.pool.is_some() {
                    self.shape.num_layers().saturating_sub(6)
                } else {
                    0
                },
            };
            let attempt = || {
                let mut local = Local::default();
                let result = recursion(&engine, &mut local);
                (result, local)
            };
            let (result, local) = match &self.pool {
                Some(pool) => pool.install(attempt),
                None => attempt(),
            };
            self.stats.add(&local);
            match result {
                Ok(state) => return Ok(self.handle(state)),
                // The flag is also checked here because an attempt may create too few states to check it.
                Err(_) if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) => {
                    return Err(Error::Interrupted);
                }
                Err(Abort::Full(layer)) => self.grow_layer(usize::from(layer), &mut collected)?,
                Err(Abort::CacheSmall) => self.grow_cache(),
                Err(Abort::Interrupted) => return Err(Error::Interrupted),
                // Another thread reports the actual reason, which takes precedence when both results are combined.
                Err(Abort::Elsewhere) => {}
            }
        }
    }
}
