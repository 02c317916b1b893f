//! Tests of every language of a few tiny shapes: all operations are compared with bit masks over the list of words.

use std::collections::HashMap;
use std::path::Path;

use crate::common::{Word, all_words, num_residuals, num_states, shape, table_of_mask};
use nerode_dfa::{Dfa, Error, Letter, Set, Shape, Store, Target};

/// Shapes of 8 words (256 languages) and of 6 words (64 languages), including layers of one letter.
const SHAPES: [&[u16]; 7] = [&[2, 2, 2], &[8], &[2, 1, 4], &[2, 3], &[3, 2], &[1, 3, 2], &[3, 2, 1]];

/// All languages of a shape. The language with number `mask` contains word `i` if and only if bit `i` of `mask` is set.
struct Universe {
    shape: Shape,
    words: Vec<Word>,
    dfas: Vec<Dfa>,
    store: Store,
    sets: Vec<Set>,
}

impl Universe {
    fn new(letters: &[u16], threads: usize) -> Self {
        let shape = shape(letters);
        let words = all_words(&shape);
        let table = |mask| table_of_mask(mask, words.len());
        let dfas: Vec<Dfa> =
            (0..1 << words.len()).map(|mask| Dfa::from_table(&shape, &table(mask)).unwrap()).collect();
        let mut store = Store::unbounded(shape.clone());
        store.set_threads(threads).unwrap();
        let sets = dfas.iter().map(|dfa| store.import(dfa).unwrap()).collect();
        Self { shape, words, dfas, store, sets }
    }

    fn full_mask(&self) -> usize {
        self.sets.len() - 1
    }

    /// Returns the words of a language in lexicographic order.
    fn list(&self, mask: usize) -> Vec<Word> {
        (0..self.words.len()).filter(|i| mask >> i & 1 == 1).map(|i| self.words[i].clone()).collect()
    }
}

/// Returns the target that `word` reaches, using only the public transitions of the automaton.
fn walk(dfa: &Dfa, word: &[Letter]) -> Target {
    word.iter().enumerate().fold(dfa.root(), |at, (layer, &letter)| match at {
        Target::State(state) => dfa.target(layer, state, letter),
        constant => constant,
    })
}

#[test]
fn automata_are_minimal_and_have_exactly_their_words() {
    for letters in SHAPES {
        let all = Universe::new(letters, 1);
        for (mask, dfa) in all.dfas.iter().enumerate() {
            let list = all.list(mask);
            assert_eq!(dfa.words().collect::<Vec<_>>(), list);
            assert_eq!(dfa.count().unwrap(), list.len() as u128);
            assert_eq!(all.store.count(&all.sets[mask]).unwrap(), list.len() as u128);
            let residuals = num_residuals(&all.shape, &table_of_mask(mask, all.words.len()));
            assert_eq!(num_states(dfa), residuals, "language {mask} of {letters:?}");
            assert_eq!(dfa.num_states(), residuals.iter().sum::<usize>());
            assert_eq!(all.store.num_states(&all.sets[mask]), dfa.num_states());
            let transitions: usize = residuals.iter().zip(letters).map(|(n, &k)| n * usize::from(k)).sum();
            assert_eq!(dfa.bytes(), 4 * transitions as u64);
            assert_eq!((dfa.is_empty(), dfa.is_full()), (mask == 0, mask == all.full_mask()));
            let members: Vec<bool> = (0..all.words.len()).map(|i| mask >> i & 1 == 1).collect();
            let other = &all.dfas[all.full_mask() - mask];
            let looked_up: Vec<(&Dfa, &[Letter])> =
                all.words.iter().flat_map(|word| [(dfa, &word[..]), (other, &word[..])]).collect();
            let of_both: Vec<bool> = members.iter().flat_map(|&member| [member, !member]).collect();
            assert_eq!(Dfa::contain_each(&looked_up), of_both);
            let set = &all.sets[mask];
            assert_eq!((set.is_empty(), set.is_full()), (mask == 0, mask == all.full_mask()));
            for (i, word) in all.words.iter().enumerate() {
                let member = mask >> i & 1 == 1;
                assert_eq!(dfa.contains(word), member);
                assert_eq!(all.store.contains(set, word), member);
                assert_eq!(walk(dfa, word), if member { Target::Accept } else { Target::Reject });
            }
        }
    }
}

