//! The transitions of a layer as bytes, in both binary formats.
//!
//! Targets are numbers: below c one of c constants, from c on the states of the next layer in the order in which the layer,
//! read state by state and letter by letter, names them. A target is predicted to be the state that last followed the target
//! just before it at the same letter (letters eight apart count as the same), or state c where none did; before the
//! first target of a layer stands 0. In the large sets of Breakthrough one target in five to seventeen is the one
//! predicted, and most others are near it. Each target is a symbol, and low bits where the symbol leaves some open:
//!
//! | symbol | target | low bits |
//! |---|---|---|
//! | 0 | the first state not named so far | none |
//! | 1 | the state predicted | none |
//! | 2z | a state above the one predicted, by a distance of z bits | the z - 1 bits below its top one |
//! | 2z + 1 | a state below it, likewise | likewise |
//! | 64 + n | the constant n, n < 191 | none |
//! | 255 | a constant from 191 on | 16: its number less 191 |
//!
//! A block is the number of states u32; bytes of the zstd frame u32, the frame, which holds the symbols letter by
//! letter, all states' first ones first; bytes of the low bits u32, the low bits in the order of the targets, from the
//! lowest bit of each byte up, zeros behind the last.

mod predictor;
mod symbols;

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::io::{Read, Write};

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::frame::{Cursor, Parsed, corrupt, put_counted, unwritten};
use crate::shape::Shape;
use crate::unique::MAX_STATES;

use predictor::Predictor;
use symbols::{BitsOf, LowBits, NEW};

/// Symbols seldom repeat: what levels 2 to 7 find costs large sets 2 to 5 % more bytes than it saves (`results/engine-log.md`).
const ZSTD_LEVEL: i32 = 1;

/// Writes the blocks of all layers of a shape, as many at a time as the pool has threads. Numbers below `constants` are constants.
///
/// Cost: one pass over the rows. For each layer under work: one to three bytes for each target, and at most 32 bytes for each
/// state of the next layer.
///
/// # Errors
/// [`Error::Io`] when compression or writing fails, or a part of a layer takes more than 4 GiB.
pub(crate) fn put_layers<'a>(
    out: &mut impl Write,
    shape: &Shape,
    constants: u32,
    rows: impl Fn(usize) -> Cow<'a, [u32]> + Sync,
) -> Result<()> {
    let layers: Vec<usize> = (0..shape.num_layers()).collect();
    for layers in layers.chunks(rayon::current_num_threads()) {
        let blocks: Vec<Vec<u8>> = layers
            .par_iter()
            .map(|&layer| block_of(&rows(layer), shape.num_letters(layer), constants))
            .collect::<Result<_>>()?;
        blocks.iter().try_for_each(|block| out.write_all(block)).map_err(unwritten)?;
    }
    Ok(())
}

fn block_of(rows: &[u32], letters: usize, constants: u32) -> Result<Vec<u8>> {
    let num_states = rows.len() / letters;
    let mut symbols = vec![NEW; rows.len()];
    let mut low = LowBits::default();
    let mut predictor = Predictor::new(letters, constants);
    predictor.reserve(rows.iter().max().map_or(0, |&most| (most + 1).saturating_sub(constants) as usize));
    for (state, row) in rows.chunks_exact(letters).enumerate() {
        for (letter, &target) in row.iter().enumerate() {
            symbols[letter * num_states + state] = low.split(target, &predictor, letter);
            predictor.learn(letter, target);
        }
    }
    drop(predictor);
    let symbols =
        zstd::bulk::compress(&symbols, ZSTD_LEVEL).map_err(|e| Error::io("automaton in memory", e))?;
    let mut block = (num_states as u32).to_le_bytes().to_vec();
    put_counted(&mut block, &symbols)?;
    put_counted(&mut block, &low.finish())?;
    Ok(block)
}

/// The rows of all layers of a shape, which are those of a minimal automaton that has `num_roots` states in its first layer.
/// Nothing may come after them.
pub(crate) fn take_layers(
    mut cursor: Cursor<'_>,
    shape: &Shape,
    constants: u32,
    num_roots: usize,
) -> Parsed<Vec<Vec<u32>>> {
    let blocks: Vec<Block<'_>> =
        (0..shape.num_layers()).map(|_| Block::parse(&mut cursor)).collect::<Parsed<_>>()?;
    if !cursor.is_empty() {
        return corrupt("bytes after the last layer");
    }
    blocks.first().map_or(Ok(()), |first| must_be_roots(first.num_states, num_roots))?;
    let layers: Vec<Parsed<Vec<u32>>> = blocks
        .par_iter()
        .enumerate()
        .map(|(layer, block)| {
            let next = blocks.get(layer + 1).map_or(0, |next| next.num_states);
            block.minimal_rows(shape.num_letters(layer), constants, next)
        })
        .collect();
    // What is reported is the first layer's problem, whichever thread was the first to find one.
    layers.into_iter().enumerate().map(|(layer, rows)| rows.map_err(|p| p.in_layer(layer))).collect()
}

