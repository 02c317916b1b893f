//! [`MultiRoot`]: an automaton with one root for each class of one side's stones. An edge takes little more than two
//! bits.
//!
//! A *stage* describes the rest of a word by the number of remaining points and the number of stones among them. The
//! states of a stage are numbered in the order in which edges first lead to them. Edges are ordered as follows: first
//! those of the classes, then layer by layer with fewer and fewer points, within a layer by increasing numbers of
//! stones, and within a stage the edges without a stone before those with one.
//!
//! An edge has a *mark* of two bits, which distinguishes three cases. If the edge is the first to its state, the number
//! of the state is the number of such edges before it. If the edge leads to one of the two most common codes, the mark
//! says which. In all other cases, the destination is stored as a *pointer*, in as many bits as the stage needs.
//!
//! Invariants: no two states of a stage have equal edges, no state has two edges to the same code, and the number of a
//! state is stored only after the first edge to it.

use nerode_games::morris::State;

use super::bits::{Bits, Mark, Marks, width_of};
use super::header::Header;
use super::shape::WordShape;
use super::spans::{Span, Spans};
use super::words::{Word, Words};
use super::worth::Worth;
use crate::tables::index::subsets;

/// The rows for one number of stones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowSpan {
    /// The bit position of the first row.
    pub(super) start: u64,
    /// The number of codes in each row.
    pub(super) len: u32,
    /// The number of rows.
    pub(super) count: u32,
}

/// The values of all positions of a sector, or the part of them that a probe needs.
#[derive(Clone, Debug)]
pub struct MultiRoot {
    pub(super) header: Header,
    pub(super) shape: WordShape,
    pub(super) num_classes: u32,
    /// The worths by code, in ascending order.
    pub(super) codes: Vec<Worth>,
    /// The two common codes. The other codes, in ascending order, precede the states in the numbering of pointers.
    pub(super) common: [u16; 2],
    pub(super) rare: Vec<u16>,
    /// The numbers of states, by points remaining above those of the rows and by stones remaining.
    pub(super) num_states: Vec<Vec<u32>>,
    pub(super) root: Span,
    pub(super) stages: Spans,
    pub(super) marks: Marks,
    pub(super) pointers: Bits,
    pub(super) row_spans: Vec<RowSpan>,
    pub(super) rows: Bits,
    /// The number of each word of a row among those with as many stones.
    pub(super) row_places: Vec<u8>,
}

/// The destination of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Code(u16),
    State(u32),
}

impl MultiRoot {
    /// Returns the header, which distinguishes the automaton from others.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the worths of the positions of the sector, in ascending order.
    pub fn worths(&self) -> &[Worth] {
        &self.codes
    }

    /// Returns the number of states and rows.
    pub fn num_states(&self) -> u64 {
        let rows = self.row_spans.iter().map(|span| u64::from(span.count));
        self.num_states.iter().flatten().map(|&n| u64::from(n)).chain(rows).sum()
    }

    /// Returns the number of bytes that a look-up reads, except for the tables that follow from the rules alone
    /// (classes and symmetries).
    pub fn bytes(&self) -> u64 {
        let small = size_of::<Span>() + 2 * (self.codes.len() + self.rare.len()) + self.row_places.len();
        let rows = size_of_val(self.row_spans.as_slice());
        self.marks.bytes()
            + self.stages.bytes()
            + 8 * (self.pointers.words.len() + self.rows.words.len()) as u64
            + (small + rows) as u64
    }

    /// Returns the automaton's answer for a position: its worth, or at most its worth if the probe determines it.
    ///
    /// *Cost*: a few memory words for each point until the code is determined.
    ///
    /// # Panics
    /// Panics if `words` do not belong to the header of this automaton, or if the position is not in its sector.
    #[inline]
    pub fn says(&self, words: &Words, state: State) -> Worth {
        // A code that is not listed can only come from a forged file.
        self.codes.get(usize::from(self.code(words.word(state)))).copied().unwrap_or(Worth::LOSS)
    }

