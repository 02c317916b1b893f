//! Depths by search in runs by meet in the middle equal those of retrograde analysis, for every position and every move.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::common::{Plan, solved, stride};
use nerode_games::Position;
use nerode_solver::archive::contents::DEPTHS_FILE;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::reached::ReachedTable;
use nerode_solver::depth::store_early;
use nerode_solver::error::{Error, RunNeeds};
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::{SolvedRun, Stored};
use rayon::prelude::*;

/// Compares the depths of every `stride`-th reached position and of its moves. Returns the number of positions compared.
fn compared(spec: &str, plan: Plan, stride: usize) -> usize {
    let ((_meet_dir, meet), (_dir, reference)) =
        (solved(spec, None, plan), solved(spec, None, Plan::RETROGRADE));
    let mut solution = SolvedRun::new(meet);
    solution.limit_search(Duration::from_secs(600));
    let solution: &dyn Stored = &solution;
    let game = solution.game();
    let mut positions = Vec::new();
    let mut at = 0;
    for ply in 0.. {
        let side = reference.side_at(ply);
        let Ok(reached) = solution.run().unwrap().read(Kind::R, side, ply) else { break };
        for word in reached.words() {
            at += 1;
            if at % stride == 0 {
                positions.push(Position { board: game.board_of(&word), side });
            }
        }
    }
    let expected = |position: &Position| reference.get(&position.board, position.side).unwrap();
    positions.par_iter().for_each(|position| {
        let answer = solution.query(position).unwrap();
        let text = || format!("{spec}: {}", game.format_position(position));
        // A run that is limited to some plies leaves values unknown.
        if answer.value().is_none() {
            return;
        }
        assert_eq!(answer.evaluation().outcome(), Some(expected(position)), "{}", text());
        for reply in answer.moves().iter().filter(|reply| reply.value().is_some()) {
            let after = expected(reply.position());
            let found = (reply.value().map(nerode_games::Value::negated), reply.depth());
            assert_eq!(
                found,
                (after.value(), after.depth().map(|depth| depth + 1)),
                "{} {}",
                text(),
                reply.text()
            );
        }
        let first = answer.moves().first().map(|best| (best.value(), best.depth()));
        assert!(first.is_none_or(|best| best == (answer.value(), answer.depth())), "{}", text());
    });
    positions.len()
}

#[test]
fn depths_by_search_are_those_of_retrograde_analysis() {
    for (spec, plan, every) in [
        ("tictactoe:3x3", Plan::meet(Some(0), None), 1),
        ("tictactoe:4x3,k=3", Plan::meet(Some(3), None), 300),
        ("connect:3x3,row=3", Plan::meet(Some(0), None), 1),
        ("connect:4x4", Plan::meet(Some(0), None), 300),
        ("connect:4x3,row=3", Plan::meet(Some(4), Some(8)), 3),
        ("breakthrough:3x4", Plan::meet(Some(0), None), 200),
        ("amazons:3x3,start=1b1/3/1w1", Plan::meet(Some(2), None), 2),
        ("othello:4x3", Plan::meet(Some(0), None), 1),
    ] {
        let positions = compared(spec, plan, stride(every));
        assert!(positions > 50, "{spec}: {positions}");
    }
}

#[test]
#[ignore = "minutes: cargo test --release --test solving -- --ignored depths"]
fn depths_by_search_of_every_position_are_those_of_retrograde_analysis() {
    for (spec, every) in [
        ("connect:4x4", 1),
        ("connect:5x4", 1),
        ("tictactoe:4x3,k=3", 1),
        ("tictactoe:4x4,k=3", 1),
        ("tictactoe:4x4,k=4", 1),
        ("othello:4x4", 1),
        ("connect:5x5", 50_000),
        ("connect:6x4", 50_000),
    ] {
        let positions = compared(spec, Plan::meet(Some(0), None), every);
        println!("{spec}: {positions} positions compared, all equal");
    }
}

