//! Tests of passes under a memory cap.
#![cfg(feature = "engine")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "test helpers fail by panicking")]

mod common;

use common::pass_case::{Alike, Case};
use nerode_dfa::{Dfa, Error, Passes};

#[test]
#[ignore = "slow: .ci/slow"]
fn passes_respect_a_cap_by_scratch_files_or_refuse_it() {
    let cap = rows_that_do_not_fit_go_to_disk_and_a_cap_too_small_is_an_error();
    a_scratch_folder_that_is_not_there_is_an_error(cap);
}

#[test]
fn automata_count_as_long_as_they_live_if_passes_have_to_do_with_them() {
    let case = Case::new(6);
    let mut passes = Passes::new(u64::MAX, 1).unwrap();
    let other = Case::new(7).set;
    assert!(other.bytes() > 0 && passes.bytes() == 0, "unrelated automata must not count");
    let results = case.run(&passes).unwrap();
    let held = passes.bytes();
    let made: u64 = results.iter().map(Dfa::bytes).sum();
    assert!(
        held >= made + case.set.bytes(),
        "{held} bytes are counted for automata of {made} and {} bytes",
        case.set.bytes()
    );
    drop(results);
    assert_eq!(passes.bytes(), held - made, "dropped automata must not count");
    passes.charge(&other);
    passes.charge(&other.clone());
    assert_eq!(passes.bytes(), held - made + other.bytes());
    passes.set_memory_limit(passes.bytes());
    assert!(matches!(case.run(&passes), Err(Error::OutOfMemory { .. })));
    drop((case, other));
    assert_eq!(passes.bytes(), 0);
}

#[test]
#[ignore = "slow: .ci/slow"]
fn macrostates_dealt_by_letter_keep_a_cap_with_scratch_files() {
    let case = Case::new(6);
    let expected = case.run_in_store();
    let folder = tempfile::tempdir().unwrap();
    let dealt = |limit| {
        let mut passes = Passes::new(limit, 2).unwrap();
        passes.set_max_bits(1);
        passes.set_deal_bytes(1 << 17);
        passes.set_scratch(folder.path().into());
        passes
    };
    let free = dealt(u64::MAX);
    assert!(case.run(&free).unwrap() == expected);
    assert_eq!(free.stats().spilled_bytes, 0);
    let (mut done, mut spilled) = (0, 0);
    for part in (20..70).step_by(2) {
        let limit = free.stats().peak_bytes / 60 * part;
        let passes = dealt(limit);
        match case.run(&passes) {
            Ok(found) => {
                assert!(found == expected, "wrong sets with {part}/60 of the memory");
                done += 1;
            }
            Err(Error::OutOfMemory { needed_bytes, .. }) => assert!(needed_bytes > limit),
            Err(other) => panic!("{other}"),
        }
        assert!(passes.stats().peak_bytes <= limit);
        spilled += passes.stats().spilled_bytes;
    }
    assert!((1..25).contains(&done) && spilled > 0, "{done} of 25 runs, {spilled} bytes spilled");
}

#[test]
fn reservations_next_to_passes_count_until_they_are_dropped() {
    let case = Case::new(6);
    let free = Passes::new(u64::MAX, 2).unwrap();
    let expected = case.run(&free).unwrap();
    let twice = 2 * free.stats().peak_bytes;
    let passes = Passes::new(twice, 2).unwrap();
    let held = passes.hold(twice);
    assert!(matches!(case.run(&passes), Err(Error::OutOfMemory { .. })));
    drop(held);
    assert!(case.run(&passes).unwrap() == expected);
}

#[test]
fn last_layers_that_do_not_fit_begin_later_or_are_refused() {
    let case = Alike::new();
    let expected = case.run_in_store();
    let free = Passes::new(u64::MAX, 2).unwrap();
    assert!(case.run(&free).unwrap() == expected);
    let mut done = 0;
    for part in 2..132 {
        let passes = Passes::new(free.stats().peak_bytes / 60 * part, 2).unwrap();
        match case.run(&passes) {
            Ok(found) => assert!(found == expected, "wrong set with {part}/60 of the memory"),
            Err(Error::OutOfMemory { .. }) => continue,
            Err(other) => panic!("{other}"),
        }
        done += 1;
    }
    assert!((1..130).contains(&done), "{done} of 130 runs succeeded");
}

fn rows_that_do_not_fit_go_to_disk_and_a_cap_too_small_is_an_error() -> u64 {
    // Tracks a cap that requires the disk.
    let mut tight = 0;
    let case = Case::new(6);
    let expected = case.run_in_store();
    let mut free = Passes::new(u64::MAX, 2).unwrap();
    free.set_max_bits(1);
    assert!(case.run(&free).unwrap() == expected);
    let folder = tempfile::tempdir().unwrap();
    let mut spilled = 0;
    let mut refused = 0;
    // Also try limits above the peak, which varies slightly from run to run because threads share rows in different
    // ways.
    for part in 1..80 {
        let mut passes = Passes::new(free.stats().peak_bytes / 60 * part, 2).unwrap();
        passes.set_max_bits(1);
        passes.set_scratch(folder.path().into());
        match case.run(&passes) {
            Ok(found) => {
                assert!(found == expected, "wrong sets with {part}/60 of the memory");
                let more = passes.stats().spilled_bytes;
                spilled += more;
                tight = if more > 0 { free.stats().peak_bytes / 60 * part } else { tight };
            }
            Err(Error::OutOfMemory { needed_bytes, limit_bytes, .. }) => {
                assert!(needed_bytes > limit_bytes);
                refused += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(spilled > 0 && refused > 0, "{spilled} bytes were spilled, {refused} limits were refused");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "scratch files must not have names");
    tight
}

fn a_scratch_folder_that_is_not_there_is_an_error(cap: u64) {
    let case = Case::new(6);
    // At some limit below the cap, the disk is required again.
    let refused = (1..60).any(|part| {
        let mut passes = Passes::new(cap / 60 * part, 1).unwrap();
        passes.set_max_bits(1);
        passes.set_scratch("no/such/folder".into());
        matches!(case.run(&passes), Err(Error::Io { .. }))
    });
    assert!(refused);
}
