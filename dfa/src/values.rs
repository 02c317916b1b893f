//! [`ValueMap`]: a function from words to 16-bit codes as one automaton, for look-ups and for walks over all words.
//!
//! Built as the set `{ (word, high byte, low byte) }` over two more layers, so that minimisation, counting and files are those
//! of sets; then compiled to a table in which a target is either a state or, once the code no longer depends on the rest of
//! the word, the code itself.

use crate::automaton::Dfa;
use crate::builder::Builder;
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};
use crate::store::Store;
use crate::unique::{ACCEPT, FIRST, REJECT};

/// Marks a target that is a code.
const CODE: u32 = 1 << 31;

/// A total function from the words of a shape to codes.
///
/// # Examples
/// ```
/// use nerode_dfa::{Dfa, Shape, ValueMap};
/// let shape = Shape::uniform(3, 2).unwrap();
/// let ones = |n| Dfa::letter_count(&shape, 1, &[0, 1, 2], n..=n).unwrap();
/// let map = ValueMap::from_classes(&shape, &[(10, ones(1)), (20, ones(2))], u64::MAX, 1).unwrap();
/// assert_eq!(map.get(&[0, 1, 0]), 10);
/// assert_eq!(map.get(&[1, 1, 0]), 20);
/// assert_eq!(map.get(&[1, 1, 1]), 0);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueMap {
    shape: Shape,
    root: u32,
    /// Per layer, rows of targets: a state number from 0, or [`CODE`] with the code of every continuation.
    layers: Vec<Vec<u32>>,
}

impl ValueMap {
    /// The map that gives each word of the class `(code, set)` that code and every other word 0.
    ///
    /// Cost: the union of the classes over two more layers. `memory_limit` caps the workspace in bytes.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] when a set has another shape; [`Error::Move`] when two classes share a word; running out of
    /// memory.
    pub fn from_classes(
        shape: &Shape,
        classes: &[(u16, Dfa)],
        memory_limit: u64,
        threads: usize,
    ) -> Result<Self> {
        let extended = extended_shape(shape)?;
        let mut store = Store::new(extended.clone(), memory_limit)?;
        store.set_threads(threads)?;
        let mut parts = Vec::with_capacity(classes.len());
        for (code, set) in classes {
            if set.shape() != shape {
                return Err(Error::ShapeMismatch("a class and the map".into()));
            }
            parts.push(store.import(&with_code(set, &extended, *code)?)?);
        }
        let all = store.union_all(&parts)?;
        Self::compile(shape, &store.freeze(&all))
    }

    /// Compiles the automaton over two more layers; a word without a code gets 0.
    fn compile(shape: &Shape, coded: &Dfa) -> Result<Self> {
        let n = shape.num_layers();
        // A full residual would give words every code there is; below, it is looked for row by row.
        if coded.raw_root() == ACCEPT || (0..n).any(|layer| coded.raw_rows(layer).contains(&ACCEPT)) {
            return Err(shared_word());
        }
        let low: Vec<Option<u32>> =
            codes_below(coded, n + 1, &|t, byte| (t == ACCEPT).then_some(u32::from(byte)))?;
        let high: Vec<Option<u32>> = codes_below(coded, n, &|t, byte| {
            let low = low.get(t.checked_sub(FIRST)? as usize).copied().flatten()?;
            Some(u32::from(byte) << 8 | low)
        })?;
        // Targets of layer n are codes; above, a row of one code is that code.
        let mut below: Vec<u32> = high.iter().map(|c| CODE | c.unwrap_or(0)).collect();
        let mut layers = vec![Vec::new(); n];
        for layer in (0..n).rev() {
            let mut kept = Vec::new();
            let mut here = Vec::with_capacity(coded.num_states_in(layer));
            for row in coded.raw_rows(layer).chunks(shape.letters(layer)) {
                let targets: Vec<u32> =
                    row.iter().map(|&t| if t < FIRST { CODE } else { below[(t - FIRST) as usize] }).collect();
                if targets[0] & CODE != 0 && targets.iter().all(|&t| t == targets[0]) {
                    here.push(targets[0]);
                } else {
                    here.push((kept.len() / shape.letters(layer)) as u32);
                    kept.extend(targets);
                }
            }
            layers[layer] = kept;
            below = here;
        }
        let root = if coded.raw_root() < FIRST { CODE } else { below[0] };
        Ok(Self { shape: shape.clone(), root, layers })
    }

