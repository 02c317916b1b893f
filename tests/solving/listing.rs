//! Lists of the reached positions of runs by meet in the middle: their values and depths, and the tables made of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{Plan, solved};
use nerode_games::Position;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::TableSolution;
use nerode_solver::archive::table::reached::{Listing, ReachedTable, outcome, put_reached};
use nerode_solver::check::forward::check_reached;
use nerode_solver::check::{Report, tables};
use nerode_solver::error::{Error, RunNeeds};
use nerode_solver::outcome::Outcome;
use nerode_solver::solve::resources::Resources;

fn threads(threads: usize) -> Resources {
    Resources { threads, ..Resources::default() }
}

/// Writes the table of a run to `path`.
fn write(run: &StoredRun, path: &Path, resources: &Resources) {
    let listing = Listing::new(run, path.parent().unwrap(), resources, &mut |_, _| ()).unwrap();
    let mut file = fs::File::create(path).unwrap();
    put_reached(&mut file, path, &listing, resources).unwrap();
}

fn clean(report: &Report, checked: u128, what: &str) {
    let expected = Report { checked, ..Report::default() };
    assert_eq!(report, &expected, "{what}");
}

#[test]
fn tables_of_reached_positions_are_those_of_retrograde_analysis() {
    for (spec, plan) in [
        ("tictactoe:3x3", Plan::meet(Some(0), None)),
        ("tictactoe:3x3", Plan::meet(Some(3), None)),
        ("connect:4x3,row=3", Plan::meet(Some(0), None)),
        ("breakthrough:3x4", Plan::meet(Some(0), None)),
        ("amazons:3x3,start=1b1/3/1w1", Plan::meet(Some(2), None)),
        ("othello:4x3", Plan::meet(Some(0), None)),
    ] {
        let ((dir, meet), (_other, reference)) =
            (solved(spec, None, plan), solved(spec, None, Plan::RETROGRADE));
        let path = dir.path().join("reached.tbl");
        write(&meet, &path, &threads(1));
        let again = dir.path().join("again.tbl");
        write(&meet, &again, &threads(2));
        assert_eq!(fs::read(&path).unwrap(), fs::read(&again).unwrap(), "{spec}");

        let registry = nerode::registry();
        let table = TableSolution::open(&path, registry, registry).unwrap();
        let reached = table.reached().unwrap();
        let (mut total, mut distinct) = (0, BTreeSet::new());
        for ply in 0..reached.num_plies() {
            let list = reached.ply(ply).unwrap();
            assert_eq!(list.set, meet.read(Kind::R, list.side, ply).unwrap(), "{spec} ply {ply}");
            for (word, code) in list.iter() {
                let board = meet.game.board_of(&word);
                let expected = reference.get(&board, list.side).unwrap();
                let text = || meet.game.format_position(&Position { board: board.clone(), side: list.side });
                assert_eq!(outcome(code), expected, "{spec} ply {ply} {}", text());
                assert_eq!(table.get(&board, list.side).unwrap(), Some(expected), "{spec} {}", text());
                total += 1;
                distinct.insert((word.clone(), list.side));
            }
        }
        assert_eq!(u128::from(reached.header().num_positions()), total);
        let resources = threads(1);
        // A position that occurs at several plies is one position of a run, but has an entry for each of them in the table.
        let distinct = distinct.len() as u128;
        clean(&tables::against_table(&meet, &path, registry, &resources).unwrap(), distinct, spec);
        clean(&tables::against_table(&reference, &path, registry, &resources).unwrap(), distinct, spec);
        clean(&check_reached(reached, &resources, &mut |_, _| ()).unwrap(), total, spec);
    }
}

#[test]
fn a_run_by_meet_in_the_middle_agrees_with_the_table_of_all_positions() {
    let (dir, run) = solved("tictactoe:3x3", None, Plan::meet(Some(0), None));
    let path = dir.path().join("all.tbl");
    let explicit = crate::common::oracle(run.game.as_ref());
    nerode_solver::archive::table::write_solution(&path, run.game.as_ref(), &explicit, true).unwrap();
    let report = tables::against_table(&run, &path, nerode::registry(), &threads(1)).unwrap();
    clean(&report, 5478, "tictactoe:3x3");
}

