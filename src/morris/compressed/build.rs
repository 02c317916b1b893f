//! From demands on positions to states, bottom up: rows of codes for the last points, then a layer of states per point.
//!
//! A stage is what is left of a word: so many points to read, so many stones among them. Where a stage has no stones or only
//! stones left there is one word, and no state. Demands that leave a choice are met by something that is there already where
//! possible; what is chosen depends on the demands alone.

use std::collections::HashMap;

use super::entries::{Entries, Entry};
use super::words::{RootSide, Words};
use crate::morris::tables::SectorIndex;
use crate::morris::tables::index::subsets;

/// Points that the rows at the end of every word cover.
pub(super) const ROW_POINTS: usize = 5;
/// Words of a row: C(5, 2).
const MOST_ROW: usize = 10;
/// Rows that a row with choices is compared with before it becomes a row of its own.
const MOST_COMPARED: usize = 1 << 12;
/// Codes that are tried for a choice.
const MOST_TRIED: u16 = 4;

/// What an edge leads to: an entry below `base`, or a state or row by number.
pub(super) type Id = u32;

/// States of all stages, each a pair of what follows without and with a stone on the next point.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) shape: WordShape,
    /// Ids from here on are states or rows.
    pub(super) base: Id,
    /// For each class.
    pub(super) roots: Vec<Id>,
    /// By points left above the rows' and by stones.
    pub(super) stages: Vec<Vec<Vec<[Id; 2]>>>,
    /// By stones.
    pub(super) rows: Vec<Vec<Row>>,
}

pub(super) type Row = [u16; MOST_ROW];

/// Points and stones of every word of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordShape {
    pub(super) points: usize,
    pub(super) stones: usize,
    pub(super) row_points: usize,
}

impl WordShape {
    pub(super) fn new(points: usize, stones: usize) -> Self {
        Self { points, stones, row_points: points.min(ROW_POINTS) }
    }

    /// Whether several words are left, so that there can be states.
    pub(super) fn is_open(&self, points: usize, stones: usize) -> bool {
        stones > 0 && stones < points && stones <= self.stones
    }

    /// Words of so many points with so many stones.
    pub(super) fn num_words(points: usize, stones: usize) -> usize {
        if stones > points { 0 } else { (0..stones).fold(1, |c, i| c * (points - i) / (i + 1)) }
    }

    /// Stones left in each stage of `points` that a word leads through, in the order of words.
    fn stones_left(&self, points: usize) -> Vec<usize> {
        (points..self.points).fold(vec![self.stones], |above, left| {
            // A point is read, after which `points_below` are left.
            let points_below = self.points - 1 - (left - points);
            let halves = |stones: usize| [Some(stones).filter(|s| *s <= points_below), stones.checked_sub(1)];
            above.into_iter().flat_map(halves).flatten().collect()
        })
    }
}

/// Builds the states of a sector's positions, `table_index` being the index by which `entries` are listed.
pub(super) fn build(words: &Words, table_index: &SectorIndex, entries: &Entries) -> Built {
    let index = words.index();
    let (root_stones, letters) = {
        let (root, letters) = index.position(0);
        (root.count_ones() as usize, letters.count_ones() as usize)
    };
    let shape = WordShape::new(words.order().points().len() - root_stones, letters);
    let demands = Demands { words, table_index, entries };
    let mut builder = Builder::new(shape, entries);
    let mut ids = builder.rows(&demands);
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

/// The demands in the order of words.
struct Demands<'a> {
    words: &'a Words,
    table_index: &'a SectorIndex,
    entries: &'a Entries,
}

impl Demands<'_> {
    /// Those of one class, by word.
    fn of_class(&self, class: usize, sets: &[u32]) -> Vec<Entry> {
        let index = self.words.index();
        let root = index.classes().representative(class);
        let free = self.words.free_points(class);
        let entry = |&set: &u32| {
            let letters = spread(set, &free);
            if index.reduced(root, letters) != (class, letters) {
                return self.entries.any();
            }
            let (own, other) = match self.words.root_side() {
                RootSide::Own => (root, letters),
                RootSide::Other => (letters, root),
            };
            self.entries.at(self.table_index.slot(own, other))
        };
        sets.iter().map(entry).collect()
    }
}

/// The points of `free` at the places of the bits of `set`.
fn spread(set: u32, free: &[u32]) -> u32 {
    nerode_games::morris::points(set).filter_map(|place| free.get(place)).sum()
}

/// Rows of one number of stones as they are met, with how often.
#[derive(Default)]
struct Found {
    numbers: HashMap<[Entry; MOST_ROW], u32>,
    rows: Vec<([Entry; MOST_ROW], u32)>,
}

