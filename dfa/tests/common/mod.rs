//! Explicit languages, with which sets can be compared.
#![allow(dead_code, reason = "each test binary uses only a part of this module")]

pub mod pass_case;
pub mod workload;

use std::collections::BTreeSet;

use chacha20::ChaCha12Rng;
use nerode_dfa::{Dfa, Letter, Shape};
use rand::{RngExt, SeedableRng};

/// A word.
pub type Word = Vec<Letter>;

/// Creates a shape with these alphabets.
pub fn shape(letters: &[u16]) -> Shape {
    Shape::new(letters.to_vec()).unwrap()
}

/// Creates a random number generator that yields the same numbers in every run.
pub fn rng(seed: u64) -> ChaCha12Rng {
    ChaCha12Rng::seed_from_u64(seed)
}

/// Returns every word of `shape` in lexicographic order, by counting like an odometer whose last layer turns fastest.
pub fn all_words(shape: &Shape) -> Vec<Word> {
    let total = shape.num_words().unwrap();
    let word = |mut index: u128| {
        let mut word = vec![0; shape.num_layers()];
        for (letter, &k) in word.iter_mut().zip(shape.alphabets()).rev() {
            *letter = (index % u128::from(k)) as Letter;
            index /= u128::from(k);
        }
        word
    };
    (0..total).map(word).collect()
}

/// Returns the membership of the words numbered `0 .. n`, given by the bits of `mask`.
pub fn table_of_mask(mask: usize, n: usize) -> Vec<bool> {
    (0..n).map(|i| mask >> i & 1 == 1).collect()
}

/// Counts, for each layer, the distinct languages that remain after a prefix and are neither empty nor full. `table`
/// contains the membership of every word in lexicographic order.
///
/// These are the numbers of states of the minimal automaton, computed without an automaton.
pub fn num_residuals(shape: &Shape, table: &[bool]) -> Vec<usize> {
    let mut block = table.len();
    let mut counts = Vec::new();
    for layer in 0..shape.num_layers() {
        let residuals: BTreeSet<&[bool]> =
            table.chunks(block).filter(|r| r.iter().any(|&x| x != r[0])).collect();
        counts.push(residuals.len());
        block /= shape.num_letters(layer);
    }
    counts
}

/// Returns the number of states in each layer of an automaton.
pub fn num_states(dfa: &Dfa) -> Vec<usize> {
    (0..dfa.shape().num_layers()).map(|layer| dfa.num_states_in(layer)).collect()
}

/// Returns a random membership table, in which every word is a member with probability `density`.
pub fn random_table(rng: &mut ChaCha12Rng, n: usize, density: f64) -> Vec<bool> {
    (0..n).map(|_| rng.random_bool(density)).collect()
}

/// Creates the automaton of a random language over `shape`.
pub fn random_dfa(rng: &mut ChaCha12Rng, shape: &Shape, density: f64) -> Dfa {
    let table = random_table(rng, shape.num_words().unwrap() as usize, density);
    Dfa::from_table(shape, &table).unwrap()
}

/// Appends the checksum to the body of a file.
pub fn sealed(mut body: Vec<u8>) -> Vec<u8> {
    let digest = *blake3::hash(&body).as_bytes();
    body.extend(digest);
    body
}

/// A layer as it is encoded in files: the claimed number of states, the symbols letter by letter, and the low bits.
/// Each part may be invalid.
#[derive(Clone, Debug)]
pub struct Layer {
    pub num_states: u32,
    pub symbols: Vec<u8>,
    pub low: Vec<u8>,
}

impl Layer {
    pub fn append_to(&self, out: &mut Vec<u8>) {
        let frame = zstd::bulk::compress(&self.symbols, 3).unwrap();
        out.extend(self.num_states.to_le_bytes());
        for part in [&frame, &self.low] {
            out.extend((part.len() as u32).to_le_bytes());
            out.extend(part);
        }
    }

    /// Creates layers whose symbols need no low bits.
    pub fn plain(layers: &[(u32, &[u8])]) -> Vec<Self> {
        layers
            .iter()
            .map(|&(num_states, symbols)| Self { num_states, symbols: symbols.to_vec(), low: Vec::new() })
            .collect()
    }

    /// Creates a layer with as many low bits from `noise` as the symbols need, padded with zeros.
    pub fn with_low_bits(num_states: u32, symbols: Vec<u8>, noise: u64) -> Self {
        let open = |&s: &u8| match s {
            0..4 | 64..=254 => 0,
            4..64 => u32::from(s) / 2 - 1,
            255 => 16,
        };
        let bits: u32 = symbols.iter().map(open).sum();
        let mut low: Vec<u8> =
            noise.to_le_bytes().into_iter().cycle().take(bits.div_ceil(8) as usize).collect();
        if let (Some(last), true) = (low.last_mut(), !bits.is_multiple_of(8)) {
            *last &= (1 << (bits % 8)) - 1;
        }
        Self { num_states, symbols, low }
    }
}
