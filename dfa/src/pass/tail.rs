//! The last layers of a pass: residuals as exact sets of endings, one bit each.
//!
//! In the last layers many keys stand for the same few residuals. From the first layer where the endings are few enough on,
//! a member's residual is a row of bits, a key's is their union put through the formula, and equal rows of bits are equal
//! residuals: nothing is expanded twice.

use rayon::prelude::*;

use crate::error::Result;
use crate::formula::{Circuit, MAX_SIDES};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, REJECT};

use super::bits::{Bits, extract, ones};
use super::children::View;
use super::copies::{Copied, Copies};
use super::expand::{Check, Expansion};
use super::intern::{Distinct, Interner};
use super::keys::Keys;
use super::members::{Collector, Members};

/// Most endings that are written out, see `results/engine-log.md` for what other values cost.
pub(super) const MAX_ENDINGS: usize = 2187;
/// Endings that are written out whatever the number of keys.
const FEW_ENDINGS: usize = 256;
/// Keys that a task evaluates.
const STRETCH: usize = 1 << 10;

/// Whether the residuals of `num_keys` keys of `layer` may be written out: there are at most `max_endings` endings, and, unless
/// they are very few, the rows of bits hold at most `most_bytes` even if no two keys have the same residual.
pub(super) fn fits(
    shape: &Shape,
    layer: usize,
    max_endings: usize,
    num_keys: usize,
    most_bytes: u64,
) -> bool {
    let mut endings = 1;
    for layer in layer..shape.num_layers() {
        endings *= shape.letters(layer);
        if endings > max_endings {
            return false;
        }
    }
    endings <= FEW_ENDINGS || (endings.div_ceil(64) * 8) as u64 * num_keys as u64 <= most_bytes
}

/// The finished last layers.
pub(super) struct Tail {
    /// State of the cut layer for each key, by partition.
    pub(super) states: Vec<Vec<u32>>,
    /// State of the cut layer for each copied state.
    pub(super) copied: Copied,
    /// Rows of the layers from the cut on.
    pub(super) tables: Vec<Distinct<u32>>,
}

impl Tail {
    /// States for all `keys` of the layer `cut`, and for its `copies`.
    pub(super) fn build(
        expansion: &Expansion<'_>,
        cut: usize,
        keys: &Keys,
        copies: &Copies<'_>,
        check: Check<'_>,
    ) -> Result<Self> {
        check(keys.bytes())?;
        let evaluator = Evaluator::new(expansion, cut, keys, copies.layer(cut));
        check(keys.bytes() + evaluator.bytes())?;
        let bits = Bits::new(evaluator.len);
        let interner = Interner::new(bits.words);
        let of_stretch = |&(p, from, to): &(usize, usize, usize)| -> Result<(usize, Vec<u32>)> {
            let row = vec![0; bits.words];
            let mut scratch = Scratch { image: row.clone(), row };
            let mut writer = interner.writer(cut);
            let partition = &keys.partitions[p];
            let numbers = (from..to).map(|place| {
                let row = evaluator.row(partition.key(place), &mut scratch);
                bits.constant(row).map_or_else(|| writer.intern(row), |value| Ok(u32::from(value)))
            });
            let numbers = numbers.collect::<Result<_>>()?;
            Ok((writer.lane, numbers))
        };
        let stretches = keys.stretches(STRETCH);
        let numbers: Vec<(usize, Vec<u32>)> = stretches.par_iter().map(of_stretch).collect::<Result<_>>()?;
        let copied_bytes = copies.bytes_to_join(cut, bits.words * size_of::<u64>());
        check(keys.bytes() + evaluator.bytes() + interner.bytes() + copied_bytes)?;
        let (mut table, numbering) = interner.finish(cut)?;
        let copied = copies
            .join(cut, &mut table, |state, row| row.extend_from_slice(evaluator.sides[0].row(state)))?;
        drop(evaluator);
        let mut states: Vec<Vec<u32>> = keys.partitions.iter().map(|p| Vec::with_capacity(p.len())).collect();
        for (&(p, _, _), (lane, numbers)) in stretches.iter().zip(&numbers) {
            states[p].extend(numbers.iter().map(|&n| numbering.state(*lane, n)));
        }
        let tables = tables(expansion.shape(), cut, bits.len, table.into_distinct())?;
        Ok(Self { states, copied, tables })
    }
}

/// Splits the distinct residuals of a layer, of `len` endings each, by first letter, and so on to the last layer.
fn tables(shape: &Shape, from: usize, len: usize, mut rows: Distinct<u64>) -> Result<Vec<Distinct<u32>>> {
    let mut tables = Vec::new();
    let mut len = len;
    for layer in from..shape.num_layers() {
        let letters = shape.letters(layer);
        let whole = Bits::new(len);
        let part = Bits::new(len / letters);
        let interner = Interner::new(part.words);
        let split = |rows: &Vec<u64>| -> Result<(usize, Vec<u32>)> {
            let mut writer = interner.writer(layer + 1);
            let mut buffer = Vec::new();
            let mut targets = Vec::with_capacity(rows.len() / whole.words * letters);
            for row in rows.chunks(whole.words) {
                for letter in 0..letters {
                    buffer.clear();
                    extract(row, letter * part.len, part.len, &mut buffer);
                    targets.push(match part.constant(&buffer) {
                        Some(value) => u32::from(value),
                        None => writer.intern(&buffer)?,
                    });
                }
            }
            Ok((writer.lane, targets))
        };
        let targets: Vec<(usize, Vec<u32>)> = rows.shards.par_iter().map(split).collect::<Result<_>>()?;
        let (table, numbering) = interner.finish(layer + 1)?;
        let renumbered = targets.into_par_iter().map(|(lane, mut targets)| {
            numbering.apply(lane, &mut targets);
            targets
        });
        tables.push(Distinct::of_shards(letters, renumbered.collect()));
        (rows, len) = (table.into_distinct(), part.len);
    }
    Ok(tables)
}

