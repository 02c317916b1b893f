//! Benchmarks of the main operations on sets of 5 x 5 boards with white and black pawns. The results are checked.
#![allow(missing_docs, reason = "criterion's macros generate an undocumented function")]
#![allow(clippy::unwrap_used, reason = "benchmarks fail by panicking")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use nerode_dfa::{Dfa, MoveGraph, Set, Shape, Step, Store};

const WIDTH: usize = 5;
const HEIGHT: usize = 5;
const EMPTY: u8 = 0;

/// Returns the pawn moves of one colour: straight ahead to an empty cell, or diagonally ahead to a cell that is empty
/// or occupied by the other colour.
fn moves(shape: &Shape, own: u8, other: u8, up: bool) -> MoveGraph {
    let mut graph = MoveGraph::new(shape.clone());
    for from in 0..WIDTH * HEIGHT {
        let (file, rank) = (from % WIDTH, from / WIDTH);
        if rank == if up { HEIGHT - 1 } else { 0 } {
            continue;
        }
        let ahead = if up { rank + 1 } else { rank - 1 };
        for target in file.saturating_sub(1)..=(file + 1).min(WIDTH - 1) {
            let arrivals: &[(u8, u8)] =
                if target == file { &[(EMPTY, own)] } else { &[(EMPTY, own), (other, own)] };
            let to = ahead * WIDTH + target;
            graph.add(Step::identity().change(from, own, EMPTY).change_any(to, arrivals)).unwrap();
        }
    }
    graph
}

/// Sets like those of a solve: the boards from which white, to move, reaches the last rank within a given number of
/// turns.
struct Boards {
    shape: Shape,
    white: MoveGraph,
    won: Vec<Dfa>,
}

impl Boards {
    fn new(turns: usize) -> Self {
        let shape = Shape::uniform(WIDTH * HEIGHT, 3).unwrap();
        let (white, black) = (moves(&shape, 1, 2, true), moves(&shape, 2, 1, false));
        let mut store = Store::unbounded(shape.clone());
        let (forth, back) = (store.relation(&white).unwrap(), store.relation(&black).unwrap());
        let last: Vec<usize> = (WIDTH * (HEIGHT - 1)..WIDTH * HEIGHT).collect();
        let through = store.letter_count(1, &last, 1..=WIDTH).unwrap();
        let first: Vec<usize> = (0..WIDTH).collect();
        let arrived = store.letter_count(2, &first, 1..=WIDTH).unwrap();
        let mut won = vec![store.freeze(&through)];
        let mut set = through.clone();
        for _ in 0..turns {
            let open = store.complement(&set).unwrap();
            let escapes = store.preimage(&open, &back).unwrap();
            let safe = store.union(&escapes, &arrived).unwrap();
            let lost = store.complement(&safe).unwrap();
            let wins = store.preimage(&lost, &forth).unwrap();
            set = store.union(&through, &wins).unwrap();
            won.push(store.freeze(&set));
        }
        Self { shape, white, won }
    }

    /// Creates a new store for every measurement, so that no results are cached from the previous one.
    fn fresh(&self, sets: &[&Dfa]) -> (Store, Vec<Set>) {
        let mut store = Store::unbounded(self.shape.clone());
        let sets = sets.iter().map(|set| store.import(set).unwrap()).collect();
        (store, sets)
    }
}

/// Measures the time of `run`, excluding the set-up before it and the check after it.
fn timed<T, R>(
    n: u64,
    set_up: impl Fn() -> T,
    run: impl Fn(&mut T) -> R,
    check: impl Fn(&mut T, R),
) -> Duration {
    let mut total = Duration::ZERO;
    for _ in 0..n {
        let mut input = set_up();
        let start = Instant::now();
        let result = black_box(run(&mut input));
        total += start.elapsed();
        check(&mut input, result);
    }
    total
}

