//! The last layers of a pass: residuals as exact sets of endings, one bit each.
//!
//! In the last layers many keys stand for the same few residuals. From the first layer where the endings are few enough on,
//! a member's residual is a row of bits, a key's is their union put through the formula, and equal rows of bits are equal
//! residuals: nothing is expanded twice.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST, REJECT, fold};

use super::copies::Copied;
use super::expand::Expansion;
use super::keys::Keys;
use crate::formula::{Circuit, MAX_SIDES};

/// Most endings that are written out, see `results/engine-log.md` for what other values cost.
pub(super) const MAX_ENDINGS: usize = 2187;
/// Endings that are written out whatever the number of keys.
const FEW_ENDINGS: usize = 256;
/// Tables of distinct residuals, each with a lock.
const SHARDS: usize = 64;
/// Keys that a task evaluates.
const STRETCH: usize = 1 << 10;
/// No row of bits.
const ABSENT: u32 = u32::MAX;

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

/// Rows of bits of one layer.
struct Bits {
    /// Bits of a row.
    len: usize,
    /// Words of a row.
    words: usize,
    rows: Vec<u64>,
}

impl Bits {
    fn new(len: usize) -> Self {
        Self { len, words: len.div_ceil(64), rows: Vec::new() }
    }

    #[inline]
    fn row(&self, at: usize) -> &[u64] {
        &self.rows[at * self.words..(at + 1) * self.words]
    }

    fn num_rows(&self) -> usize {
        self.rows.len() / self.words
    }

    /// The bits of the last word that are in use.
    fn last_mask(&self) -> u64 {
        match self.len % 64 {
            0 => u64::MAX,
            used => (1 << used) - 1,
        }
    }

    /// The value of a row that is the same everywhere.
    fn constant(&self, row: &[u64]) -> Option<bool> {
        let (last, others) = row.split_last()?;
        let all = |value: u64| others.iter().all(|&w| w == value) && *last == value & self.last_mask();
        if all(0) {
            Some(false)
        } else if all(u64::MAX) {
            Some(true)
        } else {
            None
        }
    }
}

/// `to[offset..] |= from[..len]`, in bits.
fn deposit(to: &mut [u64], offset: usize, from: &[u64]) {
    let (word, shift) = (offset / 64, offset % 64);
    for (i, &bits) in from.iter().enumerate() {
        to[word + i] |= bits << shift;
        let carry = bits.checked_shr(64 - shift as u32).unwrap_or(0);
        if carry != 0 {
            to[word + i + 1] |= carry;
        }
    }
}

/// `from[offset..offset + len]`, in bits.
fn extract(from: &[u64], offset: usize, len: usize, to: &mut Vec<u64>) {
    let (word, shift) = (offset / 64, offset % 64);
    for i in 0..len.div_ceil(64) {
        let low = from[word + i] >> shift;
        let high = from.get(word + i + 1).and_then(|w| w.checked_shl(64 - shift as u32)).unwrap_or(0);
        to.push(low | if shift == 0 { 0 } else { high });
    }
    if let (Some(last), used @ 1..) = (to.last_mut(), len % 64) {
        *last &= (1 << used) - 1;
    }
}

/// Rows of bits of members: of one side set, or of the image.
struct Members {
    /// Row of a member, by the member.
    slots: Vec<u32>,
    bits: Bits,
}

impl Members {
    #[inline]
    fn row(&self, member: u32) -> &[u64] {
        self.bits.row(self.slots[member as usize] as usize)
    }

    /// The members among `wanted`, whose children `advance` gives: lists of members of the next layer by letter, and letters
    /// after which everything follows.
    fn new(
        shape: &Shape,
        layer: usize,
        wanted: &[u32],
        advance: &impl Fn(usize, u32, &mut [Vec<u32>], &mut [bool]),
    ) -> Self {
        let mut slots = vec![ABSENT; wanted.iter().max().map_or(0, |&m| m as usize + 1)];
        let mut distinct = Vec::new();
        for &member in wanted {
            if slots[member as usize] == ABSENT {
                slots[member as usize] = distinct.len() as u32;
                distinct.push(member);
            }
        }
        let endings = |layer: usize| (layer..shape.num_layers()).map(|l| shape.letters(l)).product();
        let mut bits = Bits::new(endings(layer));
        bits.rows.resize(distinct.len() * bits.words, 0);
        if layer == shape.num_layers() {
            bits.rows.fill(1);
            return Self { slots, bits };
        }
        let letters = shape.letters(layer);
        let mut outs = vec![Vec::new(); letters];
        let mut full = vec![false; letters];
        let mut below = Vec::new();
        for &member in &distinct {
            outs.iter_mut().for_each(Vec::clear);
            advance(layer, member, &mut outs, &mut full);
            below.extend(outs.iter().flatten().copied());
        }
        below.sort_unstable();
        below.dedup();
        let next = Self::new(shape, layer + 1, &below, advance);
        let words = bits.words;
        let ones = ones(next.bits.len);
        for (&member, row) in distinct.iter().zip(bits.rows.chunks_mut(words)) {
            outs.iter_mut().for_each(Vec::clear);
            full.fill(false);
            advance(layer, member, &mut outs, &mut full);
            for (letter, (out, &full)) in outs.iter().zip(&full).enumerate() {
                let offset = letter * next.bits.len;
                if full {
                    deposit(row, offset, &ones);
                    continue;
                }
                for &child in out {
                    deposit(row, offset, next.row(child));
                }
            }
        }
        Self { slots, bits }
    }
}

