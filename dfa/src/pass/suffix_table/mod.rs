//! The suffix table: in the last layers of a pass, residuals are represented explicitly as sets of suffixes, encoded in
//! bits.
//!
//! In the last layers, many macrostates represent the same few residuals. From the cut on, the residual of an image
//! pair is a row of bits. The residual of a macrostate is computed by applying the formula to the union of its pairs'
//! rows (`evaluator.rs`). Equal rows are equal residuals, so no residual is expanded twice.
//!
//! A bit represents a class of suffixes (`residuals/`), all of which are contained in, or missing from, the same
//! residuals of the layer. In a game in which a pawn that has broken through wins, nearly all suffixes with such a pawn
//! belong to one class. This allows an early cut.

mod cut;
mod evaluator;

use rayon::prelude::*;

use crate::error::Result;
use crate::shape::Shape;
use crate::unique::REJECT;

pub(super) use cut::Cut;
use evaluator::Evaluator;

use super::bits::{Bits, ones};
use super::budget::Loan;
use super::classes::Classes;
use super::expand::Expansion;
use super::inputs::{InputStates, Inputs};
use super::intern::{Distinct, Interner, TOGETHER};
use super::macrostates::{Macrostates, join, split};
use super::minimise::Finished;
use super::residuals::Residuals;

/// The maximum number of bits in a row. For the cost of other values, see `lab/engine-log.md`.
pub(super) const MAX_BITS: usize = 4096;
/// The number of macrostates that a task evaluates.
const STRETCH: usize = 1 << 10;
/// The number of ranges that are evaluated between two checks of the memory.
const BATCH: usize = 1 << 8;

/// Returns the number of bytes that [`build`] needs in addition to tables: for each macrostate, its place in the order,
/// its number and its state.
pub(super) fn bytes_beside(macrostates: &Macrostates) -> u64 {
    16 * macrostates.len() as u64
}

/// Computes states for all `macrostates` of a layer, and the tables of the layers from there on. `wanted` contains the
/// states of the inputs of the macrostates. Returns `None` if rows of bits would be longer than `cut` allows, or would
/// take more than `room`.
///
/// # Errors
/// Returns the same errors as [`Loan::resize`], or [`Error::TooManyStates`].
pub(super) fn build(
    expansion: &Expansion<'_>,
    (cut, layer): (&mut Cut, usize),
    macrostates: &Macrostates,
    wanted: InputStates,
    room: u64,
    work: &Loan<'_>,
) -> Result<Option<Finished>> {
    let _beside = work.another(bytes_beside(macrostates));
    let most = if cut.must_be(layer) { usize::MAX } else { cut.most };
    let residuals = Residuals::new(&Inputs::new(expansion, layer), wanted, (most, room), work)?;
    if residuals.layer > layer {
        // There are more classes than in the sample.
        cut.no_earlier(residuals.layer, expansion.shape().num_layers());
        return Ok(None);
    }
    let evaluator = Evaluator::new(expansion, residuals);
    let interner = Interner::new(evaluator.zeros.len());
    let order = alike(macrostates);
    let mut numbers: Vec<(usize, Vec<u32>)> = Vec::with_capacity(order.len().div_ceil(STRETCH));
    for batch in order.chunks(BATCH * STRETCH) {
        let of_stretch = |stretch| evaluator.number(layer, macrostates, stretch, &interner);
        numbers.extend(batch.par_chunks(STRETCH).map(of_stretch).collect::<Result<Vec<_>>>()?);
        let held = evaluator.residuals.bytes() + interner.bytes();
        work.resize(held)?;
        if held > room {
            return Ok(None);
        }
    }
    let Evaluator { residuals: Residuals { rows, classes, .. }, .. } = evaluator;
    drop(rows);
    let (table, numbering) = interner.finish(layer)?;
    let mut states: Vec<Vec<u32>> = macrostates.partitions.iter().map(|p| vec![REJECT; p.len()]).collect();
    for (stretch, (lane, numbers)) in order.chunks(STRETCH).zip(&numbers) {
        for (&(_, macrostate), &number) in stretch.iter().zip(numbers) {
            let (partition, place) = split(macrostate);
            states[partition][place] = numbering.state(*lane, number);
        }
    }
    drop((order, numbers));
    let tables = tables(expansion.shape(), layer, &classes, table.into_distinct(), work)?;
    Ok(Some(Finished { states, tables }))
}

/// Returns all macrostates in the order of their last words. Macrostates with common image pairs, whose residuals are
/// often equal, are then adjacent.
fn alike(macrostates: &Macrostates) -> Vec<(u32, u32)> {
    let of_stretch = |&(p, from, to): &(usize, usize, usize)| {
        let last = move |place| macrostates.partitions[p].macrostate(place).last().copied().unwrap_or(0);
        (from..to).map(move |place| (last(place), join(p, place as u32)))
    };
    let mut order: Vec<(u32, u32)> =
        macrostates.stretches(STRETCH).par_iter().flat_map_iter(of_stretch).collect();
    order.par_sort_unstable();
    order
}

/// Splits the distinct residuals of a layer by their first letter, then those of the next layer, and so on until the
/// last one.
fn tables(
    shape: &Shape,
    from: usize,
    classes: &[Classes],
    mut rows: Distinct<u64>,
    work: &Loan<'_>,
) -> Result<Vec<Distinct<u32>>> {
    let mut tables: Vec<Distinct<u32>> = Vec::new();
    for (layer, classes) in (from..).zip(classes) {
        let letters = shape.num_letters(layer);
        let words = classes.len().div_ceil(64);
        let part = Bits::new(classes.below());
        let full = ones(part.len);
        let interner = Interner::new(part.words);
        let split = |rows: &Vec<u64>| -> Result<(usize, Vec<u32>)> {
            let mut writer = interner.writer(layer + 1);
            let mut buffer = vec![0; TOGETHER * letters * part.words];
            let mut targets = Vec::with_capacity(rows.len() / words * letters);
            for rows in rows.chunks(TOGETHER * words) {
                let children = &mut buffer[..rows.len() / words * letters * part.words];
                for (row, children) in rows.chunks(words).zip(children.chunks_mut(letters * part.words)) {
                    for (letter, child) in children.chunks_mut(part.words).enumerate() {
                        classes.scatter(letter, row, &full, child);
                    }
                }
                writer.intern_all(children, |row| part.constant(row).map(u32::from), &mut targets)?;
            }
            Ok((writer.lane, targets))
        };
        let targets: Vec<(usize, Vec<u32>)> = rows.shards.par_iter().map(split).collect::<Result<_>>()?;
        work.resize(tables.iter().map(Distinct::bytes).sum::<u64>() + rows.bytes() + interner.bytes())?;
        let (table, numbering) = interner.finish(layer + 1)?;
        let renumbered = targets.into_par_iter().map(|(lane, mut targets)| {
            numbering.apply(lane, &mut targets);
            targets
        });
        tables.push(Distinct::of_shards(letters, renumbered.collect()));
        rows = table.into_distinct();
    }
    Ok(tables)
}
