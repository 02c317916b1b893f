//! The probe gives the answers of the crate that solves, for every form of packed solutions: at every position of small games,
//! boards that cannot occur included, and at samples of larger ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use nerode::{Method, Options, Solution, open_solution};
use nerode_games::explicit::apply;
use nerode_games::{Game, Position, Side};
use nerode_morris::compressed::{LookAhead, Packing, pack_directory};
use nerode_morris::tables::SectorSolution;
use nerode_probe::{Coverage, DepthSource, Error, Files, Probe, Settings};
use nerode_solver::archive::compact::{write_care, write_maps};
use nerode_solver::archive::packing::write_reached;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::resources::Resources;

/// Reads all files of a folder.
fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file =
        |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    entries.filter(|entry| entry.path().is_file()).map(file).collect()
}

fn open(folder: &Path) -> Probe {
    Probe::open_folder(Arc::new(files(folder)), &Settings::default()).unwrap()
}

/// Solves a game, and returns its run.
fn run(spec: &str, method: Method, folder: &Path) -> StoredRun {
    nerode::open(spec).unwrap().solve(Options::default().method(method).directory(folder)).unwrap();
    StoredRun::open_with(folder, nerode::registry()).unwrap()
}

/// Returns up to `most` positions that play reaches from the start, in the order of a breadth-first search, and for each of
/// them the same board with the other side to move, and a board that differs in one cell.
fn positions(game: &dyn Game, most: usize) -> Vec<Position> {
    let mut all = vec![game.start_position()];
    let mut seen: HashSet<Position> = all.iter().cloned().collect();
    let (mut next, mut moves) = (0, Vec::new());
    while next < all.len() && all.len() < most {
        let Position { board, side } = all[next].clone();
        moves.clear();
        game.legal_moves(&board, side, &mut moves);
        for mv in &moves {
            let after = Position { board: apply(&board, mv), side: side.other() };
            if seen.insert(after.clone()) {
                all.push(after);
            }
        }
        next += 1;
    }
    let others: Vec<Position> = all
        .iter()
        .enumerate()
        .flat_map(|(at, Position { board, side })| {
            let cell = at % board.len();
            let mut changed = board.clone();
            changed[cell] = ((u16::from(changed[cell]) + 1) % game.cell_states()[cell]) as u8;
            [Position { board: board.clone(), side: side.other() }, Position { board: changed, side: *side }]
        })
        .collect();
    all.extend(others);
    all
}

/// Returns every board of a small game with either side to move.
fn all_boards(game: &dyn Game) -> Vec<Position> {
    let states = game.cell_states();
    let mut board = vec![0; states.len()];
    let mut all = Vec::new();
    loop {
        all.extend(Side::BOTH.map(|side| Position { board: board.clone(), side }));
        let Some(cell) = (0..board.len()).find(|&cell| u16::from(board[cell]) + 1 < states[cell]) else {
            return all;
        };
        board[..cell].fill(0);
        board[cell] += 1;
    }
}

