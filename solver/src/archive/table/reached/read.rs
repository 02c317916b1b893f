//! Reads tables of reached positions, as a whole ply by ply or by random access.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use nerode_dfa::disk::File;
use nerode_dfa::{Dfa, Ranking};
use nerode_games::{Game, Registry, Side, grouped};

use super::{CODING, FORMAT_VERSION, PlyHeader, PlyList, ReachedHeader, outcome, read_codes};
use crate::archive::codec;
use crate::archive::files::verify_digest;
use crate::archive::slot::Slot;
use crate::archive::table::DIGEST_BYTES;
use crate::archive::table::prefix::Opened;
use crate::error::{Error, Result};
use crate::outcome::Outcome;

/// A table of reached positions. Several threads may query it at the same time; their accesses are serialised.
pub struct ReachedTable {
    /// The game, in the letter order of the table.
    pub game: Arc<dyn Game>,
    path: PathBuf,
    file: Mutex<File>,
    header: ReachedHeader,
    /// The length of the file.
    bytes: u64,
    /// For each ply, the offset of its automaton file, and its numbering once it has been read.
    plies: Vec<(u64, Slot<Ranking>)>,
}

impl ReachedTable {
    /// Returns `true` if a file is a table of reached positions, judging by its version.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if the file is not a table.
    pub fn is_one(path: &Path) -> Result<bool> {
        Ok(Opened::read(path)?.version == FORMAT_VERSION)
    }

    /// Opens the table of a game in `registry`, and verifies everything except automata and codes.
    ///
    /// Cost: reads the header.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::WrongVersion`], [`Error::Corrupt`] if the file has another length than its header
    /// requires or its header is inconsistent, [`Error::Game`] if the game is not registered, or [`Error::WrongRules`]
    /// if it has other rules.
    pub fn open(path: &Path, registry: &Registry) -> Result<Self> {
        Self::open_by(path, &|header| Ok(registry.open_with_order(&header.spec, Some(&header.order))?))
    }

    /// Opens a table of a known game.
    ///
    /// # Errors
    /// Returns the errors of [`ReachedTable::open`], among them [`Error::WrongRules`] for a table of another game, and
    /// [`Error::Corrupt`] for one in another letter order.
    pub(crate) fn open_for(path: &Path, game: &Arc<dyn Game>) -> Result<Self> {
        let table = Self::open_by(path, &|_| Ok(Arc::clone(game)))?;
        if table.header.order == game.order() {
            return Ok(table);
        }
        Err(Error::corrupt(
            path,
            format!("its letter order is '{}', not '{}'", table.header.order, game.order()),
        ))
    }

    fn open_by(path: &Path, game_of: &dyn Fn(&ReachedHeader) -> Result<Arc<dyn Game>>) -> Result<Self> {
        let opened = Opened::read(path)?;
        if opened.version != FORMAT_VERSION {
            let found = opened.version;
            return Err(Error::WrongVersion { path: path.into(), found, supported: FORMAT_VERSION });
        }
        let corrupt = |reason: String| Error::corrupt(path, reason);
        let header: ReachedHeader = codec::decode(&opened.header).map_err(|e| corrupt(e.to_string()))?;
        let mut at = u128::from(opened.header_end());
        let mut plies = Vec::with_capacity(header.plies.len());
        for ply in &header.plies {
            plies.push((u64::try_from(at).unwrap_or(u64::MAX), Slot::default()));
            at += u128::from(ply.set_bytes) + 2 * u128::from(ply.num_positions);
        }
        let expected = at + u128::from(DIGEST_BYTES);
        if u128::from(opened.bytes) != expected {
            let reason = if u128::from(opened.bytes) < expected { "truncated" } else { "too long" };
            return Err(corrupt(format!(
                "{reason}: {} bytes, but the header implies {expected}",
                opened.bytes
            )));
        }
        if header.plies.is_empty() {
            return Err(corrupt("it has no plies".into()));
        }
        if header.coding != CODING {
            return Err(corrupt(format!(
                "the header says that codes mean '{}', not '{CODING}'",
                header.coding
            )));
        }
        let game = game_of(&header)?;
        if header.fingerprint != game.fingerprint() {
            return Err(Error::WrongRules {
                path: path.into(),
                found: format!("{} ({})", header.fingerprint, header.spec),
                expected: game.fingerprint(),
            });
        }
        if header.start_side != ReachedHeader::of(game.as_ref(), Vec::new(), (0, 0)).start_side {
            return Err(corrupt(format!("its start is not that of {}", header.spec)));
        }
        let bytes = opened.bytes;
        Ok(Self { game, path: path.into(), file: Mutex::new(opened.file), header, bytes, plies })
    }