/// A limited run decides what lies within its plies, and a depth that depends on later plies is unknown.
#[test]
fn limited_runs_list_what_they_know() {
    let (dir, run) = solved("connect:4x3,row=3", None, Plan::meet(Some(4), Some(8)));
    let (_other, reference) = solved("connect:4x3,row=3", None, Plan::RETROGRADE);
    let path = dir.path().join("reached.tbl");
    write(&run, &path, &threads(1));
    let table = ReachedTable::open(&path, nerode::registry()).unwrap();
    let (mut exact, mut unknown) = (0, 0);
    for ply in 0..table.num_plies() {
        let list = table.ply(ply).unwrap();
        for (word, code) in list.iter() {
            let found = outcome(code);
            let expected = reference.get(&table.game.board_of(&word), list.side).unwrap();
            match found {
                Outcome::Unknown => unknown += 1,
                _ => assert_eq!(found.value(), expected.value()),
            }
            if found.depth().is_some() {
                exact += 1;
                assert_eq!(found, expected);
            }
        }
    }
    assert!(exact > 100 && unknown > 0, "{exact} {unknown}");
    let report = check_reached(&table, &threads(1), &mut |_, _| ()).unwrap();
    assert_eq!((report.mismatches, report.first_mismatch), (0, None));
}

#[test]
fn wrong_codes_are_found() {
    let (dir, run) = solved("tictactoe:3x3", None, Plan::meet(Some(0), None));
    let path = dir.path().join("reached.tbl");
    write(&run, &path, &threads(1));
    let bytes = fs::read(&path).unwrap();
    let registry = nerode::registry();
    let header = ReachedTable::open(&path, registry).unwrap().header().clone();
    // The last ply has one code after the other directly before the digest.
    let last = header.plies.last().unwrap().num_positions as usize;
    let at = bytes.len() - 32 - 2 * last;
    for place in [at, at + 2 * (last / 2), at + 2 * (last - 1)] {
        for code in [0u16, 1, 2, 4, 65533, 65534, 65535] {
            let mut changed = bytes.clone();
            let old = u16::from_le_bytes([changed[place], changed[place + 1]]);
            changed[place..place + 2].copy_from_slice(&code.to_le_bytes());
            let body = changed.len() - 32;
            let digest = blake3::hash(&changed[..body]);
            changed[body..].copy_from_slice(digest.as_bytes());
            fs::write(&path, &changed).unwrap();
            let table = ReachedTable::open(&path, registry).unwrap();
            let report = check_reached(&table, &threads(1), &mut |_, _| ()).unwrap();
            assert_eq!(report.mismatches == 0, code == old, "{old} -> {code}: {report:?}");
            let against = tables::against_table(&run, &path, registry, &threads(1)).unwrap();
            let is_claim = outcome(code).value().is_some_and(|value| outcome(old).value() != Some(value));
            assert_eq!(against.mismatches > 0, is_claim, "{old} -> {code}: {against:?}");
        }
    }
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let (dir, run) = solved("connect:3x3,row=3", None, Plan::meet(Some(0), None));
    let path = dir.path().join("reached.tbl");
    write(&run, &path, &threads(1));
    let bytes = fs::read(&path).unwrap();
    let registry = nerode::registry();
    for at in (0..bytes.len()).step_by(7).chain(0..300) {
        for flip in [1, 0x80] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            fs::write(&path, &changed).unwrap();
            assert!(TableSolution::open(&path, registry, registry).is_err(), "byte {at}");
        }
    }
    for len in (0..bytes.len()).step_by(13) {
        fs::write(&path, &bytes[..len]).unwrap();
        assert!(TableSolution::open(&path, registry, registry).is_err(), "{len} bytes");
    }
    fs::write(&path, [&bytes[..], b"x"].concat()).unwrap();
    assert!(matches!(ReachedTable::open(&path, registry), Err(Error::Corrupt { .. })));
}

#[test]
fn a_list_needs_a_run_from_the_start_and_memory_for_two_plies() {
    let (dir, run) = solved("tictactoe:3x3", None, Plan::RETROGRADE);
    let list = |run: &StoredRun, resources: &Resources| {
        Listing::new(run, dir.path(), resources, &mut |_, _| ()).map(drop)
    };
    let error = list(&run, &threads(1)).unwrap_err();
    assert!(matches!(error, Error::WrongRun { needs: RunNeeds::Meet, .. }), "{error}");
    let (_dir, meet) = solved("tictactoe:3x3", None, Plan::meet(Some(0), None));
    let small = Resources { memory: 1 << 10, ..threads(1) };
    assert!(matches!(list(&meet, &small), Err(Error::TooLarge { .. })));
}
