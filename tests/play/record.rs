//! Records are read back as they were written, and in the form in which players write them. Errors in a record are
//! reported with their place.

use nerode::games::registry;
use nerode::{Error, PlayError};
use nerode_play::course::{Course, End, Limits};
use nerode_play::record::{read, write};

#[test]
fn records_are_read_back() {
    for (spec, start, moves) in [
        ("tictactoe:3x3", "start", &["b2", "a1", "c3"][..]),
        ("morris:nine", "start", &["a7", "b6", "d7", "d6", "g7xb6", "f6"]),
        ("chess:KRvK,board=4x4", "3k/4/4/KR2 b", &["d4c3", "b1b2"]),
        ("breakthrough:3x4", "start", &["a2xb3"]),
        ("othello:4x4", "start", &[]),
    ] {
        let game = registry::open(spec).unwrap();
        let from = if start == "start" { game.start_position() } else { game.parse_position(start).unwrap() };
        let mut course = Course::new(game.as_ref(), from);
        for text in moves {
            let Ok(mv) = game.parse_move(course.position(), text) else { panic!("{spec}: {text}") };
            course.play(&mv);
        }
        let headers = [("P1".to_string(), "somebody".to_string())];
        let text = write(&course, &headers, Some(End::Quiet));
        let (back, found) = read(game.as_ref(), &text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!((back.start(), back.plies()), (course.start(), course.plies()), "{text}");
        assert!(found.contains(&headers[0]) && found.iter().any(|(name, _)| name == "result"));
        assert_eq!(write(&back, &found, Some(End::Quiet)), text);
    }
}

#[test]
fn morris_is_read_as_its_players_write_it() {
    let game = registry::open("morris:nine").unwrap();
    let texts = |record: &str| -> Vec<String> {
        read(game.as_ref(), record).unwrap().0.plies().iter().map(|ply| ply.text.clone()).collect()
    };
    let wanted = ["a7", "b6", "d7", "d6", "g7xb6", "f6"];
    for record in [
        "a7 b6 d7 d6 g7xb6 f6",
        "a7, b6, d7, d6, g7, xb6, f6",
        "1. a7 b6 2. d7 d6 3. g7 xb6 f6 *",
        "game: morris:nine\nwhite: A. B.\n\n1.a7 b6\n2.d7 d6 # well\n3. g7\nxb6\n3... f6\n1/2-1/2\n",
    ] {
        assert_eq!(texts(record), wanted, "{record}");
    }
    assert!(texts("# nothing\n").is_empty());
}

#[test]
fn portable_game_notation_is_read() {
    let game = registry::open("morris:nine").unwrap();
    let text = "[Event \"A (b) {c}\"]\n[White \"\\\"Q\\\"\"]\n[Result \"1-0\"]\n\n\
                1. a7 {a corner;\nby (all) means} b6! $1 2. D7 (2. d6 {no} f6) (2. g7) d6?? ; a blunder\n3. g7xb6# f6 1-0\n";
    let (course, headers) = read(game.as_ref(), text).unwrap();
    let moves: Vec<&str> = course.plies().iter().map(|ply| ply.text.as_str()).collect();
    assert_eq!(moves, ["a7", "b6", "d7", "d6", "g7xb6", "f6"]);
    assert_eq!(headers[1], ("white".to_string(), "\"Q\"".to_string()));
    // A start position, and a second game, which a record has no place for.
    let game = registry::open("chess:KRvK,board=4x4").unwrap();
    let (course, _) = read(game.as_ref(), "[FEN \"3k/4/4/KR2 w - -\"]\nB1-B2 *").unwrap();
    assert_eq!(course.plies()[0].text, "b1b2");
    let Err(error) = read(game.as_ref(), "b1b2\n[Event \"second\"]\n") else {
        panic!("a second game is accepted")
    };
    assert!(error.to_string().contains("line 2") && error.to_string().contains("another game"), "{error}");
}

#[test]
fn names_in_records_hold_no_control_characters() {
    let game = registry::open("nim:2x2").unwrap();
    let course = Course::new(game.as_ref(), game.start_position());
    let headers = [("players".to_string(), "a\u{1b}[31m\nb".to_string())];
    let text = write(&course, &headers, None);
    assert!(text.contains("players: a\\u{1b}[31m b\n"), "{text}");
}

#[test]
fn what_is_wrong_with_a_record_is_told_with_its_place() {
    let game = registry::open("morris:nine").unwrap();
    for (record, line, part) in [
        ("a7 b6\nd7 a7", 2, "ply 4: move 'a7': not a legal move"),
        ("a7 b6\nd7 d6\ng7 f6", 3, "ply 5: move 'g7': not a legal move"),
        ("game: morris:six\na5", 1, "a game of morris:six"),
        ("start: nonsense\na7", 1, "position 'nonsense'"),
        ("start: OO******/********/******** w 8-8\na7", 1, "cannot occur in play: white has more stones"),
        ("a7\n\n\u{1f600}", 3, "ply 2"),
        ("1-0 a7", 1, "ply 1"),
    ] {
        let Err(error) = read(game.as_ref(), record) else { panic!("{record} is accepted") };
        assert!(
            matches!(error, Error::Play(PlayError::Record { line: found, .. }) if found == line),
            "{error}"
        );
        assert!(error.to_string().contains(part), "{error}");
    }
}

/// A game that repeats positions is drawn after the number of plies in the limits, and a placement or capture
/// restarts the count.
#[test]
fn games_that_go_round_are_drawn() {
    let limits = Limits { quiet_plies: 6, plies: 100 };
    let game = registry::open("morris:three").unwrap();
    let text = "b2 a1 b1 b3 c2 a2 b1-c1 a2-a3 c1-b1 a3-a2 b1-c1";
    let (mut course, _) = read(game.as_ref(), text).unwrap();
    assert_eq!(course.end(limits), None);
    course.play(&game.parse_move(course.position(), "a2-a3").unwrap());
    assert_eq!(course.end(limits), Some(End::Quiet));
    assert_eq!(course.end(Limits { quiet_plies: 7, ..limits }), None);
    assert_eq!(course.end(Limits { quiet_plies: 7, plies: 12 }), Some(End::Long));
    assert!(course.take_back() && course.end(limits).is_none());
    // Moving pieces change squares, but none is placed or captured.
    let game = registry::open("chess:KRvK,board=4x4").unwrap();
    let text = "start: 3k/4/4/KR2 w\nb1b2 d4c4 b2b1 c4d4 b1b2 d4c4";
    assert_eq!(read(game.as_ref(), text).unwrap().0.end(limits), Some(End::Quiet));
}
