//! [`Store`]: a workspace in which sets are hash-consed and operated on under a memory cap.
//!
//! The following invariants hold. A [`Set`] keeps its states alive. All other states may be reclaimed by
//! [`Store::collect`], which renumbers the remaining states. State numbers depend on the history of the store and on
//! the timing of threads, so they never leave the crate; a set leaves it as a canonical [`Dfa`].
//!
//! During an operation, the tables have a fixed capacity. When a table is full, the recursion unwinds, the table grows
//! (after a collection if the cap requires one), and the operation is restarted. The computed cache makes the restart
//! cheap.

mod build;
mod memory;
mod run;
mod set;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use hashbrown::HashMap;
use rayon::ThreadPool;

use crate::automaton::Dfa;
use crate::cache::{ComputedCache, Key};
use crate::error::{Error, Result};
use crate::moves::MoveGraph;
use crate::relation::{self, Limits, Relation};
use crate::shape::{Letter, Shape};
use crate::stats::OpStats;
use crate::unique::{ACCEPT, FIRST, UniqueTable};

use set::Root;
pub use set::{Moves, Set};

/// The first operation number of a relation. Lower numbers belong to the Boolean operations.
pub(crate) const FIRST_RELATION_OP: u16 = 8;

/// The number of entries of a new computed cache.
const MIN_CACHE_ENTRIES: usize = 1 << 14;

/// Creates a pool of `threads` threads, or of one thread if `threads` is 0.
///
/// # Errors
/// Returns [`Error::Threads`] if the operating system cannot start the threads.
pub fn thread_pool(threads: usize) -> Result<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    pool.map_err(|e| Error::Threads { threads, source: std::io::Error::other(e) })
}

/// The letters rewritten by [`Store::change`], as (layer, before, after).
type Changes = Box<[(usize, Letter, Letter)]>;

/// A workspace of hash-consed sets of words of one shape.
///
/// # Examples
/// ```
/// use nerode_dfa::{Shape, Store};
/// let mut store = Store::unbounded(Shape::uniform(3, 2).unwrap());
/// let a = store.fixed(0, 1).unwrap();
/// let b = store.fixed(2, 1).unwrap();
/// let both = store.intersection(&a, &b).unwrap();
/// assert_eq!(store.count(&both).unwrap(), 2);
/// assert!(store.is_subset(&both, &a));
/// let neither = { let either = store.union(&a, &b).unwrap(); store.complement(&either).unwrap() };
/// assert!(store.is_disjoint(&neither, &a));
/// ```
#[derive(Debug)]
pub struct Store {
    shape: Shape,
    tables: Vec<UniqueTable>,
    cache: ComputedCache,
    roots: Vec<Weak<Root>>,
    relations: Vec<Relation>,
    /// The relations created for [`Store::change`], which are reused so that a repeated change can use cached results.
    pub(crate) changes: HashMap<Changes, Moves>,
    memory_limit: u64,
    pool: Option<ThreadPool>,
    interrupt: Option<Arc<AtomicBool>>,
    stats: OpStats,
    identity: Arc<()>,
}

impl Store {
    /// Creates an empty store whose tables and cache together hold at most `memory_limit` bytes.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`] if the limit is too small even for empty tables.
    pub fn new(shape: Shape, memory_limit: u64) -> Result<Self> {
        let store = Self::with_limit(shape, memory_limit);
        store.check_budget(store.bytes(), "empty tables")?;
        Ok(store)
    }

    /// Creates an empty store without a memory cap.
    pub fn unbounded(shape: Shape) -> Self {
        Self::with_limit(shape, u64::MAX)
    }

    fn with_limit(shape: Shape, memory_limit: u64) -> Self {
        let tables = (0..shape.num_layers()).map(|l| UniqueTable::new(shape.num_letters(l))).collect();
        Self {
            shape,
            tables,
            cache: ComputedCache::new(MIN_CACHE_ENTRIES),
            roots: Vec::new(),
            relations: Vec::new(),
            changes: HashMap::new(),
            memory_limit,
            pool: None,
            interrupt: None,
            stats: OpStats::default(),
            identity: Arc::new(()),
        }
    }

    /// Sets the number of threads that operations use. Results do not depend on it.
    ///
    /// # Errors
    /// Returns [`Error::Threads`] if the operating system cannot start the threads.
    pub fn set_threads(&mut self, threads: usize) -> Result<()> {
        self.pool = if threads > 1 { Some(thread_pool(threads)?) } else { None };
        Ok(())
    }

