//! Tests of value maps against tables of codes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use crate::common::{all_words, rng, shape};
use nerode_dfa::{CodePairs, Dfa, Error, Letter, Result, Shape, Store, ValueMap};
use rand::RngExt;

/// Creates the map with these codes, in lexicographic order of the words. Words with code 0 belong to no class.
fn map_of(shape: &Shape, codes: &[u16]) -> Result<ValueMap> {
    let distinct: BTreeSet<u16> = codes.iter().copied().filter(|&code| code != 0).collect();
    let class = |&code: &u16| {
        let table: Vec<bool> = codes.iter().map(|&c| c == code).collect();
        (code, Dfa::from_table(shape, &table).unwrap())
    };
    ValueMap::from_classes(shape, &distinct.iter().map(class).collect::<Vec<_>>(), u64::MAX)
}

/// Counts the distinct functions that remain after a prefix, excluding constant ones.
fn num_residuals(shape: &Shape, codes: &[u16]) -> usize {
    let (mut block, mut total) = (codes.len(), 0);
    for &k in shape.alphabets() {
        let residuals = codes.chunks(block).filter(|r| r.iter().any(|c| *c != r[0]));
        total += residuals.collect::<BTreeSet<_>>().len();
        block /= usize::from(k);
    }
    total
}

/// Compares look-ups, states, and a walk in the given order of letters.
fn compare(shape: &Shape, codes: &[u16], reversed: bool) {
    let map = map_of(shape, codes).unwrap();
    let words = all_words(shape);
    assert_eq!(map.shape(), shape);
    for (word, &code) in words.iter().zip(codes) {
        assert_eq!(map.get(word), code, "{word:?} of {codes:?}");
    }
    assert_eq!(map.num_states(), num_residuals(shape, codes));
    assert_eq!(map.codes(), codes.iter().copied().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>());
    for wanted in [|code: u16| code % 2 == 1, |code| code == 0, |_| false, |_| true] {
        let table: Vec<bool> = codes.iter().map(|&code| wanted(code)).collect();
        assert_eq!(map.select(wanted).unwrap(), Dfa::from_table(shape, &table).unwrap());
    }
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
        assert!(codes.len() > 1, "{prefix:?} is not the shortest prefix that determines the code");
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
            compare(&shape, &codes, round % 3 == 0);
        }
    }
}

#[test]
fn no_class_and_one_class() {
    let shape = shape(&[2, 3]);
    compare(&shape, &[0; 6], false);
    compare(&shape, &[9; 6], true);
    compare(&shape, &[9, 9, 0, 9, 9, 9], true);
}

#[test]
fn classes_that_share_a_word_or_have_another_shape_are_refused() {
    let shape = shape(&[2, 3]);
    let word = Dfa::word(&shape, &[1, 2]).unwrap();
    for (a, b) in [(1u16, 2u16), (1, 0x101), (0x100, 0x200), (0, 5)] {
        let classes = [(a, word.clone()), (b, Dfa::full(&shape))];
        let result = ValueMap::from_classes(&shape, &classes, u64::MAX);
        assert!(matches!(result, Err(Error::Overlap { .. })), "{a} and {b}: {result:?}");
    }
    // All codes share a high byte, so the residual after that byte is full.
    let classes: Vec<(u16, Dfa)> = (0..256).map(|code| (code, word.clone())).collect();
    let result = ValueMap::from_classes(&shape, &classes, u64::MAX);
    assert!(matches!(result, Err(Error::Overlap { .. })), "{result:?}");
    let other = [(1, Dfa::full(&crate::common::shape(&[3, 2])))];
    let result = ValueMap::from_classes(&shape, &other, u64::MAX);
    assert!(matches!(result, Err(Error::ShapeMismatch(_))), "{result:?}");
}

/// Creates random levels as tables, which are cumulative if `nested` is set.
fn random_levels(rng: &mut impl RngExt, n: usize, nested: bool) -> Vec<Vec<bool>> {
    let mut levels: Vec<Vec<bool>> = Vec::new();
    for _ in 0..rng.random_range(0..6) {
        let density = [0.05, 0.3, 0.9][rng.random_range(0..3)];
        let below = if nested { levels.last().cloned() } else { None }.unwrap_or_else(|| vec![false; n]);
        levels.push(below.iter().map(|&b| b || rng.random_bool(density)).collect());
    }
    levels
}

