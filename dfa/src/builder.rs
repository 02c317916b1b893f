//! Constructors of automata, which build a minimal automaton from the last layer up with one hash table per layer.
//!
//! Invariant: [`Builder::state`] never creates two states with equal rows, so the result is minimal by construction.

use std::hash::Hash;
use std::ops::RangeInclusive;

use hashbrown::HashMap;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::{Letter, Shape};
use crate::unique::{ACCEPT, FIRST, MAX_STATES, REJECT};

/// A hash-consing builder without threads, caches or limits, for sets that are small or built only once.
pub(crate) struct Builder<'a> {
    shape: &'a Shape,
    numbers: Vec<HashMap<Box<[u32]>, u32>>,
    rows: Vec<Vec<u32>>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(shape: &'a Shape) -> Self {
        let n = shape.num_layers();
        Self { shape, numbers: vec![HashMap::new(); n], rows: vec![Vec::new(); n] }
    }

    /// Returns the state of `layer` with this row, and creates it if necessary.
    pub(crate) fn state(&mut self, layer: usize, row: &[u32]) -> Result<u32> {
        if row[0] <= ACCEPT && row.iter().all(|&x| x == row[0]) {
            return Ok(row[0]);
        }
        if let Some(&id) = self.numbers[layer].get(row) {
            return Ok(id);
        }
        let id = FIRST as usize + self.numbers[layer].len();
        if id >= MAX_STATES {
            return Err(Error::TooManyStates { layer, limit: MAX_STATES as u64 });
        }
        self.rows[layer].extend_from_slice(row);
        self.numbers[layer].insert(row.into(), id as u32);
        Ok(id as u32)
    }

    /// Returns the canonical automaton of the language of `root`.
    pub(crate) fn finish(self, root: u32) -> Dfa {
        let limit =
            |layer: usize| self.numbers.get(layer).map_or(0, |numbers| FIRST as usize + numbers.len());
        Dfa::canonical(self.shape, root, |layer, states| {
            let k = self.shape.num_letters(layer);
            let row = |&state: &u32| {
                let start = (state - FIRST) as usize * k;
                &self.rows[layer][start..start + k]
            };
            (states.iter().flat_map(row).copied().collect(), limit(layer + 1))
        })
    }
}

pub(crate) fn from_step<S: Clone + Eq + Hash>(
    shape: &Shape,
    start: S,
    step: impl Fn(usize, &S, Letter) -> Option<S>,
    accept: impl Fn(&S) -> bool,
) -> Result<Dfa> {
    // Forward: collect the distinct values before each layer and the value to which each letter leads (`None` rejects).
    let mut values = vec![start];
    let mut moves: Vec<Vec<Option<usize>>> = Vec::with_capacity(shape.num_layers());
    for layer in 0..shape.num_layers() {
        let mut index: HashMap<S, usize> = HashMap::new();
        let mut next_values = Vec::new();
        let mut targets = Vec::with_capacity(values.len() * shape.num_letters(layer));
        for value in &values {
            for letter in 0..shape.num_letters(layer) {
                targets.push(step(layer, value, letter as Letter).map(|next| {
                    *index.entry(next.clone()).or_insert_with(|| {
                        next_values.push(next);
                        next_values.len() - 1
                    })
                }));
            }
        }
        moves.push(targets);
        values = next_values;
    }
    // Backward: merge values that have equal futures.
    let mut builder = Builder::new(shape);
    let mut states: Vec<u32> = values.iter().map(|v| if accept(v) { ACCEPT } else { REJECT }).collect();
    for layer in (0..shape.num_layers()).rev() {
        let row_of = |targets: &[Option<usize>]| -> Vec<u32> {
            targets.iter().map(|t| t.map_or(REJECT, |next| states[next])).collect()
        };
        let rows: Vec<Vec<u32>> = moves[layer].chunks(shape.num_letters(layer)).map(row_of).collect();
        states = rows.iter().map(|row| builder.state(layer, row)).collect::<Result<_>>()?;
    }
    let root = states.first().copied().unwrap_or(REJECT);
    Ok(builder.finish(root))
}

impl Dfa {
    /// Returns the set `{word}`.
    ///
    /// # Errors
    /// Returns [`Error::Word`] if the word does not fit the shape.
    pub fn word(shape: &Shape, word: &[Letter]) -> Result<Self> {
        shape.check_word(word)?;
        from_step(shape, (), |layer, (), letter| (word[layer] == letter).then_some(()), |()| true)
    }

