//! Reads tables of reached positions by key, as a whole or by random access.

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use nerode_dfa::disk::File;
use nerode_games::{Game, Position, Side, grouped};

use super::{CODE_BYTES, CODING, FORMAT_VERSION, KeyedHeader, Packing};
use crate::archive::codec;
use crate::archive::files::verify_digest;
use crate::archive::resolver::{GameId, Resolver};
use crate::archive::table::DIGEST_BYTES;
use crate::archive::table::prefix::Opened;
use crate::error::{Error, Result};
use crate::outcome::{Outcome, code16};

/// The number of rows that a look-up reads, of which the first key is in memory.
const BLOCK: u64 = 256;

/// A table of reached positions by key. Several threads may query it at the same time.
pub struct KeyedTable {
    /// The game, in the letter order of the table.
    pub game: Arc<dyn Game>,
    path: PathBuf,
    file: File,
    /// The first key of each block, one after the other, which the first look-up reads.
    firsts: OnceLock<Vec<u8>>,
    header: KeyedHeader,
    packing: Packing,
    /// The offset of the first row.
    rows_at: u64,
}

/// A listed position with its code.
pub type KeyedRow = (Position, u16);

impl KeyedTable {
    /// Returns `true` if a file is a table of reached positions by key, judging by its version.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if the file is not a table.
    pub fn is_one(path: &Path) -> Result<bool> {
        Ok(Opened::read(path)?.version == FORMAT_VERSION)
    }

    /// Opens the table of a game that `resolver` finds, and verifies everything except the rows.
    ///
    /// Cost: reads the header.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::WrongVersion`], [`Error::Corrupt`] if the file has another length than its header
    /// requires or its header is inconsistent, [`Error::Game`] if the game is unknown, or [`Error::WrongRules`]
    /// if it has other rules.
    pub fn open(path: &Path, resolver: &dyn Resolver) -> Result<Self> {
        let opened = Opened::read(path)?;
        if opened.version != FORMAT_VERSION {
            let found = opened.version;
            return Err(Error::WrongVersion { path: path.into(), found, supported: FORMAT_VERSION });
        }
        let corrupt = |reason: String| Error::corrupt(path, reason);
        let header: KeyedHeader = codec::decode(&opened.header).map_err(|e| corrupt(e.to_string()))?;
        let packing = Packing::new(&header.cell_states, &header.spec)?;
        if packing.num_bytes() != header.key_bytes as usize {
            return Err(corrupt("the length of keys in the header does not match the cells".into()));
        }
        if header.coding != CODING {
            let found = &header.coding;
            return Err(corrupt(format!("the header says that rows mean '{found}', not '{CODING}'")));
        }
        let rows_at = opened.header_end();
        let row = u128::from(header.key_bytes) + CODE_BYTES as u128;
        let expected = u128::from(rows_at + DIGEST_BYTES) + row * u128::from(header.num_positions);
        if u128::from(opened.bytes) != expected {
            let reason = if u128::from(opened.bytes) < expected { "truncated" } else { "too long" };
            let bytes = opened.bytes;
            let [bytes, expected] = [u128::from(bytes), expected].map(grouped);
            return Err(corrupt(format!("{reason}: {bytes} bytes, but the header implies {expected}")));
        }
        let id = GameId {
            spec: &header.spec,
            fingerprint: &header.fingerprint,
            order: &header.order,
            text: header.rules_text.as_deref(),
        };
        let game = id.resolve(resolver, path)?;
        if header.cell_states != game.cell_states() {
            return Err(corrupt(format!("its boards are not those of {}", header.spec)));
        }
        if header.start_side != if game.start().1 == Side::P1 { 1 } else { 2 } {
            return Err(corrupt(format!("its start is not that of {}", header.spec)));
        }
        Ok(Self {
            game,
            path: path.into(),
            file: opened.file,
            firsts: OnceLock::new(),
            header,
            packing,
            rows_at,
        })
    }

    /// Returns an error unless the bytes of the table are unchanged.
    ///
    /// Cost: reads the whole file.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the digest differs, or [`Error::Io`].
    pub fn verify_digest(&self) -> Result<()> {
        verify_digest(&mut self.reopened()?, &self.path)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the header.
    pub fn header(&self) -> &KeyedHeader {
        &self.header
    }

    /// Returns the outcome of a board with `side` to move, or `None` if it is not a reached position.
    ///
    /// Cost: reads one block of rows; the first call also reads a row of each block.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn get(&self, board: &[u8], side: Side) -> Result<Option<Outcome>> {
        let Some(key) = self.packing.pack(board, side) else { return Ok(None) };
        // A key belongs to the last block that does not begin after it.
        let (firsts, len) = (self.firsts()?, key.len());
        let (mut block, mut end) = (0, firsts.len() / len);
        while end - block > 1 {
            let middle = block + (end - block) / 2;
            if firsts[middle * len..][..len] <= key[..] {
                block = middle;
            } else {
                end = middle;
            }
        }
        let first = block as u64 * BLOCK;
        let rows = self.read(first, BLOCK.min(self.header.num_positions - first))?;
        let row = rows.chunks_exact(self.row_bytes()).find(|row| row[..key.len()] == key[..]);
        Ok(row.map(|row| code16::outcome(self.code_of(row))))
    }

