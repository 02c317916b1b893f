//! Reads automaton files layer by layer, so that neither the file nor the automaton is ever completely in memory.

use std::path::Path;

use rayon::prelude::*;

use super::{FORMAT, num_roots};
use crate::automaton::{Dfa, Table};
use crate::block::{Block, decompress, must_be_roots};
use crate::error::Result;
use crate::frame::{Parts, corrupt};
use crate::shape::Shape;
use crate::unique::FIRST;

/// The maximum size in bytes of the beginning: the number of layers, the letters of each layer, and the root.
const HEAD: usize = 4 + 2 * Shape::MAX_LAYERS + 4;

impl Dfa {
    /// Reads a set that need not fit into memory, like [`Dfa::read`], and stores its large layers in unnamed files in
    /// `folder`. The operating system loads the parts that are read, and reclaims their memory when it is needed
    /// elsewhere.
    ///
    /// Cost: the file is read twice, and each large layer is written once. As many layers are in memory as the pool has
    /// threads. With three letters, each layer takes about 30 bytes per state while it is checked.
    ///
    /// # Errors
    /// Returns the same errors as [`Dfa::read`], or [`crate::Error::Io`] if `folder` has no room for the layers.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape};
    /// let shape = Shape::uniform(3, 2)?;
    /// let words = Dfa::from_sorted_words(&shape, &[[0u8, 1, 0], [1, 1, 0]])?;
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("words.dfa");
    /// words.write(&path)?;
    /// assert_eq!(Dfa::read_in_files(&path, folder.path())?, words);
    /// # Ok::<(), nerode_dfa::Error>(())
    /// ```
    pub fn read_in_files(path: &Path, folder: &Path) -> Result<Self> {
        let mut parts = Parts::open(FORMAT, path)?;
        let (shape, root) = parts.parsed(HEAD, |head| Ok((head.shape()?, head.u32()?)))?;
        let num_roots = parts.checked(num_roots(root))?;
        let mut num_states = parts.u32()? as usize;
        parts.checked(must_be_roots(num_states, num_roots))?;
        let mut layers: Vec<Table> = Vec::with_capacity(shape.num_layers());
        let all: Vec<usize> = (0..shape.num_layers()).collect();
        for some in all.chunks(rayon::current_num_threads()) {
            let mut taken = Vec::with_capacity(some.len());
            for &layer in some {
                let bytes = [parts.counted()?, parts.counted()?];
                let next = if layer + 1 < shape.num_layers() { parts.u32()? as usize } else { 0 };
                taken.push(Layer { layer, bytes, num_states, next });
                num_states = next;
            }
            let tables: Vec<Result<Table>> =
                taken.into_par_iter().map(|layer| layer.table(&shape, path)?.filed(folder)).collect();
            for table in tables {
                layers.push(table?);
            }
        }
        parts.checked(if parts.is_empty() {
            Ok(())
        } else {
            corrupt("unexpected bytes after the last layer")
        })?;
        Ok(Self::from_canonical(shape, root, layers))
    }
}

/// A layer of a file that has not been parsed yet.
struct Layer {
    layer: usize,
    /// The zstd frame and the low bits.
    bytes: [Vec<u8>; 2],
    /// The numbers of states that the file claims for this layer and for the next one.
    num_states: usize,
    next: usize,
}

impl Layer {
    /// Parses and checks the rows of the layer. `path` is used only in error messages.
    fn table(self, shape: &Shape, path: &Path) -> Result<Table> {
        let [symbols, low] = &self.bytes;
        let block = Block { num_states: self.num_states, symbols, low };
        let rows = block.minimal_rows(shape.num_letters(self.layer), FIRST, self.next, decompress);
        rows.map(Table::from).map_err(|problem| FORMAT.error(problem.in_layer(self.layer), path))
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::error::Error;

    /// Creates a set of pseudorandom words of `len` letters.
    fn many(len: usize, letters: u8) -> Dfa {
        let shape = Shape::uniform(len, letters.into()).unwrap();
        let mut rng = ChaCha12Rng::seed_from_u64(7);
        let mut word = |_| (0..len).map(|_| rng.random_range(0..letters)).collect();
        let mut words: Vec<Vec<u8>> = (0..20_000).map(&mut word).collect();
        words.sort();
        words.dedup();
        Dfa::from_sorted_words(&shape, &words).unwrap()
    }

    #[test]
    fn a_set_read_by_layer_is_the_set() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.dfa");
        for (len, letters) in [(20, 2), (13, 3), (6, 16)] {
            let set = many(len, letters);
            for set in [Dfa::empty(set.shape()), Dfa::full(set.shape()), set] {
                set.write(&path).unwrap();
                let read = Dfa::read_in_files(&path, folder.path()).unwrap();
                assert_eq!(read, set);
                assert_eq!(read.to_bytes().unwrap(), std::fs::read(&path).unwrap());
            }
        }
        let read = Dfa::read_in_files(&path, folder.path()).unwrap();
        assert!(read.bytes() < Dfa::read(&path).unwrap().bytes() / 2, "large layers must be stored in files");
    }

    /// Both ways of reading must reject the same damaged files, and with the same message if a file has a single
    /// defect.
    #[test]
    fn both_ways_of_reading_refuse_the_same_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.dfa");
        let whole = many(13, 3).to_bytes().unwrap();
        let must_be_refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let (one, other) = (Dfa::read(&path), Dfa::read_in_files(&path, folder.path()));
            let (one, other) = (one.unwrap_err(), other.unwrap_err());
            assert_eq!(one.to_string(), other.to_string());
            assert!(matches!(other, Error::Corrupt { .. } | Error::Version { .. }), "{other}");
        };
        for len in (0..80).chain((80..whole.len()).step_by(997)) {
            must_be_refused(&whole[..len]);
        }
        let signed = |mut body: Vec<u8>| {
            let digest = blake3::hash(&body);
            body.extend_from_slice(digest.as_bytes());
            body
        };
        let body = &whole[..whole.len() - 32];
        must_be_refused(&signed([body, &[0]].concat()));
        must_be_refused(&signed(body[..30].to_vec()));
        for at in (0..400).chain((400..body.len()).step_by(101)) {
            let mut bytes = body.to_vec();
            bytes[at] ^= 1;
            must_be_refused(&[&bytes, &whole[body.len()..]].concat());
            std::fs::write(&path, signed(bytes)).unwrap();
            let (one, other) = (Dfa::read(&path), Dfa::read_in_files(&path, folder.path()));
            assert_eq!(one.ok(), other.ok(), "byte {at}");
        }
    }
}
