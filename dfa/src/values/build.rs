//! Construction of value maps from sets, and of sets from value maps.
//!
//! The product of the automata of the sets is built layer by layer and then merged from the last layer up.
//!
//! A state of the product is the list of (class, residual) pairs of a prefix. Empty residuals are omitted, and the list
//! ends where the code of every continuation is determined. Lists are hash-consed within a layer, and only the lists of
//! two layers are in memory at a time. Two lists may still represent the same function of the rest of the word; the
//! second pass merges these.

use std::sync::atomic::Ordering;

use hashbrown::HashTable;

use super::{CODE, ValueMap};
use crate::automaton::Dfa;
use crate::builder::Builder;
use crate::error::{Error, Result};
use crate::hash::hash_row;
use crate::lists::Lists;
use crate::shape::Shape;
use crate::store::{Set, Store};
use crate::unique::{ACCEPT, MAX_STATES, REJECT};

/// The number of product states between two checks of the memory cap and the interrupt flag.
const CHECK_EVERY: usize = 1 << 14;

/// The treatment of a word that belongs to several classes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shared {
    /// The word has the code of the first class.
    First,
    /// Classes with different codes must not share a word; a shared word is an error.
    Refused,
}

impl ValueMap {
    /// Creates the map that assigns the code of each class `(code, set)` to its words, and 0 to all other words.
    ///
    /// Cost: one visit of every list of residuals that a prefix leads to. `memory_limit` caps the workspace in bytes.
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] if a set has another shape, [`Error::Overlap`] if classes of different codes
    /// share a word, or [`Error::OutOfMemory`].
    pub fn from_classes(shape: &Shape, classes: &[(u16, Dfa)], memory_limit: u64) -> Result<Self> {
        let (store, classes) = import(shape, classes, memory_limit)?;
        Product::new(&store, &classes, Shared::Refused).build()
    }

    /// Creates the map that assigns to each word the code of the first level `(code, set)` that contains it, or 0 if no
    /// level does. Sets that grow from level to level can be passed as they are, without computing differences.
    ///
    /// Cost and memory are those of [`ValueMap::from_classes`].
    ///
    /// # Errors
    /// Returns [`Error::ShapeMismatch`] if a set has another shape, or [`Error::OutOfMemory`].
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape, ValueMap};
    /// let shape = Shape::uniform(3, 2).unwrap();
    /// let at_most = |n| Dfa::letter_count(&shape, 1, &[0, 1, 2], 0..=n).unwrap();
    /// let levels: Vec<(u16, Dfa)> = (0..=3).map(|n| (n as u16, at_most(n))).collect();
    /// let ones = ValueMap::from_levels(&shape, &levels, u64::MAX).unwrap();
    /// assert_eq!(ones.get(&[1, 0, 1]), 2);
    /// ```
    pub fn from_levels(shape: &Shape, levels: &[(u16, Dfa)], memory_limit: u64) -> Result<Self> {
        let (store, levels) = import(shape, levels, memory_limit)?;
        store.value_map(&levels)
    }

    /// Returns the set `{ w : wanted(code of w) }`. Cost: one hash look-up per state.
    ///
    /// # Errors
    /// Returns [`crate::Error::TooManyStates`] if a layer would need too many states.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape, ValueMap};
    /// let shape = Shape::uniform(2, 2).unwrap();
    /// let word = Dfa::word(&shape, &[0, 1]).unwrap();
    /// let map = ValueMap::from_levels(&shape, &[(7, word.clone())], u64::MAX).unwrap();
    /// assert_eq!(map.select(|code| code == 7).unwrap(), word);
    /// ```
    pub fn select(&self, wanted: impl Fn(u16) -> bool) -> Result<Dfa> {
        let mut builder = Builder::new(&self.shape);
        let mut below: Vec<u32> = Vec::new();
        let resolve = |below: &[u32], target: u32| {
            if target & CODE == 0 {
                below[target as usize]
            } else if wanted(target as u16) {
                ACCEPT
            } else {
                REJECT
            }
        };
        for (layer, rows) in self.layers.iter().enumerate().rev() {
            let row_of = |row: &[u32]| row.iter().map(|&t| resolve(&below, t)).collect::<Vec<u32>>();
            let rows = rows.chunks(self.shape.num_letters(layer));
            let here = rows.map(|row| builder.state(layer, &row_of(row))).collect::<Result<_>>()?;
            below = here;
        }
        let root = resolve(&below, self.root);
        Ok(builder.finish(root))
    }
}

impl Store {
    /// Creates a value map like [`ValueMap::from_levels`], for sets of this store. Equal residuals of consecutive
    /// levels count only once, so that many nested levels are cheap. The store's memory cap and interrupt flag apply.
    ///
    /// # Errors
    /// Returns [`Error::OutOfMemory`], [`Error::TooManyStates`] or [`Error::Interrupted`].
    ///
    /// # Panics
    /// Panics if a set belongs to another store.
    pub fn value_map(&self, levels: &[(u16, Set)]) -> Result<ValueMap> {
        Product::new(self, levels, Shared::First).build()
    }
}

fn import(shape: &Shape, sets: &[(u16, Dfa)], memory_limit: u64) -> Result<(Store, Vec<(u16, Set)>)> {
    let mut store = Store::new(shape.clone(), memory_limit)?;
    let sets = sets.iter().map(|(code, set)| Ok((*code, store.import(set)?))).collect::<Result<_>>()?;
    Ok((store, sets))
}

struct Product<'a> {
    store: &'a Store,
    codes: Vec<u16>,
    roots: Vec<u32>,
    shared: Shared,
    /// The rows of the completed layers. A target is the number of a list of the next layer, or a code.
    rows: Vec<Vec<u32>>,
    /// The list under construction.
    list: Vec<u32>,
}

