//! Tests with larger random shapes: sets are compared with sorted lists of words, and constructors with their
//! definitions.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::{Word, all_words, num_residuals, num_states, shape};
use nerode_dfa::{Dfa, Error, Letter, Set, Shape, Store};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn words_of(letters: &[u16]) -> impl Strategy<Value = Word> + use<> {
    letters.iter().map(|&k| 0..=(k - 1) as Letter).collect::<Vec<_>>()
}

/// Generates a shape and a few sets of its words.
fn languages(n: usize) -> impl Strategy<Value = (Shape, Vec<BTreeSet<Word>>)> {
    let wide = prop_oneof![Just(vec![256u16, 3, 256]), Just(vec![2, 256]), Just(vec![256])];
    prop_oneof![4 => vec(1u16..=5, 1..=8), 1 => wide].prop_flat_map(move |letters| {
        let sets = vec(btree_set(words_of(&letters), 0..80), n);
        (Just(shape(&letters)), sets)
    })
}

/// Generates a shape of at most 2000 words, so that all of them can be examined.
fn small_shapes() -> impl Strategy<Value = Shape> {
    vec(1u16..=5, 1..=8).prop_map(|mut letters| {
        while letters.iter().map(|&k| usize::from(k)).product::<usize>() > 2000 {
            letters.pop();
        }
        shape(&letters)
    })
}

fn dfa(shape: &Shape, words: &BTreeSet<Word>) -> Dfa {
    Dfa::from_sorted_words(shape, &words.iter().collect::<Vec<_>>()).unwrap()
}

/// Returns the number of words of the shape that precede `word`.
fn index(shape: &Shape, word: &[Letter]) -> u128 {
    word.iter().zip(shape.alphabets()).fold(0, |i, (&a, &k)| i * u128::from(k) + u128::from(a))
}

