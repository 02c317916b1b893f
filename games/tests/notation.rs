//! Positions and moves as text: everything printed is read back, and nothing that is typed panics.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;

use nerode_games::registry::open;
use nerode_games::{Error, Game, Position, Side};
use proptest::prelude::*;

const SPECS: [&str; 9] = [
    "nim:3x7",
    "nim:40x255",
    "tictactoe:3x3",
    "tictactoe:12x3",
    "tictactoe:36x1",
    "tictactoe:1x36,k=5",
    "breakthrough:2x4",
    "breakthrough:5x6",
    "breakthrough:20x4",
];

fn any_game() -> impl Strategy<Value = Arc<dyn Game>> {
    prop::sample::select(SPECS.to_vec()).prop_map(|spec| open(spec).unwrap())
}

/// A game with any of its boards, the contents spread by weight so that long runs of 0 occur.
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

proptest! {
    #[test]
    fn positions_are_read_back((game, position) in any_position()) {
        let text = game.format_position(&position);
        prop_assert_eq!(game.parse_position(&text).unwrap(), position.clone());
        prop_assert_eq!(game.parse_position(&format!("  {text} ")).unwrap(), position.clone());
        prop_assert_eq!(game.draw(&position).lines().count() > 1, true);
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
        text in "([0-9]{1,22}|[XOwb./]){0,24} ?[ XOwbP12]{0,3}",
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

fn refuse(spec: &str, text: &str, reason: &str) {
    let error = open(spec).unwrap().parse_position(text).unwrap_err().to_string();
    assert!(error.contains(reason) && error.contains("accepted form"), "{spec} '{text}': {error}");
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

    let wide = open("tictactoe:12x3").unwrap();
    let (board, side) = wide.start();
    assert_eq!(wide.format_position(&Position { board, side }), "12/12/12 X", "12 is one run, not 1 and 2");
}

#[test]
fn wrong_positions_are_refused_with_the_reason() {
    refuse("nim:3x7", "", "not heaps");
    refuse("nim:3x7", "3/5", "2 heaps where the game has 3");
    refuse("nim:3x7", "3/5/8", "heap '8' is not a number from 0 to 7");
    refuse("nim:3x7", "3/5/+7", "heap '+7'");
    refuse("nim:3x7", "3/5/300 P1", "heap '300'");
    refuse("nim:3x7", "3/5/7 P3", "not P1 or P2");
    refuse("nim:3x7", "3/5/7 P1 P2", "not heaps");
    refuse("tictactoe:3x3", "3/3/3", "not two parts");
    refuse("tictactoe:3x3", "3/3 X", "2 rows where the board has 3");
    refuse("tictactoe:3x3", "3/3/3 w", "not X or O");
    refuse("tictactoe:3x3", "3/4/3 X", "rank 2: a run of 4 empty cells does not fit");
    refuse("tictactoe:3x3", "3/3/XX X", "rank 1: 2 of 3 cells");
    refuse("tictactoe:3x3", "XOXO/3/3 X", "rank 3: more than 3 cells");
    refuse("tictactoe:3x3", "3/0X2/3 X", "a run of 0");
    refuse("tictactoe:3x3", "3/3/Xé1 X", "unknown symbol 'é'");
    refuse("tictactoe:3x3", "3/3/99999999999999999999999 X", "does not fit");
    refuse("breakthrough:2x4", "bb/bb/ww/wW w", "unknown symbol 'W'");
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
    assert_eq!(all("breakthrough:3x5", "3/1b1/bwb/3/3 w"), "b3a4 b3c4");
    assert_eq!(all("breakthrough:3x5", "3/b1b/1w1/3/3 w"), "b3b4 b3xa4 b3xc4");
    assert_eq!(all("breakthrough:3x5", "3/b1b/1w1/3/3 b"), "a4a3 a4xb3 c4c3 c4xb3");
    assert_eq!(all("breakthrough:3x5", "w2/b1b/1w1/3/3 b"), "", "white has arrived");
}

#[test]
fn wrong_moves_are_refused_with_the_legal_ones() {
    let refuse = |spec: &str, text: &str, mv: &str| {
        let game = open(spec).unwrap();
        let position = game.parse_position(text).unwrap();
        game.parse_move(&position, mv).unwrap_err().to_string()
    };
    let error = refuse("breakthrough:3x5", "3/b1b/1w1/3/3 w", "b3a4");
    assert_eq!(error, "move 'b3a4': not a legal move; legal are b3xa4 b3b4 b3xc4");
    assert!(refuse("nim:3x7", "0/0/0", "a-1").contains("no legal move"));
    assert!(refuse("nim:3x255", "0/0/255", "").contains("and 195 more"));
}
