//! Value maps against tables of codes.
#![allow(clippy::unwrap_used, reason = "a test helper may fail the test")]

mod common;

use std::collections::BTreeSet;

use common::{all_words, rng, shape};
use nerode_dfa::{Dfa, Error, Letter, Result, Shape, ValueMap};
use rand::RngExt;

/// The map with these codes, in lexicographic order of the words; a word of code 0 is in no class.
fn map_of(shape: &Shape, codes: &[u16], threads: usize) -> Result<ValueMap> {
    let distinct: BTreeSet<u16> = codes.iter().copied().filter(|&code| code != 0).collect();
    let class = |&code: &u16| {
        let table: Vec<bool> = codes.iter().map(|&c| c == code).collect();
        (code, Dfa::from_table(shape, &table).unwrap())
    };
    ValueMap::from_classes(shape, &distinct.iter().map(class).collect::<Vec<_>>(), u64::MAX, threads)
}

/// Distinct functions that remain after a prefix, those of one code only left out.
fn num_residuals(shape: &Shape, codes: &[u16]) -> usize {
    let (mut block, mut total) = (codes.len(), 0);
    for &k in shape.alphabets() {
        let residuals = codes.chunks(block).filter(|r| r.iter().any(|c| *c != r[0]));
        total += residuals.collect::<BTreeSet<_>>().len();
        block /= usize::from(k);
    }
    total
}

/// Compares look-ups, states and a walk in the given order of letters.
fn compare(shape: &Shape, codes: &[u16], reversed: bool, threads: usize) {
    let map = map_of(shape, codes, threads).unwrap();
    let words = all_words(shape);
    assert_eq!(map.shape(), shape);
    for (word, &code) in words.iter().zip(codes) {
        assert_eq!(map.get(word), code, "{word:?} of {codes:?}");
    }
    assert_eq!(map.num_states(), num_residuals(shape, codes));
    let order: Vec<Vec<Letter>> = shape
        .alphabets()
        .iter()
        .map(|&k| (0..k).map(|a| if reversed { k - 1 - a } else { a } as Letter).collect())
        .collect();
    let (mut walked, mut runs) = (Vec::new(), Vec::new());
    let mut walk = map.walk(order);
    while let Some((prefix, code)) = walk.next_settled() {
        let rest: usize = shape.alphabets()[prefix.len()..].iter().map(|&k| usize::from(k)).product();
        walked.extend(std::iter::repeat_n(code, rest));
        runs.push(prefix.to_vec());
    }
    assert!(walk.next_settled().is_none());
    if reversed {
        walked.reverse();
    }
    assert_eq!(walked, codes);
    for prefix in runs.iter().filter(|prefix| !prefix.is_empty()) {
        let parent = &prefix[..prefix.len() - 1];
        let codes: BTreeSet<u16> =
            words.iter().zip(codes).filter(|(w, _)| w.starts_with(parent)).map(|(_, c)| *c).collect();
        assert!(codes.len() > 1, "{prefix:?} is not the shortest that settles the code");
    }
}

#[test]
fn random_maps_are_their_tables() {
    let mut rng = rng(77);
    for letters in [&[2u16, 2, 2][..], &[5], &[3, 1, 4], &[2, 3, 2, 3, 2]] {
        let shape = shape(letters);
        let n = shape.num_words().unwrap() as usize;
        for round in 0..40 {
            let palette: &[u16] =
                [&[0, 7][..], &[1], &[0, 1, 256, 257], &[3, 0x0300, 0xFFFF, 0x00FF, 0xFF00]][round % 4];
            let codes: Vec<u16> = (0..n).map(|_| palette[rng.random_range(0..palette.len())]).collect();
            compare(&shape, &codes, round % 3 == 0, 1 + round % 2);
        }
    }
}

#[test]
fn no_class_and_one_class() {
    let shape = shape(&[2, 3]);
    compare(&shape, &[0; 6], false, 1);
    compare(&shape, &[9; 6], true, 1);
    compare(&shape, &[9, 9, 0, 9, 9, 9], true, 1);
}

#[test]
fn classes_that_share_a_word_or_have_another_shape_are_refused() {
    let shape = shape(&[2, 3]);
    let word = Dfa::word(&shape, &[1, 2]).unwrap();
    for (a, b) in [(1u16, 2u16), (1, 0x101), (0x100, 0x200), (0, 5)] {
        let classes = [(a, word.clone()), (b, Dfa::full(&shape))];
        let result = ValueMap::from_classes(&shape, &classes, u64::MAX, 1);
        assert!(matches!(result, Err(Error::Move(_))), "{a} and {b}: {result:?}");
    }
    // All codes of one high byte: the residual after that byte is full.
    let classes: Vec<(u16, Dfa)> = (0..256).map(|code| (code, word.clone())).collect();
    let result = ValueMap::from_classes(&shape, &classes, u64::MAX, 1);
    assert!(matches!(result, Err(Error::Move(_))), "{result:?}");
    let other = [(1, Dfa::full(&common::shape(&[3, 2])))];
    let result = ValueMap::from_classes(&shape, &other, u64::MAX, 1);
    assert!(matches!(result, Err(Error::ShapeMismatch(_))), "{result:?}");
}
