//! Interrupted solves: after an interruption at any ply, a resumed run has the same bytes as an uninterrupted one, for both
//! methods and every number of threads. A run is never continued or replaced by mistake.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::{Files, Plan, assert_same_files, files, game, scratch, solve_in};
use nerode_games::registry;
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::error::Error;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::method::Method;
use nerode_solver::solve::progress::PlyDone;
use nerode_solver::solve::resources::{Backend, Resources};

/// Complete and cut short retrograde runs, and meet-in-the-middle runs with few, many and no backward plies.
const PLANS: [(&str, Plan); 6] = [
    ("retrograde", Plan::RETROGRADE),
    ("retrograde, 4 plies", Plan { backward: Some(4), ..Plan::RETROGRADE }),
    ("meet", Plan { method: Method::Meet, backward: Some(0), forward: None }),
    ("meet, 3 back", Plan { method: Method::Meet, backward: Some(3), forward: None }),
    ("meet, cut short", Plan { method: Method::Meet, backward: Some(2), forward: Some(4) }),
    ("meet, to the fixpoint", Plan { method: Method::Meet, backward: None, forward: Some(3) }),
];

fn run(
    spec: &str,
    plan: Plan,
    path: &Path,
    existing: Existing,
    resources: &Resources,
    watch: &mut (dyn FnMut(&PlyDone) + Send),
) -> Result<RunDir, Error> {
    let game = game(spec);
    let request = Request::new(game.as_ref(), plan.method, plan.backward, plan.forward);
    solve(game, request, path, existing, resources, watch)
}

