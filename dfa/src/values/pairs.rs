//! Comparison of two value maps, word by word: the product of their automata.
//!
//! A state of the product is a pair of targets to which some prefix leads. It is settled as soon as both targets are codes.
//! States with equal futures are not merged, because counts and the first words of a class need only one pass over them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use hashbrown::HashMap;

use super::{CODE, ValueMap};
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};

/// The number of states between two checks of the memory cap and the interrupt flag.
const CHECK_EVERY: usize = 1 << 14;

/// The maximum number of states of a layer: a target must not look like a class.
const MAX_PAIRS: usize = CODE as usize;

/// The number of bytes that a state takes while its layer is built: the pair, its entry in the hash table, and slack.
const BYTES_PER_PAIR: u64 = 32;

/// The pairs of codes that two value maps over the same words assign to them.
///
/// # Examples
/// ```
/// use std::sync::atomic::AtomicBool;
/// use nerode_dfa::{CodePairs, Dfa, Shape, ValueMap};
/// let shape = Shape::uniform(3, 2).unwrap();
/// let map = |layer| {
///     let set = Dfa::cube(&shape, &[(layer, vec![1])]).unwrap();
///     ValueMap::from_classes(&shape, &[(7, set)], u64::MAX).unwrap()
/// };
/// let pairs = CodePairs::new(&map(0), &map(2), u64::MAX, &AtomicBool::new(false)).unwrap();
/// assert_eq!(pairs.count().unwrap()[&(7, 0)], 2);
/// let letters = vec![vec![0, 1]; 3];
/// assert_eq!(pairs.first_words(|pair| pair == (7, 0), &letters, 1), [[1, 0, 0]]);
/// ```
#[derive(Debug)]
pub struct CodePairs {
    shape: Shape,
    /// The pairs of codes that occur.
    classes: Vec<(u16, u16)>,
    root: u32,
    /// For each layer, the rows of targets. A target is the number of a state of the next layer, or [`CODE`] combined with the
    /// index of a class.
    layers: Vec<Vec<u32>>,
}

impl CodePairs {
    /// Compares two maps.
    ///
    /// Cost: one step for each letter of each pair of states to which a prefix leads. `memory_limit` caps the result and the
    /// workspace in bytes.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] if the maps have different shapes, [`Error::OutOfMemory`], [`Error::TooManyStates`], or
    /// [`Error::Interrupted`] once `interrupt` is set.
    pub fn new(
        first: &ValueMap,
        second: &ValueMap,
        memory_limit: u64,
        interrupt: &AtomicBool,
    ) -> Result<Self> {
        if first.shape != second.shape {
            return Err(Error::ShapeMismatch("the two value maps cannot be compared".into()));
        }
        let mut work = Work { classes: Vec::new(), numbers: HashMap::new() };
        let mut layers: Vec<Vec<u32>> = Vec::with_capacity(first.shape.num_layers());
        let mut here = Vec::new();
        let root = work.target((first.root, second.root), &mut here, &mut HashMap::new());
        let mut done_bytes = 0;
        for layer in 0..first.shape.num_layers() {
            let letters = first.shape.num_letters(layer);
            let (mut next, mut numbers) = (Vec::new(), HashMap::new());
            let mut rows = Vec::with_capacity(here.len() * letters);
            for (number, &(x, y)) in here.iter().enumerate() {
                for letter in 0..letters {
                    let pair = (first.follow(layer, x, letter), second.follow(layer, y, letter));
                    rows.push(work.target(pair, &mut next, &mut numbers));
                }
                if number % CHECK_EVERY == 0 {
                    if interrupt.load(Ordering::Relaxed) {
                        return Err(Error::Interrupted);
                    }
                    let held = BYTES_PER_PAIR * (here.len() + next.len()) as u64;
                    let needed = done_bytes + 4 * rows.capacity() as u64 + held;
                    if needed > memory_limit {
                        return Err(Error::OutOfMemory {
                            what: "the comparison of two value maps",
                            needed_bytes: needed,
                            limit_bytes: memory_limit,
                        });
                    }
                    if next.len() >= MAX_PAIRS {
                        return Err(Error::TooManyStates { layer: layer + 1, limit: MAX_PAIRS as u64 });
                    }
                }
            }
            done_bytes += 4 * rows.capacity() as u64;
            layers.push(rows);
            here = next;
        }
        Ok(Self { shape: first.shape.clone(), classes: work.classes, root, layers })
    }

