//! The texts of positions in games whose turns differ, and starts with any turn.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use nerode_games::{Game, Position, Value, explicit};
use nerode_rules::rbg::{Rulebook, open_text, read, varied};

use crate::agree::compare;
use crate::words::{book, with_rules};

const TWO_PHASES: &str = include_str!("../data/two-phases.rbg");
const KALAH: &str = include_str!("../data/kalah22.rbg");

fn started(book: &Rulebook, start: &str) -> Result<Arc<dyn Game>, String> {
    let changed = varied(book, "mine.rbg", &format!("start={}", start.replace(' ', "_")));
    let changed = changed.map_err(|error| error.to_string())?;
    open_text("mine", &changed.canonical(), None).map_err(|error| error.to_string())
}

/// Returns the moves of a position as texts, each with the text of the position to which it leads.
fn moves(game: &dyn Game, position: &Position) -> BTreeSet<(String, String)> {
    let mut moves = Vec::new();
    if game.outcome(&position.board, position.side).is_none() {
        game.legal_moves(&position.board, position.side, &mut moves);
    }
    let after =
        |mv: &_| Position { board: explicit::apply(&position.board, mv), side: position.side.other() };
    moves.iter().map(|mv| (game.format_move(position, mv), game.format_position(&after(mv)))).collect()
}

/// Returns up to `most` positions that play reaches.
fn reached(game: &dyn Game, most: usize) -> Vec<Position> {
    let start = game.start_position();
    let (mut seen, mut left) = (BTreeSet::from([game.format_position(&start)]), VecDeque::from([start]));
    let mut found = Vec::new();
    while let Some(position) = left.pop_front() {
        for (_, text) in moves(game, &position) {
            if seen.len() < most && seen.insert(text.clone()) {
                left.push_back(game.parse_position(&text).unwrap());
            }
        }
        found.push(position);
    }
    found
}

/// Checks that a start with the text of a position of the whole game begins with that position, has the same moves and leads to
/// the same positions.
fn check_starts(text: &str, most: usize) -> usize {
    let book = read("mine", text).unwrap();
    let whole = open_text("mine", text, None).unwrap();
    let mut checked = 0;
    for position in reached(&*whole, most) {
        let text = whole.format_position(&position);
        assert_eq!(whole.parse_position(&text).unwrap(), position, "{text}");
        let begun = started(&book, &text).unwrap_or_else(|why| panic!("{text}: {why}"));
        let names =
            |moves: BTreeSet<(String, String)>| moves.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        let start = begun.start_position();
        let squares = |text: &str| text.split(' ').take(2).map(String::from).collect::<Vec<_>>();
        assert_eq!(squares(&begun.format_position(&start)), squares(&text));
        let outcome = |game: &dyn Game, at: &Position| game.outcome(&at.board, at.side);
        assert_eq!(outcome(&*begun, &start), outcome(&*whole, &position), "{text}");
        let is_marked = |text: &str| [" passes", " over="].map(|mark| text.contains(mark));
        assert_eq!(is_marked(&begun.format_position(&start)), is_marked(&text), "{text}");
        assert_eq!(names(moves(&*begun, &start)), names(moves(&*whole, &position)), "{text}");
        // The rest of the game is the same, although its texts may need fewer words.
        for (_, after) in moves(&*whole, &position) {
            let after = squares(&after);
            assert!(moves(&*begun, &start).iter().any(|(_, text)| squares(text) == after), "{text}");
        }
        checked += 1;
    }
    checked
}

#[test]
#[ignore = "slow: .ci/slow"]
fn every_text_of_a_position_is_accepted_as_a_start() {
    assert!(check_starts(TWO_PHASES, 150) > 50);
    assert!(check_starts(KALAH, 4) > 1);
    let bundled =
        |name: &str| nerode_rules::rbg::bundled().iter().find(|game| game.name == name).unwrap().text;
    assert!(check_starts(bundled("foxandhounds"), 12) > 5);
}

