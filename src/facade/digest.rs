//! What tells two states of a directory apart: a digest of its manifest and of what lies beside it.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use nerode_dfa::disk::{self, File};
use nerode_morris::early::FOLDER;
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::error::{Error, Result};

/// Hexadecimal digits of a digest.
const DIGITS: usize = 16;
/// Bytes at the beginning and at the end of a table file that are looked at: its header, and the digest of the whole.
const ENDS: u64 = 4096;

/// A digest of the solution in `path`, which is another one as soon as the solution is another one. A manifest has the digests of the
/// files that it names; files that it does not name, such as sectors, count by name, length and time.
pub(super) fn digest_of(path: &Path) -> Result<String> {
    let io = |e| Error::io(path, e);
    let mut hash = blake3::Hasher::new();
    match kind_of(path) {
        Some(kind) => {
            let file = kind.file(path);
            hash.update(&disk::read(&file).map_err(|e| Error::io(&file, e))?);
            for line in listing(path).map_err(io)? {
                hash.update(line.as_bytes());
            }
            // A folder of its own, whose ranges answers show.
            if let Ok(bounds) = disk::read(&Contents::Bounds.file(&path.join(FOLDER))) {
                hash.update(&bounds);
            }
        }
        None => hash_ends(path, &mut hash).map_err(io)?,
    }
    Ok(hash.finalize().to_hex()[..DIGITS].to_string())
}

/// The files in a directory, a line each.
fn listing(path: &Path) -> std::io::Result<Vec<String>> {
    let mut lines = Vec::new();
    for entry in disk::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let ending = Path::new(&name).extension().and_then(|ending| ending.to_str()).map(String::from);
        if ending.is_some_and(|ending| ["sector", "ranks", "packed", "dfa", "map"].contains(&ending.as_str()))
        {
            let about = entry.metadata()?;
            lines.push(format!("{name} {} {:?}\n", about.len(), about.modified().ok()));
        }
    }
    lines.sort();
    Ok(lines)
}

fn hash_ends(path: &Path, hash: &mut blake3::Hasher) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    hash.update(&bytes.to_le_bytes());
    for from in [0, bytes.saturating_sub(ENDS)] {
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        Read::by_ref(&mut file).take(ENDS).read_to_end(&mut end)?;
        hash.update(&end);
    }
    Ok(())
}
