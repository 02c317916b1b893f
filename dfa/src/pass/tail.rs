//! The last layers of a pass: residuals as exact sets of endings.
//!
//! In the last layers many keys stand for the same few residuals. From some layer on a member's residual is a row of bits, a
//! key's is their union put through the formula, and equal rows of bits are equal residuals: nothing is expanded twice.
//!
//! A bit is not of one ending but of a class of endings that no residual of the layer tells apart (`members.rs`): where pawns that
//! are through have won, nearly all endings with one are of one class. That lets the last layers begin early.

use std::hint::black_box;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::formula::{Circuit, MAX_SIDES};
use crate::shape::Shape;
use crate::unique::{ACCEPT, REJECT};

use super::bits::{Bits, ones};
use super::children::sort;
use super::classes::Classes;
use super::expand::{Check, Expansion};
use super::inputs::{IMAGE, Inputs, Wanted};
use super::intern::{Distinct, Interner, TOGETHER};
use super::keys::{Keys, join, split};
use super::members::Residuals;
use super::minimise::Finished;

/// Most bits of a row, see `results/engine-log.md` for what other values cost.
pub(super) const MAX_BITS: usize = 4096;
/// Expansion ends in none of the layers with more endings.
const MAX_ENDINGS: usize = 1 << 20;
/// Endings that are written out whatever the number of keys.
const FEW_ENDINGS: usize = 256;
/// Keys have at least so many words for each state that has to be written out for them: expanding them costs more from there on.
const WORDS_A_STATE: usize = 8;
/// Keys that are looked at to find out how many classes there are.
const SAMPLE: usize = 1024;
/// Keys that a task evaluates.
const STRETCH: usize = 1 << 10;
/// Stretches evaluated between two looks at the memory.
const BATCH: usize = 1 << 8;

/// Where expansion ends.
#[derive(Clone)]
pub(super) struct Cut {
    /// Most bits of a row.
    most: usize,
    /// The first layer that may be it.
    first: usize,
    /// The last one.
    last: usize,
    /// From the last layer back, how many bits a row of a sample of keys takes, up to [`Cut::most`].
    bits: Option<Vec<usize>>,
    /// Grows with each attempt that did not fit: rows must be expected to take so much less than what there is.
    caution: u64,
}

impl Cut {
    pub(super) fn new(shape: &Shape, most: usize) -> Self {
        let [first, last] = [MAX_ENDINGS, FEW_ENDINGS.min(most)].map(|endings| first_with(shape, endings));
        Self { most, first, last, bits: None, caution: 1 }
    }

    /// Whether expansion ends here whatever the keys.
    pub(super) fn must_be(&self, layer: usize) -> bool {
        layer >= self.last
    }

    /// What the `keys` of `layer` stand for, if their residuals are to be written out: they are long and many beside the
    /// states whose residuals that takes, a row takes few enough bits, and the rows of those states fit
    /// `room`; or endings are very few.
    ///
    /// # Errors
    /// Those of `check`, which is told the bytes under work, but for a lack of memory.
    pub(super) fn at(
        &mut self,
        expansion: &Expansion<'_>,
        layer: usize,
        keys: &Keys,
        room: u64,
        check: Check<'_>,
    ) -> Result<Option<Wanted>> {
        if layer < self.first {
            return Ok(None);
        }
        let inputs = Inputs::new(expansion, layer);
        let wanted = inputs.none(layer);
        inputs.add(&wanted, keys, 1);
        if self.must_be(layer) {
            return Ok(Some(wanted));
        }
        if keys.num_words() < WORDS_A_STATE * wanted.len() {
            return Ok(None);
        }
        let num_layers = expansion.shape().num_layers();
        if self.bits.is_none() {
            let sample = inputs.none(layer);
            inputs.add(&sample, keys, (keys.len() / SAMPLE).max(1));
            let classes = match Residuals::new(&inputs, sample, (self.most, u64::MAX), check) {
                Err(Error::OutOfMemory { .. }) => return Ok(None),
                residuals => residuals?.classes,
            };
            let of_layer =
                |(layer, classes): (usize, &Classes)| expansion.shape().num_letters(layer) * classes.below();
            self.bits = Some((layer..num_layers).rev().zip(classes.iter().rev()).map(of_layer).collect());
        }
        let bits = self.bits.iter().flatten().nth(num_layers - 1 - layer);
        let bytes = bits.map(|bits| (8 * bits.div_ceil(64) * wanted.len()) as u64);
        Ok(bytes.is_some_and(|bytes| bytes <= room / self.caution).then_some(wanted))
    }