/// Checks starts with a side that passes and with a game that is over, also of misère games and of games by the canonical text.
#[test]
fn a_start_may_be_a_pass_or_the_end_of_a_game() {
    let book = read("kalah", KALAH).unwrap();
    let whole = open_text("kalah", KALAH, None).unwrap();
    let positions = reached(&*whole, 25);
    let texts: Vec<String> = positions.iter().map(|position| whole.format_position(position)).collect();
    let with = |mark: &str| texts.iter().find(|text| text.contains(mark)).unwrap().as_str();
    let passes = started(&book, with(" passes")).unwrap();
    let mut moves = Vec::new();
    passes.legal_moves(&passes.start().0, passes.start().1, &mut moves);
    assert_eq!(moves.len(), 1);
    let canonical = passes.rules_text().unwrap();
    assert!(
        canonical.contains("// nerode starts with: ") && canonical.contains(" passes turn="),
        "{canonical}"
    );
    let over = with(" over=");
    let winner = over.split(" over=").nth(1).unwrap();
    let side = over.split(' ').nth(1).unwrap();
    let expected = if winner == "draw" {
        Value::Draw
    } else if winner == side {
        Value::Win
    } else {
        Value::Loss
    };
    for misere in [false, true] {
        let variant = format!("start={}{}", over.replace(' ', "_"), if misere { ",misere" } else { "" });
        let changed = varied(&book, "mine.rbg", &variant).unwrap();
        assert_eq!(read("again", &changed.canonical()).unwrap(), changed);
        let ended = open_text("mine", &changed.canonical(), None).unwrap_or_else(|why| panic!("{why}"));
        // The text names the winner, whether the higher or the lower score wins.
        assert_eq!(ended.outcome(&ended.start().0, ended.start().1), Some(expected), "{variant}");
        let text = ended.format_position(&ended.start_position());
        assert!(text.ends_with(&format!("over={winner}")), "{text}");
    }
    let refused = |start: &str| started(&book, start).map(|_| ()).unwrap_err();
    let pieces = over.split(' ').next().unwrap();
    assert!(refused(&format!("{pieces} {side} over=west")).contains("the result is 'west', not "));
    assert!(refused(&format!("{pieces} over={winner}")).contains("add the side to move before 'over='"));
    assert!(
        refused(&format!("{pieces} {side} over={winner} turn=1"))
            .contains("no turn begins in a game that is over")
    );
    assert!(refused(&format!("{pieces} passes")).contains("'passes' does not follow the side to move"));
    assert!(refused(&format!("{pieces} {side} luck=1")).contains("or the score of a player"));
}

/// Checks that under misère play every position has the same moves and the opposite result.
#[test]
fn misere_play_exchanges_wins_and_losses() {
    let text = |name: &str| nerode_rules::rbg::bundled().iter().find(|game| game.name == name).unwrap().text;
    for text in [TWO_PHASES, KALAH, text("tictactoe"), text("hexapawn")] {
        let book = read("mine", text).unwrap();
        let misere = varied(&book, "mine.rbg", "misere").unwrap();
        assert!(misere.is_misere() && !book.is_misere());
        assert!(misere.canonical().ends_with("// nerode plays misere\n"));
        assert_eq!(read("again", &misere.canonical()).unwrap(), misere);
        assert_ne!(misere.fingerprint(), book.fingerprint());
        let usual = open_text("mine", text, None).unwrap();
        let misere = open_text("mine", &misere.canonical(), None).unwrap_or_else(|why| panic!("{why}"));
        assert!(misere.rules().contains("Misère"), "{}", misere.rules());
        let (mut ended, most) = (0, 3000);
        for position in reached(&*usual, most) {
            // Letters of results may differ, so that positions are compared by their texts.
            let text = usual.format_position(&position);
            let over = usual.outcome(&position.board, position.side);
            if text.contains(" over=") {
                continue;
            }
            let same = misere.parse_position(&text).unwrap();
            assert_eq!(misere.outcome(&same.board, same.side), over.map(Value::negated), "{text}");
            for mv in moves(&*usual, &position) {
                let result = |game: &dyn Game, at: &Position| -> Vec<Option<Value>> {
                    let mut found = Vec::new();
                    game.legal_moves(&at.board, at.side, &mut found);
                    let named = found.iter().filter(|other| game.format_move(at, other) == mv.0);
                    named.map(|mv| game.outcome(&explicit::apply(&at.board, mv), at.side.other())).collect()
                };
                let [usual, misere] = [result(&*usual, &position), result(&*misere, &same)];
                assert_eq!(misere, usual.iter().map(|value| value.map(Value::negated)).collect::<Vec<_>>());
                ended += usual.iter().flatten().filter(|value| **value != Value::Draw).count();
            }
        }
        assert!(ended > 3, "{ended}");
    }
}

