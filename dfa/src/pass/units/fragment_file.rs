//! Fragments in files, which are read one layer at a time, beginning with the last layer.
//!
//! ```text
//! magic "NERUNIT\n" | version u32 | number of layers u32 | letters of each layer u16 | the cut u32 |
//! digest of the plan, 32 bytes | number of the first unit u32 | number of units u32 | number of keys u32 |
//! states of each layer from the cut on u32 |
//! per layer, last one first: bytes of its zstd frame u64, the frame, which holds the targets u32 |
//! roots of the keys u32 | BLAKE3 of everything before it, 32 bytes                 (all numbers little-endian)
//! ```

use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::atomic::write_atomic;
use crate::disk::File;
use crate::error::{Error, Result};
use crate::frame::{FileFormat, Hashing, Parsed, Problem, corrupt, unwritten};
use crate::shape::Shape;

use super::fragment::Fragment;
use super::plan::{Origin, PlanDigest};

const FORMAT: FileFormat = FileFormat { magic: b"NERUNIT\n", version: 2, name: "a fragment" };
const DIGEST_BYTES: u64 = 32;
const ZSTD_LEVEL: i32 = 1;
/// An upper bound of the bytes before the first layer, because there are at most 512 layers.
const HEAD_BYTES: usize = 1 << 13;
const BUFFER: usize = 1 << 18;
/// How many numbers are converted at a time.
const CHUNK: usize = 1 << 14;

impl Fragment {
    /// Writes the fragment of a unit to `path`, first under a temporary name that is renamed after the data has been
    /// synced to the disk. Returns the number of bytes written.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if writing fails; in this case, no partial file remains under either name.
    pub fn write(&self, path: &Path, origin: &Origin) -> Result<u64> {
        let io = |e| Error::io(path, e);
        write_atomic(path, io, |out| self.put(out, origin).map_err(|e| e.at(path)))
    }

    fn put(&self, out: impl Write, origin: &Origin) -> Result<u64> {
        let mut out = Hashing::new(out);
        let mut head = FORMAT.begin(&self.shape);
        head.extend_from_slice(&(self.cut as u32).to_le_bytes());
        head.extend_from_slice(&origin.plan);
        let widths: Vec<usize> =
            (self.cut..self.shape.num_layers()).map(|l| self.shape.num_letters(l)).collect();
        let states = self.layers.iter().zip(&widths).map(|(rows, width)| rows.len() / width);
        for number in [origin.unit, origin.num_units, self.roots.len()].into_iter().chain(states) {
            head.extend_from_slice(&(number as u32).to_le_bytes());
        }
        out.write_all(&head).map_err(unwritten)?;
        for rows in self.layers.iter().rev() {
            let frame = zstd::bulk::compress(&bytes_of(rows), ZSTD_LEVEL).map_err(unwritten)?;
            out.write_all(&(frame.len() as u64).to_le_bytes()).map_err(unwritten)?;
            out.write_all(&frame).map_err(unwritten)?;
        }
        out.write_all(&bytes_of(&self.roots)).map_err(unwritten)?;
        out.finish().map(|(_, written)| written.bytes).map_err(unwritten)
    }
}

