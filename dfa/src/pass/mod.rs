//! Images computed layer by layer: subset construction forward, then suffix tables for the last layers, then
//! minimisation backward.
//!
//! One pass computes `{ y : f(y ∈ image(S), y ∈ A_0, y ∈ A_1, ...) }` for a Boolean function f. An entire retrograde
//! step (preimage, terminal positions, complement) therefore needs no intermediate sets.
//!
//! 1. A *macrostate* of a layer represents a residual of the result. It contains the states of the side sets, and the
//!    *image pairs*: pairs of a state of the relation and a state of S whose images are united. Macrostates are
//!    expanded one layer at a time (`expand.rs`), and equal macrostates are merged (`macrostates.rs`).
//! 2. In the last layers, there are many macrostates but few residuals. There, a residual is represented explicitly as
//!    a row of bits with one bit for each class of suffixes (`suffix_table/`).
//! 3. From there back to the first layer, macrostates with equal rows become one state, which yields the minimal
//!    automaton (`minimise.rs`). Alternatively, the words of each macrostate are counted (`tally.rs`).
//!
//! A residual that depends only on the first side set is copied from it instead of being expanded (`copies.rs`).
//!
//! If a layer has many macrostates, they are distributed to lists by letter, and the subsequent layers are processed
//! for one list after the other. A macrostate depends above all on the letters read most recently, so different lists
//! have almost no macrostates in common.
//!
//! Compared with the recursions of [`crate::Store`], a pass holds less in memory: the macrostates in progress, pending
//! lists, finished parts, and the rows in between, which may be written to disk. Memory accesses stay within the tables
//! of one layer, and threads share no tables. However, no results are cached between operations, so a store is better
//! for small sets that change little.
//!
//! The following invariants hold. A macrostate is never constant, and contains no part on which its value does not
//! depend. The macrostates of a layer are distributed to partitions by hash, so that the table of each partition has a
//! single writer. Results are canonical and do not depend on the threads.

mod bits;
mod budget;
mod children;
mod classes;
mod columns;
mod combine;
mod copies;
mod deal;
mod expand;
mod files;
mod fold;
mod image;
mod inputs;
mod intern;
mod macrostates;
mod minimise;
mod residuals;
mod rows;
mod scratch;
mod stats;
mod steps;
mod suffix_table;
mod tally;
mod touch;
mod units;
mod work;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::formula::{Formula, MAX_SIDES};

pub use files::belongs_in_files;
pub use image::{Direction, Image, PassMoves};
pub use stats::PassStats;
pub use units::{
    Cutting, Fingerprint, Fragment, FragmentFile, Job, Origin, Plan, Planned, UnitInput, UnitList,
};

use budget::{Budget, Loan};
use expand::{Expansion, PAIR_BITS, Within};
use fold::Fold;
use minimise::Finished;
use scratch::Scratch;
use steps::Steps;
use tally::Tally;
use work::Pass;

/// Runs passes on its own threads and under one memory cap, which all concurrent passes share.
///
/// The following memory counts against the cap: memory of running passes; the automata given to them or created by
/// them, as long as these live; automata charged with [`Passes::charge`]; and memory reserved with [`Passes::hold`].
/// Other automata of the program do not count.
///
/// # Examples
/// ```
/// use nerode_dfa::{Dfa, Direction, Image, MoveGraph, PassMoves, Passes, Shape, Step};
/// let shape = Shape::uniform(2, 2).unwrap();
/// let mut graph = MoveGraph::new(shape.clone());
/// graph.add(Step::identity().change(0, 0, 1)).unwrap();
/// let moves = PassMoves::new(&graph).unwrap();
/// let set = Dfa::word(&shape, &[0, 1]).unwrap();
/// let passes = Passes::new(u64::MAX, 1).unwrap();
/// let image = Image { set: &set, complement: false, moves: &moves, direction: Direction::Forward };
/// let moved = passes.image(image, &[], |image, _| image).unwrap();
/// assert_eq!(moved.words().collect::<Vec<_>>(), [vec![1, 1]]);
/// ```
#[derive(Debug)]
pub struct Passes {
    budget: Budget,
    max_bits: usize,
    pair_bits: u32,
    deal_bytes: Option<u64>,
    pool: ThreadPool,
    scratch: Option<Scratch>,
    sets_in_files: bool,
    stats: Mutex<PassStats>,
}

