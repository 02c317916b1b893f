//! A digest of the computation of a job: its sets, moves and formula.

use rayon::prelude::*;

use crate::automaton::Dfa;
use crate::formula::Formula;
use crate::unique::FIRST;

use super::super::steps::Steps;
use super::super::{Direction, Image, PassMoves};

/// A digest that identifies the job of a plan.
pub type Fingerprint = [u8; 32];

/// The version of fingerprints, which must be increased with every change to the meaning of the words of keys or of the
/// targets in plans and fragments.
const VERSION: u32 = 1;
/// How many numbers are hashed together.
const CHUNK: usize = 1 << 14;

/// A digest of numbers.
#[derive(Default)]
struct Digest(blake3::Hasher);

impl Digest {
    fn add(&mut self, numbers: &[u32]) {
        self.0.update(&(numbers.len() as u64).to_le_bytes());
        let mut bytes = Vec::with_capacity(4 * CHUNK.min(numbers.len()));
        for numbers in numbers.chunks(CHUNK) {
            bytes.clear();
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            self.0.update(&bytes);
        }
    }

    fn finish(&self) -> Fingerprint {
        *self.0.finalize().as_bytes()
    }
}

/// Computes the fingerprint of moves in one direction.
pub(super) fn of_moves(moves: &PassMoves, direction: Direction) -> Fingerprint {
    let mut digest = Digest::default();
    let letters: Vec<u32> = moves.shape.alphabets().iter().map(|&k| u32::from(k)).collect();
    digest.add(&[VERSION]);
    digest.add(&letters);
    moves.steps(direction).add_to(&mut |numbers| digest.add(numbers));
    digest.finish()
}

/// Computes the fingerprint of a job.
pub(super) fn fingerprint(
    image: &Image<'_>,
    steps: &Steps,
    sides: &[&Dfa],
    formula: &Formula,
) -> Fingerprint {
    let mut digest = Digest::default();
    let letters: Vec<u32> = image.set.shape().alphabets().iter().map(|&k| u32::from(k)).collect();
    digest.add(&[VERSION, u32::from(image.complement), sides.len() as u32]);
    digest.add(&letters);
    formula.add_to(&mut |numbers| digest.add(numbers));
    steps.add_to(&mut |numbers| digest.add(numbers));
    for set in std::iter::once(&image.set).chain(sides) {
        digest.0.update(&of_set(set));
    }
    digest.finish()
}

fn of_set(set: &Dfa) -> Fingerprint {
    let of_layer = |layer| {
        let mut digest = Digest::default();
        digest.add(set.raw_rows(layer));
        digest.finish()
    };
    let layers: Vec<Fingerprint> = (0..set.shape().num_layers()).into_par_iter().map(of_layer).collect();
    let mut digest = Digest::default();
    digest.add(&[set.raw_root().min(FIRST)]);
    layers.iter().for_each(|layer| {
        digest.0.update(layer);
    });
    digest.finish()
}
