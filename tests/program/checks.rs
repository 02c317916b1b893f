//! Checks of solutions other than finished runs of sets: tables, runs stopped at any ply, and comparisons that choose
//! their letter order.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::program::{ends, json, list, refused, run_program, with_run};
use crate::common::{Plan, edit_manifest, files, game, oracle, scratch, solve_in, stopped_after};
use nerode_games::{Position, Side};
use nerode_solver::archive::run_dir::RunDir;
use nerode_solver::archive::table::{TableFile, write_solution};
use nerode_solver::check::Report;
use nerode_solver::check::forward::{check, open_table};
use nerode_solver::solve::method::Chains;
use nerode_solver::solve::resources::Resources;

/// Creates a table of `spec` with the explicit solver.
fn table(at: &Path, spec: &str) -> PathBuf {
    let (path, game) = (at.join("values.tbl"), game(spec));
    write_solution(&path, game.as_ref(), &oracle(game.as_ref()), true).unwrap();
    path
}

/// Writes `code` at an index and recomputes the digest of the table, as if a faulty solver had written it.
fn put(path: &Path, side: Side, index: u64, code: u16) -> u16 {
    let mut bytes = fs::read(path).unwrap();
    let header = usize::try_from(u32::from_le_bytes(bytes[12..16].try_into().unwrap())).unwrap();
    let n = TableFile::open(path).unwrap().header().num_positions;
    let place = index + if side == Side::P1 { 0 } else { n };
    let at = 16 + header + 2 * usize::try_from(place).unwrap();
    let before = u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
    bytes[at..at + 2].copy_from_slice(&code.to_le_bytes());
    let digest = blake3::hash(&bytes[..bytes.len() - 32]);
    let end = bytes.len() - 32;
    bytes[end..].copy_from_slice(digest.as_bytes());
    fs::write(path, bytes).unwrap();
    before
}

fn checked(path: &Path) -> Report {
    let (mut table, game) = open_table(path, nerode::registry()).unwrap();
    check(&mut table, game.as_ref(), &Resources::default(), &mut |_, _| ()).unwrap()
}

