//! Converts built states to a [`MultiRoot`]: numbers them in the order of first edges, and packs them.

use super::automaton::{Arrays, MultiRoot, Outline, RowSpan, row_places};
use super::bits::width_of;
use super::entries::Entry;
use super::header::Header;
use super::shape::WordShape;
use super::spans::{Span, Spans, Stage};
use super::states::{Built, Id};
use super::worth::Worth;
use nerode_solver::error::{Error, Result};

const UNSEEN: u32 = u32::MAX;

/// Packs the states into an automaton.
///
/// # Errors
/// Returns [`Error::TooLarge`] if there are more than 2^32 edges or bits of pointers.
pub(super) fn pack(header: Header, codes: Vec<Worth>, built: &Built) -> Result<MultiRoot> {
    let (shape, common) = (built.shape, common_codes(built, codes.len()));
    let rare = (0..codes.len() as u16).filter(|code| !common.contains(code)).collect();
    let layers = shape.points - shape.row_points;
    let outline = Outline {
        header,
        shape,
        num_classes: built.roots.len() as u32,
        codes,
        common,
        rare,
        num_states: vec![vec![0; shape.stones + 1]; layers],
        root: Span::default(),
        stages: Spans::new(&[]),
        row_spans: Vec::new(),
        row_places: row_places(shape.row_points),
    };
    let automaton = MultiRoot { outline, edges: Arrays::default() };
    let stages = vec![vec![Stage::default(); shape.stones + 1]; layers];
    let mut packer = Packer { built, automaton, stages, ranks: (0, 0) };
    packer.pack()?;
    Ok(packer.automaton)
}

/// Returns the two codes that most edges lead to.
fn common_codes(built: &Built, num_codes: usize) -> [u16; 2] {
    let mut counts = vec![0u64; num_codes];
    let edges = built.stages.iter().flatten().flatten().flatten().chain(&built.roots);
    for &id in edges.filter(|id| **id < built.base) {
        counts[usize::from(Entry::of_number(id).code())] += 1;
    }
    let mut order: Vec<u16> = (0..num_codes as u16).collect();
    order.sort_by_key(|&code| std::cmp::Reverse(counts[usize::from(code)]));
    let first = order.first().copied().unwrap_or_default();
    [first, order.get(1).copied().unwrap_or(first)]
}

/// The numbers of a stage's states by their place in [`Built`], and the reverse.
struct Numbers {
    number_of: Vec<u32>,
    place_of: Vec<u32>,
}

impl Numbers {
    fn new(states: usize) -> Self {
        Self { number_of: vec![UNSEEN; states], place_of: Vec::new() }
    }
}

struct Packer<'a> {
    built: &'a Built,
    automaton: MultiRoot,
    stages: Vec<Vec<Stage>>,
    /// The numbers of new edges and of pointers so far.
    ranks: (u32, u32),
}

