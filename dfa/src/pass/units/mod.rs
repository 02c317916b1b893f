//! Computation of an image in *units*: the first layers are expanded once up to a layer called the *cut*, and the
//! macrostates of the cut are divided into lists. Each list can then be processed independently, by any process at any
//! time.
//!
//! 1. [`Job::plan`] expands the first layers and divides the macrostates of the cut, the *keys*, into units
//!    (`plan.rs`).
//! 2. [`Job::unit`] computes everything that follows from the keys of one unit. The result is a *fragment*, which
//!    consists of minimal layers with a root for each key (`fragment.rs`).
//! 3. [`Job::merge`] combines all fragments and the first layers into the result (`merge.rs`). [`Passes::merge_some`]
//!    combines some fragments into one, which leaves less work for the last merge.
//!
//! Plans and fragments are stored in files (`plan_file.rs`, `fragment_file.rs`), so that finished work is not lost. The
//! input of a unit can be stored too (`input.rs`), so that another process can compute the unit.
//!
//! Invariant: the plan and the fragments depend only on the sets, the moves and the formula, and not on threads or
//! memory.

mod buckets;
mod fingerprint;
mod fragment;
mod fragment_file;
mod input;
mod input_file;
mod merge;
mod parts;
mod plan;
mod plan_file;
mod restrict;
mod spool;
mod unit_list;

pub use fingerprint::Fingerprint;
pub use fragment::Fragment;
pub use fragment_file::FragmentFile;
pub use input::UnitInput;
pub use plan::{Cutting, Origin, Plan, Planned};
pub use unit_list::UnitList;

use plan::macrostates;

use std::sync::OnceLock;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::formula::Formula;
use crate::unique::{ACCEPT, FIRST};

use super::children::FULL;
use super::expand::{Expansion, Within, packing};
use super::macrostates::Macrostates;
use super::minimise::Finished;
use super::steps::{DONE, Steps};
use super::suffix_table::Cut;
use super::work::Pass;
use super::{Image, PassStats, Passes};

/// The set `{ y : f(y ∈ image, [y ∈ side for each side]) }`, to be computed in units; see [`Passes::job`].
pub struct Job<'a> {
    passes: &'a Passes,
    image: Image<'a>,
    sides: Vec<&'a Dfa>,
    formula: Formula,
    fingerprint: OnceLock<Fingerprint>,
}

impl Passes {
    /// Creates a job that computes the image of [`Passes::image`] in units.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] if the shapes differ.
    ///
    /// # Panics
    /// Panics if there are more than [`crate::MAX_SIDES`] side sets.
    pub fn job<'a>(
        &'a self,
        image: Image<'a>,
        sides: &[&'a Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<Job<'a>> {
        self.job_with(image, sides.to_vec(), Formula::new(sides.len(), &f))
    }

    fn job_with<'a>(&'a self, image: Image<'a>, sides: Vec<&'a Dfa>, formula: Formula) -> Result<Job<'a>> {
        if &image.moves.shape != image.set.shape() {
            return Err(Error::ShapeMismatch("the moves and the set to which they are applied".into()));
        }
        self.must_fit(image.set, &sides)?;
        Ok(Job { passes: self, image, sides, formula, fingerprint: OnceLock::new() })
    }
}

impl Passes {
    /// Merges `fragments` into the fragment of all their units, which must be consecutive units of one plan.
    ///
    /// Cost: each row is read and hashed once. Rows are stored on disk if there are too many for memory. The result is
    /// in memory.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if a transition of a fragment leads to a state that does not exist, and otherwise the
    /// same errors as [`Passes::image`].
    ///
    /// # Panics
    /// Panics if `fragments` is empty or contains fragments of different shapes.
    pub fn merge_some(&self, fragments: Vec<FragmentFile>) -> Result<Fragment> {
        assert!(!fragments.is_empty(), "at least one fragment is required");
        let (shape, cut) = fragments[0].shape();
        assert!(fragments.iter().all(|other| other.shape() == (shape, cut)), "fragments of different plans");
        let shape = shape.clone();
        let (work, scratch) = (self.budget.lend(0), self.scratch.as_ref());
        self.pool.install(|| merge::merge_some((&shape, cut), fragments, scratch, &work))
    }
}

