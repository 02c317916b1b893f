//! Sets that need to be correct only on a care set. For decision diagrams, this is Coudert and Madre's restrict. In a
//! layered automaton, skipping a layer gains nothing, so this operation tries to reduce the number of states instead.
//!
//! A prefix requires a *partial residual*: the words that it must accept (`on`) among those that matter (`care`). Two
//! partial residuals of a layer are compatible if they agree on the words that both care about, and then one state can
//! represent both. The algorithm processes the layers from the root down and assigns each partial residual to the first
//! group with which it is compatible. If nothing matters after a letter, this letter gets the target of another letter
//! in its row. The grouping is a heuristic, because finding the minimum number of states is intractable.
//!
//! Most incompatible pairs differ in at least one of a few sampled words, which can be detected without set operations.
//! The result depends only on the two sets, because neither state numbers nor threads affect the order in which partial
//! residuals are visited.

use hashbrown::HashMap;

use crate::error::Result;
use crate::hash::fold;
use crate::ops::binary::{Intersection, Union};
use crate::ops::{Attempt, Local, Recursion, RowBuf};
use crate::shape::Letter;
use crate::store::{Set, Store};
use crate::unique::{ACCEPT, FIRST, REJECT};

/// The target of a letter after which nothing matters.
const FREE: u32 = u32::MAX;

/// The number of sampled words of a layer, which is the number of bits in each field of a [`Samples`].
const SAMPLES: usize = 128;

/// The maximum number of groups with which a partial residual is compared, the newest first.
const MOST_COMPARED: usize = 1 << 16;

/// The number of partial residuals between two checks of the interrupt flag.
const CHECK_EVERY: usize = 1 << 8;

/// A pair of states of one layer, where `on ⊆ care`, neither is empty, and they are not equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Partial {
    on: u32,
    care: u32,
}

/// The sampled words that are in the two sets of a partial residual, as bits.
#[derive(Clone, Copy, Debug, Default)]
struct Samples {
    on: u128,
    care: u128,
}

impl Samples {
    fn contradicts(self, other: Self) -> bool {
        self.on & other.care != other.on & self.care
    }
}

impl Store {
    /// Computes a set `g` with `g ∩ care = set ∩ care`. It has at most as many states as `set`, and usually fewer.
    /// Words outside `care` are included or excluded depending on which choice saves states.
    ///
    /// `g` is constant if `set` contains all words of `care` or none of them. Cost: at least that of `set ∩ care`. In
    /// each layer, every two partial residuals are compared by a few sampled words and, if these agree, by a set
    /// operation. Memory in addition to the store's cap: some tens of bytes for each partial residual, and a row for
    /// each group.
    ///
    /// # Errors
    /// Returns [`crate::Error::OutOfMemory`], [`crate::Error::TooManyStates`] or [`crate::Error::Interrupted`].
    ///
    /// # Panics
    /// Panics if a set belongs to another store.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Shape, Store};
    /// let mut store = Store::unbounded(Shape::uniform(6, 2).unwrap());
    /// let all: Vec<usize> = (0..6).collect();
    /// // Exactly two ones, of interest only where there are at most two: then two or more will do.
    /// let set = store.letter_count(1, &all, 2..=2).unwrap();
    /// let care = store.letter_count(1, &all, 0..=2).unwrap();
    /// let small = store.restrict(&set, &care).unwrap();
    /// assert!(store.num_states(&small) < store.num_states(&set));
    /// assert_eq!(store.intersection(&small, &care).unwrap(), store.intersection(&set, &care).unwrap());
    /// ```
    pub fn restrict(&mut self, set: &Set, care: &Set) -> Result<Set> {
        self.own(set);
        self.own(care);
        let found = self.run(|engine, local| engine.restrict(set.state(), care.state(), local))?;
        Ok(if self.num_states(&found) < self.num_states(set) { found } else { set.clone() })
    }
}

