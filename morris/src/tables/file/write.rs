//! Writes sector files.

use std::io::Write;
use std::path::Path;

use rayon::prelude::*;

use super::{BLOCK_BYTES, FORMAT_VERSION, GameName, Header, MAGIC, numbers};
use crate::tables::table::SectorTable;
use nerode_solver::archive::codec;
pub use nerode_solver::archive::files::{Hashing, write_atomic};
use nerode_solver::error::{Error, Result};

/// The compression level of zstd: the lowest of its usual levels, because all files are soon read again.
const LEVEL: i32 = 1;
/// The number of blocks that are compressed at a time: 16 MiB of codes.
const BATCH: usize = 64;

/// Writes `table`, solved for `game`, to `path`, and records whether every position was `checked`. Returns the number
/// of bytes written.
///
/// *Cost*: compresses on the threads of the current pool, with 16 MiB of memory. The bytes are the same for every
/// number of threads.
///
/// # Errors
/// Returns [`Error::Io`] or [`Error::Codec`].
pub fn write_sector(path: &Path, game: &GameName, table: &SectorTable, checked: bool) -> Result<u64> {
    let codes = &table.codes;
    let header = Header {
        game: game.clone(),
        sector: numbers(table.sector),
        bytes_per_code: codes.width().bytes() as u8,
        num_slots: codes.num_slots(),
        checked,
    };
    let header = codec::encode(&header).map_err(|e| Error::corrupt(path, e.to_string()))?;
    write_atomic(path, |file| {
        let io = |e| Error::io(path, e);
        let mut out = Hashing::new(file);
        out.write_all(MAGIC).map_err(io)?;
        out.write_all(&FORMAT_VERSION.to_le_bytes()).map_err(io)?;
        out.write_all(&(header.len() as u32).to_le_bytes()).map_err(io)?;
        out.write_all(&header).map_err(io)?;
        let (mut lengths, num_blocks) = (Vec::new(), codes.num_blocks(BLOCK_BYTES));
        for first in (0..num_blocks).step_by(BATCH) {
            let batch = first..num_blocks.min(first + BATCH);
            let blocks: Vec<Vec<u8>> = batch
                .into_par_iter()
                .map(|at| compressed(&codes.block(BLOCK_BYTES, at)))
                .collect::<Result<_>>()?;
            for block in blocks {
                out.write_all(&block).map_err(io)?;
                lengths.extend((block.len() as u32).to_le_bytes());
            }
        }
        out.write_all(&lengths).map_err(io)?;
        out.finish().map(|(_, written)| written.bytes).map_err(io)
    })
}

fn compressed(block: &[u8]) -> Result<Vec<u8>> {
    zstd::bulk::compress(block, LEVEL).map_err(|source| Error::Codec { what: "zstd in memory", source })
}
