//! An image in *units*: the first layers are expanded once, and the macrostates of the layer where they end, the *cut*, are
//! parted into lists. Each list is then worked on by itself, by any process at any time.
//!
//! 1. [`Job::plan`] expands the first layers and parts the macrostates of the cut, the *keys*, into units (`plan.rs`).
//! 2. [`Job::unit`] does all that follows for the keys of one unit: minimal layers with a root for each key, the
//!    *fragment* (`fragment.rs`).
//! 3. [`Job::merge`] makes the result of all fragments and the first layers (`merge.rs`). [`Passes::merge_some`] makes one fragment of
//!    some, so that less is left for the last merge.
//!
//! Plans and fragments go to files (`plan_file.rs`, `fragment_file.rs`), so that what is done is not lost. So does what a unit is
//! made from (`input.rs`), so that another process can do it.
//!
//! Invariant: plan and fragments depend on the sets, the moves and the formula alone, not on threads or memory.

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

/// `{ y : f(y ∈ image, [y ∈ side for each side]) }`, to be computed in units; see [`Passes::job`].
pub struct Job<'a> {
    passes: &'a Passes,
    image: Image<'a>,
    sides: Vec<&'a Dfa>,
    formula: Formula,
    fingerprint: OnceLock<Fingerprint>,
}

impl Passes {
    /// The image of [`Passes::image`], to be computed in units.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`].
    ///
    /// # Panics
    /// With more than [`crate::MAX_SIDES`] side sets.
    pub fn job<'a>(
        &'a self,
        image: Image<'a>,
        sides: &[&'a Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<Job<'a>> {
        self.job_with(image, sides.to_vec(), Formula::new(sides.len(), f))
    }

    fn job_with<'a>(&'a self, image: Image<'a>, sides: Vec<&'a Dfa>, formula: Formula) -> Result<Job<'a>> {
        if &image.moves.shape != image.set.shape() {
            return Err(Error::ShapeMismatch("the moves and the set that is moved".into()));
        }
        self.must_fit(image.set, &sides)?;
        Ok(Job { passes: self, image, sides, formula, fingerprint: OnceLock::new() })
    }
}

impl Passes {
    /// The fragment of the units of all `fragments` together, which are of one plan and follow one another.
    ///
    /// Cost: each row is read once and hashed; rows are on disk where they are too many for memory. The result is in memory.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for a fragment whose transitions lead nowhere; as [`Passes::image`].
    ///
    /// # Panics
    /// For no fragment, and for fragments of different shapes.
    pub fn merge_some(&self, fragments: Vec<FragmentFile>) -> Result<Fragment> {
        assert!(!fragments.is_empty(), "no fragment to merge");
        let (shape, cut) = fragments[0].shape();
        assert!(fragments.iter().all(|other| other.shape() == (shape, cut)), "fragments of different plans");
        let shape = shape.clone();
        let (work, scratch) = (self.budget.lend(0), self.scratch.as_ref());
        self.pool.install(|| merge::merge_some((&shape, cut), fragments, scratch, &work))
    }
}

impl Job<'_> {
    /// For the layers up to `last`.
    fn expansion<'a>(&'a self, (set, sides): (&'a Dfa, &'a [&'a Dfa]), last: usize) -> Result<Expansion<'a>> {
        let Image { complement, moves, direction, .. } = self.image;
        let within = Within { bits: self.passes.pair_bits, last };
        // Copies would make fragments depend on where expansion ends, and are next to none in images.
        Expansion::new((set, complement), moves.steps(direction), sides, &self.formula, false, within)
    }

    /// The first layers, and units of what follows.
    ///
    /// Cost: the expansion of the first layers; memory for the keys, twice.
    ///
    /// # Errors
    /// As [`Passes::image`].
    pub fn plan(&self, cutting: Cutting) -> Result<Planned> {
        if self.image.set.shape().num_layers() < 2 {
            return self.whole().map(Planned::Whole);
        }
        let (sets, fingerprint) = ((self.image.set, self.sides.as_slice()), self.fingerprint());
        let mut latest = Cutting::latest(self.image.set.shape());
        self.passes.pool.install(|| {
            loop {
                match self.expansion(sets, latest) {
                    // Units make do with a part of such a layer.
                    Err(Error::TooManyStates { layer, .. }) if layer > 1 => latest = layer - 1,
                    expansion => {
                        let work = self.passes.budget.lend(0);
                        return plan::plan(&expansion?, fingerprint, (cutting, latest), &work);
                    }
                }
            }
        })
    }

    /// The result in one pass.
    fn whole(&self) -> Result<Dfa> {
        let Image { set, complement, moves, direction } = self.image;
        self.passes.work::<Finished>((set, complement), moves.steps(direction), &self.sides, &self.formula)
    }

    /// A digest of the sets, the moves and the formula, by which a plan is known to be of this job.
    ///
    /// Cost: reads all tables of the sets, once.
    pub fn fingerprint(&self) -> Fingerprint {
        let steps = self.image.moves.steps(self.image.direction);
        let compute = || fingerprint::fingerprint(&self.image, steps, &self.sides, &self.formula);
        *self.fingerprint.get_or_init(|| self.passes.pool.install(compute))
    }

    /// Refuses a plan of another job, and keys that no job can have.
    fn must_be_of_this(&self, plan: &Plan, keys: &[&[u32]]) -> Result<()> {
        let steps = self.image.moves.steps(self.image.direction);
        let are_keys = || are_keys((self.image.set, &self.sides), steps, plan.cut, keys);
        if plan.fingerprint() == &self.fingerprint() && are_keys() {
            return Ok(());
        }
        Err(Error::Corrupt { path: "plan of units".into(), reason: "it is of another image".into() })
    }

    /// The result, from the fragments of all units of `plan` in their order. A fragment may be of several units.
    ///
    /// # Errors
    /// [`Error::Corrupt`] for a fragment whose transitions lead nowhere; as [`Passes::image`].
    pub fn merge(&self, plan: &Plan, fragments: Vec<FragmentFile>) -> Result<Dfa> {
        let work = self.passes.budget.lend(0);
        let scratch = self.passes.scratch.as_ref();
        let result = self.passes.pool.install(|| merge::merge(plan, fragments, scratch, &work))?;
        self.passes.charge(&result);
        self.passes.add(&PassStats { states: result.num_states() as u64, ..PassStats::default() });
        Ok(result)
    }

    /// What follows from keys of the layer `cut`, given with their numbers.
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

    /// The fragment of one unit of this job's plan.
    ///
    /// # Errors
    /// As [`Passes::image`]; [`Error::Corrupt`] for the plan of another job.
    ///
    /// # Panics
    /// Where the plan has no such unit.
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

    /// The fragment of `keys` of the layer `cut`, from the sets as they are.
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

/// Whether macrostates may be keys of the layer `cut` for sets and moves: all their states are there.
fn are_keys((set, sides): (&Dfa, &[&Dfa]), steps: &Steps, cut: usize, keys: &[&[u32]]) -> bool {
    let is_state = |set: &Dfa, state: u32| (state as usize) < FIRST as usize + set.num_states_from(cut);
    let packing = packing(set, cut);
    let relation_states = steps.layers[cut].num_states();
    let is_pair = |&pair: &u32| {
        let (relation, state) = packing.unpack(pair);
        // A pair whose future is known at once is in no key.
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