impl Recursion<'_> {
    fn restrict(&self, set: u32, care: u32, local: &mut Local) -> Attempt<u32> {
        let on = self.binary::<Intersection>(0, set, care, local)?;
        if on == REJECT || on == care {
            return Ok(if on == REJECT { REJECT } else { ACCEPT });
        }
        let mut here = vec![Partial { on, care }];
        let mut layers = Vec::with_capacity(self.shape.num_layers());
        for layer in 0..self.shape.num_layers() {
            let (mut rows, next) = self.rows_of(layer, &here);
            let (group_of, groups) = self.group(layer + 1, &next, local)?;
            for target in rows.iter_mut().filter(|t| **t >= FIRST && **t != FREE) {
                *target = FIRST + group_of[(*target - FIRST) as usize];
            }
            layers.push(rows);
            here = groups;
        }
        self.complete(&layers, local)
    }

    /// Returns the rows of partial residuals, together with the partial residuals of the next layer in the order in
    /// which they are first used. A target is a constant where one suffices, [`FREE`], or the number of a partial
    /// residual of the next layer.
    fn rows_of(&self, layer: usize, here: &[Partial]) -> (Vec<u32>, Vec<Partial>) {
        let letters = self.shape.num_letters(layer);
        let table = &self.tables[layer];
        let mut numbers: HashMap<Partial, u32> = HashMap::new();
        let mut next = Vec::new();
        let mut rows = Vec::with_capacity(here.len() * letters);
        for partial in here {
            for letter in 0..letters {
                let after = Partial {
                    on: table.target(partial.on, letter),
                    care: table.target(partial.care, letter),
                };
                rows.push(match after {
                    Partial { care: REJECT, .. } => FREE,
                    Partial { on: REJECT, .. } => REJECT,
                    Partial { on, care } if on == care => ACCEPT,
                    _ => *numbers.entry(after).or_insert_with(|| {
                        next.push(after);
                        FIRST - 1 + next.len() as u32
                    }),
                });
            }
        }
        (rows, next)
    }

    /// Assigns the partial residuals of a layer to groups of compatible ones. Returns the group of each partial
    /// residual, and the partial residual that each group must satisfy.
    fn group(&self, layer: usize, all: &[Partial], local: &mut Local) -> Attempt<(Vec<u32>, Vec<Partial>)> {
        let words = self.sample(layer, all);
        let mut groups: Vec<Partial> = Vec::new();
        let mut samples_of: Vec<Samples> = Vec::new();
        let mut group_of = Vec::with_capacity(all.len());
        for (number, &partial) in all.iter().enumerate() {
            if number % CHECK_EVERY == 0 {
                self.check(0)?;
            }
            let seen = self.see(layer, partial, &words);
            let mut joined = None;
            for group in (groups.len().saturating_sub(MOST_COMPARED)..groups.len()).rev() {
                if !samples_of[group].contradicts(seen)
                    && self.compatible(layer, groups[group], partial, local)?
                {
                    joined = Some(group);
                    break;
                }
            }
            let group = match joined {
                Some(group) => {
                    let old = groups[group];
                    let on = self.binary::<Union>(layer, old.on, partial.on, local)?;
                    let care = self.binary::<Union>(layer, old.care, partial.care, local)?;
                    groups[group] = Partial { on, care };
                    samples_of[group].on |= seen.on;
                    samples_of[group].care |= seen.care;
                    group
                }
                None => {
                    groups.push(partial);
                    samples_of.push(seen);
                    groups.len() - 1
                }
            };
            group_of.push(group as u32);
        }
        Ok((group_of, groups))
    }

    /// Returns `true` if the two agree on the words that both care about.
    fn compatible(&self, layer: usize, a: Partial, b: Partial, local: &mut Local) -> Attempt<bool> {
        let left = self.binary::<Intersection>(layer, a.on, b.care, local)?;
        Ok(left == self.binary::<Intersection>(layer, b.on, a.care, local)?)
    }

    /// Samples words that matter to some of the partial residuals, using a fixed pseudorandom generator.
    fn sample(&self, layer: usize, all: &[Partial]) -> Vec<Vec<Letter>> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut draw = |below: usize| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            (fold(state, 0xD6E8_FEB8_6659_FD93) % below as u64) as usize
        };
        let word = |_| {
            let mut care = all[draw(all.len())].care;
            let letter_of = |at: usize| {
                let letters = self.shape.num_letters(at);
                // At least one letter leads on, because no state is empty.
                let first = draw(letters);
                let on = |letter: &usize| self.tables[at].target(care, *letter) != REJECT;
                let letter = (first..letters).chain(0..first).find(on).unwrap_or(first);
                care = self.tables[at].target(care, letter);
                letter as Letter
            };
            (layer..self.shape.num_layers()).map(letter_of).collect()
        };
        if all.is_empty() { Vec::new() } else { (0..SAMPLES).map(word).collect() }
    }

    fn see(&self, layer: usize, partial: Partial, words: &[Vec<Letter>]) -> Samples {
        let mut seen = Samples::default();
        let accepts = |state: u32, word: &[Letter]| {
            let mut state = state;
            for (at, &letter) in word.iter().enumerate() {
                if state < FIRST {
                    break;
                }
                state = self.tables[layer + at].target(state, usize::from(letter));
            }
            state == ACCEPT
        };
        for (bit, word) in words.iter().enumerate() {
            if accepts(partial.care, word) {
                seen.care |= 1 << bit;
                seen.on |= u128::from(accepts(partial.on, word)) << bit;
            }
        }
        seen
    }

    /// Builds the states for the chosen groups, from the last layer up. A free letter gets the target of the first
    /// letter of its row that is not free.
    fn complete(&self, layers: &[Vec<u32>], local: &mut Local) -> Attempt<u32> {
        let mut below: Vec<u32> = Vec::new();
        for (layer, rows) in layers.iter().enumerate().rev() {
            let letters = self.shape.num_letters(layer);
            let mut here = Vec::with_capacity(rows.len() / letters);
            for row in rows.chunks(letters) {
                let sibling = row.iter().copied().find(|t| *t != FREE).unwrap_or(REJECT);
                let resolve = |&target: &u32| match if target == FREE { sibling } else { target } {
                    constant if constant < FIRST => constant,
                    group => below[(group - FIRST) as usize],
                };
                let row: RowBuf = row.iter().map(resolve).collect();
                here.push(self.state(layer, &row, local)?);
            }
            below = here;
        }
        Ok(below[0])
    }
}
