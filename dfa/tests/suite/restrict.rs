//! Tests of restriction to care sets: the result is correct on the care set, never larger, and depends only on the two
//! sets.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::{random_dfa, random_table, rng, shape};
use nerode_dfa::{Dfa, Error, Shape, Store};
use proptest::prelude::*;

/// Computes `restrict` in a new store and checks its guarantees.
fn restricted(set: &Dfa, care: &Dfa, threads: usize) -> Dfa {
    let mut store = Store::unbounded(set.shape().clone());
    store.set_threads(threads).unwrap();
    let (x, y) = (store.import(set).unwrap(), store.import(care).unwrap());
    let result = store.restrict(&x, &y).unwrap();
    assert_eq!(store.intersection(&result, &y).unwrap(), store.intersection(&x, &y).unwrap());
    let result = store.freeze(&result);
    assert!(result.num_states() <= set.num_states());
    result
}

/// Returns the words that contain each letter other than 0 at most `most` times, like pieces on a board.
fn few_pieces(shape: &Shape, most: usize) -> Dfa {
    let step = |_: usize, seen: &[usize; 2], letter: u8| {
        let mut seen = *seen;
        if letter > 0 {
            seen[usize::from(letter) - 1] += 1;
        }
        (seen.iter().all(|n| *n <= most)).then_some(seen)
    };
    Dfa::from_step(shape, [0; 2], step, |_| true).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_sets_on_random_care_sets(seed in any::<u64>(), on in 0.05f64..0.95, care in 0.02f64..0.98) {
        let mut rng = rng(seed);
        for letters in [&[2u16, 2, 2, 2, 2, 2][..], &[3, 3, 3, 3], &[4, 1, 7, 2], &[17, 5]] {
            let shape = shape(letters);
            let (set, care) = (random_dfa(&mut rng, &shape, on), random_dfa(&mut rng, &shape, care));
            restricted(&set, &care, 1);
        }
    }

    #[test]
    fn random_sets_on_few_pieces(seed in any::<u64>(), density in 0.02f64..0.6, most in 0usize..4) {
        let shape = shape(&[3; 7]);
        let set = random_dfa(&mut rng(seed), &shape, density);
        let care = few_pieces(&shape, most);
        let result = restricted(&set, &care, 1);
        prop_assert_eq!(&restricted(&set, &care, 2), &result, "threads");
        // The same in a store with a history, whose tables have no spare capacity.
        let mut store = Store::unbounded(shape.clone());
        for other in [&care, &random_dfa(&mut rng(!seed), &shape, 0.5), &set] {
            store.import(other).unwrap();
        }
        let (x, y) = (store.import(&set).unwrap(), store.import(&care).unwrap());
        store.collect();
        let again = store.restrict(&x, &y).unwrap();
        prop_assert_eq!(&store.freeze(&again), &result, "history");
    }
}

/// The freedom outside the care set must be used: a set that equals a small one on the care set must become nearly as
/// small.
#[test]
fn noise_outside_the_care_set_goes_away() {
    let shape = shape(&[3; 8]);
    let mut store = Store::unbounded(shape.clone());
    let all: Vec<usize> = (0..8).collect();
    let simple = store.letter_count(1, &all, 2..=3).unwrap();
    let care = store.import(&few_pieces(&shape, 3)).unwrap();
    let table = random_table(&mut rng(9), 3usize.pow(8), 0.5);
    let noise = store.import(&Dfa::from_table(&shape, &table).unwrap()).unwrap();
    let noise = store.difference(&noise, &care).unwrap();
    let noisy = store.difference(&simple, &care).unwrap();
    let noisy = store.difference(&simple, &noisy).unwrap();
    let noisy = store.union(&noisy, &noise).unwrap();
    let clean = store.restrict(&noisy, &care).unwrap();
    let (before, after) = (store.num_states(&noisy), store.num_states(&clean));
    assert!(after <= store.num_states(&simple) && before > 10 * after, "from {before} to {after} states");
}

#[test]
fn caps_and_interruptions_are_obeyed() {
    let shape = shape(&[3; 10]);
    let (set, care) = (random_dfa(&mut rng(1), &shape, 0.5), random_dfa(&mut rng(2), &shape, 0.5));
    let mut store = Store::unbounded(shape.clone());
    let flag = Arc::new(AtomicBool::new(false));
    store.set_interrupt(Arc::clone(&flag));
    let (x, y) = (store.import(&set).unwrap(), store.import(&care).unwrap());
    flag.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(store.restrict(&x, &y), Err(Error::Interrupted)));
    let mut small = Store::new(shape, 1 << 19).unwrap();
    let result = small.import(&set).and_then(|x| small.import(&care).and_then(|y| small.restrict(&x, &y)));
    assert!(matches!(result, Err(Error::OutOfMemory { .. })), "{result:?}");
}

#[test]
#[should_panic(expected = "another store")]
fn a_care_set_of_another_store_is_misuse() {
    let mut other = Store::unbounded(shape(&[2, 2]));
    let mut store = Store::unbounded(shape(&[2, 2]));
    let (full, empty) = (other.full(), store.empty());
    let _ = store.restrict(&empty, &full);
}
