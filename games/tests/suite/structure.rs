//! The invariants that a game guarantees for its own boards: indices, symmetries, letter orders and labels of layers.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{boards, examples, index, small, successors};
use nerode_games::registry::{families, open, open_with_order, order_of_cells, orders};
use nerode_games::{Game, Side, Symmetry, Value};

/// Games with options that the small games of the registry do not have.
const OTHERS: [&str; 6] = [
    "morris:three,diagonals=no,fly=yes",
    "morris:three,phases=mixed",
    "amazons:2x2,start=wb/2",
    "othello:3x3,empties=winner",
    "connect:2x4,row=2",
    "tictactoe:4x2,k=2",
];

/// Returns the small games of the registry and some others.
fn all_small() -> impl Iterator<Item = &'static str> {
    small().chain(OTHERS)
}

const CONNECT_BITS: &str = "connect:4x2,row=3,encoding=columns";

fn moved(symmetry: &Symmetry, board: &[u8]) -> Vec<u8> {
    let mut after = board.to_vec();
    for (cell, &content) in board.iter().enumerate() {
        after[symmetry.image[cell]] = content;
    }
    after
}

fn is_permutation(map: &[usize]) -> bool {
    let mut sorted = map.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..map.len())
}

#[test]
fn every_move_lowers_the_index() {
    for family in ["nim", "tictactoe", "connect", "breakthrough"] {
        let info = families().iter().find(|info| info.family == family).unwrap();
        assert!(info.small.iter().all(|spec| open(spec).unwrap().moves_lower_index()), "{family}");
    }
    for spec in all_small() {
        let game = open(spec).unwrap();
        if !game.moves_lower_index() {
            continue;
        }
        let mut moves = 0;
        for board in boards(&*game) {
            let before = index(&*game, &board);
            for side in Side::BOTH {
                for after in successors(&*game, &board, side) {
                    assert!(index(&*game, &after) < before, "{spec}: {board:?} to {after:?}");
                    moves += 1;
                }
            }
        }
        assert!(moves > 10, "{spec}: {moves} moves");
    }
}

#[test]
fn digits_are_permutations() {
    for spec in all_small().chain(["morris:three,stones=6-3"]) {
        let game = open(spec).unwrap();
        for (cell, &states) in game.cell_states().iter().enumerate() {
            let digits: Vec<usize> = (0..states).map(|c| usize::from(game.digit(cell, c as u8))).collect();
            assert!(is_permutation(&digits), "{spec} cell {cell}: {digits:?}");
        }
        let all: BTreeSet<u128> = boards(&*game).map(|board| index(&*game, &board)).collect();
        assert_eq!(Some(all.len() as u128), game.shape().num_words(), "{spec}: indices are not unique");
        assert_eq!(all.last().map(|&last| last + 1), game.shape().num_words(), "{spec}: indices have gaps");
    }
}

