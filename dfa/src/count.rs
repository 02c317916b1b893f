//! Exact counting, ranking and unranking (a minimal perfect hash), ordered iteration and uniform sampling.

use chacha20::ChaCha12Rng;
use rand::{RngExt, SeedableRng};

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::Letter;
use crate::unique::{ACCEPT, FIRST, REJECT};

impl Dfa {
    /// Returns the exact number of words, `|L|`. Cost: one addition per transition.
    ///
    /// # Errors
    /// Returns [`Error::CountOverflow`] if the number does not fit into 128 bits.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape};
    /// let shape = Shape::uniform(80, 3).unwrap();
    /// assert_eq!(Dfa::full(&shape).count().unwrap(), 3u128.pow(80));
    /// ```
    pub fn count(&self) -> Result<u128> {
        let mut below: Vec<u128> = Vec::new();
        let mut all_below: Option<u128> = Some(1);
        for layer in (0..self.shape().num_layers()).rev() {
            let k = self.shape().num_letters(layer);
            let value = |t: u32| value_of(t, all_below, &below);
            below = self
                .raw_rows(layer)
                .chunks(k)
                .map(|row| row.iter().try_fold(0u128, |sum, &t| sum.checked_add(value(t)?)))
                .collect::<Option<_>>()
                .ok_or(Error::CountOverflow)?;
            all_below = all_below.and_then(|n| n.checked_mul(k as u128));
        }
        value_of(self.raw_root(), all_below, &below).ok_or(Error::CountOverflow)
    }

    /// Returns the numbering of the words; see [`Ranking`].
    ///
    /// # Errors
    /// Returns [`Error::CountOverflow`] if the shape has more words than 128 bits can number.
    pub fn ranking(&self) -> Result<Ranking> {
        Ranking::new(self)
    }

    /// Returns an iterator over the words in lexicographic order. Cost: amortised one step per letter that changes.
    pub fn words(&self) -> Words {
        Words { dfa: self.clone(), word: Vec::new(), started: false, states: Vec::new() }
    }

    /// Returns an iterator over the words after `word` in lexicographic order. `word` itself need not be in the
    /// language. Cost: one step per letter, and then as for [`Dfa::words`].
    ///
    /// # Errors
    /// Returns [`Error::Word`] if the word does not fit the shape.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape};
    /// let shape = Shape::uniform(3, 2).unwrap();
    /// let one = Dfa::letter_count(&shape, 1, &[0, 1, 2], 1..=1).unwrap();
    /// assert_eq!(one.words_after(&[0, 1, 0]).unwrap().collect::<Vec<_>>(), [[1, 0, 0]]);
    /// ```
    pub fn words_after(&self, word: &[Letter]) -> Result<Words> {
        self.shape().check_word(word)?;
        let mut words = Words { started: true, ..self.words() };
        let mut state = self.raw_root();
        for (layer, &letter) in word.iter().enumerate() {
            // No word of the language begins with these letters, so the next word is found by increasing the last of
            // them.
            if state == REJECT {
                break;
            }
            words.states.push(state);
            words.word.push(letter);
            state = words.target(state, layer, letter);
        }
        Ok(words)
    }
}

/// Returns the number of words accepted from a target, or `None` if it does not fit into 128 bits.
fn value_of(target: u32, all: Option<u128>, below: &[u128]) -> Option<u128> {
    match target {
        REJECT => Some(0),
        ACCEPT => all,
        s => Some(below[(s - FIRST) as usize]),
    }
}

/// The bijection between the words of a language in lexicographic order and `0 .. count`.
///
/// # Examples
/// ```
/// use nerode_dfa::{Dfa, Shape};
/// let shape = Shape::uniform(4, 2).unwrap();
/// let two_ones = Dfa::letter_count(&shape, 1, &[0, 1, 2, 3], 2..=2).unwrap();
/// let ranking = two_ones.ranking().unwrap();
/// assert_eq!(ranking.count(), 6);
/// assert_eq!(ranking.unrank(0), Some(vec![0, 0, 1, 1]));
/// assert_eq!(ranking.rank(&[0, 0, 1, 1]), Some(0));
/// assert_eq!(ranking.rank(&[1, 1, 1, 0]), None);
/// ```
#[derive(Debug)]
pub struct Ranking {
    /// The automaton, whose tables are shared with the one that was numbered.
    dfa: Dfa,
    /// The number of words of each state, by layer.
    counts: Vec<Vec<u128>>,
    /// For every `l` up to the number of layers, the number of all words over the layers from `l` on.
    all: Vec<u128>,
}

