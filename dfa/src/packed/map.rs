//! Look-ups in a map.

use super::read::{Block, Mark, PackedReader};
use super::{EDGES, checksum};
use crate::error::{Error, Result};
use crate::frame::{Cursor, Parsed, corrupt};
use crate::shape::{Letter, Shape};
use crate::values::CodeTarget;

/// A map in a file: its index, by which blocks are found and verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedMap {
    shape: Shape,
    codes: Vec<u8>,
    /// For each layer, the number of its first state and of the first edge from it; at the end, those of all layers.
    layers: Vec<(u64, u64)>,
    /// The offset in the file at which each block ends. The first entry is the beginning of the first block.
    ends: Vec<u64>,
    sums: Vec<[u8; 8]>,
}

impl PackedMap {
    /// Parses the index of a map, whose `bytes` bytes of blocks begin at byte `at` of the file. The caller has verified
    /// that the index is intact.
    ///
    /// Cost: 16 bytes for each block.
    ///
    /// # Errors
    /// Returns [`crate::Problem::Corrupt`] if the index does not describe a map of this shape and length.
    pub fn parse(shape: &Shape, at: u64, bytes: u64, index: &[u8]) -> Parsed<Self> {
        let mut cursor = Cursor::new(index);
        let num_codes = cursor.u8()?;
        let codes = cursor.take(num_codes.into())?.to_vec();
        if codes.is_empty() {
            return corrupt("a map has no codes");
        }
        let mut layers = vec![(0, 0)];
        let (mut states, mut edges) = (0u64, 0u64);
        for layer in 0..shape.num_layers() {
            let count = u64::from(cursor.u32()?);
            states += count;
            edges += count * shape.num_letters(layer) as u64;
            layers.push((states, edges));
        }
        let num_blocks = usize::try_from(edges.div_ceil(EDGES as u64)).unwrap_or(usize::MAX);
        let lengths = cursor.take(num_blocks.saturating_mul(2))?;
        let mut end = at;
        let mut ends = vec![at];
        for length in lengths.chunks_exact(2) {
            end += u64::from(u16::from_le_bytes([length[0], length[1]]));
            ends.push(end);
        }
        if end - at != bytes {
            return corrupt("the blocks of a map do not have its length");
        }
        let sums = cursor.take(num_blocks.saturating_mul(8))?;
        let sums = sums.chunks_exact(8).map(|sum| [0, 1, 2, 3, 4, 5, 6, 7].map(|i| sum[i])).collect();
        if !cursor.is_empty() {
            return corrupt("unexpected bytes after the index of a map");
        }
        Ok(Self { shape: shape.clone(), codes, layers, ends, sums })
    }

    /// Returns the number of states.
    pub fn num_states(&self) -> u64 {
        self.layers.last().map_or(0, |(states, _)| *states)
    }

    /// Returns the code of a word of the care set. The code of any other word means nothing.
    ///
    /// Cost: for each letter until the code is determined, one block from the cache or from the file.
    ///
    /// # Errors
    /// Returns [`crate::Error::Io`], or [`crate::Error::Corrupt`] if a block is damaged.
    ///
    /// # Panics
    /// Panics if the word does not fit the shape.
    pub fn get(&self, reader: &PackedReader, word: &[Letter]) -> Result<u8> {
        assert_eq!(word.len(), self.shape.num_layers(), "the word has the wrong length for this shape");
        if self.num_states() == 0 {
            return Ok(self.codes[0]);
        }
        let mut state = 0;
        for (layer, &letter) in word.iter().enumerate() {
            let number = match self.mark(reader, layer, state, letter)? {
                Mark::State(next) => {
                    state = next;
                    continue;
                }
                Mark::Code(number) => number,
            };
            return self.codes.get(number).copied().ok_or_else(|| damaged(reader));
        }
        Err(damaged(reader))
    }

    /// Returns the destination of a letter from a state, by its number among those of all layers.
    #[inline]
    fn mark(&self, reader: &PackedReader, layer: usize, state: u64, letter: Letter) -> Result<Mark> {
        let letters = self.shape.num_letters(layer);
        assert!(usize::from(letter) < letters, "letter {letter} does not exist in layer {layer}");
        let (first_state, first_edge) = self.layers[layer];
        if state < first_state || state >= self.layers[layer + 1].0 {
            return Err(damaged(reader));
        }
        let edge = first_edge + (state - first_state) * letters as u64 + u64::from(letter);
        let block = (edge / EDGES as u64) as usize;
        Ok(self.block(reader, block)?.mark(edge as usize % EDGES))
    }

    /// Returns the number of states of a layer.
    ///
    /// # Panics
    /// Panics if `layer` is out of bounds.
    pub fn num_states_in(&self, layer: usize) -> u64 {
        self.layers[layer + 1].0 - self.layers[layer].0
    }

    /// Returns the initial target: the first state, or the code of all words.
    pub fn root(&self) -> CodeTarget {
        if self.num_states() == 0 { CodeTarget::Code(self.codes[0].into()) } else { CodeTarget::State(0) }
    }

    /// Returns the target of a letter from a state, by its number within the layer. A letter after which no word of the care
    /// set follows has any target.
    ///
    /// Cost: one block from the cache or from the file.
    ///
    /// # Errors
    /// Returns the same errors as [`PackedMap::get`].
    ///
    /// # Panics
    /// Panics if `layer` or `letter` is out of bounds.
    pub fn target(
        &self,
        reader: &PackedReader,
        layer: usize,
        state: u32,
        letter: Letter,
    ) -> Result<CodeTarget> {
        match self.mark(reader, layer, self.layers[layer].0 + u64::from(state), letter)? {
            Mark::Code(number) => {
                let code = self.codes.get(number).ok_or_else(|| damaged(reader))?;
                Ok(CodeTarget::Code((*code).into()))
            }
            Mark::State(next) => {
                let within = next.checked_sub(self.layers[layer + 1].0).and_then(|next| next.try_into().ok());
                within.map(CodeTarget::State).ok_or_else(|| damaged(reader))
            }
        }
    }

    /// Reads every block and compares it with its digest.
    ///
    /// # Errors
    /// Returns the same errors as [`PackedMap::get`].
    pub fn verify(&self, reader: &PackedReader) -> Result<()> {
        for (span, sum) in self.ends.windows(2).zip(&self.sums) {
            reader.read(span[0], (span[1] - span[0]) as usize, |bytes| checksum(bytes) == *sum)?;
        }
        Ok(())
    }

    fn block(&self, reader: &PackedReader, number: usize) -> Result<std::sync::Arc<Block>> {
        let (at, end) = (self.ends[number], self.ends[number + 1]);
        let num_edges =
            (self.layers.last().map_or(0, |(_, edges)| *edges) - (number * EDGES) as u64).min(EDGES as u64);
        let parse = |bytes: &[u8]| Block::parse(bytes, num_edges as usize);
        reader.cached(at, || reader.read_block(at, (end - at) as usize, &self.sums[number], parse))
    }
}

fn damaged(reader: &PackedReader) -> Error {
    reader.corrupt("a transition leads past the states of the next layer")
}
