//! Variants of rules with another board, other bounds, or another start position.

use std::sync::Arc;

use nerode_games::Game;
use nerode_rules::rbg::{Interpreter, Shape, bundled, read, varied};

use crate::agree::compare;
use crate::counts::game;
use crate::open;

fn start_of(spec: &str) -> String {
    let game = open(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    game.format_position(&game.start_position())
}

/// Returns the error for an invalid variant.
fn refused(spec: &str) -> String {
    match open(spec) {
        Err(error) => error.to_string(),
        Ok(game) => panic!("{spec} begins with {}", game.format_position(&game.start_position())),
    }
}

#[test]
fn rows_around_a_middle_make_boards_of_any_size() {
    assert_eq!(start_of("rbg:breakthrough:board=2x4"), "bb/bb/ww/ww white");
    assert_eq!(start_of("rbg:breakthrough:board=3x6"), "bbb/bbb/.../.../www/www white");
    assert_eq!(start_of("rbg:tictactoe:board=4x2"), "..../.... cross");
    assert_eq!(start_of("rbg:clobber:board=3x2"), "wbw/bwb white");
    assert!(
        refused("rbg:breakthrough:board=3x3").contains("the start position on another board is ambiguous")
    );
    assert!(refused("rbg:amazons:board=5x5").contains("the start position on another board is ambiguous"));
    assert!(refused("rbg:pretwa:board=3x3").contains("only rectangles and rhombuses"));
    assert_eq!(start_of("rbg:hex:board=3x3"), "./../.../../. red");
    assert!(refused("rbg:hex:board=3x4").contains("as many columns as rows"));
    assert!(refused("rbg:foxandhounds:board=5x5").contains("boards with holes cannot be resized"));
    assert!(refused("rbg:tictactoe:board=0x4").contains("0x4 squares"));
    assert!(refused("rbg:tictactoe:board=100x100").contains("between 1 and 4096"));
    assert!(refused("rbg:tictactoe:board=3").contains("not WxH"));
    assert!(refused("rbg:tictactoe:3x3").contains("'3x3' is neither misere nor of the form board=WxH"));
}

/// Checks that a board of another size equals the board of a file that is written with that size.
#[test]
fn boards_of_other_sizes_are_like_written_ones() {
    let of = |spec: &str| open(spec).unwrap().rules_text();
    let text = bundled().iter().find(|game| game.name == "breakthrough").unwrap().text;
    let (before, board) = text.split_once("rectangle(up,down,left,right,").unwrap();
    let after = board.split_once(')').unwrap().1;
    let rows = "[b,b,b][b,b,b][empty,empty,empty][w,w,w][w,w,w]";
    let written = read("written", &format!("{before}rectangle(up,down,left,right,{rows}){after}")).unwrap();
    assert_eq!(of("rbg:breakthrough:board=3x5").unwrap(), written.canonical());
    let (one, other) =
        (open("rbg:breakthrough:board=3x5").unwrap(), open("rbg:breakthrough:board=5x3,start=5/5/5"));
    assert_ne!(one.fingerprint(), open("rbg:breakthrough").unwrap().fingerprint());
    assert!(other.is_err() || other.unwrap().fingerprint() != one.fingerprint());
}

/// Checks the same for rhombs of hexagons: every square has the neighbours that it has in a file with that board.
#[test]
fn rhombs_of_other_sizes_are_like_written_ones() {
    let text = bundled().iter().find(|game| game.name == "hex").unwrap().text;
    let (before, board) = text.split_once("southWest,west,").unwrap();
    let after = board.split_once(')').unwrap().1;
    let rows = "[empty][empty,empty][empty,empty,empty][empty,empty][empty]";
    let of = |rows: &str| read("written", &format!("{before}southWest,west,{rows}){after}")).unwrap();
    let three = varied(&game("hex"), "hex", "board=3x3").unwrap();
    assert_eq!(three.canonical(), of(rows).canonical());
    let said = |rows: &str| varied(&of(rows), "mine", "board=3x3").unwrap_err().to_string();
    for other in ["[empty,empty][empty,empty,empty][empty,empty]", "[empty][empty,r][empty]"] {
        assert!(said(other).contains("only if they are rhombuses with the same piece"), "{}", said(other));
    }
}

#[test]
fn bounds_go_through_the_rules() {
    let book = game("pretwa");
    let lower = varied(&book, "pretwa", "quiet=9").unwrap();
    assert_eq!(lower.variables()[0].bound, 9);
    let text = bundled().iter().find(|game| game.name == "pretwa").unwrap().text;
    let written = read("pretwa", &text.replace("#patience = 100", "#patience = 9")).unwrap();
    assert_eq!((lower.canonical(), lower.fingerprint()), (written.canonical(), written.fingerprint()));
    assert_ne!(lower.fingerprint(), book.fingerprint());
    let more = varied(&book, "pretwa", "quiet=200").unwrap();
    assert_eq!(
        more.canonical(),
        read("", &text.replace("#patience = 100", "#patience = 200")).unwrap().canonical()
    );
    assert!(
        refused("rbg:pretwa:loud=9")
            .contains("unknown variable or player 'loud'; known variables and players: quiet, white, black")
    );
    assert!(refused("rbg:hex:loud=9").contains("known variables and players: red, blue"));
    assert!(refused("rbg:pretwa:quiet=many").contains("not a number"));
    let text = text.replace("{$ quiet < patience}", "{$ quiet < 50}");
    let said = varied(&read("", &text).unwrap(), "mine", "quiet=9").unwrap_err().to_string();
    assert!(
        said.contains("compare 'quiet' with 50, which is neither its bound of 100 nor at most 9"),
        "{said}"
    );
}

#[test]
fn play_begins_where_it_is_told_to() {
    assert_eq!(start_of("rbg:breakthrough:board=3x4,start=bbb/1b1/1w1/www"), "bbb/.b./.w./www white");
    assert_eq!(start_of("rbg:breakthrough:board=3x4,start=bbb/1b1/1w1/www_black"), "bbb/.b./.w./www black");
    assert_eq!(start_of("rbg:tictactoe:start=x../.o./..._cross"), "x../.o./... cross");
    let pretwa = start_of("rbg:pretwa:quiet=20,start=1w1b15_black_quiet=7");
    assert!(pretwa.starts_with(".w.b.") && pretwa.contains("black quiet=7"), "{pretwa}");
    assert!(refused("rbg:pretwa:quiet=5,start=1w1b15_black_quiet=7").contains("in its bounds"));
    assert!(refused("rbg:tictactoe:start=x../.o./..._nobody").contains("unknown player 'nobody'"));
    assert!(refused("rbg:tictactoe:start=x../.o.").contains("expected 3 rows separated by '/', found 2"));
    assert!(refused("rbg:tictactoe:start=z../.../...").contains("unexpected 'z'"));
    let hounds = start_of("rbg:foxandhounds:start=1/3/5/3f3/6h/4h/2h/h_hounds");
    assert!(hounds.starts_with("./.../...../...f.../......h/....h/..h/h hounds"), "{hounds}");
    let book = crate::words::book(&crate::words::with_rules("(->a {e} [x] ->>)*"));
    assert!(varied(&book, "mine", "start=.x_a").is_ok());
    let said = varied(&book, "mine", "start=.x_b").unwrap_err().to_string();
    assert!(said.contains("no turn of b can begin with '.x b'"), "{said}");
}

/// Checks that play from another start position equals play that reaches this position.
#[test]
fn play_goes_on_from_another_start() {
    let begun = open("rbg:breakthrough:board=3x4,start=bbb/1b1/1w1/www_black").unwrap();
    let usual = open("rbg:breakthrough:board=3x4").unwrap();
    let texts = |game: &Arc<dyn Game>, position: &str| {
        let position = game.parse_position(position).unwrap();
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|mv| game.format_move(&position, mv)).collect();
        texts.sort_unstable();
        texts
    };
    let position = "bbb/1b1/1w1/www black";
    assert_eq!(texts(&begun, position), texts(&usual, position));
    assert_eq!(begun.start().1, nerode_games::Side::P1, "the player who begins is the first side");
    for spec in
        ["rbg:breakthrough:board=2x4,start=b./b./.w/ww_black", "rbg:tictactoe:start=xo./.x./..o_nought"]
    {
        let seen = compare(&open(spec).unwrap(), 5).unwrap_or_else(|why| panic!("{spec}: {why}"));
        assert!(seen.moves > 100, "{spec}: {seen:?}");
    }
}

