//! Tests the explicit oracle on hand-drawn games, against another algorithm on random games, and against closed forms.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

use nerode_games::outcome::code16::MAX_DEPTH;
use nerode_games::outcome::{Depth, Outcome};
use nerode_games::{CellChange, ExplicitGame, Move, Side, Value};
use nerode_oracle::{
    Control, Error, ExplicitTable, ReachedControl, ReachedSolution, TableMethod, bytes_needed, solve,
    solve_by, solve_reached,
};
use proptest::prelude::*;

/// A game given as a graph. It has one cell, whose content is the node, and arrows from every node for each side.
#[derive(Clone, Debug)]
struct Graph {
    states: Vec<u16>,
    start: u8,
    arrows: [Vec<Vec<u8>>; 2],
    terminal: [Vec<Option<Value>>; 2],
    falling: bool,
}

impl Graph {
    /// Creates the nodes `0..n` without arrows. None of them is terminal.
    fn new(n: u16) -> Self {
        let len = usize::from(n);
        Self {
            states: vec![n],
            start: u8::try_from(n - 1).unwrap(),
            arrows: [vec![vec![]; len], vec![vec![]; len]],
            terminal: [vec![None; len], vec![None; len]],
            falling: false,
        }
    }

    /// Adds arrows of both sides from a node.
    fn both(mut self, node: u8, to: &[u8]) -> Self {
        for side in &mut self.arrows {
            side[usize::from(node)] = to.to_vec();
        }
        self
    }

    /// Makes a node terminal, with a value for the side to move.
    fn over(mut self, node: u8, value: Value) -> Self {
        for side in &mut self.terminal {
            side[usize::from(node)] = Some(value);
        }
        self
    }
}

impl ExplicitGame for Graph {
    fn cell_states(&self) -> &[u16] {
        &self.states
    }
    fn start(&self) -> (Vec<u8>, Side) {
        (vec![self.start], Side::P1)
    }
    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.terminal[side.index()][usize::from(board[0])]
    }
    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        for &after in &self.arrows[side.index()][usize::from(board[0])] {
            out.push([CellChange { cell: 0, after }].into_iter().collect());
        }
    }
    fn moves_lower_index(&self) -> bool {
        self.falling
    }
}

fn run(method: TableMethod, game: &(dyn ExplicitGame + Sync)) -> Result<ExplicitTable, Error> {
    run_within(method, game, 1 << 30, false)
}

fn run_within(
    method: TableMethod,
    game: &(dyn ExplicitGame + Sync),
    memory_limit: u64,
    interrupted: bool,
) -> Result<ExplicitTable, Error> {
    let interrupt = AtomicBool::new(interrupted);
    let mut last = (0, 1);
    let progress = &mut |done, total| {
        assert!(done <= total);
        last = (done, total);
    };
    let solution = solve_by(
        method,
        game,
        "the game under test",
        Control { memory_limit, interrupt: &interrupt, progress },
    )?;
    assert_eq!(last.0, last.1, "the last progress report must be complete");
    Ok(solution)
}

fn value_at(game: &Graph, node: u64) -> (Value, Option<u32>) {
    let verdict = run(TableMethod::Sweeps, game).unwrap().get(Side::P1, node).unwrap();
    (verdict.value().unwrap(), verdict.depth())
}

#[test]
fn a_cycle_nobody_leaves_is_a_draw() {
    let game = Graph::new(3).over(0, Value::Win).both(1, &[2]).both(2, &[1, 0]);
    assert_eq!(value_at(&game, 1), (Value::Draw, None));
    // From 2, the side to move may stay in the cycle or enter a position that is won for the opponent. Staying is better.
    assert_eq!(value_at(&game, 2), (Value::Draw, None));
}

#[test]
fn a_terminal_start_has_depth_zero() {
    for value in [Value::Win, Value::Draw, Value::Loss] {
        let solution = run(TableMethod::Sweeps, &Graph::new(1).over(0, value)).unwrap();
        assert_eq!(solution.stats().start.value(), Some(value));
        assert_eq!(solution.stats().start.depth(), (value != Value::Draw).then_some(0));
        assert_eq!(solution.stats().max_depth(), (value != Value::Draw).then_some(0));
    }
}

