//! Warnings about rules that are valid but suspicious.

use nerode_rules::rbg::{Span, bundled, read, solvable};

use crate::counts::text_of;
use crate::words::{book, with_rules};

/// Returns the warnings about the rules, each with the text to which it refers.
fn said(text: &str) -> Vec<(String, String)> {
    let warnings = book(text).warnings().unwrap();
    let part = |span: Span| text[span.start..span.end].to_string();
    warnings.iter().map(|one| (one.message().to_string(), part(one.span()))).collect()
}

fn pair(message: &str, part: &str) -> (String, String) {
    (message.to_string(), part.to_string())
}

const PLAYED: &str = "->a ({e} [o] + {o} [x] + {x} [e]) [$ n = 0] {$ n < 1} ->b [$ a = 9] right ->> {}";

#[test]
fn valid_rules_have_no_warnings() {
    assert_eq!(said(&with_rules(PLAYED)), []);
    for game in bundled() {
        assert_eq!(said(game.text), [], "{}", game.name);
    }
}

#[test]
fn unused_names_are_reported_with_their_place() {
    let rules = |changed: &str| said(&with_rules(changed));
    let without = PLAYED.replace("[$ n = 0] {$ n < 1}", "");
    assert_eq!(rules(&without), [pair("the variable 'n' is never used", "n")]);
    let given = PLAYED.replace("{$ n < 1}", "[$ n = 5 - n]");
    assert_eq!(rules(&given), [pair("the variable 'n' is assigned but never read", "n")]);
    let counted = PLAYED.replace("{$ n < 1}", "[$ n = n + 1]");
    assert_eq!(rules(&counted), [], "the bound ends the game");
    let read = PLAYED.replace("[$ n = 0]", "");
    assert_eq!(rules(&read), [pair("the variable 'n' is never assigned: it stays 0", "n")]);
    let piece = PLAYED.replace("[o]", "[x]");
    assert_eq!(rules(&piece), [pair("the piece 'o' is never on the board", "o")]);
    let piece = piece.replace("{o}", "{e}");
    assert_eq!(rules(&piece), [pair("the piece 'o' is never used", "o")]);
    let score = PLAYED.replace("a = 9", "a = 0");
    assert_eq!(rules(&score), [pair("no player ever gets a score: every game is a draw", "players")]);
}

#[test]
fn numbers_out_of_range_are_reported() {
    let rules = |from: &str, to: &str| said(&with_rules(&PLAYED.replace(from, to)));
    let bound = "10 is not a value of 'a', which ranges from 0 to 9: no path continues here";
    assert_eq!(rules("[$ a = 9]", "([$ a = 9] + [$ a = 10])"), [pair(bound, "a = 10")]);
    let below = "-3 to -1 is not a value of 'a', which ranges from 0 to 9: no path continues here";
    assert_eq!(rules("[$ a = 9]", "([$ a = 9] + [$ a = e - 3])"), [pair(below, "a = e - 3")]);
    assert_eq!(rules("[$ a = 9]", "([$ a = 9] + [$ a = e - 2])"), []);
    let never = "this comparison is never true: no path continues here";
    for compared in ["{$ n > 5}", "{$ n + 1 == 0}", "{$ 3 != 3}", "{$ e + x >= 5}", "{$ n * 2 > 10}"] {
        let both = format!("({{$ n < 1}} + {compared})");
        assert_eq!(rules("{$ n < 1}", &both), [pair(never, compared)], "{compared}");
    }
    for compared in ["{$ n >= 5}", "{$ n != 3}", "{$ e + x >= 4}", "{$ 6 / n == 9}", "{$ n - 5 < 0}"] {
        assert_eq!(rules("{$ n < 1}", &format!("({{$ n < 1}} + {compared})")), [], "{compared}");
    }
}

#[test]
fn a_game_that_is_over_at_its_start_is_reported() {
    let messages = |rules: &str| -> Vec<String> {
        said(&with_rules(rules)).into_iter().map(|(message, _)| message).collect()
    };
    let over = "the game is over before any player moves".to_string();
    assert!(messages("{} ->a [o] {o} [$ a = 1] ->b").contains(&over));
    let stuck = "'a' cannot move at the start: the game is over immediately".to_string();
    assert!(messages("->a {o} [o] [$ a = 1] ->b").contains(&stuck));
    assert!(book(&with_rules("->a (->>)*")).warnings().is_err());
}

#[test]
fn unsupported_rules_are_reported_with_their_place() {
    let refused = |text: &str| {
        let error = solvable(&book(text)).unwrap_err();
        error.to_string()
    };
    let one = with_rules("->a [o] ->>").replace("a(9), b(9)", "a(9)");
    assert_eq!(refused(&one), "test:1:12: a game for 1 player: only games for two players can be solved");
    let three = with_rules("->a [o] ->>").replace("b(9)", "b(9), c(9)");
    assert_eq!(refused(&three), "test:1:12: a game for 3 players: only games for two players can be solved");
    let stuck = with_rules("->a {o} [o] ->b");
    assert_eq!(refused(&stuck), "test:5:2: 'a' cannot move at the start: the game is over immediately");
    let loops = with_rules("->a ([x] + [o])* right ->> {}");
    assert!(refused(&loops).contains("a move with more than"), "{}", refused(&loops));
    // A board with more squares than a word can have letters is rejected immediately.
    let row = "[e,".to_string() + &"e,".repeat(518) + "e]";
    let long = with_rules("->a right* {e} [x] ->b right* {e} [x] ->>").replace("[e,x]", &row);
    assert!(
        refused(&long).ends_with("more than 511 squares and variables that change"),
        "{}",
        refused(&long)
    );
    assert!(solvable(&book(text_of("dodgem"))).is_ok());
}

/// Checks the warning about turns that find few squares, and that games without this mistake have no such warning.
#[test]
fn a_lost_walker_is_found() {
    let text = include_str!("../data/lost-walker.rbg");
    let said: Vec<String> = read("lost", text)
        .unwrap()
        .warnings()
        .unwrap()
        .iter()
        .map(|error| error.message().to_string())
        .collect();
    let expected = "a turn that begins on 'c' tests 1 square, but up to 9 from other squares";
    assert!(said.iter().any(|said| said == expected), "{said:?}");
    let right = text.replace("(next* (. + in))", "((. + out) next* (. + in))");
    assert!(read("right", &right).unwrap().warnings().unwrap().is_empty());
    for game in bundled() {
        assert!(read(game.name, game.text).unwrap().warnings().unwrap().is_empty(), "{}", game.name);
    }
}
