//! [`Store`]: the workspace where sets are hash-consed and operated on, under a memory cap.
//!
//! Invariants: a [`Set`] keeps its states alive; everything else may be reclaimed by [`Store::collect`], which renumbers
//! the states that stay. State numbers depend on the history and on thread timing and never leave the crate: what leaves
//! is a [`Dfa`], canonical.
//!
//! An operation runs with tables of fixed capacity. When one is full, the recursion unwinds, the table grows (after a
//! collection, if the cap asks for one), and the operation starts again: the computed cache makes that cheap.

use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use hashbrown::HashMap;
use rayon::ThreadPool;

use crate::automaton::Dfa;
use crate::cache::{ComputedCache, Key};
use crate::error::{Error, Result};
use crate::moves::MoveGraph;
use crate::ops::{Abort, Engine, Local};
use crate::relation::{self, Relation};
use crate::shape::{Letter, Shape};
use crate::stats::OpStats;
use crate::unique::{ACCEPT, FIRST, MAX_STATES, REJECT, UniqueTable};

/// First operation number of a relation; lower ones belong to the Boolean operations.
pub(crate) const FIRST_RELATION_OP: u16 = 8;

/// Entries of a new computed cache.
const MIN_CACHE_ENTRIES: usize = 1 << 14;

/// Largest part of the memory cap that the computed cache may take, as a divisor.
const CACHE_SHARE: u64 = 3;

#[derive(Debug)]
struct Root {
    state: AtomicU32,
    store: Weak<()>,
}

/// A set of words living in a [`Store`]; cheap to clone; keeps its states from being collected.
///
/// Comparing two sets of one store takes constant time. Sets of different stores are never equal.
#[derive(Clone, Debug)]
pub struct Set {
    root: Arc<Root>,
}

impl Set {
    pub(crate) fn state(&self) -> u32 {
        self.root.state.load(Ordering::Relaxed)
    }

    /// Whether the set is `∅`. Constant time.
    pub fn is_empty(&self) -> bool {
        self.state() == REJECT
    }

    /// Whether the set has every word of the shape. Constant time.
    pub fn is_full(&self) -> bool {
        self.state() == ACCEPT
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        self.root.store.ptr_eq(&other.root.store) && self.state() == other.state()
    }
}

impl Eq for Set {}

/// The moves of one side, compiled by [`Store::relation`]: usable with the store that compiled them.
#[derive(Clone, Debug)]
pub struct Moves {
    pub(crate) forward: Vec<u16>,
    pub(crate) backward: Vec<u16>,
    num_states: usize,
    store: Weak<()>,
}

impl Moves {
    /// Number of relations that the moves were compiled to.
    pub fn num_clusters(&self) -> usize {
        self.forward.len()
    }

    /// States of all relations together.
    pub fn num_states(&self) -> usize {
        self.num_states
    }
}

/// Threads of its own for who computes.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    pool.map_err(|e| Error::io("thread pool", std::io::Error::other(e)))
}

/// Letters rewritten by [`Store::change`]: (layer, before, after).
type Changes = Box<[(usize, Letter, Letter)]>;

/// Hash-consed sets of words of one shape.
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
    /// Relations made for [`Store::change`], so that the same change done again is found in the cache.
    pub(crate) changes: HashMap<Changes, Moves>,
    memory_limit: u64,
    pool: Option<ThreadPool>,
    interrupt: Option<Arc<AtomicBool>>,
    stats: OpStats,
    identity: Arc<()>,
}

impl Store {
    /// An empty store whose tables and cache together hold at most `memory_limit` bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] when not even empty tables fit.
    pub fn new(shape: Shape, memory_limit: u64) -> Result<Self> {
        let tables = (0..shape.num_layers()).map(|l| UniqueTable::new(shape.num_letters(l))).collect();
        let store = Self {
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
        };
        store.check_budget(store.bytes(), "empty tables")?;
        Ok(store)
    }