/// Compares the evaluations of all positions, and complete answers of every `stride`-th position, where a solution that
/// searches for depths is asked for values alone.
fn compare(probe: &Probe, solution: &Solution, positions: &[Position], stride: usize) {
    let spec = solution.game().spec();
    assert_eq!(probe.game().fingerprint(), solution.game().fingerprint());
    assert_eq!(probe.coverage(), solution.coverage());
    assert_eq!(probe.is_complete(), solution.is_complete());
    let mut decided = 0;
    for (at, position) in positions.iter().enumerate() {
        let text = || format!("{spec} {}", solution.game().format_position(position));
        let found = probe.evaluate(position).unwrap();
        assert_eq!(found, solution.infer(position).unwrap(), "{}", text());
        assert_eq!(probe.missing_sector(position).unwrap(), solution.missing_sector(position).unwrap());
        decided += usize::from(found.value().is_some());
        if at % stride != 0 {
            continue;
        }
        let answer = probe.query(position).unwrap();
        if solution.depth_source() != DepthSource::Search {
            assert_eq!(answer, solution.query(position).unwrap(), "{}", text());
            let line = probe.best_line(position, usize::MAX).unwrap();
            assert_eq!(line, solution.best_line(position).unwrap(), "{}", text());
            assert_eq!(probe.best_line(position, 2).unwrap(), line[..line.len().min(2)]);
            continue;
        }
        for reply in answer.moves() {
            let Position { board, side } = reply.position();
            let after = solution.look_up(reply.position()).unwrap().seen_by_mover();
            // The depth of a finished game follows from the rules, and the solution has only a bound.
            match solution.game().outcome(board, *side).filter(|_| after.depth_bound().is_some()) {
                Some(_) => assert_eq!((reply.value(), reply.depth()), (after.value(), Some(1)), "{}", text()),
                None => assert_eq!(reply.evaluation(), after, "{}", text()),
            }
            assert_eq!(probe.play(position, reply.text()).unwrap(), *reply.position(), "{}", text());
        }
        // The value of a position that is not covered may be unknown although that of a move is known.
        if let Some(best) = answer.moves().first().filter(|_| answer.is_covered()) {
            assert_eq!(best.value(), answer.value(), "{}", text());
        }
    }
    assert!(decided > 0, "{spec} has values");
}

/// Values of all positions as automata, with and without depths.
#[test]
fn values_of_all_positions() {
    for (spec, all, stride) in [
        ("tictactoe:3x3", true, 7),
        ("nim:3x4", true, 1),
        ("breakthrough:3x4", true, 997),
        ("breakthrough:4x4", false, 53),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let stored = run(spec, Method::Retrograde, &folder.path().join("run"));
        for depths in [true, false] {
            let packed = folder.path().join(format!("packed {depths}"));
            write_maps(&stored, &packed, depths, false, &Resources::default(), &mut |_, _| ()).unwrap();
            let (probe, solution) = (open(&packed), open_solution(&packed).unwrap());
            let positions = if all { all_boards(probe.game()) } else { solution.sample(20_000, 1).unwrap() };
            compare(&probe, &solution, &positions, stride);
            assert_eq!(probe.depth_source(), if depths { DepthSource::Stored } else { DepthSource::Absent });
        }
    }
}

/// Packed values of the reached positions of runs by meet in the middle, as one file and as a folder.
#[test]
#[ignore = "slow: .ci/slow"]
fn values_of_reached_positions() {
    for (spec, most, stride) in [
        ("tictactoe:3x3", usize::MAX, 3),
        ("connect:4x4", usize::MAX, 211),
        ("nim:3x4", usize::MAX, 1),
        ("othello:4x4", usize::MAX, 211),
        ("breakthrough:3x4", usize::MAX, 53),
        ("connect:5x4", 30_000, 211),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let stored = run(spec, Method::Meet, &folder.path().join("run"));
        let packed = folder.path().join("packed");
        write_reached(&stored, &packed, false, &Resources::default(), &mut |_, _| ()).unwrap();
        let solution = open_solution(&packed).unwrap().with_search_time(Duration::ZERO);
        let sets = open_solution(folder.path().join("run")).unwrap();
        let positions = positions(solution.game(), most);
        // With a cache of a few blocks, the file is read again and again.
        let settings = Settings { cache_bytes: 1 << 16, ..Settings::default() };
        let bytes = fs::read(packed.join("reached.packed")).unwrap();
        for probe in [Probe::open(Box::new(bytes), &settings).unwrap(), open(&packed)] {
            assert_eq!(probe.coverage(), Coverage::ReachedPositions);
            compare(&probe, &solution, &positions, stride);
            for position in positions.iter().step_by(stride) {
                let found = probe.evaluate(position).unwrap();
                if found.is_covered() {
                    assert_eq!(found.value(), sets.infer(position).unwrap().value(), "{spec} {position:?}");
                }
            }
        }
    }
}

