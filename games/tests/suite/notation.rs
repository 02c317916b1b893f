//! Positions and moves as text: all output can be read back, and no input panics.

use std::sync::Arc;

use nerode_games::explicit::apply;
use nerode_games::registry::open;
use nerode_games::{Error, Game, Position, Side};
use proptest::prelude::*;

use crate::common::examples;

const SPECS: [&str; 18] = [
    "nim:3x7",
    "nim:40x255",
    "tictactoe:3x3",
    "tictactoe:12x3",
    "tictactoe:36x1",
    "tictactoe:1x36,k=5",
    "breakthrough:2x4",
    "breakthrough:5x6",
    "breakthrough:20x4",
    "othello:3x3",
    "othello:8x10",
    "amazons:4x4",
    "amazons:9x7",
    "amazons:12x2,start=b10b/w10w",
    "connect:7x6",
    "connect:2x32",
    "connect:5x4,encoding=columns",
    "connect:12x3,row=3,encoding=columns",
];

fn any_game() -> impl Strategy<Value = Arc<dyn Game>> {
    prop::sample::select(SPECS.to_vec()).prop_map(|spec| open(spec).unwrap())
}

/// Generates a game with an arbitrary board, whose contents are weighted so that long runs of 0 occur.
fn any_position() -> impl Strategy<Value = (Arc<dyn Game>, Position)> {
    (any_game(), prop::collection::vec(any::<u8>(), 80), 1..6u8, any::<bool>()).prop_map(
        |(game, bytes, sparse, first)| {
            let content = |(&states, byte): (&u16, u8)| match byte % sparse {
                0 => (u16::from(byte / sparse) % states) as u8,
                _ => 0,
            };
            let board = game.cell_states().iter().zip(bytes).map(content).collect();
            let side = if first { Side::P1 } else { Side::P2 };
            (game, Position { board, side })
        },
    )
}

/// Returns the drawing of a position without numbers on the left and letters below, or, for nim, without the letters on
/// the left.
fn without_labels(game: &dyn Game, position: &Position) -> String {
    let drawing = game.draw(position);
    let letters = |line: &&str| !line.trim_start().starts_with("a ") || game.spec().starts_with("nim");
    let bare = |line: &str| match line.ends_with("to move") {
        true => line.to_string(),
        false => line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "),
    };
    let lines: Vec<String> = drawing.lines().filter(letters).map(bare).collect();
    lines.join("\n")
}

/// Checks that drawings of morris boards can be read with and without their labels and lines.
#[test]
fn drawings_of_morris_and_chess_are_read() {
    for (spec, text) in [
        ("morris:nine", "O*@**@**/**O*****/***O***@ w 0-0"),
        ("morris:morabaraba", "O*@**@**/**O*****/***O***@ b 3-4"),
        ("morris:six", "O*@**@**/**O***** b 0-0"),
        ("morris:seven", "O*@**@**/**O*****/@ b 0-0"),
        ("morris:three", "O*@**@**/O b 0-0"),
    ] {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        let drawing = game.draw(&position);
        assert_eq!(game.parse_position(&drawing).unwrap(), position, "{drawing}");
        let below = drawing.find("in hand").unwrap();
        let bare = drawing[..below].replace(|c: char| c.is_ascii_alphanumeric() && c != 'O', " ")
            + &drawing[below..];
        assert_eq!(game.parse_position(&bare).unwrap(), position, "{bare}");
        let (_, after) = text.split_once(' ').unwrap();
        assert_eq!(game.parse_position(&format!("{}{after}", &drawing[..below])).unwrap(), position);
    }
    let nine = open("morris:nine").unwrap();
    let drawing = nine.draw(&nine.start_position());
    let refused = |text: &str| nine.parse_position(text).unwrap_err().to_string();
    assert!(refused(&drawing.replacen('*', " ", 1)).contains("the drawing has 23 points instead of 24"));
    assert!(refused(&drawing.replacen('*', "x", 1)).contains("unexpected 'x'; expected a line"));
    assert!(refused(drawing.rsplit_once("w to").unwrap().0).contains("the side to move is missing"));
    assert!(
        refused(&drawing.replace("in hand: white O 9, black @ 9", "")).contains("in hand are missing below")
    );
    for (spec, text) in
        [("chess:KRvK", "8/8/8/3k4/8/8/8/KR6 b - -"), ("chess:start", "4k3/8/8/8/8/8/8/4K3 w - -")]
    {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        assert_eq!(game.parse_position(&game.draw(&position)).unwrap(), position);
    }
}

