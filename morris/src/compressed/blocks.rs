//! The blocks of a sector automaton's file, by which a look-up reads a small part of it.
//!
//! ```text
//! head | pages | blocks of edges | blocks of rows | BLAKE3 of everything before it
//! ```
//! A block consists of words of 64 bits. A block of edges has those of the next [`EDGES`] edges: the number of new edges before
//! it u32, the number of pointers before it u32, the bit at which its pointers begin among all pointers u64, the marks, and
//! the pointers. A block of rows has [`ROW_WORDS`] words of their codes. A page describes [`PAGE`] blocks: the offset of
//! the first one u64, their checksums, 8 bytes each, and their lengths in words, u16 each, which are padded to whole words.
//! The head, which `super::parse` reads, ends with the checksums of the pages.
//!
//! Invariant: the caller verifies the head. No page or block is used before its checksum has been compared.

use std::sync::Arc;

use nerode_dfa::Cursor;
use nerode_dfa::packed::{EDGES, PackedReader};

use super::automaton::{Edge, Edges};
use super::bits::{Mark, Planes, bits_at, bits_of, counts, mark_in};
use super::spans::Span;
use nerode_solver::error::{Error, Result};

/// The parsed data, or a description of the error.
pub(super) type Parsed<T> = std::result::Result<T, String>;

/// The number of words of a block of rows; the last block may have fewer.
pub(super) const ROW_WORDS: u64 = 256;
/// The number of blocks that a page describes; the last page may describe fewer.
pub(super) const PAGE: u64 = 128;

/// A page or a block in a cache.
#[derive(Debug)]
pub(super) struct Part {
    words: Box<[u64]>,
    /// For each 64 marks of a block of edges, the numbers of new edges and of pointers before them. Otherwise empty.
    before: Box<[u64]>,
}

/// Returns bytes as words.
pub(super) fn words_of(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect()
}

/// The bit by which pages differ from blocks in a cache.
const PAGES: u64 = 1 << 63;

/// The numbers and lengths of the blocks of a file.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) num_edges: u64,
    pub(super) row_bits: u64,
    /// The checksums of the pages.
    pages: Vec<[u8; 8]>,
}

impl Layout {
    /// Reads the checksums of the pages of a file with these numbers of edges and bits.
    pub(super) fn parse(cursor: &mut Cursor<'_>, num_edges: u64, row_bits: u64) -> Parsed<Self> {
        let mut layout = Self { num_edges, row_bits, pages: Vec::new() };
        let bytes = usize::try_from(layout.num_blocks().div_ceil(PAGE)).ok().and_then(|n| n.checked_mul(8));
        // No file has that many bytes, so the attempt to take them fails.
        let sums = cursor.take(bytes.unwrap_or(usize::MAX))?;
        layout.pages = sums.as_chunks().0.to_vec();
        Ok(layout)
    }

    fn edge_blocks(&self) -> u64 {
        self.num_edges.div_ceil(EDGES as u64)
    }

    fn num_blocks(&self) -> u64 {
        self.edge_blocks() + self.row_bits.div_ceil(64 * ROW_WORDS)
    }

    #[cfg(feature = "solve")]
    pub(super) fn num_pages(&self) -> u64 {
        self.pages.len() as u64
    }

    /// Returns the number of edges in a block, or `None` if it is a block of rows.
    pub(super) fn edges_in(&self, block: u64) -> Option<usize> {
        let left = self.num_edges.checked_sub(block * EDGES as u64).filter(|left| *left > 0)?;
        Some(left.min(EDGES as u64) as usize)
    }

    /// Returns the number of blocks that a page describes.
    pub(super) fn blocks_in(&self, page: u64) -> usize {
        self.num_blocks().saturating_sub(page * PAGE).min(PAGE) as usize
    }

    /// Returns the length of a page in bytes.
    pub(super) fn page_bytes(&self, page: u64) -> usize {
        let blocks = self.blocks_in(page);
        8 * (1 + blocks + blocks.div_ceil(4))
    }
}

/// A page: the places and checksums of some blocks.
pub(super) struct Page<'a> {
    first: u64,
    sums: &'a [u64],
    lengths: &'a [u64],
}

impl<'a> Page<'a> {
    /// Returns `None` unless these are the words of a page of `blocks` blocks.
    pub(super) fn of(words: &'a [u64], blocks: usize) -> Option<Self> {
        let (&first, words) = words.split_first()?;
        let (sums, lengths) = words.split_at_checked(blocks)?;
        (lengths.len() == blocks.div_ceil(4)).then_some(Self { first, sums, lengths })
    }

    /// Returns the lengths of the blocks in words.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        let length = |i: usize| (self.lengths[i / 4] >> (16 * (i % 4)) & 0xFFFF) as usize;
        (0..self.sums.len()).map(length)
    }

    /// Returns the offset, the length in words and the checksum of a block, by its number in the page.
    fn place(&self, block: usize) -> Option<(u64, usize, [u8; 8])> {
        let before: usize = self.lengths().take(block).sum();
        let sum = self.sums.get(block)?.to_le_bytes();
        Some((self.first.checked_add(8 * before as u64)?, self.lengths().nth(block)?, sum))
    }
}

