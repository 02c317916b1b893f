//! Operations on sets. A [`Recursion`] is the view of a store during an operation: tables of fixed capacity and the
//! computed cache.
//!
//! Every recursion has the same structure: terminal cases, cache look-up, children, unique table, cache update. The
//! cache is probed for all children of a pair before any child is computed, so that the processor can overlap the
//! memory accesses.

mod binary;
mod formula;
mod image;
mod import;
mod predicate;
mod restrict;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use smallvec::SmallVec;

use crate::cache::{ComputedCache, Key};
use crate::relation::Relation;
use crate::shape::Shape;
use crate::unique::UniqueTable;

/// The reason why a recursion was aborted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Abort {
    /// The table of this layer is full.
    Full(u16),
    /// More results were computed than the cache can hold.
    CacheSmall,
    /// The caller requested an interrupt.
    Interrupted,
    /// Another thread is unwinding, for one of the reasons above.
    Elsewhere,
}

impl Abort {
    /// Returns whichever of the two values names a reason.
    fn or(self, other: Self) -> Self {
        if self == Self::Elsewhere { other } else { self }
    }
}

pub(crate) type Attempt<T> = std::result::Result<T, Abort>;

/// The counters of one thread's share of an operation.
#[derive(Debug, Default)]
pub(crate) struct Local {
    pub(crate) lookups: u64,
    pub(crate) hits: u64,
    pub(crate) made: u64,
    /// The number of results since the flag and the cache were last checked. Those of other threads are added when they
    /// join.
    unchecked: u64,
}

impl Local {
    fn merge(&mut self, other: &Local) {
        self.lookups += other.lookups;
        self.hits += other.hits;
        self.made += other.made;
        self.unchecked += other.unchecked;
    }
}

/// The number of results that a thread computes between two checks of the interrupt flag and the cache's capacity.
const CHECK_EVERY: u64 = 1 << 12;

/// A row under construction. The inline size suits the small alphabets of board games.
pub(crate) type RowBuf = SmallVec<[u32; 8]>;

/// A pair of operands in the next layer whose result is not yet known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) result: u32,
}

/// The pairs that remain to be computed.
pub(crate) type PendingBuf = SmallVec<[Pending; 8]>;

/// The tables and the cache of a store while their capacity is fixed.
pub(crate) struct Recursion<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) tables: &'a [UniqueTable],
    pub(crate) cache: &'a ComputedCache,
    pub(crate) relations: &'a [Relation],
    pub(crate) interrupt: Option<&'a AtomicBool>,
    /// The number of results computed in this attempt, counted in steps of about [`CHECK_EVERY`].
    pub(crate) computed: AtomicU64,
    /// The number of results after which the recursion unwinds so that the cache can grow.
    pub(crate) computed_limit: u64,
    /// Whether a thread is unwinding. A pair that fails is not cached, so if the other threads continued, each of them
    /// would try it again along every path.
    pub(crate) unwinding: AtomicBool,
    /// The number of layers in which children are computed in parallel, or 0 without a thread pool.
    pub(crate) parallel_layers: usize,
}

impl Recursion<'_> {
    /// Returns the state of `layer` with this row.
    #[inline]
    fn state(&self, layer: usize, row: &[u32], local: &mut Local) -> Attempt<u32> {
        let (state, new) =
            self.tables[layer].insert(row).map_err(|_| self.unwind(Abort::Full(layer as u16)))?;
        local.made += u64::from(new);
        // Results that yield an existing state are counted too, because they occupy a cache entry and take time like
        // any other.
        local.unchecked += 1;
        if local.unchecked >= CHECK_EVERY {
            self.check(std::mem::take(&mut local.unchecked))?;
        }
        Ok(state)
    }

    fn check(&self, computed: u64) -> Attempt<()> {
        if self.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(self.unwind(Abort::Interrupted));
        }
        if self.computed.fetch_add(computed, Ordering::Relaxed) > self.computed_limit {
            return Err(self.unwind(Abort::CacheSmall));
        }
        Ok(())
    }

    fn unwind(&self, why: Abort) -> Abort {
        self.unwinding.store(true, Ordering::Relaxed);
        why
    }

    #[inline]
    fn probe(&self, key: Key, local: &mut Local) -> Option<u32> {
        local.lookups += 1;
        let found = self.cache.get(key);
        local.hits += u64::from(found.is_some());
        found
    }

    /// Computes the pending pairs of `layer`, using several threads in the upper layers.
    #[inline]
    fn finish<F>(&self, layer: usize, pending: &mut [Pending], local: &mut Local, compute: &F) -> Attempt<()>
    where
        F: Fn(u32, u32, &mut Local) -> Attempt<u32> + Sync,
    {
        if layer < self.parallel_layers && pending.len() > 1 {
            return self.fork(pending, local, compute);
        }
        for pair in pending {
            pair.result = compute(pair.a, pair.b, local)?;
        }
        Ok(())
    }

    fn fork<F>(&self, pending: &mut [Pending], local: &mut Local, compute: &F) -> Attempt<()>
    where
        F: Fn(u32, u32, &mut Local) -> Attempt<u32> + Sync,
    {
        if self.unwinding.load(Ordering::Relaxed) {
            return Err(Abort::Elsewhere);
        }
        if let [pair] = pending {
            pair.result = compute(pair.a, pair.b, local)?;
            return Ok(());
        }
        let (left, right) = pending.split_at_mut(pending.len() / 2);
        let mut other = Local::default();
        let (a, b) =
            rayon::join(|| self.fork(left, local, compute), || self.fork(right, &mut other, compute));
        local.merge(&other);
        match (a, b) {
            (Err(a), Err(b)) => Err(a.or(b)),
            (a, b) => a.and(b),
        }
    }
}
