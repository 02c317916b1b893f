//! Meet in the middle: for every split of the plies into forward and backward ones, the values backed up over the reachable
//! positions equal the retrograde sets, ply by ply. Undecided positions are unknown, never drawn.

use std::sync::Arc;

use crate::common::drawn::Drawn;
use crate::common::{Plan, boards, game, oracle, replace_sets, scratch, solve_in, solved, stride, toggled};
use nerode_dfa::Dfa;
use nerode_games::{Game, Side, Value, side_at};
use nerode_report::run::report;
use nerode_solver::archive::run_dir::{Kind, Request, RunDir, SetName};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::check::one_ply;
use nerode_solver::check::tables::against_oracle;
use nerode_solver::error::{Error, Lack};
use nerode_solver::outcome::Outcome;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::meet::ReachedLayer;
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::reach::{Reach, admissible_at};
use nerode_solver::solve::resources::{Backend, Resources};
use nerode_solver::solve::retrograde::{Level, Retrograde};

const SMALL: [&str; 8] = [
    "connect:3x3,row=3",
    "breakthrough:2x4",
    "breakthrough:2x5",
    "tictactoe:3x3",
    "tictactoe:3x1,k=2",
    "nim:3x4",
    "nim:2x7",
    "othello:3x3",
];

/// A game with all sets `R_i`, `W_j` and `L_j`, computed by one engine.
struct Whole {
    engine: Engine,
    reach: Vec<Dfa>,
    levels: Vec<Level>,
}

impl Whole {
    /// `plies` limits the forward sets of games that never end.
    fn new(game: Arc<dyn Game>, plies: usize, backend: Backend) -> Self {
        let resources = Resources { backend, ..Resources::default() };
        let mut engine = Engine::new(game, &resources, None).unwrap();
        let mut iteration = Reach::new(&engine).unwrap();
        let mut reach = vec![iteration.set().clone()];
        while reach.len() <= plies && iteration.step(&mut engine).unwrap() {
            reach.push(iteration.set().clone());
        }
        let mut iteration = Retrograde::new(&engine, Chains::Both);
        let mut levels = vec![iteration.level().clone()];
        while iteration.step(&mut engine).unwrap() {
            levels.push(iteration.level().clone());
        }
        Self { engine, reach, levels }
    }

    /// Returns `W_j` and `L_j`, which are the sets of the fixpoint for all larger j.
    fn level(&self, j: usize) -> Level {
        self.levels[j.min(self.levels.len() - 1)].clone()
    }

    /// Checks that `RW[i][j] = R_i ∩ W_j` and `RL[i][j] = R_i ∩ L_j`.
    fn check(&mut self, layer: &ReachedLayer, i: usize, j: usize, what: &str) {
        let p = side_at(self.engine.game.as_ref(), i as u32).index();
        let level = self.level(j);
        for (found, whole, name) in [(&layer.win, &level.win[p], "RW"), (&layer.loss, &level.loss[p], "RL")] {
            let expected = self.engine.combine(&[&self.reach[i], whole], |x| x[0] && x[1]).unwrap();
            assert!(found == &expected, "{what}: {name}[{i}][{j}]");
        }
    }

    /// Meets after `forward` plies with the sets of `backward` plies, and backs up values to the start.
    fn split(&mut self, forward: usize, backward: usize, what: &str) {
        let what = format!("{what}, {forward} plies forward and {backward} backward");
        let p = side_at(self.engine.game.as_ref(), forward as u32).index();
        let level = self.level(backward);
        let all = self.reach[forward].clone();
        let mut layer = ReachedLayer::meeting(&mut self.engine, all, &level.win[p], &level.loss[p]).unwrap();
        self.check(&layer, forward, backward, &what);
        for i in (0..forward).rev() {
            let side = side_at(self.engine.game.as_ref(), i as u32);
            let all = self.reach[i].clone();
            layer = layer.back_up(&mut self.engine, all, side).unwrap();
            self.check(&layer, i, backward + forward - i, &what);
            let one = |x: &[bool]| x[0] != (x[1] || x[2] || x[3]) || x[1] && x[2] || x[3] && (x[1] || x[2]);
            let sets = [&layer.all, &layer.win, &layer.loss, &layer.undecided];
            assert!(
                self.engine.combine(&sets, one).unwrap().is_empty(),
                "{what}: each position must have exactly one value"
            );
        }
    }

