//! The admissible positions include every reachable position, and they agree with the rule that the documentation states.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{boards, small, successors};
use nerode_dfa::{Set, Store};
use nerode_games::registry::{open_with_order, orders};
use nerode_games::{Game, Side};

fn admissible(game: &dyn Game, side: Side) -> (Store, Option<Set>) {
    let mut store = Store::unbounded(game.shape().clone());
    let set = game.admissible(&mut store, side).unwrap();
    (store, set)
}

/// Returns the reachable boards with their side to move.
fn reachable(game: &dyn Game) -> BTreeSet<(Vec<u8>, usize)> {
    let (board, side) = game.start();
    let mut seen = BTreeSet::from([(board.clone(), side.index())]);
    let mut waiting = vec![(board, side)];
    while let Some((board, side)) = waiting.pop() {
        for next in successors(game, &board, side) {
            if seen.insert((next.clone(), side.other().index())) {
                waiting.push((next, side.other()));
            }
        }
    }
    seen
}

fn compare(spec: &str, rule: impl Fn(&[u8], Side) -> bool) {
    for order in orders(spec).unwrap() {
        let game: Arc<dyn Game> = open_with_order(spec, Some(&order)).unwrap();
        let reached = reachable(game.as_ref());
        let mut outside = 0;
        for side in Side::BOTH {
            let (store, set) = admissible(game.as_ref(), side);
            let set = set.unwrap();
            for board in boards(game.as_ref()) {
                let is_admissible = store.contains(&set, &game.word_of(&board));
                assert_eq!(is_admissible, rule(&board, side), "{board:?} {side} in {spec}, order {order}");
                assert!(
                    is_admissible || !reached.contains(&(board, side.index())),
                    "reachable but not admissible"
                );
                outside += usize::from(!is_admissible);
            }
        }
        assert!(outside > 0 && reached.len() > 100, "{spec}");
    }
}

/// Checks that reachable positions are admissible in the small games of the registry that state a rule.
#[test]
fn reached_positions_of_small_games_are_admissible() {
    for spec in small() {
        let game = open_with_order(spec, None).unwrap();
        let reached = reachable(game.as_ref());
        for side in Side::BOTH {
            let (store, Some(set)) = admissible(game.as_ref(), side) else { continue };
            for (board, _) in reached.iter().filter(|at| at.1 == side.index()) {
                assert!(store.contains(&set, &game.word_of(board)), "{spec}: {board:?} {side}");
            }
        }
    }
}

fn count(board: &[u8], letter: u8) -> usize {
    board.iter().filter(|&&l| l == letter).count()
}

#[test]
fn breakthrough_has_at_most_two_ranks_of_pawns() {
    compare("breakthrough:2x5", |board, _| count(board, 1) <= 4 && count(board, 2) <= 4);
}

/// Checks that the middle four cells are b1, c1, b2 and c2 on 4 x 3, and that every reachable board on 4 x 4 keeps its
/// middle cells occupied.
#[test]
fn othello_has_discs_in_the_middle() {
    let game = open_with_order("othello:4x3", Some("columns")).unwrap();
    let (wide, reached) = (open_with_order("othello:4x4", None).unwrap(), reachable(game.as_ref()));
    for side in Side::BOTH {
        let (store, set) = admissible(game.as_ref(), side);
        let set = set.unwrap();
        assert_eq!(store.count(&set).unwrap(), 16 * 3u128.pow(8));
        for board in boards(game.as_ref()).step_by(7) {
            let full = [1, 2, 5, 6].iter().all(|&cell: &usize| board[cell] > 0);
            assert_eq!(store.contains(&set, &game.word_of(&board)), full, "{board:?}");
        }
        assert!(
            reached
                .iter()
                .filter(|at| at.1 == side.index())
                .all(|at| store.contains(&set, &game.word_of(&at.0)))
        );
        let (store, set) = admissible(wide.as_ref(), side);
        assert!(store.contains(&set.unwrap(), &wide.word_of(&wide.start().0)));
    }
    assert_eq!(reached.len(), 382);
}

#[test]
fn tictactoe_alternates() {
    let fair = |board: &[u8], side: Side| count(board, 1) == count(board, 2) + side.index();
    compare("tictactoe:3x3", fair);
    compare("tictactoe:3x2,k=2", fair);
}

/// Checks that no stone floats and that the sides alternate. Bits of a column are counted from the top, and the highest
/// 1 is not a stone.
#[test]
fn connect_alternates_and_no_stone_floats() {
    let cells = |board: &[u8], side: Side| {
        let rests = (3..board.len()).all(|cell| board[cell] == 0 || board[cell - 3] != 0);
        rests && count(board, 1) == count(board, 2) + side.index()
    };
    compare("connect:3x3,row=3", cells);
    compare("connect:3x2", cells);
    let columns = |board: &[u8], side: Side| {
        let stones: Option<Vec<&u8>> = (0..3).try_fold(Vec::new(), |mut stones, file| {
            let column: Vec<&u8> = board.iter().skip(file).step_by(3).skip_while(|&&bit| bit == 0).collect();
            stones.extend(column.get(1..)?);
            Some(stones)
        });
        stones.is_some_and(|stones| {
            let second = stones.iter().filter(|&&&bit| bit == 1).count();
            stones.len() == 2 * second + side.index()
        })
    };
    compare("connect:3x3,row=3,encoding=columns", columns);
    compare("connect:3x2,encoding=columns", columns);
}