/// Refuses a first layer that has other states than those that are reached.
pub(crate) fn must_be_roots(num_states: usize, num_roots: usize) -> Parsed<()> {
    if num_states == num_roots {
        return Ok(());
    }
    corrupt(format!("layer 0 has {num_states} states, {num_roots} are reached"))
}

/// A block whose contents are not looked at yet.
pub(crate) struct Block<'a> {
    /// What the file claims.
    pub(crate) num_states: usize,
    /// The zstd frame.
    pub(crate) symbols: &'a [u8],
    /// The low bits.
    pub(crate) low: &'a [u8],
}

impl<'a> Block<'a> {
    /// The block that comes next.
    fn parse(cursor: &mut Cursor<'a>) -> Parsed<Self> {
        Ok(Self { num_states: cursor.u32()? as usize, symbols: cursor.counted()?, low: cursor.counted()? })
    }

    /// [`Block::rows`] of a minimal automaton.
    pub(crate) fn minimal_rows(&self, letters: usize, constants: u32, next: usize) -> Parsed<Vec<u32>> {
        let rows = self.rows(letters, constants, next)?;
        check_rows(&rows, letters, constants)?;
        Ok(rows)
    }

    /// The rows of the layer, which name all the `next` states that the layer after it claims.
    fn rows(&self, letters: usize, constants: u32, next: usize) -> Parsed<Vec<u32>> {
        if self.num_states.max(next) > MAX_STATES {
            return corrupt(format!("{} or {next} states, more than there can be", self.num_states));
        }
        let symbols = decompressed(self.symbols, self.num_states * letters)?;
        let mut low = BitsOf::new(self.low);
        let mut predictor = Predictor::new(letters, constants);
        // Each target names one state at most.
        predictor.reserve(next.min(symbols.len()));
        let mut rows = Vec::with_capacity(symbols.len());
        for state in 0..self.num_states {
            for letter in 0..letters {
                let target = low.join(symbols[letter * self.num_states + state], &predictor, letter)?;
                predictor.learn(letter, target);
                if predictor.num_named() > next {
                    return corrupt(format!("a transition leads past the {next} states of the next layer"));
                }
                rows.push(target);
            }
        }
        low.finish()?;
        match predictor.num_named() {
            named if named < next => {
                corrupt(format!("the next layer has {next} states, {named} are reached"))
            }
            _ => Ok(rows),
        }
    }
}

/// The `expected` bytes of a zstd frame.
fn decompressed(frame: &[u8], expected: usize) -> Parsed<Vec<u8>> {
    // Read as a stream: what a crafted header claims is not reserved in advance.
    let mut bytes = Vec::new();
    let rest =
        zstd::stream::read::Decoder::with_buffer(frame).map(|d| d.single_frame()).and_then(|mut decoder| {
            decoder.by_ref().take(expected as u64 + 1).read_to_end(&mut bytes)?;
            Ok(decoder.finish())
        });
    match (rest, bytes.len()) {
        (Err(e), _) => corrupt(format!("a block does not decompress: {e}")),
        (_, n) if n < expected => corrupt("the symbols of a layer are truncated"),
        (Ok(rest), n) if n > expected || !rest.is_empty() => corrupt("a block is longer than its layer"),
        _ => Ok(bytes),
    }
}

/// Whether a minimal layer can have these rows: no state leads to one constant throughout, no two are equal.
fn check_rows(rows: &[u32], letters: usize, constants: u32) -> Parsed<()> {
    let hasher = DefaultHashBuilder::default();
    let row_of = |state: u32| &rows[state as usize * letters..][..letters];
    // Numbers take a quarter of the memory that rows would: it bounds the layers that can be read.
    let mut seen: HashTable<u32> = HashTable::with_capacity(rows.len() / letters);
    for (state, row) in (0u32..).zip(rows.chunks(letters)) {
        if row[0] < constants && row.iter().all(|&t| t == row[0]) {
            return corrupt("a state is constant");
        }
        let hash_of = |&state: &u32| hasher.hash_one(row_of(state));
        match seen.entry(hasher.hash_one(row), |&other| row_of(other) == row, hash_of) {
            Entry::Occupied(_) => return corrupt("two states are equal"),
            Entry::Vacant(place) => drop(place.insert(state)),
        }
    }
    Ok(())
}
