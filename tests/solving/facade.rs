//! The facade: solves and queries games in the same way as a dependent project.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nerode::{CapError, Chains, Error, Existing, Method, Options, Side, Value};

use crate::common::{self, boards, game, oracle, scratch};

#[test]
fn answers_are_those_of_the_oracle_and_moves_come_best_first() {
    let game = game("breakthrough:2x4");
    let solution = nerode::open("breakthrough:2x4").unwrap().solve(Options::default().threads(2)).unwrap();
    let oracle = oracle(game.as_ref());
    let mut counts = [[0u128; 3]; 2];
    for board in boards(game.as_ref()) {
        for side in Side::BOTH {
            let position = nerode::Position { board: board.clone(), side };
            let answer = solution.query(&position).unwrap();
            let expected = oracle.get(side, oracle.indexer().index_of(&board).unwrap()).unwrap();
            let value = answer.value().unwrap();
            assert_eq!(Some(value), expected.value(), "{position:?}");
            assert_eq!(answer.depth(), expected.depth(), "{position:?}");
            counts[side.index()][value as usize] += 1;
            if let Some(best) = answer.moves().first() {
                assert_eq!((best.value(), best.depth()), (answer.value(), answer.depth()), "{position:?}");
            }
        }
    }
    for side in Side::BOTH {
        for value in [Value::Win, Value::Draw, Value::Loss] {
            assert_eq!(solution.count(side, Some(value)).unwrap(), counts[side.index()][value as usize]);
        }
        assert_eq!(solution.count(side, None).unwrap(), 0);
    }
}

#[test]
fn best_lines_end_when_they_should() {
    let solution = nerode::open("breakthrough:2x4").unwrap().solve(Options::default()).unwrap();
    for position in solution.sample(200, 7).unwrap() {
        let depth = solution.query(&position).unwrap().depth().unwrap();
        let line = solution.best_line(&position).unwrap();
        assert_eq!(line.len(), depth as usize, "{position:?}");
        let end = line.last().map_or(position, |last| last.position().clone());
        assert!(solution.game().outcome(&end.board, end.side).is_some());
    }
}

#[test]
fn a_directory_stays_and_a_temporary_one_goes() {
    let dir = scratch();
    let solver = nerode::open("nim:2x3").unwrap();
    let kept = dir.path().join("run");
    drop(solver.solve(Options::default().directory(&kept)).unwrap());
    let error = solver.solve(Options::default().directory(&kept)).unwrap_err();
    assert!(matches!(error, Error::Occupied { .. }), "{error}");
    let again = solver.solve(Options::default().directory(&kept).existing(Existing::Resume)).unwrap();
    let opened = nerode::open_solution(&kept).unwrap();
    let start = opened.game().start_position();
    assert_eq!(again.query(&start).unwrap(), opened.query(&start).unwrap());

    let temporary = solver.solve(Options::default()).unwrap();
    let place = format!("{temporary:?}");
    let place = place.split('"').find(|part| std::path::Path::new(part).is_dir()).unwrap().to_string();
    assert_eq!(temporary.query(&start).unwrap(), opened.query(&start).unwrap());
    drop(temporary);
    assert!(!std::path::Path::new(&place).exists());
}

#[test]
fn options_reach_the_engine() {
    let solver = nerode::open("breakthrough:2x4").unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&flag);
    let options = Options::default().interrupt(flag).on_ply(move |done| {
        stop.store(done.ply == 2, Ordering::Relaxed);
    });
    assert!(matches!(solver.solve(options).unwrap_err(), Error::Interrupted));

    let one = solver.solve(Options::default().chains(Chains::One)).unwrap();
    let both = solver.solve(Options::default().method(Method::Retrograde)).unwrap();
    for side in Side::BOTH {
        for value in [Value::Win, Value::Draw, Value::Loss].map(Some).into_iter().chain([None]) {
            assert_eq!(one.count(side, value).unwrap(), both.count(side, value).unwrap());
        }
    }
    let short = solver.solve(Options::default().method(Method::Retrograde).plies(2)).unwrap();
    assert!(!short.is_complete() && short.count(Side::P1, None).unwrap() > 0);
    let meet = solver.solve(Options::default().method(Method::Meet)).unwrap();
    for position in meet.sample(50, 3).unwrap() {
        assert_eq!(meet.query(&position).unwrap().value(), both.query(&position).unwrap().value());
    }
    let none = solver.solve(Options::default().memory(1 << 10)).unwrap_err();
    assert!(none.is_out_of_room(), "{none}");
    let order = solver.solve(Options::default().order("nonsense")).unwrap_err();
    assert!(matches!(order, Error::Game(_)), "{order}");
}

