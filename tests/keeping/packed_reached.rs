//! Packed values of reached positions: they give the answers of the sets, their bytes depend only on the run, and damaged,
//! foreign and outdated files are rejected.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::{Plan, assert_same_files, files, scratch, solved, stride};
use nerode::{Solution, open_solution};
use nerode_dfa::Letter;
use nerode_games::Position;
use nerode_solver::archive::packed::Packed;
use nerode_solver::archive::packing::write_reached;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::{FOLDER, Values};
use nerode_solver::check::values;
use nerode_solver::error::Error;
use nerode_solver::solve::resources::Resources;

/// Meet in the middle without retrograde plies, up to the end of the game or to a ply.
fn meet(forward: Option<u32>) -> Plan {
    Plan::meet(Some(0), forward)
}

fn pack(run: &StoredRun, folder: &Path) {
    write_reached(run, folder, false, &Resources::default(), &mut |_, _| ()).unwrap();
}

/// Returns every reached position of a run, and for each of them a board that differs in one cell and one in which the
/// contents of two cells are exchanged.
fn positions(run: &StoredRun, step: usize) -> Vec<Position> {
    let shape = run.game.shape();
    let mut all = Vec::new();
    for ply in 0..=run.run.progress().forward.unwrap() {
        let side = run.side_at(ply);
        let set = run.read(Kind::R, side, ply).unwrap();
        for (rank, mut word) in set.words().enumerate().step_by(step) {
            all.push(Position { board: run.game.board_of(&word), side });
            let (layer, length) = (rank % word.len(), word.len());
            let mut exchanged = word.clone();
            exchanged.swap(layer, (rank + 1 + rank / length) % length);
            if shape.check_word(&exchanged).is_ok() {
                all.push(Position { board: run.game.board_of(&exchanged), side });
            }
            word[layer] = ((usize::from(word[layer]) + 1) % shape.num_letters(layer)) as Letter;
            all.push(Position { board: run.game.board_of(&word), side });
        }
    }
    all
}