#[test]
fn a_stuck_side_has_the_value_its_rules_give() {
    // No side can move at node 0. This is a loss under one rule and a draw under another.
    let lost = Graph::new(2).over(0, Value::Loss).both(1, &[0]);
    assert_eq!(value_at(&lost, 1), (Value::Win, Some(1)));
    let drawn = Graph::new(2).over(0, Value::Draw).both(1, &[0]);
    assert_eq!(value_at(&drawn, 1), (Value::Draw, None));
}

#[test]
fn no_move_without_a_value_contradicts_the_rules() {
    for method in [TableMethod::Sweeps, TableMethod::SinglePass] {
        let error = run(method, &Graph::new(2).both(1, &[0])).unwrap_err();
        assert!(matches!(&error, Error::Rules { reason, .. } if reason.contains("no legal move")), "{error}");
    }
}

#[test]
fn a_win_takes_the_shortest_way() {
    // From 5, a move leads directly to 0, and another takes the long way over 4, 3, 2 and 1.
    let game = Graph::new(6)
        .over(0, Value::Loss)
        .both(1, &[0])
        .both(2, &[1])
        .both(3, &[2])
        .both(4, &[3])
        .both(5, &[4, 0]);
    assert_eq!(value_at(&game, 4), (Value::Loss, Some(4)));
    assert_eq!(value_at(&game, 5), (Value::Win, Some(1)));
}

#[test]
fn a_loss_takes_the_longest_way() {
    // Nodes 1 and 3 are won in 1 and 3 plies. A player who must enter one of them loses as late as possible.
    let game = Graph::new(5).over(0, Value::Loss).both(1, &[0]).both(2, &[1]).both(3, &[2]).both(4, &[1, 3]);
    assert_eq!(value_at(&game, 3), (Value::Win, Some(3)));
    assert_eq!(value_at(&game, 4), (Value::Loss, Some(4)));
}

#[test]
fn a_draw_beats_a_loss_and_a_win_beats_a_draw() {
    let game = Graph::new(6)
        .over(0, Value::Draw)
        .over(1, Value::Win)
        .over(2, Value::Loss)
        .both(3, &[0, 1])
        .both(4, &[0, 1, 2])
        .both(5, &[1]);
    assert_eq!(value_at(&game, 3), (Value::Draw, None));
    assert_eq!(value_at(&game, 4), (Value::Win, Some(1)));
    assert_eq!(value_at(&game, 5), (Value::Loss, Some(1)));
}

#[test]
fn stats_count_both_sides_and_every_depth() {
    let mut game = Graph::new(4).over(0, Value::Loss).both(1, &[0]).both(2, &[3]).both(3, &[2]);
    game.terminal[1][3] = Some(Value::Win);
    // P1: 0 lost (0), 1 won (1), 2 must enter 3, which is won by P2 at once: lost (1); 3 enters 2 with P2 to move.
    // P2: 0 lost (0), 1 won (1), 3 won (0); 2 enters 3 with P1 to move: drawn, because P1 then enters 2 again.
    let solution = run(TableMethod::Sweeps, &game).unwrap();
    let [first, second] = solution.stats().sides;
    assert_eq!((first.win, first.draw, first.loss), (1, 1, 2));
    assert_eq!((second.win, second.draw, second.loss), (2, 1, 1));
    assert_eq!(solution.stats().histogram, [3, 3]);
    assert_eq!(solution.codes(Side::P1), [1, 4, 3, 0]);
    assert_eq!(solution.codes(Side::P2), [1, 4, 0, 2]);
}

#[test]
fn a_broken_promise_of_falling_indices_is_found() {
    let mut game = Graph::new(3).over(0, Value::Loss).both(1, &[2]).both(2, &[0]);
    game.falling = true;
    let interrupt = AtomicBool::new(false);
    let control = Control { memory_limit: 1 << 20, interrupt: &interrupt, progress: &mut |_, _| () };
    let error = solve(&game, "liar", control).unwrap_err();
    assert!(
        matches!(&error, Error::Rules { game, reason } if game == "liar" && reason.contains("lower")),
        "{error}"
    );
}