    /// Makes later attempts more careful.
    pub(super) fn did_not_fit(&mut self) {
        self.caution *= 2;
    }

    /// Takes over what another one learnt from attempts that did not fit.
    pub(super) fn be_as_careful_as(&mut self, other: &Self) {
        self.caution = self.caution.max(other.caution);
    }

    /// Lets no layer before `layer` be it any more.
    fn no_earlier(&mut self, layer: usize, num_layers: usize) {
        if let Some(bits) = &mut self.bits {
            bits.truncate(num_layers - layer);
        }
    }
}

/// The first layer with at most `most` endings.
pub(super) fn first_with(shape: &Shape, most: usize) -> usize {
    let mut endings = 1usize;
    let fits = |&layer: &usize| {
        endings = endings.saturating_mul(shape.num_letters(layer));
        endings <= most
    };
    (0..shape.num_layers()).rev().take_while(fits).last().unwrap_or(shape.num_layers())
}

/// Bytes that [`build`] needs for each of the keys: where it comes in order, its number and its state.
pub(super) fn bytes_beside(keys: &Keys) -> u64 {
    16 * keys.len() as u64
}

/// States for all `keys` of a layer, which stand for what is `wanted`; `None` if rows of bits would be longer than `cut`
/// allows, or take more than `room`.
///
/// # Errors
/// Those of `check`, which is told the bytes under work; [`Error::TooManyStates`].
pub(super) fn build(
    expansion: &Expansion<'_>,
    (cut, layer): (&mut Cut, usize),
    keys: &Keys,
    wanted: Wanted,
    room: u64,
    check: Check<'_>,
) -> Result<Option<Finished>> {
    let beside = keys.bytes() + bytes_beside(keys);
    let check = |bytes| check(beside + bytes);
    let most = if cut.must_be(layer) { usize::MAX } else { cut.most };
    let residuals = Residuals::new(&Inputs::new(expansion, layer), wanted, (most, room), &check)?;
    if residuals.layer > layer {
        // More classes than the sample had.
        cut.no_earlier(residuals.layer, expansion.shape().num_layers());
        return Ok(None);
    }
    let evaluator = Evaluator::new(expansion, residuals);
    let interner = Interner::new(evaluator.zeros.len());
    let order = alike(keys);
    let mut numbers: Vec<(usize, Vec<u32>)> = Vec::with_capacity(order.len().div_ceil(STRETCH));
    for batch in order.chunks(BATCH * STRETCH) {
        let of_stretch = |stretch| evaluator.number(layer, keys, stretch, &interner);
        numbers.extend(batch.par_chunks(STRETCH).map(of_stretch).collect::<Result<Vec<_>>>()?);
        let held = evaluator.residuals.bytes() + interner.bytes();
        check(held)?;
        if held > room {
            return Ok(None);
        }
    }
    let Evaluator { residuals: Residuals { rows, classes, .. }, .. } = evaluator;
    drop(rows);
    let (table, numbering) = interner.finish(layer)?;
    let mut states: Vec<Vec<u32>> = keys.partitions.iter().map(|p| vec![REJECT; p.len()]).collect();
    for (stretch, (lane, numbers)) in order.chunks(STRETCH).zip(&numbers) {
        for (&(_, key), &number) in stretch.iter().zip(numbers) {
            let (partition, place) = split(key);
            states[partition][place] = numbering.state(*lane, number);
        }
    }
    drop((order, numbers));
    let tables = tables(expansion.shape(), layer, &classes, table.into_distinct(), &check)?;
    Ok(Some(Finished { states, tables }))
}

/// All keys by their last words, so that those with members in common, whose residuals are often equal, follow one another.
fn alike(keys: &Keys) -> Vec<(u32, u32)> {
    let of_stretch = |&(p, from, to): &(usize, usize, usize)| {
        let last = move |place| keys.partitions[p].key(place).last().copied().unwrap_or(0);
        (from..to).map(move |place| (last(place), join(p, place as u32)))
    };
    let mut order: Vec<(u32, u32)> = keys.stretches(STRETCH).par_iter().flat_map_iter(of_stretch).collect();
    order.par_sort_unstable();
    order
}