#[test]
fn the_first_level_that_contains_a_word_gives_its_code() {
    let mut rng = rng(78);
    for letters in [&[2u16, 2, 2][..], &[5], &[3, 1, 4], &[2, 3, 2, 3]] {
        let shape = shape(letters);
        let n = shape.num_words().unwrap() as usize;
        for round in 0..200 {
            let tables = random_levels(&mut rng, n, round % 2 == 0);
            // Codes may repeat or descend, and may equal the code of words that are in no level.
            let code = |i: usize| [8u16, 8, 0, 5, 0xFFFF, 1][(i + round) % 6];
            let levels: Vec<(u16, Dfa)> = tables
                .iter()
                .enumerate()
                .map(|(i, table)| (code(i), Dfa::from_table(&shape, table).unwrap()))
                .collect();
            let expected: Vec<u16> =
                (0..n).map(|w| tables.iter().position(|table| table[w]).map_or(0, code)).collect();
            let map = ValueMap::from_levels(&shape, &levels, u64::MAX).unwrap();
            // Equal functions must have equal tables, no matter how they were created.
            assert_eq!(map, map_of(&shape, &expected).unwrap(), "{tables:?}");
            for (word, code) in all_words(&shape).iter().zip(&expected) {
                assert_eq!(map.get(word), *code);
            }
        }
    }
}

#[test]
fn levels_obey_the_cap_of_their_store() {
    let shape = shape(&[3; 9]);
    let mut rng = rng(79);
    let levels: Vec<(u16, Dfa)> =
        (0..4).map(|code| (code, crate::common::random_dfa(&mut rng, &shape, 0.5))).collect();
    let mut store = Store::unbounded(shape.clone());
    for (_, set) in &levels {
        store.import(set).unwrap();
    }
    // There is room for the sets, but not for the product.
    let result = ValueMap::from_levels(&shape, &levels, store.bytes() + 1000);
    assert!(matches!(result, Err(Error::OutOfMemory { .. })), "{result:?}");
    assert!(ValueMap::from_levels(&shape, &levels, 4 * store.bytes() + (1 << 20)).is_ok());
}

#[test]
#[should_panic(expected = "another store")]
fn levels_of_another_store_are_misuse() {
    let mut other = Store::unbounded(shape(&[2, 2]));
    let full = other.full();
    let _ = Store::unbounded(shape(&[2, 2])).value_map(&[(1, full)]);
}

/// The counts and the first words of the pairs of codes are those of the two tables.
#[test]
fn pairs_of_codes_are_those_of_the_tables() {
    let mut rng = rng(46);
    let go_on = AtomicBool::new(false);
    for letters in [&[2u16, 2, 2][..], &[5], &[3, 1, 4], &[2, 3, 2, 3, 2]] {
        let shape = shape(letters);
        let words = all_words(&shape);
        for round in 0..40 {
            let palette: &[u16] = [&[0, 7][..], &[1], &[0, 1, 256], &[3, 0xFFFF]][round % 4];
            let mut codes = || -> Vec<u16> {
                (0..words.len()).map(|_| palette[rng.random_range(0..palette.len())]).collect()
            };
            let (one, other) = (codes(), codes());
            let maps = [&one, &other].map(|codes| map_of(&shape, codes).unwrap());
            let pairs = CodePairs::new(&maps[0], &maps[1], u64::MAX, &go_on).unwrap();
            let mut counts = BTreeMap::new();
            for pair in one.iter().copied().zip(other.iter().copied()) {
                *counts.entry(pair).or_insert(0u128) += 1;
            }
            assert_eq!(pairs.count().unwrap(), counts);
            // The order of letters is reversed in every second round, as that of a walk may be.
            let ascending = shape.alphabets().iter().map(|&k| (0..k).map(|a| a as Letter));
            let order: Vec<Vec<Letter>> = ascending
                .map(|letters| if round % 2 == 0 { letters.collect() } else { letters.rev().collect() })
                .collect();
            let differs = |(x, y): (u16, u16)| x != y;
            let mut wanted: Vec<_> = words
                .iter()
                .zip(one.iter().zip(&other))
                .filter(|(_, (x, y))| x != y)
                .map(|(word, _)| word.clone())
                .collect();
            if round % 2 == 1 {
                wanted.reverse();
            }
            for most in [0, 1, 3, usize::MAX] {
                let first: Vec<_> = wanted.iter().take(most).cloned().collect();
                assert_eq!(pairs.first_words(differs, &order, most), first);
            }
        }
    }
}

