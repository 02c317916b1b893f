//! [`Automaton`]: an automaton with one root for each class of one side's stones. An edge takes little more than two
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

#[cfg(feature = "solve")]
use std::convert::Infallible;

use nerode_games::morris::State;

use super::bits::width_of;
#[cfg(feature = "solve")]
use super::bits::{Bits, Mark, Marks};
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

/// Everything of an automaton except for its edges and the codes of its rows.
#[derive(Clone, Debug)]
pub(super) struct Outline {
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
    pub(super) row_spans: Vec<RowSpan>,
    /// The number of each word of a row among those with as many stones.
    pub(super) row_places: Vec<u8>,
}

/// The edges of an automaton and the codes of its rows, in memory.
#[cfg(feature = "solve")]
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    pub(super) marks: Marks,
    pub(super) pointers: Bits,
    pub(super) rows: Bits,
}

/// The mark of an edge, with what it stands for.
#[derive(Clone, Copy, Debug)]
pub enum Edge {
    /// One of the two common codes.
    Common(usize),
    /// A new state, with the number of such edges before this one.
    New(u32),
    /// A stored pointer.
    Pointer(u32),
}

/// A source of edges and of the codes of rows.
pub trait Edges {
    /// The reason why they cannot be read.
    type Failure;

    /// Returns an edge by its number in a span.
    fn edge(&self, span: &Span, edge: u32) -> Result<Edge, Self::Failure>;

    /// Returns the `width` bits from position `at` of the codes of the rows.
    fn row_bits(&self, at: u64, width: u32) -> Result<u32, Self::Failure>;
}

#[cfg(feature = "solve")]
impl Edges for Arrays {
    type Failure = Infallible;

    #[inline]
    fn edge(&self, span: &Span, edge: u32) -> Result<Edge, Infallible> {
        Ok(match self.marks.get(span.edge(edge)) {
            Mark::Common(which) => Edge::Common(which),
            Mark::New(before) => Edge::New(before),
            Mark::Pointer(before) => {
                Edge::Pointer(self.pointers.get(span.pointer(before).into(), span.width.into()))
            }
        })
    }

    #[inline]
    fn row_bits(&self, at: u64, width: u32) -> Result<u32, Infallible> {
        Ok(self.rows.get(at, width))
    }
}

/// The values of all positions of a sector, or the part of them that a probe needs. Its edges are in memory, or in a file that
/// is read in parts.
#[derive(Clone, Debug)]
pub struct Automaton<E> {
    pub(super) outline: Outline,
    pub(super) edges: E,
}

/// An automaton in memory.
#[cfg(feature = "solve")]
pub type MultiRoot = Automaton<Arrays>;

/// The destination of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Code(u16),
    State(u32),
}

impl Outline {
    /// Returns the spans of edges in the order of their numbers, each with the number of its edges.
    #[cfg(feature = "solve")]
    pub(super) fn spans(&self) -> impl Iterator<Item = (Span, u32)> {
        let stages = (0..self.num_states.len()).rev();
        let stages = stages.flat_map(|layer| (1..=self.shape.stones).map(move |stones| (layer, stones)));
        let halves = stages.flat_map(|(layer, stones)| [(layer, stones, 0), (layer, stones, 1)]);
        let span = |(layer, stones, stone): (usize, usize, usize)| {
            (self.stages.get(layer, stones, stone), self.num_states[layer][stones])
        };
        std::iter::once((self.root, self.num_classes)).chain(halves.map(span))
    }

    /// Returns the number of bits of a code in a row.
    #[inline]
    pub(super) fn code_width(&self) -> u32 {
        width_of(self.codes.len() as u64)
    }
}

impl<E> Automaton<E> {
    /// Returns the header, which distinguishes the automaton from others.
    pub fn header(&self) -> &Header {
        &self.outline.header
    }

    /// Returns the worths of the positions of the sector, in ascending order.
    pub fn worths(&self) -> &[Worth] {
        &self.outline.codes
    }

    /// Returns the number of states and rows.
    pub fn num_states(&self) -> u64 {
        let rows = self.outline.row_spans.iter().map(|span| u64::from(span.count));
        self.outline.num_states.iter().flatten().map(|&n| u64::from(n)).chain(rows).sum()
    }
}