impl Ranking {
    fn new(dfa: &Dfa) -> Result<Self> {
        let n = dfa.shape().num_layers();
        let mut all = vec![1u128; n + 1];
        for layer in (0..n).rev() {
            let k = dfa.shape().num_letters(layer) as u128;
            all[layer] = all[layer + 1].checked_mul(k).ok_or(Error::CountOverflow)?;
        }
        let mut counts: Vec<Vec<u128>> = vec![Vec::new(); n + 1];
        for layer in (0..n).rev() {
            let rows = dfa.raw_rows(layer).chunks(dfa.shape().num_letters(layer));
            counts[layer] =
                rows.map(|row| row.iter().map(|&t| lookup(t, layer + 1, &counts, &all)).sum()).collect();
        }
        Ok(Self { dfa: dfa.clone(), counts, all })
    }

    /// Returns the number of words, `|L|`.
    pub fn count(&self) -> u128 {
        lookup(self.dfa.raw_root(), 0, &self.counts, &self.all)
    }

    fn target(&self, layer: usize, state: u32, letter: Letter) -> u32 {
        if state < FIRST { state } else { self.dfa.raw_target(layer, state, letter) }
    }

    /// Returns the number of words of the language that precede `word`, or `None` if `word` is not in the language.
    /// Cost: letters times layers.
    pub fn rank(&self, word: &[Letter]) -> Option<u128> {
        self.dfa.shape().check_word(word).ok()?;
        let (mut state, mut rank) = (self.dfa.raw_root(), 0);
        for (layer, &letter) in word.iter().enumerate() {
            for smaller in 0..letter {
                rank += lookup(self.target(layer, state, smaller), layer + 1, &self.counts, &self.all);
            }
            state = self.target(layer, state, letter);
        }
        (state == ACCEPT).then_some(rank)
    }

    /// Returns the word of rank `rank`, or `None` if `rank` is not less than the number of words. Cost: letters times
    /// layers.
    pub fn unrank(&self, rank: u128) -> Option<Vec<Letter>> {
        if rank >= self.count() {
            return None;
        }
        let (mut state, mut left) = (self.dfa.raw_root(), rank);
        let mut word = Vec::with_capacity(self.dfa.shape().num_layers());
        for layer in 0..self.dfa.shape().num_layers() {
            let mut letter = 0;
            loop {
                let target = self.target(layer, state, letter);
                let here = lookup(target, layer + 1, &self.counts, &self.all);
                if left < here {
                    state = target;
                    break;
                }
                left -= here;
                letter += 1;
            }
            word.push(letter);
        }
        Some(word)
    }

    /// Draws `n` words uniformly and independently. Equal seeds yield equal samples, and the empty language yields no
    /// words.
    pub fn sample(&self, seed: u64, n: usize) -> Vec<Vec<Letter>> {
        self.draws(seed).take(n).collect()
    }

    /// Returns an endless iterator over the words of [`Ranking::sample`], each of which is drawn on demand.
    pub fn draws(&self, seed: u64) -> impl Iterator<Item = Vec<Letter>> + '_ {
        let count = self.count();
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        std::iter::from_fn(move || {
            if count == 0 {
                return None;
            }
            self.unrank(rng.random_range(0..count))
        })
    }
}

fn lookup(target: u32, layer: usize, counts: &[Vec<u128>], all: &[u128]) -> u128 {
    match target {
        REJECT => 0,
        ACCEPT => all[layer],
        s => counts[layer][(s - FIRST) as usize],
    }
}

/// An iterator over the words of a language in lexicographic order.
#[derive(Debug)]
pub struct Words {
    dfa: Dfa,
    word: Vec<Letter>,
    /// The state before each layer of `word`.
    states: Vec<u32>,
    started: bool,
}

impl Words {
    fn target(&self, state: u32, layer: usize, letter: Letter) -> u32 {
        if state < FIRST { state } else { self.dfa.raw_target(layer, state, letter) }
    }

    /// Extends the word to its full length with the smallest letters that do not reject, where the letter of the next
    /// layer is at least `least`. Returns `false` if no such word exists.
    fn descend(&mut self, mut state: u32, mut least: usize) -> bool {
        let shape = self.dfa.shape();
        loop {
            let layer = self.word.len();
            if layer == shape.num_layers() {
                return true;
            }
            let found =
                (least..shape.num_letters(layer)).find(|&a| self.target(state, layer, a as Letter) != REJECT);
            least = match found {
                Some(letter) => {
                    self.states.push(state);
                    self.word.push(letter as Letter);
                    state = self.target(state, layer, letter as Letter);
                    0
                }
                None => match (self.word.pop(), self.states.pop()) {
                    (Some(letter), Some(previous)) => {
                        state = previous;
                        usize::from(letter) + 1
                    }
                    _ => return false,
                },
            };
        }
    }
}

impl Iterator for Words {
    type Item = Vec<Letter>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = if self.started {
            match (self.word.pop(), self.states.pop()) {
                (Some(letter), Some(state)) => self.descend(state, usize::from(letter) + 1),
                _ => false,
            }
        } else {
            self.started = true;
            self.dfa.raw_root() != REJECT && self.descend(self.dfa.raw_root(), 0)
        };
        found.then(|| self.word.clone())
    }
}
