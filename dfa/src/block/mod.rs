//! The binary encoding of the transitions of a layer, which both file formats use.
//!
//! Targets are numbers. Those below c are c constants. The states of the next layer follow from c on, in the order in
//! which they first occur when the layer is read state by state and letter by letter. The predicted target is the state
//! that most recently followed the previous target at the same letter (letters that are eight apart count as the same),
//! or state c if there was none. The number 0 stands before the first target of a layer. In the large sets of
//! Breakthrough, one target in five to seventeen equals its prediction, and most others are close to it. Each target is
//! encoded as a symbol, followed by low bits if the symbol does not determine the target:
//!
//! | symbol | target | low bits |
//! |---|---|---|
//! | 0 | the first state that has not occurred so far | none |
//! | 1 | the predicted state | none |
//! | 2z | a state above the predicted one, at a distance of z bits | the z - 1 bits below the top bit of the distance |
//! | 2z + 1 | a state below the predicted one, likewise | likewise |
//! | 64 + n | the constant n, n < 191 | none |
//! | 255 | a constant from 191 on | 16: its number minus 191 |
//!
//! A block consists of the number of states as u32; the size of the zstd frame in bytes as u32; the frame, which
//! contains the symbols letter by letter, so that the symbols of all states for the first letter come first; the size
//! of the low bits in bytes as u32; and the low bits in the order of the targets. The low bits fill each byte from its
//! lowest bit up, and the last byte is padded with zeros.

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

/// Symbols seldom repeat. In large sets, the matches that levels 2 to 7 find cost 2 to 5 % more bytes than they save
/// (`lab/engine-log.md`).
const ZSTD_LEVEL: i32 = 1;

/// Writes the blocks of all layers of a shape. As many layers are encoded at a time as the pool has threads. Numbers
/// below `constants` are constants.
///
/// Cost: one pass over the rows. Each layer that is being encoded takes one to three bytes per target, and at most 32
/// bytes per state of the next layer.
///
/// # Errors
/// Returns [`Error::Io`] if compression or writing fails, or if a part of a layer exceeds 4 GiB.
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

/// Decodes the rows of all layers of a shape, and checks that they form a minimal automaton with `num_roots` states in
/// its first layer. No bytes may follow.
pub(crate) fn take_layers(
    mut cursor: Cursor<'_>,
    shape: &Shape,
    constants: u32,
    num_roots: usize,
) -> Parsed<Vec<Vec<u32>>> {
    let blocks: Vec<Block<'_>> =
        (0..shape.num_layers()).map(|_| Block::parse(&mut cursor)).collect::<Parsed<_>>()?;
    if !cursor.is_empty() {
        return corrupt("unexpected bytes after the last layer");
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
    // Report the problem of the first layer, no matter which thread finds a problem first.
    layers.into_iter().enumerate().map(|(layer, rows)| rows.map_err(|p| p.in_layer(layer))).collect()
}

/// Rejects a first layer whose number of states differs from the number of reachable states.
pub(crate) fn must_be_roots(num_states: usize, num_roots: usize) -> Parsed<()> {
    if num_states == num_roots {
        return Ok(());
    }
    corrupt(format!("layer 0 has {num_states} states, but {num_roots} are reachable"))
}

/// A block whose contents have not been parsed yet.
pub(crate) struct Block<'a> {
    /// The number of states that the file claims.
    pub(crate) num_states: usize,
    /// The zstd frame.
    pub(crate) symbols: &'a [u8],
    /// The low bits.
    pub(crate) low: &'a [u8],
}

impl<'a> Block<'a> {
    /// Reads the next block.
    fn parse(cursor: &mut Cursor<'a>) -> Parsed<Self> {
        Ok(Self { num_states: cursor.u32()? as usize, symbols: cursor.counted()?, low: cursor.counted()? })
    }

    /// Decodes the rows as [`Block::rows`] does, and checks that they are those of a minimal automaton.
    pub(crate) fn minimal_rows(&self, letters: usize, constants: u32, next: usize) -> Parsed<Vec<u32>> {
        let rows = self.rows(letters, constants, next)?;
        check_rows(&rows, letters, constants)?;
        Ok(rows)
    }

    /// Decodes the rows of the layer. Every one of the `next` states that the next layer claims must occur in them.
    fn rows(&self, letters: usize, constants: u32, next: usize) -> Parsed<Vec<u32>> {
        if self.num_states.max(next) > MAX_STATES {
            return corrupt(format!("{} or {next} states exceed the maximum", self.num_states));
        }
        let symbols = decompressed(self.symbols, self.num_states * letters)?;
        let mut low = BitsOf::new(self.low);
        let mut predictor = Predictor::new(letters, constants);
        // Each target introduces at most one state.
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
                corrupt(format!("the next layer has {next} states, but {named} are reachable"))
            }
            _ => Ok(rows),
        }
    }
}

/// Decompresses a zstd frame, which must contain `expected` bytes.
fn decompressed(frame: &[u8], expected: usize) -> Parsed<Vec<u8>> {
    // The frame is read as a stream, so that no memory is reserved in advance for a size that a crafted header claims.
    let mut bytes = Vec::new();
    let rest =
        zstd::stream::read::Decoder::with_buffer(frame).map(|d| d.single_frame()).and_then(|mut decoder| {
            decoder.by_ref().take(expected as u64 + 1).read_to_end(&mut bytes)?;
            Ok(decoder.finish())
        });
    match (rest, bytes.len()) {
        (Err(e), _) => corrupt(format!("a block cannot be decompressed: {e}")),
        (_, n) if n < expected => corrupt("the symbols of a layer are truncated"),
        (Ok(rest), n) if n > expected || !rest.is_empty() => corrupt("a block is longer than its layer"),
        _ => Ok(bytes),
    }
}

/// Checks that a minimal layer can have these rows: no row consists of a single constant, and no two rows are equal.
fn check_rows(rows: &[u32], letters: usize, constants: u32) -> Parsed<()> {
    let hasher = DefaultHashBuilder::default();
    let row_of = |state: u32| &rows[state as usize * letters..][..letters];
    // The set stores state numbers because they take a quarter of the memory of rows, and this memory limits which
    // layers can be read.
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
