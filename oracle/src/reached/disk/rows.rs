//! The decided positions in files, as a list in the order of their keys.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use nerode_games::Side;

use super::records::{Record, Records};
use super::sort::Merge;
use crate::error::{Error, Result};
use crate::reached::packing::{Key, Packing, hash, side_of};
use crate::reached::rows::{AnyDiskRows, AnyRows, RowWriter};
use crate::reached::shards::shard_of;
use crate::solution::ValueCounts;

/// The greatest number of keys that are read at a time.
const BLOCK: u64 = 1 << 12;

/// Decided positions.
pub(super) struct DiskRows<const N: usize> {
    /// The positions of each shard.
    keys: Vec<Records<Key<N>>>,
    /// Their codes.
    codes: Vec<Records<u16>>,
    /// The stretches of shards in which keys are in ascending order.
    stretches: Vec<(usize, Range<u64>)>,
    packing: Packing,
    /// The number of bytes for the blocks that are in memory.
    budget: u64,
}

impl<const N: usize> DiskRows<N> {
    pub(super) fn new(
        keys: Vec<Records<Key<N>>>,
        codes: Vec<Records<u16>>,
        mut stretches: Vec<(usize, Range<u64>)>,
        packing: Packing,
        budget: u64,
    ) -> Self {
        stretches.retain(|(_, range)| !range.is_empty());
        Self { keys, codes, stretches, packing, budget }
    }
}

impl<const N: usize> AnyDiskRows for DiskRows<N> {
    fn count(&self) -> Result<([ValueCounts; 2], Vec<u64>)> {
        let (mut sides, mut histogram) = ([ValueCounts::default(); 2], Vec::new());
        let (mut keys, mut codes) = (Vec::new(), Vec::new());
        for (of_keys, of_codes) in self.keys.iter().zip(&self.codes) {
            for first in (0..of_keys.len()).step_by(BLOCK as usize) {
                let piece = first..of_keys.len().min(first + BLOCK);
                of_keys.read(piece.clone(), &mut keys)?;
                of_codes.read(piece, &mut codes)?;
                for (key, &code) in keys.iter().zip(&codes) {
                    sides[side_of(key).index()].add(code, &mut histogram);
                }
            }
        }
        Ok((sides, histogram))
    }

    fn code(&self, board: &[u8], side: Side) -> Result<Option<u16>> {
        let Some(key) = self.packing.key::<N>(board, side) else { return Ok(None) };
        let of_key = shard_of(hash(&key));
        for (shard, range) in self.stretches.iter().filter(|(shard, _)| *shard == of_key) {
            if let Some(number) = self.keys[*shard].sorted(range.clone(), BLOCK).find(&key)? {
                return self.codes[*shard].window().get(number, range.end).map(Some);
            }
        }
        Ok(None)
    }
}

impl<const N: usize> AnyRows for DiskRows<N> {
    fn write(self: Box<Self>, out: &mut dyn Write, go_on: &mut dyn FnMut(u64) -> bool) -> io::Result<()> {
        let io = |error: Error| match error {
            Error::Disk { kind, reason } => io::Error::new(kind, reason),
            other => io::Error::other(other),
        };
        let block = self.budget / (self.stretches.len().max(1) * <Key<N>>::BYTES) as u64;
        let sorted =
            |(shard, range): &(usize, Range<u64>)| self.keys[*shard].sorted(range.clone(), block.min(BLOCK));
        // The caller interrupts.
        let never = AtomicBool::new(false);
        let mut merge = Merge::new(self.stretches.iter().map(sorted).collect(), &never).map_err(io)?;
        let mut codes: Vec<_> = self
            .stretches
            .iter()
            .map(|(shard, range)| (self.codes[*shard].window(), range.clone()))
            .collect();
        let mut writer = RowWriter::new(&self.packing, out, go_on);
        while let Some((key, stretch)) = merge.next().map_err(io)? {
            let (window, range) = &mut codes[stretch];
            let code = window.get(range.start, range.end).map_err(io)?;
            range.start += 1;
            writer.push(&key, code)?;
        }
        writer.finish()
    }
}