/// Splits the distinct residuals of a layer, over classes of endings, by first letter, and so on to the last layer.
fn tables(
    shape: &Shape,
    from: usize,
    classes: &[Classes],
    mut rows: Distinct<u64>,
    check: Check<'_>,
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
        check(tables.iter().map(Distinct::bytes).sum::<u64>() + rows.bytes() + interner.bytes())?;
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

/// Turns keys of the cut layer into rows of bits.
struct Evaluator<'a> {
    expansion: &'a Expansion<'a>,
    residuals: Residuals,
    circuit: Circuit,
    ones: Vec<u64>,
    zeros: Vec<u64>,
}

impl<'a> Evaluator<'a> {
    fn new(expansion: &'a Expansion<'a>, residuals: Residuals) -> Self {
        let circuit = Circuit::new(expansion.formula());
        let len = residuals.len;
        Self { expansion, residuals, circuit, ones: ones(len), zeros: vec![0; len.div_ceil(64)] }
    }

    /// Lane and provisional numbers of the residuals of a stretch of keys.
    fn number(
        &self,
        layer: usize,
        keys: &Keys,
        stretch: &[(u32, u32)],
        interner: &Interner<u64>,
    ) -> Result<(usize, Vec<u32>)> {
        let bits = Bits::new(self.residuals.len);
        let image = &self.residuals.rows[IMAGE];
        let mut writer = interner.writer(layer);
        let mut numbers = Vec::with_capacity(stretch.len());
        let mut scratch = vec![0; bits.words];
        let mut rows = vec![0; TOGETHER * bits.words];
        let (mut members, mut spans) = (Vec::new(), Vec::with_capacity(TOGETHER));
        // What is read for many keys is on its way from memory at once: keys, then numbers of rows, then rows.
        for stretch in stretch.chunks(TOGETHER) {
            let key = |&(_, key): &(u32, u32)| keys.key(key);
            black_box(stretch.iter().fold(0, |all, at| all ^ key(at).last().copied().unwrap_or(0)));
            members.clear();
            spans.clear();
            for at in stretch {
                let start = members.len();
                members.extend_from_slice(self.expansion.members(key(at)).unwrap_or(&[]));
                spans.push(start..members.len());
            }
            members.iter_mut().for_each(|member| *member = image.number(*member));
            for span in &mut spans {
                span.end = span.start + sort(&mut members[span.clone()]);
            }
            let touched = spans.iter().flat_map(|span| &members[span.clone()]);
            black_box(touched.fold(0, |all, &number| all ^ image.touch(number)));
            for ((at, row), span) in stretch.iter().zip(rows.chunks_mut(bits.words)).zip(&spans) {
                self.row(key(at), &members[span.clone()], &mut scratch, row);
            }
            let rows = &rows[..stretch.len() * bits.words];
            writer.intern_all(rows, |row| bits.constant(row).map(u32::from), &mut numbers)?;
        }
        Ok((writer.lane, numbers))
    }

    /// The union of the rows with these `numbers`, at least two.
    fn unite(&self, numbers: &[u32], out: &mut [u64]) {
        let row = |number: u32| self.residuals.rows[IMAGE].numbered(number);
        let (fours, rest) = numbers.as_chunks::<4>();
        out.fill(0);
        // Four at a time: a word of `out` is read and written once for each four.
        for &[a, b, c, d] in fours {
            let rows = row(a).iter().zip(row(b)).zip(row(c).iter().zip(row(d)));
            for (word, ((a, b), (c, d))) in out.iter_mut().zip(rows) {
                *word |= a | b | (c | d);
            }
        }
        for &number in rest {
            out.iter_mut().zip(row(number)).for_each(|(word, bits)| *word |= bits);
        }
    }

    /// The residual of `key`, whose members' rows have these `numbers`.
    fn row(&self, key: &[u32], numbers: &[u32], scratch: &mut [u64], row: &mut [u64]) {
        let image: &[u64] = match numbers {
            _ if self.expansion.members(key).is_none() => &self.ones,
            [] => &self.zeros,
            [one] => self.residuals.rows[IMAGE].numbered(*one),
            numbers => {
                self.unite(numbers, scratch);
                scratch
            }
        };
        let mut inputs: [&[u64]; MAX_SIDES + 1] = [image; MAX_SIDES + 1];
        for ((input, side), &state) in inputs[1..].iter_mut().zip(&self.residuals.rows[IMAGE + 1..]).zip(key)
        {
            *input = match state {
                REJECT => &self.zeros,
                ACCEPT => &self.ones,
                state => side.row(state),
            };
        }
        self.circuit.evaluate(&inputs, row);
        if let (Some(last), Some(mask)) = (row.last_mut(), self.ones.last()) {
            *last &= mask;
        }
    }
}
