//! Images a layer at a time: subset construction forward, then suffix tables for the last layers, then minimisation backward.
//!
//! One pass computes `{ y : f(y ∈ image(S), y ∈ A_0, y ∈ A_1, ...) }` for a Boolean function f. So a whole retrograde step
//! (preimage, terminal positions, complement) makes no intermediate sets.
//!
//! 1. A *macrostate* of a layer stands for a residual of the result. It holds the states of the side sets, and the *image
//!    pairs*: pairs of a state of the relation and a state of S, whose images are united. Macrostates are expanded a layer at a
//!    time (`expand.rs`). Equal macrostates are one (`macrostates.rs`).
//! 2. In the last layers there are many macrostates but few residuals. There a residual is written out as a row of bits, one
//!    bit for each class of suffixes (`suffix_table/`).
//! 3. From there back to the first layer, macrostates with equal rows become one state (`minimise.rs`). That gives the minimal
//!    automaton. Or the words of each macrostate are counted (`tally.rs`).
//!
//! A residual that depends on the first side set alone is copied from it, not expanded (`copies.rs`).
//!
//! Where the macrostates of a layer are many, they are dealt to lists by letter, and the layers after it are done for one list
//! after the other. What a macrostate stands for depends above all on the letters just read, so that lists share next to none.
//!
//! Compared with the recursions of [`crate::Store`]: memory holds only the macrostates under work, those that wait, what is
//! finished, and the rows between, which may go to disk. Memory accesses stay within the tables of one layer. Threads share no
//! tables. But nothing is remembered from one operation to the next, so small sets that change little are the store's.
//!
//! Invariants: a macrostate is never constant, and holds no part that its value does not depend on. Macrostates of a layer are
//! dealt to partitions by hash, so that each partition's table has one writer. Results are canonical, whatever the threads.

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