proptest! {
    #[test]
    fn positions_are_read_back((game, position) in any_position()) {
        let text = game.format_position(&position);
        prop_assert_eq!(game.parse_position(&text).unwrap(), position.clone());
        prop_assert_eq!(game.parse_position(&format!("  {text} ")).unwrap(), position.clone());
        prop_assert_eq!(game.draw(&position).lines().count() > 1, true);
        prop_assert_eq!(game.parse_position(&game.draw(&position)).unwrap(), position.clone());
        prop_assert_eq!(game.parse_position(&without_labels(game.as_ref(), &position)).unwrap(), position);
    }

    #[test]
    fn moves_are_read_back((game, position) in any_position()) {
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        for mv in moves.iter().take(40) {
            let text = game.format_move(&position, mv);
            prop_assert_eq!(&game.parse_move(&position, &text).unwrap(), mv);
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error(game in any_game(), text in any::<String>(), move_text in any::<String>()) {
        if let Ok(position) = game.parse_position(&text) {
            let again = game.parse_position(&game.format_position(&position));
            prop_assert_eq!(again.unwrap(), position);
        }
        let (board, side) = game.start();
        let _ = game.parse_move(&Position { board, side }, &move_text);
    }

    #[test]
    fn text_in_the_right_letters_is_a_position_or_an_error(
        game in any_game(),
        text in "([0-9]{1,22}|[XOwb?./]){0,24} ?[ XOwbP12]{0,3}",
    ) {
        match game.parse_position(&text) {
            Ok(position) => {
                let fits = position.board.iter().zip(game.cell_states()).all(|(&c, &n)| u16::from(c) < n);
                prop_assert!(fits && position.board.len() == game.cell_states().len());
            }
            Err(error) => prop_assert!(matches!(error, Error::Position { .. }), "{error}"),
        }
    }
}

const MORRIS: [&str; 8] = [
    "morris:three",
    "morris:three,diagonals=no,phases=mixed",
    "morris:five",
    "morris:seven,take=2",
    "morris:nine",
    "morris:nine,capture=protected,take=2,stones=12-10",
    "morris:lasker",
    "morris:morabaraba",
];

/// Returns a position of the game after random turns from the start.
fn played(game: &dyn Game, dice: &[u16]) -> Position {
    let (board, side) = game.start();
    let mut position = Position { board, side };
    for &number in dice {
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        let Some(mv) = moves.get(usize::from(number) % moves.len().max(1)) else { break };
        position = Position { board: apply(&position.board, mv), side: position.side.other() };
    }
    position
}

proptest! {
    /// Uses reachable positions and moves of every family of the registry.
    #[test]
    fn play_is_read_back(
        spec in prop::sample::select(examples().collect::<Vec<_>>()),
        dice in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let game = open(spec).unwrap();
        let position = played(game.as_ref(), &dice);
        let text = game.format_position(&position);
        prop_assert_eq!(game.parse_position(&text).unwrap(), position.clone(), "{}", text);
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        for mv in moves.iter().take(40) {
            let text = game.format_move(&position, mv);
            prop_assert_eq!(&game.parse_move(&position, &text).unwrap(), mv, "{}", text);
        }
    }

    /// Sets contain boards that cannot occur in play, and listings of them are read back.
    #[test]
    fn any_board_of_morris_is_read_back(
        spec in prop::sample::select(MORRIS.to_vec()),
        bytes in prop::collection::vec(any::<u8>(), 80),
        first in any::<bool>(),
    ) {
        let game = open(spec).unwrap();
        let content = |(&states, byte): (&u16, u8)| (u16::from(byte) % states) as u8;
        let board = game.cell_states().iter().zip(bytes).map(content).collect();
        let position = Position { board, side: if first { Side::P1 } else { Side::P2 } };
        prop_assert_eq!(game.parse_position(&game.format_position(&position)).unwrap(), position.clone());
        prop_assert_eq!(game.parse_position(&game.draw(&position)).unwrap(), position);
    }

    /// Uses reachable positions, because moves are made in these only.
    #[test]
    fn morris_is_read_back(
        spec in prop::sample::select(MORRIS.to_vec()),
        dice in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let game = open(spec).unwrap();
        let position = played(game.as_ref(), &dice);
        let text = game.format_position(&position);
        prop_assert_eq!(game.parse_position(&text).unwrap(), position.clone());
        let drawn = game.draw(&position);
        for (symbol, content) in [('O', 1), ('@', 2)] {
            let on_board = position.board[..position.board.len() - 2].iter().filter(|&&c| c == content).count();
            prop_assert_eq!(drawn.matches(symbol).count(), on_board + 1, "{}", drawn);
        }
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        for mv in &moves {
            let text = game.format_move(&position, mv);
            prop_assert_eq!(&game.parse_move(&position, &text).unwrap(), mv);
            prop_assert_eq!(&game.parse_move(&position, &text.replace('x', " x")).unwrap(), mv);
        }
    }

    #[test]
    fn text_in_the_letters_of_morris_is_a_position_or_an_error(
        spec in prop::sample::select(MORRIS.to_vec()),
        text in "([*O@X]{8}/){0,3}[*O@]{0,8} [wbP12]{1,2} ([rpm] [psr] )?([0-9]{1,2}[- ]){0,4}[0-9 ]{0,20}",
        move_text in "([a-g][1-7][-x ]{0,2}){0,4}",
    ) {
        let game = open(spec).unwrap();
        match game.parse_position(&text) {
            Ok(position) => {
                let again = game.parse_position(&game.format_position(&position));
                prop_assert_eq!(again.unwrap(), position);
            }
            Err(error) => prop_assert!(matches!(error, Error::Position { .. }), "{error}"),
        }
        let (board, side) = game.start();
        let _ = game.parse_move(&Position { board, side }, &move_text);
    }
}

/// Returns the labels of the points with white stones and with black stones.
fn stones(game: &dyn Game, position: &Position) -> [String; 2] {
    let layers = game.layers();
    let label = |cell: usize| {
        let layer = game.cell_of_layer().iter().position(|&c| c == cell).unwrap();
        layers[layer].label.clone()
    };
    [1, 2].map(|stone| {
        let cells = (0..position.board.len() - 2).filter(|&cell| position.board[cell] == stone);
        let mut labels: Vec<String> = cells.map(label).collect();
        labels.sort();
        labels.join(" ")
    })
}

/// Checks the order of the rings, from the outermost inwards, each clockwise from the middle of its left side.
#[test]
fn morris_positions_are_written_as_documented() {
    let game = open("morris:nine").unwrap();
    let position = game.parse_position("O@******/*O*****@/@******O b 5-6").unwrap();
    assert_eq!(stones(game.as_ref(), &position), ["a4 b6 c3", "a7 b2 c4"]);
    assert_eq!((position.side, &position.board[24..]), (Side::P2, &[5, 6][..]));
    assert_eq!(game.format_position(&position), "O@******/*O*****@/@******O b 5-6");
    let (board, side) = game.start();
    assert_eq!(game.format_position(&Position { board, side }), "********/********/******** w 9-9");
    let seven = open("morris:seven").unwrap();
    let position = seven.parse_position("O*******/*******@/O w 5-5 ").unwrap();
    assert_eq!(stones(seven.as_ref(), &position), ["a3 c3", "b2"]);
    let three = open("morris:three").unwrap();
    let position = three.parse_position("O**@****/* P1 2-2").unwrap();
    assert_eq!(
        three.draw(&position),
        "3  *---*---@\n   | \\ | / |\n2  O---*---*\n   | / | \\ |\n1  *---*---*\n   a   b   c\n\
         in hand: white O 2, black @ 2\nw to move\n"
    );
}

/// Checks the boards of programs for nine men's morris: rings from the innermost outwards, each clockwise from the
/// middle of its upper side.
#[test]
fn morris_reads_the_notation_of_other_programs() {
    let game = open("morris:nine").unwrap();
    let full = "O@******/*O*****@/@******O w p p 3 5 3 5 0 0 0 0 0 0 0 0 7 ids:1,2 c:w-0-|b-0- s:0";
    let position = game.parse_position(full).unwrap();
    assert_eq!(stones(game.as_ref(), &position), ["a7 d5 f6", "b6 d7 e5"]);
    assert_eq!((position.side, &position.board[24..]), (Side::P1, &[5, 5][..]));
    // Older programs write fewer fields.
    let short = "O@******/*O*****@/@******O w p p 3 5 3 5 0 0 0 7";
    assert_eq!(game.parse_position(short).unwrap(), position);
    assert_eq!(game.parse_position("O@******/*O*****@/@******O w p p 3 5 3 5").unwrap(), position);
    let own = game.format_position(&position);
    assert_eq!(own, "*O@*****/*@*O****/**O@**** w 5-5");
    assert_eq!(game.parse_position(&own).unwrap(), position);
    // The test places one stone at a time on the middles of sides and the corners of each ring.
    for (index, label) in
        [(0, "d5"), (3, "e3"), (7, "c5"), (8, "d6"), (14, "b4"), (16, "d7"), (17, "g7"), (23, "a7")]
    {
        let mut rings = ["*"; 24];
        rings[index] = "O";
        let text = [rings[..8].concat(), rings[8..16].concat(), rings[16..].concat()].join("/");
        let position = game.parse_position(&format!("{text} b p p 1 8 0 9 0 0 0 0 0 0 0 0 1")).unwrap();
        assert_eq!(stones(game.as_ref(), &position)[0], label);
    }
}

#[test]
fn wrong_positions_of_morris_are_refused_with_the_reason() {
    refuse("morris:nine", "", "the text is empty");
    refuse("morris:nine", "********/********/******** w", "the stones in hand are missing");
    refuse("morris:nine", "********/******** w 9-9", "expected 3 parts separated by '/', found 2");
    refuse("morris:nine", "********/*******/******** w 9-9", "part 2, '*******', has 7 points instead of 8");
    refuse("morris:seven", "********/******** w 7-7", "expected 3 parts separated by '/', found 2");
    refuse("morris:nine", "********/**x*****/******** w 9-9", "unexpected 'x' at character 3");
    refuse("morris:nine", "********/**é*****/******** w 9-9", "unexpected 'é' at character 3");
    refuse("morris:nine", "********/********/******** x 9-9", "the side to move is 'x', not w or b");
    refuse("morris:nine", "********/********/******** w 99", "are '99', not two numbers separated by '-'");
    refuse(
        "morris:nine",
        "********/********/******** w 10-9",
        "the stones in hand of white are '10', not a number from 0 to 9",
    );
    refuse("morris:nine", "********/********/******** w 9-", "in hand of black are ''");
    // Boards of the game that cannot occur are read, because sets contain them, and have a reason.
    let nine = open("morris:nine").unwrap();
    for (text, word) in [
        ("OO******/********/******** w 8-8", "white has more stones, on the board and in hand"),
        ("********/********/******** w 9-7", "white cannot have 9 stones in hand while black has 7"),
        ("********/********/******** b 3-9", "black cannot have 9 stones in hand while white has 3"),
    ] {
        let position = nine.parse_position(text).unwrap();
        assert_eq!(nine.format_position(&position), text);
        let reason = nine.why_illegal(&position.board, position.side).unwrap();
        assert!(reason.contains(word), "{text}: {reason}");
    }
    assert!(open("morris:lasker").unwrap().parse_position("********/********/******** b 3-9").is_ok());
    let fen = |rest: &str| format!("********/O*******/*******@ w p {rest}");
    refuse("morris:nine", &fen("p 1 8 1 8 1 0 0 0 0 0 0 0 2"), "a capture is pending");
    refuse("morris:nine", &fen("r 1 8 1 8 0 0 0 0 0 0 0 0 2"), "a capture is pending");
    refuse("morris:nine", &fen("p 2 7 1 8 0 0"), "1 white stone on the board, but the FEN counts 2");
    refuse("morris:nine", &fen("p 1 8 1"), "7 parts");
    refuse("morris:nine", "********/O***X***/*******@ w p p 1 8 1 8", "points marked X");
    refuse("morris:six", "********/******** w p p 0 6 0 6", "only boards with 24 points have a FEN");
}

#[test]
fn morris_moves_are_written_as_documented() {
    let game = open("morris:nine").unwrap();
    let texts = |text: &str, piece: &str| -> Vec<String> {
        let position = game.parse_position(text).unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|mv| game.format_move(&position, mv)).collect();
        texts.retain(|text| text.starts_with(piece));
        texts.sort();
        texts
    };
    // White has a7, d7 and b4, black has a1, d1 and f4. White closes a7-d7-g7 with a placement.
    let placing = "*OO***@@/O***@***/******** w 6-6";
    assert_eq!(texts(placing, "g7"), ["g7xa1", "g7xd1", "g7xf4"]);
    assert_eq!(texts(placing, "d6"), ["d6"]);
    // White has a7, d7, g4 and e4 and slides g4-g7.
    let sliding = "*OO*O*@@/****@***/****O*** w 0-0";
    assert_eq!(texts(sliding, "g4"), ["g4-g1", "g4-g7xa1", "g4-g7xd1", "g4-g7xf4"]);
    let position = game.parse_position(sliding).unwrap();
    let plain = game.parse_move(&position, "g4-g7xf4").unwrap();
    for text in [" g4-g7xf4 ", "g4-g7 xf4", "g4-g7x f4", "g4 -g7 x f4"] {
        assert_eq!(game.parse_move(&position, text).unwrap(), plain, "{text}");
    }
    let error = game.parse_move(&position, "g4-g7").unwrap_err().to_string();
    assert!(
        error.contains("move 'g4-g7': not a legal move; legal moves:") && error.contains("g4-g7xf4"),
        "{error}"
    );
    // Two mills are closed at once, and two stones are captured in either order.
    let two = open("morris:nine,take=2").unwrap();
    let position = two.parse_position("*@O@****/*O*O****/**O***** w 5-6").unwrap();
    let reason = two.why_illegal(&position.board, position.side).unwrap();
    assert!(reason.contains("white cannot have 5 stones in hand while black has 6"), "{reason}");
    let position = two.parse_position("*@O@****/*O*O****/**O***** w 5-5").unwrap();
    let mv = two.parse_move(&position, "d6xa7xg7").unwrap();
    assert_eq!(two.parse_move(&position, "d6 xg7 xa7").unwrap(), mv);
    assert_eq!(two.format_move(&position, &mv), "d6xa7xg7");
}

fn refuse(spec: &str, text: &str, reason: &str) {
    let game = open(spec).unwrap();
    let error = game.parse_position(text).unwrap_err();
    let said = error.to_string();
    assert!(said.contains(reason), "{spec} '{text}': {said}");
    let Error::Position { example, .. } = error else { panic!("{spec} '{text}': {said}") };
    assert_eq!(game.parse_position(&example).unwrap(), game.start_position(), "the example can be read");
    assert!(!said.contains(&game.position_form()), "the error states the fault, not the whole form: {said}");
}

#[test]
fn positions_are_written_as_documented() {
    let nim = open("nim:3x7").unwrap();
    let position = nim.parse_position("3/5/7").unwrap();
    assert_eq!(position, Position { board: vec![3, 5, 7], side: Side::P1 });
    assert_eq!(nim.format_position(&position), "3/5/7 P1");
    assert_eq!(nim.parse_position("0/0/1 P2").unwrap().side, Side::P2);

    let tictactoe = open("tictactoe:3x3").unwrap();
    let position = tictactoe.parse_position("X1O/3/1X1 O").unwrap();
    assert_eq!(position, Position { board: vec![0, 1, 0, 0, 0, 0, 1, 0, 2], side: Side::P2 });
    assert_eq!(tictactoe.format_position(&position), "X1O/3/1X1 O");
    assert_eq!(tictactoe.draw(&position), "3  X . O\n2  . . .\n1  . X .\n   a b c\nO to move\n");

    let breakthrough = open("breakthrough:4x6").unwrap();
    let (board, side) = breakthrough.start();
    let position = Position { board, side };
    assert_eq!(breakthrough.format_position(&position), "bbbb/bbbb/4/4/wwww/wwww w");
    assert_eq!(breakthrough.parse_position("bbbb/bbbb/..2/4/wwww/wwww P1").unwrap(), position);

    let othello = open("othello:5x4").unwrap();
    let (board, side) = othello.start();
    let position = Position { board, side };
    assert_eq!(othello.format_position(&position), "5/1bw2/1wb2/5 b");
    assert_eq!(othello.parse_position("5/.bw../1wb2/5 P1").unwrap(), position);
    assert_eq!(
        othello.draw(&position),
        "4  . . . . .\n3  . b w . .\n2  . w b . .\n1  . . . . .\n   a b c d e\nb to move\n"
    );
    let amazons = open("amazons:4x5").unwrap();
    let (board, side) = amazons.start();
    let position = Position { board, side };
    assert_eq!(amazons.format_position(&position), "1bb1/b2b/4/w2w/1ww1 w");
    let drawn = "5  . b b .\n4  b . . b\n3  . . . .\n2  w . . w\n1  . w w .\n   a b c d\nw to move\n";
    assert_eq!(amazons.draw(&position), drawn);
    // On wide boards, the amazons are also one cell from the corners along both edges.
    let wide = open("amazons:7x4").unwrap();
    let (board, side) = wide.start();
    assert_eq!(wide.format_position(&Position { board, side }), "1b3b1/b5b/w5w/1w3w1 w");
    for (spec, board) in [
        ("connect:3x2", vec![1, 2, 0, 2, 0, 0]),
        // The columns from the top: a marker above O above X, a marker above O, and only a marker.
        ("connect:3x2,encoding=columns", vec![1, 0, 0, 1, 1, 0, 0, 1, 0]),
    ] {
        let connect = open(spec).unwrap();
        let text = if spec.contains("columns") { "O1?/XO? X" } else { "O2/XO1 X" };
        let position = connect.parse_position(text).unwrap();
        assert_eq!(position, Position { board, side: Side::P1 }, "{spec}");
        assert_eq!(connect.format_position(&position), text);
    }
    let connect = open("connect:3x2,encoding=columns").unwrap();
    let position = connect.parse_position("O../XO? O").unwrap_err().to_string();
    assert!(position.contains("column c: some but not all of its cells are '?'"), "{position}");
    let position = connect.parse_position("O2/XO1 O").unwrap();
    assert_eq!(connect.draw(&position), "2  O . .\n1  X O .\n   a b c\nO to move\n");

    let wide = open("tictactoe:12x3").unwrap();
    let (board, side) = wide.start();
    assert_eq!(wide.format_position(&Position { board, side }), "12/12/12 X", "12 is one run, not 1 and 2");
}

#[test]
fn wrong_positions_are_refused_with_the_reason() {
    refuse("nim:3x7", "", "the text is empty");
    refuse("nim:3x7", "3/5", "expected 3 heaps separated by '/', found 2");
    refuse("nim:3x7", "3/5/8", "heap c is '8', not a number from 0 to 7");
    refuse("nim:3x7", "3/5/+7", "heap c is '+7'");
    refuse("nim:3x7", "3/5/300 P1", "heap c is '300'");
    refuse("nim:3x7", "3/5/7 P3", "is 'P3', not P1 or P2");
    refuse("nim:3x7", "3/5/7 P1 P2", "unexpected 'P2' after the side to move");
    refuse("tictactoe:3x3", "3/3/3", "the side to move is missing after the rows; expected X or O");
    refuse("tictactoe:3x3", "3/3/3 X X", "unexpected 'X' after the side to move");
    refuse("tictactoe:3x3", "3/3 X", "expected 3 rows separated by '/', found 2");
    refuse("tictactoe:3x3", "3/3/3 w", "the side to move is 'w', not X or O");
    refuse("tictactoe:3x3", "333 X", "expected 3 rows separated by '/', found 1");
    refuse(
        "tictactoe:3x3",
        "3/4/3 X",
        "row 2 from the top, '4': character 1 stands for 4 empty cells, but the row has room for 1 to 3",
    );
    refuse("tictactoe:3x3", "3/3/XX X", "row 3 from the top, 'XX': only 2 of 3 cells");
    refuse("tictactoe:3x3", "XOXO/3/3 X", "row 1 from the top, 'XOXO': more than 3 cells");
    refuse("tictactoe:3x3", "3/XO2/3 X", "character 3 stands for 2 empty cells, but the row has room for 1");
    refuse("tictactoe:3x3", "3/XOX2/3 X", "row 2 from the top, 'XOX2': more than 3 cells");
    refuse("tictactoe:3x3", "3/0X2/3 X", "character 1 stands for 0 empty cells");
    refuse("tictactoe:3x3", "3/3/Xé1 X", "unexpected 'é' at character 2; expected X, O or a digit");
    refuse("tictactoe:3x3", "3/3/99999999999999999999999 X", "the row has room for 1 to 3");
    refuse("amazons:4x4", "1bb1/b2b/w2w/1wwQ w", "row 4 from the top, '1wwQ': unexpected 'Q' at character 4");
    refuse("amazons:4x4", "1bb1/b2b/w2w w", "expected 4 rows separated by '/', found 3");
    refuse("amazons:4x4", "1bb1/b2b/w2w/1ww1 x", "not w or b");
    refuse("connect:4x4", "4/4/4/4 w", "not X or O");
    refuse("connect:4x4", "4/4/4/3? X", "unexpected '?' at character 2");
    refuse("connect:3x2,encoding=columns", "1X1/3 O", "column b: a stone above an empty cell");
    refuse("breakthrough:2x4", "bb/bb/ww/wX w", "unexpected 'X' at character 2; expected w, b or a digit");
    refuse("othello:4x4", "4/1wb1/1bw1/4", "the side to move is missing");
    refuse("othello:4x4", "4/1wb1/1bw1/4 X", "not b or w");
    refuse("othello:4x4", "4/1wX1/1bw1/4 b", "unexpected 'X' at character 3");
    refuse("othello:4x4", "4/1wb1/1bw1 b", "expected 4 rows separated by '/', found 3");
}

#[test]
fn moves_are_written_as_documented() {
    let all = |spec: &str, text: &str| {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|mv| game.format_move(&position, mv)).collect();
        texts.sort();
        texts.join(" ")
    };
    assert_eq!(all("nim:3x7", "1/0/3"), "a-1 c-1 c-2 c-3");
    assert_eq!(all("tictactoe:3x3", "X1O/XOX/O2 O"), "", "O has a diagonal");
    assert_eq!(all("tictactoe:3x3", "X1O/XOX/2O O"), "a1 b1 b3");
    for encoding in ["cells", "columns"] {
        let spec = format!("connect:4x2,row=3,encoding={encoding}");
        assert_eq!(all(&spec, "X3/OX2 O"), "b c d");
        assert_eq!(all(&spec, "O2O/XXOX X"), "b c");
        assert_eq!(all(&spec, "O2O/OXXX O"), "", "X has a row");
    }
    assert_eq!(all("breakthrough:3x5", "3/1b1/bwb/3/3 w"), "b3a4 b3c4");
    assert_eq!(all("breakthrough:3x5", "3/b1b/1w1/3/3 w"), "b3b4 b3xa4 b3xc4");
    assert_eq!(all("breakthrough:3x5", "3/b1b/1w1/3/3 b"), "a4a3 a4xb3 c4c3 c4xb3");
    assert_eq!(all("breakthrough:3x5", "w2/b1b/1w1/3/3 b"), "", "white has arrived");
    assert_eq!(all("othello:8x8", "8/8/8/3bw3/3wb3/8/8/8 b"), "c4 d3 e6 f5", "the usual first moves");
    assert_eq!(all("othello:3x3", "bw1/3/3 b"), "c3");
    assert_eq!(all("othello:3x3", "bw1/3/3 w"), "pass");
    assert_eq!(all("othello:3x3", "bbb/bbw/www w"), "");
    let corner = "amazons:3x3,start=2b/3/w2";
    assert_eq!(
        all(corner, "x1b/xx1/wx1 b"),
        "c3-b3/c2 c3-b3/c3 c3-c1/c2 c3-c1/c3 c3-c2/b3 c3-c2/c1 c3-c2/c3"
    );
    assert_eq!(all(corner, "1xx/xxx/xxw w"), "");
    assert_eq!(all(corner, "xxx/x1x/xxw w"), "c1-b2/c1", "the arrow flies back");
}

