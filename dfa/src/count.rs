//! Exact counting, rank and unrank (a minimal perfect hash), ordered iteration and uniform sampling.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use crate::automaton::Dfa;
use crate::error::{Error, Result};
use crate::shape::Letter;
use crate::unique::{ACCEPT, FIRST, REJECT};

impl Dfa {
    /// `|L|`, exactly. Cost: one addition per transition.
    ///
    /// # Errors
    /// [`Error::CountOverflow`] beyond 128 bits.
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

    /// Numbers the words: see [`Ranking`].
    ///
    /// # Errors
    /// [`Error::CountOverflow`] when the shape has more words than 128 bits can number.
    pub fn ranking(&self) -> Result<Ranking<'_>> {
        Ranking::new(self)
    }

    /// The words in lexicographic order. Cost: amortised one step per letter that changes.
    pub fn words(&self) -> Words<'_> {
        Words { dfa: self, word: Vec::new(), started: false, states: Vec::new() }
    }

    /// The words after `word`, which need not be in the language, in lexicographic order. Cost: one step per letter, then as
    /// [`Dfa::words`].
    ///
    /// # Errors
    /// [`Error::Word`] when the word does not fit the shape.
    ///
    /// # Examples
    /// ```
    /// use nerode_dfa::{Dfa, Shape};
    /// let shape = Shape::uniform(3, 2).unwrap();
    /// let one = Dfa::letter_count(&shape, 1, &[0, 1, 2], 1..=1).unwrap();
    /// assert_eq!(one.words_after(&[0, 1, 0]).unwrap().collect::<Vec<_>>(), [[1, 0, 0]]);
    /// ```
    pub fn words_after(&self, word: &[Letter]) -> Result<Words<'_>> {
        self.shape().check_word(word)?;
        let mut words = Words { started: true, ..self.words() };
        let mut state = self.raw_root();
        for (layer, &letter) in word.iter().enumerate() {
            // No word has these letters first: the next one is found from the last of them.
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

/// Words that a target stands for; `None` when 128 bits are not enough.
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
pub struct Ranking<'a> {
    dfa: &'a Dfa,
    /// Words of each state, by layer.
    counts: Vec<Vec<u128>>,
    /// Words of the layers from `l` on, for every `l` up to the number of layers.
    all: Vec<u128>,
}

impl<'a> Ranking<'a> {
    fn new(dfa: &'a Dfa) -> Result<Self> {
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
        Ok(Self { dfa, counts, all })
    }

    /// `|L|`.
    pub fn count(&self) -> u128 {
        lookup(self.dfa.raw_root(), 0, &self.counts, &self.all)
    }

    fn target(&self, layer: usize, state: u32, letter: Letter) -> u32 {
        if state < FIRST { state } else { self.dfa.raw_target(layer, state, letter) }
    }

    /// Number of words of the language before `word`, or `None` when `word` is not in it. Cost: letters times layers.
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

    /// The word of rank `rank`, or `None` when there are not so many. Cost: letters times layers.
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

    /// `n` words drawn uniformly and independently, the same ones for the same seed; none from the empty language.
    pub fn sample(&self, seed: u64, n: usize) -> Vec<Vec<Letter>> {
        self.draws(seed).take(n).collect()
    }

    /// The words of [`Ranking::sample`] one after the other, without end: each is drawn when it is asked for.
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

/// Words of a language in lexicographic order.
#[derive(Debug)]
pub struct Words<'a> {
    dfa: &'a Dfa,
    word: Vec<Letter>,
    /// State before each layer of `word`.
    states: Vec<u32>,
    started: bool,
}

impl Words<'_> {
    fn target(&self, state: u32, layer: usize, letter: Letter) -> u32 {
        if state < FIRST { state } else { self.dfa.raw_target(layer, state, letter) }
    }

    /// Extends the word to full length with the least letters that do not reject, from `least` in the layer it has reached.
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

impl Iterator for Words<'_> {
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
