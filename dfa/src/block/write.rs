//! Writing of blocks, and the decompressor that reads them.

use std::borrow::Cow;
use std::io::{self, Read, Write};

use rayon::prelude::*;

use super::predictor::Predictor;
use super::symbols::{LowBits, NEW};
use crate::error::{Error, Result};
use crate::frame::{put_counted, unwritten};
use crate::shape::Shape;

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

/// Decompresses a zstd frame with the library that compresses it; see [`super::Decompress`].
///
/// # Errors
/// Returns an error if the bytes do not begin with a valid frame.
pub fn decompress(bytes: &[u8], most: u64) -> io::Result<(Vec<u8>, &[u8])> {
    // The frame is read as a stream, so that no memory is reserved in advance for a size that a crafted header claims.
    let mut contents = Vec::new();
    let mut decoder = zstd::stream::read::Decoder::with_buffer(bytes)?.single_frame();
    decoder.by_ref().take(most).read_to_end(&mut contents)?;
    Ok((contents, decoder.finish()))
}