/// A row of `len` ones.
fn ones(len: usize) -> Vec<u64> {
    let mut row = vec![u64::MAX; len.div_ceil(64)];
    if let (Some(last), used @ 1..) = (row.last_mut(), len % 64) {
        *last = (1 << used) - 1;
    }
    row
}

/// Distinct rows of bits whose hashes fall together.
struct Shard {
    bits: Bits,
    index: HashTable<(u32, u32)>,
}

fn hash(row: &[u64]) -> u64 {
    // Two chains, so that multiplications overlap.
    let mut h = [0x2545_F491_4F6C_DD1D_u64, 0x243F_6A88_85A3_08D3];
    for pair in row.chunks(2) {
        h[0] = fold(h[0] ^ pair[0], 0x9E37_79B9_7F4A_7C15);
        h[1] = fold(h[1] ^ pair.get(1).copied().unwrap_or(1), 0xD6E8_FEB8_6659_FD93);
    }
    fold(h[0] ^ h[1].rotate_left(32), 0x9E37_79B9_7F4A_7C15)
}

impl Shard {
    fn new(len: usize) -> Self {
        Self { bits: Bits::new(len), index: HashTable::new() }
    }

    /// Place of `row`, added if new.
    fn insert(&mut self, hash: u64, row: &[u64]) -> u32 {
        let tag = (hash >> 32) as u32;
        let spread = |tag: u32| fold(u64::from(tag) | 1 << 32, 0x9E37_79B9_7F4A_7C15);
        let Self { bits, index } = self;
        if let Some(&(_, place)) =
            index.find(spread(tag), |&(t, place)| t == tag && bits.row(place as usize) == row)
        {
            return place;
        }
        let place = bits.num_rows() as u32;
        bits.rows.extend_from_slice(row);
        index.insert_unique(spread(tag), (tag, place), |&(t, _)| spread(t));
        place
    }
}

/// The finished last layers.
pub(super) struct Tail {
    /// State of the cut layer for each key, by partition.
    pub(super) states: Vec<Vec<u32>>,
    /// State of the cut layer for each copied state.
    pub(super) copied: Copied,
    /// Rows of the layers from the cut on: targets are constants or states from [`FIRST`] on.
    pub(super) tables: Vec<Vec<u32>>,
}

impl Tail {
    /// States for all `keys` of the layer `cut`.
    pub(super) fn build(
        expansion: &Expansion<'_>,
        cut: usize,
        keys: &Keys,
        copies: &[u32],
        check: &dyn Fn() -> Result<()>,
    ) -> Result<Self> {
        let shape = expansion.shape();
        let evaluator = Evaluator::new(expansion, cut, keys, copies);
        check()?;
        let shards: Vec<Mutex<Shard>> = (0..SHARDS).map(|_| Mutex::new(Shard::new(evaluator.len))).collect();
        // Constants, or FIRST + place * SHARDS + shard.
        let stretches = keys.stretches(STRETCH);
        let numbers: Vec<Vec<u32>> = stretches
            .par_iter()
            .map(|&(p, from, to)| {
                let row = vec![0; evaluator.len.div_ceil(64)];
                let mut scratch = Scratch { image: row.clone(), row };
                let partition = &keys.partitions[p];
                (from..to)
                    .map(|place| evaluator.intern(partition.key(place), &mut scratch, &shards))
                    .collect()
            })
            .collect();
        let copy_numbers: Vec<u32> = copies
            .par_iter()
            .map(|&state| evaluator.intern_row(evaluator.sides[0].row(state), &shards))
            .collect();
        check()?;
        let shards: Vec<Shard> =
            shards.into_iter().map(|s| s.into_inner().unwrap_or_else(PoisonError::into_inner)).collect();
        // Consecutive numbers: those of a shard follow those of the shards before it.
        let mut first = FIRST;
        let mut starts = Vec::with_capacity(SHARDS);
        for shard in &shards {
            starts.push(first);
            first = u32::try_from(shard.bits.num_rows())
                .ok()
                .and_then(|rows| first.checked_add(rows))
                .ok_or(Error::TooManyStates { layer: cut, limit: u64::from(u32::MAX) })?;
        }
        let state = |number: u32| match number {
            REJECT | ACCEPT => number,
            _ => starts[(number - FIRST) as usize % SHARDS] + (number - FIRST) / SHARDS as u32,
        };
        let mut states: Vec<Vec<u32>> = keys.partitions.iter().map(|p| Vec::with_capacity(p.len())).collect();
        for (&(p, _, _), numbers) in stretches.iter().zip(&numbers) {
            states[p].extend(numbers.iter().map(|&n| state(n)));
        }
        let mut copied = Copied::for_states(copies);
        for (&copy, &number) in copies.iter().zip(&copy_numbers) {
            copied.set(copy, state(number));
        }
        let mut all = Bits::new(evaluator.len);
        for shard in shards {
            all.rows.extend_from_slice(&shard.bits.rows);
        }
        Ok(Self { states, copied, tables: tables(shape, cut, all) })
    }
}