    /// Returns an error unless the bytes of the table are unchanged.
    ///
    /// Cost: reads the whole file.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the digest differs, or [`Error::Io`].
    pub fn verify_digest(&self) -> Result<()> {
        verify_digest(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner), &self.path)
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of the file in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the header.
    pub fn header(&self) -> &ReachedHeader {
        &self.header
    }

    /// Returns the number of plies.
    pub fn num_plies(&self) -> u32 {
        self.plies.len() as u32
    }

    /// Returns the side to move after `ply` plies.
    pub fn side_at(&self, ply: u32) -> Side {
        let first = self.game.start().1;
        if ply.is_multiple_of(2) { first } else { first.other() }
    }

    /// Reads the positions of a ply.
    ///
    /// Cost: the memory for the automaton and the codes.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::Corrupt`] if the automaton is damaged or does not fit the header.
    ///
    /// # Panics
    /// Panics if the table does not have so many plies.
    pub fn ply(&self, ply: u32) -> Result<PlyList> {
        let set = self.set(ply)?;
        let PlyHeader { num_positions, set_bytes } = self.header.plies[ply as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let codes = read_codes(&mut file, self.plies[ply as usize].0 + set_bytes, num_positions);
        let codes = codes.map_err(|e| Error::io(&self.path, e))?;
        Ok(PlyList { ply, side: self.side_at(ply), set, codes })
    }

    /// Returns the outcome of a board with `side` to move, or `None` if it is not a reached position. If it is reached at
    /// several plies, the outcome at the first ply that decides it is returned.
    ///
    /// Cost: one read for each ply at which the board may be reached. The automaton of such a ply is read when it is
    /// first needed, and stays in memory.
    ///
    /// # Errors
    /// Returns the same errors as [`ReachedTable::ply`].
    pub fn get(&self, board: &[u8], side: Side) -> Result<Option<Outcome>> {
        let word = self.game.word_of(board);
        let shown = self.game.plies_played(board);
        let plies = (0..self.num_plies()).filter(|&ply| self.side_at(ply) == side);
        let mut found = None;
        for ply in plies.filter(|&ply| shown.is_none_or(|shown| shown == ply)) {
            let (at, slot) = &self.plies[ply as usize];
            let ranking = slot.get_or_read(|| Ok(self.set(ply)?.ranking()?))?;
            // A rank is less than the number of codes, which `set` has verified.
            let Some(rank) = ranking.rank(&word) else { continue };
            let code = self.read(at + self.header.plies[ply as usize].set_bytes + 2 * rank as u64, 2)?;
            let known = outcome(u16::from_le_bytes([code[0], code[1]]));
            if known != Outcome::Unknown {
                return Ok(Some(known));
            }
            found = Some(known);
        }
        Ok(found)
    }

    /// Reads `R_i`.
    fn set(&self, ply: u32) -> Result<Dfa> {
        let PlyHeader { num_positions, set_bytes } = self.header.plies[ply as usize];
        let set = Dfa::from_bytes(&self.read(self.plies[ply as usize].0, set_bytes)?, &self.path)?;
        let corrupt = |reason: String| Error::corrupt(&self.path, reason);
        if set.shape() != self.game.shape() {
            return Err(corrupt(format!("the words of ply {ply} do not fit the game")));
        }
        let count = set.count()?;
        if count != num_positions.into() {
            return Err(corrupt(format!(
                "ply {ply} has {} positions and {} codes",
                grouped(count),
                grouped(num_positions.into())
            )));
        }
        Ok(set)
    }

    fn read(&self, at: u64, len: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(usize::MAX)];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|e| Error::io(&self.path, e))?;
        Ok(bytes)
    }
}
