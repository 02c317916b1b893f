//! The morris family: comparison of both descriptions on random positions of every board with every combination of
//! options, and the outcomes of particular positions.

use std::collections::BTreeSet;

use crate::common::successors;
use nerode_dfa::{MoveGraph, NodeIndex, Store};
use nerode_games::morris::{Phases, Rules, rules_of};
use nerode_games::{Side, Value};

/// A move graph with the predecessors of each node, and with the nodes at which a move may end.
struct Walk {
    graph: MoveGraph,
    nodes: Vec<(Vec<NodeIndex>, bool)>,
}

impl Walk {
    fn new(graph: MoveGraph) -> Self {
        let nodes =
            (0..graph.num_nodes()).map(|n| (graph.predecessors(n).collect(), graph.is_sink(n))).collect();
        Self { graph, nodes }
    }
}

/// Returns the words to which the graph leads from `word`, by following its edges step by step instead of compiling it.
fn walk(walk: &Walk, word: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut after: Vec<BTreeSet<Vec<u8>>> = Vec::with_capacity(walk.nodes.len());
    let mut ends = BTreeSet::new();
    for (node, (predecessors, is_sink)) in walk.nodes.iter().enumerate() {
        let step = walk.graph.step(node);
        let mut before: BTreeSet<Vec<u8>> =
            predecessors.iter().flat_map(|&node| after[node].iter().cloned()).collect();
        if predecessors.is_empty() {
            before.insert(word.to_vec());
        }
        let mut here = BTreeSet::new();
        for word in before.iter().filter(|word| step.pre.holds(word)) {
            let mut next = word.clone();
            let changed = step.changes.iter().all(|change| {
                let pair = change.pairs.iter().find(|pair| pair.0 == word[change.layer]);
                pair.is_some_and(|pair| {
                    next[change.layer] = pair.1;
                    true
                })
            });
            if changed && step.post.holds(&next) {
                here.insert(next);
            }
        }
        if *is_sink {
            ends.extend(here.iter().cloned());
        }
        after.push(here);
    }
    ends
}

/// Small pseudorandom numbers, which are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Returns a board that may occur with `side` to move. The hands fit the turn order, mills are frequent, and there are
/// rarely more than a few stones per side if both hands are empty.
fn random_board(rules: &Rules, side: Side, dice: &mut Dice) -> Vec<u8> {
    let num_points = rules.board.num_points();
    let [first, second] = rules.stones.map(usize::from);
    let turns = if dice.below(3) == 0 { 0 } else { dice.below(first.max(second) + 2) };
    let hands = match rules.phases {
        Phases::Separate if turns == 0 => [0, 0],
        // One in sixteen boards may have hands that do not fit the turn order.
        Phases::Separate if dice.below(16) > 0 => {
            [first.saturating_sub(turns), second.saturating_sub(turns - side.index())]
        }
        _ => [dice.below(first + 1), dice.below(second + 1)],
    };
    let mut board = vec![0; num_points];
    for (player, stone) in [(0, 1u8), (1, 2)] {
        let most = rules.stones[player] as usize - hands[player];
        let mut left = dice.below(most + 1).max(dice.below(4).min(most));
        let mut place = |points: u32, left: &mut usize, dice: &mut Dice| {
            for point in (0..num_points).filter(|&p| points >> p & 1 == 1) {
                if board[point] == 0 && *left > 0 && dice.below(4) > 0 {
                    board[point] = stone;
                    *left -= 1;
                }
            }
        };
        let mills = rules.board.mills();
        if dice.below(4) == 0 {
            // These are all stones but the last of every mill through one point.
            let point = dice.below(num_points);
            left = most;
            for mill in mills.iter().filter(|&mill| mill >> point & 1 == 1) {
                place(mill & !(1 << point), &mut left, dice);
            }
            left = left.min(dice.below(3));
        }
        for _ in 0..20 {
            place(mills[dice.below(mills.len())], &mut left, dice);
        }
    }
    board.extend(hands.map(|stones| stones as u8));
    board
}

/// The cases that a comparison has covered, so that tests can check that none is missing.
#[derive(Debug, Default)]
struct Seen {
    ended: usize,
    drawn: usize,
    no_move: usize,
    quiet: usize,
    taking: usize,
    taking_two: usize,
    from_mills: usize,
    standing: usize,
    flying: usize,
}

