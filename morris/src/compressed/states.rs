//! Builds states from demands on positions, bottom up: rows of codes for the last points, and then one layer of states
//! for each point.
//!
//! If a demand leaves a choice, an existing row or state is reused if it meets the demand. The choice depends only on
//! the demands.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::entries::Entry;
use super::rows::{Found, MOST_ROW, Row, meet_all};
use super::sector_demands::Demands;
use super::shape::WordShape;
use crate::tables::index::subsets;

/// The number of classes whose demands are in memory at the same time.
const CLASSES: usize = 256;
/// The number of codes that are tried for a choice.
const MOST_TRIED: u16 = 4;

/// The destination of an edge: an entry below `base`, or the number of a state or row.
pub(super) type Id = u32;

/// The states of all stages. Each state is a pair of the destinations without and with a stone on the next point.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) shape: WordShape,
    /// The first id of states and rows.
    pub(super) base: Id,
    /// One root for each class.
    pub(super) roots: Vec<Id>,
    /// By points remaining above those of the rows, and by stones.
    pub(super) stages: Vec<Vec<Vec<[Id; 2]>>>,
    /// By stones.
    pub(super) rows: Vec<Vec<Row>>,
}

/// Builds the states of a sector's positions, or of those of every `every`-th class.
pub(super) fn build(demands: &Demands<'_>, every: usize) -> Built {
    let words = demands.words;
    let index = words.index();
    let (root_stones, letters) = {
        let (root, letters) = index.position(0);
        (root.count_ones() as usize, letters.count_ones() as usize)
    };
    let shape = WordShape::new(words.order().points().len() - root_stones, letters);
    let mut builder = Builder::new(shape, demands);
    let mut ids = builder.rows(demands, every);
    for points in shape.row_points + 1..=shape.points {
        ids = builder.layer(points, &ids);
    }
    let settled = |id: Id| if id < builder.base { builder.settle(id) } else { id };
    Built {
        shape,
        base: builder.base,
        roots: ids.into_iter().map(settled).collect(),
        stages: builder.stages,
        rows: builder.done,
    }
}

/// The states of one stage, by their destinations.
#[derive(Default)]
struct Stage {
    states: Vec<[Id; 2]>,
    numbers: HashMap<[Id; 2], Id>,
    /// The first state that leads to a destination without a stone, and with one.
    first: [HashMap<Id, Id>; 2],
}

struct Builder {
    shape: WordShape,
    num_codes: u16,
    base: Id,
    /// The code that most positions demand.
    usual: u16,
    stages: Vec<Vec<Vec<[Id; 2]>>>,
    done: Vec<Vec<Row>>,
}

impl Builder {
    fn new(shape: WordShape, demands: &Demands<'_>) -> Self {
        let num_codes = demands.of_sector.codes.len() as u16;
        Self {
            shape,
            num_codes,
            base: 2 * u32::from(num_codes) + 2,
            usual: demands.of_sector.usual(demands.probe),
            stages: Vec::new(),
            done: vec![Vec::new(); shape.stones + 1],
        }
    }

    /// Returns the default code for an entry.
    fn choice(&self, entry: Entry) -> u16 {
        if entry.is_exact() { entry.code() } else { self.usual.min(entry.code()) }
    }

    fn settle(&self, id: Id) -> Id {
        Entry::exactly(self.choice(Entry::of_number(id))).number()
    }

    fn has_choice(&self, id: Id) -> bool {
        id < self.base && !Entry::of_number(id).is_exact()
    }

    /// Builds the rows. Returns the ids of all stages of their points, class by class.
    fn rows(&mut self, demands: &Demands<'_>, every: usize) -> Vec<Id> {
        let (points, stones) = (self.shape.row_points, self.shape.stones_left(self.shape.row_points));
        let sets = subsets(self.shape.points, self.shape.stones);
        let mut found: Vec<Found> = (0..=self.shape.stones).map(|_| Found::default()).collect();
        let classes: Vec<usize> = (0..demands.words.num_classes()).step_by(every).collect();
        let mut ids = Vec::with_capacity(classes.len() * stones.len());
        let of_classes = classes.chunks(CLASSES).flat_map(|part| {
            part.par_iter().map(|&class| demands.of_class(class, &sets)).collect::<Vec<_>>()
        });
        for entries in of_classes {
            let mut at = 0;
            for &stones in &stones {
                let part = &entries[at..at + WordShape::num_words(points, stones)];
                at += part.len();
                ids.push(match meet_all(part) {
                    Some(entry) => entry.number(),
                    None => self.base + found[stones].add(part),
                });
            }
        }
        let merged: Vec<Vec<Id>> =
            found.iter().enumerate().map(|(stones, found)| self.merge_rows(stones, found)).collect();
        for (place, id) in ids.iter_mut().enumerate() {
            if *id >= self.base {
                *id = merged[stones[place % stones.len()]][(*id - self.base) as usize];
            }
        }
        ids
    }