impl Passes {
    /// Creates an engine that holds at most `memory_limit` bytes, including automata, and uses `threads` threads.
    ///
    /// # Errors
    /// Returns [`Error::Threads`] if the operating system cannot start the threads.
    pub fn new(memory_limit: u64, threads: usize) -> Result<Self> {
        let pool = crate::store::thread_pool(threads)?;
        let max_bits = suffix_table::MAX_BITS;
        Ok(Self {
            budget: Budget::new(memory_limit),
            max_bits,
            pair_bits: PAIR_BITS,
            deal_bytes: None,
            pool,
            scratch: None,
            sets_in_files: false,
            stats: Mutex::default(),
        })
    }

    /// Allows rows that do not fit under the memory cap to be written to unnamed files in `folder`.
    pub fn set_scratch(&mut self, folder: PathBuf) {
        self.scratch = Some(Scratch::new(folder));
    }

    /// Sets a function that is called before each scratch file is written. It returns the number of bytes that may be
    /// written into the folder, or `None` if the limit is unknown. A pass whose rows do not fit fails with
    /// [`Error::Io`].
    pub fn set_scratch_room(&mut self, room: impl Fn(&Path) -> Option<u64> + Send + Sync + 'static) {
        self.scratch = self.scratch.take().map(|scratch| scratch.with_room(Arc::new(room)));
    }