#[test]
fn joined_letters_leave_the_words_in_order() {
    for letters in SHAPES {
        let all = Universe::new(letters, 1);
        for count in 1..=4 {
            let joined = all.shape.joined(count).unwrap();
            assert_eq!(joined.num_layers(), letters.len().div_ceil(count));
            for (mask, dfa) in all.dfas.iter().enumerate() {
                let expected = Dfa::from_table(&joined, &table_of_mask(mask, all.words.len())).unwrap();
                assert_eq!(dfa.joined(count).unwrap(), expected, "language {mask} of {letters:?}");
            }
        }
    }
    let large = shape(&[16, 17, 2]);
    assert!(matches!(Dfa::full(&large).joined(2), Err(Error::Shape(_))));
}

#[test]
fn words_of_another_shape_are_in_no_language() {
    let all = Universe::new(&[2, 2, 2], 1);
    for (dfa, set) in all.dfas.iter().zip(&all.sets) {
        for word in [&[][..], &[0, 0], &[0, 0, 0, 0], &[2, 0, 0], &[0, 2, 0], &[0, 0, 2], &[255, 255, 255]] {
            assert!(!dfa.contains(word) && !all.store.contains(set, word), "{word:?}");
            assert_eq!(Dfa::contain_each(&[(dfa, word)]), [false], "{word:?}");
            assert_eq!(dfa.ranking().unwrap().rank(word), None);
        }
    }
}

#[test]
fn rank_and_unrank_number_the_words_in_order() {
    for letters in SHAPES {
        let all = Universe::new(letters, 1);
        for (mask, dfa) in all.dfas.iter().enumerate() {
            let ranking = dfa.ranking().unwrap();
            let list = all.list(mask);
            assert_eq!(ranking.count(), list.len() as u128);
            for word in &all.words {
                let rank = list.iter().position(|w| w == word).map(|i| i as u128);
                assert_eq!(ranking.rank(word), rank, "{word:?} in language {mask} of {letters:?}");
                let after: Vec<_> = list.iter().filter(|w| *w > word).cloned().collect();
                assert_eq!(dfa.words_after(word).unwrap().collect::<Vec<_>>(), after, "after {word:?}");
            }
            for rank in 0..=all.words.len() {
                assert_eq!(ranking.unrank(rank as u128), list.get(rank).cloned());
            }
            assert_eq!(ranking.unrank(u128::MAX), None);
        }
    }
}

#[test]
fn equal_languages_are_exactly_equal_sets_tables_and_bytes() {
    for letters in SHAPES {
        let mut all = Universe::new(letters, 1);
        let mut mask_of_bytes = HashMap::new();
        for mask in 0..all.sets.len() {
            let bytes = all.dfas[mask].to_bytes().unwrap();
            assert_eq!(Dfa::from_bytes(&bytes, Path::new("memory")).unwrap(), all.dfas[mask]);
            assert_eq!(mask_of_bytes.insert(bytes.clone(), mask), None, "two languages have the same bytes");
            // Create the same language in other ways: from its list, as a union of words, and by reading prefixes.
            let list = all.list(mask);
            let listed = Dfa::from_sorted_words(&all.shape, &list).unwrap();
            let words: Vec<Set> = list.iter().map(|word| all.store.word(word).unwrap()).collect();
            let united = all.store.union_all(&words).unwrap();
            let extend = |_: usize, prefix: &Word, letter| Some([&prefix[..], &[letter]].concat());
            let read = Dfa::from_step(&all.shape, Vec::new(), extend, |word| list.contains(word)).unwrap();
            assert_eq!(united, all.sets[mask]);
            for other in [listed, all.store.freeze(&united), read] {
                assert_eq!(other, all.dfas[mask]);
                assert_eq!(other.to_bytes().unwrap(), bytes);
            }
        }
        for a in 0..all.sets.len() {
            for b in 0..all.sets.len() {
                assert_eq!(all.sets[a] == all.sets[b], a == b);
                assert_eq!(all.dfas[a] == all.dfas[b], a == b);
            }
        }
    }
}