impl<'a> Product<'a> {
    fn new(store: &'a Store, classes: &[(u16, Set)], shared: Shared) -> Self {
        classes.iter().for_each(|(_, set)| store.own(set));
        Self {
            store,
            codes: classes.iter().map(|(code, _)| *code).collect(),
            roots: classes.iter().map(|(_, set)| set.state()).collect(),
            shared,
            rows: Vec::new(),
            list: Vec::new(),
        }
    }

    fn build(mut self) -> Result<ValueMap> {
        let mut here = Lists::new();
        for class in 0..self.roots.len() {
            if self.add(class as u32, self.roots[class]) {
                break;
            }
        }
        let root = self.target(&mut here)?;
        for layer in 0..self.store.shape().num_layers() {
            here = self.layer(layer, &here)?;
        }
        Ok(merge(self.store.shape(), root, self.rows))
    }

    /// Builds the rows of a layer from its lists. Returns the lists of the next layer.
    fn layer(&mut self, layer: usize, here: &Lists) -> Result<Lists> {
        let letters = self.store.shape().num_letters(layer);
        let store = self.store;
        let table = &store.tables()[layer];
        let mut next = Lists::new();
        let mut rows = Vec::with_capacity(here.len() * letters);
        for number in 0..here.len() {
            for letter in 0..letters {
                for pair in here.get(number).chunks_exact(2) {
                    if self.add(pair[0], table.row(pair[1])[letter].load(Ordering::Relaxed)) {
                        break;
                    }
                }
                rows.push(self.target(&mut next)?);
            }
            if number % CHECK_EVERY == 0 {
                self.check(layer, &rows, here, &next)?;
            }
        }
        self.check(layer, &rows, here, &next)?;
        self.rows.push(rows);
        Ok(next)
    }

    /// Appends a residual to the list under construction. Returns `true` if later classes no longer matter.
    fn add(&mut self, class: u32, residual: u32) -> bool {
        // If a residual occurs again, its words have the code of the class in which it occurred first.
        let again = self.shared == Shared::First && self.list.last() == Some(&residual);
        if residual != REJECT && !again {
            self.list.extend([class, residual]);
        }
        residual == ACCEPT && self.shared == Shared::First
    }

    /// Returns the target for the list under construction, and clears the list.
    fn target(&mut self, lists: &mut Lists) -> Result<u32> {
        let code = |pair: &[u32]| CODE | u32::from(self.codes[pair[0] as usize]);
        let mut pairs = self.list.chunks_exact(2);
        if let Some(full) = pairs.clone().find(|pair| pair[1] == ACCEPT)
            && self.shared == Shared::Refused
            && let Some(other) = pairs.clone().find(|pair| code(pair) != code(full))
        {
            // Every residual in the list accepts at least one word.
            let [first, second] = [full, other].map(|pair| self.codes[pair[0] as usize]);
            return Err(Error::Overlap { first, second });
        }
        let target = match pairs.next() {
            None => CODE,
            Some(first) if first[1] == ACCEPT => code(first),
            Some(_) => lists.number(&self.list),
        };
        self.list.clear();
        Ok(target)
    }

    fn check(&self, layer: usize, rows: &[u32], here: &Lists, next: &Lists) -> Result<()> {
        if next.len() >= MAX_STATES {
            return Err(Error::TooManyStates { layer: layer + 1, limit: MAX_STATES as u64 });
        }
        let done: usize = self.rows.iter().map(Vec::capacity).sum();
        let bytes = 4 * (done + rows.len()) as u64 + here.bytes() + next.bytes();
        self.store.check_extra(bytes, "a value map")
    }
}

/// Merges states with equal rows and replaces rows of a single code by that code, from the last layer up.
///
/// Lists are numbered in the order of a breadth-first traversal, and the first of several equal rows is kept. The
/// remaining states are therefore numbered breadth first as well.
fn merge(shape: &Shape, root: u32, mut layers: Vec<Vec<u32>>) -> ValueMap {
    let mut below: Vec<u32> = Vec::new();
    for (layer, rows) in layers.iter_mut().enumerate().rev() {
        for target in rows.iter_mut().filter(|target| **target & CODE == 0) {
            *target = below[*target as usize];
        }
        below = merge_layer(rows, shape.num_letters(layer));
    }
    let root = if root & CODE != 0 { root } else { below[root as usize] };
    ValueMap { shape: shape.clone(), root, layers }
}

/// Keeps the first of several equal rows and removes rows of a single code. Returns the new target for each row.
pub(super) fn merge_layer(rows: &mut Vec<u32>, letters: usize) -> Vec<u32> {
    let mut numbers: HashTable<u32> = HashTable::new();
    let mut merged = Vec::with_capacity(rows.len() / letters);
    let mut kept = 0;
    for start in (0..rows.len()).step_by(letters) {
        let row = &rows[start..start + letters];
        if row[0] & CODE != 0 && row.iter().all(|target| *target == row[0]) {
            merged.push(row[0]);
            continue;
        }
        let row_at = |n: u32| &rows[n as usize * letters..][..letters];
        let hash = hash_row(row);
        if let Some(&known) = numbers.find(hash, |&n| row_at(n) == row) {
            merged.push(known);
            continue;
        }
        numbers.insert_unique(hash, kept, |&n| hash_row(row_at(n)));
        merged.push(kept);
        rows.copy_within(start..start + letters, kept as usize * letters);
        kept += 1;
    }
    rows.truncate(kept as usize * letters);
    rows.shrink_to_fit();
    merged
}
