//! Sets that need be right only on a care set. Coudert and Madre's restrict does this for decision diagrams. In a layered automaton
//! nothing is gained by skipping a layer, so this looks for fewer states.
//!
//! A prefix asks for a *partial residual*: the words it must accept (`on`) among those that matter (`care`). Two of a layer
//! are compatible if they agree where both care; one state can then serve both. Layer by layer from the root, each partial
//! residual joins the first group that it is compatible with. Where nothing matters after a letter, the letter leads where
//! another of its row does. The groupings are a heuristic: to find the fewest states is intractable.
//!
//! Most incompatible pairs differ in some of a few sampled words, which needs no set operation. The result depends on the two
//! sets alone: neither state numbers nor threads change the order in which partial residuals are met.

use hashbrown::HashMap;

use crate::error::Result;
use crate::hash::fold;
use crate::ops::binary::{Intersection, Union};
use crate::ops::{Attempt, Local, Recursion, RowBuf};
use crate::shape::Letter;
use crate::store::{Set, Store};
use crate::unique::{ACCEPT, FIRST, REJECT};

/// Target of a letter after which nothing matters.
const FREE: u32 = u32::MAX;

/// Sampled words of a layer: one for each bit of a [`Seen`].
const SAMPLES: usize = 128;

/// Groups that a partial residual is compared with at most, the newest first.
const MOST_COMPARED: usize = 1 << 16;

/// Partial residuals between two looks at the interrupt flag.
const CHECK_EVERY: usize = 1 << 8;

/// States of one layer: `on ⊆ care`, neither empty, not equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Partial {
    on: u32,
    care: u32,
}

/// Which sampled words are in the two sets of a partial residual.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    on: u128,
    care: u128,
}

impl Seen {
    fn contradicts(self, other: Self) -> bool {
        self.on & other.care != other.on & self.care
    }
}

impl Store {
    /// A set `g` with `g ∩ care = set ∩ care`. It has at most as many states as `set`, usually fewer. Words outside `care` are in
    /// `g` or not, whichever saves states.
    ///
    /// `g` is constant if `set` contains all of `care` or nothing of it. Cost: at least that of `set ∩ care`. In each layer, every
    /// two partial residuals are compared by a few sampled words, and by a set operation where these agree. Memory beside the
    /// store's cap: some tens of bytes for each partial residual, and a row for each group.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`], [`crate::Error::TooManyStates`], [`crate::Error::Interrupted`].
    ///
    /// # Panics
    /// When a set belongs to another store.
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

    /// Rows of partial residuals: constants where they will do, [`FREE`], or the number of a partial residual of the next
    /// layer, which are listed as they are met.
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

    /// Puts compatible partial residuals of a layer into groups: the group of each, and what each group must be.
    fn group(&self, layer: usize, all: &[Partial], local: &mut Local) -> Attempt<(Vec<u32>, Vec<Partial>)> {
        let words = self.sample(layer, all);
        let mut groups: Vec<Partial> = Vec::new();
        let mut seen_of: Vec<Seen> = Vec::new();
        let mut group_of = Vec::with_capacity(all.len());
        for (number, &partial) in all.iter().enumerate() {
            if number % CHECK_EVERY == 0 {
                self.check(0)?;
            }
            let seen = self.see(layer, partial, &words);
            let mut joined = None;
            for group in (groups.len().saturating_sub(MOST_COMPARED)..groups.len()).rev() {
                if !seen_of[group].contradicts(seen)
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
                    seen_of[group].on |= seen.on;
                    seen_of[group].care |= seen.care;
                    group
                }
                None => {
                    groups.push(partial);
                    seen_of.push(seen);
                    groups.len() - 1
                }
            };
            group_of.push(group as u32);
        }
        Ok((group_of, groups))
    }

    /// Whether the two agree where both care.
    fn compatible(&self, layer: usize, a: Partial, b: Partial, local: &mut Local) -> Attempt<bool> {
        let left = self.binary::<Intersection>(layer, a.on, b.care, local)?;
        Ok(left == self.binary::<Intersection>(layer, b.on, a.care, local)?)
    }

    /// Words that matter to some of the partial residuals, drawn by a fixed generator.
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
                // Some letter leads on: no state is empty.
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

    fn see(&self, layer: usize, partial: Partial, words: &[Vec<Letter>]) -> Seen {
        let mut seen = Seen::default();
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

    /// The state of a choice of groups, from the last layer up; a free letter leads where the first other one does.
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
