//! A digest of a directory, computed from its manifest and the other files, which detects changes.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use nerode_dfa::disk::{self, File};

use crate::archive::contents::{BOUNDS_FOLDER, DEPTHS_FILE};
use crate::archive::{Contents, kind_of};
use crate::error::{Error, Result};

/// The number of hexadecimal digits of a digest.
const DIGITS: usize = 16;
/// The number of bytes that are read at the beginning and at the end of a table file, which contain its header and
/// the digest of the whole file.
const ENDS: u64 = 4096;

/// Computes a digest of the solution in `path`, which changes whenever the solution changes. A manifest contains the
/// digests of the files that it names. Files that it does not name, such as sectors, enter by name, length and
/// modification time.
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
            // The bounds have a folder of their own, and their ranges are part of answers.
            if let Ok(bounds) = disk::read(&Contents::Bounds.file(&path.join(BOUNDS_FOLDER))) {
                hash.update(&bounds);
            }
        }
        None => hash_ends(path, &mut hash).map_err(io)?,
    }
    // The stored depths of a run from the start are part of answers.
    let depths = path.join(DEPTHS_FILE);
    if depths.is_file() {
        hash_ends(&depths, &mut hash).map_err(|e| Error::io(&depths, e))?;
    }
    Ok(hash.finalize().to_hex()[..DIGITS].to_string())
}

/// Lists the files in a directory, one per line.
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
