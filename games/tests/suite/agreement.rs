//! Comparison of the symbolic and the explicit description of every game on all of its boards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::common::{Symbolic, boards, small, successors};
use nerode_games::registry::{open, open_with_order, orders};
use nerode_games::{Game, Side, Value};

/// The numbers of boards that a comparison has covered, so that tests can check that it was not empty.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    boards: usize,
    ended: usize,
    images: usize,
    moves: usize,
}

/// Compares outcomes on every board, and images on every `stride`-th board on which the game is not over, for both sides.
fn compare_images(game: &Arc<dyn Game>, stride: usize) -> Seen {
    let mut seen = Seen::default();
    for side in Side::BOTH {
        let mut symbolic = Symbolic::new(game, side);
        let mut live = 0;
        for board in boards(&**game) {
            let word = game.word_of(&board);
            assert_eq!(game.board_of(&word), board);
            let outcome = game.outcome(&board, side);
            let said = symbolic.outcome(&**game, &word);
            assert_eq!(
                said,
                outcome,
                "outcome of {board:?} for {side} in {}, order {}",
                game.spec(),
                game.order()
            );
            let after = successors(&**game, &board, side);
            assert_eq!(
                after.is_empty(),
                outcome.is_some(),
                "a board must have moves exactly if the game is not over: {board:?} for {side}"
            );
            seen.boards += 1;
            seen.ended += usize::from(outcome.is_some());
            let over = symbolic.store.contains(&symbolic.ended, &word);
            live += usize::from(!over);
            if over || live % stride != 0 {
                continue;
            }
            let image = symbolic.neighbours(&word, true);
            let expected: BTreeSet<Vec<u8>> = after.iter().map(|board| game.word_of(board)).collect();
            assert_eq!(
                image,
                expected,
                "moves of {side} from {board:?} in {}, order {}",
                game.spec(),
                game.order()
            );
            seen.images += 1;
            seen.moves += image.len();
        }
    }
    seen
}

/// Compares the preimages of every `stride`-th board with the boards whose explicit moves lead to it. Returns the
/// number of words in the preimages that have a move.
fn compare_preimages(game: &Arc<dyn Game>, stride: usize) -> usize {
    let mut moves = 0;
    for side in Side::BOTH {
        let mut symbolic = Symbolic::new(game, side);
        let mut before: BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>> =
            boards(&**game).step_by(stride).map(|board| (game.word_of(&board), BTreeSet::new())).collect();
        for board in boards(&**game) {
            let word = game.word_of(&board);
            for after in successors(&**game, &board, side) {
                if let Some(known) = before.get_mut(&game.word_of(&after)) {
                    known.insert(word.clone());
                }
            }
        }
        for (word, expected) in before {
            let mut preimage = symbolic.neighbours(&word, false);
            preimage.retain(|word| !symbolic.store.contains(&symbolic.ended, word));
            assert_eq!(preimage, expected, "preimage of {word:?} for {side} in {}", game.spec());
            moves += preimage.len();
        }
    }
    moves
}

/// The largest number of boards for which all preimages are compared. Beyond it, a sample is compared.
const MOST_PREIMAGES: usize = 25_000;

/// Compares every small game of the registry in its usual letter order, forward and backward.
#[test]
#[ignore = "slow: .ci/slow"]
fn small_games_agree_on_every_board() {
    for spec in small() {
        let game = open(spec).unwrap();
        let seen = compare_images(&game, 1);
        assert_eq!(Some(seen.boards as u128), game.shape().num_words().map(|words| 2 * words), "{spec}");
        assert!(seen.moves > 0 && seen.ended > 0, "{spec}: {seen:?}");
        let stride = (seen.boards / 2).div_ceil(MOST_PREIMAGES);
        let moves = compare_preimages(&game, stride);
        // The games end on some boards to which other boards lead, so both comparisons count the same moves.
        assert!(if stride == 1 { moves == seen.moves } else { moves > 100 }, "{spec}: {moves} {seen:?}");
    }
}

/// Compares every small game of the registry in all its letter orders.
#[test]
#[ignore = "slow: .ci/slow"]
fn small_games_agree_in_every_letter_order() {
    for spec in small() {
        let orders = orders(spec).unwrap();
        let plain = compare_images(&open(spec).unwrap(), 3);
        for order in &orders[1..] {
            let game = open_with_order(spec, Some(order)).unwrap();
            assert_eq!(compare_images(&game, 3), plain, "{spec} {order}");
        }
    }
}