#[test]
fn a_move_out_of_the_board_is_found() {
    let game = Graph::new(2).over(0, Value::Loss).both(1, &[7]);
    assert!(matches!(run(TableMethod::Sweeps, &game), Err(Error::Rules { .. })));
    let game = Graph::new(2).over(0, Value::Loss).both(1, &[1]);
    assert!(matches!(run(TableMethod::Sweeps, &game), Err(Error::Rules { .. })));
}

#[test]
fn memory_is_checked_first_and_interrupts_are_heard() {
    let game = Graph::new(200).over(0, Value::Loss);
    for method in [TableMethod::Sweeps, TableMethod::SinglePass] {
        let error = run_within(method, &game, 799, false).unwrap_err();
        assert!(matches!(error, Error::TooLarge { needed_bytes: 800, limit_bytes: 799, .. }));
        assert!(matches!(run_within(method, &game, 800, true), Err(Error::Interrupted)));
    }
    assert_eq!(bytes_needed(200), 800);
}

/// A single long game: position `i` of a board of two cells leads to position `i - 1` and nowhere else.
struct Chain([u16; 2]);

impl ExplicitGame for Chain {
    fn cell_states(&self) -> &[u16] {
        &self.0
    }
    fn start(&self) -> (Vec<u8>, Side) {
        (self.0.iter().map(|&k| u8::try_from(k - 1).unwrap()).collect(), Side::P1)
    }
    fn outcome(&self, board: &[u8], _: Side) -> Option<Value> {
        (board == [0, 0]).then_some(Value::Loss)
    }
    fn legal_moves(&self, board: &[u8], _: Side, out: &mut Vec<Move>) {
        if board == [0, 0] {
            return;
        }
        let set = |cell, after| CellChange { cell, after };
        out.push(if board[1] == 0 {
            [set(0, board[0] - 1), set(1, u8::try_from(self.0[1] - 1).unwrap())].into_iter().collect()
        } else {
            [set(1, board[1] - 1)].into_iter().collect()
        });
    }
    fn moves_lower_index(&self) -> bool {
        true
    }
}

#[test]
fn depths_reach_the_greatest_code_and_past_it_is_an_error() {
    let solution = run(TableMethod::SinglePass, &Chain([217, 151])).unwrap();
    assert_eq!(217 * 151 - 1, u32::from(MAX_DEPTH));
    assert_eq!(solution.stats().max_depth(), Some(MAX_DEPTH));
    assert_eq!(solution.stats().start, Outcome::loss_in(MAX_DEPTH.into()));
    assert_eq!(solution.stats().histogram, vec![2; 217 * 151]);
    let error = run(TableMethod::SinglePass, &Chain([128, 256])).unwrap_err();
    assert!(matches!(&error, Error::TooDeep { most: 32766, .. }), "{error}");
}

/// Performs retrograde analysis by counting, position by position from the end backwards, without tables of codes and sweeps.
fn by_counting(game: &Graph) -> Vec<[Option<Outcome>; 2]> {
    let nodes = usize::from(game.states[0]);
    let mut found: Vec<[Option<Outcome>; 2]> = vec![[None; 2]; nodes];
    let mut open: Vec<[usize; 2]> = vec![[0; 2]; nodes];
    let mut queue = VecDeque::new();
    for node in 0..nodes {
        for side in Side::BOTH {
            let s = side.index();
            open[node][s] = game.arrows[s][node].len();
            if let Some(value) = game.terminal[s][node] {
                let depth = (value != Value::Draw).then_some(0);
                found[node][s] = Some(Outcome::new(value, Depth::of(depth)));
                if value != Value::Draw {
                    queue.push_back((node, side));
                }
            }
        }
    }
    while let Some((node, side)) = queue.pop_front() {
        let decided = found[node][side.index()].unwrap();
        let (value, depth) = (decided.value().unwrap(), decided.depth().unwrap());
        let p = side.other().index();
        for before in 0..nodes {
            let arrows = game.arrows[p][before].iter().filter(|&&to| usize::from(to) == node).count();
            if arrows == 0 || found[before][p].is_some() {
                continue;
            }
            open[before][p] -= arrows;
            if value == Value::Loss || open[before][p] == 0 {
                found[before][p] = Some(Outcome::new(value.negated(), Depth::Exact(depth + 1)));
                queue.push_back((before, side.other()));
            }
        }
    }
    for entry in found.iter_mut().flatten() {
        entry.get_or_insert(Outcome::DRAW);
    }
    found
}

