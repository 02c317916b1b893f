//! Tests with several threads in one store: no result may depend on which thread creates a state first.

use crate::common::shape;
use crate::common::workload::{Inputs, run_in_tight_tables};
use nerode_dfa::{Dfa, Shape, Store};

/// Creates two small automata with a large intersection. The intersection does not depend on the first letter, although
/// the first operand does.
///
/// The words of the first automaton either have certain sums modulo 101, or end in 2 and have a sum modulo 3 that
/// equals their first letter. The words of the second automaton have certain sums modulo 103 with different weights,
/// and do not end in 2. Under each first letter, threads visit different operands in the same order with the same
/// results, so they create the same rows at the same time, in tables that have to grow repeatedly.
fn twins(shape: &Shape) -> (Dfa, Dfa) {
    let last = shape.num_layers() - 1;
    let weigh = |layer: usize, (first, sum, rest, _): &(u8, u32, u8, bool), letter: u8| match layer {
        0 => Some((letter, 0, 0, false)),
        _ => Some((
            *first,
            (3 * sum + u32::from(letter)) % 101,
            (rest + letter) % 3,
            layer == last && letter == 2,
        )),
    };
    let a = Dfa::from_step(shape, (0, 0, 0, false), weigh, |&(first, sum, rest, two)| {
        if two { first == rest } else { sum * sum % 101 < 50 }
    });
    let other = |layer: usize, sum: &u32, letter: u8| match layer {
        0 => Some(0),
        _ => Some((5 * sum + u32::from(letter * letter)) % 103).filter(|_| layer < last || letter < 2),
    };
    (a.unwrap(), Dfa::from_step(shape, 0, other, |sum| sum * sum % 103 < 50).unwrap())
}

/// Numbers in base 3 that are divisible by 41 or 43 need 1763 states in most of the forty layers, which is more than a
/// new table can hold. When a table is full, all threads must unwind at once instead of encountering it again along
/// each of the 3^40 paths.
#[test]
fn a_full_table_stops_all_threads() {
    let shape = shape(&[3; 40]);
    let sums = |modulus: u32| {
        let step = |_: usize, sum: &u32, letter: u8| Some((3 * sum + u32::from(letter)) % modulus);
        Dfa::from_step(&shape, 0, step, |sum| *sum == 0).unwrap()
    };
    let (a, b) = (sums(41), sums(43));
    let unite = |threads: usize| {
        let mut store = Store::unbounded(shape.clone());
        store.set_threads(threads).unwrap();
        let (a, b) = (store.import(&a).unwrap(), store.import(&b).unwrap());
        let union = store.union(&a, &b).unwrap();
        store.freeze(&union)
    };
    let alone = unite(1);
    assert!(alone.num_states() > 30_000, "{} states", alone.num_states());
    assert!(unite(2) == alone && unite(4) == alone);
}

#[test]
fn equal_states_of_two_threads_become_one_state() {
    let shape = shape(&[3; 14]);
    let (a, b) = twins(&shape);
    let intersect = |threads: usize| {
        let mut store = Store::unbounded(shape.clone());
        store.set_threads(threads).unwrap();
        let (a, b) = (store.import(&a).unwrap(), store.import(&b).unwrap());
        store.collect();
        let both = store.intersection(&a, &b).unwrap();
        let held = store.num_states_held();
        // Repeat the operation without cached results; all states already exist.
        store.clear_cache();
        assert!(store.intersection(&a, &b).unwrap() == both, "{threads} threads");
        assert_eq!(store.num_states_held(), held, "{threads} threads created states twice");
        store.freeze(&both)
    };
    let reference = intersect(1);
    assert!(reference.num_states() > 5 * (a.num_states() + b.num_states()), "the intersection is too small");
    for round in 0..12 {
        for threads in [2, 4] {
            assert!(intersect(threads) == reference, "{threads} threads, round {round}");
        }
    }
}

/// All threads fill the tables while these grow. Rows that are created twice in a race must not survive.
#[test]
fn frozen_bytes_do_not_depend_on_the_number_of_threads() {
    let inputs = Inputs::new(12, 12);
    let bytes = |sets: Vec<Dfa>| -> Vec<Vec<u8>> { sets.iter().map(|s| s.to_bytes().unwrap()).collect() };
    let reference = bytes(run_in_tight_tables(&mut Store::unbounded(inputs.shape.clone()), &inputs).unwrap());
    assert!(reference.iter().all(|set| set.len() > 1000), "the sets of the workload are too small");
    for round in 0..8 {
        for threads in [1, 2, 4] {
            if threads == 1 && round > 0 {
                continue;
            }
            let mut store = Store::unbounded(inputs.shape.clone());
            store.set_threads(threads).unwrap();
            let sets = run_in_tight_tables(&mut store, &inputs).unwrap();
            assert!(bytes(sets) == reference, "{threads} threads, round {round}");
        }
    }
}
