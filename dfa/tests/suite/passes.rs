//! Tests of passes over boards of pawns that are large enough for several batches, partitions and threads, compared
//! with the recursions of a store.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::pass_case::{Alike, Case, LAYERS};
use nerode_dfa::{Dfa, Direction, Error, Image, MoveGraph, PassMoves, Passes, Shape, Step};

#[test]
fn passes_and_recursions_agree_for_every_number_of_threads_and_of_bits() {
    for case in [Case::new(5), Case::monotone(5)] {
        let expected = case.run_in_store();
        let mut macrostates = Vec::new();
        for (threads, bits) in [(1, 1), (2, 100), (1, 700), (2, 4096), (4, usize::MAX)] {
            let mut passes = Passes::new(u64::MAX, threads).unwrap();
            passes.set_max_bits(bits);
            assert!(case.run(&passes).unwrap() == expected, "{threads} threads, {bits} bits");
            assert_eq!(passes.stats().spilled_bytes, 0);
            macrostates.push(passes.stats().macrostates);
        }
        assert!(
            macrostates.is_sorted_by(|more, less| more >= less) && macrostates[0] > macrostates[3],
            "{macrostates:?}"
        );
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn macrostates_dealt_by_letter_lead_to_the_same_sets() {
    for case in [Case::new(11), Case::monotone(12)] {
        let expected = case.run_in_store();
        let mut suffix_rows = Vec::new();
        for (threads, bytes) in [(2, u64::MAX), (1, 1 << 16), (4, 1 << 12), (2, 1 << 10)] {
            let mut passes = Passes::new(u64::MAX, threads).unwrap();
            passes.set_deal_bytes(bytes);
            assert!(case.run(&passes).unwrap() == expected, "{threads} threads, {bytes} bytes");
            suffix_rows.push(passes.stats().suffix_rows);
        }
        // Macrostates that several lists have in common are processed in each of them.
        assert!(suffix_rows[0] < suffix_rows[3], "{suffix_rows:?}");
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn images_are_counted_without_their_states() {
    let folder = tempfile::tempdir().unwrap();
    for case in [Case::new(12), Case::monotone(13)] {
        let expected: Vec<u128> = case.run_in_store()[..3].iter().map(|set| set.count().unwrap()).collect();
        for (threads, bits, bytes) in
            [(2, 4096, u64::MAX), (1, 1, u64::MAX), (4, 700, 1 << 12), (2, 1, 1 << 10)]
        {
            let mut passes = Passes::new(u64::MAX, threads).unwrap();
            passes.set_max_bits(bits);
            passes.set_deal_bytes(bytes);
            passes.set_scratch(folder.path().into());
            assert_eq!(
                case.count(&passes).unwrap(),
                expected,
                "{threads} threads, {bits} bits, {bytes} bytes"
            );
            assert_eq!(passes.stats().states, 0);
        }
    }
}

#[test]
fn more_words_than_can_be_numbered_are_not_counted() {
    let shape = Shape::uniform(81, 3).unwrap();
    let mut graph = MoveGraph::new(shape.clone());
    graph.add(Step::identity().change(0, 1, 2)).unwrap();
    let moves = PassMoves::new(&graph).unwrap();
    let set = Dfa::full(&shape);
    let image = Image { set: &set, complement: false, moves: &moves, direction: Direction::Forward };
    let counted = Passes::new(u64::MAX, 1).unwrap().count_image(image, &[], |x, _| x);
    assert!(matches!(counted, Err(Error::CountOverflow)));
}

#[test]
fn equivalent_suffixes_share_a_bit() {
    let case = Alike::new();
    let passes = Passes::new(u64::MAX, 2).unwrap();
    assert!(case.run(&passes).unwrap() == case.run_in_store());
    // Eight layers have 6561 suffixes, which is more than the maximum number of bits in a row, but only two classes of
    // suffixes.
    let stats = passes.stats();
    assert!(stats.suffix_rows > stats.macrostates / 8, "{stats:?}");
}

#[test]
fn a_pass_ends_on_request() {
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