#[test]
fn nim_agrees_on_every_board() {
    let game = open("nim:3x3").unwrap();
    let seen = compare_images(&game, 1);
    // Every board has as many moves as objects: 3 heaps, 16 boards of the other heaps, heights 0 to 3, for both sides.
    assert_eq!(seen, Seen { boards: 128, ended: 2, images: 128, moves: 2 * 3 * 16 * 6 });
    assert_eq!(compare_preimages(&game, 1), seen.moves);
    compare_images(&open("nim:1x255").unwrap(), 1);
    compare_images(&open("nim:6x1").unwrap(), 1);
}

#[test]
fn tictactoe_agrees_on_other_boards_and_rows() {
    for spec in
        ["tictactoe:2x2,k=2", "tictactoe:2x3,k=1", "tictactoe:4x2", "tictactoe:1x5,k=2", "tictactoe:5x1,k=4"]
    {
        let game = open(spec).unwrap();
        assert!(compare_images(&game, 1).images > 0, "{spec}");
        compare_preimages(&game, 1);
    }
    for spec in ["tictactoe:3x4", "tictactoe:4x3,k=4"] {
        assert!(compare_images(&open(spec).unwrap(), 37).images > 1000, "{spec}");
    }
}

#[test]
fn breakthrough_agrees_on_a_sample_of_a_wider_board() {
    let game = open("breakthrough:3x4").unwrap();
    let seen = compare_images(&game, 23);
    assert_eq!(seen.boards, 2 * 531_441);
    assert!(seen.images > 3000 && seen.moves > 10_000, "{seen:?}");
    assert!(compare_preimages(&game, 211) > 1000);
}

#[test]
fn othello_agrees_with_other_ends() {
    for spec in ["othello:3x3,margin=2", "othello:3x3,empties=winner", "othello:3x3,margin=-3,empties=winner"]
    {
        assert!(compare_images(&open(spec).unwrap(), 5).images > 1000, "{spec}");
    }
}

#[test]
fn othello_agrees_on_a_sample_of_wider_boards() {
    for spec in ["othello:4x3", "othello:3x4"] {
        let seen = compare_images(&open(spec).unwrap(), 397);
        assert!(seen.images > 1000 && seen.moves > 1500, "{spec}: {seen:?}");
    }
}

/// Checks that the number of passes equals the number of boards on which only the other side can turn over discs, and
/// that a pass leaves the board unchanged.
#[test]
fn othello_passes_where_only_the_other_side_can_move() {
    let game = open("othello:3x3").unwrap();
    let mut passes = 0;
    for board in boards(&*game) {
        for side in Side::BOTH {
            if successors(&*game, &board, side).contains(&board) {
                let others = successors(&*game, &board, side.other());
                assert!(!others.is_empty() && !others.contains(&board), "{board:?} {side}");
                assert_eq!(successors(&*game, &board, side).len(), 1, "a pass is the only move");
                passes += 1;
            }
        }
    }
    assert!(passes > 1000, "{passes} passes");
}

/// Covers three men's morris with 314928 boards per side, on some eight thousand of which the game is not over.
#[test]
fn morris_agrees_on_every_board() {
    let spec = "morris:three,diagonals=no";
    let game = open(spec).unwrap();
    let seen = compare_images(&game, 1);
    assert_eq!(seen.boards, 2 * 19683 * 16);
    assert!(seen.images > 8000, "{seen:?}");
    assert!(compare_preimages(&game, 37) > 100, "{spec}");
}

#[test]
fn morris_agrees_with_other_options() {
    for spec in [
        "morris:three,capture=protected,fly=yes",
        "morris:three,phases=mixed,diagonals=no",
        "morris:three,stones=5-4,take=2,fullboard=draw",
        "morris:three,stones=4-5,capture=protected,take=2,phases=mixed,fly=yes,fullboard=draw",
    ] {
        let seen = compare_images(&open(spec).unwrap(), 31);
        assert!(seen.images > 50 && seen.moves > 300, "{spec}: {seen:?}");
    }
}

