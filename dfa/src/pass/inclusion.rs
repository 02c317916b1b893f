//! Which residuals of the moved set include which others: members of a key that another one includes are dropped.
//!
//! In the last layers most members are residuals after different moves of one position, and many are included in others. Dropping
//! those leaves fewer and shorter keys: an included member stays included as letters are read, so that one filter does what
//! filters in the layers before it would have done.
//!
//! A test compares *signatures* first: bits of a residual's membership in 128 sample endings. Where no more endings remain
//! that is exact; above, what signatures do not refute is proved letter by letter, with the last answers remembered.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use smallvec::SmallVec;

use crate::automaton::Dfa;
use crate::unique::{ACCEPT, FIRST, REJECT, fold};

use super::children::Packing;

/// Membership in the sample endings.
type Signature = u128;
/// Sample endings of a layer.
const SAMPLES: usize = Signature::BITS as usize;
/// States that sample endings are chosen by.
const JUDGES: usize = 1 << 12;
/// States whose signatures one task makes.
const STRETCH: usize = 1 << 12;
/// Answers remembered for each state of a layer, at most.
const ANSWERS: usize = 2;

/// Inclusions among residuals of one set.
pub(super) struct Inclusion {
    set: Dfa,
    first: usize,
    layers: Vec<Layer>,
}

struct Layer {
    /// Of the states, the two constants first.
    signatures: Vec<Signature>,
    /// Whether the signatures are of all endings.
    exact: bool,
    /// What is remembered, if anything: a residual and one that may include it, and the answer in the top bit.
    answers: Vec<AtomicU64>,
}

/// Marks an answer that is yes.
const YES: u64 = 1 << 63;

impl Inclusion {
    /// For residuals of `set` in the layers from `first` on.
    pub(super) fn new(set: &Dfa, first: usize) -> Self {
        let n = set.shape().num_layers();
        let end = Layer { signatures: vec![0, Signature::MAX], answers: Vec::new(), exact: true };
        let mut layers = vec![end];
        let mut endings = vec![Vec::new(); SAMPLES];
        let mut num_endings = 1usize;
        for layer in (first..n).rev() {
            let letters = set.shape().letters(layer);
            let below = &layers[layers.len() - 1].signatures;
            let after = num_endings;
            num_endings = after.saturating_mul(letters);
            let exact = num_endings <= SAMPLES;
            let choice = if exact {
                (0..SAMPLES).map(|i| i % num_endings / after).collect()
            } else {
                choose(set, layer, below, &endings)
            };
            let mut masks = vec![0; letters];
            for (i, (ending, letter)) in endings.iter_mut().zip(choice).enumerate() {
                ending.push(letter as u8);
                masks[letter] |= 1 << i;
            }
            let rows = set.raw_rows(layer).par_chunks(letters).with_min_len(STRETCH);
            let of_row = |row: &[u32]| signature(row, below, &masks);
            let mut signatures = vec![0, Signature::MAX];
            signatures.par_extend(rows.map(of_row));
            // One step from exact signatures a proof is as cheap as remembering it.
            let remembered =
                if after <= SAMPLES { 0 } else { (ANSWERS * signatures.len()).next_power_of_two() };
            let answers = rayon::iter::repeat_n(0, remembered).map(AtomicU64::new).collect();
            layers.push(Layer { signatures, answers, exact });
        }
        layers.reverse();
        Self { set: set.clone(), first, layers }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let of = |layer: &Layer| 16 * layer.signatures.capacity() + 8 * layer.answers.capacity();
        self.layers.iter().map(of).sum::<usize>() as u64
    }

    /// Drops members that another one includes; `packing` is that of `layer`, and members are sorted, so that those of one
    /// relation state are neighbours. Where `flip` is 1 the complement of the set is moved. Returns how many stay.
    pub(super) fn filter(&self, layer: usize, packing: Packing, flip: u32, members: &mut [u32]) -> usize {
        let (mut kept, mut start) = (0, 0);
        while start < members.len() {
            let (m, _) = packing.unpack(members[start]);
            let states: SmallVec<[u32; 16]> = members[start..]
                .iter()
                .map(|&member| packing.unpack(member))
                .take_while(|&(other, _)| other == m)
                .map(|(_, state)| state)
                .collect();
            for (i, &state) in states.iter().enumerate() {
                let mut others = states.iter().enumerate().filter(|&(j, _)| j != i);
                if !others.any(|(_, &other)| self.covers(layer, flip, other, state)) {
                    members[kept] = members[start + i];
                    kept += 1;
                }
            }
            start += states.len();
        }
        kept
    }

    /// Whether the residual that is moved as `other` includes that moved as `state`.
    #[inline]
    fn covers(&self, layer: usize, flip: u32, other: u32, state: u32) -> bool {
        match (other, state) {
            (ACCEPT, _) => true,
            (_, ACCEPT) => false,
            _ if flip == 1 => self.is_subset(layer, other, state),
            _ => self.is_subset(layer, state, other),
        }
    }

    /// The signature of a state of `layer`.
    #[inline]
    fn signature(&self, layer: usize, state: u32) -> Signature {
        self.layers[layer - self.first].signatures[state as usize]
    }

