//! Runs that keep only the sets of their last plies: they have the same values, exact depths or bounds on them, and need less
//! disk space. They can be interrupted and resumed, and operations that need early plies report an error.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::common::{assert_same_files, boards, files, game, scratch};
use nerode::PlyDone;
use nerode_games::Side;
use nerode_games::registry::BUILT_IN;
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::check::{one_ply, sample, tables};
use nerode_solver::error::{Error, RunNeeds};
use nerode_solver::outcome::{Depth, Outcome};
use nerode_solver::run::{Existing, HowFar, resume, solve};
use nerode_solver::solve::method::{Chains, Keep, Method};
use nerode_solver::solve::resources::Resources;

const CASES: [(&str, Chains); 5] = [
    ("breakthrough:3x4", Chains::Both),
    ("breakthrough:3x4", Chains::One),
    ("tictactoe:3x3,k=3", Chains::Both),
    ("connect:3x3,row=3", Chains::Both),
    ("nim:2x5", Chains::Both),
];

fn run(
    (spec, chains): (&str, Chains),
    keep: Keep,
    path: &Path,
    existing: Existing,
    resources: &Resources,
    watch: &mut (dyn FnMut(&PlyDone) + Send),
) -> Result<RunDir, Error> {
    let game = game(spec);
    let mut request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    (request.chains, request.keep) = (chains, keep);
    solve(game, request, path, existing, resources, watch)
}

fn whole(case: (&str, Chains), keep: Keep) -> (tempfile::TempDir, StoredRun) {
    let dir = scratch();
    run(case, keep, dir.path(), Existing::Refuse, &Resources::default(), &mut |_| ()).unwrap();
    let solution = StoredRun::open(dir.path()).unwrap();
    (dir, solution)
}