/// Generates random graphs. If `falling` is set, arrows lead only to lower nodes.
fn graphs(falling: bool) -> impl Strategy<Value = Graph> {
    let node = (prop::collection::vec(any::<u8>(), 0..5), 0_u8..12);
    prop::collection::vec((node.clone(), node), 1..40).prop_map(move |nodes| {
        let n = nodes.len();
        let mut game = Graph::new(u16::try_from(n).unwrap());
        game.falling = falling;
        for (at, (first, second)) in nodes.into_iter().enumerate() {
            for (s, (targets, kind)) in [first, second].into_iter().enumerate() {
                let mut to: Vec<u8> = targets
                    .into_iter()
                    .map(|t| if falling { usize::from(t) % at.max(1) } else { usize::from(t) % n })
                    .filter(|&t| t != at)
                    .map(|t| u8::try_from(t).unwrap())
                    .collect();
                to.sort_unstable();
                to.dedup();
                game.terminal[s][at] = match kind {
                    0 => Some(Value::Loss),
                    1 => Some(Value::Draw),
                    2 => Some(Value::Win),
                    _ if to.is_empty() => Some(Value::Loss),
                    _ => None,
                };
                if game.terminal[s][at].is_none() {
                    game.arrows[s][at] = to;
                }
            }
        }
        game
    })
}

fn assert_equals_counting(solution: &ExplicitTable, game: &Graph) {
    for (node, expected) in (0_u64..).zip(by_counting(game)) {
        for side in Side::BOTH {
            assert_eq!(solution.get(side, node), expected[side.index()], "node {node}, {side} to move");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn sweeps_equal_counting_on_random_graphs(game in graphs(false)) {
        assert_equals_counting(&run(TableMethod::Sweeps, &game).unwrap(), &game);
        assert_equals_counting(&run(TableMethod::Predecessors, &game).unwrap(), &game);
    }

    #[test]
    fn single_pass_equals_counting_on_random_falling_graphs(game in graphs(true)) {
        assert_equals_counting(&run(TableMethod::SinglePass, &game).unwrap(), &game);
        assert_equals_counting(&run(TableMethod::Sweeps, &game).unwrap(), &game);
    }
}

fn open(spec: &str) -> std::sync::Arc<dyn nerode_games::Game> {
    nerode_games::registry::open(spec).unwrap()
}

#[test]
fn nim_is_lost_exactly_when_the_heaps_cancel() {
    let game = open("nim:3x7");
    let solution = run(TableMethod::Sweeps, &*game).unwrap();
    for index in 0..solution.indexer().num_positions() {
        let board = solution.indexer().board_of(index).unwrap();
        let expected = if board.iter().fold(0, |x, &heap| x ^ heap) == 0 { Value::Loss } else { Value::Win };
        for side in Side::BOTH {
            assert_eq!(
                solution.lookup(&board, side).unwrap().value(),
                Some(expected),
                "{board:?}, {side} to move"
            );
        }
    }
    let [first, second] = solution.stats().sides;
    assert_eq!((first.win, first.draw, first.loss), (448, 0, 64));
    assert_eq!(first, second);
}

#[test]
fn tictactoe_is_a_draw() {
    let solution = run(TableMethod::Sweeps, &*open("tictactoe:3x3")).unwrap();
    assert_eq!(solution.stats().start, Outcome::DRAW);
}

/// All methods and all numbers of threads give the same table.
#[test]
#[ignore = "slow: .ci/slow"]
fn methods_and_threads_agree() {
    for spec in
        ["nim:3x7", "nim:8x3", "tictactoe:3x3", "breakthrough:3x4", "breakthrough:2x6", "breakthrough:2x5"]
    {
        let game = open(spec);
        let swept = run(TableMethod::Sweeps, &*game).unwrap();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| run(TableMethod::Sweeps, &*game)).unwrap();
            assert_same(spec, &swept, &again);
            for method in [TableMethod::Predecessors, TableMethod::Orbits] {
                assert_same(spec, &swept, &pool.install(|| run(method, &*game)).unwrap());
            }
            if game.moves_lower_index() {
                let passed = pool.install(|| run(TableMethod::SinglePass, &*game)).unwrap();
                assert_same(spec, &swept, &passed);
            }
        }
    }
}

