//! The file of a sector automaton, which is versioned and checksummed. Its bytes depend only on the automaton, and its
//! arrays have the form that look-ups use.
//!
//! ```text
//! magic "NERODSF\n" | version u32 | digest of the rules, 32 bytes | sector u8 x 4 |
//! root side u8 (0 own, 1 other) | depths u8 | probe u8 (0 nothing, 1 captures) | points u8, the order of reading u8 each |
//! classes u32 | codes u16, each u16 ascending | the two common codes by number u16 x 2 |
//! states u32 of each stage, most points left first, within these fewest stones first | rows u32 of each number of stones |
//! new edges u32 and pointers u32 of each span of edges | the checksums of the pages, 8 bytes each |
//! pages | blocks of edges | blocks of rows | BLAKE3 of everything before it, 32 bytes      (all numbers little-endian)
//! ```
//! The *head* ends where the pages begin; pages and blocks are described in [`super::blocks`]. The numbers of blocks follow
//! from the counts in the head. Reading a whole file checks all guarantees of the format: the numbering, that no two states
//! or rows of a stage are equal, that no state is equivalent to a single code, and that every unused bit is 0. A file whose
//! head has the digest in a manifest can also be read in parts.

use std::path::Path;

#[cfg(feature = "solve")]
use nerode_dfa::Cursor;
#[cfg(feature = "solve")]
use nerode_dfa::disk;
use nerode_dfa::{FileFormat, Problem};

use super::automaton::Automaton;
#[cfg(feature = "solve")]
use super::automaton::MultiRoot;
#[cfg(feature = "solve")]
use super::bits::Bits;
use super::blocks::{Blocks, Part};
#[cfg(feature = "solve")]
use super::blocks::{PAGE, Parsed, ROW_WORDS};
#[cfg(feature = "solve")]
use super::header::{Header, Probe};
#[cfg(feature = "solve")]
use super::parse::arrays;
use super::parse::{Head, head as parse_head};
#[cfg(feature = "solve")]
use super::promises::{check_rows, check_spans, check_states};
#[cfg(feature = "solve")]
use super::words::RootSide;
#[cfg(feature = "solve")]
use super::worth::Detail;
use nerode_dfa::packed::PackedReader;
#[cfg(feature = "solve")]
use nerode_dfa::packed::{EDGES, checksum};
#[cfg(feature = "solve")]
use nerode_solver::archive::files::write_bytes_atomic;
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result};

/// The version of the format written by this program, the only one that it reads.
pub const FORMAT_VERSION: u32 = 2;

/// The greatest length of a head that is read on its own. A head has 8 bytes for some 300 KB of its file.
const MOST_HEAD_BYTES: u64 = 1 << 24;

const FORMAT: FileFormat =
    FileFormat { magic: b"NERODSF\n", version: FORMAT_VERSION, name: "a sector automaton" };

/// The bytes of a file, and the length of its head.
#[cfg(feature = "solve")]
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    pub(super) head_bytes: usize,
}

