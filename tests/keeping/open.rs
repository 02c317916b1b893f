//! Directories opened for reading: many threads query them concurrently, and games need not be in the registry.

use std::path::Path;
use std::sync::Arc;

use crate::common::drawn::Drawn;
use crate::common::{Plan, boards, game, oracle, scratch, solve_in, solved};
use nerode_games::registry::BUILT_IN;
use nerode_games::{Game, Side, Value};
use nerode_solver::archive::compact::write_maps;
use nerode_solver::archive::scores::{self, ScoreDir};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::values::{FOLDER, Values};
use nerode_solver::check::{one_ply, sample, tables, values};
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::resources::Resources;
use nerode_solver::solve::score;

const THREADS: usize = 8;

/// Returns the results of `ask` for every position, in the order of the boards, beginning at board `from` and wrapping around.
fn answers<T>(game: &dyn Game, from: usize, ask: impl Fn(&[u8], Side) -> T) -> Vec<T> {
    let all: Vec<Vec<u8>> = boards(game).collect();
    let at = |i: usize| &all[(i + from) % all.len()];
    (0..all.len()).flat_map(|i| Side::BOTH.map(|side| ask(at(i), side))).collect()
}

/// Checks that eight threads, which begin at different boards, get the same answers as a single thread.
fn threads_agree<S: Sync, T: PartialEq + std::fmt::Debug + Send>(
    game: &dyn Game,
    open: impl Fn() -> S,
    ask: impl Fn(&S, &[u8], Side) -> T + Sync,
) {
    let (alone, shared) = (open(), open());
    let boards = boards(game).count();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let (ask, shared) = (&ask, &shared);
                let from = thread * boards / THREADS;
                (from, scope.spawn(move || answers(game, from, |board, side| ask(shared, board, side))))
            })
            .collect();
        for (from, thread) in threads {
            let expected = answers(game, from, |board, side| ask(&alone, board, side));
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
}

/// Sets that are large compared to the memory limit are stored in files. Answers and checks are the same, also if no file can be
/// created and memory is used instead.
#[test]
#[ignore = "slow: .ci/slow"]
fn sets_in_files_answer_as_those_in_memory_do() {
    let (dir, solution) = solved("breakthrough:3x4", None, Plan::RETROGRADE);
    let game = solution.game.as_ref();
    let ask = |solution: &StoredRun| answers(game, 0, |board, side| solution.get(board, side).unwrap());
    let expected = ask(&solution);
    let open = || StoredRun::open(dir.path()).unwrap().with_memory(1);
    assert_eq!(ask(&open()), expected);
    let report = one_ply::check(&open(), &Resources::default(), &mut |_| ()).unwrap();
    assert!(report.checked > 0 && report.mismatches == 0, "{report:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let may = |mode| std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        may(0o555);
        let found = ask(&open());
        may(0o755);
        assert_eq!(found, expected);
    }
}

#[test]
fn eight_threads_get_what_one_gets() {
    for plan in [Plan::RETROGRADE, Plan::meet(Some(1), None)] {
        let (dir, solution) = solved("breakthrough:2x4", None, plan);
        let open = || StoredRun::open(dir.path()).unwrap();
        let ask = |solution: &StoredRun, board: &[u8], side| solution.get(board, side).unwrap();
        threads_agree(solution.game.as_ref(), open, ask);
        if plan.forward.is_none() && plan.backward.is_none() {
            write_maps(
                &solution,
                &dir.path().join(FOLDER),
                false,
                false,
                &Resources::default(),
                &mut |_, _| (),
            )
            .unwrap();
            threads_agree(solution.game.as_ref(), open, ask);
        }
    }
    let (dir, game) = (scratch(), game("othello:3x3"));
    let found = score::solve(Arc::clone(&game), &Resources::default(), &mut |_| ()).unwrap();
    scores::write(&found, dir.path(), false).unwrap();
    threads_agree(
        game.as_ref(),
        || ScoreDir::open(dir.path()).unwrap(),
        |scores: &ScoreDir, board: &[u8], side| scores.get(board, side).unwrap(),
    );
}

