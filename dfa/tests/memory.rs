//! Tests of collection, memory limits, the computed cache and interruption, none of which may change a result.
#![cfg(feature = "engine")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::workload::{Inputs, pawn_moves, run};
use common::{all_words, random_dfa, random_table, rng};
use nerode_dfa::{Dfa, Error, MoveGraph, Moves, OpStats, Set, Shape, Step, Store};
use rand::RngExt;

/// Returns the number of states that sets given as tables need together: the distinct residuals of all sets, layer by
/// layer.
fn num_states_together(shape: &Shape, tables: &[&Vec<bool>]) -> usize {
    let mut block = tables.first().map_or(1, |t| t.len());
    let mut total = 0;
    for layer in 0..shape.num_layers() {
        let residuals = tables.iter().flat_map(|t| t.chunks(block)).filter(|r| r.iter().any(|&x| x != r[0]));
        total += residuals.collect::<BTreeSet<_>>().len();
        block /= shape.num_letters(layer);
    }
    total
}

/// Computes the image of a set and its table, and compares the image with that in a new store.
fn compare_image(store: &mut Store, set: &Set, graph: &MoveGraph, moves: &Moves) -> (Set, Vec<bool>) {
    let image = store.image(set, moves).unwrap();
    let mut other = Store::unbounded(store.shape().clone());
    let (moves, set) = (other.relation(graph).unwrap(), other.import(&store.freeze(set)).unwrap());
    let expected = other.image(&set, &moves).unwrap();
    let expected = other.freeze(&expected);
    assert_eq!(store.freeze(&image), expected);
    let table = all_words(store.shape()).iter().map(|word| expected.contains(word)).collect();
    (image, table)
}

#[test]
fn collection_keeps_what_sets_need_and_nothing_else() {
    let (shape, mut rng) = (Shape::new(vec![2, 3, 2, 2, 3, 2, 2]).unwrap(), rng(5));
    let mut store = Store::unbounded(shape.clone());
    let mut graph = MoveGraph::new(shape.clone());
    for (from, to) in [(0, 2), (1, 3), (4, 5), (6, 4), (2, 0)] {
        graph.add(Step::identity().change(from, 1, 0).change_any(to, &[(0, 1), (1, 0)])).unwrap();
    }
    let moves = store.relation(&graph).unwrap();
    let mut live: Vec<(Set, Vec<bool>)> = Vec::new();
    for round in 0..40 {
        for _ in 0..6 {
            let table = random_table(&mut rng, 288, 0.5);
            live.push((store.import(&Dfa::from_table(&shape, &table).unwrap()).unwrap(), table));
        }
        for _ in 0..6 {
            let ((a, x), (b, y)) =
                (&live[rng.random_range(0..live.len())], &live[rng.random_range(0..live.len())]);
            let union = store.union(a, b).unwrap();
            let table = x.iter().zip(y).map(|(x, y)| x | y).collect();
            live.push((union, table));
        }
        while live.len() > 8 {
            live.swap_remove(rng.random_range(0..live.len()));
        }
        let before = store.num_states_held();
        store.collect();
        let tables: Vec<&Vec<bool>> = live.iter().map(|(_, table)| table).collect();
        assert_eq!(store.num_states_held(), num_states_together(&shape, &tables));
        assert!(store.num_states_held() < before);
        assert_eq!(store.stats().collections, round + 1);
        for (set, table) in &live {
            let dfa = Dfa::from_table(&shape, table).unwrap();
            assert_eq!(store.freeze(set), dfa);
            assert_eq!(&store.import(&dfa).unwrap(), set, "the states of a live set were created again");
        }
        // The moves are always the same, so their cached results must remain valid when states are renumbered.
        let images: Vec<_> =
            live.iter().map(|(set, _)| compare_image(&mut store, set, &graph, &moves)).collect();
        live.extend(images);
    }
    let kept = live[0].0.clone();
    let table = live[0].1.clone();
    live.clear();
    store.collect();
    assert_eq!(store.num_states_held(), num_states_together(&shape, &[&table]));
    drop(kept);
    store.collect();
    assert_eq!(store.num_states_held(), 0);
}

/// Sets the flag after some time, unless it is dropped first, so that an operation that does not terminate cannot stall
/// the tests.
struct Watchdog(Arc<AtomicBool>);

impl Watchdog {
    fn start(flag: &Arc<AtomicBool>, patience: Duration) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (watch, flag) = (done.clone(), flag.clone());
        std::thread::spawn(move || {
            let start = std::time::Instant::now();
            while start.elapsed() < patience && !watch.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
            }
            flag.store(!watch.load(Ordering::Relaxed), Ordering::Relaxed);
        });
        Self(done)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Checks that every limit leads to correct sets or to an error that advises raising the limit, and that both cases