/// # Files
#[cfg(feature = "solve")]
impl MultiRoot {
    /// Returns the bytes of the file. *Cost*: one pass.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.encoded().bytes
    }

    /// Returns the bytes of the file with the length of its head. *Cost*: one pass.
    pub(super) fn encoded(&self) -> Encoded {
        let mut out = self.before_pages();
        let blocks = self.blocks();
        let num_pages = blocks.len().div_ceil(PAGE as usize);
        let head_bytes = out.len() + 8 * num_pages;
        let words_in_pages: usize =
            blocks.chunks(PAGE as usize).map(|b| 1 + b.len() + b.len().div_ceil(4)).sum();
        let mut at = (head_bytes + 8 * words_in_pages) as u64;
        let mut pages = Vec::new();
        for blocks in blocks.chunks(PAGE as usize) {
            let mut page = at.to_le_bytes().to_vec();
            page.extend(blocks.iter().flat_map(|block| checksum(block)));
            page.extend(blocks.iter().flat_map(|block| (block.len() as u16 / 8).to_le_bytes()));
            page.resize(page.len().next_multiple_of(8), 0);
            out.extend(checksum(&page));
            pages.extend(page);
            at += blocks.iter().map(|block| block.len() as u64).sum::<u64>();
        }
        out.extend(pages);
        out.extend(blocks.iter().flatten());
        let digest = blake3::hash(&out);
        out.extend(digest.as_bytes());
        Encoded { bytes: out, head_bytes }
    }

    /// Returns the bytes before the checksums of the pages.
    fn before_pages(&self) -> Vec<u8> {
        let outline = &self.outline;
        let mut out = FORMAT.magic.to_vec();
        out.extend(FORMAT.version.to_le_bytes());
        let Header { rules, sector, root_side, detail, probe, order } = &outline.header;
        out.extend(rules);
        out.extend([sector.own, sector.other, sector.own_hand, sector.other_hand]);
        out.push(u8::from(*root_side == RootSide::Other));
        out.push(u8::from(*detail == Detail::Depths));
        out.push(u8::from(*probe == Probe::Captures));
        out.push(order.points().len() as u8);
        out.extend(order.points());
        out.extend(outline.num_classes.to_le_bytes());
        out.extend((outline.codes.len() as u16).to_le_bytes());
        out.extend(outline.codes.iter().flat_map(|worth| worth.code().to_le_bytes()));
        out.extend(outline.common.iter().flat_map(|code| code.to_le_bytes()));
        let states = outline.num_states.iter().rev().flatten();
        out.extend(states.flat_map(|count| count.to_le_bytes()));
        out.extend(outline.row_spans.iter().flat_map(|span| span.count.to_le_bytes()));
        for (span, edges) in outline.spans() {
            let ranks = |edge| self.edges.marks.ranks(span.edge(edge));
            let ((new, pointers), (new_end, pointers_end)) = (ranks(0), ranks(edges));
            out.extend((new_end - new).to_le_bytes());
            out.extend((pointers_end - pointers).to_le_bytes());
        }
        out
    }

    /// Returns the bytes of every block.
    fn blocks(&self) -> Vec<Vec<u8>> {
        let (marks, pointers) = (&self.edges.marks, &self.edges.pointers);
        let starts = self.pointer_starts();
        let ends = starts.iter().skip(1).copied().chain([pointers.len()]);
        let edges = marks.planes().chunks(EDGES / 64).zip(starts.iter().zip(ends)).enumerate();
        let edges = edges.map(|(number, (planes, (&start, end)))| {
            let (new, pointers_before) = marks.ranks((number * EDGES) as u64);
            let mut here = Bits::default();
            here.extend(&pointers.words, start, end);
            let before = u64::from(new) | u64::from(pointers_before) << 32;
            let words = [before, start].into_iter().chain(planes.iter().flatten().copied());
            words.chain(here.words).flat_map(u64::to_le_bytes).collect()
        });
        let rows = self.edges.rows.words.chunks(ROW_WORDS as usize);
        edges.chain(rows.map(|words| words.iter().flat_map(|word| word.to_le_bytes()).collect())).collect()
    }

    /// Returns the bit at which the pointers of each block of edges begin.
    fn pointer_starts(&self) -> Vec<u64> {
        let mut starts = Vec::new();
        for (span, edges) in self.outline.spans() {
            let end = span.edge(edges);
            while ((starts.len() * EDGES) as u64) < end {
                let before = self.edges.marks.ranks((starts.len() * EDGES) as u64).1;
                starts.push(span.pointer(before).into());
            }
        }
        starts
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn write(&self, path: &Path) -> Result<()> {
        write_bytes_atomic(path, &self.to_bytes())
    }

    /// Reads a file and checks all guarantees of the format. *Cost*: two passes, and a hash look-up for each state.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Corrupt`], or [`Error::WrongVersion`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = disk::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads the automaton from bytes in memory, as [`MultiRoot::read`] does. Errors name `path`.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] or [`Error::WrongVersion`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let corrupt = |reason| Error::corrupt(path, reason);
        let (counts, automaton) = parsed(bytes, path)?;
        check_spans(&automaton, &counts)
            .and_then(|()| check_states(&automaton))
            .and_then(|()| check_rows(&automaton))
            .map_err(corrupt)?;
        // Everything else follows from the automaton.
        if automaton.to_bytes() != bytes {
            return Err(corrupt(
                "its pages, or the unused bits of its blocks, are not those of the automaton".into(),
            ));
        }
        Ok(automaton)
    }
}

#[cfg(feature = "solve")]
impl MultiRoot {
    /// Reads a file whose digest is listed in a manifest, as [`MultiRoot::from_bytes`] does, without checking that
    /// states are distinct and that edges lead to existing states. For any bytes, look-ups terminate and do not panic.
    /// *Cost*: one pass.
    ///
    /// # Errors
    /// Returns the same errors as [`MultiRoot::from_bytes`].
    pub(super) fn of_digested(bytes: &[u8], path: &Path) -> Result<Self> {
        Ok(parsed(bytes, path)?.1)
    }
}

impl Automaton<Blocks> {
    /// Opens a file that is read in parts. `whole` and `head` are the lengths and digests of the file and of its head, as they
    /// are listed in a manifest. *Cost*: reads the head.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`], [`Error::WrongVersion`], or [`Error::Io`].
    pub(super) fn open(reader: PackedReader<Part>, whole: &StoredFile, head: &StoredFile) -> Result<Self> {
        let path = reader.path().to_path_buf();
        whole.must_have(reader.num_bytes()?, &path)?;
        if head.bytes() > MOST_HEAD_BYTES {
            return Err(Error::corrupt(&path, "the length of its head is not plausible"));
        }
        let bytes = head.checked(reader.read(0, head.bytes() as usize, |_| true)?, &path)?;
        let mut cursor = FORMAT.head(&bytes).map_err(|problem| error_of(problem, &path))?;
        let Head { outline, layout, .. } =
            parse_head(&mut cursor).map_err(|reason| Error::corrupt(&path, reason))?;
        if !cursor.is_empty() {
            return Err(Error::corrupt(&path, "unexpected bytes at the end of its head"));
        }
        Ok(Self { outline, edges: Blocks::new(reader, head.bytes(), layout) })
    }
}

fn error_of(problem: Problem, path: &Path) -> Error {
    match problem {
        Problem::Version(found) => {
            Error::WrongVersion { path: path.into(), found, supported: FORMAT_VERSION }
        }
        Problem::Corrupt(reason) => Error::corrupt(path, reason),
    }
}

/// Parses a whole file. Returns the numbers of new edges and of pointers of each span, which have not been compared with the
/// automaton.
#[cfg(feature = "solve")]
fn parsed(bytes: &[u8], path: &Path) -> Result<(Vec<[u32; 2]>, MultiRoot)> {
    let mut cursor = FORMAT.open(bytes).map_err(|problem| error_of(problem, path))?;
    let parse = |cursor: &mut Cursor<'_>| -> Parsed<(Vec<[u32; 2]>, MultiRoot)> {
        let Head { outline, layout, counts, pointer_bits } = parse_head(cursor)?;
        let edges = arrays(cursor, &layout, pointer_bits)?;
        Ok((counts, MultiRoot { outline, edges }))
    };
    parse(&mut cursor).map_err(|reason| Error::corrupt(path, reason))
}
