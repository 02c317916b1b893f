//! Times of look-ups of single positions: in the sets of wins and losses, in a value map with depths, in a run
//! directory, and in the explicit table as the baseline. All of them look up the same random positions, and every
//! result is checked against the explicit solver while it is timed.
#![allow(missing_docs, reason = "the macros of criterion generate an undocumented function")]
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use nerode_dfa::Dfa;
use nerode_games::{Game, Side, Value, registry};
use nerode_oracle::{Control, ExplicitTable as Table, solve as solve_explicitly};
use nerode_solver::archive::run_dir::{Kind, Request};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::outcome::{Outcome, code16};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;

const SPEC: &str = "breakthrough:3x5";
const POSITIONS: usize = 10_000;
const SIDE: Side = Side::P1;

/// Random boards with their outcomes according to the explicit solver.
struct Probes {
    words: Vec<Vec<u8>>,
    boards: Vec<Vec<u8>>,
    outcomes: Vec<Outcome>,
}

impl Probes {
    fn new(game: &dyn Game, table: &Table) -> Self {
        let full = Dfa::full(game.shape());
        let words = full.ranking().unwrap().sample(1, POSITIONS);
        let boards: Vec<Vec<u8>> = words.iter().map(|word| game.board_of(word)).collect();
        let outcomes: Vec<Outcome> = boards.iter().map(|board| table.lookup(board, SIDE).unwrap()).collect();
        // Breakthrough has no draws. Both values must be frequent for the look-ups to be meaningful.
        let won = outcomes.iter().filter(|found| found.value() == Some(Value::Win)).count();
        assert!(won > POSITIONS / 20 && won < POSITIONS - POSITIONS / 20, "{won} of {POSITIONS} won");
        Self { words, boards, outcomes }
    }
}

fn explicit_table(game: &dyn Game) -> Table {
    let interrupt = AtomicBool::new(false);
    let control = Control { memory_limit: u64::MAX, interrupt: &interrupt, progress: &mut |_, _| () };
    solve_explicitly(game, SPEC, control).unwrap()
}

fn look_ups(c: &mut Criterion) {
    let game = registry::open(SPEC).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    let resources = Resources::default();
    solve(Arc::clone(&game), request, dir.path(), Existing::Refuse, &resources, &mut |_| ()).unwrap();
    let run = StoredRun::open(dir.path()).unwrap();
    let table = explicit_table(game.as_ref());
    let probes = Probes::new(game.as_ref(), &table);
    let last = run.last_ply();
    let (won, lost) = (run.set(Kind::W, SIDE, last).unwrap(), run.set(Kind::L, SIDE, last).unwrap());
    let map = run.value_map(SIDE, &resources).unwrap();

    let mut group = c.benchmark_group(format!("{SPEC}, {POSITIONS} random positions"));
    group.throughput(Throughput::Elements(POSITIONS as u64));
    group.bench_function("value in the sets W and L", |b| {
        b.iter(|| {
            for (word, found) in probes.words.iter().zip(&probes.outcomes) {
                let word = black_box(word);
                let expected = found.value() == Some(Value::Win);
                assert!(won.contains(word) == expected && lost.contains(word) != expected);
            }
        });
    });
    group.bench_function("value and depth in the value map", |b| {
        b.iter(|| {
            for (word, found) in probes.words.iter().zip(&probes.outcomes) {
                assert_eq!(code16::outcome(map.get(black_box(word))), *found);
            }
        });
    });
    group.bench_function("value and depth in the run directory's sets", |b| {
        b.iter(|| {
            for (board, found) in probes.boards.iter().zip(&probes.outcomes) {
                assert_eq!(run.get(black_box(board), SIDE).unwrap(), *found);
            }
        });
    });
    group.bench_function("value and depth in the explicit table", |b| {
        b.iter(|| {
            for (board, found) in probes.boards.iter().zip(&probes.outcomes) {
                assert_eq!(table.lookup(black_box(board), SIDE), Some(*found));
            }
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = look_ups
}
criterion_main!(benches);
