//! Compares the symbolic solver with the explicit oracle: value and depth of every position of small games, for both sides to
//! move, in several letter orders and through every query method, and also of random games with cycles. Among the families of the
//! registry, only morris and chess may cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::common::drawn::Drawn;
use crate::common::{Plan, boards, oracle, scratch, solve_in, solved};
use nerode_dfa::{Dfa, Set};
use nerode_games::explicit::apply;
use nerode_games::registry::{families, open, open_with_order};
use nerode_games::{Game, Side, Value};
use nerode_oracle::{self as explicit, Control, solve_by};
use nerode_report::run::report;
use nerode_solver::archive::run_dir::{Kind, SetName};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::check::tables::against_oracle;
use nerode_solver::outcome::{Outcome, code16};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::method::Chains;
use nerode_solver::solve::resources::{Backend, Resources};
use nerode_solver::solve::retrograde::Retrograde;
use nerode_solver::solve::rules::CompiledRules;
use rayon::prelude::*;

/// The stored sets of one side, by ply.
struct Plies<'a> {
    win: Vec<&'a Dfa>,
    loss: Vec<&'a Dfa>,
    draw: &'a Dfa,
    unknown: &'a Dfa,
}

impl<'a> Plies<'a> {
    fn read(solution: &'a StoredRun, side: Side) -> Self {
        let last = solution.last_ply();
        let set = |kind, ply| solution.set(kind, side, ply).unwrap();
        let series = |kind| (0..=last).map(|ply| set(kind, ply)).collect();
        Self {
            win: series(Kind::W),
            loss: series(Kind::L),
            draw: set(Kind::D, last),
            unknown: set(Kind::U, last),
        }
    }

    /// Asserts that a word is exactly in the sets from the depth of its position on.
    fn check(&self, word: &[u8], found: Outcome, text: &str) {
        for (sets, value) in [(&self.win, Value::Win), (&self.loss, Value::Loss)] {
            for (ply, set) in sets.iter().enumerate() {
                let expected =
                    found.value() == Some(value) && found.depth().is_some_and(|depth| depth as usize <= ply);
                assert_eq!(set.contains(word), expected, "{text}: {value} within {ply} plies");
            }
        }
        assert_eq!(self.draw.contains(word), found == Outcome::DRAW, "{text}: draw");
        assert!(!self.unknown.contains(word), "{text}: unknown");
    }
}

/// Compares every position through every query method.
fn compare(spec: &str, order: Option<&str>) -> explicit::Stats {
    let (_dir, solution) = solved(spec, order, Plan::RETROGRADE);
    let game = Arc::clone(&solution.game);
    let explicit = oracle(game.as_ref());
    let stats = explicit.stats().clone();
    assert!(solution.is_complete());
    assert_eq!(Some(solution.last_ply()), stats.max_depth().map(u32::from), "{spec}: plies to the fixpoint");
    for side in Side::BOTH {
        let map = solution.value_map(side, &Resources::default()).unwrap();
        let plies = Plies::read(&solution, side);
        for board in boards(game.as_ref()) {
            let expected = explicit.lookup(&board, side).unwrap();
            let word = game.word_of(&board);
            let text = || format!("{spec} {order:?} {board:?} {side}");
            assert_eq!(solution.get(&board, side).unwrap(), expected, "{}", text());
            assert_eq!(code16::outcome(map.get(&word)), expected, "{}", text());
            plies.check(&word, expected, &text());
        }
    }
    compare_counts(&solution, &stats);
    let checked = against_oracle(&solution, &Resources::default(), &mut |_, _| ()).unwrap();
    assert_eq!((checked.checked, checked.mismatches), (2 * game.shape().num_words().unwrap(), 0));
    stats
}

/// Checks that the counts and the start value of the report match the oracle.
fn compare_counts(solution: &StoredRun, stats: &explicit::Stats) {
    let report = report(solution).unwrap();
    for (found, expected) in [&report.sides.p1, &report.sides.p2].into_iter().zip(&stats.sides) {
        let number = |counted: &nerode_report::run::Counted| u64::try_from(counted.positions).unwrap();
        assert_eq!(
            (number(&found.win), number(&found.draw), number(&found.loss), number(&found.unknown)),
            (expected.win, expected.draw, expected.loss, 0)
        );
    }
    assert_eq!(report.start.side, stats.start_side.to_string());
    assert_eq!(report.start.category, stats.start.name());
    assert_eq!(report.start.dtw, stats.start.depth());
    let winner = match stats.start.value().unwrap() {
        Value::Win => stats.start_side.to_string(),
        Value::Loss => stats.start_side.other().to_string(),
        Value::Draw => "draw".to_string(),
    };
    assert_eq!(report.winner, Some(winner));
}