/// Creates a game that cycles, where P1 can leave the cycle and win.
fn circle() -> Drawn {
    Drawn::new(&[3, 2], Value::Loss)
        .arrow(Side::P1, &[0, 0], &[1, 0])
        .arrow(Side::P2, &[1, 0], &[0, 0])
        .arrow(Side::P1, &[0, 1], &[2, 1])
        .arrow(Side::P1, &[0, 1], &[1, 1])
        .arrow(Side::P2, &[1, 1], &[0, 1])
        .over(Side::P2, &[2, 1], Value::Loss)
}

/// The resolver that `open_with` uses to find a game.
type Resolve = Box<dyn Fn(&str, &str) -> Result<Arc<dyn Game>>>;

/// Solves a game that is not in the registry, and returns it with a resolver.
fn own_run(path: &Path) -> (Arc<dyn Game>, Resolve) {
    let game: Arc<dyn Game> = Arc::new(circle());
    solve_in(path, &game, Plan::RETROGRADE).unwrap();
    let known = Arc::clone(&game);
    let resolver = move |spec: &str, order: &str| {
        assert_eq!((spec, order), ("drawn", "cells"));
        Ok(Arc::clone(&known))
    };
    (game, Box::new(resolver))
}

#[test]
fn a_game_of_ones_own_is_solved_kept_reopened_verified_and_queried() {
    let dir = scratch();
    let (game, resolver) = own_run(dir.path());
    let solution = StoredRun::open_with(dir.path(), &resolver).unwrap();
    let oracle = oracle(game.as_ref());
    for board in boards(game.as_ref()) {
        for side in Side::BOTH {
            let index = oracle.indexer().index_of(&board).unwrap();
            let expected = oracle.get(side, index).unwrap();
            assert_eq!(solution.get(&board, side).unwrap(), expected, "{board:?} {side}");
        }
    }
    let resources = Resources::default();
    let sound =
        |report: nerode_solver::check::Report| assert_eq!((report.mismatches, report.checked > 0), (0, true));
    sound(sample::check(&solution, 10, 1).unwrap());
    sound(one_ply::check(&solution, &resources, &mut |_| ()).unwrap());
    sound(tables::against_oracle(&solution, &resources, &mut |_, _| ()).unwrap());
    let folder = dir.path().join(FOLDER);
    write_maps(&solution, &folder, true, false, &resources, &mut |_, _| ()).unwrap();
    let kept = Values::open_with(&folder, &resolver).unwrap();
    sound(values::check(&kept, &solution, &resources).unwrap());
    assert_eq!(StoredRun::open_with(dir.path(), &resolver).unwrap().values_problem(), None);
}

#[test]
fn a_game_that_is_not_found_or_is_another_is_refused() {
    let dir = scratch();
    let (_, resolver) = own_run(dir.path());
    assert!(matches!(StoredRun::open(dir.path()), Err(Error::Game(_))));
    assert!(matches!(StoredRun::open_with(dir.path(), &BUILT_IN), Err(Error::Game(_))));
    let other: Arc<dyn Game> = Arc::new(circle().over(Side::P1, &[2, 0], Value::Draw));
    let wrong = |_: &str, _: &str| Ok(Arc::clone(&other));
    assert!(matches!(StoredRun::open_with(dir.path(), &wrong), Err(Error::WrongRules { .. })));
    StoredRun::open_with(dir.path(), &resolver).unwrap();

    // The same rules, but in another letter order.
    let (dir, _) = solved("tictactoe:2x2,k=2", Some("columns"), Plan::RETROGRADE);
    let rows = game("tictactoe:2x2,k=2");
    let wrong = |_: &str, _: &str| Ok(Arc::clone(&rows));
    let error = StoredRun::open_with(dir.path(), &wrong).err().unwrap();
    assert!(matches!(error, Error::WrongRules { .. }), "{error}");
    assert!(error.to_string().contains("letter order columns"), "{error}");
}