    /// Returns the number of words of each pair of codes that occurs.
    ///
    /// Cost: one addition for each letter of each state.
    ///
    /// # Errors
    /// Returns [`Error::CountOverflow`] if the number of all words does not fit into 128 bits.
    pub fn count(&self) -> Result<BTreeMap<(u16, u16), u128>> {
        let mut rest = self.shape.num_words().ok_or(Error::CountOverflow)?;
        let mut counts = vec![0u128; self.classes.len()];
        // The number of prefixes that lead to each state of the layer. No sum exceeds the number of all words.
        let mut prefixes = Vec::new();
        match self.class(self.root) {
            Some(class) => counts[class] = rest,
            None => prefixes.push(1u128),
        }
        for (layer, rows) in self.layers.iter().enumerate() {
            let letters = self.shape.num_letters(layer);
            rest /= letters as u128;
            let mut next = vec![0u128; self.num_states(layer + 1)];
            for (row, &ways) in rows.chunks(letters).zip(&prefixes) {
                for &target in row {
                    match self.class(target) {
                        Some(class) => counts[class] += ways * rest,
                        None => next[target as usize] += ways,
                    }
                }
            }
            prefixes = next;
        }
        Ok(self.classes.iter().copied().zip(counts).collect())
    }

    /// Returns the first words, at most `most`, whose pair of codes is `wanted`, in the order in which layer `l` takes its
    /// letters as listed in `letters[l]`.
    ///
    /// Cost: one visit of each state.
    ///
    /// # Panics
    /// Panics if there is not exactly one list per layer.
    pub fn first_words(
        &self,
        wanted: impl Fn((u16, u16)) -> bool,
        letters: &[Vec<Letter>],
        most: usize,
    ) -> Vec<Vec<Letter>> {
        assert_eq!(letters.len(), self.shape.num_layers(), "expected one list of letters per layer");
        let wanted: Vec<bool> = self.classes.iter().map(|&pair| wanted(pair)).collect();
        let mut leads = vec![Vec::new(); self.layers.len() + 1];
        for (layer, rows) in self.layers.iter().enumerate().rev() {
            let is_good = |&target: &u32| match self.class(target) {
                Some(class) => wanted[class],
                None => leads[layer + 1][target as usize],
            };
            let rows = rows.chunks(self.shape.num_letters(layer));
            let here: Vec<bool> = rows.map(|row| row.iter().any(is_good)).collect();
            leads[layer] = here;
        }
        let mut search = FirstWords { pairs: self, wanted, leads, letters, most, found: Vec::new() };
        search.visit(self.root, &mut Vec::new());
        search.found
    }

    /// Returns the class of a settled target.
    fn class(&self, target: u32) -> Option<usize> {
        (target & CODE != 0).then_some((target & !CODE) as usize)
    }

    fn num_states(&self, layer: usize) -> usize {
        self.layers.get(layer).map_or(0, |rows| rows.len() / self.shape.num_letters(layer))
    }
}

impl ValueMap {
    /// Returns the target of `letter` from a target before `layer`. A code stays as it is.
    fn follow(&self, layer: usize, target: u32, letter: usize) -> u32 {
        if target & CODE != 0 {
            return target;
        }
        self.layers[layer][target as usize * self.shape.num_letters(layer) + letter]
    }
}

/// The classes of the product under construction.
struct Work {
    classes: Vec<(u16, u16)>,
    /// The index of each class.
    numbers: HashMap<(u16, u16), u32>,
}

impl Work {
    /// Returns the target for a pair, which gets the next number of its layer if it is new.
    fn target(
        &mut self,
        (x, y): (u32, u32),
        next: &mut Vec<(u32, u32)>,
        numbers: &mut HashMap<(u32, u32), u32>,
    ) -> u32 {
        if x & y & CODE != 0 {
            let pair = (x as u16, y as u16);
            let classes = &mut self.classes;
            let number = self.numbers.entry(pair).or_insert_with(|| {
                classes.push(pair);
                classes.len() as u32 - 1
            });
            return CODE | *number;
        }
        *numbers.entry((x, y)).or_insert_with(|| {
            next.push((x, y));
            next.len() as u32 - 1
        })
    }
}

/// A search for the first words of some classes.
struct FirstWords<'a> {
    pairs: &'a CodePairs,
    /// For each class, whether its words are wanted.
    wanted: Vec<bool>,
    /// For each layer and state, whether a wanted word leads through it.
    leads: Vec<Vec<bool>>,
    letters: &'a [Vec<Letter>],
    most: usize,
    found: Vec<Vec<Letter>>,
}

impl FirstWords<'_> {
    fn visit(&mut self, target: u32, word: &mut Vec<Letter>) {
        let layer = word.len();
        let leads = match self.pairs.class(target) {
            Some(class) => self.wanted[class],
            None => self.leads[layer][target as usize],
        };
        if !leads || self.found.len() >= self.most {
            return;
        }
        let Some(letters) = self.letters.get(layer) else { return self.found.push(word.clone()) };
        for &letter in letters {
            let next = match self.pairs.class(target) {
                Some(_) => target,
                None => {
                    let start = target as usize * self.pairs.shape.num_letters(layer);
                    self.pairs.layers[layer][start + usize::from(letter)]
                }
            };
            word.push(letter);
            self.visit(next, word);
            word.pop();
        }
    }
}
