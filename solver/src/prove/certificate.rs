//! Certificates: files with a strategy, which are checked by the rules and the sets alone.
//!
//! A certificate is a line of JSON, the choices of the strategy in the order of the walk, and the digest of all bytes before. A
//! choice is an index in the list of replies, as an LEB128 number. The choices are compressed by zstd.

use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use nerode_dfa::disk::File;
use nerode_games::{Game, Position, Value};
use serde::{Deserialize, Serialize};

use super::decided::Decided;
use super::header::{Kind, read_header};
use super::stack::with_deep_stack;
use super::strategy::{Claim, Player, Stop, StrategySize, Walk, name};
use crate::archive::files::DIGEST_BYTES;
use crate::archive::stored_run::StoredRun;
use crate::error::{Error, Result, RunNeeds};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

const KIND: Kind = Kind { name: "nerode certificate", described: "a certificate" };
/// The version of the format.
const VERSION: u32 = 1;
/// The level of compression.
const LEVEL: i32 = 3;
/// The number of choices between two reports of a check.
const REPORT_EVERY: u64 = 1024;

/// The first line of a certificate.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    format: String,
    version: u32,
    game: String,
    fingerprint: String,
    position: String,
    /// The value: `win`, `draw` or `loss` for the side to move.
    value: String,
    /// The ply of the sets in which the strategy ends.
    ply: u32,
}

impl Header {
    pub(super) fn new(game: &dyn Game, position: &Position, value: Value, ply: u32) -> Self {
        Self {
            format: KIND.name.into(),
            version: VERSION,
            game: game.spec(),
            fingerprint: game.fingerprint(),
            position: game.format_position(position),
            value: name(value).into(),
            ply,
        }
    }

    /// Writes the line.
    pub(super) fn write_to(&self, out: &mut impl Write, path: &Path) -> Result<()> {
        let io = |e| Error::io(path, e);
        serde_json::to_writer(&mut *out, self).map_err(|e| io(e.into()))?;
        out.write_all(b"\n").map_err(io)
    }

    /// Reads the line of the file `path`. Returns the number of its bytes, too.
    fn read_from(file: &mut File, path: &Path) -> Result<(Self, u64)> {
        let (header, bytes) = read_header::<Self>(file, path, KIND)?;
        if header.version != VERSION {
            let reason = format!("version {} of the format is not supported", header.version);
            return Err(Error::corrupt(path, reason));
        }
        Ok((header, bytes))
    }

    fn value(&self, path: &Path) -> Result<Value> {
        let values = [Value::Win, Value::Draw, Value::Loss];
        let unknown = || Error::corrupt(path, format!("'{}' is not a value", self.value));
        values.into_iter().find(|&value| name(value) == self.value).ok_or_else(unknown)
    }
}

/// Writes choices.
pub(super) struct Choices<W: Write> {
    out: zstd::Encoder<'static, W>,
}

impl<W: Write> Choices<W> {
    pub(super) fn new(out: W) -> std::io::Result<Self> {
        Ok(Self { out: zstd::Encoder::new(out, LEVEL)? })
    }

    pub(super) fn put(&mut self, choice: usize) -> std::io::Result<()> {
        let mut rest = choice;
        while rest >= 0x80 {
            self.out.write_all(&[rest as u8 | 0x80])?;
            rest >>= 7;
        }
        self.out.write_all(&[rest as u8])
    }

    pub(super) fn finish(self) -> std::io::Result<W> {
        self.out.finish()
    }
}

/// The player whose choices are stored.
struct Stored<'a, R: Read> {
    choices: R,
    path: &'a Path,
    /// The number of choices read.
    num_choices: u64,
    watch: &'a mut (dyn FnMut(u64) + Send),
}

impl<R: Read> Stored<'_, R> {
    /// Returns the next choice, or `None` at the end.
    fn next(&mut self) -> Result<Option<usize>> {
        let (mut choice, mut shift) = (0, 0);
        loop {
            let mut byte = [0];
            match self.choices.read_exact(&mut byte) {
                Ok(()) => choice |= usize::from(byte[0] & 0x7f) << shift,
                Err(e) if e.kind() == ErrorKind::UnexpectedEof && shift == 0 => return Ok(None),
                Err(e) => return Err(Error::corrupt(self.path, e.to_string())),
            }
            if byte[0] < 0x80 {
                self.num_choices += 1;
                if self.num_choices.is_multiple_of(REPORT_EVERY) {
                    (self.watch)(self.num_choices);
                }
                return Ok(Some(choice));
            }
            shift += 7;
            if shift > 28 {
                return Err(Error::corrupt(self.path, "a choice is too large"));
            }
        }
    }
}