/// Returns `true` if the answer `said` of a run without early plies is consistent with `truth`.
fn fits(said: Outcome, truth: Outcome) -> bool {
    let depth = |outcome| match outcome {
        Outcome::Win(depth) | Outcome::Loss(depth) => Some(depth),
        _ => None,
    };
    match (depth(said), depth(truth)) {
        (Some(Depth::AtMost(most)), Some(Depth::Exact(plies))) => {
            said.value() == truth.value() && plies <= most
        }
        _ => said == truth,
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn values_are_the_same_and_depths_exact_or_bounded() {
    for case in CASES {
        let ((all_dir, all), (last_dir, last)) = (whole(case, Keep::All), whole(case, Keep::Last));
        let (mut bounds, mut exact) = (0, 0);
        for side in Side::BOTH {
            for board in boards(all.game.as_ref()) {
                let (said, truth) = (last.get(&board, side).unwrap(), all.get(&board, side).unwrap());
                assert!(fits(said, truth), "{case:?}, {board:?}, {side}: {said}, {truth}");
                let is_exact = said == truth;
                (bounds, exact) = (bounds + u32::from(!is_exact), exact + u32::from(is_exact));
            }
            assert_eq!(last.num_unknown(side).unwrap(), 0);
        }
        assert!(bounds > 0 && exact > 0, "{case:?}: {bounds} bounds, {exact} exact");
        // The counts of all plies are stored, and the files of the retained plies.
        let (kept, whole) = (files(last_dir.path()), files(all_dir.path()));
        assert!(kept.len() < whole.len(), "{} of {} files", kept.len(), whole.len());
        for (name, bytes) in kept.iter().filter(|(name, _)| name.ends_with(".dfa")) {
            assert!(&whole[name] == bytes, "{name}");
        }
        let mut dropped = 0;
        for ((name, one), (other, two)) in last.run.sets().zip(all.run.sets()) {
            assert_eq!((name, one.num_positions(), one.stored()), (other, two.num_positions(), two.stored()));
            assert_eq!(one.is_dropped(), !last_dir.path().join(one.file()).exists(), "{name}");
            dropped += u32::from(one.is_dropped());
        }
        assert!(dropped > 0, "{case:?}");
    }
}

#[test]
fn it_is_checked_by_its_last_sets_by_samples_and_by_the_oracle() {
    let resources = Resources::default();
    for case in CASES {
        let (_dir, last) = whole(case, Keep::Last);
        let mut reports = vec![
            one_ply::check(&last, &resources, &mut |_| ()).unwrap(),
            sample::check(&last, 300, 5).unwrap(),
        ];
        if case.1 == Chains::Both {
            reports.push(tables::against_oracle(&last, &resources, &mut |_, _| ()).unwrap());
            assert!(matches!(last.value_map(Side::P1, &resources), Err(Error::NotKept { .. })));
            last.category_map(Side::P1, &resources).unwrap();
        }
        for report in reports {
            assert!(report.mismatches == 0 && report.checked > 0, "{case:?}: {report:?}");
        }
    }
    // If a run was cut short, its last sets alone prove nothing.
    let dir = scratch();
    let game = game("breakthrough:3x4");
    let mut request = Request::new(game.as_ref(), Method::Retrograde, Some(4), None);
    request.keep = Keep::Last;
    solve(game, request, dir.path(), Existing::Refuse, &resources, &mut |_| ()).unwrap();
    let checked = one_ply::check(&StoredRun::open(dir.path()).unwrap(), &resources, &mut |_| ());
    assert!(matches!(checked, Err(Error::WrongRun { needs: RunNeeds::AllPlies, .. })), "{checked:?}");
    // The run can be continued to the end from there.
    resume(dir.path(), &BUILT_IN, HowFar::End, &resources, &mut |_| ()).unwrap();
    let (expected, _) = whole(("breakthrough:3x4", Chains::Both), Keep::Last);
    assert_same_files(&files(dir.path()), &files(expected.path()), "continued after four plies");
}

#[test]
fn stopped_after_any_ply_it_goes_on_to_the_same_bytes() {
    for case in [("breakthrough:3x4", Chains::One), ("tictactoe:3x3,k=3", Chains::Both)] {
        let (expected, solution) = whole(case, Keep::Last);
        let expected = files(expected.path());
        for stop in 0..=solution.last_ply() {
            let dir = scratch();
            let resources = Resources::default();
            let flag = Arc::clone(&resources.interrupt);
            let mut watch = |done: &PlyDone| flag.store(done.ply >= stop, Ordering::Relaxed);
            let stopped = run(case, Keep::Last, dir.path(), Existing::Refuse, &resources, &mut watch);
            assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
            let other =
                run(case, Keep::All, dir.path(), Existing::Resume, &Resources::default(), &mut |_| ());
            assert!(matches!(other, Err(Error::OtherRequest { .. })), "{other:?}");
            let sets = std::fs::read_dir(dir.path().join("sets")).unwrap().count();
            assert!(sets <= 8, "{sets} sets after ply {stop}");
            run(case, Keep::Last, dir.path(), Existing::Resume, &Resources::default(), &mut |_| ()).unwrap();
            assert_same_files(&files(dir.path()), &expected, &format!("{case:?} stopped after ply {stop}"));
        }
    }
}

/// A damaged set of the last ply is rebuilt from the previous ply, and a set that cannot be rebuilt is reported.
#[test]
fn what_is_damaged_is_made_again_or_named() {
    let case = ("breakthrough:3x4", Chains::Both);
    let (expected, _) = whole(case, Keep::Last);
    let expected = files(expected.path());
    let (mut mended, mut named) = (0, 0);
    for name in expected.keys().filter(|name| name.ends_with(".dfa")) {
        let (dir, _) = whole(case, Keep::Last);
        std::fs::remove_file(dir.path().join(name.trim_start_matches('/'))).unwrap();
        match resume(dir.path(), &BUILT_IN, HowFar::AsBegun, &Resources::default(), &mut |_| ()) {
            Ok(_) => {
                assert_same_files(&files(dir.path()), &expected, name);
                mended += 1;
            }
            Err(Error::NotKept { file }) => {
                assert!(file.starts_with("sets/"), "{name}: {file}");
                named += 1;
            }
            other => panic!("{name}: {:?}", other.map(|_| ())),
        }
    }
    assert!(mended > 0 && named > 0, "{mended} rebuilt, {named} reported");
}