/// occur.
fn compare_limits(threads: usize) {
    let inputs = Inputs::new(11, 1);
    let mut unbounded = Store::unbounded(inputs.shape.clone());
    let reference = run(&mut unbounded, &inputs).unwrap();
    let (mut limit, mut collected, mut refused) = (unbounded.bytes(), 0, 0);
    while refused < 8 {
        let mut store = Store::new(inputs.shape.clone(), limit).unwrap();
        store.set_threads(threads).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        store.set_interrupt(stop.clone());
        let watchdog = Watchdog::start(&stop, Duration::from_secs(20));
        // The second run starts with the states that the first one left.
        match run(&mut store, &inputs).and_then(|_| run(&mut store, &inputs)) {
            Ok(sets) => {
                assert!(sets == reference, "wrong sets under a limit of {limit} bytes");
                collected += u32::from(store.stats().collections > 0);
            }
            Err(error @ Error::OutOfMemory { needed_bytes, limit_bytes, .. }) => {
                assert!(needed_bytes > limit_bytes && limit_bytes == limit);
                assert!(error.to_string().contains("raise the memory limit"), "{error}");
                refused += 1;
            }
            Err(error) => panic!("{error} under a limit of {limit} bytes"),
        }
        drop(watchdog);
        assert!(store.bytes() <= limit, "{} bytes under a limit of {limit}", store.bytes());
        limit = limit / 100 * 92;
    }
    assert!(collected > 3, "only {collected} limits led to a collection in a successful run");
}

#[test]
fn limits_on_memory_end_in_right_sets_or_in_an_error_that_names_the_option() {
    compare_limits(1);
}

#[test]
fn limits_on_memory_under_two_threads() {
    compare_limits(2);
}