fn union(c: &mut Criterion, boards: &Boards) {
    let (before, last) = (&boards.won[boards.won.len() - 2], &boards.won[boards.won.len() - 1]);
    // Boards that are won late, and boards with few pawns; neither set contains the other.
    let all: Vec<usize> = (0..WIDTH * HEIGHT).collect();
    let few = Dfa::letter_count(&boards.shape, EMPTY, &all, 12..=20).unwrap();
    let (mut store, sets) = boards.fresh(&[before, last, &few]);
    let late = store.difference(&sets[1], &sets[0]).unwrap();
    let both = store.intersection(&late, &sets[2]).unwrap();
    let count = store.count(&late).unwrap() + store.count(&sets[2]).unwrap() - store.count(&both).unwrap();
    let late = store.freeze(&late);
    c.bench_function("union", |b| {
        b.iter_custom(|n| {
            timed(
                n,
                || boards.fresh(&[&late, &few]),
                |(store, sets)| store.union(&sets[0], &sets[1]).unwrap(),
                |(store, _), union| assert_eq!(store.count(&union).unwrap(), count),
            )
        });
    });
}

/// Returns `true` if some move of white leads from `board` into `set`, by trying all moves.
fn leads_into(set: &Dfa, board: &[u8]) -> bool {
    (0..WIDTH * (HEIGHT - 1)).filter(|&from| board[from] == 1).any(|from| {
        let (file, ahead) = (from % WIDTH, from - from % WIDTH + WIDTH);
        (file.saturating_sub(1)..=(file + 1).min(WIDTH - 1)).any(|target| {
            let to = ahead + target;
            let mut after = board.to_vec();
            (after[from], after[to]) = (EMPTY, 1);
            board[to] != 1 && (target != file || board[to] == EMPTY) && set.contains(&after)
        })
    })
}

fn preimage(c: &mut Criterion, boards: &Boards) {
    let target = &boards.won[boards.won.len() - 1];
    let set_up = || {
        let (mut store, sets) = boards.fresh(&[target]);
        let moves = store.relation(&boards.white).unwrap();
        (store, sets, moves)
    };
    let check = |store: &mut Store, preimage: Set| {
        let open = store.complement(&preimage).unwrap();
        for (set, leads) in [(&preimage, true), (&open, false)] {
            let sample = store.freeze(set).ranking().unwrap().sample(1, 300);
            assert!(sample.len() == 300 && sample.iter().all(|board| leads_into(target, board) == leads));
        }
    };
    c.bench_function("preimage", |b| {
        b.iter_custom(|n| {
            timed(
                n,
                set_up,
                |(store, sets, moves)| store.preimage(&sets[0], moves).unwrap(),
                |(store, ..), preimage| check(store, preimage),
            )
        });
    });
}

fn single_sets(c: &mut Criterion, boards: &Boards) {
    let won = &boards.won[boards.won.len() - 1];
    let (mut store, sets) = boards.fresh(&[won]);
    let open = store.complement(&sets[0]).unwrap();
    let open = store.freeze(&open);
    let mut words = won.ranking().unwrap().sample(2, 3000);
    words.extend(open.ranking().unwrap().sample(3, 7000));
    c.bench_function("membership of 10000 words", |b| {
        b.iter(|| assert_eq!(words.iter().filter(|word| won.contains(black_box(word))).count(), 3000));
    });
    let rest = open.count().unwrap();
    c.bench_function("count", |b| b.iter(|| assert_eq!(won.count().unwrap() + rest, 3u128.pow(25))));
    c.bench_function("freeze", |b| {
        b.iter_custom(|n| timed(n, || (), |()| store.freeze(&sets[0]), |(), dfa| assert_eq!(&dfa, won)));
    });
}

fn operations(c: &mut Criterion) {
    let boards = Boards::new(4);
    union(c, &boards);
    preimage(c, &boards);
    single_sets(c, &boards);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = operations
}
criterion_main!(benches);