/// Endgames in which sides capture, promote and have equal men: by orbits as by sweeps, with the boards that no orbit represents.
#[test]
#[ignore = "slow: .ci/slow"]
fn orbits_have_the_codes_of_all_their_boards() {
    for spec in [
        "chess:KRvK,board=4x4",
        "chess:KPvK,board=4x5",
        "chess:KQvKN,board=4x4",
        "chess:KNNvK,board=4x4",
        "chess:KRvKR,board=4x4,misere",
        "chess:KvKP,board=5x4",
    ] {
        let game = open(spec);
        let swept = run(TableMethod::Sweeps, &*game).unwrap();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for method in [TableMethod::Predecessors, TableMethod::Orbits] {
                assert_same(spec, &swept, &pool.install(|| run(method, &*game)).unwrap());
            }
        }
    }
}

/// If predecessors do not fit, sweeps take their place.
#[test]
fn sweeps_need_less_memory() {
    let game = open("chess:KQvK,board=4x4");
    let solved = |memory_limit| {
        let interrupt = AtomicBool::new(false);
        solve(&*game, "KQvK", Control { memory_limit, interrupt: &interrupt, progress: &mut |_, _| () })
            .unwrap()
    };
    let (small, ample) = (solved(4 * 17 * 16 * 16), solved(1 << 24));
    assert_eq!((small.method(), ample.method()), (TableMethod::Sweeps, TableMethod::Predecessors));
    assert_same("KQvK", &small, &ample);
    let error = run_within(TableMethod::Orbits, &*game, 4 * 17 * 16 * 16, false).unwrap_err();
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
}

#[test]
#[ignore = "half a minute of processor time each in a debug build"]
fn endgames_of_four_men_have_the_published_longest_wins() {
    have_longest_wins(&[
        ("KQvKB", 33),
        ("KQvKN", 41),
        ("KRvKB", 57),
        ("KRvKN", 79),
        ("KQvKQ", 25),
        ("KRvKR", 37),
    ]);
}

#[test]
#[ignore = "a minute of processor time and 1.6 GB; run by name in a release build"]
fn a_rook_against_a_pawn_has_the_published_longest_win() {
    have_longest_wins(&[("KRvKP", 85)]);
}

/// Compares the longest wins of endgames in plies with the published ones.
fn have_longest_wins(endgames: &[(&str, u16)]) {
    for &(men, longest) in endgames {
        let game = open(&format!("chess:{men}"));
        let began = std::time::Instant::now();
        let table = run_within(TableMethod::Orbits, &*game, 8 << 30, false).unwrap();
        println!("{men}: {:.1} s", began.elapsed().as_secs_f64());
        // Wins take an odd number of plies, because they end with a move of the winner.
        let decided = (0..).zip(&table.stats().histogram).filter(|(_, count)| **count > 0);
        let deepest = decided.map(|(depth, _)| depth).filter(|depth| depth % 2 == 1).max();
        assert_eq!(deepest, Some(longest), "{men}");
    }
}

fn assert_same(spec: &str, one: &ExplicitTable, other: &ExplicitTable) {
    for side in Side::BOTH {
        let differ = one.codes(side).iter().zip(other.codes(side)).position(|(a, b)| a != b);
        assert_eq!(differ, None, "{spec}, {side} to move");
    }
    assert_eq!(one.stats(), other.stats());
}

#[test]
fn single_pass_is_taken_exactly_when_promised() {
    for spec in ["nim:3x7", "tictactoe:3x3", "breakthrough:3x4"] {
        let game = open(spec);
        let interrupt = AtomicBool::new(false);
        let control = Control { memory_limit: 1 << 30, interrupt: &interrupt, progress: &mut |_, _| () };
        let method = solve(&*game, spec, control).unwrap().method();
        assert_eq!(method == TableMethod::SinglePass, game.moves_lower_index(), "{spec}");
    }
}

