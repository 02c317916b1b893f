//! Included games, compiled.

use std::sync::atomic::{AtomicUsize, Ordering};

use nerode_dfa::Store;
use nerode_games::{Side, Value};
use nerode_rules::rbg::{bundled, open_text};

use crate::agree::{compare, sampled};
use crate::open;

/// Returns the spec of an included game on another board, given by rows of pieces.
fn on(name: &str, rows: &str) -> String {
    let text = crate::counts::text_of(name);
    let (before, board) = text.split_once("rectangle(up,down,left,right,").unwrap();
    format!("{before}rectangle(up,down,left,right,{rows}){}", board.split_once(')').unwrap().1)
}

/// All included games, with their number of layers and the number of letters of the first layer.
const COMPILED: [(&str, usize, u16); 21] = [
    ("tictactoe", 10, 4),
    ("connectfour", 17, 4),
    ("breakthrough", 26, 3),
    ("knightthrough", 26, 3),
    ("clobber", 30, 3),
    ("amazons", 16, 4),
    ("reversi", 17, 4),
    ("hex", 17, 4),
    ("dodgem", 10, 3),
    ("foxandhounds", 33, 67),
    ("laukatakati", 21, 6),
    ("pretwa", 21, 6),
    ("dashguti", 23, 6),
    ("alquerque", 27, 6),
    ("draughts", 20, 6),
    ("hexapawn", 10, 3),
    ("mutorere", 9, 3),
    ("domineering", 16, 2),
    ("konane", 17, 2),
    ("tapatan", 10, 7),
    ("kalah", 6, 165),
];

#[test]
fn every_game_that_comes_with_the_program_is_compiled() {
    let found: Vec<(&str, usize, u16)> = bundled()
        .iter()
        .map(|bundled| {
            let game = open(&format!("rbg:{}", bundled.name)).unwrap_or_else(|error| panic!("{error}"));
            (bundled.name, game.shape().num_layers(), game.shape().num_letters(0) as u16)
        })
        .collect();
    assert_eq!(found, COMPILED);
}

/// Checks which games are known to end. For some games this cannot be shown, because pieces move back and forth, or
/// because the end depends on something other than the counted quantities.
#[test]
fn it_is_known_where_play_ends() {
    let of = |name: &str| {
        let game = open(name).unwrap();
        (game.may_cycle(), game.rules().split_once("between. ").unwrap().1.to_string())
    };
    for (name, why) in [
        ("rbg:tictactoe", "there are fewer 'empty'"),
        ("rbg:connectfour", "there are fewer 'empty'"),
        ("rbg:hex", "there are fewer 'empty'"),
        ("rbg:amazons", "there are fewer 'empty'"),
        ("rbg:clobber", "there are more 'empty'"),
        ("rbg:breakthrough", "'w' moves up"),
        ("rbg:knightthrough", "'w' moves up"),
        ("rbg:laukatakati", "'quiet' grows"),
        ("rbg:draughts", "'whiteMan' moves up"),
        ("rbg:pretwa", "there are more 'empty', or 'quiet' grows"),
    ] {
        let (may_cycle, said) = of(name);
        assert!(!may_cycle && said.contains(why), "{name}: {said}");
    }
    let (may_cycle, said) = of("rbg:dodgem");
    assert!(may_cycle && said.contains("Games may last forever"), "{said}");
}

/// Each turn puts a stone and turns four squares, carrying the stones in a variable one by one. The keeper begins its path before
/// the stone is put, or after it.
#[test]
fn stones_that_are_carried_do_not_hide_that_play_ends() {
    let rules = |put: &str, turned: &str| {
        format!(
            "#players = white(1), black(1)
             #pieces = e, w, b
             #variables = held(2)
             #board = rectangle(up,down,left,right, [e,e] [e,e])
             #take = ({{e}} [$ held = 0] + {{w}} [$ held = 1] + {{b}} [$ held = 2])
             #leave = ({{$ held == 0}} [e] + {{$ held == 1}} [w] + {{$ held == 2}} [b])
             #swap = ({{$ held == 0}} take [e] + {{$ held == 1}} take [w] + {{$ held == 2}} take [b])
             #turn(me; stone) = ->me (up* + down*) (left* + right*) {put}
               (up* + down*) (left* + right*) {{! up}} {{! left}} {turned}
             #rules = (turn(white; w) turn(black; b))*"
        )
    };
    let all = "take right swap down swap left swap up leave";
    for put in ["{e} [stone] ->>", "{e} ->> [stone]"] {
        let game = open_text("mine", &rules(put, all), None).unwrap();
        assert!(!game.may_cycle() && game.rules().contains("there are fewer 'e'"), "{put}: {}", game.rules());
        // Without the last step, a stone may be lost and another one doubled, so that squares may become empty.
        let game = open_text("mine", &rules(put, "take right swap down swap left swap up"), None).unwrap();
        assert!(game.may_cycle(), "{put}");
    }
}

/// Tests games on their own boards, which have too many words to check all: positions of random games, and random boards.
#[test]
#[ignore = "slow: .ci/slow"]
fn whole_boards_agree() {
    let mut slow = vec!["alquerque", "draughts", "dashguti"];
    // Minutes, which `.ci/scheduled` spends.
    if std::env::var_os("NERODE_EXHAUSTIVE").is_none() {
        slow.extend(["pretwa", "kalah"]);
    }
    let names: Vec<&str> = bundled().iter().map(|bundled| bundled.name).collect();
    let next = AtomicUsize::new(0);
    let check_all = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !slow.contains(name) {
                let seen = sampled(&open(&format!("rbg:{name}")).unwrap(), 3)
                    .unwrap_or_else(|why| panic!("{name}: {why}"));
                assert!(seen.moves > 10, "{name}: {seen:?}");
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(check_all);
        check_all();
    });
}

