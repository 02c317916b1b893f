//! Numbers of positions and move paths by ply from the start, compared with published and independently computed numbers.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::{Perft, corpus, passes, successors};
use nerode_dfa::Store;
use nerode_games::registry::{families, open};
use nerode_games::{FamilyInfo, Game, Side};

/// Counts by ply with the explicit rules, for at most `plies` plies.
fn explicit_counts(game: &dyn Game, plies: usize) -> Perft {
    let (board, mut side) = game.start();
    let mut level: HashMap<Vec<u8>, u128> = HashMap::from([(board, 1)]);
    let mut counts = Perft { game: game.spec(), ..Perft::default() };
    for ply in 0..plies {
        if ply > 0 {
            let mut next: HashMap<Vec<u8>, u128> = HashMap::new();
            for (board, paths) in &level {
                for after in successors(game, board, side) {
                    *next.entry(after).or_default() += paths;
                }
            }
            (level, side) = (next, side.other());
        }
        counts.distinct.push(level.len() as u128);
        counts.paths.push(level.values().sum());
        counts
            .ended
            .push(level.iter().filter(|(b, _)| game.outcome(b, side).is_some()).map(|(_, n)| n).sum());
    }
    if level.keys().all(|board| successors(game, board, side).is_empty()) {
        counts.positions = Some(counts.distinct.iter().sum());
        counts.games = Some(counts.ended.iter().sum());
    }
    counts
}

/// Counts positions by ply with the symbolic rules, as repeated images of the start without terminal positions.
fn symbolic_distinct(game: &Arc<dyn Game>, plies: usize) -> Vec<u128> {
    let (board, mut side) = game.start();
    let mut store = Store::unbounded(game.shape().clone());
    let sides = Side::BOTH.map(|side| {
        let terminal = game.terminal(&mut store, side).unwrap();
        let ended = store.union_all(&[terminal.win, terminal.loss, terminal.draw]).unwrap();
        let arrivals = game.arrivals(&mut store, side).unwrap().unwrap_or_else(|| store.full());
        let stay = if game.has_passes() { passes(&**game, &mut store, side) } else { store.empty() };
        let graph = game.moves(&mut store, side).unwrap();
        (ended, store.relation(&graph).unwrap(), arrivals, stay)
    });
    let mut level = store.word(&game.word_of(&board)).unwrap();
    let mut counts = Vec::new();
    for _ in 0..plies {
        counts.push(store.count(&level).unwrap());
        let (ended, moves, arrivals, stay) = &sides[side.index()];
        let open = store.difference(&level, ended).unwrap();
        let image = store.image(&open, moves).unwrap();
        let moved = store.intersection(&image, arrivals).unwrap();
        let passed = store.intersection(&open, stay).unwrap();
        level = store.union(&moved, &passed).unwrap();
        side = side.other();
    }
    counts
}

/// Checks the corpus of every family of the registry, `tests/data/FAMILY.perft`. Each corpus names the source of its numbers.
#[test]
#[ignore = "slow: .ci/slow"]
fn every_family_has_the_counts_of_its_corpus() {
    // Each family has its own thread, because some of them take long.
    std::thread::scope(|scope| families().iter().for_each(|info| drop(scope.spawn(|| check_corpus(info)))));
}

fn check_corpus(info: &FamilyInfo) {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{}.perft", info.family));
    let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    assert!(text.contains("# Source"), "{} does not name a source", file.display());
    let all = corpus(&text);
    assert!(!all.is_empty(), "{} does not contain any game", file.display());
    for expected in all {
        assert!(expected.game.starts_with(&format!("{}:", info.family)), "{}", expected.game);
        check(&expected);
    }
}

fn check(expected: &Perft) {
    let game = open(&expected.game).unwrap();
    assert_eq!(game.spec(), expected.game);
    let plies = expected.distinct.len();
    assert!(plies > 1, "{}", expected.game);
    assert_eq!(&explicit_counts(&*game, plies), expected);
    assert_eq!(symbolic_distinct(&game, plies), expected.distinct, "{}", expected.game);
}

/// Compares the positions of the usual board by ply with OEIS A212693. Up to ply 6, neither player can have four stones
/// in a row, and six stones are needed to fill a column.
#[test]
fn connect_7x6_has_the_published_counts() {
    for spec in ["connect:7x6", "connect:7x6,encoding=columns"] {
        let counts = explicit_counts(&*open(spec).unwrap(), 7);
        assert_eq!(counts.distinct, [1, 7, 49, 238, 1120, 4263, 16422], "{spec}");
        assert_eq!(counts.paths, [1, 7, 49, 343, 2401, 16807, 117_649], "{spec}: every ply has 7 moves");
    }
}

/// Compares with OpenSpiel 2.0.2 (https://github.com/google-deepmind/open_spiel), game "amazons(board_size=6)", which
/// was searched breadth-first from its start, with the three choices of a turn combined.
#[test]
#[ignore = "a quarter of a minute in a debug build"]
fn amazons_6x6_open_as_in_another_program() {
    let game = open("amazons:6x6").unwrap();
    assert_eq!(symbolic_distinct(&game, 3), [1, 544, 222_850]);
    let (board, side) = game.start();
    let first = successors(&*game, &board, side);
    let second = first.iter().map(|board| successors(&*game, board, side.other()).len());
    assert_eq!((first.len(), second.sum::<usize>()), (544, 238_532));
}

/// Checks that stones can be placed on any empty point. A mill needs three stones, so it can first be closed at the fifth ply.
#[test]
#[ignore = "slow: .ci/slow"]
fn morris_opens_with_the_points_of_its_board() {
    for (preset, points, mills) in [
        ("morabaraba", 24, 20),
        ("six", 16, 8),
        ("seven", 17, 14),
        ("three", 9, 8),
        ("three,diagonals=no", 9, 6),
    ] {
        let game = open(&format!("morris:{preset}")).unwrap();
        let counts = explicit_counts(&*game, 6);
        let falling = |n: u128| (points - n + 1..=points).product::<u128>();
        for n in 0..5 {
            assert_eq!(counts.paths[n], falling(n as u128), "{preset} ply {n}");
        }
        let black_pairs = (points - 3) * (points - 4);
        assert_eq!(counts.paths[5], falling(5) + mills * 6 * black_pairs, "{preset}");
    }
}

/// Compares the numbers of move sequences on the usual board with published perft numbers: 4, 12, 56, 244, 1396, 8200, 55092.
#[test]
fn othello_8x8_has_the_published_counts() {
    let game = open("othello:8x8").unwrap();
    assert_eq!(explicit_counts(&*game, 8).paths, [1, 4, 12, 56, 244, 1396, 8200, 55092]);
}

/// Checks the number of first moves. A white pawn of the second rank steps straight or diagonally, which gives `3w - 2`
/// moves in total, and the same holds for a black pawn outside its reach. At height 4, the pawns face each other, and
/// only the `2w - 2` captures are possible.
#[test]
fn breakthrough_opens_with_the_steps_of_the_front_rank() {
    for width in 2..=8u128 {
        for height in 4..=9usize.min(80 / width as usize) {
            let game = open(&format!("breakthrough:{width}x{height}")).unwrap();
            let counts = explicit_counts(&*game, 3);
            let ways = 3 * width - 2;
            assert_eq!(counts.distinct[1], if height == 4 { 2 * width - 2 } else { ways });
            if height >= 6 {
                assert_eq!(counts.distinct[2], ways * ways);
                assert_eq!(symbolic_distinct(&game, 3), counts.distinct);
            }
        }
    }
}
