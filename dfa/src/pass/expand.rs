//! Expansion of the macrostates of one layer, which creates a row of children for each of them and the distinct
//! macrostates of the next layer.
//!
//! The work is done in batches. First, threads create the children of ranges of macrostates in buffers, one for each
//! partition of the next layer. Then they merge the buffers, where each partition is handled by one thread. As a
//! result, the places of macrostates depend only on the order of the ranges. The macrostates of the next layer may be
//! distributed to lists by letter, so that the pass can process one list at a time.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::formula::{Evaluation, FALSE, Formula, MAX_SIDES, OPEN, TRUE, Table};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::budget::{Bytes, Loan};
use super::children::{FULL, Lists, Packing, View, flipped, sort};
use super::deal::{ChildBuffers, merge};
use super::macrostates::{COPY, Macrostates, PARTITIONS, Partition, hash};
use super::rows::Rows;
use super::steps::{DONE, StepLayer, Steps};

/// The number of macrostates whose children one task creates before they are merged.
const STRETCH: usize = 1 << 11;
/// The maximum number of ranges in a batch.
const BATCH: usize = 64;
/// The fraction of the memory available under the cap that the buffers of a batch may take, as a divisor.
const SHARE_OF_ROOM: u64 = 8;
/// The number of macrostates by which rows are read in advance.
const AHEAD: usize = 6;
/// The number of bits of an image pair. A pair must be positive as a signed number, which its comparison requires.
pub(super) const PAIR_BITS: u32 = 31;

/// The result of evaluating a residual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// Every continuation has this value.
    Constant(bool),
    /// The residual equals that of this state of the first side set.
    Copy(u32),
    /// The residual is a macrostate, which was left in the scratch buffer.
    Macrostate,
}

/// The limits for image pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    /// The maximum number of bits of a pair, at most [`PAIR_BITS`].
    pub(super) bits: u32,
    /// The last layer for which pairs are needed.
    pub(super) last: usize,
}

/// Returns the packing of the image pairs of a layer.
pub(super) fn packing(set: &Dfa, layer: usize) -> Packing {
    Packing { bits: u32::BITS - (set.num_states_from(layer) as u32 + FIRST).leading_zeros() }
}

