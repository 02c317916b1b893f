//! Reads blocks by random access, and caches those that were read last.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::checksum;
#[cfg(feature = "disk")]
use crate::disk::File;
use crate::error::{Error, Result};
use crate::frame::Cursor;
use crate::hash::fold;

/// Bytes that are read by random access, such as a file or an answer to range requests.
pub trait ReadAt: Send + Sync {
    /// Fills `bytes` with those from byte `at` on.
    ///
    /// # Errors
    /// Returns [`io::ErrorKind::UnexpectedEof`] if there are too few, or the error of the system.
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;

    /// Returns the number of bytes.
    ///
    /// # Errors
    /// Returns the error of the system.
    fn num_bytes(&self) -> io::Result<u64>;
}

#[cfg(feature = "disk")]
impl ReadAt for File {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.read_exact_at(at, bytes)
    }

    fn num_bytes(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        copy(self, at, bytes)
    }

    fn num_bytes(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

impl ReadAt for Arc<[u8]> {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        copy(self, at, bytes)
    }

    fn num_bytes(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

/// Fills `bytes` with those of `all` from byte `at` on.
fn copy(all: &[u8], at: u64, bytes: &mut [u8]) -> io::Result<()> {
    let start = usize::try_from(at).ok();
    let found = start.and_then(|start| all.get(start..start.checked_add(bytes.len())?));
    bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
    Ok(())
}

/// The number of blocks that share a lock.
const WAYS: usize = 8;
/// The memory for a block in the cache in bytes, as far as it is known in advance.
const BLOCK_BYTES: u64 = 2048;

/// The number of a block's file among those that share a cache, and the number of the block.
type Place = (u32, u64);

/// Blocks by their places, the one used last first.
type Shard<B> = Mutex<Vec<(Place, Arc<B>)>>;

/// The blocks that were read last. Several files may share a cache.
pub struct BlockCache<B>(Box<[Shard<B>]>);

impl<B> fmt::Debug for BlockCache<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlockCache")
    }
}

impl<B> BlockCache<B> {
    /// Creates a cache that takes about `memory` bytes.
    pub fn new(memory: u64) -> Self {
        let num_shards = (memory / BLOCK_BYTES / WAYS as u64).clamp(1, 1 << 24);
        Self((0..num_shards).map(|_| Shard::default()).collect())
    }

    fn get<E>(
        &self,
        place: Place,
        read: impl FnOnce() -> std::result::Result<B, E>,
    ) -> std::result::Result<Arc<B>, E> {
        let (file, number) = place;
        let hash = fold(number ^ u64::from(file) << 40, 0x9E37_79B9_7F4A_7C15);
        let shard = &self.0[(hash % self.0.len() as u64) as usize];
        let mut blocks = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = blocks.iter().position(|(known, _)| *known == place) {
            blocks[..=found].rotate_right(1);
            return Ok(Arc::clone(&blocks[0].1));
        }
        drop(blocks);
        let block = Arc::new(read()?);
        blocks = shard.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.truncate(WAYS - 1);
        blocks.insert(0, (place, Arc::clone(&block)));
        Ok(block)
    }
}

/// A file of blocks with checksums, such as packed maps, with a cache of blocks. Several threads may read it at the same
/// time.
pub struct PackedReader<B = Block> {
    file: Box<dyn ReadAt>,
    path: PathBuf,
    cache: Arc<BlockCache<B>>,
    /// The number of the file among those that share the cache.
    number: u32,
}

impl<B> fmt::Debug for PackedReader<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PackedReader").field(&self.path).finish()
    }
}

impl PackedReader {
    /// Creates a reader of packed maps whose cache takes about `memory` bytes. Errors name `path`.
    pub fn new(file: Box<dyn ReadAt>, path: PathBuf, memory: u64) -> Self {
        Self::sharing(file, path, Arc::new(BlockCache::new(memory)), 0)
    }
}

impl<B> PackedReader<B> {
    /// Creates a reader of the file with this number among those that share `cache`. Errors name `path`.
    pub fn sharing(file: Box<dyn ReadAt>, path: PathBuf, cache: Arc<BlockCache<B>>, number: u32) -> Self {
        Self { file, path, cache, number }
    }