#[test]
fn files_give_back_what_was_written() {
    let all = Universe::new(&[2, 2, 2], 1);
    let dir = tempfile::tempdir().unwrap();
    for dfa in all.dfas.iter().step_by(5) {
        let path = dir.path().join("set.dfa");
        let written = dfa.write(&path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), written);
        assert_eq!(&Dfa::read(&path).unwrap(), dfa);
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "a temporary file remained");
}

/// Compares every operation on every pair of languages of a shape.
fn compare_pairs(letters: &[u16], threads: usize) {
    let mut all = Universe::new(letters, threads);
    for a in 0..all.sets.len() {
        for b in 0..all.sets.len() {
            let (x, y) = (all.sets[a].clone(), all.sets[b].clone());
            assert_eq!(all.store.union(&x, &y).unwrap(), all.sets[a | b]);
            assert_eq!(all.store.intersection(&x, &y).unwrap(), all.sets[a & b]);
            assert_eq!(all.store.difference(&x, &y).unwrap(), all.sets[a & !b]);
            assert_eq!(all.store.is_subset(&x, &y), a & !b == 0, "{a} and {b} of {letters:?}");
            assert_eq!(all.store.is_disjoint(&x, &y), a & b == 0, "{a} and {b} of {letters:?}");
        }
    }
}

#[test]
fn binary_operations_and_predicates_on_all_pairs() {
    for letters in SHAPES {
        compare_pairs(letters, 1);
    }
}

/// The upper layers of longer words are processed in parallel. Layers of one letter make words longer at no cost.
#[test]
fn binary_operations_and_predicates_on_all_pairs_with_two_threads() {
    for letters in [&[2u16, 2, 2, 1, 1, 1, 1, 1, 1][..], &[2, 3]] {
        compare_pairs(letters, 2);
    }
}

/// The operations on automata without a store must also yield canonical automata.
#[test]
fn algebra_of_automata_on_all_pairs() {
    for letters in SHAPES {
        let all = Universe::new(letters, 1);
        for (a, x) in all.dfas.iter().enumerate() {
            assert_eq!(x.not(), all.dfas[all.full_mask() ^ a], "{a} of {letters:?}");
            for (b, y) in all.dfas.iter().enumerate() {
                let what = format!("{a} and {b} of {letters:?}");
                assert_eq!(x.and(y).unwrap(), all.dfas[a & b], "{what}");
                assert_eq!(x.or(y).unwrap(), all.dfas[a | b], "{what}");
                assert_eq!(x.minus(y).unwrap(), all.dfas[a & !b], "{what}");
                assert_eq!(x.is_subset(y).unwrap(), a & !b == 0, "{what}");
                assert_eq!(x.is_disjoint(y).unwrap(), a & b == 0, "{what}");
            }
        }
    }
}

#[test]
fn automata_of_different_shapes_are_not_combined() {
    let (x, y) = (Dfa::full(&shape(&[2, 3])), Dfa::empty(&shape(&[3, 2])));
    assert!(matches!(x.and(&y), Err(Error::ShapeMismatch(_))));
    assert!(matches!(x.or(&y), Err(Error::ShapeMismatch(_))));
    assert!(matches!(x.minus(&y), Err(Error::ShapeMismatch(_))));
    assert!(matches!(x.is_subset(&y), Err(Error::ShapeMismatch(_))));
    assert!(matches!(x.is_disjoint(&y), Err(Error::ShapeMismatch(_))));
}