    /// Makes passes fail with [`Error::Interrupted`] soon after `flag` is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.budget.interrupt = Some(flag);
    }

    /// Changes the maximum number of bytes that passes may hold; see [`Passes::new`].
    pub fn set_memory_limit(&mut self, bytes: u64) {
        self.budget.limit = bytes;
    }

    /// Sets the maximum number of bits in a row of a suffix table. Results do not depend on it.
    pub fn set_max_bits(&mut self, n: usize) {
        self.max_bits = n.max(1);
    }

    /// Sets the maximum number of bits of an image pair, which consists of a state of the relation and a state of the
    /// source set. Sets that need more bits are rejected.
    pub fn set_pair_bits(&mut self, n: u32) {
        self.pair_bits = n.min(PAIR_BITS);
    }

    /// Sets the maximum number of bytes of macrostates that are processed together. If a layer, or a list of it, takes
    /// more, the macrostates of the next layer are distributed to lists by letter. A small memory cap lowers this limit
    /// further. Results do not depend on it.
    pub fn set_deal_bytes(&mut self, bytes: u64) {
        self.deal_bytes = Some(bytes);
    }

    /// Returns the statistics of all passes so far.
    pub fn stats(&self) -> PassStats {
        let stats = *self.stats.lock().unwrap_or_else(PoisonError::into_inner);
        PassStats { peak_bytes: self.budget.peak(), ..stats }
    }

    /// Counts an automaton against the cap as long as it lives. Automata that were given to passes or created by them
    /// count automatically.
    pub fn charge(&self, dfa: &Dfa) {
        self.budget.charge(dfa);
    }

    /// Returns the number of bytes that currently count against the cap.
    pub fn bytes(&self) -> u64 {
        self.budget.used()
    }

    /// Returns the number of threads.
    pub fn num_threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Reserves `bytes` of the memory available to passes, as long as the result lives. Running passes that need this
    /// memory then fail with [`Error::OutOfMemory`]; this method itself always succeeds.
    pub fn hold(&self, bytes: u64) -> Reservation<'_> {
        Reservation { _loan: self.budget.lend(bytes) }
    }

    /// Runs both closures, concurrently if there are two threads. The passes of either closure use all threads that are
    /// idle.
    pub fn join<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        self.pool.join(a, b)
    }

    /// Computes `{ y : f(y ∈ image, [y ∈ side for each side]) }`.
    ///
    /// Cost: for Breakthrough, about one macrostate of 10 words and one row of a suffix table for each state of the
    /// result.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`], [`Error::OutOfMemory`], [`Error::TooManyStates`], [`Error::Io`] for scratch
    /// files, or [`Error::Interrupted`].
    ///
    /// # Panics
    /// Panics if there are more than [`MAX_SIDES`] side sets.
    pub fn image(&self, image: Image<'_>, sides: &[&Dfa], f: impl Fn(bool, &[bool]) -> bool) -> Result<Dfa> {
        let result = self.run::<Finished>(image, sides, Formula::new(sides.len(), &f))?;
        self.charge(&result);
        Ok(result)
    }

    /// Computes `|{ y : f(y ∈ image, [y ∈ side for each side]) }|` without creating the states of this set, which may
    /// be too large for memory and disk.
    ///
    /// Cost: that of [`Passes::image`] without merging and storing states; 16 bytes for each macrostate of the pending
    /// layers.
    ///
    /// # Errors
    /// Returns the same errors as [`Passes::image`], or [`Error::CountOverflow`] if the shape has more words than 128
    /// bits can number.
    ///
    /// # Panics
    /// Panics if there are more than [`MAX_SIDES`] side sets.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Direction, Image, MoveGraph, PassMoves, Passes, Shape, Step};
    /// let shape = Shape::uniform(2, 2).unwrap();
    /// let mut graph = MoveGraph::new(shape.clone());
    /// graph.add(Step::identity().change(0, 0, 1)).unwrap();
    /// let moves = PassMoves::new(&graph).unwrap();
    /// let passes = Passes::new(u64::MAX, 1).unwrap();
    /// let all = Dfa::full(&shape);
    /// let image = Image { set: &all, complement: false, moves: &moves, direction: Direction::Forward };
    /// assert_eq!(passes.count_image(image, &[], |image, _| image).unwrap(), 2);
    /// ```
    pub fn count_image(
        &self,
        image: Image<'_>,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<u128> {
        // This is an upper bound of every sum of counts.
        Dfa::full(image.set.shape()).count()?;
        self.run::<Tally>(image, sides, Formula::new(sides.len(), &f))
    }

    fn run<F: Fold>(&self, image: Image<'_>, sides: &[&Dfa], formula: Formula) -> Result<F::Whole>
    where
        F::Whole: Send,
    {
        if &image.moves.shape != image.set.shape() {
            return Err(Error::ShapeMismatch("the moves and the set to which they are applied".into()));
        }
        let steps = image.moves.steps(image.direction);
        self.work::<F>((image.set, image.complement), steps, sides, &formula)
    }

    fn work<F: Fold>(
        &self,
        (set, complement): (&Dfa, bool),
        steps: &Steps,
        sides: &[&Dfa],
        formula: &Formula,
    ) -> Result<F::Whole>
    where
        F::Whole: Send,
    {
        self.must_fit(set, sides)?;
        let mut stats = PassStats { passes: 1, ..PassStats::default() };
        let result = self.pool.install(|| {
            let within = Within { bits: self.pair_bits, last: set.shape().num_layers() };
            let expansion = Expansion::new((set, complement), steps, sides, formula, F::COPIES, within)?;
            Pass::new(self, &expansion).compute::<F>(&mut stats)
        });
        self.add(&stats);
        result
    }

    /// Rejects sets of different shapes, and counts the other ones against the cap from now on.
    fn must_fit(&self, set: &Dfa, sides: &[&Dfa]) -> Result<()> {
        assert!(sides.len() <= MAX_SIDES, "a pass supports at most {MAX_SIDES} side sets");
        if sides.iter().any(|side| side.shape() != set.shape()) {
            return Err(Error::ShapeMismatch("the source set of an image and a side set".into()));
        }
        sides.iter().chain([&set]).for_each(|dfa| self.charge(dfa));
        Ok(())
    }

    fn add(&self, stats: &PassStats) {
        self.stats.lock().unwrap_or_else(PoisonError::into_inner).add(stats);
    }
}

/// Reserved memory that counts against the cap of passes; see [`Passes::hold`].
#[derive(Debug)]
#[must_use = "the reservation ends when this value is dropped"]
pub struct Reservation<'a> {
    _loan: Loan<'a>,
}