/// Compares packed values with the sets: every position by [`values::check`], and every position of small runs and some of
/// large ones by queries of the run and of the packed values on their own.
fn compare(spec: &str, order: Option<&str>, plan: Plan) {
    let (dir, run) = solved(spec, order, plan);
    let count = |ply| run.entry(Kind::R, run.side_at(ply), ply).unwrap().num_positions();
    let reached: u128 = (0..=run.run.progress().forward.unwrap()).map(count).sum();
    let all = positions(&run, if reached > 10_000 { stride(17) } else { 1 });
    let expected: Vec<_> = all.iter().map(|p| run.look_up(&p.board, p.side).unwrap()).collect();
    let folder = dir.path().join(FOLDER);
    pack(&run, &folder);
    let values = Values::open_with(&folder, nerode::registry()).unwrap();
    let report = values::check(&values, &run, &Resources::default()).unwrap();
    assert_eq!(report.mismatches, 0, "{spec}: {:?}", report.first_mismatch);
    // Every position counts once, also if it is reached at several plies.
    let mut decided = HashSet::new();
    for ply in (0..=run.run.progress().forward.unwrap()).filter(|_| reached <= 10_000) {
        for kind in [Kind::RW, Kind::RL, Kind::RD] {
            let set = run.read(kind, run.side_at(ply), ply).unwrap();
            decided.extend(set.words().map(|word| (run.side_at(ply), word)));
        }
    }
    if reached <= 10_000 {
        assert_eq!(report.checked, decided.len() as u128, "{spec}");
    }
    // The sets are gone, so every answer comes from the packed values. Retrograde sets also answer other positions.
    if run.last_ply() == 0 {
        fs::remove_dir_all(dir.path().join("sets")).unwrap();
    }
    let packed_run = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    let (mut covered, mut absent) = (0, 0);
    for (position, expected) in all.iter().zip(&expected) {
        let Position { board, side } = position;
        let text = || format!("{spec} {}", run.game.format_position(position));
        assert_eq!(packed_run.look_up(board, *side).unwrap(), *expected, "{}", text());
        let found = values.get(&run.game.word_of(board), *side).unwrap();
        // Retrograde sets decide boards that are not reached, but not those that the rules draw.
        if run.last_ply() == 0 || found.is_some() && expected.is_some() {
            assert_eq!(found, *expected, "{}", text());
        }
        if found.is_some() { covered += 1 } else { absent += 1 }
    }
    assert_eq!(packed_run.values_problem(), None);
    assert!(covered * 3 >= all.len() && absent > 0, "{spec}: {covered} {absent}");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn every_position_has_the_value_of_the_sets() {
    for (spec, order) in [
        ("connect:4x4", None),
        ("connect:4x3", Some("rows")),
        ("tictactoe:4x3,k=3", None),
        ("othello:4x4", None),
        ("amazons:3x3,start=1b1/3/1w1", None),
        ("nim:2x3", None),
    ] {
        compare(spec, order, meet(None));
    }
}

#[test]
fn runs_of_a_limited_number_of_plies_leave_values_unknown() {
    compare("connect:4x4", None, meet(Some(9)));
    compare("tictactoe:3x3", None, meet(Some(5)));
}

#[test]
#[ignore = "some minutes in a debug build: cargo test --test keeping -- --ignored large_packed"]
fn every_position_of_large_packed_runs_has_the_value_of_the_sets() {
    for spec in ["tictactoe:4x4,k=3", "connect:5x4", "amazons:4x4"] {
        compare(spec, None, meet(None));
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn depths_are_those_that_searches_in_the_sets_find() {
    for spec in ["connect:4x4", "tictactoe:4x3,k=3", "othello:4x4"] {
        let (dir, run) = solved(spec, None, meet(None));
        let all = positions(&run, stride(1999));
        let by_sets = open_solution(dir.path()).unwrap();
        let alone = scratch();
        pack(&run, &alone.path().join("packed"));
        let packed = open_solution(alone.path().join("packed")).unwrap();
        for position in &all {
            let expected = by_sets.evaluate(position).unwrap();
            let text = run.game.format_position(position);
            assert_eq!(packed.evaluate(position).unwrap(), expected, "{spec} {text}");
        }
        let start = run.game.start_position();
        let moves = |solution: &Solution| {
            solution
                .best_line(&start)
                .unwrap()
                .into_iter()
                .map(|reply| reply.text().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(moves(&packed), moves(&by_sets), "{spec}");
        assert_eq!(packed.coverage(), by_sets.coverage());
        assert_eq!(packed.depth_source(), by_sets.depth_source());
        assert_eq!(packed.is_complete(), by_sets.is_complete());
    }
}

#[test]
fn bytes_depend_on_the_run_alone() {
    let (dir, run) = solved("connect:4x4", None, meet(None));
    let folder = |name: &str| dir.path().join(name);
    pack(&run, &folder("a"));
    let expected = files(&folder("a"));
    assert_eq!(expected.keys().collect::<Vec<_>>(), ["/reached.packed", "/values.json"]);
    let threads = Resources { threads: 2, memory: 64 << 20, ..Resources::default() };
    write_reached(&run, &folder("b"), false, &threads, &mut |_, _| ()).unwrap();
    assert_same_files(&files(&folder("b")), &expected, "two threads and less memory");
    for stop in [0, 5, 16] {
        let interrupt = Arc::new(AtomicBool::new(false));
        let resources = Resources { interrupt: Arc::clone(&interrupt), ..Resources::default() };
        let mut watch = |ply: u32, _| interrupt.store(ply >= stop, Ordering::Relaxed);
        let stopped = write_reached(&run, &folder("c"), false, &resources, &mut watch);
        assert!(matches!(&stopped, Err(error) if error.is_interruption()), "{stopped:?}");
        assert!(!folder("c").exists(), "nothing is left");
    }
    pack(&run, &folder("c"));
    assert_same_files(&files(&folder("c")), &expected, "after interruptions");
    let again = write_reached(&run, &folder("c"), false, &Resources::default(), &mut |_, _| ());
    assert!(matches!(again, Err(Error::Occupied { .. })), "{again:?}");
    write_reached(&run, &folder("c"), true, &Resources::default(), &mut |_, _| ()).unwrap();
    assert_same_files(&files(&folder("c")), &expected, "replaced");
}

#[test]
fn damaged_bytes_are_errors_and_never_other_values() {
    let (dir, run) = solved("connect:4x3", None, meet(None));
    let folder = dir.path().join("packed");
    pack(&run, &folder);
    let path = folder.join("reached.packed");
    let good = fs::read(&path).unwrap();
    let all = positions(&run, 7);
    let words: Vec<_> = all.iter().map(|p| (run.game.word_of(&p.board), p.side)).collect();
    let open = || Packed::open(&path, Arc::clone(&run.game), 1 << 20);
    let intact = open().unwrap();
    intact.verify().unwrap();
    let expected: Vec<_> = words.iter().map(|(word, side)| intact.get(word, *side).unwrap()).collect();
    for at in (0..good.len()).step_by(stride(53)) {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        fs::write(&path, &bad).unwrap();
        let Ok(packed) = open() else { continue };
        assert!(packed.verify().is_err(), "byte {at}");
        for ((word, side), expected) in words.iter().zip(&expected) {
            match packed.get(word, *side) {
                Ok(found) => assert_eq!(found, *expected, "byte {at}"),
                Err(error) => assert!(error.to_string().contains("reached.packed"), "{error}"),
            }
        }
    }
    for len in (0..good.len()).step_by(stride(97)) {
        fs::write(&path, &good[..len]).unwrap();
        assert!(open().is_err(), "{len} bytes");
        let values = Values::open_with(&folder, nerode::registry()).unwrap();
        assert!(values.get(&words[0].0, words[0].1).is_err(), "{len} bytes");
    }
    fs::write(&path, [&good[..], b"x"].concat()).unwrap();
    assert!(open().is_err(), "one byte more");
}

#[test]
fn files_of_other_runs_and_damaged_ones_are_left_aside() {
    let (dir, run) = solved("connect:4x3", None, meet(None));
    let (other, limited) = solved("connect:4x3", None, meet(Some(6)));
    let (folder, foreign) = (dir.path().join(FOLDER), other.path().join(FOLDER));
    pack(&run, &folder);
    pack(&limited, &foreign);
    let start = run.game.start_position();
    let expected = run.look_up(&start.board, start.side).unwrap();
    let open = || StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    let problem_of = |what: &str| {
        let opened = open();
        assert_eq!(opened.look_up(&start.board, start.side).unwrap(), expected, "{what}");
        opened.values_problem().unwrap_or_else(|| panic!("{what}: unnoticed"))
    };
    let good = files(&folder);
    assert_eq!(open().look_up(&start.board, start.side).unwrap(), expected);
    assert_eq!(open().values_problem(), None);
    // The file of the other run without its manifest.
    fs::copy(foreign.join("reached.packed"), folder.join("reached.packed")).unwrap();
    assert!(problem_of("another file").contains("reached.packed"));
    // The file of the other run with its manifest.
    fs::copy(foreign.join("values.json"), folder.join("values.json")).unwrap();
    assert!(problem_of("another folder").contains("do not match the run"));
    for (name, bytes) in &good {
        fs::write(folder.join(&name[1..]), bytes).unwrap();
    }
    let whole = &good["/reached.packed"];
    let damaged: Vec<u8> = whole.iter().map(|byte| byte ^ 1).collect();
    fs::write(folder.join("reached.packed"), &damaged).unwrap();
    problem_of("damaged");
    // Damage that only look-ups find.
    let mut bad = whole.clone();
    (12..whole.len() / 2).for_each(|at| bad[at] ^= 1);
    fs::write(folder.join("reached.packed"), &bad).unwrap();
    problem_of("damaged maps");
    let solution = open_solution(dir.path()).unwrap();
    let by_sets = open_solution(other.path()).unwrap();
    assert!(solution.evaluate(&start).unwrap().value().is_some());
    assert!(solution.warning().is_some() && by_sets.warning().is_none());
    let alone = open_solution(&folder).unwrap();
    assert!(alone.evaluate(&start).is_err(), "without sets, damage is an error");
}

#[test]
fn other_runs_cannot_be_packed() {
    let refused = |plan: Plan| {
        let (dir, run) = solved("connect:4x3", None, plan);
        match write_reached(&run, &dir.path().join(FOLDER), false, &Resources::default(), &mut |_, _| ()) {
            Err(error @ Error::WrongRun { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(Plan::RETROGRADE).contains("a run from the start"));
    let limited = Plan { backward: Some(3), ..meet(Some(4)) };
    assert!(refused(limited).contains("must not have retrograde plies"));
    compare("connect:4x3", None, Plan { backward: Some(3), ..meet(None) });
}