/// The known values of some small games: the value of the start for the side to move, and its depth.
const KNOWN: [(&str, Value, Option<u32>); 5] = [
    ("tictactoe:3x3", Value::Draw, None),
    ("connect:3x3,row=3", Value::Draw, None),
    ("othello:3x3", Value::Loss, Some(6)),
    ("othello:3x3,margin=-8,empties=winner", Value::Loss, Some(6)),
    ("morris:three", Value::Win, Some(9)),
];

/// Compares every small game of the registry in its default letter order.
#[test]
#[ignore = "slow: .ci/slow"]
fn small_games_of_every_family_agree() {
    let specs: Vec<&str> = families().iter().flat_map(|info| info.small.iter().copied()).collect();
    assert!(KNOWN.iter().all(|(spec, ..)| specs.contains(spec)), "{specs:?}");
    specs.par_iter().for_each(|spec| {
        let stats = compare(spec, None);
        if let Some((_, value, depth)) = KNOWN.iter().find(|(known, ..)| known == spec) {
            assert_eq!((stats.start.value(), stats.start.depth()), (Some(*value), *depth), "{spec}");
        }
        let draws = stats.sides[0].draw + stats.sides[1].draw;
        if ["nim", "breakthrough", "amazons"].iter().any(|family| spec.starts_with(family)) {
            assert_eq!(draws, 0, "{spec} has no draws");
        }
        if ["connect", "chess"].iter().any(|family| spec.starts_with(family)) {
            assert!(stats.sides.iter().all(|side| side.draw > 0), "{spec}: {stats:?}");
        }
        if spec.starts_with("chess:KRvK") {
            assert!(stats.max_depth() >= Some(9), "{spec}: {stats:?}");
        }
    });
}

#[test]
fn nim_agrees() {
    for spec in ["nim:1x1", "nim:2x4", "nim:3x5", "nim:4x3"] {
        let stats = compare(spec, None);
        assert_eq!(stats.sides[0].draw + stats.sides[1].draw, 0, "{spec} has no draws");
    }
    compare("nim:3x4", Some("cells:2,0,1"));
}