    /// The alphabet of every layer.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of states.
    pub fn num_states(&self) -> usize {
        (0..self.shape.num_layers()).map(|l| self.layers[l].len() / self.shape.letters(l)).sum()
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> u64 {
        self.layers.iter().map(|rows| 4 * rows.len() as u64).sum()
    }

    /// The code of `word`. Cost: one table access per letter until the code is settled.
    ///
    /// # Panics
    /// When the word does not fit the shape.
    #[inline]
    pub fn get(&self, word: &[Letter]) -> u16 {
        assert_eq!(word.len(), self.shape.num_layers(), "a word of another shape");
        let mut target = self.root;
        for (layer, &letter) in word.iter().enumerate() {
            if target & CODE != 0 {
                break;
            }
            let letters = self.shape.letters(layer);
            assert!(usize::from(letter) < letters, "letter {letter} in layer {layer}");
            target = self.layers[layer][target as usize * letters + usize::from(letter)];
        }
        target as u16
    }

    /// Walks all words in the order in which layer `l` takes its letters as listed in `letters[l]`.
    ///
    /// # Panics
    /// When there is not one list per layer.
    pub fn walk(&self, letters: Vec<Vec<Letter>>) -> Walk<'_> {
        assert_eq!(letters.len(), self.shape.num_layers(), "one list of letters per layer");
        Walk { map: self, letters, prefix: Vec::new(), stack: Vec::new(), begun: false }
    }
}

/// A walk over all words that stops at the shortest prefixes that settle the code, see [`ValueMap::walk`].
#[derive(Debug)]
pub struct Walk<'a> {
    map: &'a ValueMap,
    letters: Vec<Vec<Letter>>,
    prefix: Vec<Letter>,
    /// For each letter of the prefix: start of the row that it was read in, and how many letters of the row are done.
    stack: Vec<(usize, usize)>,
    begun: bool,
}

impl Walk<'_> {
    /// The next prefix that settles the code, with the code. A prefix of length m stands for the product of the alphabets of
    /// the layers from m on.
    ///
    /// Cost: one table access per letter that changes.
    #[inline]
    pub fn next_settled(&mut self) -> Option<(&[Letter], u16)> {
        if !self.begun {
            self.begun = true;
            if self.map.root & CODE != 0 {
                return Some((&[], self.map.root as u16));
            }
            self.stack.push((self.map.root as usize * self.map.shape.letters(0), 0));
        }
        loop {
            let layer = self.stack.len().checked_sub(1)?;
            let (start, done) = &mut self.stack[layer];
            let Some(&letter) = self.letters[layer].get(*done) else {
                self.stack.pop();
                continue;
            };
            *done += 1;
            self.prefix.truncate(layer);
            self.prefix.push(letter);
            let target = self.map.layers[layer][*start + usize::from(letter)];
            if target & CODE != 0 {
                return Some((&self.prefix, target as u16));
            }
            self.stack.push((target as usize * self.map.shape.letters(layer + 1), 0));
        }
    }
}

fn extended_shape(shape: &Shape) -> Result<Shape> {
    Shape::new(shape.alphabets().iter().copied().chain([256, 256]).collect())
}

/// `{ (w, high, low) : w ∈ set }` for the bytes of `code`.
fn with_code(set: &Dfa, extended: &Shape, code: u16) -> Result<Dfa> {
    let n = set.shape().num_layers();
    let mut builder = Builder::new(extended);
    let only = |byte: u16, then: u32| {
        let mut row = vec![REJECT; 256];
        row[usize::from(byte)] = then;
        row
    };
    let low = builder.state(n + 1, &only(code & 255, ACCEPT))?;
    // `full`: the state that every word not yet finished but sure to be in the set passes through.
    let mut full = builder.state(n, &only(code >> 8, low))?;
    let mut below: Vec<u32> = Vec::new();
    for layer in (0..n).rev() {
        let letters = extended.letters(layer);
        let mut here = Vec::with_capacity(set.num_states_in(layer));
        for row in set.raw_rows(layer).chunks(letters) {
            let target = |&t: &u32| match t {
                REJECT => REJECT,
                ACCEPT => full,
                s => below[(s - FIRST) as usize],
            };
            let row: Vec<u32> = row.iter().map(target).collect();
            here.push(builder.state(layer, &row)?);
        }
        full = builder.state(layer, &vec![full; letters])?;
        below = here;
    }
    let root = match set.raw_root() {
        REJECT => REJECT,
        ACCEPT => full,
        _ => below[0],
    };
    Ok(builder.finish(root))
}

/// For each state of one of the two code layers, the code that its single accepted byte leads to.
fn codes_below(
    coded: &Dfa,
    layer: usize,
    code: &dyn Fn(u32, Letter) -> Option<u32>,
) -> Result<Vec<Option<u32>>> {
    let rows = coded.raw_rows(layer).chunks(256);
    rows.map(|row| {
        let mut bytes = row.iter().enumerate().filter(|(_, t)| **t != REJECT);
        match (bytes.next(), bytes.next()) {
            (Some((byte, &t)), None) => code(t, byte as Letter).map(Some).ok_or_else(shared_word),
            (None, _) => Ok(None),
            _ => Err(shared_word()),
        }
    })
    .collect()
}

fn shared_word() -> Error {
    Error::Move("two classes of a value map share a word".into())
}