    /// An empty store without a memory cap.
    ///
    /// # Panics
    /// Never: without a cap an empty store always fits.
    #[allow(clippy::expect_used, reason = "an unbounded budget admits empty tables")]
    pub fn unbounded(shape: Shape) -> Self {
        Self::new(shape, u64::MAX).expect("no cap")
    }

    /// Lets operations use `threads` threads; results do not depend on it.
    ///
    /// # Errors
    /// [`Error::Io`] when the system refuses the threads.
    pub fn set_threads(&mut self, threads: usize) -> Result<()> {
        self.pool = if threads > 1 { Some(pool(threads)?) } else { None };
        Ok(())
    }

    /// Makes operations end with [`Error::Interrupted`] soon after `flag` is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// The alphabet of every layer.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Bytes of tables and cache.
    pub fn bytes(&self) -> u64 {
        self.tables.iter().map(UniqueTable::bytes).sum::<u64>() + self.cache.bytes()
    }

    /// States held, dead ones not yet collected included.
    pub fn num_states_held(&self) -> usize {
        self.tables.iter().map(|t| t.len() - FIRST as usize).sum()
    }

    /// What the operations did so far.
    pub fn stats(&self) -> &OpStats {
        &self.stats
    }

    /// Forgets every remembered result; sets and later results are unaffected.
    pub fn clear_cache(&mut self) {
        self.cache = ComputedCache::new(MIN_CACHE_ENTRIES);
    }