#[test]
fn tictactoe_agrees() {
    for (spec, order) in [
        ("tictactoe:2x2,k=1", None),
        ("tictactoe:2x2,k=2", Some("columns")),
        ("tictactoe:3x2,k=2", Some("cells:4,1,0,5,3,2")),
        ("tictactoe:3x1,k=2", None),
        ("tictactoe:3x3,k=2", None),
        ("tictactoe:3x3", Some("rows-inside-out")),
    ] {
        compare(spec, order);
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn tictactoe_4x3_agrees() {
    let stats = compare("tictactoe:4x3", None);
    assert_eq!(stats.start.value(), Some(Value::Win));
}

/// Covers both encodings. Unreachable boards are drawn, so most positions are draws.
#[test]
fn connect_agrees() {
    for (spec, order, value) in [
        ("connect:4x2,row=2", Some("rows-down"), Value::Win),
        ("connect:2x4,row=3", Some("cells:7,1,0,4,2,6,5,3"), Value::Draw),
        ("connect:1x4,row=1", None, Value::Win),
        ("connect:4x2,row=2,encoding=columns", Some("rows"), Value::Win),
    ] {
        let stats = compare(spec, order);
        assert_eq!(stats.start.value(), Some(value), "{spec}");
        assert!(stats.sides.iter().all(|side| side.draw > side.win + side.loss), "{spec}: {stats:?}");
    }
}

#[test]
fn connect_4x3_agrees() {
    assert_eq!(compare("connect:4x3,row=3,encoding=columns", None).start.value(), Some(Value::Win));
}

#[test]
fn breakthrough_agrees() {
    for (spec, order) in [
        ("breakthrough:2x4", Some("cells:6,1,0,3,7,2,5,4")),
        ("breakthrough:2x4", Some("diagonals")),
        ("breakthrough:2x5", Some("columns-middle-out")),
    ] {
        let stats = compare(spec, order);
        assert_eq!(stats.sides[0].draw + stats.sides[1].draw, 0, "{spec} has no draws");
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn breakthrough_3x4_agrees() {
    compare("breakthrough:3x4", None);
}

/// Covers passes, draws, and results that depend on a margin. The board 4 x 3 is the largest that is fast enough for the default
/// suite.
#[test]
fn othello_agrees() {
    for (spec, order, value, depth) in [
        ("othello:3x3", Some("diagonals"), Value::Loss, Some(6)),
        ("othello:3x3,empties=winner,margin=-8", Some("columns"), Value::Loss, Some(6)),
    ] {
        let stats = compare(spec, order);
        assert_eq!((stats.start.value(), stats.start.depth()), (Some(value), depth), "{spec}");
        let margin = spec.contains("margin");
        assert!(
            stats.sides.iter().all(|side| (side.draw == 0) == margin),
            "{spec}: draws must occur exactly without a margin"
        );
    }
}

/// Covers orthogonal and diagonal lines, unequal numbers of amazons, and an arrow at the start.
#[test]
fn amazons_agree() {
    for (spec, order) in [
        ("amazons:2x3,start=1b/2/w1", Some("columns")),
        ("amazons:3x2,start=1b1/w1w", Some("cells:4,1,0,5,3,2")),
        ("amazons:2x4,start=1b/2/2/w1", Some("serpentine")),
    ] {
        let stats = compare(spec, order);
        assert_eq!(stats.sides[0].draw + stats.sides[1].draw, 0, "{spec} has no draws");
        assert!(stats.max_depth() >= Some(2), "{spec}: {stats:?}");
    }
}

#[test]
#[ignore = "half a minute in a debug build"]
fn othello_4x3_agrees() {
    assert_eq!(compare("othello:4x3", None).start.value(), Some(Value::Win));
    assert_eq!(compare("othello:3x4", Some("columns")).start.value(), Some(Value::Win));
}

#[test]
#[ignore = "slow: .ci/slow"]
fn amazons_3x3_agree() {
    compare("amazons:3x3,start=2b/3/w2", None);
}

/// Three men's morris on the other board, with the layers of the hands after the points: a game with draws by repetition.
#[test]
fn morris_agrees() {
    let stats = compare("morris:three,diagonals=no", Some("rings-hands-last"));
    assert_eq!((stats.start.value(), stats.start.depth()), (Some(Value::Draw), None));
    assert!(stats.max_depth() >= Some(5), "{stats:?}");
}

/// Endgames on small boards, including the endgames after captures and promotions, mates, stalemates, and words that are not
/// positions.
#[test]
fn chess_agrees() {
    for (spec, order, deepest) in
        [("chess:KQvK,board=4x4", Some("kings-first"), 7), ("chess:KPvK,board=4x4", None, 9)]
    {
        let stats = compare(spec, order);
        assert!(stats.max_depth() >= Some(deepest), "{spec}: {stats:?}");
        assert!(stats.sides.iter().all(|side| side.draw > 0));
    }
}

/// A run that was cut short decides exactly the positions that end within its plies, and terminal draws. All other positions are
/// unknown, never drawn.
#[test]
fn a_run_cut_short_knows_what_its_plies_decide() {
    for spec in ["tictactoe:3x3,k=2", "tictactoe:2x2,k=2", "nim:2x4", "breakthrough:2x4"] {
        let game = open(spec).unwrap();
        let explicit = oracle(game.as_ref());
        let last = explicit.stats().max_depth().map_or(0, u32::from);
        for plies in [0, 1, 2, 3, last / 2, last - 1, last, last + 1] {
            let (_dir, solution) = solved(spec, None, Plan::retrograde(plies));
            assert_eq!(solution.is_complete(), plies > last, "{spec} within {plies}");
            for side in Side::BOTH {
                let map = solution.value_map(side, &Resources::default()).unwrap();
                for board in boards(game.as_ref()) {
                    let found = explicit.lookup(&board, side).unwrap();
                    let terminal = game.outcome(&board, side).is_some();
                    let decided = match found.depth() {
                        Some(depth) => depth <= plies,
                        None => terminal || solution.is_complete(),
                    };
                    let expected = if decided { found } else { Outcome::Unknown };
                    let text = format!("{spec} within {plies}: {board:?} {side}");
                    assert_eq!(solution.get(&board, side).unwrap(), expected, "{text}");
                    assert_eq!(code16::outcome(map.get(&game.word_of(&board))), expected, "{text}");
                }
            }
        }
    }
}

/// Returns the boards after each legal move of `side`.
fn successors(game: &dyn Game, board: &[u8], side: Side) -> BTreeSet<Vec<u8>> {
    let mut moves = Vec::new();
    if game.outcome(board, side).is_none() {
        game.legal_moves(board, side, &mut moves);
    }
    moves.iter().map(|mv| apply(board, mv)).collect()
}

fn members(rules: &CompiledRules, set: &Set) -> BTreeSet<Vec<u8>> {
    rules.freeze(set).words().map(|word| rules.game.board_of(&word)).collect()
}

#[test]
fn image_and_preimage_of_one_position_are_its_moves() {
    let nothing = BTreeSet::new();
    for (spec, order) in [
        ("nim:2x4", None),
        ("tictactoe:2x2,k=2", None),
        ("tictactoe:3x2,k=2", Some("columns")),
        ("othello:3x3", Some("columns-middle-out")),
        ("breakthrough:2x4", Some("serpentine")),
        ("amazons:2x3,start=1b/2/w1", Some("columns")),
        ("connect:2x3,row=2", None),
        ("connect:3x2,row=3,encoding=columns", Some("diagonals")),
    ] {
        let game = open_with_order(spec, order).unwrap();
        let mut rules = CompiledRules::new(Arc::clone(&game), &Resources::default()).unwrap();
        for side in Side::BOTH {
            let mut before: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>> = BTreeMap::new();
            for board in boards(game.as_ref()) {
                for after in successors(game.as_ref(), &board, side) {
                    before.entry(after).or_default().insert(board.clone());
                }
            }
            for (i, board) in boards(game.as_ref()).enumerate() {
                let one = rules.store.word(&game.word_of(&board)).unwrap();
                let image = rules.image(&one, side).unwrap();
                assert_eq!(
                    members(&rules, &image),
                    successors(game.as_ref(), &board, side),
                    "{spec} {board:?}"
                );
                let preimage = rules.preimage(&one, side).unwrap();
                let expected = before.get(&board).unwrap_or(&nothing);
                assert_eq!(&members(&rules, &preimage), expected, "{spec} back from {board:?}");
                if i % 500 == 499 {
                    rules.store.collect();
                }
            }
        }
    }
}

/// Returns the set of the boards that `keep` accepts, built from an explicit list of words.
fn explicit_set(game: &dyn Game, keep: impl Fn(&[u8]) -> bool) -> Dfa {
    let words: Vec<Vec<u8>> = boards(game).filter(|board| keep(board)).collect();
    Dfa::from_sorted_words(game.shape(), &words).unwrap()
}

/// Compares the levels of the iteration and the stored sets of a drawn game with the oracle's sweeps.
fn compare_drawn(game: Drawn, name: &str) -> explicit::Stats {
    let game: Arc<dyn Game> = Arc::new(game);
    let stats = compare_drawn_by(&game, name, Backend::Recursion);
    assert_eq!(stats, compare_drawn_by(&game, name, Backend::Passes));
    stats
}

fn compare_drawn_by(game: &Arc<dyn Game>, name: &str, backend: Backend) -> explicit::Stats {
    let interrupt = AtomicBool::new(false);
    let control = Control { memory_limit: 1 << 20, interrupt: &interrupt, progress: &mut |_, _| () };
    let explicit = solve_by(explicit::TableMethod::Sweeps, game.as_ref(), name, control).unwrap();
    let resources = Resources { backend, ..Resources::default() };
    let mut engine = Engine::new(Arc::clone(game), &resources, None).unwrap();
    let mut retrograde = Retrograde::new(&engine, Chains::Both);
    let dir = scratch();
    let run = solve_in(dir.path(), game, Plan::RETROGRADE).unwrap();
    loop {
        let ply = retrograde.ply();
        for side in Side::BOTH {
            for (kind, value, sets) in [
                (Kind::W, Value::Win, &retrograde.level().win),
                (Kind::L, Value::Loss, &retrograde.level().loss),
            ] {
                let within = |board: &[u8]| {
                    let found = explicit.lookup(board, side).unwrap();
                    found.value() == Some(value) && found.depth().is_some_and(|depth| depth <= ply)
                };
                let expected = explicit_set(game.as_ref(), within);
                assert!(sets[side.index()] == expected, "{name}: {kind:?}-{side}-{ply}");
                let stored = run.get(SetName { kind, side, ply }).unwrap();
                assert_eq!(stored, expected, "{name}: stored {kind:?}-{side}-{ply}");
            }
        }
        if !retrograde.step(&mut engine).unwrap() {
            break;
        }
    }
    let last = retrograde.ply();
    assert_eq!(run.progress().backward, Some(last));
    for side in Side::BOTH {
        let drawn = |board: &[u8]| explicit.lookup(board, side) == Some(Outcome::DRAW);
        let expected = explicit_set(game.as_ref(), drawn);
        assert_eq!(run.get(SetName { kind: Kind::D, side, ply: last }).unwrap(), expected, "{name}");
        assert!(run.get(SetName { kind: Kind::U, side, ply: last }).unwrap().is_empty(), "{name}");
    }
    explicit.stats().clone()
}

#[test]
#[ignore = "slow: .ci/slow"]
fn random_games_with_cycles_agree() {
    let (mut deepest, mut draws) = (0, 0);
    for seed in 0..150 {
        let shape: &[u16] = [&[7][..], &[2, 5], &[3, 2, 4], &[2, 2, 2, 2, 2]][(seed % 4) as usize];
        let stats = compare_drawn(Drawn::random(seed, shape), &format!("random game {seed}"));
        deepest = deepest.max(stats.max_depth().unwrap_or(0));
        draws += stats.sides[0].draw + stats.sides[1].draw;
    }
    // Ensures that the random games are varied enough to test anything.
    assert!(deepest >= 8 && draws >= 500, "deepest {deepest}, {draws} draws");
}

/// Either 0 <-> 1 forever, or 1 -> 2, where the side to move has won. Neither side leaves the cycle.
#[test]
fn a_cycle_that_nobody_leaves_is_a_draw() {
    let mut game = Drawn::new(&[3], Value::Loss);
    for side in Side::BOTH {
        game = game.arrow(side, &[0], &[1]).arrow(side, &[1], &[0]).arrow(side, &[1], &[2]);
        game = game.over(side, &[2], Value::Win);
    }
    let stats = compare_drawn(game, "cycle");
    assert_eq!((stats.start.value(), stats.sides[0].draw), (Some(Value::Draw), 2));
}

#[test]
fn terminal_starts_and_dead_ends_agree() {
    for value in [Value::Win, Value::Draw, Value::Loss] {
        let stats = compare_drawn(Drawn::new(&[1], value), "one board, no move");
        assert_eq!(stats.start.value(), Some(value));
        let over = Drawn::new(&[2], Value::Loss).over(Side::P1, &[0], value).arrow(Side::P1, &[0], &[1]);
        assert_eq!(
            compare_drawn(over, "terminal at the start").start.value(),
            Some(value),
            "a move after the end"
        );
    }
}

/// A repeated operation is answered from the cache: one look-up, one hit, no new state.
#[test]
fn the_computed_cache_is_used() {
    let mut rules = CompiledRules::new(open("breakthrough:3x4").unwrap(), &Resources::default()).unwrap();
    let full = rules.store.full();
    let odd = rules.store.letter_count(1, &[0, 1, 2, 3, 4, 5], 1..=2).unwrap();
    let moves = rules.side(Side::P1).moves.clone();
    let some = rules.store.difference(&full, &odd).unwrap();
    let first = rules.store.preimage(&some, &moves).unwrap();
    let before = rules.store.stats().clone();
    let second = rules.store.preimage(&some, &moves).unwrap();
    let after = rules.store.stats().clone();
    assert!(first == second);
    assert_eq!(after.states_made, before.states_made);
    let (lookups, hits) = (after.lookups - before.lookups, after.hits - before.hits);
    assert_eq!(lookups, hits, "every look-up of a repeated operation must hit");
    assert!(lookups >= 1, "a repeated operation must perform a look-up");

    // Within a single solve, the cache must also answer a significant fraction of the look-ups.
    let game = open("breakthrough:3x4").unwrap();
    let mut engine = Engine::new(game, &Resources::default(), None).unwrap();
    let mut retrograde = Retrograde::new(&engine, Chains::Both);
    while retrograde.step(&mut engine).unwrap() {}
    let stats = engine.recursion_stats().unwrap();
    assert!(stats.hits * 10 > stats.lookups, "{stats:?}");
}