/// Returns the little-endian bytes of numbers.
pub(super) fn bytes_of(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The contents of the head of a fragment file.
struct Head {
    origin: Origin,
    /// The number of states of each layer from the cut on.
    states: Vec<usize>,
    /// The size of the head in bytes.
    bytes: u64,
}

/// A fragment in a file whose digest has been verified.
#[derive(Debug)]
pub struct FragmentFile {
    path: PathBuf,
    file: BufReader<File>,
    shape: Shape,
    cut: usize,
    num_keys: usize,
    states: Vec<usize>,
    /// The layer after the one that is read next.
    layer: usize,
}

impl FragmentFile {
    /// Opens the fragment of a unit. Cost: the file is read once to verify its digest.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Version`], or [`Error::Corrupt`] if the file is damaged, truncated, or belongs
    /// to another plan or unit.
    pub fn open(path: &Path, origin: &Origin) -> Result<Self> {
        let io = |e| Error::io(path, e);
        let mut file = BufReader::with_capacity(BUFFER, File::open(path).map_err(io)?);
        let whole = is_whole(&mut file).map_err(io)?;
        file.rewind().map_err(io)?;
        let mut start = Vec::new();
        (&mut file).take(HEAD_BYTES as u64).read_to_end(&mut start).map_err(io)?;
        let head = head(&start, whole).map_err(|problem| FORMAT.error(problem, path))?;
        if head.origin != *origin {
            let reason = "it belongs to another plan or to other units".into();
            return Err(Error::Corrupt { path: path.into(), reason });
        }
        file.seek(SeekFrom::Start(head.bytes)).map_err(io)?;
        let Head { origin: Origin { shape, cut, num_keys, .. }, states, .. } = head;
        let layer = shape.num_layers();
        Ok(Self { path: path.into(), file, shape, cut, num_keys, states, layer })
    }

    /// Returns the shape of the words and the first layer of the fragment.
    pub(super) fn shape(&self) -> (&Shape, usize) {
        (&self.shape, self.cut)
    }

    /// Returns the number of states of a layer, which must not precede the cut.
    pub(super) fn num_states_in(&self, layer: usize) -> usize {
        self.states[layer - self.cut]
    }

    /// Returns the number of states.
    pub fn num_states(&self) -> usize {
        self.states.iter().sum()
    }

    /// Reads the rows of the layer before the one that was read last, beginning with the last layer.
    pub(super) fn rows(&mut self) -> Result<Vec<u32>> {
        self.layer -= 1;
        let count = self.num_states_in(self.layer) * self.shape.num_letters(self.layer);
        self.next_rows(count).map_err(|e| Error::io(&self.path, e))
    }

    fn next_rows(&mut self, count: usize) -> std::io::Result<Vec<u32>> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes)?;
        let frame = (&mut self.file).take(u64::from_le_bytes(bytes));
        let mut decoder = zstd::stream::read::Decoder::new(frame)?.single_frame();
        let rows = take_numbers(&mut decoder, count)?;
        // Skip the rest of the frame.
        std::io::copy(&mut decoder, &mut std::io::sink())?;
        std::io::copy(&mut decoder.finish(), &mut std::io::sink())?;
        Ok(rows)
    }

    /// Reads the targets of the keys, which follow the rows of all layers.
    pub(super) fn roots(&mut self) -> Result<Vec<u32>> {
        take_numbers(&mut self.file, self.num_keys).map_err(|e| Error::io(&self.path, e))
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Reads `count` numbers. Memory for a claimed count is reserved in chunks, as the data is read.
fn take_numbers(from: &mut impl Read, count: usize) -> std::io::Result<Vec<u32>> {
    let mut bytes = vec![0; 4 * CHUNK.min(count)];
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let bytes = &mut bytes[..4 * CHUNK.min(count - numbers.len())];
        from.read_exact(bytes)?;
        numbers.extend(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])));
    }
    Ok(numbers)
}

/// Returns `true` if the file ends with the digest of all preceding bytes.
fn is_whole(file: &mut BufReader<File>) -> std::io::Result<bool> {
    let Some(body) = file.get_ref().metadata()?.len().checked_sub(DIGEST_BYTES) else { return Ok(false) };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file.take(body))?;
    let mut digest = [0; DIGEST_BYTES as usize];
    file.read_exact(&mut digest)?;
    Ok(hasher.finalize().as_bytes() == &digest)
}

fn head(start: &[u8], whole: bool) -> Parsed<Head> {
    let mut cursor = FORMAT.head(start)?;
    if !whole {
        return Err(Problem::Corrupt("checksum mismatch: the file is damaged or truncated".into()));
    }
    let shape = cursor.shape()?;
    let cut = cursor.u32()? as usize;
    if cut >= shape.num_layers() {
        return corrupt("the cut lies after the last layer");
    }
    let mut plan = PlanDigest::default();
    plan.copy_from_slice(cursor.take(size_of::<PlanDigest>())?);
    let mut number = || cursor.u32().map(|number| number as usize);
    let [unit, num_units, num_keys] = [number()?, number()?, number()?];
    let states = (cut..shape.num_layers())
        .map(|_| cursor.u32().map(|n| n as usize))
        .collect::<Parsed<Vec<usize>>>()?;
    let bytes = (start.len() - cursor.len()) as u64;
    Ok(Head { origin: Origin { shape, cut, plan, unit, num_units, num_keys }, states, bytes })
}