/// Checks that the stones do not exceed those of the game and that the hands fit the turn order, for either starting side.
#[test]
fn morris_has_the_stones_of_the_game_and_hands_of_one_turn() {
    let fits = |board: &[u8], stones: [usize; 2]| {
        let hands = &board[board.len() - 2..];
        let on_board = &board[..board.len() - 2];
        (0..2).all(|i| count(on_board, i as u8 + 1) + usize::from(hands[i]) <= stones[i])
    };
    // If both sides have equally many stones, the side to move has as many in hand as the opponent, or one more.
    let equal = |board: &[u8], side: Side| {
        let hands = &board[board.len() - 2..];
        let (own, other) = (hands[side.index()], hands[side.other().index()]);
        fits(board, [3, 3]) && (own == other || own == other + 1)
    };
    compare("morris:three", equal);
    compare("morris:three,diagonals=no,fly=yes", equal);
    compare("morris:three,phases=mixed", |board, _| fits(board, [3, 3]));
    // These are the hands of white and black after 0, 1, 2, ... plies if white begins, and if black begins.
    let by_turns = |board: &[u8], side: Side| {
        let hands = &board[board.len() - 2..];
        let in_turn = |first: usize| {
            (0..20).filter(|ply| (ply + first) % 2 == side.index()).any(|ply: usize| {
                let turns = [(ply + 1 - first) / 2, (ply + first) / 2];
                hands[0] == 5u8.saturating_sub(turns[0] as u8)
                    && hands[1] == 3u8.saturating_sub(turns[1] as u8)
            })
        };
        fits(board, [5, 3]) && (in_turn(0) || in_turn(1))
    };
    compare("morris:three,stones=5-3", by_turns);
}

/// Checks that no two men share a square and that the side not to move is not attacked: adjacent kings, and a rook with
/// a clear line to the king.
#[test]
fn chess_leaves_no_king_attacked() {
    let place = |square: u8| (i32::from(square) % 4, i32::from(square) / 4);
    let beside = |a: u8, b: u8| {
        let ((x, y), (u, v)) = (place(a), place(b));
        (x - u).abs().max((y - v).abs()) <= 1
    };
    let between = |a: i32, b: i32, c: i32| a.min(b) < c && c < a.max(b);
    compare("chess:KRvK,board=4x4", |board, side| {
        let [rook, white, black] = [board[0], board[1], board[2]];
        let ((x, y), (u, v), (s, t)) = (place(rook), place(black), place(white));
        let in_line = rook < 16 && (x == u || y == v);
        let shielded = x == u && s == x && between(y, v, t) || y == v && t == y && between(x, u, s);
        let attacked = in_line && !shielded;
        let apart = rook != white && rook != black && !beside(white, black);
        apart && !(side == Side::P1 && attacked)
    });
}

/// Checks that the amazons and arrows of the start are present, with one additional arrow for every ply.
#[test]
fn amazons_are_as_many_as_at_the_start_and_arrows_count_the_plies() {
    let fits = |board: &[u8], side: Side, amazons: [usize; 2], arrows: usize| {
        let more = count(board, 3) as isize - arrows as isize;
        [count(board, 1), count(board, 2)] == amazons && more.rem_euclid(2) == side.index() as isize
    };
    compare("amazons:2x3,start=1b/2/w1", |board, side| fits(board, side, [1, 1], 0));
    compare("amazons:4x2,start=1b2/w2w", |board, side| fits(board, side, [2, 1], 0));
    compare("amazons:2x4,start=1b/2/x1/w1", |board, side| board[2] == 3 && fits(board, side, [1, 1], 1));
}

/// Checks for every ply that reachable positions are admissible at this ply, that positions admissible at a ply are
/// admissible for their side, and that there are none after the last ply.
#[test]
fn admissible_positions_of_a_ply_hold_those_reached_at_it() {
    for (spec, plies) in [
        ("tictactoe:3x3", 9),
        ("tictactoe:3x2,k=2", 6),
        ("amazons:2x3,start=1b/2/w1", 4),
        ("amazons:3x2,start=1bx/w2", 3),
    ] {
        let game: Arc<dyn Game> = open_with_order(spec, None).unwrap();
        let (board, mut side) = game.start();
        let mut level = BTreeSet::from([board]);
        for ply in 0..=plies + 1 {
            let (mut store, all) = admissible(game.as_ref(), side);
            let now = game.admissible_at(&mut store, ply).unwrap().unwrap();
            assert!(store.is_subset(&now, &all.unwrap()), "{spec} ply {ply}");
            assert_eq!(store.count(&now).unwrap() == 0, ply > plies, "{spec} ply {ply}");
            for board in &level {
                assert!(store.contains(&now, &game.word_of(board)), "{spec} ply {ply}: {board:?}");
            }
            level = level.iter().flat_map(|board| successors(game.as_ref(), board, side)).collect();
            side = side.other();
        }
        assert!(level.is_empty());
    }
    let mut store = Store::unbounded(open_with_order("nim:2x2", None).unwrap().shape().clone());
    assert!(open_with_order("nim:2x2", None).unwrap().admissible_at(&mut store, 0).unwrap().is_none());
}

#[test]
fn nim_states_nothing() {
    let game = open_with_order("nim:2x2", None).unwrap();
    assert!(Side::BOTH.iter().all(|&side| admissible(game.as_ref(), side).1.is_none()));
}
