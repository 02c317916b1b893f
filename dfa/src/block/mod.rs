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
#[cfg(feature = "engine")]
mod write;

use std::hash::BuildHasher;
use std::io;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
#[cfg(feature = "engine")]
use rayon::prelude::*;

use crate::frame::{Cursor, Parsed, corrupt};
use crate::shape::{MAX_STATES, Shape};

use predictor::Predictor;
use symbols::BitsOf;
#[cfg(feature = "engine")]
pub use write::decompress;
#[cfg(feature = "engine")]
pub(crate) use write::put_layers;

/// A function that decompresses the zstd frame at the beginning of some bytes. Given the bytes and a number, it returns the
/// contents of the frame, of which it may omit those after that number, and the bytes that follow the frame.
///
/// No more memory than that number of bytes may be reserved in advance, because the frame may claim any size.
pub type Decompress = fn(&[u8], u64) -> io::Result<(Vec<u8>, &[u8])>;

/// Decodes the rows of all layers of a shape, and checks that they form a minimal automaton with `num_roots` states in
/// its first layer. No bytes may follow.
pub(crate) fn take_layers(
    mut cursor: Cursor<'_>,
    shape: &Shape,
    constants: u32,
    num_roots: usize,
    decompress: Decompress,
) -> Parsed<Vec<Vec<u32>>> {
    let blocks: Vec<Block<'_>> =
        (0..shape.num_layers()).map(|_| Block::parse(&mut cursor)).collect::<Parsed<_>>()?;
    if !cursor.is_empty() {
        return corrupt("unexpected bytes after the last layer");
    }
    blocks.first().map_or(Ok(()), |first| must_be_roots(first.num_states, num_roots))?;
    let rows_of = |(layer, block): (usize, &Block<'_>)| {
        let next = blocks.get(layer + 1).map_or(0, |next| next.num_states);
        block.minimal_rows(shape.num_letters(layer), constants, next, decompress)
    };
    #[cfg(feature = "engine")]
    let layers: Vec<Parsed<Vec<u32>>> = blocks.par_iter().enumerate().map(rows_of).collect();
    #[cfg(not(feature = "engine"))]
    let layers: Vec<Parsed<Vec<u32>>> = blocks.iter().enumerate().map(rows_of).collect();
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
    pub(crate) fn minimal_rows(
        &self,
        letters: usize,
        constants: u32,
        next: usize,
        decompress: Decompress,
    ) -> Parsed<Vec<u32>> {
        let rows = self.rows(letters, constants, next, decompress)?;
        check_rows(&rows, letters, constants)?;
        Ok(rows)
    }

    /// Decodes the rows of the layer. Every one of the `next` states that the next layer claims must occur in them.
    fn rows(&self, letters: usize, constants: u32, next: usize, decompress: Decompress) -> Parsed<Vec<u32>> {
        if self.num_states.max(next) > MAX_STATES {
            return corrupt(format!("{} or {next} states exceed the maximum", self.num_states));
        }
        let symbols = decompressed(self.symbols, self.num_states * letters, decompress)?;
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
fn decompressed(frame: &[u8], expected: usize, decompress: Decompress) -> Parsed<Vec<u8>> {
    let (bytes, rest) = decompress(frame, expected as u64 + 1)
        .or_else(|e| corrupt(format!("a block cannot be decompressed: {e}")))?;
    match bytes.len() {
        n if n < expected => corrupt("the symbols of a layer are truncated"),
        n if n > expected || !rest.is_empty() => corrupt("a block is longer than its layer"),
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
