//! The commands `play`, `analyse` and `match` as users and scripts see them.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::common::program::{assert_no_panic, ends, json, list, refused, with_run};

/// Runs `play run` with some options and input.
fn play(at: &Path, options: &[&str], typed: &str) -> Output {
    let arguments = [&["play", "run"], options].concat();
    let run = assert_cmd::Command::new(env!("CARGO_BIN_EXE_nerode"))
        .current_dir(at)
        .args(&arguments)
        .write_stdin(typed)
        .output()
        .unwrap();
    assert_no_panic(&run, &arguments);
    run
}

fn said(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_game_is_played_and_kept() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let typed = "hint\nmoves\nb2\nnonsense\nback\na1\nhelp\nquit\nb3\n";
    let text = said(&play(dir.path(), &["--record", "game.txt"], typed));
    for part in [
        "3  . . .",
        "P1 to move: draw",
        "P2 plays ",
        "took back 2 moves",
        "move 'nonsense': not a legal move",
        "take back your last move",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    // After a corner, only the centre keeps the draw.
    let record = std::fs::read_to_string(dir.path().join("game.txt")).unwrap();
    assert_eq!(record, "game: tictactoe:3x3\n\n1. a1 b2\n");
    let document: Value =
        serde_json::from_slice(&play(dir.path(), &["--json"], "a1\nset X2/1O1/3 X\nc1\n").stdout).unwrap();
    assert_eq!((&document["command"], &document["start"]), (&"play".into(), &"X2/1O1/3 X".into()));
    assert_eq!((list(&document["moves"]).len(), &document["end"]), (2, &Value::Null));
    // An existing record is not replaced without a request, but can be continued.
    assert!(refused(dir.path(), &["play", "run", "--record", "game.txt"]).contains("--overwrite"));
    let on = said(&play(
        dir.path(),
        &["--from", "game.txt", "--record", "more.txt", "--computer", "none"],
        "c3\nsave third.txt\nsave third.txt\n",
    ));
    assert!(on.contains("the game was written to third.txt") && on.contains("third.txt: "), "{on}");
    let third = std::fs::read_to_string(dir.path().join("third.txt")).unwrap();
    assert_eq!(third, "game: tictactoe:3x3\n\n1. a1 b2\n2. c3\n");
    assert_eq!(std::fs::read_to_string(dir.path().join("more.txt")).unwrap(), third);
}

#[test]
fn the_program_plays_either_side_as_strongly_as_asked() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    for strength in
        ["perfect", "trapping,plies=4", "fallible,lower=0,upper=2", "alphabeta,nodes=500", "random"]
    {
        let document: Value = serde_json::from_slice(
            &play(dir.path(), &["--computer", "both", "--strength", strength, "--json"], "").stdout,
        )
        .unwrap();
        assert!(document["end"].is_string() && list(&document["moves"]).len() >= 5, "{strength}: {document}");
    }
    let typed = "strength nobody\nstrength random\ncomputer P1\ncomputer all\ngo\nquit\n";
    let text = said(&play(dir.path(), &[], typed));
    for part in [
        "unknown player 'nobody'",
        "random now plays for the program",
        "P1 plays ",
        "the sides are P1, P2, both or none",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    for (strength, part) in [
        ("trapping,plies=3", "plies must be 2 or 4"),
        ("alphabeta,nodes=many", "not a valid number for nodes"),
        ("alphabeta,depth=3", "unknown or repeated option 'depth'"),
        ("random:run", "unexpected text after 'random:'"),
        ("external", "names no program"),
        ("perfect:absent", "absent"),
        ("fallible,lower=9,upper=3", "less than the upper one, found 9 and 3"),
    ] {
        let errors = refused(dir.path(), &["play", "run", "--strength", strength]);
        assert!(errors.contains(part), "{strength}: {errors}");
    }
}

#[test]
fn a_record_is_analysed_move_by_move() {
    let dir = with_run("morris:three", &["--engine", "sectors"]);
    let at = dir.path();
    std::fs::write(at.join("game.txt"), "game: morris:three\n1. a2, b1 2. a3 c2 3. a1 xc2\n").unwrap();
    let found = json(at, &["analyse", "run", "game.txt"]);
    let given: Vec<&str> = list(&found["moves"]).iter().map(|mv| mv["gave_away"].as_str().unwrap()).collect();
    assert_eq!(given, ["value", "value", "nothing", "plies", "nothing"]);
    assert_eq!((&found["moves"][3]["by"], &found["moves"][4]["move"]), (&6.into(), &"a1xc2".into()));
    // Moves are seen by the next side to move, as in `query`.
    assert_eq!((&found["moves"][0]["category"], &found["moves"][0]["dtw"]), (&"win".into(), &7.into()));
    assert_eq!(
        (&found["moves"][0]["best"]["move"], &found["moves"][0]["best"]["category"]),
        (&"b2".into(), &"loss".into())
    );
    assert_eq!(found["end"], "P1 has won");
    let text = ends(at, 0, &["analyse", "run", "game.txt"]);
    for part in
        ["a win in 9 with b2", "6 plies compared with a1", "P1 gave away a win or a draw 1 time, P2 1 time"]
    {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    for (record, part) in [
        ("a2 b1\na2", "line 2 of the record: ply 3: move 'a2': not a legal move"),
        ("game: morris:six\n", "a game of morris:six, not of morris:three"),
    ] {
        std::fs::write(at.join("bad.txt"), record).unwrap();
        let errors = refused(at, &["analyse", "run", "bad.txt"]);
        assert!(errors.contains(part) && errors.contains("bad.txt"), "{errors}");
    }
    std::fs::write(at.join("bad.txt"), [0xff, 0xfe, 0]).unwrap();
    assert!(refused(at, &["analyse", "run", "bad.txt"]).contains("not UTF-8 text"));
    assert!(refused(at, &["analyse", "run", "absent.txt"]).contains("absent.txt"));
}

#[test]
fn a_match_is_played_told_and_gone_on_with() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let at = dir.path();
    let command = ["match", "perfect:run", "random", "--openings", "6", "--seed", "1", "--log", "m.jsonl"];
    let found = json(at, &command);
    let games = |part: &str| found[part]["games"].as_u64().unwrap();
    assert_eq!((games("win") + games("draw") + games("loss"), &found["games"]), (12, &12.into()));
    assert!(games("win") > 5 && found["points"]["low"].as_f64().unwrap() > 0.5, "{found}");
    assert_eq!((&found["openings"], &found["openings_known"]), (&6.into(), &12.into()));
    let log = std::fs::read_to_string(at.join("m.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 13);
    let kept: String = log.lines().take(5).map(|line| format!("{line}\n")).collect();
    std::fs::write(at.join("m.jsonl"), kept).unwrap();
    let again = json(at, &command);
    for part in ["win", "draw", "loss", "points", "plies", "failed"] {
        assert_eq!(again[part], found[part], "{part}");
    }
    let text = ends(at, 0, &command[..7]);
    for part in [
        "tictactoe:3x3: perfect:run against random",
        "12 games from 6 openings of 12 after 2 plies, seed 1",
        "95 % interval",
        "plies per game",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    let other = refused(
        at,
        &["match", "perfect:run", "random", "--openings", "6", "--seed", "2", "--log", "m.jsonl"],
    );
    assert!(other.contains("(seed: 1 instead of 2)"), "{other}");
    for (arguments, part) in [
        (&["match", "random", "random"][..], "--game GAME"),
        (
            &["match", "perfect:run", "random", "--game", "nim:2x3"],
            "player 'perfect:run' has a solution of tictactoe:3x3, but the game is nim:2x3",
        ),
        (&["match", "perfect", "random"], "names no solution"),
        (&["match", "ranked:run", "random"], "only morris games have ranked draws"),
        (
            &["match", "random", "random", "--game", "nim:2x3", "--seed", "x"],
            "not a whole number from 0 to 18 446",
        ),
        (&["match", "perfect:run", "random", "--opening-plies", "9"], "every game is over by then"),
        (
            &["match", "perfect:run", "external:there-is-no-such-program"],
            "'there-is-no-such-program' of a player could not be started",
        ),
    ] {
        let errors = refused(at, arguments);
        assert!(errors.contains(part), "{arguments:?}: {errors}");
    }
    let named = json(at, &["match", "random", "alphabeta,nodes=100", "--game", "nim:2x3", "--openings", "3"]);
    assert_eq!((&named["game"], &named["games"]), (&"nim:2x3".into(), &6.into()));
}

/// The ranked player makes a move that `query` ranks equal to the first one, without further options.
#[test]
fn draws_that_are_told_apart_are_played_by_rank() {
    let dir = crate::common::scratch();
    let at = dir.path();
    json(at, &["solve", "morris:six", "--sector", "6-5-0-0", "--ranked", "--run-dir", "run"]);
    let position = "@O@***O*/OOOO@@*@ w 0-0";
    let found = json(at, &["query", "run", position]);
    assert_eq!(found["category"], "draw", "{found}");
    let best = &list(&found["moves"])[0];
    let as_good = |mv: &&Value| {
        (&mv["category"], &mv["rank"], &mv["distance"])
            == (&best["category"], &best["rank"], &best["distance"])
    };
    let good: Vec<&str> =
        list(&found["moves"]).iter().filter(as_good).map(|mv| mv["move"].as_str().unwrap()).collect();
    assert!(good.len() < list(&found["moves"]).len(), "{found}");
    for strength in ["ranked", "ranked,plies=2"] {
        for seed in ["1", "2", "3"] {
            let typed = play(
                at,
                &[position, "--strength", strength, "--computer", "none", "--seed", seed, "--json"],
                "go\n",
            );
            let document: Value = serde_json::from_slice(&typed.stdout).unwrap();
            let mv = list(&document["moves"])[0].as_str().unwrap();
            assert!(good.contains(&mv), "{strength}: {mv} is not among {good:?}");
        }
    }
}

#[test]
fn the_user_learns_who_plays_what_and_why_a_move_loses() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let at = dir.path();
    let text = said(&play(at, &["--seed", "7"], "undo\na1\nundo\nnew\ncomputer none\n?\n"));
    for part in [
        "tictactoe:3x3, seed 7\nyou are P1 (X), and the program is P2 (perfect)",
        "no move has been made yet",
        "took back 2 moves",
        "another game, seed 8",
        "you play both sides",
        "take back your last move",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    assert!(said(&play(at, &["--computer", "p1"], "")).contains("you are P2 (O), and the program is P1"));
    // A corner after a corner keeps the draw; a side next to it loses.
    let text = said(&play(at, &["--computer", "none"], "a1\nb2\n"));
    assert!(!text.contains("that move loses"), "{text}");
    let text = said(&play(at, &["--computer", "none"], "a1\nb1\n"));
    let line = text.lines().find(|line| line.starts_with("that move loses")).unwrap();
    let (claim, moves) = line.rsplit_once(": ").unwrap();
    assert_eq!(claim, "that move loses, because P1 has a win in 5");
    // The refutation is best play from there.
    let best = json(at, &["line", "run", "start", "a1", "b1"]);
    let best: Vec<&str> = list(&best["line"]).iter().map(|mv| mv["move"].as_str().unwrap()).collect();
    assert_eq!((moves.split(' ').collect::<Vec<_>>(), best.len()), (best.clone(), 5));
    let text = said(&play(at, &["--computer", "none"], "a1\nb1\nc1\n"));
    assert!(text.contains("that move gives away the win"), "{text}");
}

/// Without a seed, the program does not choose the same moves in every game.
#[test]
fn games_without_a_seed_differ() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let games = (0..12).map(|_| {
        let found = play(dir.path(), &["--computer", "both", "--json"], "");
        serde_json::from_slice::<Value>(&found.stdout).unwrap()["moves"].to_string()
    });
    assert!(games.collect::<std::collections::BTreeSet<_>>().len() > 1);
}

#[test]
fn a_game_checks_before_the_first_move_what_it_needs() {
    let dir = with_run("tictactoe:3x3", &["--method", "meet"]);
    let at = dir.path();
    let strength = "trapping,model=distance";
    let errors = refused(at, &["play", "run", "--strength", strength, "--computer", "P1"]);
    assert!(errors.contains("depths"), "{errors}");
    assert!(refused(at, &["play", "run", "--record", "no/where.txt"]).contains("mkdir -p no"));
    // A record exists from the start, so that a place that cannot be written is noticed at once.
    said(&play(at, &["--record", "game.txt"], ""));
    assert_eq!(std::fs::read_to_string(at.join("game.txt")).unwrap(), "game: tictactoe:3x3\n\n");
    // Of a damaged solution nothing is played.
    for set in std::fs::read_dir(at.join("run/sets")).unwrap() {
        std::fs::write(set.unwrap().path(), "damaged").unwrap();
    }
    assert!(refused(at, &["play", "run"]).contains("nerode resume run"));
}

/// A player with a solution of another game would move by the values of other boards.
#[test]
fn a_player_with_a_solution_of_another_game_is_refused() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let at = dir.path();
    for player in ["perfect", "fallible", "trapping"] {
        for game in ["connect:4x4", "tictactoe:3x3,misere"] {
            let strength = format!("{player}:{game}");
            let errors = refused_after_notes(at, &["play", "run", "--strength", &strength]);
            let expected = format!("two different games: player '{strength}' has a solution of {game}, ");
            assert!(errors.contains(&expected), "{errors}");
            assert!(errors.contains("name a solution of tictactoe:3x3"), "{errors}");
        }
    }
    // During a game, the refusal is a message, and the former player goes on.
    let text = said(&play(at, &["--seed", "1"], "strength perfect:connect:4x4\na1\n"));
    assert!(text.contains("two different games") && text.contains("P2 plays b2"), "{text}");
    let same = said(&play(at, &["--strength", "perfect:run"], "strength trapping:tictactoe\na1\n"));
    assert!(same.contains("trapping:tictactoe now plays") && same.contains("P2 plays b2"), "{same}");
}

/// Returns the error of a command that solves a small game first.
fn refused_after_notes(at: &Path, arguments: &[&str]) -> String {
    let output = crate::common::program::run_program(at, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_record_without_moves_or_with_an_open_comment_is_refused() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let at = dir.path();
    ends(at, 0, &["match", "perfect:run", "random", "--openings", "2", "--log", "m.jsonl"]);
    let log = std::fs::read_to_string(at.join("m.jsonl")).unwrap();
    for (record, part) in [
        ("{hello", "line 1 of the record: the comment after '{' is not closed"),
        ("a1 {one} b2\nc3 (b1 {two}\n", "line 2 of the record: the variation after '(' is not closed"),
        (log.as_str(), "the record has no moves"),
        ("game: tictactoe:3x3\n", "the record has no moves"),
        ("a1 b1 a2 b2 a3 c3", "ply 6: unexpected 'c3': the game is over: P1 has won"),
    ] {
        std::fs::write(at.join("game.txt"), record).unwrap();
        for command in [&["analyse", "run", "game.txt"][..], &["play", "run", "--from", "game.txt"]] {
            let errors = refused(at, command);
            assert!(errors.contains(part) && errors.contains("game.txt: "), "{command:?}: {errors}");
        }
    }
    std::fs::write(at.join("game.txt"), "a1 {one} (b2 {two}) b1 1/2-1/2").unwrap();
    assert_eq!(list(&json(at, &["analyse", "run", "game.txt"])["moves"]).len(), 2);
}

#[test]
fn moves_without_values_are_counted_as_not_judged() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde", "--plies", "0"]);
    let at = dir.path();
    std::fs::write(at.join("game.txt"), "a1 b1 c1").unwrap();
    let command = ["analyse", "run", "game.txt"];
    assert_eq!(json(at, &command)["not_judged"], 3);
    let text = ends(at, 0, &command);
    assert!(text.contains("3 of 3 moves could not be judged"), "{text}");
    let whole = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    std::fs::write(whole.path().join("game.txt"), "a1 b1 c1").unwrap();
    assert_eq!(json(whole.path(), &command)["not_judged"], 0);
    assert!(!ends(whole.path(), 0, &command).contains("judged"));
}

#[test]
fn a_command_with_wrong_words_says_how_it_is_used() {
    let dir = with_run("tictactoe:3x3", &["--method", "retrograde"]);
    let at = dir.path();
    std::fs::write(at.join("a.txt"), "").unwrap();
    let typed = "set\nsave\ncomputer\nstrength\nhint x\nquit now\nsave a.txt\n";
    let text = said(&play(at, &[], typed));
    for part in [
        "missing POSITION after 'set': type 'set POSITION'",
        "missing FILE after 'save'",
        "missing SIDES after 'computer'",
        "missing PLAYER after 'strength'",
        "unexpected 'x' after 'hint', which has no argument",
        "unexpected 'now' after 'quit'",
        "a.txt: a file with this name already exists\n",
    ] {
        assert!(text.contains(part), "no '{part}' in\n{text}");
    }
    assert!(!text.contains("not a legal move"), "{text}");
    let over = said(&play(at, &["XXX/OO1/3 O", "--computer", "none"], "hint\nmoves\nset\n"));
    assert_eq!(over.matches("the game is over: P1 has won").count(), 3, "{over}");
    assert!(!over.contains("loss in 0") && over.contains("missing POSITION"), "{over}");
}