#[test]
fn a_memory_cap_of_the_process_stops_a_solve() {
    let solver = nerode::open("breakthrough:4x4").unwrap();
    let flag = Arc::new(AtomicBool::new(false));
    let capped = |bytes| Options::default().memory_cap(bytes).interrupt(Arc::clone(&flag));
    let solution = solver.solve(capped(8 << 30)).unwrap();
    assert_eq!(
        solution.count(Side::P1, None).unwrap(),
        solver.solve(Options::default()).unwrap().count(Side::P1, None).unwrap()
    );
    let error = solver.solve(capped(1 << 10)).unwrap_err();
    assert!(matches!(error, Error::Cap(_)) || error.is_out_of_room(), "{error}");
    if nerode_solver::memory::held_bytes().is_some() {
        // The engine's tables have room, but not the process.
        let error = solver.solve(capped(1 << 20).memory(1 << 30)).unwrap_err();
        assert!(matches!(error, Error::Cap(CapError::Work { .. })), "{error}");
    }
    assert!(!flag.load(Ordering::Relaxed), "the flag belongs to the caller");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let one = |spec: &str| nerode::open(spec).unwrap().solve(Options::default().chains(Chains::One));
    assert!(matches!(one("chess:KRvK").unwrap_err(), Error::NotForGame { .. }));
    for spec in ["morris:nine", "chess:start"] {
        let error = nerode::open(spec).unwrap().solve(Options::default()).unwrap_err();
        assert!(matches!(error, Error::NotForGame { .. }), "{spec}: {error}");
    }
    let options = Options::default().chains(Chains::One).method(Method::Meet);
    let error = nerode::open("breakthrough:2x4").unwrap().solve(options).unwrap_err();
    assert!(matches!(error, Error::ChainsOfMeet), "{error}");
}

#[test]
fn a_solution_of_a_game_that_no_registry_knows_answers_eight_threads() {
    let game: Arc<dyn nerode::games::Game> = Arc::new(
        common::drawn::Drawn::new(&[3, 2], Value::Loss)
            .arrow(Side::P1, &[0, 0], &[1, 0])
            .arrow(Side::P2, &[1, 0], &[0, 0])
            .arrow(Side::P1, &[0, 1], &[2, 1])
            .over(Side::P2, &[2, 1], Value::Loss),
    );
    let dir = scratch();
    nerode::open_game(Arc::clone(&game)).solve(Options::default().directory(dir.path())).unwrap();
    let solution = nerode::open_solution_with(dir.path(), &|_: &str, _: &str| Ok(Arc::clone(&game))).unwrap();
    assert_eq!(solution.verify(Options::default().resources()).unwrap().mismatches, 0);
    let ask = || {
        let all = boards(game.as_ref()).flat_map(|board| {
            Side::BOTH.map(|side| solution.query(&nerode::Position { board: board.clone(), side }).unwrap())
        });
        all.collect::<Vec<_>>()
    };
    let first = ask();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap() == first));
    });
    // The line ends when it returns to its first position, because play cycles.
    let round = nerode::Position { board: vec![0, 0], side: Side::P1 };
    let line = solution.best_line(&round).unwrap();
    assert_eq!((line.len(), line[1].position()), (2, &round));
}
