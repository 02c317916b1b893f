//! The common part of both kinds of sector file: entries of equal length in the order of slots, followed by the
//! overflow table, which holds its number of pairs and then a pair of slot and number for each entry that does not fit,
//! in ascending order of slots.
//!
//! Invariant: the overflow table has a pair for every entry with the overflow mark, and no others.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use nerode_solver::archive::files;
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result, check_interrupt};

/// The number of bytes of the overflow table's length.
const COUNT_BYTES: u64 = 4;
/// The number of bytes of a pair in the overflow table.
const PAIR_BYTES: u64 = 8;
/// The number of slots that one task encodes.
const CHUNK_SLOTS: u64 = 1 << 13;
/// The number of tasks between two writes.
const CHUNKS: u64 = 64;

/// The lengths that a file must have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// The number of bytes before the first entry.
    pub head_bytes: u64,
    /// The number of bytes of an entry.
    pub entry_bytes: u64,
    /// The number of entries. The number of a slot fits into 31 bits on every board.
    pub num_slots: u64,
}

impl Shape {
    fn entries_bytes(&self) -> u64 {
        self.num_slots * self.entry_bytes
    }

    /// Returns the number of pairs in the overflow table of a file of `len` bytes.
    fn num_pairs(&self, path: &Path, len: u64) -> Result<u64> {
        let least = self.head_bytes + self.entries_bytes() + COUNT_BYTES;
        let wrong = |what: &str| {
            let slots = self.num_slots;
            let reason = format!("it has {len} bytes, but {slots} slots require {least}{what}");
            Err(Error::corrupt(path, reason))
        };
        match len.checked_sub(least) {
            None => wrong(" or more: it is truncated or belongs to another sector"),
            Some(rest) if rest % PAIR_BYTES != 0 => {
                wrong(" and 8 for each overflow entry: it is truncated or too long")
            }
            Some(rest) if rest / PAIR_BYTES > self.num_slots => {
                wrong(" and 8 for each of at most as many overflow entries")
            }
            Some(rest) => Ok(rest / PAIR_BYTES),
        }
    }
}

/// The entries and the overflow table.
#[derive(Debug)]
pub(super) struct Body {
    entries: Vec<u8>,
    entry_bytes: usize,
    overflow: Vec<(u32, i32)>,
}

impl Body {
    /// Reads a file of `len` bytes from the end of its header. `is_mark` identifies the entries that the overflow table
    /// completes.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the length differs from that of `shape`, or if the overflow table is not in order.
    pub fn read(
        path: &Path,
        reader: &mut impl Read,
        len: u64,
        shape: Shape,
        is_mark: impl Fn(u32) -> bool,
    ) -> Result<Self> {
        let num_pairs = shape.num_pairs(path, len)?;
        let entries = take(path, reader, shape.entries_bytes())?;
        let table = take(path, reader, COUNT_BYTES + num_pairs * PAIR_BYTES)?;
        let (count, pairs) = table.split_at(COUNT_BYTES as usize);
        let count = number(count);
        if u64::try_from(count) != Ok(num_pairs) {
            let reason = format!("it claims {count} overflow entries, but has room for {num_pairs}");
            return Err(Error::corrupt(path, reason));
        }
        let pair = |pair: &[u8]| (number(&pair[..4]), number(&pair[4..]));
        let mut overflow = Vec::with_capacity(pairs.len() / PAIR_BYTES as usize);
        for (slot, value) in pairs.chunks_exact(PAIR_BYTES as usize).map(pair) {
            let known = u32::try_from(slot).ok().filter(|&slot| u64::from(slot) < shape.num_slots);
            let in_order = known.filter(|slot| overflow.last().is_none_or(|(last, _)| last < slot));
            let Some(slot) = in_order else {
                let what = if known.is_some() {
                    "twice or out of order"
                } else {
                    "which the sector does not \
                    have"
                };
                return Err(Error::corrupt(path, format!("its overflow table lists slot {slot}, {what}")));
            };
            overflow.push((slot, value));
        }
        let body = Self { entries, entry_bytes: shape.entry_bytes as usize, overflow };
        body.check_marks(path, is_mark)?;
        Ok(body)
    }

