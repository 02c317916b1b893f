//! Two bits per position in blocks that are compressed separately with zstd, so that a look-up decompresses only one
//! block.

use super::form::{Representation, past_the_end, too_large};
use super::runs::{check_code, merged};
use crate::error::{Error, Result};

/// The number of positions in a block.
pub const BLOCK_POSITIONS: u64 = 1 << 16;
/// The size of a block in bytes before compression.
const BLOCK_BYTES: usize = 1 << 14;

/// Compressed blocks, their offsets, and the block decoded last.
pub struct ZstdBlocks {
    num_positions: u64,
    level: i32,
    data: Vec<u8>,
    /// The offset of each block, and the end of the last one.
    offsets: Vec<u64>,
    cached: Option<usize>,
    decoded: Vec<u8>,
    decoder: zstd::bulk::Decompressor<'static>,
}

impl ZstdBlocks {
    /// Compresses runs of codes at a zstd level, from 1 (fast) to 19 (small).
    ///
    /// *Cost*: the memory of one block in addition to the result. A block that consists of a single code is compressed
    /// once and copied.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the blocks exceed `limit_bytes`; [`Error::Unrepresentable`] for a level that zstd
    /// does not have; [`Error::Malformed`] for a run with an invalid code; or [`Error::Mismatch`] if the runs do not
    /// cover the positions exactly.
    pub fn build(
        num_positions: u64,
        runs: impl Iterator<Item = (u8, u64)>,
        level: i32,
        limit_bytes: u64,
    ) -> Result<Self> {
        if !zstd::compression_level_range().contains(&level) {
            return Err(Error::Unrepresentable {
                what: format!("compression level {level}"),
                format: "zstd",
                limit: "levels 1 to 19".into(),
            });
        }
        let mut writer = Writer::new(num_positions, level, limit_bytes)?;
        for run in merged(num_positions, runs) {
            let (code, len) = run?;
            writer.push(check_code(code)?, len)?;
        }
        writer.finish()
    }

    /// Returns the compression level of the blocks.
    pub fn level(&self) -> i32 {
        self.level
    }

    /// Decodes a block unless it is the one decoded last.
    fn load(&mut self, block: usize) -> Result<()> {
        if self.cached == Some(block) {
            return Ok(());
        }
        self.cached = None;
        let bounds = self.offsets.get(block).zip(self.offsets.get(block + 1));
        let compressed = bounds.and_then(|(&from, &to)| self.data.get(place(from)..place(to)));
        let compressed = compressed.ok_or_else(|| damaged("it has no such block".to_string()))?;
        self.decoded.clear();
        let read = self.decoder.decompress_to_buffer(compressed, &mut self.decoded);
        read.map_err(failed)?;
        self.cached = Some(block);
        Ok(())
    }
}

/// Returns the error for blocks that cannot be decoded, which happens only if the hardware fails.
fn damaged(reason: String) -> Error {
    failed(std::io::Error::other(reason))
}

/// Returns the error for a compressor failure.
fn failed(source: std::io::Error) -> Error {
    Error::Codec { what: "zstd in memory", source }
}

/// Converts an offset in memory that is allocated, so the offset fits into `usize`.
fn place(at: u64) -> usize {
    #[expect(clippy::cast_possible_truncation)]
    let place = at as usize;
    place
}

/// The writer of the blocks.
struct Writer {
    blocks: ZstdBlocks,
    limit_bytes: u64,
    encoder: zstd::bulk::Compressor<'static>,
    /// The bytes of the block being filled, followed by the number of positions in it.
    raw: Vec<u8>,
    filled: u64,
    /// A compressed block for each single code.
    uniform: [Option<Vec<u8>>; 4],
}

impl Writer {
    fn new(num_positions: u64, level: i32, limit_bytes: u64) -> Result<Self> {
        let blocks = ZstdBlocks {
            num_positions,
            level,
            data: Vec::new(),
            offsets: vec![0],
            cached: None,
            decoded: Vec::with_capacity(BLOCK_BYTES),
            decoder: zstd::bulk::Decompressor::new().map_err(failed)?,
        };
        let encoder = zstd::bulk::Compressor::new(level).map_err(failed)?;
        let raw = vec![0; BLOCK_BYTES];
        Ok(Self { blocks, limit_bytes, encoder, raw, filled: 0, uniform: [None, None, None, None] })
    }

    fn push(&mut self, code: u8, mut len: u64) -> Result<()> {
        while len > 0 {
            if self.filled == 0 && len >= BLOCK_POSITIONS {
                self.push_uniform(code)?;
                len -= BLOCK_POSITIONS;
                continue;
            }
            let part = len.min(BLOCK_POSITIONS - self.filled);
            for at in self.filled..self.filled + part {
                self.raw[place(at / 4)] |= code << (2 * (at % 4));
            }
            self.filled += part;
            len -= part;
            if self.filled == BLOCK_POSITIONS {
                self.end_block()?;
            }
        }
        Ok(())
    }

    /// Appends a whole block of a single code.
    fn push_uniform(&mut self, code: u8) -> Result<()> {
        let slot = usize::from(code);
        let compressed = match self.uniform[slot].take() {
            Some(known) => known,
            None => self.compress(&[code * 0b0101_0101; BLOCK_BYTES])?,
        };
        let appended = self.append(&compressed);
        self.uniform[slot] = Some(compressed);
        appended
    }

    /// Appends the block being filled, which may be shorter if it is the last one, and begins another.
    fn end_block(&mut self) -> Result<()> {
        let used = place(self.filled.div_ceil(4));
        let raw = std::mem::take(&mut self.raw);
        let compressed = self.compress(raw.get(..used).unwrap_or(&raw))?;
        self.raw = raw;
        self.raw.fill(0);
        self.filled = 0;
        self.append(&compressed)
    }

    fn compress(&mut self, raw: &[u8]) -> Result<Vec<u8>> {
        self.encoder.compress(raw).map_err(failed)
    }

    fn append(&mut self, compressed: &[u8]) -> Result<()> {
        self.blocks.data.extend_from_slice(compressed);
        self.blocks.offsets.push(self.blocks.data.len() as u64);
        let bytes = self.blocks.bytes();
        if bytes > self.limit_bytes {
            return Err(too_large(
                "the part of the zstd blocks built so far",
                bytes.into(),
                self.limit_bytes,
            ));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<ZstdBlocks> {
        if self.filled > 0 {
            self.end_block()?;
        }
        Ok(self.blocks)
    }
}

impl Representation for ZstdBlocks {
    fn name(&self) -> String {
        format!("zstd -{}, 2 bits in blocks of 64 Ki", self.level)
    }

    fn num_positions(&self) -> u64 {
        self.num_positions
    }

    fn bytes(&self) -> u64 {
        self.data.len() as u64 + self.offsets.len() as u64 * 8
    }

    fn get(&mut self, index: u64) -> Result<u8> {
        if index >= self.num_positions {
            return Err(past_the_end(index, self.num_positions));
        }
        self.load(place(index / BLOCK_POSITIONS))?;
        let within = index % BLOCK_POSITIONS;
        let byte = self.decoded.get(place(within / 4));
        let byte = byte.ok_or_else(|| damaged("it is too short".to_string()))?;
        Ok(byte >> (2 * (within % 4)) & 0b11)
    }
}