    /// Returns the listed position at a place in the order of keys.
    ///
    /// Cost: one read.
    ///
    /// # Errors
    /// Returns [`Error::PastTheEnd`], [`Error::Io`], or [`Error::Corrupt`] if the row is not one of a position.
    pub fn row(&self, index: u64) -> Result<KeyedRow> {
        let num_positions = self.header.num_positions;
        let past = Error::PastTheEnd { index, num_positions };
        self.rows_at(index, 1)?.pop().ok_or(past)
    }

    /// Returns at most `most` of the listed positions, beginning at a place in the order of keys. After the last one, the result is
    /// empty.
    ///
    /// Cost: one read.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::Corrupt`] if a row is not one of a position.
    pub fn rows_at(&self, index: u64, most: u64) -> Result<Vec<KeyedRow>> {
        let index = index.min(self.header.num_positions);
        let rows = self.read(index, most.min(self.header.num_positions - index))?;
        rows.chunks_exact(self.row_bytes()).map(|row| self.decoded(row)).collect()
    }

    /// Calls `visit` with each listed position in the order of keys, and with its code.
    ///
    /// Cost: one pass over the file, with constant memory.
    ///
    /// # Errors
    /// Returns the errors of [`KeyedTable::rows`], or the error of `visit`.
    pub fn each(&self, visit: &mut dyn FnMut(KeyedRow) -> Result<()>) -> Result<()> {
        self.rows()?.try_for_each(|row| visit(row?))
    }

    /// Returns the listed positions in the order of keys, with their codes.
    ///
    /// Cost: one pass over the file, with constant memory.
    ///
    /// # Errors
    /// Returns [`Error::Io`]. An item is [`Error::Io`], or [`Error::Corrupt`] if a row is not one of a position or the rows are not in
    /// ascending order.
    pub fn rows(&self) -> Result<impl Iterator<Item = Result<KeyedRow>> + '_> {
        let mut file = self.reopened()?;
        file.seek(SeekFrom::Start(self.rows_at)).map_err(|e| Error::io(&self.path, e))?;
        let mut reader = BufReader::with_capacity(1 << 18, file);
        let mut row = vec![0; self.row_bytes()];
        let mut before: Option<Vec<u8>> = None;
        Ok((0..self.header.num_positions).map(move |_| {
            reader.read_exact(&mut row).map_err(|e| Error::io(&self.path, e))?;
            let key = &row[..row.len() - CODE_BYTES];
            match &mut before {
                Some(before) if before.as_slice() >= key => {
                    return Err(Error::corrupt(&self.path, "its rows are not in ascending order"));
                }
                Some(before) => before.copy_from_slice(key),
                None => before = Some(key.to_vec()),
            }
            self.decoded(&row)
        }))
    }

    /// Returns another handle, so that look-ups can be made while it is read.
    fn reopened(&self) -> Result<File> {
        File::open(&self.path).map_err(|e| Error::io(&self.path, e))
    }

    /// Returns the first key of each block.
    fn firsts(&self) -> Result<&[u8]> {
        if let Some(firsts) = self.firsts.get() {
            return Ok(firsts);
        }
        let mut firsts = Vec::new();
        for index in (0..self.header.num_positions).step_by(BLOCK as usize) {
            firsts.extend_from_slice(&self.read(index, 1)?[..self.packing.num_bytes()]);
        }
        // Another thread may have been faster, with the same result.
        Ok(self.firsts.get_or_init(|| firsts))
    }

    /// Returns the size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.rows_at + self.header.num_positions * self.row_bytes() as u64 + DIGEST_BYTES
    }

    fn row_bytes(&self) -> usize {
        self.packing.num_bytes() + CODE_BYTES
    }

    fn code_of(&self, row: &[u8]) -> u16 {
        let at = self.packing.num_bytes();
        u16::from_le_bytes([row[at], row[at + 1]])
    }

    fn decoded(&self, row: &[u8]) -> Result<KeyedRow> {
        let code = self.code_of(row);
        let position = self.packing.unpack(&row[..self.packing.num_bytes()]);
        let (board, side) = position
            .filter(|_| code != code16::UNKNOWN)
            .ok_or_else(|| Error::corrupt(&self.path, "a row is not one of a position of the game"))?;
        Ok((Position { board, side }, code))
    }

    /// Reads `count` rows.
    fn read(&self, index: u64, count: u64) -> Result<Vec<u8>> {
        let mut rows = vec![0; self.row_bytes() * count as usize];
        let at = self.rows_at + index * self.row_bytes() as u64;
        self.file.read_exact_at(at, &mut rows).map_err(|e| Error::io(&self.path, e))?;
        Ok(rows)
    }
}