/// Checks that the text of a variant is self-contained.
#[test]
fn the_text_of_a_variant_is_all_that_is_needed() {
    for spec in [
        "rbg:pretwa:quiet=3,start=1w1b15_black_quiet=2",
        "rbg:breakthrough:board=4x5",
        "rbg:draughts:quiet=2",
        "rbg:hex:board=3x3,misere",
    ] {
        let game = open(spec).unwrap();
        let text = game.rules_text().unwrap();
        let again = nerode_rules::rbg::open_text(spec, &text, None).unwrap();
        assert_eq!((again.start(), again.fingerprint()), (game.start(), game.fingerprint()), "{spec}");
        let book = read(spec, &text).unwrap();
        // The rest of the text describes where squares are drawn.
        assert!(text.starts_with(&book.canonical()));
        let counts = |book: &_| Interpreter::new(book).perft(3, |_| true).unwrap().plies;
        assert!(counts(&book).len() == 4, "{spec}");
    }
}

#[test]
fn bounds_of_scores_change_like_those_of_variables() {
    let text = include_str!("../data/score-bound.rbg");
    let lower = varied(&read("", text).unwrap(), "mine", "one=5,two=5").unwrap();
    assert_eq!(lower.canonical(), read("", &text.replace("361", "5")).unwrap().canonical());
    let halved = text.replace("one = w", "one = 361");
    let lower = varied(&read("", &halved).unwrap(), "mine", "one=9").unwrap();
    assert!(lower.canonical().contains("[$ one=9]"), "{}", lower.canonical());
}

/// Checks that a bound is refused if it makes two different tests equal.
#[test]
fn bounds_that_merge_tests_are_refused() {
    let rules = "->a ({$ n < 3} [$ n = n + 1] + {$ n == 5} [x])";
    let book = crate::words::book(&crate::words::with_rules(rules));
    let said = varied(&book, "mine", "n=3").unwrap_err().to_string();
    assert!(said.contains("compare 'n' both with 3 and with its bound of 5"), "{said}");
    assert!(varied(&book, "mine", "n=4").unwrap().canonical().contains("{$ n==4}"));
    assert!(varied(&book, "mine", "n=5").is_ok());
}

#[test]
fn a_board_of_the_same_size_is_accepted() {
    for name in ["amazons", "foxandhounds", "reversi"] {
        let book = game(name);
        let rows = match &book.board().shape {
            Shape::Rectangle(rows) => format!("board={}x{}", rows[0].len(), rows.len()),
            other => panic!("{other:?}"),
        };
        let same = varied(&book, name, &rows).unwrap_or_else(|why| panic!("{name} {rows}: {why}"));
        assert_eq!(same.canonical(), book.canonical());
    }
}