    /// Builds the rows with `stones` stones from those in `found`. Returns the id that each of them has become.
    fn merge_rows(&mut self, stones: usize, found: &Found) -> Vec<Id> {
        let len = WordShape::num_words(self.shape.row_points, stones);
        let (kept, became) = found.joined(len);
        let mut numbers = HashMap::new();
        let settled: Vec<Id> =
            kept.iter().map(|row| self.settle_row(stones, &row[..len], &mut numbers)).collect();
        became.into_iter().map(|at| settled[at]).collect()
    }

    /// Returns the id of the row of codes that `row` becomes, or of the code if all its codes are equal. `numbers`
    /// holds the rows built so far.
    fn settle_row(&mut self, stones: usize, row: &[Entry], numbers: &mut HashMap<Row, Id>) -> Id {
        let mut codes = [0; MOST_ROW];
        for (code, entry) in codes.iter_mut().zip(row) {
            *code = self.choice(*entry);
        }
        if codes[..row.len()].iter().all(|code| *code == codes[0]) {
            return Entry::exactly(codes[0]).number();
        }
        let (base, done) = (self.base, &mut self.done[stones]);
        *numbers.entry(codes).or_insert_with(|| {
            done.push(codes);
            base + done.len() as u32 - 1
        })
    }

    /// Builds the states with `points` points to read from the ids of the layer below. Returns the ids of this layer.
    fn layer(&mut self, points: usize, below: &[Id]) -> Vec<Id> {
        let stones = self.shape.stones_left(points);
        let mut stages: Vec<Stage> = (0..=self.shape.stones).map(|_| Stage::default()).collect();
        let mut ids = Vec::with_capacity(below.len() / 2 + 1);
        let mut choices = Vec::new();
        let mut at = 0;
        while at < below.len() {
            for &stones in &stones {
                if !self.shape.is_open(points, stones) {
                    ids.push(below[at]);
                    at += 1;
                    continue;
                }
                let pair = [below[at], below[at + 1]];
                at += 2;
                let both = (pair[0] < self.base && pair[1] < self.base)
                    .then(|| Entry::of_number(pair[0]).meet(Entry::of_number(pair[1])));
                if let Some(entry) = both.flatten() {
                    ids.push(entry.number());
                } else if self.has_choice(pair[0]) || self.has_choice(pair[1]) {
                    choices.push((ids.len(), stones, pair));
                    ids.push(0);
                } else {
                    ids.push(stages[stones].state(pair, self.base));
                }
            }
        }
        for (place, stones, pair) in choices {
            ids[place] = self.choose(&mut stages[stones], pair);
        }
        self.stages.push(stages.into_iter().map(|stage| stage.states).collect());
        ids
    }

    /// Returns a state that serves a pair in which one half or both leave a choice.
    fn choose(&self, stage: &mut Stage, pair: [Id; 2]) -> Id {
        let any = Entry::at_most(self.num_codes - 1).number();
        for (half, other) in [(0, 1), (1, 0)] {
            if pair[half] == any
                && !self.has_choice(pair[other])
                && let Some(&state) = stage.first[other].get(&pair[other])
            {
                return state;
            }
        }
        let options = |id: Id| -> Vec<Id> {
            if !self.has_choice(id) {
                return vec![id];
            }
            let entry = Entry::of_number(id);
            let settled = self.choice(entry);
            let others = (0..=entry.code()).rev().take(MOST_TRIED.into()).filter(|code| *code != settled);
            [settled].into_iter().chain(others).map(|code| Entry::exactly(code).number()).collect()
        };
        let (zeros, ones) = (options(pair[0]), options(pair[1]));
        let known = zeros.iter().flat_map(|&zero| ones.iter().map(move |&one| [zero, one]));
        let known = known.filter_map(|pair| stage.numbers.get(&pair).copied()).next();
        known.unwrap_or_else(|| stage.state([zeros[0], ones[0]], self.base))
    }
}

impl Stage {
    fn state(&mut self, pair: [Id; 2], base: Id) -> Id {
        let next = base + self.states.len() as u32;
        let id = *self.numbers.entry(pair).or_insert(next);
        if id == next {
            self.states.push(pair);
            self.first[0].entry(pair[0]).or_insert(id);
            self.first[1].entry(pair[1]).or_insert(id);
        }
        id
    }
}