    /// Whether the residual of `a` is a subset of that of `b`, both states of `layer`.
    fn is_subset(&self, layer: usize, a: u32, b: u32) -> bool {
        if a == b || a == REJECT || b == ACCEPT {
            return true;
        }
        // Signatures of sample endings cannot tell nearly full residuals from full ones.
        if a == ACCEPT || b == REJECT {
            return false;
        }
        if self.signature(layer, a) & !self.signature(layer, b) != 0 {
            return false;
        }
        let Layer { answers, exact, .. } = &self.layers[layer - self.first];
        if *exact {
            return true;
        }
        if answers.is_empty() {
            return self.prove(layer, a, b);
        }
        let pair = u64::from(a) << 32 | u64::from(b);
        let slot = &answers[fold(pair, 0x9E37_79B9_7F4A_7C15) as usize & (answers.len() - 1)];
        let known = slot.load(Ordering::Relaxed);
        if known & !YES == pair {
            return known & YES != 0;
        }
        let yes = self.prove(layer, a, b);
        slot.store(if yes { pair | YES } else { pair }, Ordering::Relaxed);
        yes
    }

    /// The same by the children.
    fn prove(&self, layer: usize, a: u32, b: u32) -> bool {
        let letters = self.set.shape().letters(layer);
        let row = |state: u32| {
            let start = (state - FIRST) as usize * letters;
            &self.set.raw_rows(layer)[start..start + letters]
        };
        let children = || row(a).iter().zip(row(b));
        // Signatures of all children first: a proof that fails late costs the most.
        let below = layer + 1;
        children().all(|(&x, &y)| self.signature(below, x) & !self.signature(below, y) == 0)
            && children().all(|(&x, &y)| self.is_subset(below, x, y))
    }
}

/// Membership of a state with this row in the sample endings; `masks` says for each letter which of them begin with it.
#[inline]
fn signature(row: &[u32], below: &[Signature], masks: &[Signature]) -> Signature {
    row.iter().zip(masks).fold(0, |all, (&target, mask)| all | below[target as usize] & mask)
}

/// A letter to put before each sample ending: of those that give an ending not chosen before, the one that splits the states of
/// `layer` most evenly.
fn choose(set: &Dfa, layer: usize, below: &[Signature], endings: &[Vec<u8>]) -> Vec<usize> {
    let letters = set.shape().letters(layer);
    let num_states = set.num_states_in(layer);
    let judges: Vec<usize> = (0..num_states).step_by(num_states.div_ceil(JUDGES).max(1)).collect();
    let mut members = vec![[0usize; SAMPLES]; letters];
    for judge in &judges {
        let row = &set.raw_rows(layer)[judge * letters..(judge + 1) * letters];
        for (members, &target) in members.iter_mut().zip(row) {
            let bits = below[target as usize];
            members.iter_mut().enumerate().for_each(|(i, n)| *n += (bits >> i & 1) as usize);
        }
    }
    let mut chosen = hashbrown::HashSet::new();
    let mut choice = Vec::with_capacity(SAMPLES);
    for (i, ending) in endings.iter().enumerate() {
        let mut order: Vec<usize> = (0..letters).collect();
        order.sort_by_key(|&letter| (2 * members[letter][i]).abs_diff(judges.len()));
        let fresh = order.iter().copied().find(|&letter| chosen.insert((ending, letter)));
        choice.push(fresh.unwrap_or(order[0]));
    }
    choice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    /// Layers of the sets compared: signatures are samples of the endings up to layer 5.
    const LAYERS: usize = 10;

    /// Like sets of won positions: a letter that counts more makes membership likelier. Now and then a word is left out, so that
    /// few endings refute what most of them allow.
    fn nearly_monotone(shape: &Shape, holes: u64) -> Dfa {
        let mut x = holes;
        let words = (0..3u32.pow(LAYERS as u32)).map(|mut n| {
            let mut word = [0u8; LAYERS];
            for letter in word.iter_mut().rev() {
                *letter = (n % 3) as u8;
                n /= 3;
            }
            word
        });
        let words = words.filter(|word| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let weight = word.iter().zip([5, 1, 4, 2, 6, 3, 1, 5, 2, 4]).map(|(&l, w)| u32::from(l) * w);
            weight.sum::<u32>() > 33 && (x >> 33) % 1000 >= holes
        });
        Dfa::from_sorted_words(shape, &words.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn inclusion_is_that_of_the_residuals() {
        let shape = Shape::uniform(LAYERS, 3).unwrap();
        let mut found = [0; 2];
        for holes in [0, 1, 50] {
            let set = nearly_monotone(&shape, holes);
            let inclusion = Inclusion::new(&set, 1);
            for layer in 1..LAYERS {
                let states = FIRST..FIRST + set.num_states_in(layer).min(100) as u32;
                for (a, b) in states.clone().flat_map(|a| states.clone().map(move |b| (a, b))) {
                    let expected = subset(&set, layer, a, b);
                    for _ in 0..2 {
                        assert_eq!(
                            inclusion.is_subset(layer, a, b),
                            expected,
                            "{a} and {b} of layer {layer}"
                        );
                    }
                    let refuted = inclusion.signature(layer, a) & !inclusion.signature(layer, b) != 0;
                    found[usize::from(expected)] += usize::from(a != b && !refuted);
                }
            }
        }
        assert!(found.iter().all(|&n| n > 100), "disproved and proved: {found:?}");
    }

    fn subset(set: &Dfa, layer: usize, a: u32, b: u32) -> bool {
        match (a, b) {
            (REJECT, _) | (_, ACCEPT) => true,
            (ACCEPT, _) | (_, REJECT) => false,
            _ => (0..set.shape().letters(layer) as u8)
                .all(|l| subset(set, layer + 1, set.raw_target(layer, a, l), set.raw_target(layer, b, l))),
        }
    }
}
