//! Games that come with the program, compiled.

use nerode_games::rbg::{bundled, open_text};
use nerode_games::registry::open;

use crate::agree::compare;

/// A game that comes with the program on another board: rows of pieces.
fn on(name: &str, rows: &str) -> String {
    let text = crate::counts::text_of(name);
    let (before, board) = text.split_once("rectangle(up,down,left,right,").unwrap();
    format!("{before}rectangle(up,down,left,right,{rows}){}", board.split_once(')').unwrap().1)
}

#[test]
fn which_games_are_compiled() {
    for game in bundled() {
        let name = format!("rbg:{}", game.name);
        match open(&name) {
            Ok(game) => println!(
                "{name}: {:?} {}",
                game.shape().alphabets(),
                game.format_position(&game.start_position())
            ),
            Err(error) => println!("{name}: refused: {error}"),
        }
    }
}

#[test]
fn tictactoe_agrees_on_every_word() {
    let seen = compare(&open("rbg:tictactoe").unwrap(), 7).unwrap();
    assert!(seen.ended > 1000 && seen.moves > 1000, "{seen:?}");
}

#[test]
fn small_boards_agree_on_every_word() {
    for (name, rows) in [
        ("breakthrough", "[b,b][empty,empty][w,w]"),
        ("breakthrough", "[b,b][b,b][w,w][w,w]"),
        ("knightthrough", "[b,b,b][empty,empty,empty][w,w,w]"),
        ("clobber", "[w,b,w][b,w,b]"),
        ("amazons", "[empty,b][empty,empty][w,empty]"),
        ("connectfour", "[empty,empty][empty,empty][empty,empty][empty,empty]"),
        ("reversi", "[b,w,empty][w,b,empty]"),
    ] {
        let game = open_text(name, &on(name, rows), None).unwrap();
        let seen = compare(&game, 1).unwrap_or_else(|why| panic!("{name} {rows}: {why}"));
        assert!(seen.ended > 0 && seen.moves > 0, "{name}: {seen:?}");
    }
}

/// The rules of a capturing game on 3x3 points with all eight directions, and so little patience; `pieces` by point, from the top.
fn on_nine_points(name: &str, pieces: &str, patience: usize) -> String {
    let text = crate::counts::text_of(name);
    let (before, after) = text.split_once("#board =").unwrap();
    let rest = after.split_once("#beside").unwrap().1;
    let before = before.replace("#patience = 100", &format!("#patience = {patience}"));
    let directions = [
        ("up", 0, -1),
        ("down", 0, 1),
        ("left", -1, 0),
        ("right", 1, 0),
        ("upLeft", -1, -1),
        ("upRight", 1, -1),
        ("downLeft", -1, 1),
        ("downRight", 1, 1),
    ];
    let on_board = |x: i32, y: i32| (0..3).contains(&x) && (0..3).contains(&y);
    let mut board = String::new();
    for (at, piece) in pieces.chars().enumerate() {
        let (x, y) = (at as i32 % 3, at as i32 / 3);
        let edges: Vec<String> = directions
            .iter()
            .filter(|(_, dx, dy)| on_board(x + dx, y + dy))
            .map(|(name, dx, dy)| format!("{name}:p{}{}", x + dx, y + dy))
            .collect();
        let piece = if piece == '.' { "empty".to_string() } else { piece.to_string() };
        board += &format!("p{x}{y}[{piece}]{{{}}}\n", edges.join(","));
    }
    format!("{before}#board =\n{board}#beside{rest}")
}

#[test]
fn chains_of_captures_agree() {
    let text = on_nine_points("laukatakati", "bbb.w.www", 1);
    let game = open_text("nine", &text, None).unwrap();
    let seen = compare(&game, 11).unwrap_or_else(|why| panic!("{why}"));
    assert!(seen.ended > 100 && seen.moves > 1000, "{seen:?}");
}

#[test]
fn connectivity_agrees() {
    let text = crate::counts::text_of("hex").replace("[empty, empty, empty, empty]", "");
    let rows = text.rfind("[empty, empty, empty]").unwrap();
    let text = format!("{}{}", &text[..rows], &text[rows + "[empty, empty, empty]".len()..]);
    let seen = compare(&open_text("hex", &text, None).unwrap(), 5).unwrap_or_else(|why| panic!("{why}"));
    assert!(seen.ended > 1000 && seen.moves > 1000, "{seen:?}");
}

/// A loop that only looks: stones go any way over empty squares, as far as they like.
#[test]
fn walks_agree() {
    let text = "#players = a(1), b(1) #pieces = e, x, o #variables =
        #board = rectangle(up,down,left,right,[x,e,e][e,e,o])
        #any = (up* + down*) (left* + right*) #beside = (up + down + left + right)
        #turn(me; you; own) = ->me any {own} [e] beside {e} (beside {e})* [own] ->> [$ me=1, you=0]
        #rules = (turn(a; b; x) turn(b; a; o))*";
    let seen = compare(&open_text("walks", text, None).unwrap(), 1).unwrap_or_else(|why| panic!("{why}"));
    assert!(seen.ended > 100 && seen.moves > 1000, "{seen:?}");
}
