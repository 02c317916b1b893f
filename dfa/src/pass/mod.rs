//! Images a layer at a time: subset construction forward, exact sets of endings for the last layers, minimisation backward.
//!
//! One pass computes `{ y : f(y ∈ image(S), y ∈ A_0, y ∈ A_1, ...) }` for a Boolean function f, so that a whole retrograde
//! step (preimage, terminal positions, complement) makes no intermediate sets. A *key* of a layer stands for a residual of
//! the result: the residuals of the side sets, then the *members* of the image, pairs (state of the relation, state of S)
//! whose images are united. Keys are expanded a layer at a time and equal keys merged by hash. Where few enough endings
//! remain that differ, a residual is written out as bits (`tail.rs`): there the keys are many and the residuals few. From
//! there back to the first layer, keys with equal rows are merged through a unique table, which gives the minimal automaton.
//!
//! Keys that are many are dealt to lists by letter, and all that follows is done for one list after the other: what a key stands
//! for depends above all on the letters just read, so that lists have next to no keys in common.
//!
//! Against the recursions of [`crate::Store`]: no memory but the list of keys under work, those that wait for it, what is
//! finished, and rows of the layers between, which may go to disk; accesses stay within one layer's tables; work splits over threads without shared tables. But nothing is remembered from
//! one operation to the next, so small sets that change little are the store's.
//!
//! A residual on which only the first side set bears is copied from it (`copies.rs`) and not expanded.
//!
//! Invariants: a key is never constant, and holds no part that its value does not depend on; keys of a layer are dealt to
//! partitions by hash, so that each partition's table has one writer; results are canonical, whatever the threads.

mod bits;
mod children;
mod classes;
mod columns;
mod copies;
mod deal;
mod expand;
mod inputs;
mod intern;
mod keys;
mod ledger;
mod members;
mod minimise;
mod rows;
mod steps;
mod tail;
mod tally;
mod touch;
mod work;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::ThreadPool;

use crate::MoveGraph;
use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::formula::{Formula, MAX_SIDES};
use crate::relation::compile;
use crate::shape::Shape;

use expand::Expansion;
use ledger::{Account, Ledger};
use minimise::Finished;
use steps::Steps;
use tally::Tally;
use work::{Ending, Pass};

/// Keys of a layer that take more bytes are expanded into lists by letter, see `results/engine-log.md` for other values.
const LONG_KEYS: u64 = 1 << 26;
/// Keys may take this part of the bytes of the set that is moved, if that is more: what a list needs of it is found for that list alone.
const KEYS_OF_SET: u64 = 2;
/// But no more than this part of the memory that is left.
const ROOM_SHARE: u64 = 32;
/// And never more than this part of the memory cap.
const KEYS_SHARE: u64 = 16;

/// Which way moves are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Where moves lead: the image.
    Forward,
    /// Where moves come from: the preimage.
    Backward,
}

/// The moves of one side, compiled for [`Passes`].
#[derive(Clone, Debug)]
pub struct PassMoves {
    shape: Shape,
    forward: Steps,
    backward: Steps,
}

impl PassMoves {
    /// Compiles a move graph.
    ///
    /// # Errors
    /// [`Error::Move`] when a step does not fit the shape.
    pub fn new(graph: &MoveGraph) -> Result<Self> {
        let (forward, backward): (Vec<_>, Vec<_>) = compile(graph)?.into_iter().unzip();
        let shape = graph.shape().clone();
        Ok(Self { forward: Steps::new(&shape, &forward), backward: Steps::new(&shape, &backward), shape })
    }
}

/// The set that a pass moves: `image(set)` or `image(¬set)`.
#[derive(Clone, Copy)]
pub struct Image<'a> {
    /// The set that is moved.
    pub set: &'a Dfa,
    /// Whether its complement is moved instead.
    pub complement: bool,
    /// The moves.
    pub moves: &'a PassMoves,
    /// Which way.
    pub direction: Direction,
}

/// What the passes did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassStats {
    /// Passes run.
    pub passes: u64,
    /// Keys expanded.
    pub keys: u64,
    /// Words of the keys expanded.
    pub words: u64,
    /// Keys written out as sets of endings.
    pub tails: u64,
    /// States of the results.
    pub states: u64,
    /// Bytes written to scratch files.
    pub spilled_bytes: u64,
    /// Most bytes of keys, rows and automata held at once.
    pub peak_bytes: u64,
}

/// Runs passes, on its own threads and under its own memory cap, which binds passes that run at once together.
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
    memory_limit: u64,
    max_bits: usize,
    long_keys: Option<u64>,
    pool: ThreadPool,
    scratch: Option<PathBuf>,
    interrupt: Option<Arc<AtomicBool>>,
    ledger: Ledger,
    stats: Mutex<PassStats>,
}

impl Passes {
    /// Passes that hold at most `memory_limit` bytes of keys and rows, the automata of the process counted in, and use
    /// `threads` threads.
    ///
    /// # Errors
    /// [`Error::Io`] when the system refuses the threads.
    pub fn new(memory_limit: u64, threads: usize) -> Result<Self> {
        let pool = crate::store::pool(threads)?;
        let max_bits = tail::MAX_BITS;
        Ok(Self {
            memory_limit,
            max_bits,
            long_keys: None,
            pool,
            scratch: None,
            interrupt: None,
            ledger: Ledger::default(),
            stats: Mutex::default(),
        })
    }

