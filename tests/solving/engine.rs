//! Both set-moving backends, one or two chains, and memory caps all lead to the same results.

use std::path::Path;

use crate::common::program::{assert_fields, count, ends, json, list, refused, with_run};
use crate::common::{Plan, assert_same_files, boards, edit_manifest, files, game, oracle, scratch, solved};
use nerode_dfa::Dfa;
use nerode_games::{Side, Value};
use nerode_solver::archive::run_dir::{Kind, Request, RunDir, SetName};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::check::{one_ply, sample};
use nerode_solver::run::next_ply::count_next;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::{Backend, Resources};

const GAMES: [&str; 8] = [
    "breakthrough:2x5",
    "breakthrough:3x4",
    "tictactoe:3x3",
    "tictactoe:3x2,k=2",
    "nim:3x4",
    "nim:2x7",
    "othello:3x3",
    "rbg:breakthrough:board=2x4",
];

fn run(path: &Path, spec: &str, method: Method, chains: Chains, resources: &Resources) -> RunDir {
    let game = game(spec);
    let plies = if method == Method::Meet { Some(3) } else { None };
    let mut request = Request::new(game.as_ref(), method, plies, None);
    request.chains = chains;
    solve(game, request, path, Existing::Refuse, resources, &mut |_| ()).unwrap()
}