/// Runs passes on threads of its own and under one memory cap, which all passes that run at once share.
///
/// Against the cap count: what passes hold, the automata given to them or made by them, as long as these live, what was
/// charged with [`Passes::charge`], and what [`Passes::hold`] holds. Other automata of the program do not count.
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
    /// Passes that hold at most `memory_limit` bytes, automata included, and use `threads` threads.
    ///
    /// # Errors
    /// [`Error::Threads`] when the system refuses the threads.
    pub fn new(memory_limit: u64, threads: usize) -> Result<Self> {
        let pool = crate::store::pool(threads)?;
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

    /// Lets rows that do not fit the memory cap go to nameless files in `folder`.
    pub fn set_scratch(&mut self, folder: PathBuf) {
        self.scratch = Some(Scratch::new(folder));
    }

    /// Asks `room` before each of those files is written how many bytes may be written into the folder; it gives `None` where
    /// nobody knows. Rows that do not fit end the pass with [`Error::Io`].
    pub fn set_scratch_room(&mut self, room: impl Fn(&Path) -> Option<u64> + Send + Sync + 'static) {
        self.scratch = self.scratch.take().map(|scratch| scratch.with_room(Arc::new(room)));
    }

    /// Makes passes end with [`Error::Interrupted`] soon after `flag` is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.budget.interrupt = Some(flag);
    }

    /// Most bytes that a pass may hold from now on, see [`Passes::new`].
    pub fn set_memory_limit(&mut self, bytes: u64) {
        self.budget.limit = bytes;
    }

    /// Most bits of a row of a suffix table. Results do not depend on it.
    pub fn set_max_bits(&mut self, n: usize) {
        self.max_bits = n.max(1);
    }

    /// Most bits of an image pair, a state of the relation and one of the set that is moved. Sets that need more are refused.
    pub fn set_pair_bits(&mut self, n: u32) {
        self.pair_bits = n.min(PAIR_BITS);
    }

    /// Most bytes of macrostates that are worked on together: where a layer, or a list of it, takes more, the macrostates of the
    /// next layer are dealt to lists by letter. Under a small memory cap, fewer. Results do not depend on it.
    pub fn set_deal_bytes(&mut self, bytes: u64) {
        self.deal_bytes = Some(bytes);
    }

    /// What was done so far.
    pub fn stats(&self) -> PassStats {
        let stats = *self.stats.lock().unwrap_or_else(PoisonError::into_inner);
        PassStats { peak_bytes: self.budget.peak(), ..stats }
    }

    /// Counts an automaton against the cap as long as it lives. Automata that passes were given or made count anyway.
    pub fn charge(&self, dfa: &Dfa) {
        self.budget.charge(dfa);
    }

    /// Bytes that count against the cap now.
    pub fn bytes(&self) -> u64 {
        self.budget.held()
    }

    /// Number of threads.
    pub fn num_threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Takes `bytes` off what passes may hold, as long as the result lives. Passes under way that lack them then end with
    /// [`Error::OutOfMemory`]; this does not.
    pub fn hold(&self, bytes: u64) -> Held<'_> {
        Held { _loan: self.budget.lend(bytes) }
    }

    /// Runs both, at once where there are two threads. Passes of either use every thread that has nothing else to do.
    pub fn join<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        self.pool.join(a, b)
    }

    /// `{ y : f(y ∈ image, [y ∈ side for each side]) }`.
    ///
    /// Cost: for Breakthrough about one macrostate of 10 words, and one row of a suffix table, for each state of the result.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`]; [`Error::OutOfMemory`]; [`Error::TooManyStates`]; [`Error::Io`] on scratch files;
    /// [`Error::Interrupted`].
    ///
    /// # Panics
    /// With more than [`MAX_SIDES`] side sets.
    pub fn image(&self, image: Image<'_>, sides: &[&Dfa], f: impl Fn(bool, &[bool]) -> bool) -> Result<Dfa> {
        let result = self.run::<Finished>(image, sides, Formula::new(sides.len(), f))?;
        self.charge(&result);
        Ok(result)
    }

    /// `|{ y : f(y ∈ image, [y ∈ side for each side]) }|`, without the states of that set, which memory or disk may not hold.
    ///
    /// Cost: that of [`Passes::image`] without merging and keeping states; 16 bytes for each macrostate of the layers that wait.
    ///
    /// # Errors
    /// As [`Passes::image`]; [`Error::CountOverflow`] when the shape has more words than 128 bits can number.
    ///
    /// # Panics
    /// With more than [`MAX_SIDES`] side sets.
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
        // No sum of counts is more than this.
        Dfa::full(image.set.shape()).count()?;
        self.run::<Tally>(image, sides, Formula::new(sides.len(), f))
    }

    fn run<F: Fold>(&self, image: Image<'_>, sides: &[&Dfa], formula: Formula) -> Result<F::Whole>
    where
        F::Whole: Send,
    {
        if &image.moves.shape != image.set.shape() {
            return Err(Error::ShapeMismatch("the moves and the set that is moved".into()));
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

    /// Refuses sets of different shapes; others count against the cap from now on.
    fn must_fit(&self, set: &Dfa, sides: &[&Dfa]) -> Result<()> {
        assert!(sides.len() <= MAX_SIDES, "at most {MAX_SIDES} side sets");
        if sides.iter().any(|side| side.shape() != set.shape()) {
            return Err(Error::ShapeMismatch("the set that is moved and a side set".into()));
        }
        sides.iter().chain([&set]).for_each(|dfa| self.charge(dfa));
        Ok(())
    }

    fn add(&self, stats: &PassStats) {
        self.stats.lock().unwrap_or_else(PoisonError::into_inner).add(stats);
    }
}

/// Memory beside passes that their cap counts, see [`Passes::hold`].
#[derive(Debug)]
#[must_use = "bytes are held as long as this lives"]
pub struct Held<'a> {
    _loan: Loan<'a>,
}
