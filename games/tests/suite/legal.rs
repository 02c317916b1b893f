//! Positions that cannot occur in play are rejected with a reason, and reachable positions are not rejected.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{boards, small, successors};
use nerode_dfa::Store;
use nerode_games::registry::open;
use nerode_games::{Error, Game, Position, Side};

/// Returns at most `most` reachable positions.
fn played(game: &dyn Game, most: usize) -> BTreeSet<(Vec<u8>, Side)> {
    let start = game.start();
    let mut seen = BTreeSet::from([start.clone()]);
    let mut waiting = std::collections::VecDeque::from([start]);
    while let Some((board, side)) = waiting.pop_front() {
        for next in successors(game, &board, side) {
            if seen.len() < most && seen.insert((next.clone(), side.other())) {
                waiting.push_back((next, side.other()));
            }
        }
    }
    seen
}

#[test]
fn no_position_of_play_is_refused() {
    let larger = [
        "tictactoe:4x3",
        "tictactoe:3x3,k=2",
        "connect:4x4,row=3",
        "connect:3x4,row=1",
        "breakthrough:3x4",
        "breakthrough:3x5",
        "othello:4x3",
        "othello:3x4,margin=2",
        "othello:4x4",
        "amazons:4x2,start=1b2/w2w",
        "amazons:2x4,start=1b/2/x1/w1",
        "amazons:4x4",
        "nim:2x9",
        "chess:KRvK,board=4x4",
        "chess:KPvK,board=4x5",
        "chess:KQvKR,board=4x4",
        "chess:start",
        "morris:three,stones=4-3,fly=yes",
        "morris:three,diagonals=no,phases=mixed",
        "morris:six,take=2",
        "morris:nine",
        "morris:lasker",
    ];
    let mut checked = 0;
    for spec in small().chain(larger) {
        let game = open(spec).unwrap();
        for (board, side) in played(game.as_ref(), 10_000) {
            let reason = game.why_illegal(&board, side);
            let text = || game.format_position(&Position { board: board.clone(), side });
            assert_eq!(reason, None, "{spec}: {}", text());
            checked += 1;
        }
    }
    assert!(checked > 100_000, "{checked}");
}

/// Checks that positions outside the admissible sets, whose rule is written independently, are rejected as well.
#[test]
fn inadmissible_positions_are_refused() {
    let mut refused = 0;
    for spec in small() {
        let game: Arc<dyn Game> = open(spec).unwrap();
        for side in Side::BOTH {
            let mut store = Store::unbounded(game.shape().clone());
            let Some(set) = game.admissible(&mut store, side).unwrap() else { continue };
            for board in boards(game.as_ref()).filter(|board| !store.contains(&set, &game.word_of(board))) {
                assert!(game.why_illegal(&board, side).is_some(), "{spec}: {board:?} {side}");
                refused += 1;
            }
        }
    }
    assert!(refused > 10_000, "{refused}");
}

#[test]
fn every_reason_is_given() {
    for (spec, text, part) in [
        ("tictactoe:3x3", "XXX/XXX/XXX O", "X has 9 marks and O has 0"),
        ("tictactoe:3x3", "X2/3/3 X", "with X to move both must have the same number"),
        ("tictactoe:3x3", "XXX/OOO/3 X", "was already over"),
        ("connect:4x4", "4/4/X3/4 O", "floats above an empty cell of column a"),
        ("connect:4x4", "4/4/4/XX2 O", "X has 2 discs and O has 0"),
        ("connect:4x4", "4/4/OOO1/XXXX X", "X has 4 discs and O has 3"),
        ("connect:4x4", "4/O3/OOO1/XXXX X", "X is to move and has 4 in a row"),
        ("connect:2x2,encoding=columns", "?1/?X O", "no marker"),
        ("breakthrough:3x4", "2b/3/www/www b", "only the start"),
        ("breakthrough:3x4", "1b1/1ww/www/1ww w", "white has 7 pawns, more than the 6"),
        ("breakthrough:3x4", "1w1/3/3/1b1 w", "white is to move and has a pawn on its last rank"),
        ("breakthrough:3x4", "w1w/3/1b1/3 b", "two pawns on its last rank"),
        ("breakthrough:3x4", "3/1w1/3/3 w", "black moved last, but has no pawns"),
        ("breakthrough:3x4", "bbb/bbb/www/www b", "only the start"),
        ("othello:4x4", "4/1wb1/2w1/4 b", "a cell in the middle is empty"),
        ("othello:5x4", "b4/1wb2/1bw2/4w b", "e1 is not connected to the middle"),
        ("othello:4x4", "4/1bb1/1bb1/4 b", "white has no disc"),
        ("othello:4x4", "4/1wb1/1bw1/4 b", "the middle differs from the start position"),
        ("othello:4x4", "4/1bw1/1wb1/4 w", "black moves first"),
        ("amazons:2x3,start=1b/2/w1", "1b/2/ww b", "white has 2 amazons instead of 1"),
        ("amazons:2x3,start=1b/2/w1", "1b/2/wx w", "after 1 arrow black is to move"),
        ("amazons:2x3,start=1b/2/w1", "b1/2/w1 w", "not on their starting cells"),
        ("amazons:2x4,start=1b/2/x1/w1", "1b/2/2/w1 w", "an arrow of the start position is missing"),
        ("chess:KRvK", "8/8/8/3kK3/8/8/8/7R w - -", "the kings are on adjacent squares"),
        ("chess:KRvK", "3k4/8/8/8/8/8/8/K2R4 w - -", "white is to move and black is in check"),
        ("chess:KRvK", "=Ra1,Ka1,kh8 w", "two pieces are on a1"),
        ("chess:KPvK", "7k/8/8/8/8/8/8/K1P5 w - -", "a pawn is on c1"),
        ("chess:KPvK", "=Q-,Kc3,kh8 w", "marked as promoted"),
        ("chess:start", "4k3/8/8/8/8/8/8/P3K3 w - -", "a pawn is on a1"),
        ("chess:start", "4k3/8/8/8/8/QQQ5/PPPPPPPP/4K3 w - -", "white has more pieces"),
        ("morris:three", "@*******/* w 2-2", "white has lost a stone"),
        ("morris:nine", "OO******/@@@@****/******** b 0-0", "fewer than three stones"),
    ] {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        match game.check_legal(&position) {
            Err(Error::Illegal { reason, text }) => {
                assert!(reason.contains(part), "{spec}: {reason}");
                assert_eq!(game.parse_position(&text).unwrap(), position);
            }
            other => panic!("{spec} {text}: {other:?}"),
        }
    }
    for (spec, text) in [
        ("tictactoe:3x3", "XXX/OO1/3 O"),
        ("chess:KRvK", "3k4/8/8/8/8/8/8/K2R4 b - -"),
        ("breakthrough:3x4", "bbb/3/3/www b"),
        ("nim:2x5", "5/5 P2"),
    ] {
        let game = open(spec).unwrap();
        game.check_legal(&game.parse_position(text).unwrap()).unwrap();
    }
}
