//! The first layers of a job, and its units.

use std::borrow::Cow;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::unique::FIRST;

use super::fingerprint::Fingerprint;

use super::super::budget::{Bytes, Loan};
use super::super::expand::{Child, Expansion};
use super::super::macrostates::{Macrostates, PARTITIONS, Partition, hash, join, split};

/// Parameters of a plan: where the first layers end, and into how many units the rest is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutting {
    /// The cut is the first layer whose keys take at least this many bytes. It comes after three fifths of the layers
    /// at the latest, and before any layer of the set that is too large for one pass.
    pub bytes: u64,
    /// The maximum number of units.
    pub units: usize,
}

impl Cutting {
    /// Returns the last layer that may be the cut.
    pub(super) fn latest(shape: &Shape) -> usize {
        (3 * shape.num_layers() / 5).clamp(1, shape.num_layers() - 1)
    }
}

/// The result of planning.
#[derive(Debug)]
pub enum Planned {
    /// The result itself, if no work remains.
    Whole(Dfa),
    /// The first layers and the units.
    Parted(Plan),
}

/// A digest that identifies the plan of a fragment.
pub(super) type PlanDigest = [u8; 32];

/// The plan and the unit, or the consecutive units, to which an input or a fragment belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub(super) shape: Shape,
    /// The first layer of the units.
    pub(super) cut: usize,
    pub(super) plan: PlanDigest,
    /// The first unit, and the number of units.
    pub(super) unit: usize,
    pub(super) num_units: usize,
    /// The number of keys of all these units together.
    pub(super) num_keys: usize,
}

/// The first layers of a job, and the keys of its units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(super) shape: Shape,
    /// The fingerprint of the job.
    pub(super) fingerprint: Fingerprint,
    digest: PlanDigest,
    /// The layer of the keys.
    pub(super) cut: usize,
    /// The rows of the preceding layers. The last layer leads to keys.
    pub(super) top: Vec<Vec<u32>>,
    /// The concatenated words of the keys.
    pub(super) words: Vec<u32>,
    /// The end of each key in `words`.
    pub(super) ends: Vec<u32>,
    /// The first key after each unit.
    pub(super) units: Vec<u32>,
}

impl Plan {
    /// Creates a plan for the job with this fingerprint.
    pub(super) fn new(
        shape: Shape,
        fingerprint: Fingerprint,
        top: Vec<Vec<u32>>,
        (words, ends): (Vec<u32>, Vec<u32>),
        units: Vec<u32>,
    ) -> Self {
        let digest = PlanDigest::default();
        let mut plan = Self { shape, fingerprint, digest, cut: top.len(), top, words, ends, units };
        plan.digest = *blake3::hash(&plan.to_bytes()).as_bytes();
        plan
    }

    /// Returns the fingerprint of the job to which this plan belongs.
    pub fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// Returns the digest of the plan, which is stored in its fragments.
    pub(super) fn digest(&self) -> &PlanDigest {
        &self.digest
    }

    /// Returns the origin of a unit, which identifies its files.
    pub fn origin(&self, unit: usize) -> Origin {
        self.origin_of(unit..unit + 1)
    }

    /// Returns the origin of consecutive units whose fragments are merged.
    ///
    /// # Panics
    /// Panics if the plan has no such units, or if the range is empty.
    pub fn origin_of(&self, units: std::ops::Range<usize>) -> Origin {
        let num_keys = units.clone().map(|unit| self.range(unit).len()).sum();
        let (shape, num_units) = (self.shape.clone(), units.len());
        assert!(num_units > 0, "at least one unit is required");
        Origin { shape, cut: self.cut, plan: self.digest, unit: units.start, num_units, num_keys }
    }

    /// Returns the layer of the keys.
    pub fn cut(&self) -> usize {
        self.cut
    }

    /// Returns the number of units.
    pub fn num_units(&self) -> usize {
        self.units.len()
    }

    /// Returns the number of keys.
    pub fn num_keys(&self) -> usize {
        self.ends.len()
    }

    /// Returns the size of the numbers in the plan, in bytes. The file is hardly larger.
    pub fn bytes(&self) -> u64 {
        let numbers = self.top.iter().chain([&self.words, &self.ends, &self.units]).map(Vec::len);
        4 * numbers.sum::<usize>() as u64
    }

    /// Returns the number of keys of a unit, and the number of their words.
    pub fn size_of(&self, unit: usize) -> (usize, usize) {
        let keys = self.range(unit);
        (keys.len(), keys.map(|key| self.key(key).len()).sum())
    }

    fn range(&self, unit: usize) -> std::ops::Range<usize> {
        let from = if unit == 0 { 0 } else { self.units[unit - 1] };
        from as usize..self.units[unit] as usize
    }

    fn key(&self, key: usize) -> &[u32] {
        let from = if key == 0 { 0 } else { self.ends[key - 1] };
        &self.words[from as usize..self.ends[key] as usize]
    }

    /// Returns the keys of a unit.
    pub(super) fn keys_of(&self, unit: usize) -> Vec<&[u32]> {
        self.range(unit).map(|key| self.key(key)).collect()
    }
}