/// # Automata in memory
#[cfg(feature = "solve")]
impl MultiRoot {
    /// Returns the number of bytes that a look-up reads, except for the tables that follow from the rules alone
    /// (classes and symmetries).
    pub fn bytes(&self) -> u64 {
        let (outline, Arrays { marks, pointers, rows: codes }) = (&self.outline, &self.edges);
        let lists = 2 * (outline.codes.len() + outline.rare.len()) + outline.row_places.len();
        let small = size_of::<Span>() + lists;
        let rows = size_of_val(outline.row_spans.as_slice());
        marks.bytes()
            + outline.stages.bytes()
            + 8 * (pointers.words.len() + codes.words.len()) as u64
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
        let Ok(worth) = self.look_up(words, state);
        worth
    }
}

impl<E: Edges> Automaton<E> {
    /// Returns the automaton's answer for a position, unless a part of the edges cannot be read.
    #[inline]
    pub(super) fn look_up(&self, words: &Words, state: State) -> Result<Worth, E::Failure> {
        let code = self.code(words.word(state))?;
        // A code that is not listed can only come from a forged file.
        Ok(self.outline.codes.get(usize::from(code)).copied().unwrap_or(Worth::LOSS))
    }

    #[inline]
    fn code(&self, word: Word) -> Result<u16, E::Failure> {
        let shape = self.outline.shape;
        let (mut points, mut stones, mut free) = (shape.points, shape.stones, word.free);
        let mut target = self.target(&self.outline.root, word.class as u32)?;
        loop {
            let state = match target {
                Target::Code(code) => return Ok(code),
                Target::State(state) => state,
            };
            if points == shape.row_points {
                return self.row_code(stones, state, free, word.set);
            }
            points -= 1;
            let point = 31 - free.leading_zeros();
            free ^= 1 << point;
            let stone = (word.set >> point & 1) as usize;
            target =
                self.target(&self.outline.stages.get(points - shape.row_points, stones, stone), state)?;
            stones -= stone;
        }
    }

    /// Returns the destination of the edge with the number `edge` in a span.
    #[inline]
    pub(super) fn target(&self, span: &Span, edge: u32) -> Result<Target, E::Failure> {
        Ok(match self.edges.edge(span, edge)? {
            Edge::Common(which) => Target::Code(self.outline.common[which]),
            Edge::New(before) => Target::State(before.wrapping_add(span.bias)),
            Edge::Pointer(written) => match self.outline.rare.get(written as usize) {
                Some(&code) => Target::Code(code),
                None => Target::State(written - self.outline.rare.len() as u32),
            },
        })
    }

    /// Returns the code of a word of a row. The points in `free` are those that remain to be read.
    #[inline]
    fn row_code(&self, stones: usize, row: u32, free: u32, set: u32) -> Result<u16, E::Failure> {
        let (mut word, mut left) = (0, free);
        for place in 0..self.outline.shape.row_points {
            let point = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            word |= (set >> point & 1) << place;
        }
        self.row_entry(stones, row, self.outline.row_places[word as usize])
    }

    #[inline]
    pub(super) fn row_entry(&self, stones: usize, row: u32, place: u8) -> Result<u16, E::Failure> {
        let (span, width) = (&self.outline.row_spans[stones], self.outline.code_width());
        let entry = u64::from(row) * u64::from(span.len) + u64::from(place);
        let code = self.edges.row_bits(span.start + entry * u64::from(width), width)?;
        Ok(code as u16)
    }
}

#[cfg(feature = "solve")]
impl MultiRoot {
    /// Returns the automaton's answers for all words of a class, as indices into [`MultiRoot::worths`], in the order of
    /// words.
    ///
    /// *Cost*: each edge is followed once for each prefix that leads to it, not once for each word.
    pub(super) fn codes_of_class(&self, class: u32) -> Vec<u16> {
        let WordShape { points, stones, .. } = self.outline.shape;
        let mut codes = Vec::with_capacity(WordShape::num_words(points, stones));
        let Ok(target) = self.target(&self.outline.root, class);
        self.codes_after(target, points, stones, &mut codes);
        codes
    }

    /// Appends the codes of all continuations from `target`.
    fn codes_after(&self, target: Target, points: usize, stones: usize, codes: &mut Vec<u16>) {
        let words = WordShape::num_words(points, stones);
        let state = match target {
            Target::Code(code) => return codes.resize(codes.len() + words, code),
            Target::State(state) => state,
        };
        if points == self.outline.shape.row_points {
            return codes.extend((0..words as u8).map(|place| {
                let Ok(code) = self.row_entry(stones, state, place);
                code
            }));
        }
        let points = points - 1;
        for stone in [0, 1] {
            if let Some(left) = stones.checked_sub(stone).filter(|left| *left <= points) {
                let span = self.outline.stages.get(points - self.outline.shape.row_points, stones, stone);
                let Ok(target) = self.target(&span, state);
                self.codes_after(target, points, left, codes);
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