/// Packed sectors of morris games, with and without depths, and with sectors that are derived from others.
#[test]
fn sectors() {
    for (spec, roots, most) in [("morris:three", None, usize::MAX), ("morris:six", Some("4-4-0-0"), 0)] {
        let folder = tempfile::tempdir().unwrap();
        let tables = folder.path().join("tables");
        let roots: Option<Vec<_>> = roots.map(|root| vec![root.parse().unwrap()]);
        let mut solve = nerode_morris::tables::SectorSolve::open(spec).unwrap();
        if let Some(roots) = &roots {
            solve = solve.of(roots.clone()).unwrap();
        }
        solve.solve_into(&tables, &Resources::default(), &mut |_| ()).unwrap();
        let tables = SectorSolution::open(&tables).unwrap();
        let all: Vec<_> = tables.dir.sectors().unwrap().iter().map(|file| file.sector).collect();
        for (plies, depths) in [(0, true), (1, false), (2, true)] {
            let packed = folder.path().join(format!("packed {plies} {depths}"));
            let packing = Packing {
                sectors: &all,
                folder: &packed,
                overwrite: false,
                look_ahead: LookAhead { plies, in_hand: None },
                depths,
                reuse: None,
                interrupt: &Resources::default().interrupt,
            };
            pack_directory(&tables, &packing, &mut |_| ()).unwrap();
            let (probe, solution) = (open(&packed), open_solution(&packed).unwrap());
            let positions = match roots {
                None => positions(probe.game(), most),
                Some(_) => solution.sample(5_000, 1).unwrap(),
            };
            compare(&probe, &solution, &positions, 17);
            assert_eq!(probe.depth_source(), if depths { DepthSource::Stored } else { DepthSource::Absent });
        }
    }
}

#[test]
fn other_folders_and_boards_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let stored = run("breakthrough:3x4", Method::Retrograde, &folder.path().join("run"));
    let refused = |files: Files| Probe::open_folder(Arc::new(files), &Settings::default()).unwrap_err();
    assert!(matches!(refused(Files::default()), Error::OtherContents { .. }));
    assert!(matches!(refused(files(&folder.path().join("run"))), Error::OtherContents { .. }));
    let other = Probe::open(Box::new(vec![7; 1000]), &Settings::default());
    assert!(matches!(other, Err(Error::OtherContents { .. })));

    let packed = folder.path().join("packed");
    write_maps(&stored, &packed, true, false, &Resources::default(), &mut |_, _| ()).unwrap();
    let probe = open(&packed);
    let start = probe.game().start_position();
    for board in [vec![], vec![0; 11], vec![0; 13], vec![3; 12]] {
        assert!(matches!(probe.position_of(&board, Side::P1), Err(Error::Mismatch { .. })));
        let position = Position { board, side: Side::P1 };
        assert!(matches!(probe.evaluate(&position), Err(Error::Mismatch { .. })));
        assert!(matches!(probe.query(&position), Err(Error::Mismatch { .. })));
        assert!(matches!(probe.picture(&position), Err(Error::Mismatch { .. })));
        assert!(matches!(probe.best_line(&position, 1), Err(Error::Mismatch { .. })));
        assert!(matches!(probe.play(&position, "a1a2"), Err(Error::Mismatch { .. })));
        assert!(matches!(probe.why_illegal(&position), Err(Error::Mismatch { .. })));
    }
    assert_eq!(probe.position_of(&start.board, start.side).unwrap(), start);
    assert_eq!(probe.why_illegal(&start).unwrap(), None);
    let crowded = probe.position_of(&[1; 12], Side::P1).unwrap();
    assert!(probe.why_illegal(&crowded).unwrap().is_some());
    assert!(probe.play(&start, "a1a4").is_err() && probe.position("nonsense").is_err());
    assert_eq!(probe.picture(&start).unwrap().unwrap().places.len(), 12);

    // Care sets need the engine, which this test has, and give the same answers or an error without it.
    let care = folder.path().join("care");
    write_care(&stored, &care, false, &Resources::default()).unwrap();
    match open(&care).evaluate(&start) {
        Ok(found) => assert_eq!(found.value(), probe.evaluate(&start).unwrap().value()),
        Err(error) => assert!(matches!(error, Error::NotBuilt { .. })),
    }
}