/// The start values were found by a separate search: a memoised recursion over the reachable positions, written from the rules in
/// another language.
#[test]
fn breakthrough_starts_agree_with_a_separate_search() {
    let starts = [
        ("2x4", Value::Loss, 8),
        ("2x5", Value::Loss, 10),
        ("2x6", Value::Win, 15),
        ("3x4", Value::Loss, 12),
    ];
    for (board, value, depth) in starts {
        let solution = run(TableMethod::SinglePass, &*open(&format!("breakthrough:{board}"))).unwrap();
        assert_eq!(solution.stats().start, Outcome::new(value, Depth::Exact(depth)), "{board}");
        // Rotating the board and exchanging the sides gives the same game.
        let [first, second] = solution.stats().sides;
        assert_eq!(first, second, "{board}");
    }
}

/// Solves the reached positions of a graph in a pool of `threads` threads, from the start and more positions.
fn reached(game: &Graph, starts: &[(u8, Side)], threads: usize) -> Result<ReachedSolution, Error> {
    let interrupt = AtomicBool::new(false);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let control = ReachedControl {
            memory_limit: 1 << 30,
            most_positions: None,
            interrupt: &interrupt,
            progress: &mut |_| (),
        };
        let mut starts = starts.iter().map(|&(node, side)| (vec![node], side));
        solve_reached(game, "the game under test", &mut starts, control)
    })
}

/// Returns the nodes and sides that can be reached, by a search that stores them in a list.
fn reachable(game: &Graph, starts: &[(u8, Side)]) -> Vec<(u8, Side)> {
    let mut found = vec![(game.start, Side::P1)];
    found.extend(starts);
    let mut at = 0;
    while let Some(&(node, side)) = found.get(at) {
        for &next in &game.arrows[side.index()][usize::from(node)] {
            if !found.contains(&(next, side.other())) {
                found.push((next, side.other()));
            }
        }
        at += 1;
    }
    found.sort_unstable();
    found.dedup();
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn reached_positions_are_those_of_a_list_with_the_values_of_counting(
        game in any::<bool>().prop_flat_map(graphs),
        more in prop::collection::vec((any::<u8>(), any::<bool>()), 0..3),
    ) {
        let n = game.states[0] as u8;
        let side = |second| if second { Side::P2 } else { Side::P1 };
        let more: Vec<(u8, Side)> = more.iter().map(|&(node, second)| (node % n, side(second))).collect();
        let found = by_counting(&game);
        let solution = reached(&game, &more, 2).unwrap();
        let listed = reachable(&game, &more);
        prop_assert_eq!(solution.num_positions(), listed.len() as u64);
        for node in 0..n {
            for side in Side::BOTH {
                let expected = listed.contains(&(node, side)).then(|| found[usize::from(node)][side.index()]);
                prop_assert_eq!(solution.get(&[node], side), expected.flatten(), "{} {}", node, side);
            }
        }
    }
}

#[test]
fn reached_positions_with_a_broken_rule_are_an_error() {
    for game in [
        Graph::new(2).both(1, &[0]),
        Graph::new(2).over(0, Value::Loss).both(1, &[7]),
        Graph::new(2).over(0, Value::Loss).both(1, &[1]),
    ] {
        assert!(matches!(reached(&game, &[], 1), Err(Error::Rules { .. })), "{game:?}");
    }
    assert!(matches!(reached(&Graph::new(2), &[(2, Side::P1)], 1), Err(Error::Rules { .. })));
}

#[test]
fn depths_of_reached_positions_end_at_the_greatest_code() {
    let solve = |game: &Chain| {
        let interrupt = AtomicBool::new(false);
        let progress = &mut |_| ();
        let control =
            ReachedControl { memory_limit: 1 << 30, most_positions: None, interrupt: &interrupt, progress };
        solve_reached(game, "a chain", &mut std::iter::empty(), control)
    };
    let solution = solve(&Chain([217, 151])).unwrap();
    assert_eq!(solution.stats().start, Outcome::loss_in(MAX_DEPTH.into()));
    assert_eq!(solution.stats().num_plies, u32::from(MAX_DEPTH) + 1);
    assert!(matches!(solve(&Chain([128, 256])), Err(Error::TooDeep { most: 32766, .. })));
}