#[test]
fn the_printed_start_of_a_game_with_phases_begins_the_game() {
    let book = read("mine", TWO_PHASES).unwrap();
    let whole = open_text("mine", TWO_PHASES, None).unwrap();
    let text = whole.format_position(&whole.start_position());
    assert_eq!(text, "..... white round=1 turn=1");
    assert_eq!(moves(&*started(&book, &text).unwrap(), &whole.start_position()).len(), 5);
}

#[test]
fn a_start_that_fits_several_turns_is_refused() {
    let book = read("mine", TWO_PHASES).unwrap();
    let Err(said) = started(&book, ".w.b. white round=2") else { panic!("accepted") };
    assert!(
        said.contains(
            "several turns of white can begin with '.w.b. white round=2'; add one of: turn=1; turn=2"
        ),
        "{said}"
    );
    let names = |turn: &str| -> Vec<String> {
        let game = started(&book, &format!(".w.b. white round=2 turn={turn}")).unwrap();
        moves(&*game, &game.start_position()).into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names("1"), ["a1", "c1", "e1"]);
    assert_eq!(names("2"), ["b1-a1", "b1-c1"]);
    assert!(
        started(&book, ".w.b. white turn=3").is_err_and(|why| why.contains("no turn of white can begin"))
    );
    assert!(
        started(&book, ".w.b. white round=3").is_err_and(|why| why.contains("not within its bounds, 0 to 2"))
    );
    assert!(started(&book, ".w.b. white at=z9").is_err_and(|why| why.contains("unknown square 'z9'")));
}

/// Checks that the canonical text of a variant contains the turn with which it begins.
#[test]
fn the_first_turn_is_part_of_the_canonical_text() {
    let whole = read("mine", TWO_PHASES).unwrap();
    let variant =
        |turn: &str| varied(&whole, "mine.rbg", &format!("start=.w.b._white_round=2_turn={turn}")).unwrap();
    let (drop, step) = (variant("1"), variant("2"));
    assert!(
        step.canonical().ends_with("// nerode starts with: white turn=2 at=a1 round=2 white=0 black=1\n"),
        "{}",
        step.canonical()
    );
    assert_eq!(read("again", &step.canonical()).unwrap(), step);
    assert_ne!(drop.fingerprint(), step.fingerprint());
    let said = |comment: &str| {
        read("mine", &format!("{TWO_PHASES}// nerode starts with: {comment}\n")).unwrap_err().to_string()
    };
    assert!(said("red").contains("invalid start: unknown player 'red'"), "{}", said("red"));
    assert!(said("white turn=3").contains("the rules pass the turn to 'white' in fewer than 3 places"));
    assert!(said("white round=9").contains("'round=9' is out of bounds"));
    assert!(said("white quickly").contains("unexpected 'quickly'"));
}