/// Checks that a move turns over every row between the placed disc and an own disc, but no row that ends at the edge or
/// at an empty cell.
#[test]
fn othello_turns_over_all_rows_at_once() {
    let game = open("othello:5x5").unwrap();
    let after = |text: &str, mv: &str| {
        let position = game.parse_position(text).unwrap();
        let mv = game.parse_move(&position, mv).unwrap();
        let next = Position { board: apply(&position.board, &mv), side: position.side.other() };
        game.format_position(&next)
    };
    assert_eq!(after("b1b1b/1www1/bw1wb/1www1/b1b1b b", "c3"), "b1b1b/1bbb1/bbbbb/1bbb1/b1b1b w");
    assert_eq!(after("b1w1b/1www1/bw1w1/1www1/w1b1w b", "c3"), "b1w1b/1bwb1/bbbw1/1wbw1/w1b1w w");
    assert_eq!(after("5/5/1bbbw/5/5 w", "a3"), "5/5/wwwww/5/5 b");
    assert_eq!(after("5/5/1bb1w/1b3/1w3 w", "b4"), "5/1w3/1wb1w/1w3/1w3 b");
}

#[test]
fn wrong_moves_are_refused_with_the_legal_ones() {
    let refuse = |spec: &str, text: &str, mv: &str| {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        game.parse_move(&position, mv).unwrap_err().to_string()
    };
    let error = refuse("breakthrough:3x5", "3/b1b/1w1/3/3 w", "b3a3");
    assert_eq!(error, "move 'b3a3': not a legal move; legal moves: b3xa4 b3b4 b3xc4");
    let error = refuse("amazons:3x3,start=2b/3/w2", "xxx/x1x/xxw w", "c1-b2");
    assert_eq!(error, "move 'c1-b2': not a legal move; legal moves: c1-b2/c1");
    assert!(refuse("nim:3x7", "0/0/0", "a-1").contains("no legal move"));
    assert!(refuse("othello:3x3", "bw1/3/3 b", "pass").contains("legal moves: c3"));
    assert!(refuse("othello:3x3", "bw1/3/3 w", "c3").contains("legal moves: pass"));
    assert!(refuse("nim:3x255", "0/0/255", "").contains("and 195 more"));
}

