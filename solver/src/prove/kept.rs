//! The file of a search, from which it is continued.
//!
//! The file is a line of JSON, the entries of the table that took most work, and the digest of all bytes before. What a search has found
//! about a position holds for every position from which play leads to it, and for the sets of later plies.

use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nerode_dfa::disk::{self, File};
use nerode_games::Game;
use serde::{Deserialize, Serialize};

use super::header::{Kind, read_header};
use crate::archive::files::{DIGEST_BYTES, Hashing, remove_abandoned, write_atomic};
use crate::error::{Error, Result};
use crate::numbers::table::{Entry, Table};

const KIND: Kind = Kind { name: "nerode search", described: "the file of a search" };
/// The version of the format, of the keys of positions and of the goals.
const VERSION: u32 = 1;
/// The least work of an entry that is stored. Less is done again in no time.
const LEAST_WORK: u32 = 8;
/// The time between two writes of the file.
const PERIOD: Duration = Duration::from_mins(10);

/// The first line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    game: String,
    fingerprint: String,
    /// The sides for whose win a search met a draw.
    draws: [bool; 2],
}

/// The file in which a search is kept.
pub(super) struct Kept<'a> {
    path: PathBuf,
    game: &'a dyn Game,
    /// Whether a draw has decided a position in the search for the win of each side.
    pub(super) met_draw: [bool; 2],
    written: Instant,
}

impl<'a> Kept<'a> {
    /// Puts what the file contains into `table`, if there is a file.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] for a file of another kind, [`Error::Mismatch`] if it belongs to another game,
    /// [`Error::Corrupt`] if it is damaged, or [`Error::Io`].
    pub(super) fn read(path: &Path, game: &'a dyn Game, table: &mut Table) -> Result<Self> {
        let mut kept = Self { path: path.into(), game, met_draw: [false; 2], written: Instant::now() };
        let io = |e| Error::io(path, e);
        remove_abandoned(path)?;
        if !disk::exists(path).map_err(io)? {
            return Ok(kept);
        }
        let mut file = File::open(path).map_err(io)?;
        let (header, start) = read_header::<Header>(&mut file, path, KIND)?;
        if header.version != VERSION {
            let reason = format!("version {} of the format is not supported", header.version);
            return Err(Error::corrupt(path, reason));
        }
        if header.fingerprint != game.fingerprint() {
            return Err(Error::Mismatch {
                what: format!("the search {}", path.display()),
                found: header.game,
                expected: format!("a search for {} with the rules of the run", game.spec()),
            });
        }
        let end = file.seek(SeekFrom::End(0)).map_err(io)?.saturating_sub(DIGEST_BYTES);
        file.seek(SeekFrom::Start(start)).map_err(io)?;
        let bytes = end.saturating_sub(start);
        if !bytes.is_multiple_of(size_of::<Entry>() as u64) {
            return Err(Error::corrupt(path, "an entry is incomplete"));
        }
        let mut entries = BufReader::new(file.take(bytes));
        let num_entries = bytes / size_of::<Entry>() as u64;
        table.make_room(usize::try_from(num_entries).unwrap_or(usize::MAX));
        for _ in 0..num_entries {
            let mut entry = Entry::default();
            entries.read_exact(&mut entry).map_err(io)?;
            if !table.put_entry(entry) {
                return Err(Error::corrupt(path, "an entry has no meaning"));
            }
        }
        kept.met_draw = header.draws;
        Ok(kept)
    }

    /// Returns the time for the next write.
    pub(super) fn next_write(&self) -> Instant {
        self.written + PERIOD
    }

    /// Writes what `table` contains, while no thread changes it.
    ///
    /// # Errors
    /// Returns [`Error::Io`]. The previous file is kept then.
    pub(super) fn write(&mut self, table: &Table) -> Result<()> {
        let path = &self.path;
        let io = |e| Error::io(path, e);
        let header = Header {
            format: KIND.name.into(),
            version: VERSION,
            game: self.game.spec(),
            fingerprint: self.game.fingerprint(),
            draws: self.met_draw,
        };
        write_atomic(path, |file| {
            let mut out = Hashing::new(file);
            serde_json::to_writer(&mut out, &header).map_err(|e| io(e.into()))?;
            out.write_all(b"\n").map_err(io)?;
            for entry in table.entries(LEAST_WORK) {
                out.write_all(&entry).map_err(io)?;
            }
            out.finish().map_err(io)?;
            Ok(())
        })?;
        self.written = Instant::now();
        Ok(())
    }
}
