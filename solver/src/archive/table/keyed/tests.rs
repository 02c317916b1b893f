//! Tests of writing and reading tables by key.

use std::fs;
use std::path::Path;

use nerode_games::registry::{BUILT_IN, open};
use nerode_oracle::{ReachedControl, ReachedSolution, Step, solve_reached};

use super::*;
use crate::archive::table::TableSolution;
use crate::error::Error;
use crate::outcome::code16;
use crate::solve::disk::{Disk, MARGIN};
use crate::solve::reached::in_play;
use crate::solve::resources::Resources;
use nerode_games::Position;

fn solved(spec: &str) -> ReachedSolution {
    let game = open(spec).unwrap();
    let interrupt = std::sync::atomic::AtomicBool::new(false);
    let progress = &mut |_| ();
    let control =
        ReachedControl { memory_limit: 1 << 30, most_positions: None, interrupt: &interrupt, progress };
    solve_reached(game.as_ref(), spec, &mut std::iter::empty(), control).unwrap()
}

fn write(path: &Path, spec: &str) -> u64 {
    let game = open(spec).unwrap();
    let resources = Resources::default();
    write_keyed(path, game.as_ref(), solved(spec).into_rows(), false, &resources, &mut |_, _| ()).unwrap()
}

#[test]
fn a_table_gives_the_values_with_which_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    for spec in ["tictactoe:3x3", "nim:3x7", "breakthrough:3x4"] {
        let path = dir.path().join(spec.replace(':', "_"));
        let bytes = write(&path, spec);
        assert_eq!(fs::metadata(&path).unwrap().len(), bytes);
        let (table, expected) = (KeyedTable::open(&path, &BUILT_IN).unwrap(), solved(spec));
        table.verify_digest().unwrap();
        assert_eq!(table.header().num_positions, expected.num_positions());
        let mut index = 0;
        let visit = &mut |(position, code): KeyedRow| {
            let Position { board, side } = &position;
            assert_eq!(table.get(board, *side)?, expected.get(board, *side), "{spec}: {position:?}");
            assert_eq!(Some(code16::outcome(code)), expected.get(board, *side), "{spec}: {position:?}");
            assert_eq!(table.row(index)?, (position, code));
            index += 1;
            Ok(())
        };
        table.each(visit).unwrap();
        assert_eq!(index, expected.num_positions());
        assert!(matches!(table.row(index), Err(Error::PastTheEnd { .. })));
    }
    // A board with eight marks of the side that moves first is not reached, and one with other cells is no board.
    let table = KeyedTable::open(&dir.path().join("tictactoe_3x3"), &BUILT_IN).unwrap();
    assert_eq!(table.get(&[1, 1, 1, 1, 1, 1, 1, 1, 0], Side::P1).unwrap(), None);
    assert_eq!(table.get(&[3, 0, 0, 0, 0, 0, 0, 0, 0], Side::P1).unwrap(), None);
}

#[test]
fn every_damaged_byte_and_every_truncation_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("good.tbl");
    write(&path, "tictactoe:2x2,k=2");
    let good = fs::read(&path).unwrap();
    assert!(TableSolution::open(&path, &BUILT_IN, &BUILT_IN).is_ok());
    let bad = dir.path().join("bad.tbl");
    for at in 0..good.len() {
        let mut changed = good.clone();
        changed[at] ^= 1;
        fs::write(&bad, changed).unwrap();
        assert!(TableSolution::open(&bad, &BUILT_IN, &BUILT_IN).is_err(), "byte {at}");
    }
    for len in 0..good.len() {
        fs::write(&bad, &good[..len]).unwrap();
        assert!(TableSolution::open(&bad, &BUILT_IN, &BUILT_IN).is_err(), "{len} bytes");
    }
    fs::write(&bad, [&good[..], &[0]].concat()).unwrap();
    assert!(TableSolution::open(&bad, &BUILT_IN, &BUILT_IN).is_err());
}

#[test]
fn an_interrupted_or_refused_write_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tbl");
    let resources = Resources::default();
    resources.interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let game = open("tictactoe:3x3").unwrap();
    let write = |resources: &Resources| {
        write_keyed(
            &path,
            game.as_ref(),
            solved("tictactoe:3x3").into_rows(),
            false,
            resources,
            &mut |_, _| (),
        )
    };
    assert!(matches!(write(&resources), Err(Error::Interrupted)));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    write(&Resources::default()).unwrap();
    assert!(matches!(write(&Resources::default()), Err(Error::Io { .. })), "it exists");
}

/// Solves a game within a number of bytes of memory. Returns the bytes of its table, and whether the solve continued on disk.
fn table_within(spec: &str, memory: u64, disk: Disk) -> crate::error::Result<(Vec<u8>, bool)> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.tbl");
    let resources = Resources { memory, disk, ..Resources::default() };
    let game = open(spec).unwrap();
    let mut is_on_disk = false;
    let watch = &mut |step| is_on_disk |= step == Step::OnDisk;
    let rows = in_play(game.as_ref(), Vec::new(), &path, &resources, watch)?;
    write_keyed(&path, game.as_ref(), rows, false, &resources, &mut |_, _| ())?;
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "scratch files have no names");
    Ok((fs::read(&path).unwrap(), is_on_disk))
}

#[test]
fn a_table_that_was_solved_on_disk_has_the_same_bytes() {
    // The moves of a chess ending, in which play begins anywhere, do not all lead to the next level.
    for (spec, memory) in [("connect:4x4", 1 << 20), ("chess:KQvK,board=5x5", 1 << 18)] {
        let (expected, is_on_disk) = table_within(spec, 1 << 30, Disk::default()).unwrap();
        assert!(!is_on_disk, "{spec}");
        let (found, is_on_disk) = table_within(spec, memory, Disk::default()).unwrap();
        assert!(is_on_disk && found == expected, "{spec}");
    }
}

#[test]
fn a_full_disk_ends_a_solve_on_disk_with_the_missing_bytes() {
    let disk = Disk::with_free_space(|_| Some(MARGIN + 1000));
    let error = table_within("connect:4x4", 1 << 20, disk).unwrap_err();
    assert!(matches!(error, Error::DiskFull { free_bytes, .. } if free_bytes == MARGIN + 1000), "{error}");
}