/// Checks that case, separators, annotations and numbers of columns do not matter where they cannot be confused.
#[test]
fn moves_are_read_as_people_type_them() {
    for (spec, position, typed, moves) in [
        ("breakthrough:4x4", "4/1b2/w3/4 w", &["a2b3", "A2-B3", "a2xb3!?", "a2 b3", "a2:b3+"][..], "a2xb3"),
        ("connect:7x6", "7/7/7/7/7/7 X", &["D", "4", "d!", " 4 "], "d"),
        ("nim:3x7", "3/5/7 P1", &["B3", "b 3"], "b-3"),
        ("morris:six", "*O******/**@***** w 5-5", &["A3", "a3??"], "a3"),
        ("chess:KPvK", "4k3/8/8/8/8/8/4P3/4K3 w - -", &["E2-E4", "e2e4!"], "e2e4"),
        ("othello:4x4", "start", &["B1?"], "b1"),
    ] {
        let game = open(spec).unwrap();
        let position = match position {
            "start" => game.start_position(),
            text => game.parse_position(text).unwrap(),
        };
        for typed in typed {
            let mv = game.parse_move(&position, typed).unwrap();
            assert_eq!(game.format_move(&position, &mv), moves, "{spec}: {typed}");
        }
    }
    let refused = |spec: &str, text: &str| {
        let game = open(spec).unwrap();
        game.parse_move(&game.start_position(), text).unwrap_err().to_string()
    };
    for text in ["0", "8", "-", "!?", "x", "dd"] {
        assert!(refused("connect:7x6", text).starts_with(&format!("move '{text}': not a legal move")));
    }
}

#[test]
fn positions_are_read_in_either_case() {
    for (spec, typed, text) in [
        ("breakthrough:4x4", "BBBB/4/4/WWWW W", "bbbb/4/4/wwww w"),
        ("tictactoe:3x3", "x1o/3/3 x", "X1O/3/3 X"),
        ("nim:3x7", "3/5/7 p2", "3/5/7 P2"),
        ("morris:six", "*o******/**@***** W 5-5", "*O******/**@***** w 5-5"),
    ] {
        let game = open(spec).unwrap();
        assert_eq!(game.format_position(&game.parse_position(typed).unwrap()), text, "{spec}");
    }
    // The case of a piece in a FEN is its colour.
    let game = open("chess:KRvK").unwrap();
    let position = game.parse_position("8/8/8/3k4/8/8/8/KR6 W - -").unwrap();
    assert_eq!(game.format_position(&position), "8/8/8/3k4/8/8/8/KR6 w - -");
    assert!(game.parse_position("8/8/8/3K4/8/8/8/KR6 w - -").is_err());
}