/// Compares an automaton with the predicate that defines it on all words, and checks its number of states.
fn assert_defines(dfa: &Dfa, accepts: impl Fn(&[Letter]) -> bool) {
    let words = all_words(dfa.shape());
    let table: Vec<bool> = words.iter().map(|word| accepts(word)).collect();
    for (word, &member) in words.iter().zip(&table) {
        assert_eq!(dfa.contains(word), member, "{word:?}");
    }
    assert_eq!(num_states(dfa), num_residuals(dfa.shape(), &table));
    assert_eq!(&Dfa::from_table(dfa.shape(), &table).unwrap(), dfa);
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn operations_are_those_on_sorted_lists((shape, sets) in languages(2)) {
        let (x, y) = (&sets[0], &sets[1]);
        let mut store = Store::unbounded(shape.clone());
        let (a, b) = (store.import(&dfa(&shape, x)).unwrap(), store.import(&dfa(&shape, y)).unwrap());
        let union = store.union(&a, &b).unwrap();
        let intersection = store.intersection(&a, &b).unwrap();
        let difference = store.difference(&a, &b).unwrap();
        for (set, list) in [(&a, x), (&union, &(x | y)), (&intersection, &(x & y)), (&difference, &(x - y))] {
            let frozen = store.freeze(set);
            prop_assert_eq!(&frozen, &dfa(&shape, list));
            prop_assert!(frozen.words().eq(list.iter().cloned()));
            prop_assert_eq!(frozen.count().unwrap(), list.len() as u128);
            prop_assert_eq!(Dfa::from_bytes(&frozen.to_bytes().unwrap(), Path::new("memory")).unwrap(), frozen);
        }
        prop_assert_eq!(store.is_subset(&a, &b), x.is_subset(y));
        prop_assert_eq!(store.is_subset(&intersection, &b), true);
        prop_assert_eq!(store.is_disjoint(&a, &b), x.is_disjoint(y));
        prop_assert_eq!(store.is_disjoint(&difference, &b), true);
    }

    #[test]
    fn ranks_in_a_set_and_in_its_complement_add_up((shape, sets) in languages(2)) {
        let mut store = Store::unbounded(shape.clone());
        let set = store.import(&dfa(&shape, &sets[0])).unwrap();
        let complement = store.complement(&set).unwrap();
        let (inside, outside) = (store.freeze(&set), store.freeze(&complement));
        let total = shape.num_words().unwrap();
        prop_assert_eq!(outside.count().unwrap(), total - sets[0].len() as u128);
        let (inside, outside) = (inside.ranking().unwrap(), outside.ranking().unwrap());
        for (rank, word) in sets[0].iter().enumerate() {
            prop_assert_eq!(inside.rank(word), Some(rank as u128));
            prop_assert_eq!(inside.unrank(rank as u128), Some(word.clone()));
            prop_assert_eq!(outside.rank(word), None);
            prop_assert!(store.contains(&set, word) && !store.contains(&complement, word));
        }
        for word in sets[1].difference(&sets[0]) {
            let rank = index(&shape, word) - sets[0].range(..word.clone()).count() as u128;
            prop_assert_eq!(outside.rank(word), Some(rank));
            prop_assert_eq!(outside.unrank(rank), Some(word.clone()));
            prop_assert_eq!(inside.rank(word), None);
            prop_assert!(!store.contains(&set, word) && store.contains(&complement, word));
        }
        prop_assert_eq!(inside.unrank(sets[0].len() as u128), None);
        prop_assert_eq!(outside.unrank(outside.count()), None);
    }

    #[test]
    fn lists_are_united_and_intersected_in_any_order((shape, sets) in languages(7), seed in any::<u64>()) {
        use rand::seq::SliceRandom;
        let mut store = Store::unbounded(shape.clone());
        let mut handles: Vec<Set> = sets.iter().map(|s| store.import(&dfa(&shape, s)).unwrap()).collect();
        let mut complements: Vec<Set> = handles.iter().map(|s| store.complement(s).unwrap()).collect();
        let all: BTreeSet<Word> = sets.iter().flatten().cloned().collect();
        let union = store.union_all(&handles).unwrap();
        prop_assert_eq!(store.freeze(&union), dfa(&shape, &all));
        let mut rng = crate::common::rng(seed);
        for _ in 0..3 {
            handles.shuffle(&mut rng);
            complements.shuffle(&mut rng);
            prop_assert_eq!(&store.union_all(&handles).unwrap(), &union);
            let none = store.intersection_all(&complements).unwrap();
            prop_assert_eq!(&store.complement(&none).unwrap(), &union);
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn cubes_words_and_fixed_letters(
        (shape, word, allowed, at) in small_shapes().prop_flat_map(|shape| {
            let n = shape.num_layers();
            let letters = shape.alphabets().to_vec();
            let part = (0..n).prop_flat_map(move |l| (Just(l), vec(0..letters[l] as Letter, 0..=4)));
            let word = words_of(shape.alphabets());
            (Just(shape), word, vec(part, 0..=3), 0..n)
        })
    ) {
        let holds = |w: &[Letter]| allowed.iter().all(|(l, letters)| letters.contains(&w[*l]));
        assert_defines(&Dfa::cube(&shape, &allowed).unwrap(), holds);
        assert_defines(&Dfa::word(&shape, &word).unwrap(), |w| w == word);
        let mut store = Store::unbounded(shape.clone());
        for (set, accepts) in [
            (store.cube(&allowed).unwrap(), &holds as &dyn Fn(&[Letter]) -> bool),
            (store.word(&word).unwrap(), &|w| w == word),
            (store.fixed(at, word[at]).unwrap(), &|w| w[at] == word[at]),
        ] {
            assert_defines(&store.freeze(&set), accepts);
        }
    }

    #[test]
    fn counts_of_a_letter(
        (shape, layers) in small_shapes().prop_flat_map(|s| { let n = s.num_layers(); (Just(s), vec(0..n, 0..=n)) }),
        letter in 0u8..6, from in 0usize..9, to in 0usize..9,
    ) {
        let distinct: BTreeSet<usize> = layers.iter().copied().collect();
        let holds = |w: &[Letter]| {
            let count = distinct.iter().filter(|l| w[**l] == letter).count();
            from <= count && count <= to
        };
        assert_defines(&Dfa::letter_count(&shape, letter, &layers, from..=to).unwrap(), holds);
        let mut store = Store::unbounded(shape);
        let set = store.letter_count(letter, &layers, from..=to).unwrap();
        assert_defines(&store.freeze(&set), holds);
    }

    #[test]
    fn recognisers_read_letter_by_letter(
        shape in small_shapes(), weights in vec(0u32..7, 40), modulus in 1u32..7, residue in 0u32..7, stop in 0u32..7,
    ) {
        let weight = |layer: usize, letter: Letter| weights[5 * layer + usize::from(letter)];
        let step = |layer: usize, sum: &u32, letter: Letter| {
            Some((sum + weight(layer, letter)) % modulus).filter(|s| *s != stop)
        };
        let recognised = Dfa::from_step(&shape, 0, step, |sum| *sum == residue).unwrap();
        assert_defines(&recognised, |word| {
            let sums: Vec<u32> = (1..=word.len())
                .map(|n| word[..n].iter().enumerate().map(|(l, &a)| weight(l, a)).sum::<u32>() % modulus)
                .collect();
            !sums.contains(&stop) && sums[sums.len() - 1] == residue
        });
    }
}

#[test]
fn samples_are_uniform_members_and_the_same_for_the_same_seed() {
    let shape = shape(&[2, 3, 2, 3, 2, 3]);
    let dfa = Dfa::letter_count(&shape, 1, &[0, 1, 2, 3, 4, 5], 2..=3).unwrap();
    let ranking = dfa.ranking().unwrap();
    let classes = usize::try_from(ranking.count()).unwrap();
    let sample = ranking.sample(2024, 100 * classes);
    assert_eq!(sample.len(), 100 * classes);
    assert_eq!(sample, ranking.sample(2024, 100 * classes));
    assert_ne!(sample, ranking.sample(2025, 100 * classes));
    let words: Vec<Word> = dfa.words().collect();
    let mut drawn = vec![0u32; classes];
    for word in &sample {
        drawn[words.iter().position(|w| w == word).unwrap()] += 1;
    }
    // The tolerance of the chi-squared statistic, which has `classes - 1` degrees of freedom, is five standard
    // deviations.
    let chi2: f64 = drawn.iter().map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
    let freedom = classes as f64 - 1.0;
    assert!(
        (chi2 - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(),
        "chi-squared {chi2} for {freedom} degrees"
    );
    assert!(Dfa::empty(&shape).ranking().unwrap().sample(1, 10).is_empty());
}

#[test]
fn counts_beyond_128_bits_are_an_error_and_no_others() {
    let fits = shape(&[2; 127]);
    assert_eq!(Dfa::full(&fits).count().unwrap(), 1 << 127);
    let last = vec![1; 127];
    assert_eq!(Dfa::full(&fits).ranking().unwrap().rank(&last), Some((1 << 127) - 1));
    let long = shape(&[4; 100]);
    assert!(matches!(Dfa::full(&long).count(), Err(Error::CountOverflow)));
    assert!(matches!(Dfa::full(&long).ranking(), Err(Error::CountOverflow)));
    let few = Dfa::letter_count(&long, 0, &(0..100).collect::<Vec<_>>(), 99..=100).unwrap();
    assert_eq!(few.count().unwrap(), 1 + 100 * 3);
    assert_eq!(few.words().count(), 301);
    assert!(matches!(few.ranking(), Err(Error::CountOverflow)));
    // 2^128 words are one too many to count. A quarter of the words of this shape can be counted, although the shape
    // has more.
    let huge = shape(&[2; 129]);
    let half = Dfa::cube(&huge, &[(0, vec![0])]).unwrap();
    assert!(matches!(half.count(), Err(Error::CountOverflow)));
    let quarter = Dfa::cube(&huge, &[(0, vec![0]), (1, vec![1])]).unwrap();
    assert_eq!(quarter.count().unwrap(), 1 << 127);
}

#[test]
fn what_does_not_fit_the_shape_is_refused() {
    for letters in [vec![], vec![2, 0], vec![257], vec![2; 513]] {
        assert!(matches!(Shape::new(letters.clone()), Err(Error::Shape(_))), "{letters:?}");
    }
    assert_eq!(shape(&[256; 512]).num_words(), None);
    let shape = shape(&[2, 3]);
    let refused: Vec<(&str, nerode_dfa::Result<Dfa>)> = vec![
        ("short word", Dfa::word(&shape, &[0])),
        ("letter of a word", Dfa::word(&shape, &[2, 0])),
        ("layer of a cube", Dfa::cube(&shape, &[(2, vec![0])])),
        ("letter of a cube", Dfa::cube(&shape, &[(0, vec![0, 2])])),
        ("layer of a count", Dfa::letter_count(&shape, 0, &[0, 2], 0..=1)),
        ("equal words", Dfa::from_sorted_words(&shape, &[[0, 1], [0, 1]])),
        ("descending words", Dfa::from_sorted_words(&shape, &[[1, 0], [0, 1]])),
        ("long word in a list", Dfa::from_sorted_words(&shape, &[[0, 1, 0]])),
        ("letter in a list", Dfa::from_sorted_words(&shape, &[[0, 3]])),
        ("short table", Dfa::from_table(&shape, &[true; 5])),
        ("long table", Dfa::from_table(&shape, &[true; 7])),
    ];
    for (what, result) in refused {
        assert!(matches!(result, Err(Error::Word(_))), "{what}: {result:?}");
    }
    let other = Dfa::full(&crate::common::shape(&[3, 2]));
    assert!(matches!(Store::unbounded(shape).import(&other), Err(Error::ShapeMismatch(_))));
}