#[test]
fn a_position_names_its_turn_and_needs_to() {
    let game = open_text("mine", TWO_PHASES, None).unwrap();
    let said = game.parse_position(".w.b. white round=2").unwrap_err().to_string();
    assert!(said.contains("several turns can begin here; add one of: turn=1; turn=2"), "{said}");
    let position = game.parse_position(".w.b. white round=2 turn=2").unwrap();
    assert_eq!(game.format_position(&position), ".w.b. white round=2 turn=2");
    assert!(
        game.parse_position(".w.b. white round=2 turn=3")
            .unwrap_err()
            .to_string()
            .contains("never has such a turn")
    );
    // With one white and two black stones, limits on the numbers of stones leave one turn of black.
    let kalah = open_text("kalah", KALAH, None).unwrap();
    let texts: Vec<String> =
        reached(&*kalah, 25).iter().map(|position| kalah.format_position(position)).collect();
    assert!(texts.iter().any(|text| text.ends_with("south=1 north=0")), "{texts:#?}");
    assert!(texts.iter().any(|text| text.contains(" passes")), "{texts:#?}");
    let mut letters = kalah.layers().into_iter().find(|layer| layer.label == "status").unwrap().letters;
    let number = letters.len();
    letters.sort_unstable();
    letters.dedup();
    assert_eq!(letters.len(), number, "{letters:?}");
}

#[test]
fn the_first_turn_of_a_game_is_not_meant_later() {
    // The scores at the start differ from those at later turns.
    let text = with_rules("(->a {e} [x] ->> [$ a = 1, b = 0] ->b right {x} [e] ->> [$ a = 0, b = 1])*");
    let game = open_text("mine", &text, None).unwrap();
    let start = game.format_position(&game.start_position());
    assert_eq!(game.parse_position(&start).unwrap(), game.start_position());
    let begun = started(&book(&text), "xe a").unwrap_err();
    assert!(begun.contains("unexpected 'e'"), "{begun}");
    let begun = varied(&book(&text), "mine.rbg", "start=.._a").unwrap();
    assert!(
        begun.canonical().ends_with("// nerode starts with: a turn=1 at=b1 n=0 a=0 b=1\n"),
        "{}",
        begun.canonical()
    );
}

/// Checks that moves which only change variables, or nothing, have distinct names.
#[test]
fn every_move_has_a_name() {
    let rules = "(->a ({e} [x] + [$ n = 2] + [$ n = n] + [$ n = 0]) ->b .)*";
    let game = open_text("mine", &with_rules(rules), None).unwrap();
    let names = |text: &str| -> Vec<String> {
        let position = game.parse_position(text).unwrap();
        moves(&*game, &position).into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(names(".x a n=0"), ["a1", "n=2", "pass"]);
    assert_eq!(names("xx a n=2"), ["n=0", "pass"]);
    assert_eq!(names("xx b n=2"), ["pass"]);
}

/// A walker on a row of squares, from which each turn continues: there are more turns than letters of a layer. A side walks two squares
/// unless the other side has just done so, and loses at the end of the row.
pub fn long_walk(squares: usize) -> String {
    let step = |player: &str, other: &str| {
        format!(
            "(right [$ two=0] + {{$ two==0}} right right [$ two=1]) [$ {player}=1] [$ {other}=0] ->{other}"
        )
    };
    format!(
        "#players = near(1), far(1) #pieces = e, x #variables = two(1) #board = rectangle(up,down,left,right,[{}e])
         #rules = ->near ({} {})*",
        "e,".repeat(squares - 1),
        step("near", "far"),
        step("far", "near")
    )
}

#[test]
fn more_turns_than_letters_are_distinguished_by_two_layers() {
    for (squares, digits) in [(200, 1), (300, 2), (700, 2)] {
        let game = open_text("walk", &long_walk(squares), None).unwrap();
        let labels: Vec<String> = game.layers().into_iter().map(|layer| layer.label).collect();
        let expected = ["status x 256", "status", "two"];
        assert_eq!(labels, expected[2 - digits..], "{squares}");
        let seen = compare(&game, 1).unwrap();
        // From almost every square, each side has two moves after a single step, and one after two.
        assert!(seen.moves >= 6 * (squares - 3), "{seen:?}");
        let mut position = game.start_position();
        for _ in 0..squares / 3 {
            let text = game.format_position(&position);
            assert_eq!(game.parse_position(&text).unwrap(), position, "{text}");
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            let board = explicit::apply(&position.board, moves.last().unwrap());
            position = Position { board, side: position.side.other() };
        }
    }
}