/// A block of edges.
pub(super) struct EdgeBlock<'a> {
    /// The number of new edges before the block in the low half, and of pointers in the high half.
    before: u64,
    /// The bit at which its pointers begin among all pointers.
    pub(super) first_bit: u64,
    pub(super) planes: &'a [Planes],
    pub(super) pointers: &'a [u64],
}

impl<'a> EdgeBlock<'a> {
    /// Returns `None` if these words are too few for a block of `num_edges` edges.
    pub(super) fn of(words: &'a [u64], num_edges: usize) -> Option<Self> {
        let (&[before, first_bit], words) = words.split_first_chunk()?;
        let (planes, pointers) = words.split_at_checked(2 * num_edges.div_ceil(64))?;
        Some(Self { before, first_bit, planes: planes.as_chunks().0, pointers })
    }

    /// Returns the numbers of new edges, in the low half, and of pointers, in the high half, before each 64 marks.
    fn counts(&self) -> Box<[u64]> {
        let mut before = self.before;
        let count = |planes: &Planes| {
            let (new, pointers) = counts(std::slice::from_ref(planes));
            let next = before.wrapping_add(u64::from(new) | u64::from(pointers) << 32);
            std::mem::replace(&mut before, next)
        };
        self.planes.iter().map(count).collect()
    }
}

/// The edges and rows of an automaton in a file, which are read when they are needed.
#[derive(Debug)]
pub(super) struct Blocks {
    reader: PackedReader<Part>,
    /// The length of the head, after which the pages begin.
    head_bytes: u64,
    layout: Layout,
}

impl Blocks {
    pub(super) fn new(reader: PackedReader<Part>, head_bytes: u64, layout: Layout) -> Self {
        Self { reader, head_bytes, layout }
    }

    fn damaged(&self) -> Error {
        self.reader.corrupt("an edge leads past the last state").into()
    }

    /// Reads the words at a place of the file.
    fn words(&self, at: u64, bytes: usize, sum: &[u8; 8]) -> Result<Part> {
        let parse = |bytes: &[u8]| Some(Part { words: words_of(bytes).into(), before: Box::default() });
        Ok(self.reader.read_block(at, bytes, sum, parse)?)
    }

    /// Returns a page, from the cache or from the file.
    fn page(&self, number: u64) -> Result<Arc<Part>> {
        let sum = self.layout.pages.get(number as usize).ok_or_else(|| self.damaged())?;
        // All pages before it are full.
        let at = self.head_bytes + number * (8 * (1 + PAGE + PAGE / 4));
        let read = || self.words(at, self.layout.page_bytes(number), sum);
        self.reader.cached(PAGES | number, read)
    }

    /// Returns a block, from the cache or from the file.
    fn block(&self, number: u64) -> Result<Arc<Part>> {
        self.reader.cached(number, || {
            let page = self.page(number / PAGE)?;
            let place = Page::of(&page.words, self.layout.blocks_in(number / PAGE));
            let place = place.and_then(|page| page.place((number % PAGE) as usize));
            let (at, len, sum) = place.ok_or_else(|| self.damaged())?;
            let part = self.words(at, 8 * len, &sum)?;
            let edges = self.layout.edges_in(number).and_then(|edges| EdgeBlock::of(&part.words, edges));
            let before = edges.map(|block| block.counts()).unwrap_or_default();
            Ok(Part { before, ..part })
        })
    }

    fn row_word(&self, word: u64) -> Result<u64> {
        let block = self.block(self.layout.edge_blocks() + word / ROW_WORDS)?;
        block.words.get((word % ROW_WORDS) as usize).copied().ok_or_else(|| self.damaged())
    }
}

impl Edges for Blocks {
    type Failure = Error;

    fn edge(&self, span: &Span, edge: u32) -> Result<Edge> {
        let at = span.edge(edge);
        let number = at / EDGES as u64;
        let num_edges = self.layout.edges_in(number).ok_or_else(|| self.damaged())?;
        let part = self.block(number)?;
        let block = EdgeBlock::of(&part.words, num_edges).ok_or_else(|| self.damaged())?;
        let place = (at % EDGES as u64) as usize / 64;
        let (Some(planes), Some(&before)) = (block.planes.get(place..=place), part.before.get(place)) else {
            return Err(self.damaged());
        };
        Ok(match mark_in(planes, at % 64, before) {
            Mark::Common(which) => Edge::Common(which),
            Mark::New(before) => Edge::New(before),
            Mark::Pointer(before) => {
                let bit = u64::from(span.pointer(before)).wrapping_sub(block.first_bit);
                Edge::Pointer(bits_at(block.pointers, bit, span.width.into()))
            }
        })
    }

    fn row_bits(&self, at: u64, width: u32) -> Result<u32> {
        let first = at / 64;
        let has_more = at % 64 + u64::from(width) > 64;
        let second = if has_more { self.row_word(first + 1)? } else { 0 };
        Ok(bits_of([self.row_word(first)?, second], at, width))
    }
}
