//! Times of complete solves: both symbolic methods into a run directory, the retrograde iteration alone, and the
//! explicit solver as the baseline in the same group. Every result is checked while it is timed.
#![allow(missing_docs, reason = "the macros of criterion generate an undocumented function")]
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};
use nerode_games::{Game, registry};
use nerode_oracle::{Control, solve as solve_explicitly};
use nerode_report::run::report;
use nerode_solver::archive::run_dir::Request;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::Resources;
use nerode_solver::solve::retrograde::Retrograde;

/// A board and the depth of its start position, which the explicit solver has determined and which the second player wins.
struct Board {
    spec: &'static str,
    depth: u32,
}

const SMALL: Board = Board { spec: "breakthrough:3x5", depth: 18 };
const LARGE: Board = Board { spec: "breakthrough:4x4", depth: 14 };

impl Board {
    fn game(&self) -> Arc<dyn Game> {
        registry::open(self.spec).unwrap()
    }
}

/// Measures everything that `nerode solve` does except printing: iteration, checkpoints of every ply, and the report.
fn into_run_directory(group: &mut BenchmarkGroup<'_, WallTime>, board: &Board, method: Method) {
    let game = board.game();
    let backward_plies = if method == Method::Meet { Some(0) } else { None };
    // Meet-in-the-middle runs do not contain depths.
    let depth = (method == Method::Retrograde).then_some(board.depth);
    group.bench_function(format!("{method:?} into a run directory").to_lowercase(), |b| {
        b.iter(|| {
            let dir = tempfile::tempdir().unwrap();
            let request = Request::new(game.as_ref(), method, backward_plies, None);
            let resources = Resources::default();
            solve(Arc::clone(&game), request, dir.path(), Existing::Refuse, &resources, &mut |_| ()).unwrap();
            let report = report(&StoredRun::open(dir.path()).unwrap()).unwrap();
            assert_eq!(report.winner.as_deref(), Some("P2"));
            assert_eq!(report.start.dtw, depth);
        });
    });
}

/// Measures the engine alone: compiling the rules and iterating W_i and L_i to their fixpoint, without writing files.
fn in_memory(group: &mut BenchmarkGroup<'_, WallTime>, board: &Board) {
    let game = board.game();
    let (start, side) = game.start();
    let word = game.word_of(&start);
    group.bench_function("retrograde in memory", |b| {
        b.iter(|| {
            let mut engine = Engine::new(Arc::clone(&game), &Resources::default(), None).unwrap();
            let mut iteration = Retrograde::new(&engine, Chains::Both);
            let mut lost_at = None;
            while iteration.step(&mut engine).unwrap() {
                if lost_at.is_none() && iteration.level().loss[side.index()].contains(&word) {
                    lost_at = Some(iteration.ply());
                }
            }
            assert_eq!(lost_at, Some(board.depth));
        });
    });
}

/// Measures the baseline, which has one table entry for every position.
fn explicitly(group: &mut BenchmarkGroup<'_, WallTime>, board: &Board) {
    let game = board.game();
    let interrupt = AtomicBool::new(false);
    group.bench_function("explicit table", |b| {
        b.iter(|| {
            let control = Control { memory_limit: u64::MAX, interrupt: &interrupt, progress: &mut |_, _| () };
            let solution = solve_explicitly(game.as_ref(), board.spec, control).unwrap();
            assert_eq!(solution.stats().start.depth(), Some(board.depth));
        });
    });
}

fn whole_solves(c: &mut Criterion) {
    for board in [&SMALL, &LARGE] {
        let mut group = c.benchmark_group(board.spec);
        into_run_directory(&mut group, board, Method::Retrograde);
        into_run_directory(&mut group, board, Method::Meet);
        in_memory(&mut group, board);
        // Filling the table of the larger board takes seconds, so only one baseline is measured.
        if board.spec == SMALL.spec {
            explicitly(&mut group, board);
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(5));
    targets = whole_solves
}
criterion_main!(benches);