/// Splits the distinct residuals of a layer by first letter, and so on to the last layer.
fn tables(shape: &Shape, from: usize, mut bits: Bits) -> Vec<Vec<u32>> {
    let mut tables = Vec::new();
    for layer in from..shape.num_layers() {
        let letters = shape.letters(layer);
        let len = bits.len / letters;
        let mut next = Shard::new(len);
        let mut rows = Vec::with_capacity(bits.num_rows() * letters);
        let mut part = Vec::new();
        for row in bits.rows.chunks(bits.words) {
            for letter in 0..letters {
                part.clear();
                extract(row, letter * len, len, &mut part);
                rows.push(match next.bits.constant(&part) {
                    Some(value) => u32::from(value),
                    None => FIRST + next.insert(hash(&part), &part),
                });
            }
        }
        tables.push(rows);
        bits = next.bits;
    }
    tables
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
        let all = || keys.partitions.iter().flat_map(|p| (0..p.len()).map(|place| p.key(place)));
        let members: Vec<u32> = distinct(all().filter_map(|key| expansion.members(key)).flatten().copied());
        let image = Members::new(shape, cut, &members, &|layer, member, outs, full| {
            expansion.advance(layer, member, outs, full);
        });
        let side = |(j, side): (usize, &&Dfa)| {
            let copies = if j == 0 { copies } else { &[] };
            let states = all().map(|key| key[j]).filter(|&s| s >= FIRST).chain(copies.iter().copied());
            let states = distinct(states);
            Members::new(shape, cut, &states, &|layer, state, outs, full| {
                for (letter, (out, full)) in outs.iter_mut().zip(full).enumerate() {
                    match side.raw_target(layer, state, letter as u8) {
                        REJECT => {}
                        ACCEPT => *full = true,
                        target => out.push(target),
                    }
                }
            })
        };
        let sides = expansion.sides().iter().enumerate().map(side).collect();
        let len = image.bits.len;
        let zeros = vec![0; len.div_ceil(64)];
        Self {
            expansion,
            image,
            sides,
            circuit: Circuit::new(expansion.formula()),
            len,
            ones: ones(len),
            zeros,
        }
    }

    /// Number of the residual of `key`, a constant or from [`FIRST`] on.
    fn intern(&self, key: &[u32], scratch: &mut Scratch, shards: &[Mutex<Shard>]) -> u32 {
        let Scratch { image, row } = scratch;
        let image: &[u64] = match self.expansion.members(key) {
            None => &self.ones,
            Some([]) => &self.zeros,
            Some([one]) => self.image.row(*one),
            Some([first, others @ ..]) => {
                image.copy_from_slice(self.image.row(*first));
                for &member in others {
                    for (word, bits) in image.iter_mut().zip(self.image.row(member)) {
                        *word |= bits;
                    }
                }
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
        self.intern_row(row, shards)
    }

    /// Number of a row of bits, a constant or from [`FIRST`] on.
    fn intern_row(&self, row: &[u64], shards: &[Mutex<Shard>]) -> u32 {
        match self.image.bits.constant(row) {
            Some(value) => u32::from(value),
            None => {
                let hash = hash(row);
                let shard = hash as usize % SHARDS;
                let mut table = shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
                FIRST + table.insert(hash, row) * SHARDS as u32 + shard as u32
            }
        }
    }
}

/// Rows of bits under construction.
struct Scratch {
    image: Vec<u64>,
    row: Vec<u64>,
}

/// Ascending, each once.
fn distinct(members: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut seen: Vec<u64> = Vec::new();
    for member in members {
        let word = member as usize / 64;
        if word >= seen.len() {
            seen.resize(word + 1, 0);
        }
        seen[word] |= 1 << (member % 64);
    }
    let of = |(i, &word): (usize, &u64)| {
        (0..64u32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i as u32 * 64 + bit)
    };
    seen.iter().enumerate().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_deposited_can_be_extracted_at_every_offset() {
        for len in [1usize, 27, 63, 64, 65, 243] {
            let row: Vec<u64> = (0..len.div_ceil(64) as u64)
                .map(|i| 0x9E37_79B9_7F4A_7C15_u64.rotate_left(i as u32))
                .collect();
            let row: Vec<u64> = row.iter().zip(ones(len)).map(|(a, b)| a & b).collect();
            for offset in 0..130 {
                let mut to = vec![0; (offset + len).div_ceil(64)];
                deposit(&mut to, offset, &row);
                let mut back = Vec::new();
                extract(&to, offset, len, &mut back);
                assert_eq!(back, row, "{len} bits at {offset}");
                assert_eq!(
                    to.iter().map(|w| w.count_ones()).sum::<u32>(),
                    row.iter().map(|w| w.count_ones()).sum()
                );
            }
        }
    }

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