impl Job<'_> {
    /// Creates the expansion for the layers up to `last`.
    fn expansion<'a>(&'a self, (set, sides): (&'a Dfa, &'a [&'a Dfa]), last: usize) -> Result<Expansion<'a>> {
        let Image { complement, moves, direction, .. } = self.image;
        let within = Within { bits: self.passes.pair_bits, last };
        // Copies are disabled because they would make fragments depend on where expansion ends. They are very rare in
        // images.
        Expansion::new((set, complement), moves.steps(direction), sides, &self.formula, false, within)
    }

    /// Expands the first layers, and divides the rest of the work into units.
    ///
    /// Cost: the expansion of the first layers, and memory for two copies of the keys.
    ///
    /// # Errors
    /// Returns the same errors as [`Passes::image`].
    pub fn plan(&self, cutting: Cutting) -> Result<Planned> {
        if self.image.set.shape().num_layers() < 2 {
            return self.whole().map(Planned::Whole);
        }
        let (sets, fingerprint) = ((self.image.set, self.sides.as_slice()), self.fingerprint());
        let mut latest = Cutting::latest(self.image.set.shape());
        self.passes.pool.install(|| {
            loop {
                match self.expansion(sets, latest) {
                    // Such a layer is too large for a pass over the whole set, but a unit needs only a part of it.
                    Err(Error::TooManyStates { layer, .. }) if layer > 1 => latest = layer - 1,
                    expansion => {
                        let work = self.passes.budget.lend(0);
                        return plan::plan(&expansion?, fingerprint, (cutting, latest), &work);
                    }
                }
            }
        })
    }

    /// Computes the result in one pass.
    fn whole(&self) -> Result<Dfa> {
        let Image { set, complement, moves, direction } = self.image;
        self.passes.work::<Finished>((set, complement), moves.steps(direction), &self.sides, &self.formula)
    }

    /// Returns a digest of the sets, the moves and the formula, which identifies the plans of this job.
    ///
    /// Cost: all tables of the sets are read once.
    pub fn fingerprint(&self) -> Fingerprint {
        let steps = self.image.moves.steps(self.image.direction);
        let compute = || fingerprint::fingerprint(&self.image, steps, &self.sides, &self.formula);
        *self.fingerprint.get_or_init(|| self.passes.pool.install(compute))
    }

    /// Rejects a plan of another job, and invalid keys.
    fn must_be_of_this(&self, plan: &Plan, keys: &[&[u32]]) -> Result<()> {
        let steps = self.image.moves.steps(self.image.direction);
        let are_keys = || are_keys((self.image.set, &self.sides), steps, plan.cut, keys);
        if plan.fingerprint() == &self.fingerprint() && are_keys() {
            return Ok(());
        }
        Err(Error::Corrupt { path: "plan of units".into(), reason: "it belongs to another image".into() })
    }

    /// Combines the fragments of all units of `plan`, in order, into the result. A fragment may cover several units.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if a transition of a fragment leads to a state that does not exist, and otherwise the
    /// same errors as [`Passes::image`].
    pub fn merge(&self, plan: &Plan, fragments: Vec<FragmentFile>) -> Result<Dfa> {
        let work = self.passes.budget.lend(0);
        let scratch = self.passes.scratch.as_ref();
        let result = self.passes.pool.install(|| merge::merge(plan, fragments, scratch, &work))?;
        self.passes.charge(&result);
        self.passes.add(&PassStats { states: result.num_states() as u64, ..PassStats::default() });
        Ok(result)
    }

    /// Computes the fragment of keys of the layer `cut`, which are given with their numbers.
    fn fragment(
        &self,
        expansion: &Expansion<'_>,
        cut: usize,
        (numbers, keys): (Vec<u32>, Macrostates),
        stats: &mut PassStats,
    ) -> Result<Fragment> {
        let mut table = Cut::new(expansion.shape(), self.passes.max_bits);
        let keys = self.passes.budget.lend(0).lend_to(keys);
        let finished = Pass::new(self.passes, expansion).finish(cut, keys, &mut table, stats)?;
        Ok(Fragment::new(expansion.shape(), cut, &numbers, finished.value))
    }

    /// Computes the fragment of one unit of this job's plan.
    ///
    /// # Errors
    /// Returns the same errors as [`Passes::image`], or [`Error::Corrupt`] if the plan belongs to another job.
    ///
    /// # Panics
    /// Panics if the plan has no such unit.
    pub fn unit(&self, plan: &Plan, unit: usize) -> Result<Fragment> {
        let keys = plan.keys_of(unit);
        self.must_be_of_this(plan, &keys)?;
        match self.whole_unit(plan.cut, &keys) {
            Err(Error::TooManyStates { .. }) => {
                self.passes.unit(&self.input(plan, unit, 0)?, self.image.moves)
            }
            done => done,
        }
    }

    /// Computes the fragment of `keys` of the layer `cut` from the whole sets.
    fn whole_unit(&self, cut: usize, keys: &[&[u32]]) -> Result<Fragment> {
        let mut stats = PassStats { passes: 1, ..PassStats::default() };
        let last = self.image.set.shape().num_layers();
        let fragment = self.passes.pool.install(|| {
            let expansion = self.expansion((self.image.set, &self.sides), last)?;
            let keys = macrostates(keys.iter().map(|&key| key.into()));
            self.fragment(&expansion, cut, keys, &mut stats)
        });
        self.passes.add(&stats);
        fragment
    }
}

/// Returns `true` if macrostates are valid keys of the layer `cut` for these sets and moves, that is, if all their
/// states exist.
fn are_keys((set, sides): (&Dfa, &[&Dfa]), steps: &Steps, cut: usize, keys: &[&[u32]]) -> bool {
    let is_state = |set: &Dfa, state: u32| (state as usize) < FIRST as usize + set.num_states_from(cut);
    let packing = packing(set, cut);
    let relation_states = steps.layers[cut].num_states();
    let is_pair = |&pair: &u32| {
        let (relation, state) = packing.unpack(pair);
        // Keys do not contain pairs whose residuals are constant.
        let is_open = state >= FIRST || state == ACCEPT && relation != DONE;
        is_open && relation as usize <= relation_states && is_state(set, state)
    };
    let is_key = |key: &&[u32]| {
        key.split_at_checked(sides.len()).is_some_and(|(states, pairs)| {
            let is_image = pairs == [FULL] || pairs.iter().all(is_pair);
            is_image && states.iter().zip(sides).all(|(&state, side)| is_state(side, state))
        })
    };
    keys.iter().all(is_key)
}