    /// Makes operations fail with [`Error::Interrupted`] soon after `flag` is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// Returns the shape, which contains the alphabet of every layer.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the number of bytes in tables and cache.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(UniqueTable::bytes).sum::<u64>() + self.cache.bytes()
    }

    /// Returns the number of states that the store holds, including dead states that have not been collected.
    pub fn num_states_held(&self) -> usize {
        self.tables.iter().map(|t| t.len() - FIRST as usize).sum()
    }

    /// Returns the statistics of all operations since the store was created.
    pub fn stats(&self) -> &OpStats {
        &self.stats
    }

    /// Clears the computed cache. Sets and later results are not affected.
    pub fn clear_cache(&mut self) {
        self.cache = ComputedCache::new(MIN_CACHE_ENTRIES);
    }

    /// Compiles the moves of one side for [`Store::image`] and [`Store::preimage`].
    ///
    /// # Errors
    /// Returns [`Error::Move`] if the graph has another shape, or if this store has compiled too many relations;
    /// [`Error::OutOfMemory`], or [`Error::Interrupted`].
    pub fn relation(&mut self, graph: &MoveGraph) -> Result<Moves> {
        if graph.shape() != &self.shape {
            return Err(Error::Move("the move graph and the store have different shapes".into()));
        }
        let compiled = relation::compile(graph, self.limits_of_moves())?;
        let mut moves = Moves {
            forward: Vec::new(),
            backward: Vec::new(),
            num_states: compiled.iter().map(|c| c.0.num_states()).sum(),
            store: Arc::downgrade(&self.identity),
        };
        for (forward, backward) in compiled {
            moves.forward.push(self.register(forward)?);
            moves.backward.push(self.register(backward)?);
        }
        Ok(moves)
    }

    /// Returns the limits of a compilation of moves.
    pub(crate) fn limits_of_moves(&self) -> Limits<'_> {
        let memory = self.memory_limit.saturating_sub(self.bytes());
        Limits { memory, interrupt: self.interrupt.as_deref() }
    }

    fn register(&mut self, relation: Relation) -> Result<u16> {
        let op = FIRST_RELATION_OP as usize + self.relations.len();
        if op >= usize::from(Key::MAX_OPS) {
            return Err(Error::Move(format!("more than {} relations in one store", self.relations.len())));
        }
        self.relations.push(relation);
        Ok(op as u16)
    }

    /// Copies an automaton into the store. Cost: one table look-up per state.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] or [`Error::OutOfMemory`].
    pub fn import(&mut self, dfa: &Dfa) -> Result<Set> {
        if dfa.shape() != &self.shape {
            return Err(Error::ShapeMismatch("the automaton and the store".into()));
        }
        self.run(|engine, local| engine.import(dfa, local))
    }

    /// Returns the canonical automaton of a set. Cost: one visit per state, and one word of scratch memory per state
    /// that the store holds.
    pub fn freeze(&self, set: &Set) -> Dfa {
        self.own(set);
        Dfa::canonical(&self.shape, set.state(), |layer, states| {
            let row = |&state: &u32| self.tables[layer].row(state).iter().map(|x| x.load(Ordering::Relaxed));
            let limit = self.tables.get(layer + 1).map_or(0, |table| table.len());
            (states.iter().flat_map(row).collect(), limit)
        })
    }

    /// Returns `true` if `word` is in the set. Cost: one table access per letter.
    pub fn contains(&self, set: &Set, word: &[Letter]) -> bool {
        self.own(set);
        if self.shape.check_word(word).is_err() {
            return false;
        }
        let step = |(state, layer): (u32, usize), &letter: &Letter| {
            (self.tables[layer].target(state, usize::from(letter)), layer + 1)
        };
        word.iter().fold((set.state(), 0), step).0 == ACCEPT
    }

    /// Returns the exact number of words, `|set|`.
    ///
    /// # Errors
    /// Returns [`Error::CountOverflow`] if the number does not fit into 128 bits.
    pub fn count(&self, set: &Set) -> Result<u128> {
        self.freeze(set).count()
    }

    pub(crate) fn tables(&self) -> &[UniqueTable] {
        &self.tables
    }

    /// Panics if the set belongs to another store, because mixing stores is a programming error.
    #[allow(clippy::panic, reason = "mixing stores is a programming error, and the panic is documented")]
    pub(crate) fn own(&self, set: &Set) {
        if !std::ptr::eq(set.root.store.as_ptr(), Arc::as_ptr(&self.identity)) {
            panic!("a set of another store was passed to an operation");
        }
    }

    /// Panics if the compiled moves belong to another store.
    #[allow(clippy::panic, reason = "mixing stores is a programming error, and the panic is documented")]
    pub(crate) fn own_moves(&self, moves: &Moves) {
        if !std::ptr::eq(moves.store.as_ptr(), Arc::as_ptr(&self.identity)) {
            panic!("moves compiled by another store were passed to an operation");
        }
    }

    pub(crate) fn relation_root(&self, op: u16) -> u32 {
        self.relations[usize::from(op - FIRST_RELATION_OP)].root
    }
}