    fn every_split(&mut self, what: &str) {
        for forward in 0..self.reach.len() {
            for backward in 0..self.levels.len() {
                self.split(forward, backward, what);
            }
        }
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn every_split_of_small_games_gives_the_retrograde_values() {
    for (at, spec) in SMALL.into_iter().enumerate() {
        let backends = [Backend::Recursion, Backend::Passes];
        for backend in backends.into_iter().skip(at % stride(2)).step_by(stride(2)) {
            Whole::new(game(spec), usize::MAX, backend).every_split(spec);
        }
    }
}

/// Games that describe terminal positions by several sets are backed up without a set of all terminal words. The reachable
/// positions include terminal positions of every value, and positions of every value without a legal move.
#[test]
fn values_in_play_are_those_of_all_words() {
    let random = (0..60).map(|seed| -> Arc<dyn Game> {
        let shape: &[u16] = [&[9][..], &[3, 4], &[2, 2, 3]][(seed % 3) as usize];
        Arc::new(Drawn::random(seed, shape))
    });
    let built_in = ["connect:3x3,row=3", "connect:4x3,row=3", "connect:3x2,row=1", "connect:2x2,row=3"];
    let mut seen = [0; 3];
    for (at, game) in built_in.map(game).into_iter().chain(random).enumerate() {
        let backend = if at % 2 == 0 { Backend::Recursion } else { Backend::Passes };
        let mut whole = Whole::new(Arc::clone(&game), 9, backend);
        let resources = Resources { backend, ..Resources::default() };
        let mut engine = Engine::in_play(game, &resources, None).unwrap();
        assert!(engine.is_in_play());
        for forward in 0..whole.reach.len() {
            let side = |ply: usize| side_at(whole.engine.game.as_ref(), ply as u32);
            let last = whole.reach[forward].clone();
            let mut layer = ReachedLayer::terminal(&mut engine, last, side(forward)).unwrap();
            let what = format!("game {at}, {forward} plies");
            for i in (0..=forward).rev() {
                let side = side_at(engine.game.as_ref(), i as u32);
                if i < forward {
                    layer = layer.back_up(&mut engine, whole.reach[i].clone(), side).unwrap();
                }
                whole.check(&layer, i, forward - i, &what);
                let sets = [&layer.all, &layer.win, &layer.loss, &layer.undecided];
                let wrong = |x: &[bool]| x[0] != (x[1] ^ x[2] ^ x[3]) || x[1] && x[2] && x[3];
                assert!(
                    engine.combine(&sets, wrong).unwrap().is_empty(),
                    "{what}: each position must have exactly one value"
                );
                let over = engine.partition(&layer.all, side).unwrap();
                let terminal = whole.engine.terminal(side).clone();
                for (found, rule) in [
                    (&over.playing, &terminal.playing),
                    (&over.win, &terminal.win),
                    (&over.draw, &terminal.draw),
                ] {
                    let expected = engine.combine(&[&layer.all, rule], |x| x[0] && x[1]).unwrap();
                    assert!(found == &expected, "{what}: the partition of ply {i}");
                }
                let lost = |x: &[bool]| x[0] && !x[1..].contains(&true);
                let loss = engine.combine(&[&layer.all, &over.playing, &over.win, &over.draw], lost).unwrap();
                for (count, set) in seen.iter_mut().zip([&over.win, &loss, &over.draw]) {
                    *count += set.count().unwrap();
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "wins, losses and draws: {seen:?}");
}

#[test]
fn every_split_of_breakthrough_3x4_gives_the_retrograde_values() {
    Whole::new(game("breakthrough:3x4"), usize::MAX, Backend::Recursion).every_split("breakthrough:3x4");
}

/// Covers cycles, terminal draws in the middle of the game, and plies whose successors are all decided while some of their own
/// positions are terminal draws.
#[test]
fn every_split_of_random_games_gives_the_retrograde_values() {
    for seed in 0..60 {
        let shape: &[u16] = [&[9][..], &[3, 4], &[2, 2, 3]][(seed % 3) as usize];
        let game: Arc<dyn Game> = Arc::new(Drawn::random(seed, shape));
        Whole::new(game, 9, if seed % 2 == 0 { Backend::Recursion } else { Backend::Passes })
            .every_split(&format!("random game {seed}"));
    }
}

/// The start leads to a terminal draw and to a loss. The next ply decides all losses, and must not turn the draw into a loss
/// merely because it is not a win.
#[test]
fn a_terminal_draw_beside_decided_positions_stays_a_draw() {
    let drawn = Drawn::new(&[5], Value::Loss)
        .arrow(Side::P1, &[0], &[1])
        .arrow(Side::P1, &[0], &[2])
        .over(Side::P2, &[1], Value::Draw)
        .arrow(Side::P2, &[2], &[3])
        .over(Side::P1, &[3], Value::Win);
    let mut whole = Whole::new(Arc::new(drawn), usize::MAX, Backend::Recursion);
    assert_eq!(whole.reach.len(), 3);
    whole.every_split("drawn beside decided");
    let layer = ReachedLayer::meeting(
        &mut whole.engine,
        whole.reach[2].clone(),
        &whole.levels[0].win[0].clone(),
        &whole.levels[0].loss[0].clone(),
    )
    .unwrap();
    assert!(layer.undecided.is_empty(), "everything at the last ply is decided");
    let before = layer.back_up(&mut whole.engine, whole.reach[1].clone(), Side::P2).unwrap();
    let draw = before.undecided;
    assert!(draw.contains(&[1]) && !draw.contains(&[2]));
}

fn get(run: &RunDir, kind: Kind, side: Side, ply: u32) -> nerode_dfa::Dfa {
    run.get(SetName { kind, side, ply }).unwrap()
}

/// Compares every set in a run directory with sets derived from the whole: `RD` contains the positions proved drawn, and `RU` the
/// undecided ones.
fn check_run(whole: &mut Whole, run: &RunDir, backward: usize, what: &str) {
    let progress = *run.progress();
    let last = progress.forward.unwrap();
    let settled = progress.fixpoint || progress.forward_complete;
    assert_eq!(progress.backed_up, Some(0), "{what}");
    for i in 0..=last {
        let engine = &mut whole.engine;
        let side = side_at(engine.game.as_ref(), i);
        let p = side.index();
        let all = whole.reach[i as usize].clone();
        let level = whole.levels[(backward + (last - i) as usize).min(whole.levels.len() - 1)].clone();
        let win = engine.combine(&[&all, &level.win[p]], |x| x[0] && x[1]).unwrap();
        let loss = engine.combine(&[&all, &level.loss[p]], |x| x[0] && x[1]).unwrap();
        let rest = engine.combine(&[&all, &win, &loss], |x| x[0] && !x[1] && !x[2]).unwrap();
        let over = engine.terminal(side).draw.clone();
        let draw = engine.combine(&[&rest, &over], |x| x[0] && (settled || x[1])).unwrap();
        let unknown = engine.combine(&[&rest, &draw], |x| x[0] && !x[1]).unwrap();
        for (kind, set) in
            [(Kind::R, &all), (Kind::RW, &win), (Kind::RL, &loss), (Kind::RD, &draw), (Kind::RU, &unknown)]
        {
            assert_eq!(&get(run, kind, side, i), set, "{what}: {kind:?} of ply {i}");
        }
    }
}

/// Returns splits as (backward plies, forward plies), where `None` means all plies.
fn splits(whole: &Whole) -> Vec<(Option<u32>, Option<u32>)> {
    let (f, b) = (whole.reach.len() as u32 - 1, whole.levels.len() as u32 - 1);
    let mut all = vec![(Some(0), Some(0)), (Some(0), None), (None, Some(0)), (None, None)];
    all.extend([(Some(2), Some(3)), (Some(b), Some(f)), (Some(b + 1), Some(1)), (Some(1), Some(f + 1))]);
    all.extend([(Some(b / 2), Some(f / 2)), (Some(3), Some(f.saturating_sub(1)))]);
    all
}

#[test]
#[ignore = "slow: .ci/slow"]
fn runs_hold_the_backed_up_values_and_say_what_is_unknown() {
    for spec in SMALL {
        let mut whole = Whole::new(game(spec), usize::MAX, Backend::Recursion);
        let explicit = oracle(game(spec).as_ref());
        for (backward, forward) in splits(&whole) {
            let what = format!("{spec}, backward {backward:?}, forward {forward:?}");
            let (dir, solution) = solved(spec, None, Plan::meet(backward, forward));
            let run = RunDir::open(dir.path()).unwrap();
            let progress = *run.progress();
            let (f, b) = (whole.reach.len() as u32 - 1, whole.levels.len() as u32 - 1);
            assert_eq!(progress.forward_complete, forward.is_none_or(|plies| plies >= f), "{what}");
            assert_eq!(progress.fixpoint, backward.is_none_or(|plies| plies > b), "{what}");
            assert_eq!(solution.is_complete(), progress.forward_complete || progress.fixpoint, "{what}");
            check_run(&mut whole, &run, progress.backward.unwrap_or(0) as usize, &what);
            check_answers(&solution, &explicit, &what);
            check_counts(&mut whole, &solution, &what);
        }
    }
}

fn holds(a: &Dfa, b: &Dfa, engine: &mut Engine) -> bool {
    engine.combine(&[a, b], |x| !x[0] && x[1]).unwrap().is_empty()
}

/// Uses the admissible positions instead of the reachable ones from every ply on. All values equal the retrograde ones, and the
/// set includes the reachable positions. The verifier reports no mismatch, and detects a superfluous word.
#[test]
#[ignore = "slow: .ci/slow"]
fn admissible_positions_take_the_place_of_those_reached() {
    for spec in ["amazons:2x3,start=1b/2/w1", "tictactoe:3x3", "tictactoe:2x3,k=2"] {
        let mut whole = Whole::new(game(spec), usize::MAX, Backend::Recursion);
        let explicit = oracle(game(spec).as_ref());
        let last = game(spec).shape().num_layers() as u32;
        for from in 0..=last + 1 {
            let what = format!("{spec}, admissible positions from ply {from} on");
            let dir = scratch();
            let mut request = Request::new(game(spec).as_ref(), Method::Meet, Some(0), None);
            request.admissible_from = Some(from);
            let resources = Resources::default();
            solve(game(spec), request, dir.path(), Existing::Refuse, &resources, &mut |_| ()).unwrap();
            let solution = StoredRun::open(dir.path()).unwrap();
            assert!(solution.is_complete(), "{what}");
            let plies = solution.run.progress().forward.unwrap();
            assert!(plies + 1 >= whole.reach.len() as u32, "{what}: {plies} plies");
            for ply in 0..=plies {
                let side = side_at(whole.engine.game.as_ref(), ply);
                let all = get(&solution.run, Kind::R, side, ply);
                let reached = whole.reach.get(ply as usize).cloned();
                let reached = reached.unwrap_or_else(|| Dfa::empty(all.shape()));
                if ply < from {
                    assert!(all == reached, "{what}: ply {ply}");
                } else {
                    assert!(
                        all == admissible_at(whole.engine.game.as_ref(), ply, u64::MAX).unwrap(),
                        "{what}: ply {ply}"
                    );
                    assert!(holds(&all, &reached, &mut whole.engine), "{what}: ply {ply}");
                }
                let level = whole.level(usize::MAX);
                for (kind, set) in [(Kind::RW, &level.win), (Kind::RL, &level.loss)] {
                    let both = |x: &[bool]| x[0] && x[1];
                    let expected = whole.engine.combine(&[&all, &set[side.index()]], both).unwrap();
                    assert!(get(&solution.run, kind, side, ply) == expected, "{what}: {kind:?} of ply {ply}");
                }
            }
            check_answers(&solution, &explicit, &what);
            for report in [
                one_ply::check(&solution, &resources, &mut |_| ()).unwrap(),
                against_oracle(&solution, &resources, &mut |_, _| ()).unwrap(),
            ] {
                assert_eq!(report.mismatches, 0, "{what}: {report:?}");
                assert!(report.checked > 0, "{what}");
            }
            let name = SetName { kind: Kind::R, side: side_at(solution.game.as_ref(), 1), ply: 1 };
            let outside = vec![0; last as usize];
            replace_sets(dir.path(), &[(name, toggled(&solution.run.get(name).unwrap(), &outside))]);
            let damaged = StoredRun::open(dir.path()).unwrap();
            assert!(one_ply::check(&damaged, &resources, &mut |_| ()).unwrap().mismatches > 0, "{what}");
        }
    }
}

/// Checks that every value in the run, for any position, equals the oracle's value, and that a complete run decides all reachable
/// positions.
fn check_answers(solution: &StoredRun, explicit: &nerode_oracle::ExplicitTable, what: &str) {
    let last = solution.run.progress().forward.unwrap();
    for side in Side::BOTH {
        let reachable: Vec<_> = (0..=last)
            .filter(|&ply| solution.side_at(ply) == side)
            .map(|ply| solution.set(Kind::R, side, ply).unwrap())
            .collect();
        for board in boards(solution.game.as_ref()) {
            let found = solution.get(&board, side).unwrap();
            let expected = explicit.lookup(&board, side).unwrap();
            if found.value().is_some() {
                assert_eq!(found.value(), expected.value(), "{what}: {board:?} {side}");
            } else {
                let word = solution.game.word_of(&board);
                let reached = reachable.iter().any(|set| set.contains(&word));
                assert!(!(solution.is_complete() && reached), "{what}: {board:?} {side} is unknown");
            }
            if let Outcome::Win(depth) | Outcome::Loss(depth) = found {
                let plies = expected.depth().unwrap();
                assert!(depth.exact().is_none_or(|exact| exact == plies), "{what}: {board:?} {side}");
                assert!(depth.bound().is_some_and(|most| plies <= most), "{what}: {board:?} {side}");
            }
        }
    }
    let (board, side) = solution.game.start();
    let start = report(solution).unwrap().start;
    assert_eq!(start.category, solution.get(&board, side).unwrap().name(), "{what}");
    assert!(!solution.is_complete() || start.category == explicit.lookup(&board, side).unwrap().name());
}

/// Checks that the counts by ply in the report equal the counts of the retrograde values over the reachable positions.
fn check_counts(whole: &mut Whole, solution: &StoredRun, what: &str) {
    let found = report(solution).unwrap();
    let mut sums = [[0u128; 4]; 2];
    for line in &found.plies {
        let side = side_at(whole.engine.game.as_ref(), line.ply);
        let all = whole.reach[line.ply as usize].clone();
        let [win, draw, loss, unknown] = [line.win, line.draw, line.loss, line.unknown];
        assert_eq!(line.side, side.to_string());
        assert_eq!(line.positions, all.count().unwrap(), "{what}, ply {}", line.ply);
        assert_eq!(win + draw + loss + unknown, line.positions, "{what}, ply {}", line.ply);
        for (sum, n) in sums[side.index()].iter_mut().zip([win, draw, loss, unknown]) {
            *sum += n;
        }
        if found.complete {
            let level = whole.level(usize::MAX);
            for (set, n) in [(&level.win, win), (&level.loss, loss)] {
                let expected = whole.engine.combine(&[&all, &set[side.index()]], |x| x[0] && x[1]).unwrap();
                assert_eq!(expected.count().unwrap(), n, "{what}, ply {}", line.ply);
            }
            assert_eq!(unknown, 0, "{what}, ply {}", line.ply);
        }
    }
    for (sum, side) in sums.iter().zip([&found.sides.p1, &found.sides.p2]) {
        let counted = [&side.win, &side.draw, &side.loss, &side.unknown];
        assert_eq!(*sum, counted.map(|c| c.positions), "{what}: sums by side");
    }
}

/// A game that cycles forever is unknown if it is cut off by plies, and drawn once the retrograde sets are final.
#[test]
fn a_cycle_is_unknown_until_the_fixpoint_proves_the_draw() {
    let mut drawn = Drawn::new(&[4], Value::Loss);
    for side in Side::BOTH {
        drawn = drawn.arrow(side, &[0], &[1]).arrow(side, &[1], &[2]).arrow(side, &[2], &[0]);
        // Adds a losing line, so that there is something to decide.
        drawn = drawn.arrow(side, &[2], &[3]).over(side, &[3], Value::Win);
    }
    let game: Arc<dyn Game> = Arc::new(drawn);
    for (backward, plan_name, expected) in
        [(Some(0), "cut short", Kind::RU), (None, "to the fixpoint", Kind::RD)]
    {
        let dir = scratch();
        let run = solve_in(dir.path(), &game, Plan::meet(backward, Some(7))).unwrap();
        for (kind, holds) in [(Kind::RU, expected == Kind::RU), (Kind::RD, expected == Kind::RD)] {
            let set = get(&run, kind, Side::P1, 0);
            assert_eq!(set.contains(&[0]), holds, "{plan_name}: {kind:?}");
        }
        for kind in [Kind::RW, Kind::RL] {
            assert!(get(&run, kind, Side::P1, 0).is_empty(), "{plan_name}: {kind:?}");
        }
    }
}

/// A search from the start of a game whose positions repeat ends with an error instead of going on forever.
#[test]
fn reached_positions_that_repeat_are_an_error() {
    let dir = scratch();
    let game = game("morris:three");
    let request = Request::new(game.as_ref(), Method::Meet, Some(0), None);
    let resources = Resources::default();
    let error = solve(game, request, dir.path(), Existing::Refuse, &resources, &mut |_| ()).unwrap_err();
    assert!(matches!(error, Error::NotForGame { lack: Lack::End, .. }), "{error}");
}