/// Searches of several threads at the same time, which share their tables, do not change each other's answers.
#[test]
fn depths_by_search_are_the_same_for_every_number_of_threads() {
    let answers = |threads| {
        let (_dir, run) = solved("connect:5x4", None, Plan::meet(Some(0), None));
        let mut early = Vec::new();
        for ply in 0..=2 {
            let side = run.side_at(ply);
            let reached = run.read(Kind::R, side, ply).unwrap();
            early.extend(reached.words().map(|word| Position { board: run.game.board_of(&word), side }));
        }
        let mut solution = SolvedRun::new(run);
        solution.limit_search(Duration::from_secs(600));
        let solution: &dyn Stored = &solution;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let of = |position| {
            let answer = solution.query(position).unwrap();
            answer.moves().iter().map(|reply| (reply.value(), reply.depth())).collect::<Vec<_>>()
        };
        pool.install(|| early.par_iter().map(of).collect::<Vec<_>>())
    };
    let alone = answers(1);
    assert!(alone.iter().flatten().any(|&(_, depth)| depth > Some(14)));
    assert!(alone == answers(3));
}

fn threads(threads: usize) -> Resources {
    Resources { threads, ..Resources::default() }
}

/// Stored depths are those of retrograde analysis, for every position, and are the same for every number of threads.
/// Queries answer from them without a search, and so do the moves of the positions before the last ply.
#[test]
fn stored_depths_of_early_plies_are_those_of_retrograde_analysis() {
    for (spec, plan, last) in [
        ("tictactoe:3x3", Plan::meet(Some(0), None), 4),
        ("tictactoe:3x3", Plan::meet(Some(3), None), 20),
        ("connect:4x3,row=3", Plan::meet(Some(2), None), 3),
        ("breakthrough:3x4", Plan::meet(Some(0), None), 3),
        ("amazons:3x3,start=1b1/3/1w1", Plan::meet(Some(0), None), 2),
        // Passes let a position occur at several plies.
        ("othello:4x3", Plan::meet(Some(0), None), 5),
    ] {
        let ((dir, meet), (_other, reference)) =
            (solved(spec, None, plan), solved(spec, None, Plan::RETROGRADE));
        let path = dir.path().join(DEPTHS_FILE);
        let mut seen = Vec::new();
        let done = store_early(&meet, last, false, &threads(1), &mut |done, _| seen.push(done)).unwrap();
        assert!(seen.is_sorted() && seen.last() == Some(&done.num_searched), "{spec} {seen:?}");
        let bytes = fs::read(&path).unwrap();
        store_early(&meet, last, true, &threads(3), &mut |_, _| ()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes, "{spec}");
        let again = store_early(&meet, last, false, &threads(1), &mut |_, _| ()).unwrap();
        assert_eq!((again.num_searched, again.num_positions), (0, done.num_positions), "{spec}");

        let table = ReachedTable::open(&path, nerode::registry()).unwrap();
        assert_eq!(table.num_plies(), done.last_ply + 1);
        let run = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
        let mut solution = SolvedRun::new(run);
        solution.limit_search(Duration::ZERO);
        let solution: &dyn Stored = &solution;
        assert_eq!((solution.depths_stored_to(), solution.warning()), (Some(done.last_ply), None));
        let mut positions = 0;
        for ply in 0..table.num_plies() {
            for (word, _) in table.ply(ply).unwrap().iter() {
                let side = table.side_at(ply);
                let position = Position { board: meet.game.board_of(&word), side };
                let expected = reference.get(&position.board, side).unwrap();
                let text = || format!("{spec}: {}", meet.game.format_position(&position));
                assert_eq!(table.get(&position.board, side).unwrap(), Some(expected), "{}", text());
                assert_eq!(solution.look_up(&position).unwrap().outcome(), Some(expected), "{}", text());
                let answer = solution.query(&position).unwrap();
                assert_eq!(answer.evaluation().outcome(), Some(expected), "{}", text());
                for reply in answer.moves().iter().filter(|_| ply < done.last_ply) {
                    let after = reference.get(&reply.position().board, reply.position().side).unwrap();
                    assert_eq!(reply.depth(), after.depth().map(|depth| depth + 1), "{}", text());
                }
                positions += 1;
            }
        }
        assert_eq!(done.num_positions, positions);
    }
}

