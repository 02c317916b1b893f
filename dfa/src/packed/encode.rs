//! Numbers the states of a map in the order of the first edges to them, and writes the edges as blocks.

use std::io::Write;
use std::path::Path;

use super::map::PackedMap;
use super::rows::Rows;
use super::{CODE, EDGES, FREE, checksum};
use crate::error::{Error, Result};
use crate::frame::{Problem, unwritten};
use crate::shape::Shape;
use crate::unique::MAX_STATES;

/// The number of states between two checks of the interrupt flag.
const CHECK_EVERY: usize = 1 << 14;
/// A state without a number.
const UNSEEN: u32 = u32::MAX;

/// What is needed to read the blocks of a map that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMap {
    /// The index, which follows the blocks in a file; see [`super`].
    pub index: Vec<u8>,
    /// The number of states.
    pub num_states: u64,
    /// The total length of the blocks in bytes.
    pub bytes: u64,
}

impl WrittenMap {
    /// Opens the map, whose blocks begin at byte `at` of the file `path`.
    ///
    /// # Errors
    /// Returns [`Error::Corrupt`] if the map has words of another shape.
    pub fn open(&self, shape: &Shape, at: u64, path: &Path) -> Result<PackedMap> {
        let corrupt = |problem: Problem| Error::Corrupt { path: path.into(), reason: problem.into() };
        PackedMap::parse(shape, at, self.bytes, &self.index).map_err(corrupt)
    }
}

/// The destination of an edge.
#[derive(Clone, Copy)]
enum Edge {
    Common(u8),
    New,
    /// A code, by its number among those without a mark.
    Code(u32),
    State(u32),
}

/// Writes the blocks of a map with the given rows, and returns its index.
pub(super) fn encode(shape: &Shape, root: u32, rows: &Rows<'_>, out: &mut dyn Write) -> Result<WrittenMap> {
    let codes = codes_by_number(shape, root, rows);
    let mut blocks = Blocks::new(out);
    let mut counts = Vec::with_capacity(shape.num_layers());
    let mut here: Vec<u32> = if root & CODE == 0 { vec![root] } else { Vec::new() };
    // The number of the first state of the next layer.
    let mut first = 0;
    for layer in 0..shape.num_layers() {
        let (letters, table) = (shape.num_letters(layer), rows.of(layer));
        let below = if layer + 1 < shape.num_layers() {
            rows.of(layer + 1).len() / shape.num_letters(layer + 1)
        } else {
            0
        };
        counts.push(here.len() as u32);
        first += here.len() as u64;
        let mut numbers = vec![UNSEEN; below];
        let mut next = Vec::new();
        for (place, &state) in here.iter().enumerate() {
            if place.is_multiple_of(CHECK_EVERY) {
                rows.work.check(rows.bytes() + 4 * (numbers.len() + here.len() + next.capacity()) as u64)?;
            }
            for &target in &table[state as usize * letters..][..letters] {
                blocks.push(match target {
                    FREE => Edge::Common(0),
                    code if code & CODE != 0 => match codes.iter().position(|&known| known == code as u8) {
                        Some(number @ 0..2) => Edge::Common(number as u8),
                        number => Edge::Code(number.unwrap_or(2) as u32 - 2),
                    },
                    state if numbers[state as usize] == UNSEEN => {
                        numbers[state as usize] = next.len() as u32;
                        next.push(state);
                        Edge::New
                    }
                    state => Edge::State((first + u64::from(numbers[state as usize])) as u32),
                })?;
            }
        }
        if first + next.len() as u64 >= MAX_STATES as u64 {
            return Err(Error::TooManyStates { layer: layer + 1, limit: MAX_STATES as u64 });
        }
        here = next;
    }
    let (bytes, lengths, sums) = blocks.finish()?;
    let mut index = vec![codes.len() as u8];
    index.extend(&codes);
    index.extend(counts.iter().flat_map(|count| count.to_le_bytes()));
    index.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
    index.extend(sums.iter().flatten());
    Ok(WrittenMap { index, num_states: counts.iter().map(|&count| u64::from(count)).sum(), bytes })
}

/// Returns the codes of the map, the most common first, and equally common ones in ascending order.
fn codes_by_number(shape: &Shape, root: u32, rows: &Rows<'_>) -> Vec<u8> {
    let mut counts = [0u64; 1 << 8];
    let layers = (0..shape.num_layers()).flat_map(|layer| rows.of(layer));
    for &target in layers.chain([&root]).filter(|target| **target & CODE != 0 && **target != FREE) {
        counts[usize::from(target as u8)] += 1;
    }
    let mut codes: Vec<u8> = (0..=u8::MAX).filter(|&code| counts[usize::from(code)] > 0).collect();
    codes.sort_by_key(|&code| (std::cmp::Reverse(counts[usize::from(code)]), code));
    if codes.is_empty() {
        // No word matters, so any code will do.
        codes.push(0);
    }
    codes
}

/// Bits that fill each byte from its lowest bit up.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    fn push(&mut self, number: u32, width: usize) {
        for bit in 0..width {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> bit & 1) as u8) << (self.len % 8);
            }
            self.len += 1;
        }
    }
}

/// A writer of blocks.
struct Blocks<'a> {
    out: &'a mut dyn Write,
    edges: Vec<Edge>,
    /// The number of states that earlier blocks introduce.
    new_before: u32,
    bytes: u64,
    lengths: Vec<u16>,
    sums: Vec<[u8; 8]>,
}

impl<'a> Blocks<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        let (lengths, sums) = (Vec::new(), Vec::new());
        Self { out, edges: Vec::with_capacity(EDGES), new_before: 0, bytes: 0, lengths, sums }
    }

    fn push(&mut self, edge: Edge) -> Result<()> {
        self.edges.push(edge);
        if self.edges.len() == EDGES { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<()> {
        let states =
            || self.edges.iter().filter_map(|edge| if let Edge::State(n) = edge { Some(*n) } else { None });
        let codes =
            self.edges.iter().filter_map(|edge| if let Edge::Code(n) = edge { Some(*n + 1) } else { None });
        let base = states().min().unwrap_or(0);
        // The numbers of codes precede those of states, in every block in which codes occur.
        let num_codes = codes.max().unwrap_or(0);
        let most = states().max().map_or(0, |most| most - base + 1) + num_codes;
        let width = most.next_power_of_two().trailing_zeros() as usize;
        let (mut high, mut low, mut pointers) = (Bits::default(), Bits::default(), Bits::default());
        let before = self.new_before;
        for edge in &self.edges {
            let (mark, pointer) = match *edge {
                Edge::Common(which) => (u32::from(which), None),
                Edge::New => {
                    self.new_before += 1;
                    (2, None)
                }
                Edge::Code(number) => (3, Some(number)),
                Edge::State(state) => (3, Some(state - base + num_codes)),
            };
            high.push(mark >> 1, 1);
            low.push(mark & 1, 1);
            pointers.push(pointer.unwrap_or(0), if pointer.is_some() { width } else { 0 });
        }
        let mut block = before.to_le_bytes().to_vec();
        block.extend(base.to_le_bytes());
        block.extend([width as u8, num_codes as u8]);
        [high, low, pointers].iter().for_each(|bits| block.extend(&bits.bytes));
        self.out.write_all(&block).map_err(unwritten)?;
        self.bytes += block.len() as u64;
        self.lengths.push(block.len() as u16);
        self.sums.push(checksum(&block));
        self.edges.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<(u64, Vec<u16>, Vec<[u8; 8]>)> {
        if !self.edges.is_empty() {
            self.end_block()?;
        }
        Ok((self.bytes, self.lengths, self.sums))
    }
}