/// Turns keys of the cut layer into rows of bits.
struct Evaluator<'a> {
    expansion: &'a Expansion<'a>,
    image: Members,
    sides: Vec<Members>,
    circuit: Circuit,
    /// Bits of a row.
    len: usize,
    ones: Vec<u64>,
    zeros: Vec<u64>,
}

impl<'a> Evaluator<'a> {
    fn new(expansion: &'a Expansion<'a>, cut: usize, keys: &Keys, copies: &[u32]) -> Self {
        let shape = expansion.shape();
        let sides = expansion.sides();
        let wanted = Collector::new(expansion.member_limit(cut));
        let states: Vec<Collector> =
            sides.iter().map(|side| Collector::new(side.num_states_from(cut) as u32 + FIRST)).collect();
        keys.partitions.par_iter().for_each(|partition| {
            for key in (0..partition.len()).map(|place| partition.key(place)) {
                expansion.members(key).into_iter().flatten().for_each(|&member| wanted.add(member));
                for (collector, &state) in states.iter().zip(key) {
                    if state >= FIRST {
                        collector.add(state);
                    }
                }
            }
        });
        if let Some(first) = states.first() {
            copies.iter().for_each(|&state| first.add(state));
        }
        let views: Vec<View<'_>> = (cut..shape.num_layers()).map(|layer| expansion.view(layer)).collect();
        let advance = |layer: usize, member: u32, emit: &mut dyn FnMut(usize, u32)| {
            views[layer - cut].advance(member, emit);
        };
        let image = Members::new(shape, cut, wanted, &advance, &|layer| expansion.member_limit(layer));
        let of_side = |(side, states): (&&crate::Dfa, Collector)| {
            let advance = |layer: usize, state: u32, emit: &mut dyn FnMut(usize, u32)| {
                for letter in 0..shape.letters(layer) {
                    emit(letter, side.raw_target(layer, state, letter as u8));
                }
            };
            Members::new(shape, cut, states, &advance, &|layer| side.num_states_from(layer) as u32 + FIRST)
        };
        let sides = sides.iter().zip(states).map(of_side).collect();
        let len = image.bits.len;
        let circuit = Circuit::new(expansion.formula());
        Self { expansion, image, sides, circuit, len, ones: ones(len), zeros: vec![0; len.div_ceil(64)] }
    }

    /// Bytes of all members' rows.
    fn bytes(&self) -> u64 {
        self.image.bytes() + self.sides.iter().map(Members::bytes).sum::<u64>()
    }

    /// The union of the rows of at least two members.
    fn unite(&self, members: &[u32], out: &mut [u64]) {
        let row = |member: u32| self.image.row(member);
        let (fours, rest) = members.as_chunks::<4>();
        out.fill(0);
        // Four at a time: a word of `out` is read and written once for each four.
        for &[a, b, c, d] in fours {
            let rows = row(a).iter().zip(row(b)).zip(row(c).iter().zip(row(d)));
            for (word, ((a, b), (c, d))) in out.iter_mut().zip(rows) {
                *word |= a | b | (c | d);
            }
        }
        for &member in rest {
            out.iter_mut().zip(row(member)).for_each(|(word, bits)| *word |= bits);
        }
    }

    /// The residual of `key`.
    fn row<'s>(&self, key: &[u32], scratch: &'s mut Scratch) -> &'s [u64] {
        let Scratch { image, row } = scratch;
        let image: &[u64] = match self.expansion.members(key) {
            None => &self.ones,
            Some([]) => &self.zeros,
            Some([one]) => self.image.row(*one),
            Some(members) => {
                self.unite(members, image);
                image
            }
        };
        let mut inputs: [&[u64]; MAX_SIDES + 1] = [image; MAX_SIDES + 1];
        for ((input, side), &state) in inputs[1..].iter_mut().zip(&self.sides).zip(key) {
            *input = match state {
                REJECT => &self.zeros,
                ACCEPT => &self.ones,
                state => side.row(state),
            };
        }
        self.circuit.evaluate(&inputs, row);
        if let Some(last) = row.last_mut() {
            *last &= self.image.bits.last_mask();
        }
        row
    }
}

/// Rows of bits under construction.
struct Scratch {
    image: Vec<u64>,
    row: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_are_written_out_where_endings_are_few_and_fit() {
        let first = |letters: Vec<u16>, most| {
            let shape = Shape::new(letters).unwrap();
            (0..).find(|&layer| fits(&shape, layer, MAX_ENDINGS, 1000, most)).unwrap()
        };
        assert_eq!(first(vec![3; 25], u64::MAX), 18);
        assert_eq!(first(vec![3; 25], 100_000), 19);
        assert_eq!(first(vec![3; 25], 0), 20);
        assert_eq!(first(vec![3; 4], 0), 0);
        assert_eq!(first(vec![256, 256, 256], u64::MAX), 2);
        assert_eq!(first(vec![2; 30], u64::MAX), 19);
    }
}