    /// Compiles the moves of one side for [`Store::image`] and [`Store::preimage`].
    ///
    /// # Errors
    /// [`Error::Move`] when the graph is over another shape, or too many relations were compiled by this store.
    pub fn relation(&mut self, graph: &MoveGraph) -> Result<Moves> {
        if graph.shape() != &self.shape {
            return Err(Error::Move("the move graph is over another shape than the store".into()));
        }
        let compiled = relation::compile(graph)?;
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
    /// [`Error::ShapeMismatch`]; running out of memory.
    pub fn import(&mut self, dfa: &Dfa) -> Result<Set> {
        if dfa.shape() != &self.shape {
            return Err(Error::ShapeMismatch("the automaton and the store".into()));
        }
        self.run(|engine, local| engine.import(dfa, local))
    }

    /// The canonical automaton of a set. Cost: one visit per state, and one word of scratch per state held.
    pub fn freeze(&self, set: &Set) -> Dfa {
        self.own(set);
        Dfa::canonical(&self.shape, set.state(), |layer, states| {
            let row = |&state: &u32| self.tables[layer].row(state).iter().map(|x| x.load(Ordering::Relaxed));
            let limit = self.tables.get(layer + 1).map_or(0, |table| table.len());
            (states.iter().flat_map(row).collect(), limit)
        })
    }

    /// `∅`.
    pub fn empty(&mut self) -> Set {
        self.handle(REJECT)
    }

    /// Every word of the shape.
    pub fn full(&mut self) -> Set {
        self.handle(ACCEPT)
    }

    /// `{word}`.
    ///
    /// # Errors
    /// As [`Dfa::word`]; running out of memory.
    pub fn word(&mut self, word: &[Letter]) -> Result<Set> {
        let dfa = Dfa::word(&self.shape, word)?;
        self.import(&dfa)
    }

    /// `{ w : w_layer = letter }`.
    ///
    /// # Errors
    /// As [`Dfa::cube`]; running out of memory.
    pub fn fixed(&mut self, layer: usize, letter: Letter) -> Result<Set> {
        self.cube(&[(layer, vec![letter])])
    }

    /// `{ w : w_l ∈ letters for every (l, letters) in allowed }`.
    ///
    /// # Errors
    /// As [`Dfa::cube`]; running out of memory.
    pub fn cube(&mut self, allowed: &[(usize, Vec<Letter>)]) -> Result<Set> {
        let dfa = Dfa::cube(&self.shape, allowed)?;
        self.import(&dfa)
    }

    /// `{ w : the number of l in layers with w_l = letter lies in range }`.
    ///
    /// # Errors
    /// As [`Dfa::letter_count`]; running out of memory.
    pub fn letter_count(
        &mut self,
        letter: Letter,
        layers: &[usize],
        range: std::ops::RangeInclusive<usize>,
    ) -> Result<Set> {
        let dfa = Dfa::letter_count(&self.shape, letter, layers, range)?;
        self.import(&dfa)
    }

    /// Whether `word` is in the set. Cost: one table access per letter.
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

    /// `|set|`, exactly.
    ///
    /// # Errors
    /// [`Error::CountOverflow`].
    pub fn count(&self, set: &Set) -> Result<u128> {
        self.freeze(set).count()
    }

    pub(crate) fn tables(&self) -> &[UniqueTable] {
        &self.tables
    }

    /// Panics when the set belongs to another store: mixing stores is a mistake in the calling code.
    #[allow(clippy::panic, reason = "misuse by code, documented")]
    pub(crate) fn own(&self, set: &Set) {
        if !std::ptr::eq(set.root.store.as_ptr(), Arc::as_ptr(&self.identity)) {
            panic!("a set of another store was passed to an operation");
        }
    }

    /// As [`Store::own`], for compiled moves.
    #[allow(clippy::panic, reason = "misuse by code, documented")]
    pub(crate) fn own_moves(&self, moves: &Moves) {
        if !std::ptr::eq(moves.store.as_ptr(), Arc::as_ptr(&self.identity)) {
            panic!("moves compiled by another store were passed to an operation");
        }
    }

    fn handle(&mut self, state: u32) -> Set {
        let root = Arc::new(Root { state: AtomicU32::new(state), store: Arc::downgrade(&self.identity) });
        if self.roots.len() == self.roots.capacity() {
            self.roots.retain(|r| r.strong_count() > 0);
        }
        self.roots.push(Arc::downgrade(&root));
        Set { root }
    }

    /// Runs a recursion to its end, growing what is full in between.
    pub(crate) fn run(
        &mut self,
        recursion: impl Fn(&Engine<'_>, &mut Local) -> std::result::Result<u32, Abort> + Sync,
    ) -> Result<Set> {
        // After one collection everything held is live or made by this very operation: a second one would throw away what
        // the first attempt made, for ever.
        let mut collected = false;
        self.ensure_headroom(&mut collected)?;
        loop {
            let engine = Engine {
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
                // Also where no attempt makes enough states to look at the flag.
                Err(_) if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) => {
                    return Err(Error::Interrupted);
                }
                Err(Abort::Full(layer)) => self.grow_layer(usize::from(layer), &mut collected)?,
                Err(Abort::CacheSmall) => self.grow_cache(),
                Err(Abort::Interrupted) => return Err(Error::Interrupted),
                // The reason outlives this on the way up.
                Err(Abort::Elsewhere) => {}
            }
        }
    }

    /// What a computation outside the recursions must ask now and then: whether it may hold `more` bytes beside tables and
    /// cache, and whether it is to go on.
    pub(crate) fn check_extra(&self, more: u64, what: &'static str) -> Result<()> {
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        self.check_budget(self.bytes().saturating_add(more), what)
    }

    fn check_budget(&self, needed: u64, what: &'static str) -> Result<()> {
        if needed > self.memory_limit {
            return Err(Error::OutOfMemory { what, needed_bytes: needed, limit_bytes: self.memory_limit });
        }
        Ok(())
    }

    /// Room for a fair number of new states before an operation, so that it seldom has to start again.
    fn ensure_headroom(&mut self, collected: &mut bool) -> Result<()> {
        for layer in 0..self.tables.len() {
            let table = &self.tables[layer];
            let wanted = table.len() + table.len() / 8 + 1;
            if UniqueTable::bytes_for(self.shape.num_letters(layer), wanted) > table.bytes() {
                self.grow_layer(layer, collected)?;
            }
        }
        if self.cache.num_entries() < self.num_states_held() {
            self.grow_cache();
        }
        Ok(())
    }

    /// Makes room in a full layer; under the cap after a collection, unless there was one already, and with a smaller cache.
    fn grow_layer(&mut self, layer: usize, collected: &mut bool) -> Result<()> {
        let letters = self.shape.num_letters(layer);
        let rows_for = |len: usize| len + len / 2 + 1024.min(65536 / letters);
        let after = |store: &Self, rows: usize| {
            store.bytes() - store.tables[layer].bytes() + UniqueTable::bytes_for(letters, rows)
        };
        let mut rows = rows_for(self.tables[layer].len());
        if after(self, rows) > self.memory_limit {
            if !std::mem::replace(collected, true) {
                self.collect();
            }
            rows = rows_for(self.tables[layer].len());
            // A cache that yields to states keeps a solve going where it would otherwise end.
            while after(self, rows) > self.memory_limit && self.cache.num_entries() > MIN_CACHE_ENTRIES {
                self.cache =
                    self.cache.rebuilt(self.cache.num_entries() / 2, |key, result| Some((key, result)));
            }
        }
        if rows > MAX_STATES {
            return Err(Error::TooManyStates { layer, limit: MAX_STATES as u64 });
        }
        self.check_budget(after(self, rows), "states")?;
        self.tables[layer].set_capacity(rows);
        Ok(())
    }

    /// Doubling holds the old and the new cache at once for a moment.
    fn cache_may_grow(&self) -> bool {
        let new = 2 * self.cache.bytes();
        new <= self.memory_limit / CACHE_SHARE && self.bytes() + new <= self.memory_limit
    }

    fn grow_cache(&mut self) {
        if self.cache_may_grow() {
            self.cache = self.cache.rebuilt(2 * self.cache.num_entries(), |key, result| Some((key, result)));
        }
    }

    /// Reclaims every state that no [`Set`] needs. Cost: one pass over tables and cache. Results remembered about states
    /// that stay are kept.
    pub fn collect(&mut self) {
        self.roots.retain(|r| r.strong_count() > 0);
        let roots: Vec<Arc<Root>> = self.roots.iter().filter_map(Weak::upgrade).collect();
        let mut live: Vec<Vec<bool>> = self.tables.iter().map(|t| vec![false; t.len()]).collect();
        for root in &roots {
            live[0][root.state.load(Ordering::Relaxed) as usize] = true;
        }
        for layer in 0..self.tables.len() - 1 {
            let (done, rest) = live.split_at_mut(layer + 1);
            for state in (FIRST..self.tables[layer].len() as u32).filter(|&s| done[layer][s as usize]) {
                for target in self.tables[layer].row(state) {
                    rest[0][target.load(Ordering::Relaxed) as usize] = true;
                }
            }
        }
        let mut maps: Vec<Vec<u32>> = Vec::with_capacity(self.tables.len());
        let alphabets = self.shape.alphabets();
        for ((table, live), &letters) in self.tables.iter_mut().zip(&live).zip(alphabets).rev() {
            let map = table.compact(live, maps.last().map(Vec::as_slice));
            // Never more than before: a collection must not exceed the cap either.
            let rows = table.len() + table.len() / 4;
            if UniqueTable::bytes_for(usize::from(letters), rows) < table.bytes() {
                table.set_capacity(rows);
            }
            maps.push(map);
        }
        maps.reverse();
        for root in &roots {
            root.state.store(maps[0][root.state.load(Ordering::Relaxed) as usize], Ordering::Relaxed);
        }
        self.remap_cache(&maps);
        self.stats.collections += 1;
    }

    fn remap_cache(&mut self, maps: &[Vec<u32>]) {
        self.cache = self.cache.rebuilt(self.cache.num_entries(), |key, result| {
            let map = &maps[usize::from(key.layer)];
            let keep = |state: u32| match map[state as usize] {
                REJECT if state != REJECT => None,
                new => Some(new),
            };
            let a = keep(key.a)?;
            // The second operand of an image is a state of the relation.
            let b = if key.op >= FIRST_RELATION_OP { key.b } else { keep(key.b)? };
            Some((Key { a, b, ..key }, keep(result)?))
        });
    }
}

impl Store {
    pub(crate) fn relation_root(&self, op: u16) -> u32 {
        self.relations[usize::from(op - FIRST_RELATION_OP)].root
    }
}