#[test]
#[ignore = "slow: .ci/slow"]
fn runs_are_the_same_to_the_byte_by_recursions_and_by_passes() {
    for spec in GAMES {
        for method in [Method::Retrograde, Method::Meet] {
            let by = |backend, threads| {
                let dir = scratch();
                let resources = Resources { backend, threads, ..Resources::default() };
                run(dir.path(), spec, method, Chains::Both, &resources);
                files(dir.path())
            };
            let expected = by(Backend::Recursion, 1);
            // With one thread, the chains run one after the other, and otherwise concurrently.
            for threads in [1, 2, 3] {
                let what = format!("{spec} by {method:?}, {threads} threads");
                assert_same_files(&by(Backend::Passes, threads), &expected, &what);
            }
        }
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn the_next_ply_is_counted_as_it_is_solved() {
    for spec in GAMES {
        for (chains, backend) in [
            (Chains::Both, Backend::Passes),
            (Chains::One, Backend::Passes),
            (Chains::Both, Backend::Recursion),
        ] {
            let dir = scratch();
            let resources = Resources { backend, threads: 2, ..Resources::default() };
            run(dir.path(), spec, Method::Retrograde, chains, &resources);
            let solution = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
            let all = Dfa::full(solution.game.shape()).count().unwrap();
            let last = solution.last_ply();
            for ply in 1..=last + 1 {
                edit_manifest(dir.path(), |manifest| manifest["progress"]["backward"] = (ply - 1).into());
                let cut_short = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
                let next = count_next(&cut_short, &resources).unwrap();
                for (side, next) in Side::BOTH.into_iter().zip(next) {
                    let [win, loss] = [Kind::W, Kind::L]
                        .map(|kind| solution.entry(kind, side, ply.min(last)).unwrap().num_positions());
                    let expected = [win, loss, all - win - loss];
                    assert_eq!(
                        [next.win, next.loss, next.neither],
                        expected,
                        "{spec}, {chains:?}, ply {ply}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_next_ply_on_the_command_line() {
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde", "--plies", "4"]);
    let next = json(dir.path(), &["estimate", "run", "--threads", "1", "--memory", "1GiB"]);
    assert_fields(&next, &["game", "ply", "sides"], "estimate");
    assert_eq!(next["ply"], 5);
    let sides = list(&next["sides"]);
    let all: Vec<u128> = sides
        .iter()
        .map(|side| ["win", "loss", "neither"].map(|part| count(&side[part])).iter().sum())
        .collect();
    assert_eq!(all, [3u128.pow(12); 2]);
    assert!(ends(dir.path(), 0, &["estimate", "run"]).contains("decided within 5 plies"));
    let meet = with_run("breakthrough:2x4", &["--method", "meet", "--plies", "3"]);
    assert!(refused(meet.path(), &["estimate", "run"]).contains("retrograde"));
}

#[test]
#[ignore = "slow: .ci/slow"]
fn one_chain_knows_value_and_depth_of_every_position() {
    for spec in GAMES {
        let dir = scratch();
        run(dir.path(), spec, Method::Retrograde, Chains::One, &Resources::default());
        let solution = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
        let explicit = oracle(solution.game.as_ref());
        for side in Side::BOTH {
            for board in boards(solution.game.as_ref()) {
                let expected = explicit.lookup(&board, side).unwrap();
                assert_eq!(solution.get(&board, side).unwrap(), expected, "{spec}: {board:?} {side}");
            }
        }
        if solution.game.always_ends() {
            assert_eq!(
                one_ply::check_last(&solution, &Resources::default()).unwrap().mismatches,
                0,
                "{spec}"
            );
        }
        let report = one_ply::check(&solution, &Resources::default(), &mut |_| ()).unwrap();
        assert_eq!(
            (report.mismatches, sample::check(&solution, 500, 1).unwrap().mismatches),
            (0, 0),
            "{spec}"
        );
    }
}

/// The report of a run with one chain has the same counts as the report with both chains.
#[test]
fn one_chain_reports_the_counts_of_both() {
    for spec in GAMES {
        let dir = scratch();
        run(dir.path(), spec, Method::Retrograde, Chains::One, &Resources::default());
        let one = nerode_report::run::report(&StoredRun::open_with(dir.path(), nerode::registry()).unwrap())
            .unwrap();
        let both = nerode_report::run::report(&solved(spec, None, Plan::RETROGRADE).1).unwrap();
        for (a, b) in [(&one.sides.p1, &both.sides.p1), (&one.sides.p2, &both.sides.p2)] {
            for (a, b) in [(&a.win, &b.win), (&a.draw, &b.draw), (&a.loss, &b.loss), (&a.unknown, &b.unknown)]
            {
                assert_eq!(a.positions, b.positions, "{spec}");
            }
        }
        assert_eq!((one.winner, one.start.dtw), (both.winner, both.start.dtw), "{spec}");
    }
}

/// A superfluous word in the computed chain is detected, and the mirrored sets are not available as automata.
#[test]
fn one_chain_is_checked_and_its_mirror_image_refused_as_an_automaton() {
    let dir = scratch();
    let run = run(dir.path(), "breakthrough:2x4", Method::Retrograde, Chains::One, &Resources::default());
    let last = run.progress().backward.unwrap();
    let mirrored = SetName { kind: Kind::W, side: Side::P2, ply: last };
    let refused = run.get(mirrored);
    assert!(matches!(refused, Err(nerode_solver::error::Error::MirrorImage { .. })), "{refused:?}");
    drop(run);
    let name = SetName { kind: Kind::L, side: Side::P2, ply: last };
    let set = RunDir::open(dir.path()).unwrap().get(name).unwrap();
    let solution = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    let game = solution.game.as_ref();
    let drawn_or_won = boards(game)
        .find(|board| solution.get(board, Side::P2).unwrap().value() == Some(Value::Win))
        .map(|board| game.word_of(&board))
        .unwrap();
    crate::common::replace_sets(dir.path(), &[(name, crate::common::toggled(&set, &drawn_or_won))]);
    let solution = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    let report = one_ply::check(&solution, &Resources::default(), &mut |_| ()).unwrap();
    assert!(report.mismatches > 0);
}

/// An interrupted run with one chain resumes where it stopped.
#[test]
fn one_chain_resumes_to_the_same_bytes() {
    let (whole, parts) = (scratch(), scratch());
    run(whole.path(), "breakthrough:3x4", Method::Retrograde, Chains::One, &Resources::default());
    let resources = Resources::default();
    let flag = resources.interrupt.clone();
    let mut plies = 0;
    loop {
        let game = game("breakthrough:3x4");
        let mut request = Request::new(game.as_ref(), Method::Retrograde, None, None);
        request.chains = Chains::One;
        let existing = if plies == 0 { Existing::Refuse } else { Existing::Resume };
        let mut watch = |_: &nerode_solver::solve::progress::PlyDone| {
            flag.store(true, std::sync::atomic::Ordering::Relaxed)
        };
        flag.store(false, std::sync::atomic::Ordering::Relaxed);
        match solve(game, request, parts.path(), existing, &resources, &mut watch) {
            Ok(_) => break,
            Err(nerode_solver::error::Error::Interrupted) => plies += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(plies > 5, "{plies} interruptions");
    assert_same_files(&files(whole.path()), &files(parts.path()), "resumed");
}

/// On the command line, queries and checks of one chain give the same answers as with both chains. Commands that need the other
/// chain report an error.
#[test]
fn one_chain_on_the_command_line() {
    let one = with_run("breakthrough:3x4", &["--chains", "one"]);
    let both = with_run("breakthrough:3x4", &["--chains", "both", "--backend", "passes"]);
    for position in ["start", "bbb/3/3/www b", "bb1/1w1/1b1/w1w w", "bb1/1w1/1b1/w1w b"] {
        let ask = ["query", "run", position];
        assert_eq!(json(one.path(), &ask), json(both.path(), &ask), "{position}");
    }
    for check in [&["verify", "run"][..], &["verify", "run", "--sample", "200"]] {
        assert_eq!(json(one.path(), check)["mismatches"], "0", "{check:?}");
    }
    for needs_both in [
        &["verify", "run", "--explicit"][..],
        &["pack", "run"],
        &["compare", "run"],
        &["export", "run", "--format", "table", "--out", "t"],
        &["export", "run", "--format", "dot", "--set", "W-P2-001", "--out", "t"],
    ] {
        let errors = refused(one.path(), needs_both);
        assert!(errors.contains("--chains both"), "{needs_both:?}: {errors}");
    }
    assert!(ends(one.path(), 0, &["stats", "run"]).contains("L-P2"));
    let meet = ["solve", "breakthrough:2x4", "--chains", "one", "--method", "meet", "--run-dir", "r"];
    assert!(refused(one.path(), &meet).contains("--chains"));
}
