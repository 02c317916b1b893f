//! [`MultiRoot`]: an automaton with one root for each class of one side's stones. An edge takes little more than two bits.
//!
//! A *stage* is what is left of a word: so many points to read, so many stones among them. The states of a stage are numbered in
//! the order in which edges first lead to them. Edges come in this order: those of the classes, then layer by layer with fewer
//! points, in a layer by rising stones, in a stage first the edges without a stone, then those with one.
//!
//! An edge has a *mark* of two bits. It says one of three things. The edge is the first to its state: the state's number is the
//! number of such edges before. The edge leads to one of the two commonest codes: the mark says which. Anything else is written
//! out as a *pointer*, in as many bits as the stage needs.
//!
//! Invariants: no two states of a stage have equal edges; no state leads to the same code both ways; a state's number is written
//! out only after the first edge to it.

use nerode_games::morris::State;

use super::bits::{Bits, Mark, Marks, width_of};
use super::header::Header;
use super::shape::WordShape;
use super::spans::{Span, Spans};
use super::words::{Word, Words};
use super::worth::Worth;
use crate::tables::index::subsets;

/// Rows of one number of stones.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowSpan {
    /// Bit of the first.
    pub(super) start: u64,
    /// Codes in each.
    pub(super) len: u32,
    /// How many there are.
    pub(super) count: u32,
}

/// Values of all positions of a sector, or what a probe needs to find them.
#[derive(Clone, Debug)]
pub struct MultiRoot {
    pub(super) header: Header,
    pub(super) shape: WordShape,
    pub(super) num_classes: u32,
    /// Ascending.
    pub(super) codes: Vec<Worth>,
    /// The two common codes; the others, ascending, come before the states in what is written out.
    pub(super) common: [u16; 2],
    pub(super) rare: Vec<u16>,
    /// States by points left above the rows', and by stones left.
    pub(super) num_states: Vec<Vec<u32>>,
    pub(super) root: Span,
    pub(super) stages: Spans,
    pub(super) marks: Marks,
    pub(super) pointers: Bits,
    pub(super) row_spans: Vec<RowSpan>,
    pub(super) rows: Bits,
    /// Number of a word of a row among those with as many stones.
    pub(super) row_places: Vec<u8>,
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Code(u16),
    State(u32),
}

impl MultiRoot {
    /// What sets it apart.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The worths that positions of the sector have, ascending.
    pub fn worths(&self) -> &[Worth] {
        &self.codes
    }

    /// States and rows.
    pub fn num_states(&self) -> u64 {
        let rows = self.row_spans.iter().map(|span| u64::from(span.count));
        self.num_states.iter().flatten().map(|&n| u64::from(n)).chain(rows).sum()
    }

    /// Bytes of all that a look-up reads, but for the tables that the rules alone give (classes and symmetries).
    pub fn bytes(&self) -> u64 {
        let small = size_of::<Span>() + 2 * (self.codes.len() + self.rare.len()) + self.row_places.len();
        let rows = size_of_val(self.row_spans.as_slice());
        self.marks.bytes()
            + self.stages.bytes()
            + 8 * (self.pointers.words.len() + self.rows.words.len()) as u64
            + (small + rows) as u64
    }

    /// What the automaton says of a position: its worth, or no more than its worth where the probe finds it.
    ///
    /// *Cost*: a look at a few words for each point until the code is settled.
    ///
    /// # Panics
    /// When `words` are not those of this automaton's header, or the position is not one of its sector.
    #[inline]
    pub fn says(&self, words: &Words, state: State) -> Worth {
        // A code that is not listed comes from a forged file.
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

    /// Where the edge number `edge` of a span leads.
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

    /// The code of a row's word, the points in `free` being those left to read.
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

/// Number of each word of a row among those with as many stones.
pub(super) fn row_places(points: usize) -> Vec<u8> {
    let mut places = vec![0; 1 << points];
    for stones in 0..=points {
        for (word, place) in subsets(points, stones).into_iter().zip(0..) {
            places[word as usize] = place;
        }
    }
    places
}
