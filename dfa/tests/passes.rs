//! Passes over boards of pawns large enough for several batches, partitions and threads, against the store's recursions.
#![allow(clippy::unwrap_used, reason = "a test helper may fail the test")]

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::pass_case::{Case, LAYERS};
use nerode_dfa::{Dfa, Direction, Error, Image, MoveGraph, PassMoves, Passes, Shape, Step, Store};

#[test]
fn passes_and_recursions_agree_for_every_number_of_threads_and_of_bits() {
    for case in [Case::new(5), Case::monotone(5)] {
        let expected = case.run_in_store();
        let mut keys = Vec::new();
        for (threads, bits) in [(1, 1), (2, 100), (1, 700), (2, 4096), (4, usize::MAX)] {
            let mut passes = Passes::new(u64::MAX, threads).unwrap();
            passes.set_max_bits(bits);
            assert!(case.run(&passes).unwrap() == expected, "{threads} threads, {bits} bits");
            assert_eq!(passes.stats().spilled_bytes, 0);
            keys.push(passes.stats().keys);
        }
        assert!(keys.is_sorted_by(|more, less| more >= less) && keys[0] > keys[3], "{keys:?}");
    }
}

#[test]
fn endings_that_nothing_tells_apart_share_a_bit() {
    // 200 words of the first layers, each with its own set of two kinds of endings: of those with and of those without a 2.
    let shape = Shape::uniform(16, 3).unwrap();
    let step = |layer: usize, &(number, two): &(u32, bool), letter: u8| {
        let letter = u32::from(letter);
        Some(if layer < 8 { ((3 * number + letter) % 997, false) } else { (number, two || letter == 2) })
    };
    let ends = |&(number, two): &(u32, bool)| number % if two { 5 } else { 7 } < 3;
    let set = Dfa::from_step(&shape, (0, false), step, ends).unwrap();
    let mut graph = MoveGraph::new(shape.clone());
    (0..6).for_each(|layer| graph.add(Step::identity().change(layer, 1, 2)).unwrap());
    let moves = PassMoves::new(&graph).unwrap();
    let image = Image { set: &set, complement: false, moves: &moves, direction: Direction::Backward };
    let mut store = Store::unbounded(shape);
    let relation = store.relation(&graph).unwrap();
    let imported = store.import(&set).unwrap();
    let expected = store.preimage(&imported, &relation).unwrap();
    let passes = Passes::new(u64::MAX, 2).unwrap();
    assert!(passes.image(image, &[], |x, _| x).unwrap() == store.freeze(&expected));
    // Eight layers have 6561 endings, more than a row may have bits; of two kinds, they fit.
    let stats = passes.stats();
    assert!(stats.tails > stats.keys / 8, "{stats:?}");
}

#[test]
fn a_pass_ends_when_asked_to() {
    let case = Case::new(8);
    let mut passes = Passes::new(u64::MAX, 1).unwrap();
    let flag = Arc::new(AtomicBool::new(true));
    passes.set_interrupt(Arc::clone(&flag));
    assert!(matches!(case.run(&passes), Err(Error::Interrupted)));
    flag.store(false, std::sync::atomic::Ordering::Relaxed);
    assert!(case.run(&passes).unwrap() == case.run_in_store());
}

#[test]
fn shapes_must_agree() {
    let case = Case::new(9);
    let other = Dfa::full(&Shape::uniform(LAYERS, 2).unwrap());
    let passes = Passes::new(u64::MAX, 1).unwrap();
    let image = case.image(false, Direction::Forward);
    assert!(matches!(passes.image(image, &[&other], |x, _| x), Err(Error::ShapeMismatch(_))));
    let image = Image { set: &other, ..image };
    assert!(matches!(passes.image(image, &[], |x, _| x), Err(Error::ShapeMismatch(_))));
}