impl<R: Read> Player for Stored<'_, R> {
    fn choose(&mut self, _: &Position, _: &[Vec<u8>]) -> Result<usize> {
        self.next()?.ok_or_else(|| Error::corrupt(self.path, "it ends before the strategy does"))
    }
}

/// The result of the check of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The position.
    pub position: Position,
    /// The value that the certificate claims, for the side to move.
    pub value: Value,
    /// The ply of the sets in which the strategy ends.
    pub ply: u32,
    /// The size of the tables of these sets in bytes.
    pub set_bytes: u64,
    /// The size of the strategy, up to the first mistake.
    pub size: StrategySize,
    /// The first mistake, or `None` if the certificate proves the value.
    pub mistake: Option<String>,
}

/// Checks the certificate in the file `path` by the rules of the game and the sets of `run`. No search takes part in it.
/// Calls `watch` with the number of moves that have been read, from time to time.
///
/// *Cost*: memory for the sets of one ply and for every position of the strategy; time for every move of its positions.
///
/// # Errors
/// Returns [`Error::OtherContents`] for a file of another kind, [`Error::Corrupt`] if it is damaged, [`Error::Mismatch`] if it belongs
/// to another game or to later sets than those of the run, [`Error::NoSuchSet`] or [`Error::NotKept`] if the run lacks the sets,
/// [`Error::TooLarge`] if memory does not suffice, or [`Error::Interrupted`].
pub fn check_certificate(
    run: &StoredRun,
    path: &Path,
    resources: &Resources,
    watch: &mut (dyn FnMut(u64) + Send),
) -> Result<Checked> {
    if run.method() != Method::Retrograde {
        return Err(Error::WrongRun { wanted: "proofs by search", needs: RunNeeds::Retrograde });
    }
    let io = |e| Error::io(path, e);
    let mut file = File::open(path).map_err(io)?;
    let (header, start) = Header::read_from(&mut file, path)?;
    let game = run.game.as_ref();
    if header.fingerprint != game.fingerprint() {
        return Err(Error::Mismatch {
            what: format!("the certificate {}", path.display()),
            found: header.game,
            expected: format!("a certificate for {} with the rules of the run", game.spec()),
        });
    }
    if header.ply > run.last_ply() {
        return Err(Error::Mismatch {
            what: format!("the certificate {}", path.display()),
            found: format!("sets of ply {}", header.ply),
            expected: format!("sets of a ply up to {}, the last of the run", run.last_ply()),
        });
    }
    let (position, value) = (game.parse_position(&header.position)?, header.value(path)?);
    let decided = Decided::at(run, header.ply, resources)?;
    let memory = resources.memory.saturating_sub(decided.bytes_in_memory());
    let mut walk = Walk::new(game, &decided, memory, &resources.interrupt)?;
    let end = file.seek(SeekFrom::End(0)).map_err(io)?.saturating_sub(DIGEST_BYTES);
    file.seek(SeekFrom::Start(start)).map_err(io)?;
    let choices = zstd::Decoder::new(file.take(end.saturating_sub(start))).map_err(io)?;
    let mut stored = Stored { choices: BufReader::new(choices), path, num_choices: 0, watch };
    let checked = with_deep_stack(|| {
        for claim in Claim::of(value, position.side) {
            walk.go(&position, claim, &mut stored)?;
        }
        match stored.next()? {
            None => Ok(()),
            Some(_) => Err(Stop::Wrong("it goes on after the end of the strategy".into())),
        }
    })?;
    let mistake = match checked {
        Ok(()) => None,
        Err(Stop::Wrong(mistake)) => Some(mistake),
        Err(Stop::Failed(error)) => return Err(error),
    };
    let (size, set_bytes) = (walk.size, decided.bytes());
    Ok(Checked { position, value, ply: header.ply, set_bytes, size, mistake })
}
