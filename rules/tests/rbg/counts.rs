//! Numbers of moves by ply, compared with published figures.

use nerode_games::{Game, Move, Side, explicit};
use nerode_rules::rbg::{Interpreter, Perft, Rulebook, bundled, read, varied};

/// Returns the text of an included game.
pub fn text_of(name: &str) -> &'static str {
    bundled().iter().find(|game| game.name == name).unwrap_or_else(|| panic!("no {name}")).text
}

/// Returns an included game.
pub fn game(name: &str) -> Rulebook {
    read(name, text_of(name)).unwrap()
}

/// Returns the boards after every legal move of a built-in game.
pub fn successors(game: &dyn Game, board: &[u8], side: Side) -> Vec<Vec<u8>> {
    let mut moves: Vec<Move> = Vec::new();
    game.legal_moves(board, side, &mut moves);
    moves.iter().map(|mv| explicit::apply(board, mv)).collect()
}

fn counts(book: &Rulebook, depth: usize) -> Perft {
    Interpreter::new(book).perft(depth, |_| true).unwrap()
}

/// Asserts the numbers of move sequences by ply, without the start.
fn paths(name: &str, expected: &[u128]) {
    let counts = counts(&game(name), expected.len());
    let found: Vec<u128> = counts.plies.iter().skip(1).map(|ply| ply.paths).collect();
    assert_eq!(found, expected, "{name}");
}

#[test]
fn tictactoe() {
    let counts = counts(&game("tictactoe"), 10).plies;
    let paths: Vec<u128> = counts.iter().map(|ply| ply.paths).collect();
    assert_eq!(paths, [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]);
    assert_eq!(counts.iter().filter_map(|ply| ply.positions).sum::<u64>(), 5478);
    assert_eq!(counts.iter().filter_map(|ply| ply.ended).sum::<u128>(), 255_168);
    assert!(counts.iter().all(|ply| ply.paths == ply.results));
}

/// Compares boards of the usual size with the figures that other authors give for their rules of the same games.
#[test]
fn published_figures() {
    let boards = |name: &str, text: String, expected: &[u128]| {
        let book = read(name, &text).unwrap();
        let found: Vec<u128> =
            counts(&book, expected.len()).plies.iter().skip(1).map(|ply| ply.paths).collect();
        assert_eq!(found, expected, "{name}");
    };
    let board = |name: &str, rows: &[String]| {
        let (before, board) = text_of(name).split_once("rectangle(up,down,left,right,").unwrap();
        let after = board.split_once(')').unwrap().1;
        format!("{before}rectangle(up,down,left,right,{}){after}", rows.concat())
    };
    let row = |piece: &str, columns: usize| format!("[{}]", vec![piece; columns].join(","));
    let empty = |rows: usize| vec![row("empty", 8); rows];
    let sides = [vec![row("b", 8); 2], empty(4), vec![row("w", 8); 2]].concat();
    boards("breakthrough", board("breakthrough", &sides), &[22, 484, 11_132, 256_036]);
    boards("knightthrough", board("knightthrough", &sides), &[40, 1600, 63_520]);
    let middle = |one: &str, other: &str| format!("[empty,empty,empty,{one},{other},empty,empty,empty]");
    let reversi = [empty(3), vec![middle("w", "b"), middle("b", "w")], empty(3)].concat();
    boards("reversi", board("reversi", &reversi), &[4, 12, 56, 244, 1396]);
    let connect = vec![row("empty", 7); 6];
    boards("connectfour", board("connectfour", &connect), &[7, 49, 343, 2401, 16_807, 117_649]);
    // The start position of English draughts.
    let start = "start=1b1b1b1b/b1b1b1b1/1b1b1b1b/8/8/w1w1w1w1/1w1w1w1w/w1w1w1w1";
    let book = varied(&game("draughts"), "draughts", &format!("board=8x8,{start}")).unwrap();
    let found: Vec<u128> = counts(&book, 5).plies.iter().skip(1).map(|ply| ply.paths).collect();
    assert_eq!(found, [7, 49, 302, 1469, 7361]);
    paths("clobber", &[49, 2116, 80_063]);
    paths("foxandhounds", &[4, 7, 49, 182]);
}

/// Compares games of lines and jumps with the figures for other authors' rules of the same games.
#[test]
fn games_of_jumps() {
    paths("laukatakati", &[3, 3, 3, 7, 27, 47]);
    paths("pretwa", &[3, 5, 7, 18, 56]);
    paths("dashguti", &[4, 4, 6, 13, 43]);
    paths("alquerque", &[4, 5, 6, 12]);
    paths("draughts", &[5, 25, 106, 369, 1271, 4104]);
    paths("dodgem", &[3, 7, 27, 101, 279]);
}

/// Checks that counts do not change if a ply has too many positions to be stored, so that its paths are counted one by one.
#[test]
fn keeping_few_positions_changes_no_count() {
    for name in ["connectfour", "draughts", "pretwa"] {
        let book = game(name);
        let rules = Interpreter::new(&book);
        let kept = rules.perft(6, |_| true).unwrap().plies;
        let few = rules.perft_keeping(10, 6, |_| true).unwrap().plies;
        assert!(few.iter().any(|ply| ply.positions.is_none() && ply.ended.is_some()), "{few:?}");
        for (kept, few) in kept.iter().zip(&few) {
            assert_eq!((kept.paths, kept.results, kept.ended), (few.paths, few.results, few.ended), "{name}");
        }
        assert_eq!(kept.len(), few.len());
    }
}

/// Checks that the square on which a turn ends is part of a position only if later moves depend on it.
#[test]
fn positions_differ_if_their_continuations_differ() {
    let plies = counts(&game("reversi"), 30).plies;
    let positions: Vec<u64> = plies.iter().filter_map(|ply| ply.positions).take(18).collect();
    // These are the numbers of the built-in game.
    let expected =
        [1, 4, 12, 42, 120, 380, 1056, 2570, 5778, 10_244, 14_186, 14_221, 10_631, 4626, 1336, 270, 31, 1];
    assert_eq!(positions, expected);
    // The fox moves from its current square, which is stored between turns.
    let fox = counts(&game("foxandhounds"), 3).plies;
    assert_eq!(fox.iter().filter_map(|ply| ply.positions).collect::<Vec<_>>(), [1, 4, 4]);
}

#[test]
fn counting_that_is_stopped_leaves_whole_plies() {
    let book = game("hex");
    let mut asked = 0;
    let stopped = Interpreter::new(&book)
        .perft(6, |_| {
            asked += 1;
            asked < 200
        })
        .unwrap();
    assert!(stopped.stopped && stopped.plies.len() < 6, "{stopped:?}");
    let whole = counts(&book, 3).plies;
    assert_eq!(stopped.plies[..2], whole[..2]);
}