#[test]
fn a_comparison_of_maps_keeps_its_cap_and_ends_when_interrupted() {
    let three = shape(&[2, 2, 2]);
    let map = map_of(&three, &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    let compare = |other: &ValueMap, cap, stop| CodePairs::new(&map, other, cap, &AtomicBool::new(stop));
    assert!(compare(&map, 1 << 10, false).is_ok());
    assert!(matches!(compare(&map, 16, false), Err(Error::OutOfMemory { .. })));
    assert!(matches!(compare(&map, u64::MAX, true), Err(Error::Interrupted)));
    let other = map_of(&shape(&[2, 4]), &[0; 8]).unwrap();
    assert!(matches!(compare(&other, u64::MAX, false), Err(Error::ShapeMismatch(_))));
}

/// Maps in every order of the layers, with shuffled letters, are those of the rearranged tables, state by state.
#[test]
fn rearranged_maps_are_those_of_the_rearranged_tables() {
    let mut rng = rng(47);
    let go_on = AtomicBool::new(false);
    let mut exchanged = 0;
    for letters in [&[5u16][..], &[2, 3], &[3, 1, 4], &[2, 3, 2, 3], &[2, 2, 2, 2, 2, 2]] {
        let from = shape(letters);
        for round in 0..60 {
            let palette: &[u16] = [&[0, 7][..], &[1], &[0, 0, 0, 256, 1], &[3, 0xFFFF]][round % 4];
            let codes: Vec<u16> =
                (0..all_words(&from).len()).map(|_| palette[rng.random_range(0..palette.len())]).collect();
            let map = map_of(&from, &codes).unwrap();
            let mut shuffled = |len: usize| -> Vec<usize> {
                let mut list: Vec<usize> = (0..len).collect();
                (1..len).for_each(|at| list.swap(at, rng.random_range(0..=at)));
                list
            };
            let layers = shuffled(letters.len());
            let order: Vec<Vec<Letter>> = layers
                .iter()
                .map(|&layer| {
                    shuffled(from.num_letters(layer)).into_iter().map(|letter| letter as Letter).collect()
                })
                .collect();
            let to = shape(&layers.iter().map(|&layer| letters[layer]).collect::<Vec<_>>());
            let code = |word: &Vec<Letter>| {
                let mut before = vec![0; word.len()];
                for ((&letter, &layer), order) in word.iter().zip(&layers).zip(&order) {
                    before[layer] = order[usize::from(letter)];
                }
                map.get(&before)
            };
            let expected: Vec<u16> = all_words(&to).iter().map(code).collect();
            let found = map.rearranged(&layers, &order, u64::MAX, &go_on).unwrap();
            assert_eq!(found, map_of(&to, &expected).unwrap(), "{layers:?} {order:?} {codes:?}");
            exchanged += usize::from(!layers.is_sorted() && found.num_states() > 1);
        }
    }
    assert!(exchanged > 50, "{exchanged}");
}

#[test]
fn rearranging_keeps_its_cap_and_ends_when_interrupted() {
    let map = map_of(&shape(&[2, 2, 2]), &[0, 1, 2, 3, 4, 5, 6, 7]).unwrap();
    let letters = vec![vec![0, 1]; 3];
    let turned = |cap, stop| map.rearranged(&[2, 1, 0], &letters, cap, &AtomicBool::new(stop));
    assert!(turned(1 << 10, false).is_ok());
    assert!(matches!(turned(16, false), Err(Error::OutOfMemory { .. })));
    assert!(matches!(turned(u64::MAX, true), Err(Error::Interrupted)));
}

#[test]
#[should_panic(expected = "a permutation of the layers")]
fn rearranging_by_a_list_that_is_no_permutation_is_misuse() {
    let map = map_of(&shape(&[2, 2]), &[0, 1, 1, 0]).unwrap();
    let _ = map.rearranged(&[0, 0], &[vec![0, 1], vec![0, 1]], u64::MAX, &AtomicBool::new(false));
}