    /// Lets rows that do not fit the memory cap go to nameless files in `folder`.
    pub fn set_scratch(&mut self, folder: PathBuf) {
        self.scratch = Some(folder);
    }

    /// Makes passes end with [`Error::Interrupted`] soon after `flag` is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// Most bytes that a pass may hold from now on, see [`Passes::new`].
    pub fn set_memory_limit(&mut self, bytes: u64) {
        self.memory_limit = bytes;
    }

    /// How many bits a residual may take that is written out as a set of endings, one for each class of endings that are not to be
    /// told apart. Results do not depend on it.
    pub fn set_max_bits(&mut self, n: usize) {
        self.max_bits = n.max(1);
    }

    /// How many bytes the keys of a layer, or a list of them, may take before those of the next are dealt by letter and worked on one letter after the
    /// other, whatever the set that is moved; under a small memory cap, fewer. Results do not depend on it.
    pub fn set_long_keys(&mut self, bytes: u64) {
        self.long_keys = Some(bytes);
    }

    /// What was done so far.
    pub fn stats(&self) -> PassStats {
        *self.stats.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of threads.
    pub fn num_threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Takes `bytes` off what passes may hold, as long as the result lives. Passes under way that lack them then end with
    /// [`Error::OutOfMemory`]; this does not.
    pub fn hold(&self, bytes: u64) -> Held<'_> {
        let account = self.ledger.open();
        account.set(bytes);
        Held { _account: account }
    }

    /// Both, at once where there are two threads; passes of either use all threads that have nothing else to do.
    pub fn join<A: Send, B: Send>(
        &self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        self.pool.join(a, b)
    }

    /// `{ y : f(y ∈ image, [y ∈ side for each side]) }`.
    ///
    /// Cost: for Breakthrough about one key of 10 words and one set of endings per state of the result.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`]; [`Error::OutOfMemory`]; [`Error::TooManyStates`]; [`Error::Io`] on scratch files;
    /// [`Error::Interrupted`].
    ///
    /// # Panics
    /// With more than [`MAX_SIDES`] side sets.
    pub fn image(&self, image: Image<'_>, sides: &[&Dfa], f: impl Fn(bool, &[bool]) -> bool) -> Result<Dfa> {
        self.run::<Finished>(image, sides, Formula::new(sides.len(), f))
    }

    /// `|{ y : f(y ∈ image, [y ∈ side for each side]) }|`, without the states of that set: for sets that memory or disk would not hold.
    ///
    /// Cost: that of [`Passes::image`] less what it takes to merge states and keep them; 16 bytes a key of the layers that wait.
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

    /// `{ y : f([y ∈ side for each side]) }`: a Boolean function of at most [`MAX_SIDES`] sets, in one product.
    ///
    /// # Errors
    /// As [`Passes::image`].
    ///
    /// # Panics
    /// With no set, or more than [`MAX_SIDES`].
    pub fn combine(&self, sides: &[&Dfa], f: impl Fn(&[bool]) -> bool) -> Result<Dfa> {
        assert!(!sides.is_empty(), "a Boolean function of at least one set");
        let shape = sides[0].shape();
        let nothing = Dfa::empty(shape);
        let formula = Formula::new(sides.len(), |_, sides| f(sides));
        self.work::<Finished>((&nothing, false), &Steps::new(shape, &[]), sides, &formula)
    }

    fn run<E: Ending>(&self, image: Image<'_>, sides: &[&Dfa], formula: Formula) -> Result<E::Whole>
    where
        E::Whole: Send,
    {
        let steps = match image.direction {
            Direction::Forward => &image.moves.forward,
            Direction::Backward => &image.moves.backward,
        };
        if &image.moves.shape != image.set.shape() {
            return Err(Error::ShapeMismatch("the moves and the set that is moved".into()));
        }
        self.work::<E>((image.set, image.complement), steps, sides, &formula)
    }

    fn work<E: Ending>(
        &self,
        (set, complement): (&Dfa, bool),
        steps: &Steps,
        sides: &[&Dfa],
        formula: &Formula,
    ) -> Result<E::Whole>
    where
        E::Whole: Send,
    {
        assert!(sides.len() <= MAX_SIDES, "at most {MAX_SIDES} side sets");
        if sides.iter().any(|side| side.shape() != set.shape()) {
            return Err(Error::ShapeMismatch("the set that is moved and a side set".into()));
        }
        let mut stats = PassStats { passes: 1, ..PassStats::default() };
        let result = self.pool.install(|| {
            let expansion = Expansion::new((set, complement), steps, sides, formula, E::COPIES)?;
            Pass::new(self, &expansion).compute::<E>(&mut stats)
        });
        self.stats.lock().unwrap_or_else(PoisonError::into_inner).add(&stats);
        result
    }
}

impl PassStats {
    fn add(&mut self, other: &Self) {
        self.passes += other.passes;
        self.keys += other.keys;
        self.words += other.words;
        self.tails += other.tails;
        self.states += other.states;
        self.spilled_bytes += other.spilled_bytes;
        self.peak_bytes = self.peak_bytes.max(other.peak_bytes);
    }
}

/// Memory beside passes that their cap counts, see [`Passes::hold`].
#[derive(Debug)]
#[must_use = "bytes are held as long as this lives"]
pub struct Held<'a> {
    _account: Account<'a>,
}
