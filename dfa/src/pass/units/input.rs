//! The input of one unit: its keys, and the parts of the sets that are reachable from them.
//!
//! With its input, a unit needs neither the whole sets nor the plan, and a worker holds only the part of its unit in
//! memory. States are numbered within the part. This also helps if a set has too many states for one pass: an image
//! pair packs a state of the relation and a state of the set into 32 bits, and a part has fewer states.

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::formula::Formula;
use crate::shape::Shape;

use super::super::children::{FULL, Packing};
use super::super::expand::packing;
use super::super::{Direction, Image, PassMoves, Passes};
use super::fingerprint::{Fingerprint, of_moves};
use super::fragment::Fragment;
use super::plan::{Origin, Plan};
use super::restrict::Part;
use super::{Job, are_keys};

/// The input from which a unit of a [`Plan`] is computed.
#[derive(Clone, Debug)]
pub struct UnitInput {
    pub(super) origin: Origin,
    /// The number by which the moves are found, and their fingerprint.
    pub(super) moves: u32,
    pub(super) moves_are: Fingerprint,
    pub(super) direction: Direction,
    pub(super) complement: bool,
    pub(super) formula: Formula,
    /// The part of the source set, followed by those of the side sets.
    pub(super) sets: Vec<Dfa>,
    /// The concatenated words of the keys, and the end of each key.
    pub(super) words: Vec<u32>,
    pub(super) ends: Vec<u32>,
}

impl Job<'_> {
    /// Creates the input of a unit of this job's plan. `moves` is a number by which other processes can find the moves.
    ///
    /// Cost: the rows that are reachable from the keys are copied; one bit for each state of the sets.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the plan belongs to another job.
    ///
    /// # Panics
    /// Panics if the plan has no such unit.
    pub fn input(&self, plan: &Plan, unit: usize, moves: u32) -> Result<UnitInput> {
        let keys = plan.keys_of(unit);
        self.must_be_of_this(plan, &keys)?;
        let Image { set, complement, direction, .. } = self.image;
        let (cut, num_sides, old) = (plan.cut(), self.sides.len(), packing(set, plan.cut()));
        let pairs = keys.iter().flat_map(|key| &key[num_sides..]).filter(|&&pair| pair != FULL);
        let moved = Part::new(set, cut, pairs.map(|&pair| old.unpack(pair).1));
        let of_side = |(j, side): (usize, &&Dfa)| Part::new(side, cut, keys.iter().map(|key| key[j]));
        let sides: Vec<Part> = self.sides.iter().enumerate().map(of_side).collect();
        let new = packing(&moved.set, cut);
        let (mut words, mut ends) = (Vec::with_capacity(keys.iter().map(|key| key.len()).sum()), Vec::new());
        for key in keys {
            let (states, pairs) = key.split_at(num_sides);
            words.extend(states.iter().zip(&sides).map(|(&state, part)| part.of(state)));
            words.extend(pairs.iter().map(|&pair| renumbered(pair, (old, new), &moved)));
            ends.push(words.len() as u32);
        }
        Ok(UnitInput {
            origin: plan.origin(unit),
            moves,
            moves_are: of_moves(self.image.moves, direction),
            direction,
            complement,
            formula: self.formula,
            sets: [moved].into_iter().chain(sides).map(|part| part.set).collect(),
            words,
            ends,
        })
    }
}

/// Renumbers an image pair for the part. The order of pairs is preserved.
fn renumbered(pair: u32, (old, new): (Packing, Packing), moved: &Part) -> u32 {
    match pair {
        FULL => FULL,
        pair => {
            let (relation, state) = old.unpack(pair);
            new.pack(relation, moved.of(state))
        }
    }
}

impl UnitInput {
    /// Returns the number by which the moves are found.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Returns the identity of the unit and its plan.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the number of bytes that the parts of sets and the keys occupy in memory. The file is smaller.
    pub fn bytes(&self) -> u64 {
        let numbers = self.words.len() + self.ends.len();
        self.sets.iter().map(Dfa::bytes).sum::<u64>() + 4 * numbers as u64
    }

    pub(super) fn shape(&self) -> &Shape {
        &self.origin.shape
    }

    pub(super) fn keys(&self) -> Vec<&[u32]> {
        let mut start = 0;
        let key = |&end: &u32| {
            let key = &self.words[start..end as usize];
            start = end as usize;
            key
        };
        self.ends.iter().map(key).collect()
    }
}

impl Passes {
    /// Computes the fragment of a unit, like [`Job::unit`].
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the moves differ from those for which the unit was planned or if its keys are
    /// invalid, and otherwise the same errors as [`Passes::image`].
    pub fn unit(&self, input: &UnitInput, moves: &PassMoves) -> Result<Fragment> {
        let (sets, &UnitInput { direction, complement, formula, .. }) = (&input.sets, input);
        let wrong = |reason: &str| Error::Corrupt { path: "unit input".into(), reason: reason.into() };
        let Some((set, sides)) = sets.split_first() else { return Err(wrong("it contains no sets")) };
        if of_moves(moves, direction) != input.moves_are {
            return Err(wrong("it was created for other moves"));
        }
        let (job, keys) = (Image { set, complement, moves, direction }, input.keys());
        let job = self.job_with(job, sides.iter().collect(), formula)?;
        if !are_keys((set, &job.sides), moves.steps(direction), input.origin.cut, &keys) {
            return Err(wrong("it contains invalid keys"));
        }
        job.whole_unit(input.origin.cut, &keys)
    }
}