/// Answers are the same with and without stored depths, also beyond the last ply that has them.
#[test]
fn stored_depths_change_no_answer() {
    let (dir, meet) = solved("connect:4x4", None, Plan::meet(Some(0), None));
    let mut by_search = SolvedRun::new(meet);
    by_search.limit_search(Duration::from_secs(600));
    let by_search: &dyn Stored = &by_search;
    let open = || StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    store_early(&open(), 6, false, &threads(2), &mut |_, _| ()).unwrap();
    let with_depths = SolvedRun::new(open());
    let with_depths: &dyn Stored = &with_depths;
    assert_eq!((by_search.depths_stored_to(), with_depths.depths_stored_to()), (None, Some(6)));
    for position in with_depths.sample(300, 7).unwrap() {
        let [found, expected] =
            [with_depths, by_search].map(|solution| solution.query(&position).unwrap().evaluation());
        assert_eq!(found, expected, "{}", with_depths.game().format_position(&position));
    }
}

/// An interruption leaves the depths found so far, and the next call continues from them to the same file.
#[test]
fn stored_depths_are_resumed_after_an_interruption() {
    let (dir, meet) = solved("connect:4x4", None, Plan::meet(Some(0), None));
    let path = dir.path().join(DEPTHS_FILE);
    let whole = store_early(&meet, 5, false, &threads(1), &mut |_, _| ()).unwrap();
    let expected = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();

    let interrupt = Arc::new(AtomicBool::new(false));
    let resources = Resources { interrupt: Arc::clone(&interrupt), ..threads(1) };
    let mut stop = |done: u64, total: u64| interrupt.store(done >= total / 2, Ordering::Relaxed);
    let error = store_early(&meet, 5, false, &resources, &mut stop).unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    let part = ReachedTable::open(&path, nerode::registry()).unwrap();
    assert!(part.header().num_without_depth > 0);
    // An unfinished file answers with the depths that it has.
    let run = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    let solution = SolvedRun::new(run);
    assert_eq!((solution.depths_stored_to(), solution.warning()), (None, None));
    // Searches from earlier plies come to positions whose depths are stored, and to others.
    let (_other, reference) = solved("connect:4x4", None, Plan::RETROGRADE);
    let mut solution = solution;
    solution.limit_search(Duration::from_secs(600));
    let solution: &dyn Stored = &solution;
    for ply in 0..4 {
        for (word, _) in part.ply(ply).unwrap().iter() {
            let (board, side) = (meet.game.board_of(&word), part.side_at(ply));
            let expected = reference.get(&board, side).unwrap();
            let position = Position { board, side };
            let found = solution.evaluate(&position).unwrap().outcome();
            assert_eq!(found, Some(expected), "{}", meet.game.format_position(&position));
        }
    }
    // A request for fewer plies completes the file.
    let rest = store_early(&meet, 2, false, &threads(1), &mut |_, _| ()).unwrap();
    assert!(rest.num_searched > 0 && rest.num_searched < whole.num_searched, "{rest:?} {whole:?}");
    assert_eq!(fs::read(&path).unwrap(), expected);
}

#[test]
fn damaged_depths_are_not_used_and_retrograde_runs_need_none() {
    let (dir, meet) = solved("tictactoe:3x3", None, Plan::meet(Some(0), None));
    store_early(&meet, 2, false, &threads(1), &mut |_, _| ()).unwrap();
    let path = dir.path().join(DEPTHS_FILE);
    let mut bytes = fs::read(&path).unwrap();
    let expected = bytes.clone();
    let at = bytes.len() - 40;
    bytes[at] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let run = StoredRun::open_with(dir.path(), nerode::registry()).unwrap();
    let solution = SolvedRun::new(run);
    assert!(solution.warning().unwrap().contains(DEPTHS_FILE));
    assert_eq!(solution.depths_stored_to(), None);
    // They are replaced.
    store_early(&meet, 2, false, &threads(1), &mut |_, _| ()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), expected);
    let (_dir, retrograde) = solved("tictactoe:3x3", None, Plan::RETROGRADE);
    let error = store_early(&retrograde, 2, false, &threads(1), &mut |_, _| ()).unwrap_err();
    assert!(matches!(error, Error::WrongRun { needs: RunNeeds::Meet, .. }), "{error}");
}