#[test]
fn restrict_agrees_on_every_care_set_and_never_grows() {
    for letters in SHAPES {
        let mut all = Universe::new(letters, 1);
        let mut smaller = 0;
        for set in 0..all.sets.len() {
            for care in 0..all.sets.len() {
                let (x, y) = (all.sets[set].clone(), all.sets[care].clone());
                let result = all.store.restrict(&x, &y).unwrap();
                let found = all.sets.iter().position(|s| *s == result).unwrap();
                let what = format!("{set} on {care} of {letters:?} is {found}");
                assert_eq!(found & care, set & care, "{what}");
                let (before, after) = (all.dfas[set].num_states(), all.dfas[found].num_states());
                assert!(after <= before, "{what}");
                smaller += usize::from(after < before);
                if set & care == 0 || care & !set == 0 {
                    assert_eq!(after, 0, "a constant is sufficient: {what}");
                }
                if care == all.full_mask() {
                    assert_eq!(found, set, "{what}");
                }
            }
        }
        assert!(smaller > all.sets.len(), "{letters:?}: {smaller}");
    }
}

#[test]
fn complement_of_every_language() {
    for letters in SHAPES {
        let mut all = Universe::new(letters, 1);
        for mask in 0..all.sets.len() {
            let set = all.sets[mask].clone();
            assert_eq!(all.store.complement(&set).unwrap(), all.sets[all.full_mask() ^ mask]);
        }
    }
}

#[test]
fn union_and_intersection_of_lists() {
    for letters in [&[2u16, 2, 2][..], &[2, 3]] {
        let mut all = Universe::new(letters, 1);
        let full = all.full_mask();
        assert_eq!(all.store.union_all(&[]).unwrap(), all.sets[0]);
        assert_eq!(all.store.intersection_all(&[]).unwrap(), all.sets[full]);
        for first in 0..=full {
            for len in 1..=6 {
                let masks: Vec<usize> = (0..len).map(|i| (first * (7 * i + 1) + 13 * i * i) & full).collect();
                let sets: Vec<Set> = masks.iter().map(|&m| all.sets[m].clone()).collect();
                let (or, and) = masks.iter().fold((0, full), |(or, and), m| (or | m, and & m));
                assert_eq!(all.store.union_all(&sets).unwrap(), all.sets[or], "union of {masks:?}");
                assert_eq!(all.store.intersection_all(&sets).unwrap(), all.sets[and], "of {masks:?}");
            }
        }
    }
}

/// Computes `{ w[changes] : w ∈ language, w has the letter before in every changed layer }` over the list of words.
fn changed(all: &Universe, mask: usize, changes: &[(usize, Letter, Letter)]) -> usize {
    let mut result = 0;
    for mut word in all.list(mask) {
        if changes.iter().all(|&(layer, before, _)| word[layer] == before) {
            for &(layer, _, after) in changes {
                word[layer] = after;
            }
            result |= 1 << all.words.iter().position(|w| *w == word).unwrap();
        }
    }
    result
}

#[test]
fn change_of_every_language() {
    for letters in [&[2u16, 2, 2][..], &[2, 3]] {
        let template = Universe::new(letters, 1);
        let layers = 0..letters.len();
        let single: Vec<(usize, Letter, Letter)> = layers
            .flat_map(|l| {
                let k = letters[l] as Letter;
                (0..k).flat_map(move |a| (0..k).map(move |b| (l, a, b)))
            })
            .collect();
        let mut lists: Vec<Vec<(usize, Letter, Letter)>> = vec![Vec::new()];
        lists.extend(single.iter().map(|&c| vec![c]));
        for &c in &single {
            lists.extend(single.iter().filter(|d| d.0 != c.0).map(|&d| vec![c, d]));
        }
        for changes in lists {
            let mut all = Universe::new(letters, 1);
            for mask in 0..all.sets.len() {
                let set = all.sets[mask].clone();
                let expected = changed(&template, mask, &changes);
                let result = all.store.change(&set, &changes).unwrap();
                assert_eq!(result, all.sets[expected], "{changes:?} on language {mask}");
            }
        }
    }
}