/// Covers both encodings, including invalid words: floating stones, wrong numbers of stones, and columns without a marker.
#[test]
fn connect_agrees_on_boards_of_other_measures() {
    for (spec, words) in [
        ("connect:4x2", 6561),
        ("connect:2x4,row=3", 6561),
        ("connect:5x1,row=2", 243),
        ("connect:1x5,row=1", 243),
        ("connect:4x3,encoding=columns", 65536),
        ("connect:2x5,encoding=columns", 4096),
        ("connect:6x1,row=3,encoding=columns", 4096),
        ("connect:1x6,row=2,encoding=columns", 128),
    ] {
        let game = open(spec).unwrap();
        let seen = compare_images(&game, 1);
        assert_eq!(seen.boards, 2 * words, "{spec}");
        assert!(seen.images > 0 && seen.ended > seen.images, "{spec}: {seen:?}");
        assert_eq!(compare_preimages(&game, 1), seen.moves, "{spec}");
    }
}

/// Checks that the game is the same in both encodings: equally many boards are not terminal, with equally many moves,
/// and only invalid words differ.
#[test]
fn connect_is_the_same_game_in_both_encodings() {
    for board in ["3x3,row=3", "2x4,row=3", "4x2,row=2"] {
        let [cells, columns] = ["cells", "columns"].map(|encoding| {
            compare_images(&open(&format!("connect:{board},encoding={encoding}")).unwrap(), 1)
        });
        assert_eq!((cells.images, cells.moves), (columns.images, columns.moves), "{board}");
        assert!(cells.ended > columns.ended, "{board}");
    }
}

/// Checks the values of boards that cannot occur in play, and that only a row of the opponent counts.
#[test]
fn connect_ends_as_its_rules_say() {
    let value = |spec: &str, text: &str| {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        game.outcome(&position.board, position.side)
    };
    let cells = "connect:4x4";
    assert_eq!(value(cells, "4/4/4/4 X"), None);
    assert_eq!(value(cells, "4/4/4/4 O"), Some(Value::Draw), "O does not begin");
    assert_eq!(value(cells, "4/4/OOO1/XXXX O"), Some(Value::Loss), "horizontal");
    assert_eq!(value(cells, "X3/XO2/XO2/XO2 O"), Some(Value::Loss), "vertical");
    assert_eq!(value(cells, "3X/2XO/OXOO/XXOX X"), Some(Value::Draw), "one X too many for X to move");
    assert_eq!(value(cells, "3X/2XO/OXOO/XXOX O"), Some(Value::Loss), "diagonal");
    assert_eq!(
        value(cells, "4/4/XXXX/OOOO X"),
        Some(Value::Loss),
        "if both sides have a row, that of the opponent counts"
    );
    assert_eq!(value(cells, "4/4/1X2/1O2 X"), None, "the numbers do not show that O moved first");
    assert_eq!(value(cells, "4/X3/4/O3 X"), Some(Value::Draw), "a disc floats");
    assert_eq!(value("connect:2x2", "OO/XX X"), Some(Value::Draw), "full");
    assert_eq!(value("connect:2x1,encoding=columns", "?. X"), Some(Value::Draw), "a column without a marker");
    assert_eq!(value("connect:2x1,encoding=columns", "XO X"), Some(Value::Draw), "full");
}

#[test]
fn amazons_agree_on_other_boards() {
    let spec = "amazons:3x2,start=1b1/w2";
    let game = open(spec).unwrap();
    let seen = compare_images(&game, 1);
    assert_eq!(compare_preimages(&game, 1), seen.moves, "{spec}");
    assert!(seen.moves > 100 && seen.ended > 100, "{spec}: {seen:?}");
    let cell = compare_images(&open("amazons:1x1,start=w").unwrap(), 1);
    assert_eq!(cell, Seen { boards: 8, ended: 8, images: 8, moves: 0 });
}

/// Covers long lines along an edge and diagonally.
#[test]
fn amazons_agree_on_a_sample_of_longer_boards() {
    for spec in ["amazons:6x1,start=w4b", "amazons:1x6,start=w/1/1/1/1/b"] {
        let seen = compare_images(&open(spec).unwrap(), 1);
        assert!(seen.moves > 1000, "{spec}: {seen:?}");
    }
    let game = open("amazons:3x3,start=2b/3/w2").unwrap();
    let seen = compare_images(&game, 61);
    assert_eq!(seen.boards, 2 * 262_144);
    assert!(seen.images > 3000 && seen.moves > 10_000, "{seen:?}");
    assert!(compare_preimages(&game, 211) > 1000);
}

