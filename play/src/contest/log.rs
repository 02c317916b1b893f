//! The log of a match: a file of JSON lines. The first line describes the match, and each other line contains a game.
//!
//! A game is written when it is over. If a process was killed while writing a line, the incomplete line is dropped
//! and its game is played again.

use std::collections::BTreeMap;
use std::fs::TryLockError;
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nerode_dfa::disk::File;
use serde::{Deserialize, Serialize};

use super::one_game::Played;
use super::terms::Terms;
use nerode_solver::error::{Error, Result};

const VERSION: u32 = 1;
/// What a match expects in its log file, in errors.
pub const THIS_LOG: &str = "the log of this match";
/// The beginning of every log.
const BEGINNING: &[u8] = b"{\"nerode_match\":";
/// The maximum length of a line in bytes.
const MOST_BYTES: u64 = 1 << 24;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Heading {
    nerode_match: u32,
    #[serde(flatten)]
    terms: Terms,
}

/// The log, open for appending.
pub(super) struct Log {
    path: PathBuf,
    file: Mutex<File>,
    games: BTreeMap<usize, Played>,
}

impl Drop for Log {
    fn drop(&mut self) {
        // Closing the file is not enough, because a player that is being started at this moment temporarily holds a
        // copy of it.
        let _ = self.file.get_mut().unwrap_or_else(PoisonError::into_inner).unlock();
    }
}

impl Log {
    /// Opens the log `path` of a match on these terms, and creates it if it does not exist. Locks it against other
    /// processes.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] for a file that is not a log, or that belongs to a match on other terms,
    /// [`Error::Busy`], or [`Error::Io`].
    pub(super) fn open(path: &Path, terms: &Terms) -> Result<Self> {
        let io = |e| Error::io(path, e);
        let file = File::log(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Error::Busy { path: path.into() }),
            Err(TryLockError::Error(e)) => return Err(io(e)),
        }
        let mut log = Self { path: path.into(), file: Mutex::new(file), games: BTreeMap::new() };
        log.begin(terms)?;
        Ok(log)
    }

    /// Reads the existing log, removes an incomplete last line, and writes the heading of an empty file.
    fn begin(&mut self, terms: &Terms) -> Result<()> {
        let path = &self.path;
        let io = |e| Error::io(path, e);
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (games, whole) = read(path, file, terms)?;
        file.set_len(whole).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        if whole == 0 {
            let heading = Heading { nerode_match: VERSION, terms: terms.clone() };
            add_line(path, file, &heading)?;
        }
        self.games = games;
        Ok(())
    }

    /// Returns the games that the log contained, by number.
    pub(super) fn games(&self) -> BTreeMap<usize, Played> {
        self.games.clone()
    }

    /// Appends a game.
    pub(super) fn add(&self, played: &Played) -> Result<()> {
        add_line(&self.path, &mut self.file.lock().unwrap_or_else(PoisonError::into_inner), played)
    }
}

fn add_line(path: &Path, file: &mut File, line: &impl Serialize) -> Result<()> {
    let io = |e| Error::io(path, e);
    let mut text = serde_json::to_vec(line).map_err(|e| io(e.into()))?;
    text.push(b'\n');
    file.write_all(&text).map_err(io)?;
    file.sync_all().map_err(io)
}

/// Reads the games in a log, and its length in bytes up to the last complete line.
fn read(path: &Path, file: &File, terms: &Terms) -> Result<(BTreeMap<usize, Played>, u64)> {
    let other = |found: String| Error::OtherContents { path: path.into(), found, expected: THIS_LOG.into() };
    let mut games = BTreeMap::new();
    let mut input = BufReader::new(file);
    let mut whole = 0;
    for number in 1u64.. {
        let mut line = Vec::new();
        let length = std::io::Read::take(&mut input, MOST_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|e| Error::io(path, e))?;
        if line.last() != Some(&b'\n') {
            // An incomplete first line may only be replaced if it begins like that of a log.
            let shared = line.iter().zip(BEGINNING).take_while(|(a, b)| *a == *b).count();
            if number == 1 && shared < line.len().min(BEGINNING.len()) {
                return Err(other("other data".into()));
            }
            break;
        }
        if number == 1 {
            let heading: Heading = serde_json::from_slice(&line).map_err(|_| other("other data".into()))?;
            if heading.nerode_match != VERSION {
                let (found, supported) = (heading.nerode_match, VERSION);
                return Err(Error::WrongVersion { path: path.into(), found, supported });
            }
            if heading.terms != *terms {
                return Err(other(format!(
                    "the log of a match with different terms{}",
                    difference(&heading.terms, terms)
                )));
            }
        } else {
            let reason = |e: serde_json::Error| Error::corrupt(path, format!("line {number}: {e}"));
            let played: Played = serde_json::from_slice(&line).map_err(reason)?;
            games.insert(played.number, played);
        }
        whole += length as u64;
    }
    Ok((games, whole))
}

/// Describes the first term in which two matches differ.
fn difference(found: &Terms, asked: &Terms) -> String {
    let of = |terms: &Terms| {
        [
            ("game", terms.game.clone()),
            ("first player", terms.players[0].clone()),
            ("second player", terms.players[1].clone()),
            ("opening plies", terms.opening_plies.to_string()),
            ("openings", terms.openings.to_string()),
            ("seed", terms.seed.to_string()),
            ("quiet plies", terms.quiet_plies.to_string()),
            ("plies", terms.plies.to_string()),
        ]
    };
    let pairs = of(found).into_iter().zip(of(asked));
    let different = pairs.into_iter().find(|(a, b)| a != b);
    different.map_or_else(String::new, |((name, a), (_, b))| format!(" ({name}: {a} instead of {b})"))
}