impl Seen {
    fn note(&mut self, rules: &Rules, side: Side, board: &[u8], after: &[u8]) {
        let (own, other) = (side.index() as u8 + 1, 2 - side.index() as u8);
        let set = |board: &[u8], stone: u8| -> u32 {
            (0..rules.board.num_points()).filter(|&p| board[p] == stone).fold(0, |set, p| set | 1 << p)
        };
        let (theirs, left) = (set(board, other), set(after, other));
        let (from, to) = (set(board, own) & !set(after, own), set(after, own) & !set(board, own));
        let taken = theirs & !left;
        match taken.count_ones() {
            0 if rules.board.in_mills(set(after, own)) & to != 0 => self.standing += 1,
            0 => self.quiet += 1,
            1 => self.taking += 1,
            _ => self.taking_two += 1,
        }
        self.from_mills += usize::from(rules.board.in_mills(theirs) & taken != 0);
        let leap = from != 0 && rules.board.neighbours(from.trailing_zeros() as usize) & to == 0;
        self.flying += usize::from(leap);
    }
}

/// Compares terminal values and moves of both descriptions on `number` random boards of `spec`.
fn compare(spec: &str, number: usize, seed: u64, seen: &mut Seen) {
    let (game, rules) = rules_of(spec).unwrap();
    for side in Side::BOTH {
        let mut store = Store::unbounded(game.shape().clone());
        let terminal = game.terminal(&mut store, side).unwrap();
        let graph = Walk::new(game.moves(&mut store, side).unwrap());
        let mut dice = Dice(seed);
        for _ in 0..number {
            let board = random_board(&rules, side, &mut dice);
            let word = game.word_of(&board);
            let sets =
                [(&terminal.win, Value::Win), (&terminal.loss, Value::Loss), (&terminal.draw, Value::Draw)];
            let said: Vec<Value> =
                sets.iter().filter(|(set, _)| store.contains(set, &word)).map(|&(_, v)| v).collect();
            assert!(said.len() <= 1, "{spec} {board:?} {side}: {said:?}");
            let outcome = game.outcome(&board, side);
            let after = successors(game.as_ref(), &board, side);
            if let Some(&said) = said.first() {
                assert_eq!((outcome, after.len()), (Some(said), 0), "{spec} {board:?} {side}");
                seen.ended += 1;
                seen.drawn += usize::from(said == Value::Draw);
                continue;
            }
            let expected: BTreeSet<Vec<u8>> = after.iter().map(|board| game.word_of(board)).collect();
            assert_eq!(walk(&graph, &word), expected, "{spec} {board:?} {side}");
            assert_eq!(outcome, after.is_empty().then_some(game.no_move_value()), "{spec} {board:?} {side}");
            seen.no_move += usize::from(after.is_empty());
            for after in &after {
                seen.note(&rules, side, &board, after);
            }
        }
    }
}

/// Returns all combinations of options of a preset.
fn combinations(preset: &str) -> Vec<String> {
    let mut specs = vec![format!("morris:{preset}")];
    for (key, values) in [
        ("capture", ["always", "protected"]),
        ("take", ["1", "2"]),
        ("phases", ["separate", "mixed"]),
        ("fly", ["yes", "no"]),
        ("fullboard", ["loss", "draw"]),
    ] {
        specs = specs
            .iter()
            .flat_map(|spec| values.iter().map(move |value| format!("{spec},{key}={value}")))
            .collect();
    }
    specs
}

#[test]
#[ignore = "slow: .ci/slow"]
fn descriptions_agree_on_every_board_under_all_options() {
    let mut no_move = 0;
    // Closing two mills at once requires five stones.
    for (preset, has_double) in [
        ("three", false),
        ("three,stones=5-4", true),
        ("three,stones=4,diagonals=no", false),
        ("six", true),
        ("seven", true),
        ("nine", true),
        ("nine,stones=12-5", true),
        ("morabaraba", true),
    ] {
        let mut seen = Seen::default();
        for (seed, spec) in (1..).zip(combinations(preset)) {
            compare(&spec, 60, seed, &mut seen);
        }
        let counts = [seen.ended, seen.quiet, seen.taking, seen.from_mills, seen.standing, seen.flying];
        assert!(counts.iter().all(|&count| count > 50), "{preset}: {seen:?}");
        assert_eq!(seen.taking_two > 0, has_double, "{preset}: {seen:?}");
        assert!(seen.drawn > 10, "{preset}: {seen:?}");
        no_move += seen.no_move;
    }
    assert!(no_move > 50, "only {no_move} positions without a turn");
}