    #[inline]
    fn code(&self, word: Word) -> u16 {
        let (mut points, mut stones, mut free) = (self.shape.points, self.shape.stones, word.free);
        let mut target = self.target(&self.root, word.class as u32);
        loop {
            let state = match target {
                Target::Code(code) => return code,
                Target::State(state) => state,
            };
            if points == self.shape.row_points {
                return self.row_code(stones, state, free, word.set);
            }
            points -= 1;
            let point = 31 - free.leading_zeros();
            free ^= 1 << point;
            let stone = (word.set >> point & 1) as usize;
            target = self.target(&self.stages.get(points - self.shape.row_points, stones, stone), state);
            stones -= stone;
        }
    }

    /// Returns the destination of the edge with the number `edge` in a span.
    #[inline]
    pub(super) fn target(&self, span: &Span, edge: u32) -> Target {
        match self.marks.get(u64::from(span.start) + u64::from(edge)) {
            Mark::Common(which) => Target::Code(self.common[which]),
            Mark::New(before) => Target::State(before.wrapping_add(span.bias)),
            Mark::Pointer(before) => {
                let at = span.pointers.wrapping_add(before.wrapping_mul(span.width.into()));
                let written = self.pointers.get(at.into(), span.width.into());
                match self.rare.get(written as usize) {
                    Some(&code) => Target::Code(code),
                    None => Target::State(written - self.rare.len() as u32),
                }
            }
        }
    }

    /// Returns the code of a word of a row. The points in `free` are those that remain to be read.
    #[inline]
    fn row_code(&self, stones: usize, row: u32, free: u32, set: u32) -> u16 {
        let (mut word, mut left) = (0, free);
        for place in 0..self.shape.row_points {
            let point = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            word |= (set >> point & 1) << place;
        }
        self.row_entry(stones, row, self.row_places[word as usize])
    }

    #[inline]
    pub(super) fn row_entry(&self, stones: usize, row: u32, place: u8) -> u16 {
        let (span, width) = (&self.row_spans[stones], width_of(self.codes.len() as u64));
        let entry = u64::from(row) * u64::from(span.len) + u64::from(place);
        self.rows.get(span.start + entry * u64::from(width), width) as u16
    }
}

impl MultiRoot {
    /// Returns the automaton's answers for all words of a class, as indices into [`MultiRoot::worths`], in the order of
    /// words.
    ///
    /// *Cost*: each edge is followed once for each prefix that leads to it, not once for each word.
    #[cfg(feature = "solve")]
    pub(super) fn codes_of_class(&self, class: u32) -> Vec<u16> {
        let mut codes = Vec::with_capacity(WordShape::num_words(self.shape.points, self.shape.stones));
        let target = self.target(&self.root, class);
        self.codes_after(target, self.shape.points, self.shape.stones, &mut codes);
        codes
    }

    /// Appends the codes of all continuations from `target`.
    #[cfg(feature = "solve")]
    fn codes_after(&self, target: Target, points: usize, stones: usize, codes: &mut Vec<u16>) {
        let words = WordShape::num_words(points, stones);
        let state = match target {
            Target::Code(code) => return codes.resize(codes.len() + words, code),
            Target::State(state) => state,
        };
        if points == self.shape.row_points {
            return codes.extend((0..words as u8).map(|place| self.row_entry(stones, state, place)));
        }
        let points = points - 1;
        for stone in [0, 1] {
            if let Some(left) = stones.checked_sub(stone).filter(|left| *left <= points) {
                let span = self.stages.get(points - self.shape.row_points, stones, stone);
                self.codes_after(self.target(&span, state), points, left, codes);
            }
        }
    }
}

/// Returns the number of each word of a row among those with as many stones.
pub(super) fn row_places(points: usize) -> Vec<u8> {
    let mut places = vec![0; 1 << points];
    for stones in 0..=points {
        for (word, place) in subsets(points, stones).into_iter().zip(0..) {
            places[word as usize] = place;
        }
    }
    places
}
