//! Loom models of the computed cache, which explore every interleaving of threads that write and read one entry.
//!
//! `loom` backtracks from a write to an alternative in which a later read comes before it. However, it may miss a read
//! that a later write could have preceded if the writer has since read the same word. Each model is therefore run
//! twice: once with the writers starting first and once with the reader starting first.

use std::sync::Arc;

use loom::thread;

use super::{ComputedCache, Key};
use crate::sync::explore::explore;
use crate::unique::UniqueTable;

/// Creates a full cache of four entries, and four keys that all map to the same entry. The entry contains the first key
/// with the result 1.
fn crowded() -> (Arc<ComputedCache>, [Key; 4]) {
    let key = |a: u32| Key { op: 1, layer: 1, a, b: 0 };
    let mut same = (100..).map(key).filter(|key| key.hash() >> 62 == 0);
    let keys = std::array::from_fn(|_| same.next().unwrap());
    let cache = ComputedCache::new(4);
    for a in 0..4 {
        cache.put(key(a), 50);
    }
    cache.put(keys[0], 1);
    (Arc::new(cache), keys)
}

/// Runs both closures in separate threads. Loom starts with `first`.
fn both(first: impl FnOnce(), second: impl FnOnce() + 'static) {
    let second = thread::spawn(second);
    first();
    second.join().unwrap();
}

/// Between the two reads of the second word, the entry changes from the first key to the requested key and then to a
/// third key, whose second word equals that of the first key except for the version.
fn one_writer(reader_begins: bool) {
    let (cache, keys) = crowded();
    let writer = {
        let cache = Arc::clone(&cache);
        move || {
            cache.put(keys[1], 2);
            cache.put(keys[2], 1);
        }
    };
    let reader = {
        let cache = Arc::clone(&cache);
        move || assert!([None, Some(2)].contains(&cache.get(keys[1])), "result of another key")
    };
    if reader_begins {
        both(reader, writer)
    } else {
        both(writer, reader)
    }
    assert_eq!([0, 1, 2].map(|at| cache.get(keys[at])), [None, None, Some(1)]);
}

#[test]
fn a_reader_never_takes_the_result_of_another_key() {
    explore("computed cache, a writer and a reader", None, || one_writer(false));
    explore("computed cache, a reader and a writer", None, || one_writer(true));
}

/// A write that collides with another one is dropped. The entry that remains must be one of the two, written
/// completely.
#[test]
fn two_writers_leave_one_whole_entry() {
    explore("computed cache, two writers and a reader", Some(4), || {
        let (cache, keys) = crowded();
        let put = |at: usize| {
            let cache = Arc::clone(&cache);
            move || cache.put(keys[at], at as u32 + 1)
        };
        let writer = thread::spawn(put(2));
        let reader = {
            let cache = Arc::clone(&cache);
            move || {
                for (at, result) in [(1, 2), (2, 3)] {
                    assert!([None, Some(result)].contains(&cache.get(keys[at])), "result of another key");
                }
            }
        };
        both(put(1), reader);
        writer.join().unwrap();
        let kept = [0, 1, 2, 3].map(|at| cache.get(keys[at]));
        assert!([[None, Some(2), None, None], [None, None, Some(3), None]].contains(&kept), "{kept:?}");
    });
}

/// A result found in the cache must refer to a state whose row is visible.
fn state_and_row() {
    let key = Key { op: 1, layer: 1, a: 5, b: 6 };
    let tables = Arc::new((UniqueTable::new(2), ComputedCache::new(4)));
    let maker = {
        let tables = Arc::clone(&tables);
        move || {
            let (state, _) = tables.0.insert(&[7, 8]).unwrap();
            tables.1.put(key, state);
        }
    };
    let reader = {
        let tables = Arc::clone(&tables);
        move || {
            if let Some(state) = tables.1.get(key) {
                assert_eq!([0, 1].map(|letter| tables.0.target(state, letter)), [7, 8]);
            }
        }
    };
    both(maker, reader);
}

#[test]
fn a_state_found_in_the_cache_has_its_row() {
    explore("computed cache and unique table", None, state_and_row);
}
