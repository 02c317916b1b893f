//! Reads table files. Opening a file verifies everything except the codes, and no data of a damaged file is used.

use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use nerode_games::{Side, grouped};

use super::prefix::Opened;
use super::{DIGEST_BYTES, FORMAT_VERSION, TableHeader};
use crate::archive::codec;
use crate::archive::files::verify_digest;
use crate::error::{Error, Result};
use crate::outcome::{Outcome, code16};
use nerode_dfa::disk::File;
use nerode_oracle::Indexer;

/// A table file opened for reading.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    header: TableHeader,
    indexer: Indexer,
    /// The offset of the first code.
    codes_at: u64,
}

impl TableFile {
    /// Opens a table and verifies everything except its codes.
    ///
    /// *Cost*: reads the header.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::WrongVersion`], or [`Error::Corrupt`] if the file is not a table, is shorter or
    /// longer than its header requires, or has an inconsistent header.
    pub fn open(path: &Path) -> Result<Self> {
        let opened = Opened::read(path)?;
        if opened.version != FORMAT_VERSION {
            let found = opened.version;
            return Err(Error::WrongVersion { path: path.into(), found, supported: FORMAT_VERSION });
        }
        let corrupt = |reason: String| Error::corrupt(path, reason);
        let codes_at = opened.header_end();
        let Opened { file, header: encoded, bytes, .. } = opened;
        let header: TableHeader = codec::decode(&encoded).map_err(|e| corrupt(e.to_string()))?;
        let indexer = header.indexer().map_err(corrupt)?;
        let expected = u128::from(codes_at + DIGEST_BYTES) + 4 * u128::from(header.num_positions);
        if u128::from(bytes) != expected {
            let reason = if u128::from(bytes) < expected { "truncated" } else { "too long" };
            let [bytes, expected] = [u128::from(bytes), expected].map(grouped);
            return Err(corrupt(format!("{reason}: {bytes} bytes, but the header implies {expected}")));
        }
        Ok(Self { path: path.into(), file, header, indexer, codes_at })
    }

    /// Returns the header.
    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// Returns the correspondence of boards and indices with which the table was written.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns an error unless the table was created for the rules with this fingerprint (see
    /// [`nerode_games::Game::fingerprint`]).
    ///
    /// # Errors
    /// Returns [`Error::WrongRules`].
    pub fn check_rules(&self, fingerprint: &str) -> Result<()> {
        if self.header.fingerprint == fingerprint {
            return Ok(());
        }
        Err(Error::WrongRules {
            path: self.path.clone(),
            found: format!("{} ({})", self.header.fingerprint, self.header.spec),
            expected: fingerprint.to_string(),
        })
    }

    /// Returns an error unless the bytes of the table are unchanged.
    ///
    /// *Cost*: reads the whole file.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the digest differs, or [`Error::Io`].
    pub fn verify_digest(&mut self) -> Result<()> {
        verify_digest(&mut self.file, &self.path)
    }

    /// Returns value and depth at an index with `side` to move.
    ///
    /// *Cost*: one seek and one read.
    ///
    /// # Errors
    /// Returns [`Error::PastTheEnd`] or [`Error::Io`].
    pub fn value(&mut self, side: Side, index: u64) -> Result<Outcome> {
        let num_positions = self.header.num_positions;
        if index >= num_positions {
            return Err(Error::PastTheEnd { index, num_positions });
        }
        let at = self.codes_at + 2 * (index + if side == Side::P1 { 0 } else { num_positions });
        let mut code = [0; 2];
        let read = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.read_exact(&mut code));
        read.map_err(|e| Error::io(&self.path, e))?;
        Ok(code16::outcome(u16::from_le_bytes(code)))
    }

    /// Returns the codes with `side` to move in index order, see [`code16`]. The iterator ends after the first error.
    ///
    /// *Cost*: constant memory.
    ///
    /// # Errors
    /// Returns [`Error::Io`], either directly or as an item.
    pub fn codes(&mut self, side: Side) -> Result<impl Iterator<Item = Result<u16>> + '_> {
        let half = 2 * self.header.num_positions;
        let at = self.codes_at + if side == Side::P1 { 0 } else { half };
        self.file.seek(SeekFrom::Start(at)).map_err(|e| Error::io(&self.path, e))?;
        let mut reader = BufReader::with_capacity(1 << 18, &self.file);
        let mut left = self.header.num_positions;
        let path = &self.path;
        Ok(std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let mut code = [0; 2];
            match reader.read_exact(&mut code) {
                Ok(()) => Some(Ok(u16::from_le_bytes(code))),
                Err(error) => {
                    left = 0;
                    Some(Err(Error::io(path, error)))
                }
            }
        }))
    }
}
