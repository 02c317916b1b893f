//! The first line of the files of this module: JSON that names the format.

use std::io::{BufRead, BufReader, ErrorKind, Read, Seek};
use std::path::Path;

use nerode_dfa::disk::File;
use serde::de::DeserializeOwned;

use crate::archive::files::{DIGEST_BYTES, verify_digest};
use crate::error::{Error, Result};

/// The greatest length of the first line.
const LINE_BYTES: u64 = 1 << 16;

/// A kind of files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// The text that identifies the format, which is the first field of the line.
    pub(super) name: &'static str,
    /// What a file of this kind is called in messages.
    pub(super) described: &'static str,
}

/// Reads the first line of the file `path`, which ends in the digest of all bytes before. Returns the number of bytes of the line, too.
///
/// # Errors
/// Returns [`Error::OtherContents`] for a file of another kind, [`Error::Corrupt`] if it is damaged, or [`Error::Io`].
pub(super) fn read_header<T: DeserializeOwned>(file: &mut File, path: &Path, kind: Kind) -> Result<(T, u64)> {
    let io = |e| Error::io(path, e);
    let beginning = format!("{{\"format\":\"{}\"", kind.name).into_bytes();
    let mut first = vec![0; beginning.len()];
    match file.read_exact(&mut first) {
        Err(e) if e.kind() != ErrorKind::UnexpectedEof => return Err(io(e)),
        _ if first == beginning => {}
        _ => {
            let (found, expected) = ("another kind of file".into(), kind.described.into());
            return Err(Error::OtherContents { path: path.into(), found, expected });
        }
    }
    let bytes = file.metadata().map_err(io)?.len();
    if bytes < beginning.len() as u64 + DIGEST_BYTES {
        return Err(Error::corrupt(path, "it is truncated"));
    }
    verify_digest(file, path)?;
    file.rewind().map_err(io)?;
    let mut line = Vec::new();
    BufReader::new(Read::by_ref(file).take(LINE_BYTES)).read_until(b'\n', &mut line).map_err(io)?;
    let header = serde_json::from_slice(&line).map_err(|e| Error::corrupt(path, e.to_string()))?;
    Ok((header, line.len() as u64))
}