    /// Checks that the marked entries and the overflow table name the same slots.
    fn check_marks(&self, path: &Path, is_mark: impl Fn(u32) -> bool) -> Result<()> {
        let mut named = self.overflow.iter().map(|(slot, _)| u64::from(*slot)).peekable();
        let slots = (0..).zip(self.entries.chunks_exact(self.entry_bytes));
        for (slot, entry) in slots {
            let is_named = named.next_if_eq(&slot).is_some();
            if is_mark(word(entry)) != is_named {
                let reason = if is_named {
                    format!("its overflow table lists slot {slot}, whose entry is complete without it")
                } else {
                    format!("the entry of slot {slot} requires an overflow entry, which is missing")
                };
                return Err(Error::corrupt(path, reason));
            }
        }
        Ok(())
    }

    /// Returns the entry of `slot`.
    ///
    /// # Panics
    /// Panics if there is no such slot.
    #[inline]
    pub fn entry(&self, slot: u64) -> u32 {
        let at = slot as usize * self.entry_bytes;
        word(&self.entries[at..at + self.entry_bytes])
    }

    /// Returns the overflow entry of `slot`, which exists if the entry of the slot is marked.
    pub fn overflow(&self, slot: u64) -> Option<i32> {
        let found = self.overflow.binary_search_by_key(&slot, |(slot, _)| u64::from(*slot));
        found.ok().and_then(|at| self.overflow.get(at)).map(|(_, value)| *value)
    }

    /// Returns the number of entries in the overflow table.
    pub fn num_overflows(&self) -> usize {
        self.overflow.len()
    }
}

/// Reads exactly `len` bytes. The length must follow from the sector and the actual length of the file.
fn take(path: &Path, reader: &mut impl Read, len: u64) -> Result<Vec<u8>> {
    let refused = || Error::TooLarge {
        what: format!("reading {}", path.display()),
        needed_bytes: len.into(),
        limit_bytes: 0,
    };
    let count = usize::try_from(len).map_err(|_| refused())?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(count).map_err(|_| refused())?;
    reader.take(len).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    if bytes.len() == count { Ok(bytes) } else { Err(Error::corrupt(path, "it is truncated")) }
}

/// Decodes a number of four bytes.
fn number(bytes: &[u8]) -> i32 {
    word(bytes) as i32
}

/// Decodes a number of up to four bytes, least significant byte first.
#[inline]
fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
}

/// An entry, and the number that the overflow table holds for its slot.
pub(super) type Encoded = (u32, Option<i32>);

/// Writes `head`, an entry for each slot and the overflow table, on the threads of the current pool. The bytes do not
/// depend on the number of threads. Keeps a few hundred thousand entries and the overflow table in memory. `seal` is
/// called with the file when it is complete, before it gets its final name.
///
/// # Errors
/// Returns the errors of `encode` and `seal`, [`Error::Io`], or [`Error::Interrupted`]. No file is left in these cases.
pub(super) fn write(
    path: &Path,
    overwrite: bool,
    head: &[u8],
    shape: Shape,
    interrupt: &AtomicBool,
    encode: impl Fn(u64) -> Result<Encoded> + Sync,
    seal: impl FnOnce(StoredFile) -> Result<()>,
) -> Result<()> {
    let num_chunks = shape.num_slots.div_ceil(CHUNK_SLOTS);
    let chunk = |chunk: u64| -> Result<(Vec<u8>, Vec<u8>)> {
        let (mut entries, mut pairs) = (Vec::new(), Vec::new());
        for slot in chunk * CHUNK_SLOTS..shape.num_slots.min((chunk + 1) * CHUNK_SLOTS) {
            let (entry, overflow) = encode(slot)?;
            entries.extend_from_slice(&entry.to_le_bytes()[..shape.entry_bytes as usize]);
            if let Some(value) = overflow {
                pairs.extend_from_slice(&(slot as u32).to_le_bytes());
                pairs.extend_from_slice(&value.to_le_bytes());
            }
        }
        Ok((entries, pairs))
    };
    files::write_for_user(path, overwrite, |writer| {
        let (mut hasher, mut len) = (blake3::Hasher::new(), 0);
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            len += bytes.len() as u64;
            writer.write_all(bytes).map_err(|e| Error::io(path, e))
        };
        put(head)?;
        let mut table = Vec::new();
        for first in (0..num_chunks).step_by(CHUNKS as usize) {
            check_interrupt(interrupt)?;
            let block = (first..num_chunks.min(first + CHUNKS)).into_par_iter().map(chunk);
            for (entries, pairs) in block.collect::<Result<Vec<_>>>()? {
                put(&entries)?;
                table.extend_from_slice(&pairs);
            }
        }
        put(&((table.len() as u64 / PAIR_BYTES) as u32).to_le_bytes())?;
        put(&table)?;
        seal(StoredFile::of(len, hasher.finalize()))
    })
}