impl Packer<'_> {
    fn pack(&mut self) -> Result<()> {
        let shape = self.built.shape;
        let mut numbers = self.numbers_of(shape.points);
        let roots: Vec<Id> = self.built.roots.clone();
        self.number(&roots, &mut numbers[shape.stones]);
        // Which edges are new depends on the order, so this is recorded while numbering.
        let firsts = firsts(&roots, self.built.base, numbers[shape.stones].number_of.len());
        self.automaton.outline.root = self.edges(&roots, &firsts, &numbers[shape.stones], 0)?;
        for points in (shape.row_points + 1..=shape.points).rev() {
            numbers = self.layer(points, &numbers)?;
        }
        self.rows(&numbers);
        self.automaton.edges.marks.finish();
        self.automaton.outline.stages = Spans::new(&self.stages);
        Ok(())
    }

    /// Returns the states of all stages with `points` remaining, not numbered yet.
    fn numbers_of(&self, points: usize) -> Vec<Numbers> {
        let stones = 0..=self.built.shape.stones;
        stones.map(|stones| Numbers::new(self.num_built(points, stones))).collect()
    }

    fn num_built(&self, points: usize, stones: usize) -> usize {
        match points.checked_sub(self.built.shape.row_points + 1) {
            Some(layer) => self.built.stages[layer][stones].len(),
            None => self.built.rows[stones].len(),
        }
    }

    fn number(&self, targets: &[Id], numbers: &mut Numbers) {
        for place in targets.iter().filter_map(|id| id.checked_sub(self.built.base)) {
            let number = &mut numbers.number_of[place as usize];
            if *number == UNSEEN {
                *number = numbers.place_of.len() as u32;
                numbers.place_of.push(place);
            }
        }
    }

    /// Numbers the states that the states with `points` remaining lead to, and then writes the edges of the latter.
    fn layer(&mut self, points: usize, numbers: &[Numbers]) -> Result<Vec<Numbers>> {
        let (shape, layer) = (self.built.shape, points - self.built.shape.row_points - 1);
        let mut below = self.numbers_of(points - 1);
        let mut seen: Vec<Vec<bool>> = below.iter().map(|n| vec![false; n.number_of.len()]).collect();
        let mut halves = Vec::new();
        for stones in 1..=shape.stones {
            let states = &self.built.stages[layer][stones];
            self.automaton.outline.num_states[layer][stones] = numbers[stones].place_of.len() as u32;
            for stone in [0, 1] {
                let places = numbers[stones].place_of.iter();
                let targets: Vec<Id> = places.map(|&place| states[place as usize][stone]).collect();
                let before = below[stones - stone].place_of.len() as u32;
                self.number(&targets, &mut below[stones - stone]);
                let news = mark_firsts(&targets, self.built.base, &mut seen[stones - stone]);
                halves.push((stones, stone, targets, news, before));
            }
        }
        for (stones, stone, targets, news, before) in halves {
            let span = self.edges(&targets, &news, &below[stones - stone], before)?;
            self.stages[layer][stones][stone] = span;
        }
        Ok(below)
    }

    /// Writes edges. Those marked in `news` are the first to their states, and `before` states are already numbered.
    fn edges(&mut self, targets: &[Id], news: &[bool], numbers: &Numbers, before: u32) -> Result<Span> {
        let MultiRoot { outline, edges } = &mut self.automaton;
        let start = edges.marks.len();
        let most_bits = edges.pointers.len() + 32 * targets.len() as u64;
        if start + targets.len() as u64 > u64::from(u32::MAX) || most_bits > u64::from(u32::MAX) {
            return Err(Error::TooLarge {
                what: format!("an automaton for sector {}", outline.header.sector),
                needed_bytes: u128::from(start / 4 + most_bits / 8),
                limit_bytes: 1 << 29,
            });
        }
        let rare = outline.rare.len() as u32;
        let width = width_of(u64::from(rare) + numbers.place_of.len() as u64);
        let (new, pointers) = self.ranks;
        let span = Span {
            start: start as u32,
            bias: before.wrapping_sub(new),
            pointers: (edges.pointers.len() as u32).wrapping_sub(pointers.wrapping_mul(width)),
            width: width as u8,
        };
        for (&id, &is_new) in targets.iter().zip(news) {
            let written = match id.checked_sub(self.built.base) {
                Some(_) if is_new => {
                    edges.marks.push_new();
                    self.ranks.0 += 1;
                    continue;
                }
                Some(place) => rare + numbers.number_of[place as usize],
                None => {
                    let code = Entry::of_number(id).code();
                    if let Some(which) = outline.common.iter().position(|common| *common == code) {
                        edges.marks.push_common(which);
                        continue;
                    }
                    outline.rare.partition_point(|&other| other < code) as u32
                }
            };
            edges.marks.push_pointer();
            edges.pointers.push(written, width);
            self.ranks.1 += 1;
        }
        Ok(span)
    }

    fn rows(&mut self, numbers: &[Numbers]) {
        let MultiRoot { outline, edges } = &mut self.automaton;
        let width = outline.code_width();
        for (stones, numbers) in numbers.iter().enumerate() {
            let len = WordShape::num_words(self.built.shape.row_points, stones);
            let count = numbers.place_of.len() as u32;
            let start = edges.rows.len();
            outline.row_spans.push(RowSpan { start, len: len as u32, count });
            for &place in &numbers.place_of {
                for &code in &self.built.rows[stones][place as usize][..len] {
                    edges.rows.push(code.into(), width);
                }
            }
        }
    }
}

/// Returns which of `targets` are the first to their state, if no earlier edges exist.
fn firsts(targets: &[Id], base: Id, states: usize) -> Vec<bool> {
    mark_firsts(targets, base, &mut vec![false; states])
}

fn mark_firsts(targets: &[Id], base: Id, seen: &mut [bool]) -> Vec<bool> {
    let first = |id: &Id| match id.checked_sub(base) {
        Some(place) => !std::mem::replace(&mut seen[place as usize], true),
        None => false,
    };
    targets.iter().map(first).collect()
}