/// Returns the files of an uninterrupted run, and its plies in the order of their reports.
fn straight(spec: &str, plan: Plan, threads: usize) -> (Files, Vec<(&'static str, u32)>) {
    let dir = scratch();
    let mut plies = Vec::new();
    let resources = Resources { threads, ..Resources::default() };
    let mut watch = |done: &PlyDone| plies.push((done.phase, done.ply));
    run(spec, plan, dir.path(), Existing::Refuse, &resources, &mut watch).unwrap();
    (files(dir.path()), plies)
}

#[test]
fn interrupted_after_any_ply_and_resumed_gives_the_same_bytes() {
    for spec in ["breakthrough:2x4", "tictactoe:2x2,k=2"] {
        for (name, plan) in PLANS {
            let (expected, plies) = straight(spec, plan, 1);
            for stop in 0..plies.len() {
                let what = format!("{spec} by {name}, stopped after {:?}", plies[stop]);
                let dir = scratch();
                let resources = Resources::default();
                let flag = Arc::clone(&resources.interrupt);
                let mut seen = 0;
                let mut watch = |_: &PlyDone| {
                    flag.store(seen == stop, Ordering::Relaxed);
                    seen += 1;
                };
                let stopped = run(spec, plan, dir.path(), Existing::Refuse, &resources, &mut watch);
                assert!(matches!(stopped, Err(Error::Interrupted)), "{what}: {stopped:?}");
                assert_eq!(seen, stop + 1, "{what}: the run continued after the interruption");
                let mut rest = Vec::new();
                let mut watch = |done: &PlyDone| rest.push((done.phase, done.ply));
                run(spec, plan, dir.path(), Existing::Resume, &Resources::default(), &mut watch).unwrap();
                assert_eq!(rest, plies[stop + 1..], "{what}: plies of the resumed run");
                assert_same_files(&files(dir.path()), &expected, &what);
            }
        }
    }
}

/// Interrupts and resumes a run until it is complete, for every plan. Calls `check` with the name of the plan, the number of
/// interruptions, and the number of plies.
fn interrupted_again_and_again(
    spec: &str,
    backend: Backend,
    threads: usize,
    check: impl Fn(&str, usize, usize),
) {
    for (name, plan) in PLANS {
        let (expected, plies) = straight(spec, plan, 1);
        let dir = scratch();
        let mut stops = 0;
        loop {
            let resources = Resources { backend, threads, ..Resources::default() };
            let flag = Arc::clone(&resources.interrupt);
            let mut watch = |_: &PlyDone| flag.store(true, Ordering::Relaxed);
            match run(spec, plan, dir.path(), Existing::Resume, &resources, &mut watch) {
                Ok(_) => break,
                Err(Error::Interrupted) => stops += 1,
                Err(other) => panic!("{name}: {other}"),
            }
            assert!(stops <= plies.len(), "{name}: no progress");
        }
        check(name, stops, plies.len());
        assert_same_files(&files(dir.path()), &expected, name);
    }
}

#[test]
fn interrupted_after_every_ply_gives_the_same_bytes() {
    let Resources { backend, threads, .. } = Resources::default();
    interrupted_again_and_again("tictactoe:3x3", backend, threads, |name, stops, plies| {
        assert_eq!(stops, plies, "{name}");
    });
}

/// The same for runs that write a ply while they compute the next one. Either nothing or all of the next ply is stored.
#[test]
fn interrupted_while_plies_are_written_gives_the_same_bytes() {
    interrupted_again_and_again("breakthrough:3x4", Backend::Passes, 2, |name, stops, _| {
        assert!(stops > 0, "{name}: not stopped");
    });
}

#[test]
fn every_number_of_threads_gives_the_same_bytes() {
    for spec in ["breakthrough:2x6", "tictactoe:3x3", "breakthrough:3x4", "nim:4x5"] {
        for (name, plan) in PLANS {
            let (one, _) = straight(spec, plan, 1);
            for threads in [2, 4] {
                assert_same_files(
                    &straight(spec, plan, threads).0,
                    &one,
                    &format!("{spec} by {name}, {threads}"),
                );
            }
        }
    }
}

#[test]
fn a_run_is_the_same_every_time_and_a_finished_one_is_left_alone() {
    let (first, _) = straight("breakthrough:2x5", Plan::RETROGRADE, 2);
    let dir = scratch();
    run(
        "breakthrough:2x5",
        Plan::RETROGRADE,
        dir.path(),
        Existing::Refuse,
        &Resources::default(),
        &mut |_| (),
    )
    .unwrap();
    assert_same_files(&files(dir.path()), &first, "solved again");
    let mut plies = 0;
    run(
        "breakthrough:2x5",
        Plan::RETROGRADE,
        dir.path(),
        Existing::Resume,
        &Resources::default(),
        &mut |_| {
            plies += 1;
        },
    )
    .unwrap();
    assert_eq!(plies, 0, "a finished run must not compute any ply");
    assert_same_files(&files(dir.path()), &first, "resumed when finished");
}

#[test]
fn a_run_is_not_overwritten_unasked() {
    let dir = scratch();
    let nim = game("nim:2x3");
    solve_in(dir.path(), &nim, Plan::RETROGRADE).unwrap();
    let before = files(dir.path());
    match solve_in(dir.path(), &nim, Plan::RETROGRADE) {
        Err(Error::Occupied { path, contents }) => {
            assert_eq!((path.as_path(), &*contents), (dir.path(), "a run"))
        }
        other => panic!("{other:?}"),
    }
    assert_same_files(&files(dir.path()), &before, "refused");
}

#[test]
fn a_run_is_not_resumed_with_other_parameters() {
    let dir = scratch();
    solve_in(dir.path(), &game("tictactoe:2x2,k=2"), Plan::RETROGRADE).unwrap();
    let before = files(dir.path());
    let others = [
        ("nim:2x3", None, Plan::RETROGRADE),
        ("tictactoe:2x2,k=1", None, Plan::RETROGRADE),
        ("tictactoe:2x2,k=2", Some("columns"), Plan::RETROGRADE),
        ("tictactoe:2x2,k=2", None, Plan::retrograde(2)),
        ("tictactoe:2x2,k=2", None, Plan::meet(None, None)),
    ];
    for (spec, order, plan) in others {
        let game = registry::open_with_order(spec, order).unwrap();
        let request = Request::new(game.as_ref(), plan.method, plan.backward, plan.forward);
        let refused = RunDir::resume(dir.path(), &request);
        let Err(Error::OtherRequest { found, request: other, .. }) = refused else {
            panic!("{spec} {order:?}: {refused:?}")
        };
        assert!(found.contains("tictactoe:2x2,k=2") && other.contains(&game.spec()), "{found}, {other}");
        assert_same_files(&files(dir.path()), &before, "refused");
    }
}

#[test]
fn overwriting_leaves_nothing_of_the_old_run() {
    let dir = scratch();
    solve_in(dir.path(), &game("breakthrough:2x4"), Plan::RETROGRADE).unwrap();
    run(
        "nim:2x3",
        Plan::meet(Some(1), None),
        dir.path(),
        Existing::Overwrite,
        &Resources::default(),
        &mut |_| (),
    )
    .unwrap();
    let (expected, _) = straight("nim:2x3", Plan::meet(Some(1), None), 1);
    assert_same_files(&files(dir.path()), &expected, "overwritten");
}