/// Converts different keys to macrostates. Returns the number of each key, and the macrostates.
pub(super) fn macrostates<'k>(keys: impl Iterator<Item = Cow<'k, [u32]>>) -> (Vec<u32>, Macrostates) {
    let mut macrostates = Macrostates::new();
    let number = |key: Cow<'_, [u32]>| {
        let (partition, tag) = hash(&key);
        // This cannot fail, because a plan has fewer keys than a partition can hold.
        let place = macrostates.partitions[partition].insert(tag, &key).unwrap_or_default();
        join(partition, place)
    };
    let numbers = keys.map(number).collect();
    macrostates.partitions.iter_mut().for_each(Partition::close);
    (numbers, macrostates)
}

/// Plans a job. The cut is at layer `latest` or earlier.
pub(super) fn plan(
    expansion: &Expansion<'_>,
    fingerprint: Fingerprint,
    (cutting, latest): (Cutting, usize),
    work: &Loan<'_>,
) -> Result<Planned> {
    let shape = expansion.shape();
    let mut root = Vec::new();
    match expansion.root(&mut root) {
        Child::Constant(true) => return Ok(Planned::Whole(Dfa::full(shape))),
        Child::Constant(false) => return Ok(Planned::Whole(Dfa::empty(shape))),
        Child::Copy(_) | Child::Macrostate => {}
    }
    let mut keys = Macrostates::with_root(&root);
    let mut top = Vec::new();
    // The most recent letters on the way to each key, with the latest one in the highest position.
    let mut letters: Vec<u64> = vec![0];
    for layer in 0..latest {
        if layer > 0 && bytes_of(&keys) >= cutting.bytes {
            break;
        }
        let (rows, mut next) = expansion.layer(layer, keys, false, work)?;
        keys = next.swap_remove(0);
        let starts = starts(&keys);
        let width = shape.num_letters(layer);
        let mut read = vec![u64::MAX; keys.len()];
        let mut rows: Vec<u32> = rows.0.into_iter().flatten().collect();
        for (row, before) in rows.chunks_mut(width).zip(&letters) {
            for (letter, target) in row.iter_mut().enumerate() {
                if *target >= FIRST {
                    let (partition, place) = split(*target);
                    let dense = starts[partition] + place as u32;
                    let slot = &mut read[dense as usize];
                    *slot = (*slot).min(before >> 8 | (letter as u64) << 56);
                    *target = FIRST + dense;
                }
            }
        }
        letters = read;
        top.push(rows);
    }
    let words = u32::try_from(keys.num_words());
    words.map_err(|_| Error::TooManyStates { layer: top.len(), limit: u64::from(u32::MAX) })?;
    work.resize(2 * keys.bytes())?;
    let (keys, units) = parted(&mut top, &keys, &letters, cutting.units);
    Ok(Planned::Parted(Plan::new(shape.clone(), fingerprint, top, keys, units)))
}

/// Returns the size of keys in a plan, in bytes.
fn bytes_of(keys: &Macrostates) -> u64 {
    4 * (keys.num_words() + keys.len()) as u64
}

/// Returns the number of the first macrostate of each partition in a consecutive numbering.
fn starts(keys: &Macrostates) -> Vec<u32> {
    let before = |next: &mut u32, p: usize| {
        let here = *next;
        *next += keys.partitions[p].len() as u32;
        Some(here)
    };
    (0..PARTITIONS).scan(0, before).collect()
}

/// Returns the words and ends of the keys, ordered by their last letters, and the first key after each unit. Renumbers
/// the targets of the last layer of `top` accordingly.
fn parted(
    top: &mut [Vec<u32>],
    keys: &Macrostates,
    letters: &[u64],
    units: usize,
) -> ((Vec<u32>, Vec<u32>), Vec<u32>) {
    let all: Vec<&[u32]> = keys
        .partitions
        .iter()
        .flat_map(|partition| (0..partition.len()).map(|place| partition.macrostate(place)))
        .collect();
    let mut order: Vec<u32> = (0..all.len() as u32).collect();
    order.sort_unstable_by_key(|&key| (letters[key as usize], key));
    let mut number = vec![0; all.len()];
    let (mut words, mut ends) = (Vec::with_capacity(keys.num_words()), Vec::with_capacity(all.len()));
    for (place, &key) in order.iter().enumerate() {
        number[key as usize] = FIRST + place as u32;
        words.extend_from_slice(all[key as usize]);
        ends.push(words.len() as u32);
    }
    if let Some(last) = top.last_mut() {
        for target in last.iter_mut().filter(|t| **t >= FIRST) {
            *target = number[(*target - FIRST) as usize];
        }
    }
    let share = words.len().div_ceil(units.max(1)).max(1);
    let mut parts = Vec::new();
    for (key, &end) in ends.iter().enumerate() {
        if end as usize >= share * (parts.len() + 1) || key + 1 == ends.len() {
            parts.push(key as u32 + 1);
        }
    }
    ((words, ends), parts)
}