#[test]
fn a_limit_below_empty_tables_is_refused_at_once() {
    match Store::new(Shape::uniform(3, 2).unwrap(), 1000) {
        Err(error @ Error::OutOfMemory { limit_bytes: 1000, .. }) => {
            assert!(error.to_string().contains("raise the memory limit"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the increments of the counters since `before`: look-ups, hits and created states.
fn gained(before: &OpStats, after: &OpStats) -> (u64, u64, u64) {
    (after.lookups - before.lookups, after.hits - before.hits, after.states_made - before.states_made)
}

#[test]
fn a_second_identical_operation_is_a_hit() {
    let (shape, mut rng) = (Shape::uniform(9, 2).unwrap(), rng(2));
    let mut store = Store::unbounded(shape.clone());
    let mut graph = MoveGraph::new(shape.clone());
    graph.add(Step::identity().change(0, 1, 0)).unwrap();
    graph.add(Step::identity().change(8, 1, 0)).unwrap();
    let moves = store.relation(&graph).unwrap();
    let a = store.import(&random_dfa(&mut rng, &shape, 0.5)).unwrap();
    let b = store.import(&random_dfa(&mut rng, &shape, 0.5)).unwrap();
    type Operation<'a> = &'a dyn Fn(&mut Store) -> Set;
    let operations: [(&str, Operation<'_>, Operation<'_>); 5] = [
        ("union", &|s| s.union(&a, &b).unwrap(), &|s| s.union(&b, &a).unwrap()),
        ("intersection", &|s| s.intersection(&a, &b).unwrap(), &|s| s.intersection(&b, &a).unwrap()),
        ("difference", &|s| s.difference(&a, &b).unwrap(), &|s| s.difference(&a, &b).unwrap()),
        ("image", &|s| s.image(&a, &moves).unwrap(), &|s| s.image(&a, &moves).unwrap()),
        ("preimage", &|s| s.preimage(&a, &moves).unwrap(), &|s| s.preimage(&a, &moves).unwrap()),
    ];
    for (name, operation, again) in operations {
        let start = store.stats().clone();
        let first = operation(&mut store);
        let (lookups, _, made) = gained(&start, store.stats());
        assert!(lookups > 0 && made > 0, "{name} of random sets required no work");
        let middle = store.stats().clone();
        assert_eq!(again(&mut store), first, "{name}");
        assert_eq!(gained(&middle, store.stats()), (1, 1, 0), "{name}: look-ups, hits, states created");

        // Remaining states keep their cached results in renumbered form. Without the cache, everything is computed
        // again.
        store.collect();
        let collected = store.stats().clone();
        assert_eq!(operation(&mut store), first, "{name} after a collection");
        assert_eq!(gained(&collected, store.stats()), (1, 1, 0), "{name} after a collection");
        store.clear_cache();
        let cleared = store.stats().clone();
        assert_eq!(operation(&mut store), first, "{name} with an empty cache");
        let (lookups, hits, made) = gained(&cleared, store.stats());
        assert!(lookups > 1 && hits < lookups, "{name} with an empty cache: {hits} hits of {lookups}");
        // Images unite residuals that do not occur in any result, so some of these states may have been reclaimed.
        assert!(made == 0 || name.ends_with("image"), "{name} created {made} states that already existed");
    }
}

#[test]
fn clearing_the_cache_changes_no_result() {
    let inputs = Inputs::new(8, 4);
    let mut store = Store::unbounded(inputs.shape.clone());
    let first = run(&mut store, &inputs).unwrap();
    for _ in 0..3 {
        store.clear_cache();
        assert!(run(&mut store, &inputs).unwrap() == first);
        store.collect();
        assert!(run(&mut store, &inputs).unwrap() == first);
    }
}

#[test]
fn a_flag_interrupts_and_the_store_stays_usable() {
    let inputs = Inputs::new(11, 6);
    let reference = run(&mut Store::unbounded(inputs.shape.clone()), &inputs).unwrap();
    for threads in [1, 2, 4] {
        let mut store = Store::unbounded(inputs.shape.clone());
        store.set_threads(threads).unwrap();
        let flag = Arc::new(AtomicBool::new(true));
        store.set_interrupt(flag.clone());
        assert!(matches!(run(&mut store, &inputs), Err(Error::Interrupted)), "{threads} threads");
        flag.store(false, Ordering::Relaxed);
        assert!(run(&mut store, &inputs).unwrap() == reference, "after an interruption, {threads} threads");
    }
    // The flag must also be checked if all states already exist and no table has to grow.
    let (shape, mut rng) = (Shape::uniform(10, 3).unwrap(), rng(14));
    let mut store = Store::unbounded(shape.clone());
    let a = store.import(&random_dfa(&mut rng, &shape, 0.5)).unwrap();
    let b = store.import(&random_dfa(&mut rng, &shape, 0.5)).unwrap();
    let union = store.union(&a, &b).unwrap();
    store.clear_cache();
    let flag = Arc::new(AtomicBool::new(true));
    store.set_interrupt(flag.clone());
    assert!(matches!(store.union(&a, &b), Err(Error::Interrupted)));
    flag.store(false, Ordering::Relaxed);
    assert_eq!(store.union(&a, &b).unwrap(), union);
}

/// With a cache that is too small for an operation, the same pairs would be computed again and again.
#[test]
fn the_cache_grows_with_the_results_of_an_operation() {
    let shape = Shape::uniform(24, 3).unwrap();
    let (up, down) = (pawn_moves(&shape, 4, 1, 2, true), pawn_moves(&shape, 4, 2, 1, false));
    let mut store = Store::unbounded(shape.clone());
    let (forth, back) = (store.relation(&up).unwrap(), store.relation(&down).unwrap());
    let mut set = store.letter_count(1, &[20, 21, 22, 23], 1..=4).unwrap();
    for _ in 0..2 {
        let rest = store.complement(&set).unwrap();
        let escapes = store.preimage(&rest, &back).unwrap();
        let caught = store.complement(&escapes).unwrap();
        let before = store.preimage(&caught, &forth).unwrap();
        set = store.union(&set, &before).unwrap();
    }
    let set = store.freeze(&set);
    let lookups = |store: &mut Store| {
        let (set, moves) = (store.import(&set).unwrap(), store.relation(&up).unwrap());
        let before = store.stats().lookups;
        store.preimage(&set, &moves).unwrap();
        store.stats().lookups - before
    };
    let cold = lookups(&mut Store::unbounded(shape.clone()));
    // This cache has grown before, because it grows once per operation with the number of states held.
    let mut store = Store::unbounded(shape.clone());
    let weighted = |_: usize, sum: &u32, letter: u8| Some((sum * 3 + u32::from(letter)) % 20011);
    let many = Dfa::from_step(&shape, 0, weighted, |sum| sum % 3 == 0).unwrap();
    for _ in 0..10 {
        store.import(&many).unwrap();
    }
    store.collect();
    let roomy = lookups(&mut store);
    assert!(2 * cold < 5 * roomy, "{cold} look-ups with a small initial cache, {roomy} with a large one");
}