/// Checks winners against independent expectations, because both descriptions take them from the same scores.
#[test]
fn ends_have_their_values() {
    for (name, position, expected) in [
        ("rbg:tictactoe", "xxx/oo./... nought over=cross", Some(Value::Loss)),
        ("rbg:tictactoe", "xx./ooo/x.. cross over=nought", Some(Value::Loss)),
        ("rbg:tictactoe", "xox/xoo/oxx nought", Some(Value::Draw)),
        ("rbg:tictactoe", "xx./oo./... cross", None),
        ("rbg:clobber:board=3x2", "w../..w black", Some(Value::Loss)),
        ("rbg:clobber:board=3x2", "b../..b white", Some(Value::Loss)),
        ("rbg:clobber:board=3x2", "bw./... white", None),
        ("rbg:hex", "r/r./r../r.bb/.bb/b./. blue over=red", Some(Value::Loss)),
    ] {
        let game = open(name).unwrap();
        let at = game.parse_position(position).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(game.outcome(&at.board, at.side), expected, "{name}: {position}");
    }
}

/// Checks a loop whose paths all end, although no piece count proves it.
#[test]
fn loops_without_a_proved_end_are_refused() {
    let rules = "(->a ({$ n < 2} [$ n = n + 1] [x] (left + right))* ->b {e} [x])*";
    let said = open_text("mine", &crate::words::with_rules(rules), None).unwrap_err().to_string();
    assert!(said.contains("may change the position repeatedly"), "{said}");
    let takes = rules.replace("[x] (left", "{e} [x] (left");
    let game = open_text("mine", &crate::words::with_rules(&takes), None).unwrap();
    compare(&game, 1).unwrap_or_else(|why| panic!("{why}"));
}

/// Checks loops in which a switch or a pattern separates the test from the change, and loops on boards with many kinds of pieces.
#[test]
fn loops_that_remove_pieces_in_any_way_agree() {
    const SPLIT: &str = include_str!("../data/loop-split.rbg");
    let with_pattern = SPLIT.replace("{e} ->> [x] ->>", "{e} {? anywhere {o}} [x] ->>");
    let both_kinds = SPLIT
        .replace("{e} ->> [x] ->>", "{e,o} {! {x}} ->> [x] ->>")
        .replace("{! anywhere {e}}", "{! anywhere {e,o}}");
    for text in [SPLIT, &with_pattern, &both_kinds, include_str!("../data/loop-11-kinds.rbg")] {
        let game = open_text("loop", text, None).unwrap_or_else(|why| panic!("{why}\n{text}"));
        let seen = compare(&game, 1).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(seen.ended > 0 && seen.moves > 10, "{seen:?}");
    }
    // Nothing proves that this loop ends.
    let endless = SPLIT.replace("{e} ->> [x] ->>", "{e,x} ->> [x] ->>");
    let said = open_text("loop", &endless, None).unwrap_err().to_string();
    assert!(said.contains("unsupported loop"), "{said}");
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

/// Returns the rules of a capturing game on 3x3 points with all eight directions and a low limit of moves without a
/// capture. `pieces` lists the points from the top.
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

/// Tests a loop that only moves along empty squares: stones move in any direction over any distance.
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

/// Checks that words that cannot occur in play are drawn, so that sets need not contain them: floating stones, or more
/// men than at the start.
#[test]
fn impossible_words_are_drawn() {
    for (name, position, expected) in [
        ("rbg:connectfour", "..../x.../..../.... second", Some(Value::Draw)),
        ("rbg:connectfour", "..../..../..../x... second", None),
        ("rbg:dodgem", "b../b../brr blue", Some(Value::Draw)),
        ("rbg:dodgem", "b../.b./.rr blue", None),
        // Most boards have fewer pawns than at the start, so counting them would exclude little.
        ("rbg:breakthrough", "bbbbb/bbbbb/bbbbb/wwwww/wwwww white", None),
    ] {
        let game = open(name).unwrap();
        let Ok(at) = game.parse_position(position) else { panic!("{name}: {}", game.position_form()) };
        assert_eq!(game.outcome(&at.board, at.side), expected, "{name}: {position}");
    }
    let game = open("rbg:connectfour").unwrap();
    let mut store = Store::unbounded(game.shape().clone());
    for side in Side::BOTH {
        let possible = game.admissible(&mut store, side).unwrap().unwrap();
        // A column contains 0 to 4 stones of two kinds. If the second player is to move, there is a stone of the first
        // player. Nothing is known about positions in which the game is over.
        let without = if side == Side::P2 { 5_u128.pow(4) } else { 0 };
        assert_eq!(store.count(&possible).unwrap(), 31_u128.pow(4) - without + 3 * 3_u128.pow(16));
    }
}

/// Checks that a bound which the board cannot reach does not matter, although the scores depend on two counts.
#[test]
fn large_bounds_of_scores_do_not_matter() {
    const TEXT: &str = include_str!("../data/score-bound.rbg");
    let large = open_text("mine", TEXT, None).unwrap_or_else(|why| panic!("{why}"));
    let small = open_text("mine", &TEXT.replace("361", "5"), None).unwrap();
    assert_eq!(large.layers(), small.layers());
    let seen = compare(&large, 1).unwrap_or_else(|why| panic!("{why}"));
    assert!(seen.moves > 50, "{seen:?}");
    let wide = TEXT.replace("[e,e][e,e]", &format!("[{}]", vec!["e"; 300].join(",")));
    let said = open_text("mine", &wide, None).unwrap_err().to_string();
    assert!(said.contains("'one' can have more than 256 values here"), "{said}");
}