fn check_symmetry(game: &Arc<dyn Game>, symmetry: &Symmetry) {
    assert!(is_permutation(&symmetry.image), "{symmetry:?}");
    assert!(
        symmetry.image.iter().enumerate().any(|(cell, &image)| cell != image),
        "{symmetry:?} is the identity"
    );
    let order = if symmetry.name.ends_with("quarter-turn") { 4 } else { 2 };
    for board in boards(&**game) {
        let image = moved(symmetry, &board);
        let around = (0..order).fold(board.clone(), |board, _| moved(symmetry, &board));
        assert_eq!(around, board, "{symmetry:?} done {order} times");
        for side in Side::BOTH {
            assert_eq!(game.outcome(&image, side), game.outcome(&board, side), "{symmetry:?} {board:?}");
            let after =
                successors(&**game, &board, side).iter().map(|board| moved(symmetry, board)).collect();
            assert_eq!(successors(&**game, &image, side), after, "{symmetry:?} {board:?}");
        }
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn symmetries_commute_with_moves() {
    for spec in all_small() {
        let game = open(spec).unwrap();
        let all = game.symmetries();
        let images: BTreeSet<&Vec<usize>> = all.iter().map(|symmetry| &symmetry.image).collect();
        let names: BTreeSet<&String> = all.iter().map(|symmetry| &symmetry.name).collect();
        assert_eq!((images.len(), names.len()), (all.len(), all.len()), "{spec}");
        for symmetry in &all {
            check_symmetry(&game, symmetry);
        }
    }
    for (spec, number) in [
        ("nim:3x3", 2),
        ("tictactoe:3x3", 7),
        ("tictactoe:4x2,k=2", 3),
        ("tictactoe:1x6", 1),
        ("breakthrough:2x4", 1),
        ("breakthrough:2x5", 1),
        ("morris:three", 7),
        (OTHERS[0], 7),
        (OTHERS[1], 7),
        ("othello:3x3", 7),
        ("amazons:2x3,start=1b/2/w1", 3),
        (OTHERS[2], 7),
        ("connect:3x3,row=3", 1),
        ("connect:3x3,row=3,encoding=columns", 1),
        ("chess:KRvK,board=4x4", 0),
    ] {
        assert_eq!(open(spec).unwrap().symmetries().len(), number, "{spec}");
    }
    assert_eq!(open("nim:1x9").unwrap().symmetries(), []);
    let mirror = &open("breakthrough:3x4").unwrap().symmetries()[0];
    assert_eq!(mirror.image, [2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9]);
}

#[test]
fn orders_are_different_permutations() {
    let listed = [
        "tictactoe:6x6",
        "breakthrough:20x4",
        "othello:4x5",
        "connect:5x4",
        "connect:7x6,encoding=columns",
        "morris:seven",
        "morris:nine",
    ];
    for spec in examples().chain(listed) {
        let names = orders(spec).unwrap();
        assert_eq!(open(spec).unwrap().order(), names[0], "{spec}: the first order is not the default");
        let mut seen = BTreeSet::new();
        for name in &names {
            let game = open_with_order(spec, Some(name)).unwrap();
            assert_eq!(game.order(), name);
            assert!(is_permutation(game.cell_of_layer()), "{spec} {name}");
            assert_eq!(game.cell_of_layer().len(), game.shape().num_layers());
            seen.insert(game.cell_of_layer().to_vec());
        }
        // On small boards, some orders coincide.
        if !small().any(|known| known == spec) {
            assert_eq!(seen.len(), names.len(), "{spec}: two orders are the same");
        }
    }
}

/// Checks the orders of a 3 x 3 board against lists written by hand, as cells 0 to 8 from `a1`.
#[test]
fn orders_are_what_their_names_say() {
    let expected: [(&str, [usize; 9]); 7] = [
        ("rows", [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ("rows-inside-out", [1, 0, 2, 4, 3, 5, 7, 6, 8]),
        ("rows-middle-out", [3, 4, 5, 0, 1, 2, 6, 7, 8]),
        ("serpentine", [0, 1, 2, 5, 4, 3, 6, 7, 8]),
        ("columns", [0, 3, 6, 1, 4, 7, 2, 5, 8]),
        ("columns-middle-out", [1, 4, 7, 0, 3, 6, 2, 5, 8]),
        ("diagonals", [0, 1, 3, 2, 4, 6, 5, 7, 8]),
    ];
    assert_eq!(orders("tictactoe:3x3").unwrap(), expected.map(|(name, _)| name));
    for (name, cells) in expected {
        assert_eq!(open_with_order("tictactoe:3x3", Some(name)).unwrap().cell_of_layer(), cells, "{name}");
    }
}

#[test]
fn layers_are_labelled_in_order() {
    for family in families() {
        for order in orders(family.example).unwrap() {
            let game = open_with_order(family.example, Some(&order)).unwrap();
            let layers = game.layers();
            let labels: BTreeSet<&String> = layers.iter().map(|layer| &layer.label).collect();
            assert_eq!(labels.len(), game.shape().num_layers());
            for (layer, info) in layers.iter().enumerate() {
                assert_eq!(info.letters.len(), game.shape().num_letters(layer));
                assert_eq!(game.shape().alphabets()[layer], game.cell_states()[game.cell_of_layer()[layer]]);
            }
        }
    }
    let game = open_with_order("breakthrough:3x4", Some("columns")).unwrap();
    let labels: Vec<String> = game.layers().into_iter().take(5).map(|layer| layer.label).collect();
    assert_eq!(labels, ["a1", "a2", "a3", "a4", "b1"]);
    assert_eq!(game.layers()[0].letters, [".", "w", "b"]);
}

/// Checks the columns of a 3 x 2 board: squares from the lowest, or bits from that of the marker downwards. Boards of
/// seven columns are read from the left.
#[test]
fn orders_of_connect_boards_are_what_their_names_say() {
    let cells = |spec: &str, order| open_with_order(spec, order).unwrap().cell_of_layer().to_vec();
    assert_eq!(cells("connect:3x2", None), [1, 4, 0, 3, 2, 5]);
    assert_eq!(cells("connect:3x2", Some("columns-down")), [3, 0, 4, 1, 5, 2]);
    assert_eq!(cells("connect:3x2", Some("rows-down")), [3, 4, 5, 0, 1, 2]);
    assert_eq!(cells("connect:2x1,encoding=columns", Some("columns")), [2, 0, 3, 1]);
    assert_eq!(cells("connect:2x1,encoding=columns", Some("rows-down")), [0, 1, 2, 3]);
    assert_eq!(cells("connect:7x1", None), [0, 1, 2, 3, 4, 5, 6]);
    let bits = open_with_order("connect:2x1,encoding=columns", Some("columns")).unwrap();
    let labels: Vec<String> = bits.layers().into_iter().map(|layer| layer.label).collect();
    assert_eq!(labels, ["a1", "a2", "b1", "b2"], "from the floor up");
    let texts = ["3", "4", "1", "2"].map(String::from);
    assert_eq!(bits.draw_texts(&texts), "2  3 4\n1  1 2\n   a b\n");
}

/// Checks that boards show the number of plies where the game says so, that some positions occur at two plies otherwise,
/// and that games never end with a win of the side to move where they say so.
#[test]
fn plies_and_ends_are_what_the_game_says() {
    let shown = ["tictactoe:2x3,k=2", "connect:3x3,row=3", CONNECT_BITS, "amazons:3x3,start=1b1/3/1w1"];
    for spec in small().chain(["nim:2x3"]).chain(shown) {
        let game = open(spec).unwrap();
        let (board, mut side) = game.start();
        let shows = game.plies_played(&board).is_some();
        assert!(shows || !shown.contains(&spec), "{spec}");
        if !game.always_ends() {
            assert!(!shows, "{spec} can repeat a position");
            continue;
        }
        let (mut level, mut seen, mut again) = (BTreeSet::from([board]), BTreeSet::new(), false);
        for ply in 0.. {
            again |= level.iter().any(|board| !seen.insert((board.clone(), side.index())));
            assert!(!shows || level.iter().all(|board| game.plies_played(board) == Some(ply)), "{spec}");
            let is_won = |board: &Vec<u8>| game.outcome(board, side) == Some(Value::Win);
            assert!(!game.never_ends_won() || !level.iter().any(is_won), "{spec}");
            level = level.iter().flat_map(|board| successors(&*game, board, side)).collect();
            side = side.other();
            if level.is_empty() {
                break;
            }
        }
        assert!(spec != "nim:2x3" || again, "the heaps 1 and 0 can be reached after one move or two");
    }
}

/// Checks that a game which need not end is not searched from the start without a limit: such a search would not end.
#[test]
fn games_that_need_not_end_say_so() {
    for spec in examples() {
        let game = open(spec).unwrap();
        assert!(game.may_cycle() != game.always_ends() || game.forward_only(), "{spec}");
    }
}

/// Checks that the sides cannot be exchanged if they have unequal numbers of stones or if there is a margin.
#[test]
fn sides_with_unequal_stones_are_not_swapped() {
    assert!(
        small()
            .filter(|spec| spec.starts_with("connect"))
            .all(|spec| open(spec).unwrap().side_swap().is_none())
    );
    assert!(open("morris:nine,stones=9-8").unwrap().side_swap().is_none());
    assert!(open("morris:nine,stones=8").unwrap().side_swap().is_some());
    assert!(open("othello:4x4,margin=1").unwrap().side_swap().is_none());
}

/// Checks the rotations and reflections of the rings and the exchange of inner and outer rings by the images of the
/// points on the left side of the outer ring.
#[test]
fn symmetries_of_rings_are_what_their_names_say() {
    let game = open_with_order("morris:nine", Some("rings-hands-last")).unwrap();
    let all = game.symmetries();
    assert_eq!(all.len(), 15);
    let label = |cell: usize| game.layers()[cell].label.clone();
    for (name, left, corner) in [
        ("quarter-turn", "d1", "a1"),
        ("three-quarter-turn", "d7", "g7"),
        ("mirror", "g4", "g7"),
        ("flip", "a4", "a1"),
        ("transpose", "d1", "g1"),
        ("anti-transpose", "d7", "a7"),
        ("inside-out", "c4", "c5"),
        ("inside-out-half-turn", "e4", "e3"),
    ] {
        let image = &all.iter().find(|symmetry| symmetry.name == name).unwrap().image;
        assert_eq!((label(0), label(1)), ("a4".into(), "a7".into()));
        assert_eq!((label(image[0]), label(image[1])), (left.into(), corner.into()), "{name}");
        assert_eq!(image[24..], [24, 25], "hands keep their places");
    }
    assert_eq!(open("morris:seven").unwrap().symmetries().len(), 7);
}

/// Opens the game in every permutation of a small board and in a shuffled order of larger boards, by the names of these orders.
#[test]
fn a_list_of_cells_is_an_order() {
    for cells in permutations(4) {
        let name = order_of_cells(&cells);
        let game = open_with_order("tictactoe:2x2,k=2", Some(&name)).unwrap();
        assert_eq!((game.cell_of_layer(), game.order()), (&cells[..], &name[..]));
        let board = [0, 1, 2, 1];
        let word = game.word_of(&board);
        assert!(word.iter().zip(&cells).all(|(&letter, &cell)| letter == board[cell]), "{name}: {word:?}");
        assert_eq!(game.board_of(&word), board, "{name}");
    }
    for (spec, cells) in [("nim:5x2", 5), ("tictactoe:4x2,k=2", 8), ("breakthrough:8x10", 80)] {
        // 7 is coprime to the numbers of cells.
        let shuffled: Vec<usize> = (0..cells).map(|layer| layer * 7 % cells).collect();
        let name = order_of_cells(&shuffled);
        let game = open_with_order(spec, Some(&name)).unwrap();
        assert_eq!((game.cell_of_layer(), game.order()), (&shuffled[..], &name[..]));
        assert_eq!(open_with_order(spec, Some(game.order())).unwrap().cell_of_layer(), shuffled);
        let labels = |game: &dyn Game| game.layers().into_iter().map(|l| l.label).collect::<Vec<_>>();
        let by_cell = labels(&*open(spec).unwrap());
        assert!(labels(&*game).iter().zip(&shuffled).all(|(label, &cell)| label == &by_cell[cell]));
    }
    // Each order has exactly one name, so that a run is found again regardless of how its order was typed.
    let game = open_with_order("nim:3x2", Some("cells:02,0,001")).unwrap();
    assert_eq!(game.order(), "cells:2,0,1");
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for shorter in permutations(last) {
        for at in 0..n {
            let mut longer = shorter.clone();
            longer.insert(at, last);
            all.push(longer);
        }
    }
    all
}

#[test]
fn texts_are_drawn_in_their_cells() {
    let texts: Vec<String> = (0..12).map(|cell| cell.to_string()).collect();
    let drawn = open("breakthrough:3x4").unwrap().draw_texts(&texts);
    assert_eq!(drawn, "4   9 10 11\n3   6  7  8\n2   3  4  5\n1   0  1  2\n    a  b  c\n");
    assert_eq!(open("nim:2x3").unwrap().draw_texts(&texts[5..7]), "  0  5\n  1  6\n");
}

/// Checks that outcomes and moves of one side are mapped to those of the other, in both directions.
#[test]
fn the_swap_of_sides_takes_outcomes_and_moves_to_those_of_the_other_side() {
    for spec in [
        "nim:3x3",
        "tictactoe:3x3",
        "breakthrough:2x4",
        "othello:3x3",
        "amazons:2x2,start=1b/w1",
        "morris:three",
    ] {
        assert!(open(spec).unwrap().side_swap().is_some(), "{spec}");
    }
    for spec in all_small() {
        let game = open(spec).unwrap();
        let Some(swap) = game.side_swap() else { continue };
        for board in boards(&*game) {
            let image = swap.apply(&board);
            assert_eq!(swap.apply(&image), board, "{spec}: the exchange is not its own inverse");
            for side in Side::BOTH {
                assert_eq!(
                    game.outcome(&image, side.other()),
                    game.outcome(&board, side),
                    "{spec} {board:?}"
                );
                let after = successors(&*game, &board, side).iter().map(|b| swap.apply(b)).collect();
                assert_eq!(successors(&*game, &image, side.other()), after, "{spec} {board:?}");
            }
        }
    }
}