    /// Returns the set `{ w : w_l ∈ letters for every (l, letters) in allowed }`. If a layer occurs more than once, all
    /// of its constraints must hold.
    ///
    /// # Errors
    /// Returns [`Error::Word`] if a layer or letter is outside the shape.
    pub fn cube(shape: &Shape, allowed: &[(usize, Vec<Letter>)]) -> Result<Self> {
        let mut table: Vec<Vec<bool>> =
            shape.alphabets().iter().map(|&k| vec![true; usize::from(k)]).collect();
        for (layer, letters) in allowed {
            let row = table.get_mut(*layer).ok_or_else(|| Error::Word(format!("invalid layer {layer}")))?;
            if let Some(bad) = letters.iter().find(|&&a| usize::from(a) >= row.len()) {
                return Err(Error::Word(format!(
                    "letter {bad} in layer {layer}, which has {} letters",
                    row.len()
                )));
            }
            for (letter, cell) in row.iter_mut().enumerate() {
                *cell &= letters.contains(&(letter as Letter));
            }
        }
        from_step(shape, (), |layer, (), letter| table[layer][usize::from(letter)].then_some(()), |()| true)
    }

    /// Returns the set `{ w : the number of l in layers with w_l = letter lies in range }`.
    ///
    /// # Errors
    /// Returns [`Error::Word`] if a layer is outside the shape.
    pub fn letter_count(
        shape: &Shape,
        letter: Letter,
        layers: &[usize],
        range: RangeInclusive<usize>,
    ) -> Result<Self> {
        let mut counted = vec![false; shape.num_layers()];
        for &layer in layers {
            *counted.get_mut(layer).ok_or_else(|| Error::Word(format!("invalid layer {layer}")))? = true;
        }
        let most = *range.end();
        let step = |layer: usize, seen: &usize, a: Letter| {
            let seen = seen + usize::from(counted[layer] && a == letter);
            (seen <= most).then_some(seen)
        };
        from_step(shape, 0usize, step, |seen| range.contains(seen))
    }

    /// Creates the set of the given words, which must be in strictly ascending order.
    ///
    /// Cost: one step per distinct prefix, and memory proportional to the number of distinct prefixes.
    ///
    /// # Errors
    /// Returns [`Error::Word`] if a word does not fit the shape or the list is not strictly ascending.
    pub fn from_sorted_words<W: AsRef<[Letter]>>(shape: &Shape, words: &[W]) -> Result<Self> {
        for word in words {
            shape.check_word(word.as_ref())?;
        }
        if let Some(i) = words.windows(2).position(|pair| pair[0].as_ref() >= pair[1].as_ref()) {
            return Err(Error::Word(format!("the list is not strictly ascending at word {}", i + 1)));
        }
        let step = |layer: usize, &(from, to): &(usize, usize), letter: Letter| {
            let slice = &words[from..to];
            let low = from + slice.partition_point(|w| w.as_ref()[layer] < letter);
            let high = from + slice.partition_point(|w| w.as_ref()[layer] <= letter);
            (low < high).then_some((low, high))
        };
        if words.is_empty() {
            return Ok(Self::empty(shape));
        }
        from_step(shape, (0, words.len()), step, |_| true)
    }

    /// Returns the set `{ w : table[index of w] }`, where words are numbered in lexicographic order.
    ///
    /// Cost: one hash look-up per entry of the table and per prefix.
    ///
    /// # Errors
    /// Returns [`Error::Word`] if the table does not have one entry per word of the shape.
    pub fn from_table(shape: &Shape, table: &[bool]) -> Result<Self> {
        if shape.num_words() != Some(table.len() as u128) {
            return Err(Error::Word(format!(
                "the table has {} entries, which differs from the number of words",
                table.len()
            )));
        }
        let mut builder = Builder::new(shape);
        let mut states: Vec<u32> = table.iter().map(|&x| u32::from(x)).collect();
        for layer in (0..shape.num_layers()).rev() {
            states = states
                .chunks(shape.num_letters(layer))
                .map(|row| builder.state(layer, row))
                .collect::<Result<_>>()?;
        }
        Ok(builder.finish(states[0]))
    }
}