/// The data that all expansions of one pass share.
pub(super) struct Expansion<'a> {
    set: &'a Dfa,
    /// 1 if the constants of the set are swapped, because the moves are applied to its complement.
    flip: u32,
    steps: &'a Steps,
    sides: &'a [&'a Dfa],
    formula: &'a Formula,
    table: Table,
    /// Whether children that depend only on the first side set are copied from it.
    copies: bool,
    packings: Vec<Packing>,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(
        (set, complement): (&'a Dfa, bool),
        steps: &'a Steps,
        sides: &'a [&'a Dfa],
        formula: &'a Formula,
        copies: bool,
        within: Within,
    ) -> Result<Self> {
        let n = set.shape().num_layers();
        let mut packings = Vec::with_capacity(n + 1);
        for layer in 0..=n {
            let relation_states = steps.layers.get(layer).map_or(0, StepLayer::num_states) as u32 + 1;
            let packing = packing(set, layer);
            let above = u32::BITS - relation_states.leading_zeros();
            if layer <= within.last && packing.bits + above > within.bits {
                return Err(Error::TooManyStates { layer, limit: 1 << within.bits.saturating_sub(above) });
            }
            packings.push(packing);
        }
        let flip = u32::from(complement);
        let table = Table::new(formula);
        Ok(Self { set, flip, steps, sides, formula, table, copies, packings })
    }

    pub(super) fn shape(&self) -> &'a Shape {
        self.set.shape()
    }

    pub(super) fn sides(&self) -> &'a [&'a Dfa] {
        self.sides
    }

    /// Returns the number of bytes of the source set.
    pub(super) fn moved_bytes(&self) -> u64 {
        self.set.bytes()
    }

    pub(super) fn formula(&self) -> &'a Formula {
        self.formula
    }

    /// Returns an exclusive upper bound of the image pairs of a layer.
    pub(super) fn pair_limit(&self, layer: usize) -> u32 {
        let steps = self.steps.layers.get(layer).map_or(0, |steps| steps.num_states() as u32);
        (steps + 1) << self.packings[layer].bits
    }

    /// Computes the macrostate of the whole result.
    pub(super) fn root(&self, out: &mut Vec<u32>) -> Child {
        out.extend(self.sides.iter().map(|side| side.raw_root()));
        let q = flipped(self.set.raw_root(), self.flip);
        let mut full = false;
        if q != REJECT {
            for &m in &self.steps.roots {
                full |= m == DONE && q == ACCEPT;
                out.push(self.packings[0].pack(m, q));
            }
        }
        // Reserve room for the mark of a full image.
        let len = out.len();
        out.push(REJECT);
        let (child, len) = self.settle(out, len, full);
        out.truncate(len);
        child
    }

    /// Returns the data of one layer that expansion reads.
    pub(super) fn view(&self, layer: usize) -> View<'_> {
        View {
            letters: self.shape().num_letters(layer),
            flip: self.flip,
            rows: self.set.raw_rows(layer),
            steps: &self.steps.layers[layer],
            here: self.packings[layer],
            next: self.packings[layer + 1],
            sides: self.sides.iter().map(|side| side.raw_rows(layer)).collect(),
        }
    }

    /// Evaluates a child as far as its inputs are known, removes the parts on which its value does not depend, and
    /// sorts its image pairs.
    #[inline]
    fn settle(&self, list: &mut [u32], len: usize, full: bool) -> (Child, usize) {
        let sides = self.sides.len();
        let mut known = [FALSE; MAX_SIDES + 1];
        known[0] = match (full, len > sides) {
            (true, _) => TRUE,
            (false, true) => OPEN,
            (false, false) => FALSE,
        };
        for (slot, &state) in known[1..].iter_mut().zip(&list[..sides]) {
            *slot = state.min(FIRST) as u8;
        }
        let depends = match self.table.get(&known[..=sides]) {
            Evaluation::Constant(value) => return (Child::Constant(value), 0),
            Evaluation::FirstSide if self.copies => return (Child::Copy(list[0]), 0),
            Evaluation::FirstSide => 1 << 1,
            Evaluation::Depends(depends) => depends,
        };
        for (j, state) in list[..sides].iter_mut().enumerate() {
            if *state >= FIRST && depends >> (j + 1) & 1 == 0 {
                *state = REJECT;
            }
        }
        let len = match (depends & 1 == 1, full) {
            (true, _) => sides + sort(&mut list[sides..len]),
            (false, true) => {
                list[sides] = FULL;
                sides + 1
            }
            (false, false) => sides,
        };
        (Child::Macrostate, len)
    }

    /// Returns the image pairs of a macrostate, or `None` if the image is full.
    pub(super) fn pairs<'k>(&self, macrostate: &'k [u32]) -> Option<&'k [u32]> {
        let pairs = &macrostate[self.sides.len()..];
        if pairs.first() == Some(&FULL) { None } else { Some(pairs) }
    }

    /// Returns the rows of all `macrostates` of `layer`, and the macrostates of the next layer. These are in a single
    /// list or, if `by_letter` is set, in one list for each letter, whose numbers are then used in the letter's column
    /// of the rows. Macrostates are freed as they are expanded. `work` is the loan for all of this.
    ///
    /// # Errors
    /// Returns the same errors as [`Loan::resize`], or [`Error::TooManyStates`].
    pub(super) fn layer(
        &self,
        layer: usize,
        mut macrostates: Macrostates,
        by_letter: bool,
        work: &Loan<'_>,
    ) -> Result<(Rows, Vec<Macrostates>)> {
        let letters = self.shape().num_letters(layer);
        let mut rows: Vec<Vec<u32>> =
            macrostates.partitions.iter().map(|p| Vec::with_capacity(p.len() * letters)).collect();
        let mut next: Vec<Macrostates> =
            (0..if by_letter { letters } else { 1 }).map(|_| Macrostates::new()).collect();
        let stretches = macrostates.stretches(STRETCH);
        let longest = stretches.iter().map(|&(_, from, to)| to - from).max().unwrap_or(0);
        let at_once =
            at_once(work.room() / SHARE_OF_ROOM, ChildBuffers::bytes_for(next.len(), letters * longest));
        let mut made: Vec<ChildBuffers> = (0..stretches.len().min(at_once))
            .map(|_| ChildBuffers::new(next.len(), letters * longest))
            .collect();
        let mut open = 0;
        for batch in stretches.chunks(at_once) {
            if let Some(&(first, _, _)) = batch.first() {
                macrostates.partitions[open..first].iter_mut().for_each(|done| *done = Partition::default());
                open = first;
            }
            let rows_bytes = rows.iter().map(|r| 4 * r.capacity() as u64).sum::<u64>();
            let made_bytes = made.iter().map(ChildBuffers::bytes).sum::<u64>();
            let lists_bytes = macrostates.bytes() + next.iter().map(Macrostates::bytes).sum::<u64>();
            work.resize(lists_bytes + rows_bytes + made_bytes)?;
            let made = &mut made[..batch.len()];
            made.par_iter_mut().zip(batch).for_each(|(made, &(p, from, to))| {
                self.make(layer, &macrostates.partitions[p], (from, to), by_letter, made)
            });
            let partitions = next.iter_mut().flat_map(|macrostates| &mut macrostates.partitions).collect();
            merge(made, partitions).ok_or(Error::TooManyStates { layer, limit: u64::from(u32::MAX) })?;
            made.par_iter_mut().for_each(ChildBuffers::number);
            for (&(p, _, _), made) in batch.iter().zip(&*made) {
                rows[p].extend_from_slice(&made.targets);
            }
        }
        next.iter_mut()
            .for_each(|macrostates| macrostates.partitions.par_iter_mut().for_each(Partition::close));
        Ok((Rows(rows), next))
    }

    /// Creates the children of the macrostates at places `from` to `to` of a partition. They are put into outboxes for
    /// the partitions of one list, or of one list for each letter.
    fn make(
        &self,
        layer: usize,
        partition: &Partition,
        (from, to): (usize, usize),
        by_letter: bool,
        made: &mut ChildBuffers,
    ) {
        let view = self.view(layer);
        made.clear();
        let mut lists = Lists::new(view.letters);
        for place in from..to {
            if place + AHEAD < to {
                view.touch(partition.macrostate(place + AHEAD));
            }
            lists.fill(&view, partition.macrostate(place));
            for letter in 0..view.letters {
                let (list, len, full) = lists.get(letter);
                made.targets.push(match self.settle(list, len, full) {
                    (Child::Constant(value), _) => u32::from(value),
                    (Child::Copy(state), _) => COPY | state,
                    (Child::Macrostate, len) => {
                        let (p, tag) = hash(&list[..len]);
                        let outbox = if by_letter { letter * PARTITIONS + p } else { p };
                        made.outboxes[outbox].push(&list[..len], tag);
                        FIRST + outbox as u32
                    }
                });
            }
        }
    }
}

/// Returns the number of ranges in a batch whose buffers of `bytes` each should fit into `room`, but at least one for
/// each thread.
fn at_once(room: u64, bytes: u64) -> usize {
    usize::try_from(room / bytes.max(1))
        .unwrap_or(BATCH)
        .clamp(rayon::current_num_threads().min(BATCH), BATCH)
}