    /// Returns the path that errors name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of the file in bytes.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn num_bytes(&self) -> Result<u64> {
        self.file.num_bytes().map_err(|e| Error::io(&self.path, e))
    }

    /// Reads `len` bytes from byte `at` on, which `is_whole` accepts if they are intact.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::Corrupt`] if the bytes are missing or not accepted.
    pub fn read(&self, at: u64, len: usize, is_whole: impl FnOnce(&[u8]) -> bool) -> Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        self.file.read_at(at, &mut bytes).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => self.corrupt("the file is truncated"),
            _ => Error::io(&self.path, e),
        })?;
        if is_whole(&bytes) {
            return Ok(bytes);
        }
        Err(self.corrupt(&format!(
            "the {len} bytes from byte {at} on do not match their checksum: they are damaged"
        )))
    }

    /// Returns the error of a damaged file.
    pub fn corrupt(&self, reason: &str) -> Error {
        Error::Corrupt { path: self.path.clone(), reason: reason.into() }
    }

    /// Returns the block with this number, from the cache or from `read`.
    ///
    /// # Errors
    /// Returns the error of `read`.
    pub fn cached<E>(
        &self,
        number: u64,
        read: impl FnOnce() -> std::result::Result<B, E>,
    ) -> std::result::Result<Arc<B>, E> {
        self.cache.get((self.number, number), read)
    }

    /// Reads the block in the `len` bytes from byte `at` on. Its bytes must have the checksum `sum`, and `parse` must accept
    /// them.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::Corrupt`] if the bytes are missing or not accepted.
    pub fn read_block(
        &self,
        at: u64,
        len: usize,
        sum: &[u8; 8],
        parse: impl FnOnce(&[u8]) -> Option<B>,
    ) -> Result<B> {
        let bytes = self.read(at, len, |bytes| checksum(bytes) == *sum)?;
        parse(&bytes).ok_or_else(|| self.corrupt("a block has the wrong length"))
    }
}

/// The destination of an edge.
pub(super) enum Mark {
    /// A code, by its number.
    Code(usize),
    /// A state, numbered from the root on.
    State(u64),
}

/// 64 marks, with one bit of each mark in each plane.
#[derive(Clone, Copy, Debug, Default)]
struct Planes {
    high: u64,
    low: u64,
}

/// A block of the edges of a map.
#[derive(Debug)]
pub struct Block {
    new_before: u32,
    base: u32,
    width: usize,
    num_codes: u64,
    planes: Box<[Planes]>,
    pointers: Box<[u64]>,
}

impl Block {
    /// Parses a block. Returns `None` if its length does not follow from its contents.
    pub(super) fn parse(bytes: &[u8], num_edges: usize) -> Option<Self> {
        let mut cursor = Cursor::new(bytes);
        let (new_before, base) = (cursor.u32().ok()?, cursor.u32().ok()?);
        let (width, num_codes) = (usize::from(cursor.u8().ok()?), u64::from(cursor.u8().ok()?));
        let plane = num_edges.div_ceil(8);
        let (high, low) = (words(cursor.take(plane).ok()?), words(cursor.take(plane).ok()?));
        let planes: Box<[Planes]> = high.iter().zip(&low).map(|(&high, &low)| Planes { high, low }).collect();
        let num_pointers: u32 = planes.iter().map(|p| (p.high & p.low).count_ones()).sum();
        let pointers = cursor.take((num_pointers as usize * width).div_ceil(8)).ok()?;
        if !cursor.is_empty() || width > 32 {
            return None;
        }
        Some(Self { new_before, base, width, num_codes, planes, pointers: words(pointers).into() })
    }

    /// Returns the destination of an edge, by its number in the block.
    pub(super) fn mark(&self, edge: usize) -> Mark {
        let (word, bit) = (edge / 64, edge % 64);
        let here = self.planes[word];
        let below = (1u64 << bit) - 1;
        match (here.high >> bit & 1, here.low >> bit & 1) {
            (0, which) => Mark::Code(which as usize),
            (_, 0) => {
                let count = |p: &Planes| (p.high & !p.low).count_ones();
                let before: u32 = self.planes[..word].iter().map(count).sum();
                let here = (here.high & !here.low & below).count_ones();
                Mark::State(u64::from(self.new_before) + u64::from(before + here) + 1)
            }
            _ => {
                let count = |p: &Planes| (p.high & p.low).count_ones();
                let before: u32 = self.planes[..word].iter().map(count).sum();
                let pointer = self.pointer((before + (here.high & here.low & below).count_ones()) as usize);
                match pointer.checked_sub(self.num_codes) {
                    None => Mark::Code(2 + pointer as usize),
                    Some(above) => Mark::State(u64::from(self.base) + above),
                }
            }
        }
    }

    fn pointer(&self, number: usize) -> u64 {
        let word = |i: usize| self.pointers.get(i).copied().unwrap_or(0);
        let (first, shift) = (number * self.width / 64, number * self.width % 64);
        let low = word(first) >> shift;
        let both = if shift + self.width > 64 { low | word(first + 1) << (64 - shift) } else { low };
        both & ((1 << self.width) - 1)
    }
}

/// Returns bytes as words, the last of which is padded with zeros.
fn words(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    bytes.chunks(8).map(word).collect()
}