#[test]
fn a_right_table_is_right_by_forward_play_and_by_sets() {
    for spec in [
        "nim:2x3",
        "tictactoe:3x3",
        "breakthrough:2x4",
        "connect:3x3,row=3",
        "othello:3x3",
        "chess:KRvK,board=4x4",
    ] {
        let dir = scratch();
        let path = table(dir.path(), spec);
        let n = 2 * TableFile::open(&path).unwrap().header().num_positions;
        assert_eq!(checked(&path), Report { checked: n.into(), ..Report::default() }, "{spec}");
        for more in [&[][..], &["--sets"]] {
            let found = json(dir.path(), &[&["verify", "values.tbl"], more].concat());
            assert_eq!(found["game"], spec);
            assert_eq!(
                (&found["checked"], &found["mismatches"]),
                (&n.to_string().into(), &"0".into()),
                "{spec}"
            );
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{spec}: a check left files behind");
    }
}

/// Every position of both sides is tested with every kind of wrong code.
#[test]
fn every_wrong_code_shows_by_forward_play() {
    for spec in ["tictactoe:2x2,k=2", "nim:2x3"] {
        let dir = scratch();
        let path = table(dir.path(), spec);
        let n = TableFile::open(&path).unwrap().header().num_positions;
        for side in Side::BOTH {
            for index in 0..n {
                let right = put(&path, side, index, 0);
                for wrong in [0, 1, 2, 3, 4, right.wrapping_add(2), right.wrapping_sub(2), 65535, 65534] {
                    put(&path, side, index, wrong);
                    let found = checked(&path);
                    assert_eq!(
                        found.mismatches > 0,
                        wrong != right,
                        "{spec} {side} {index}: {wrong} instead of {right}"
                    );
                }
                put(&path, side, index, right);
            }
        }
        assert_eq!(checked(&path).mismatches, 0);
    }
}

#[test]
fn a_wrong_code_is_named_and_counted_in_words() {
    let dir = scratch();
    let at = dir.path();
    let path = table(at, "breakthrough:2x4");
    let game = game("breakthrough:2x4");
    // No move leads to the start, so that only its own value is wrong.
    let start = TableFile::open(&path).unwrap().header().start_index;
    put(&path, Side::P1, start, 2);
    let (board, side) = game.start();
    let name = game.format_position(&Position { board, side });
    for more in [&[][..], &["--sets"]] {
        let text = ends(at, 1, &[&["verify", "values.tbl"], more].concat());
        assert!(text.contains(", 1 mismatch,") && text.contains(&name), "{text}");
        assert!(text.contains("the table says win in 0"), "{text}");
    }
    // Only the bytes are wrong.
    let mut bytes = fs::read(&path).unwrap();
    let at_code = bytes.len() - 100;
    bytes[at_code] ^= 1;
    fs::write(&path, bytes).unwrap();
    for more in [&[][..], &["--sets"]] {
        assert!(refused(at, &[&["verify", "values.tbl"], more].concat()).contains("damaged"));
    }
}

#[test]
fn a_table_is_compared_with_the_run_that_is_named() {
    let dir = scratch();
    let at = dir.path();
    table(at, "breakthrough:2x4");
    ends(at, 0, &["verify", "values.tbl", "--sets", "--sets-dir", "made"]);
    let made = files(&at.join("made"));
    ends(at, 0, &["verify", "values.tbl", "--sets", "--sets-dir", "made"]);
    crate::common::assert_same_files(&files(&at.join("made")), &made, "a run that is there is used as it is");
    ends(at, 0, &["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "other"]);
    assert!(refused(at, &["verify", "values.tbl", "--sets", "--sets-dir", "other"]).contains("rules"));
    ends(at, 0, &["solve", "breakthrough:2x4", "--method", "meet", "--run-dir", "meet"]);
    assert!(refused(at, &["verify", "values.tbl", "--sets", "--sets-dir", "meet"]).contains("retrograde"));
    let short = ["solve", "breakthrough:2x4", "--method", "retrograde", "--plies", "2", "--run-dir", "short"];
    ends(at, 0, &short);
    assert!(refused(at, &["verify", "values.tbl", "--sets", "--sets-dir", "short"]).contains("fixpoint"));
}

#[test]
fn a_table_takes_no_option_of_a_run() {
    let dir = scratch();
    let at = dir.path();
    table(at, "breakthrough:2x4");
    for more in [
        &["--explicit"][..],
        &["--last"],
        &["--so-far"],
        &["--sample", "3"],
        &["--table", "values.tbl"],
        &["--sector", "3-3-0-0"],
    ] {
        assert!(
            refused(at, &[&["verify", "values.tbl"], more].concat()).contains("forward play"),
            "{more:?}"
        );
    }
    fs::write(
        at.join("text"),
        "hello, this is no table at all, not by far, and long enough to look like one",
    )
    .unwrap();
    assert!(refused(at, &["verify", "text"]).contains("expected a table"));
    assert!(refused(at, &["verify", "values.tbl", "--memory", "1KiB"]).contains("--memory"));
}

/// A retrograde run that was interrupted after any ply, with both chains or with one, is correct up to this ply.
#[test]
fn a_run_stopped_at_any_ply_is_verified_so_far() {
    for (spec, chains) in [
        ("breakthrough:2x4", Chains::Both),
        ("tictactoe:2x2,k=2", Chains::Both),
        ("nim:2x3", Chains::Both),
        ("breakthrough:2x4", Chains::One),
    ] {
        let mut stopped = 0;
        for last in 0..100 {
            let dir = scratch();
            if !stopped_after(dir.path(), spec, chains, last) {
                break;
            }
            stopped += 1;
            for more in [&[][..], &["--sample", "20"]] {
                let text = ends(dir.path(), 0, &[&["verify", ".", "--so-far"], more].concat());
                assert!(text.contains(", 0 mismatches,"), "{spec}, stopped after ply {last}: {text}");
            }
            assert!(!RunDir::open(dir.path()).unwrap().progress().finished);
        }
        assert!(stopped > 1, "{spec}");
    }
}

#[test]
fn a_run_from_the_start_says_why_it_cannot_be_verified_so_far() {
    let dir = scratch();
    solve_in(dir.path(), &game("tictactoe:3x3"), Plan::meet(Some(1), None)).unwrap();
    ends(dir.path(), 0, &["verify", ".", "--so-far"]);
    edit_manifest(dir.path(), |manifest| manifest["progress"]["finished"] = false.into());
    let errors = refused(dir.path(), &["verify", ".", "--so-far"]);
    assert!(errors.contains("when it is finished") && errors.contains("hint: "), "{errors}");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn compare_picks_what_works_in_the_letter_order_of_the_game() {
    for spec in ["connect:4x3", "morris:three"] {
        let dir = scratch();
        let forms = &json(dir.path(), &["compare", spec])["forms"];
        let built = list(forms).iter().filter(|form| form["lookup_ns"].is_number());
        assert_eq!(built.count(), list(forms).len(), "{spec}: {forms}");
    }
}

#[test]
fn compare_says_before_solving_why_it_cannot() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "breakthrough:2x4", "--chains", "one", "--run-dir", "one"]);
    assert!(refused(at, &["compare", "one"]).contains("both chains"));
    for (name, part) in [
        ("morris:nine", "sectors"),
        ("chess:start", "backward"),
        ("foo", "unknown game"),
        (".", "no nerode data"),
    ] {
        assert!(refused(at, &["compare", name]).contains(part), "{name}");
    }
    assert!(!at.join("runs").exists());
}

/// A run whose layers do not follow the cells can still be exported and compared with tables.
#[test]
fn any_letter_order_is_listed_by_index() {
    let spec = "connect:3x3,row=3";
    let dir = with_run(spec, &["--method", "retrograde"]);
    let at = dir.path();
    let path = table(at, spec);
    ends(at, 0, &["verify", "run", "--table", "values.tbl"]);
    ends(at, 0, &["export", "run", "--format", "table", "--out", "run.tbl"]);
    assert!(fs::read(at.join("run.tbl")).unwrap() == fs::read(&path).unwrap());
    put(&path, Side::P2, 77, 65535);
    assert_eq!(run_program(at, &["verify", "run", "--table", "values.tbl"]).status.code(), Some(1));
}