/// States of one stage by what they lead to.
#[derive(Default)]
struct Stage {
    states: Vec<[Id; 2]>,
    numbers: HashMap<[Id; 2], Id>,
    /// The first state that leads there without a stone, and with one.
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
    fn new(shape: WordShape, entries: &Entries) -> Self {
        let num_codes = entries.codes.len() as u16;
        Self {
            shape,
            num_codes,
            base: 2 * u32::from(num_codes) + 2,
            usual: entries.usual(),
            stages: Vec::new(),
            done: vec![Vec::new(); shape.stones + 1],
        }
    }

    /// The one code that is taken where nothing speaks for another.
    fn choice(&self, entry: Entry) -> u16 {
        if entry.is_exact() { entry.code() } else { self.usual.min(entry.code()) }
    }

    fn settle(&self, id: Id) -> Id {
        Entry::exactly(self.choice(Entry::of_number(id))).number()
    }

    fn has_choice(&self, id: Id) -> bool {
        id < self.base && !Entry::of_number(id).is_exact()
    }

    /// Makes the rows; gives the ids of all stages of their points, class by class.
    fn rows(&mut self, demands: &Demands<'_>) -> Vec<Id> {
        let (points, stones) = (self.shape.row_points, self.shape.stones_left(self.shape.row_points));
        let sets = subsets(self.shape.points, self.shape.stones);
        let mut found: Vec<Found> = (0..=self.shape.stones).map(|_| Found::default()).collect();
        let num_classes = demands.words.num_classes();
        let mut ids = Vec::with_capacity(num_classes * stones.len());
        for class in 0..num_classes {
            let entries = demands.of_class(class, &sets);
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
            found.into_iter().enumerate().map(|(stones, found)| self.merge_rows(stones, found)).collect();
        for (place, id) in ids.iter_mut().enumerate() {
            if *id >= self.base {
                *id = merged[stones[place % stones.len()]][(*id - self.base) as usize];
            }
        }
        ids
    }

    /// Joins rows that one row can serve; gives what each has become.
    fn merge_rows(&mut self, stones: usize, found: Found) -> Vec<Id> {
        let len = WordShape::num_words(self.shape.row_points, stones);
        let exact = |row: &[Entry]| row.iter().all(|entry| entry.is_exact());
        let mut order: Vec<usize> = (0..found.rows.len()).collect();
        // Rows without a choice first, then those that are met most.
        order.sort_by_key(|&i| (!exact(&found.rows[i].0[..len]), u32::MAX - found.rows[i].1));
        let mut kept: Vec<[Entry; MOST_ROW]> = Vec::new();
        let mut became = vec![0; found.rows.len()];
        for i in order {
            let row = &found.rows[i].0;
            let fits = (!exact(&row[..len]))
                .then(|| kept.iter().take(MOST_COMPARED).position(|other| meet_rows(other, row).is_some()));
            became[i] = match fits.flatten() {
                Some(at) => {
                    kept[at] = meet_rows(&kept[at], row).unwrap_or(kept[at]);
                    at
                }
                None => {
                    kept.push(*row);
                    kept.len() - 1
                }
            };
        }
        let mut numbers: HashMap<Row, Id> = HashMap::new();
        let done = &mut self.done[stones];
        let settled: Vec<Id> = kept
            .iter()
            .map(|row| {
                let mut codes = [0; MOST_ROW];
                for (code, entry) in codes.iter_mut().zip(&row[..len]) {
                    *code = if entry.is_exact() { entry.code() } else { self.usual.min(entry.code()) };
                }
                if codes[..len].iter().all(|code| *code == codes[0]) {
                    return Entry::exactly(codes[0]).number();
                }
                *numbers.entry(codes).or_insert_with(|| {
                    done.push(codes);
                    self.base + done.len() as u32 - 1
                })
            })
            .collect();
        became.into_iter().map(|at| settled[at]).collect()
    }

    /// Makes the states with `points` to read from the ids of the layer below; gives the ids of this one.
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

    /// A state that serves a pair of which one half or both leave a choice.
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

impl Found {
    /// The number of a row.
    fn add(&mut self, part: &[Entry]) -> u32 {
        let mut row = [Entry::exactly(0); MOST_ROW];
        row[..part.len()].copy_from_slice(part);
        let next = self.rows.len() as u32;
        let number = *self.numbers.entry(row).or_insert(next);
        if number == next {
            self.rows.push((row, 0));
        }
        self.rows[number as usize].1 += 1;
        number
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

fn meet_all(entries: &[Entry]) -> Option<Entry> {
    let (first, rest) = entries.split_first()?;
    rest.iter().try_fold(*first, |all, entry| all.meet(*entry))
}

fn meet_rows(a: &[Entry; MOST_ROW], b: &[Entry; MOST_ROW]) -> Option<[Entry; MOST_ROW]> {
    let mut both = *a;
    for (entry, other) in both.iter_mut().zip(b) {
        *entry = entry.meet(*other)?;
    }
    Some(both)
}