/// Checks facts about sides without a move that follow from the rules alone, independently of both descriptions.
#[test]
fn amazons_end_as_their_rules_say() {
    let game = open("amazons:3x3,start=2b/3/w2").unwrap();
    let value = |text: &str| {
        let position = game.parse_position(text).unwrap();
        game.outcome(&position.board, position.side)
    };
    assert_eq!(value("2b/3/w2 w"), None);
    assert_eq!(value("3/bb1/wb1 w"), Some(Value::Loss), "enclosed by amazons");
    assert_eq!(value("3/xx1/wx1 w"), Some(Value::Loss), "enclosed by arrows");
    assert_eq!(value("3/xx1/wx1 b"), Some(Value::Loss), "no amazon");
    assert_eq!(value("xxx/xx1/xxw w"), None, "the amazon steps and shoots at the cell that it has left");
    assert_eq!(value("xxx/xw1/xxw w"), None);
    assert_eq!(value("xxx/xxb/w1x w"), None);
    assert_eq!(value("xxx/xxb/1xw w"), Some(Value::Loss), "queens do not leap");
}

/// Checks outcomes of Othello that follow from the rules alone, for every scoring option.
#[test]
fn othello_ends_as_its_rules_say() {
    let value = |spec: &str, text: &str| {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        game.outcome(&position.board, position.side)
    };
    assert_eq!(value("othello:3x3", "3/bw1/wb1 b"), None);
    assert_eq!(value("othello:3x3", "bbb/bbw/www b"), Some(Value::Win));
    assert_eq!(value("othello:3x3", "bbb/bbw/www w"), Some(Value::Loss));
    assert_eq!(value("othello:3x3", "bbb/b1w/www b"), Some(Value::Draw));
    assert_eq!(value("othello:3x3", "3/3/3 b"), Some(Value::Draw));
    assert_eq!(value("othello:3x3", "bw1/3/3 w"), None, "white passes");
    assert_eq!(value("othello:3x3,margin=1", "bbb/b1w/www b"), Some(Value::Loss));
    assert_eq!(value("othello:3x3,margin=0", "bbb/b1w/www w"), Some(Value::Loss));
    assert_eq!(value("othello:3x3,margin=3", "bbb/3/3 b"), Some(Value::Win));
    assert_eq!(value("othello:3x3,margin=4", "bbb/3/3 b"), Some(Value::Loss));
    assert_eq!(value("othello:3x3,margin=9,empties=winner", "bbb/3/3 b"), Some(Value::Win));
    assert_eq!(value("othello:3x3,margin=-8,empties=winner", "www/3/3 b"), Some(Value::Loss));
}

/// Checks facts about terminal breakthrough boards that follow from the rules alone, independently of both descriptions.
#[test]
fn breakthrough_ends_as_its_rules_say() {
    let game = open("breakthrough:2x4").unwrap();
    let value = |text: &str| {
        let position = game.parse_position(text).unwrap();
        game.outcome(&position.board, position.side)
    };
    assert_eq!(value("bb/bb/ww/ww w"), None);
    assert_eq!(value("wb/b1/2/w1 b"), Some(Value::Loss));
    assert_eq!(value("wb/b1/2/w1 w"), Some(Value::Win));
    assert_eq!(value("wb/b1/2/wb w"), Some(Value::Win), "both have arrived: the side to move wins");
    assert_eq!(value("wb/b1/2/wb b"), Some(Value::Win), "both have arrived: the side to move wins");
    assert_eq!(value("2/b1/2/2 w"), Some(Value::Loss), "no pawn left");
    assert_eq!(value("2/b1/2/2 b"), None, "the opponent has no pawn left, but is not to move");
    assert_eq!(value("2/2/2/2 w"), Some(Value::Loss));
    // If no pawn has reached its goal, a side has no move exactly when it has no pawn.
    for board in boards(&*game) {
        let arrived = board[..2].contains(&2) || board[6..].contains(&1);
        for (side, pawn) in [(Side::P1, 1), (Side::P2, 2)] {
            if !arrived {
                assert_eq!(game.outcome(&board, side).is_some(), !board.contains(&pawn), "{board:?} {side}");
            }
        }
    }
}
