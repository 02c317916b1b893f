//! Passes over boards of pawns large enough for several batches, partitions and threads, against the store's recursions.
#![allow(clippy::unwrap_used, reason = "a test helper may fail the test")]

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use common::pass_case::{Case, LAYERS};
use nerode_dfa::{Dfa, Direction, Error, Image, Passes, Shape};

#[test]
fn passes_and_recursions_agree_for_every_number_of_threads_and_of_endings() {
    let case = Case::new(5);
    let expected = case.run_in_store();
    for (threads, endings) in [(1, 1), (1, 2187), (2, 100), (4, 2187)] {
        let mut passes = Passes::new(u64::MAX, threads).unwrap();
        passes.set_max_bits(endings);
        assert!(case.run(&passes).unwrap() == expected, "{threads} threads, {endings} endings");
        assert_eq!(passes.stats().spilled_bytes, 0);
    }
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
