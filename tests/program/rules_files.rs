//! The command `check`: rules from files, and errors in them.

use std::fs;

use crate::common::program::{ends, json, refused, run_program};
use crate::common::scratch;

const RIGHT: &str = "#players = me(1), you(1)\n#pieces = e, x\n#variables =\n#board = rectangle(up,down,left,right,[e,e])\n\
    #put(p) = {e} [p]\n#rules = ->me put(x) right ->> [$ me = 1] {}\n";

#[test]
fn rules_are_read_from_files_and_from_the_program() {
    let dir = scratch();
    fs::write(dir.path().join("mine.rbg"), RIGHT).unwrap();
    let said = ends(dir.path(), 0, &["check", "mine.rbg"]);
    assert!(said.contains("mine.rbg: these rules are correct and can be solved"), "{said}");
    assert!(said.contains("rectangle, 2 squares; directions up, down, left, right"), "{said}");
    let canonical = ends(dir.path(), 0, &["check", "mine.rbg", "--canonical"]);
    assert!(canonical.contains("#rules =\n->me\n{e} [x] right ->>\n"), "{canonical}");
    let said = ends(dir.path(), 0, &["check", "rbg:tictactoe"]);
    assert!(said.contains("cross (0 to 2), nought (0 to 2)"), "{said}");
    let piped = assert_cmd::Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["check", "-", "--canonical"])
        .write_stdin(RIGHT)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), canonical);
}

#[test]
fn errors_show_the_line_and_underline_the_place() {
    let dir = scratch();
    fs::write(dir.path().join("mine.rbg"), RIGHT.replace("[p]", "[q]")).unwrap();
    let run = run_program(dir.path(), &["check", "mine.rbg", "--color", "never"]);
    assert_eq!(run.status.code(), Some(2));
    let said = String::from_utf8(run.stderr).unwrap();
    for part in [
        "error: unknown name 'q'",
        "--> mine.rbg:5:16",
        "5 | #put(p) = {e} [q]",
        "^ expected a piece",
        "6 | #rules = ->me put(x) right ->> [$ me = 1] {}",
        "--- in this use of the macro 'put'",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains('\x1b'), "{said}");
    let run = run_program(dir.path(), &["check", "mine.rbg", "--color", "always"]);
    assert!(String::from_utf8(run.stderr).unwrap().contains('\x1b'));
}

#[test]
fn errors_in_json_have_a_place() {
    let dir = scratch();
    fs::write(dir.path().join("mine.rbg"), RIGHT.replace("right ->>", "rihgt ->>")).unwrap();
    let run = run_program(dir.path(), &["check", "mine.rbg", "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&run.stderr).unwrap();
    let error = &said["error"];
    assert_eq!(error["message"], "mine.rbg:6:22: unknown name 'rihgt'");
    assert_eq!(error["hint"], "did you mean 'right'?");
    let place = &error["place"];
    let place =
        ["file", "line", "column", "end_line", "end_column", "label"].map(|name| place[name].to_string());
    assert_eq!(place, ["\"mine.rbg\"", "6", "22", "6", "27", "\"expected a direction\""]);
}

#[test]
fn what_is_no_file_of_rules_is_said() {
    let dir = scratch();
    fs::write(dir.path().join("bytes"), [b'#', 0xff]).unwrap();
    let said = |name: &str| {
        let run = run_program(dir.path(), &["check", name]);
        assert_eq!(run.status.code(), Some(2));
        String::from_utf8(run.stderr).unwrap()
    };
    assert!(said("absent.rbg").contains("absent.rbg: no such file"), "{}", said("absent.rbg"));
    assert!(said("rbg:absent").contains("hint: the included games are rbg:"), "{}", said("rbg:absent"));
    assert!(
        said("bytes").contains("bytes is not UTF-8 text: byte 1 does not begin a character"),
        "{}",
        said("bytes")
    );
}

#[test]
fn moves_are_counted_by_ply() {
    let dir = scratch();
    let said = ends(dir.path(), 0, &["perft", "rbg:tictactoe", "--depth", "4"]);
    let last: Vec<&str> = said.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last, ["4", "3", "024", "3", "024", "-", "-"], "{said}");
    // Two ways to the same position are two moves with one result, after which the game is over.
    fs::write(dir.path().join("two.rbg"), RIGHT.replace("put(x) right", "put(x) (right + right .)")).unwrap();
    let same = ends(dir.path(), 0, &["perft", "two.rbg", "--depth", "2", "--json"]);
    let same: serde_json::Value = serde_json::from_str(&same).unwrap();
    let row = |ply: usize| ["paths", "results", "ended"].map(|name| same["plies"][ply][name].to_string());
    assert_eq!(row(1), ["\"1\"", "\"1\"", "\"1\""]);
    fs::write(dir.path().join("two.rbg"), RIGHT.replace("put(x) right", "(put(x) + put(x)) right")).unwrap();
    let two = ends(dir.path(), 0, &["perft", "two.rbg", "--depth", "2", "--json"]);
    let two: serde_json::Value = serde_json::from_str(&two).unwrap();
    let row = |ply: usize| ["paths", "results", "ended"].map(|name| two["plies"][ply][name].to_string());
    assert_eq!(
        (row(1), row(2)),
        (["\"2\"", "\"1\"", "\"2\""].map(String::from), ["\"0\"", "\"0\"", "null"].map(String::from))
    );
}

#[test]
#[ignore = "slow: .ci/slow"]
fn rules_that_go_on_for_ever_are_told_with_the_place() {
    let dir = scratch();
    let said = |rules: &str| {
        fs::write(
            dir.path().join("endless.rbg"),
            RIGHT.replace("->me put(x) right ->> [$ me = 1] {}", rules),
        )
        .unwrap();
        let run = run_program(dir.path(), &["perft", "endless.rbg"]);
        assert_eq!(run.status.code(), Some(2));
        String::from_utf8(run.stderr).unwrap()
    };
    let text = said("->me ([x])* ->>");
    assert!(text.contains("a move with more than") && text.contains("^^^ repeated here"), "{text}");
    let text = said("(->>)*");
    assert!(text.contains("the keeper continues 100000 times"), "{text}");
    let text = said("->me ([e] + [x])^40 {}");
    assert!(text.contains("takes more than 268435456 steps"), "{text}");
}

/// Stones are placed on a row of five squares, without adjacent stones. A player who cannot place one loses.
const ROW: &str = "#players = first(1), second(1)\n#pieces = empty, stone\n#variables =\n\
    #board = rectangle(up,down,left,right,[empty,empty,empty,empty,empty])\n#anywhere = (left* + right*)\n\
    #turn(me; you) = ->me anywhere {empty} {! (left + right) {stone}} [stone] ->> [$ me = 1, you = 0]\n\
    #rules = (turn(first; second) turn(second; first))*\n";

#[test]
fn a_file_is_solved_and_the_run_needs_it_no_more() {
    let dir = scratch();
    let at = dir.path();
    fs::write(at.join("row.rbg"), ROW).unwrap();
    let info = ends(at, 0, &["info", "row.rbg"]);
    assert!(info.contains("a b c d e"), "{info}");
    ends(at, 0, &["solve", "row.rbg", "--run-dir", "run"]);
    fs::remove_file(at.join("row.rbg")).unwrap();
    let start = ends(at, 0, &["query", "run", "start", "--moves"]);
    // After a stone in the middle, two squares remain. After one at an end, a second stone leaves one square or none.
    assert!(start.contains("win in 3") && start.contains("c1"), "{start}");
    let over = ends(at, 0, &["query", "run", "s.s.s", "second"]);
    assert!(over.contains("no moves: the game is over"), "{over}");
    ends(at, 0, &["verify", "run"]);
    ends(at, 0, &["verify", "run", "--explicit"]);
    ends(at, 0, &["verify", "run", "--sample", "20"]);
    ends(at, 0, &["stats", "run"]);
    ends(at, 0, &["pack", "run"]);
    ends(at, 0, &["export", "run", "--format", "csv", "--out", "run.csv"]);
    ends(at, 0, &["line", "run", "start"]);
    ends(at, 0, &["resume", "run"]);
    fs::write(at.join("row.rbg"), ROW.replace("[$ me = 1, you = 0]", "[$ me = 0, you = 1]")).unwrap();
    let other = run_program(at, &["solve", "row.rbg", "--run-dir", "run"]);
    assert_eq!(other.status.code(), Some(2), "other rules must make another game");
}

#[test]
fn games_that_come_with_the_program_are_solved() {
    let dir = scratch();
    let solved = ends(dir.path(), 0, &["solve", "rbg:tictactoe", "--run-dir", "run"]);
    assert!(solved.contains("draw"), "{solved}");
    let reached = json(dir.path(), &["reach", "rbg:tictactoe"]);
    assert_eq!(reached["total_distinct"], "5478", "{reached}");
    ends(dir.path(), 0, &["verify", "run"]);
    let said = ends(dir.path(), 0, &["query", "run", ".../.../...", "cross", "--moves"]);
    assert!(said.contains("b2"), "{said}");
}

#[test]
fn what_is_not_solved_is_refused_with_its_place() {
    let dir = scratch();
    let said = |rules: &str| {
        fs::write(dir.path().join("mine.rbg"), ROW.replace("{empty} {!", rules)).unwrap();
        let run = run_program(dir.path(), &["solve", "mine.rbg"]);
        assert_eq!(run.status.code(), Some(2));
        String::from_utf8(run.stderr).unwrap()
    };
    let text = said("([stone])* {!");
    assert!(text.contains("a move with more than") && text.contains("^^^ repeated here"), "{text}");
    let text = said("{nothing} {!");
    assert!(text.contains("unknown name 'nothing'") && text.contains("mine.rbg:6"), "{text}");
}

/// Options that change rules apply to the run, which stores the changed rules.
#[test]
fn variants_are_solved_and_kept() {
    let dir = scratch();
    let at = dir.path();
    fs::write(at.join("row.rbg"), ROW).unwrap();
    let board = ["--board", "7x1", "--start", "..s....  second"];
    let info = ends(at, 0, &[&["info", "row.rbg"], &board[..]].concat());
    assert!(info.contains("start        ..s.... second"), "{info}");
    let fingerprint = |options: &[&str]| {
        let said = json(at, &[&["check", "row.rbg"], options].concat());
        said["fingerprint"].as_str().unwrap().to_string()
    };
    assert_ne!(fingerprint(&[]), fingerprint(&board[..2]));
    assert_ne!(fingerprint(&board), fingerprint(&board[..2]));
    ends(at, 0, &[&["solve", "row.rbg", "--run-dir", "run"], &board[..]].concat());
    fs::remove_file(at.join("row.rbg")).unwrap();
    let start = ends(at, 0, &["query", "run", "start"]);
    // One or two more stones fit on the left end and the right half.
    assert!(start.contains("..s.... second") || start.contains("second to move"), "{start}");
    ends(at, 0, &["verify", "run", "--explicit"]);
    let perft = json(at, &["perft", "rbg:breakthrough", "--board", "2x4", "--depth", "1"]);
    assert_eq!(perft["plies"][1]["paths"], "2", "{perft}");
    let reached = json(at, &["reach", "rbg:tictactoe", "--board", "2x2"]);
    assert_eq!(reached["game"], "rbg:tictactoe:board=2x2", "{reached}");
    fs::write(at.join("row.rbg"), ROW).unwrap();
    for (arguments, part) in [
        (
            &["info", "breakthrough:4x4", "--board", "3x3"][..],
            "--board, --bound, --misere and --start only apply to rules from a file",
        ),
        (
            &["solve", "rbg:pretwa", "--bound", "loud=3"][..],
            "unknown variable or player 'loud'; known variables and players: quiet, white, black",
        ),
        (
            &["check", "rbg:pretwa", "--bound", "quite=3"][..],
            "unknown variable or player 'quite'; did you mean 'quiet'?",
        ),
        (&["info", "rbg:pretwa", "--bound", "quite=3"][..], "for example 'rbg:pretwa:quiet=20'"),
        (&["info", "rbg:breakthrough", "--board", "4"][..], "for example 'rbg:breakthrough:board=5x5'"),
        (&["info", "row.rbg", "--start", "s.s.s_first"][..], "'first' cannot move at the start"),
        (&["estimate", "rbg:tictactoe", "--bound", "quiet"][..], "'quiet' is neither misere nor of the form"),
    ] {
        let run = run_program(at, arguments);
        let text = String::from_utf8(run.stderr).unwrap();
        assert!(run.status.code() == Some(2) && text.contains(part), "{arguments:?}: {text}");
    }
}

/// Valid rules may still cause warnings, or may not be solvable by this program.
#[test]
fn check_says_what_is_odd_and_what_is_not_solved() {
    let dir = scratch();
    let at = dir.path();
    let of = |text: &str| {
        fs::write(at.join("mine.rbg"), text).unwrap();
        let run = run_program(at, &["check", "mine.rbg"]);
        assert_eq!(run.status.code(), Some(0));
        let document = json(at, &["check", "mine.rbg"]);
        (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap(), document)
    };
    let (said, aside, document) = of(RIGHT);
    assert!(said.contains("these rules are correct and can be solved") && aside.is_empty(), "{said}{aside}");
    assert!(
        document["solvable"] == true && document["warnings"].as_array().unwrap().is_empty(),
        "{document}"
    );
    let (said, aside, document) = of(&RIGHT.replace("e, x", "e, x, o").replace("me = 1", "me = 2"));
    assert!(said.contains("these rules can be solved; 3 warnings"), "{said}");
    for part in [
        "warning: the piece 'o' is never used",
        "warning: no player ever gets a score",
        "warning: 2 is not a value of 'me'",
        "mine.rbg:6:35",
        "^^^^^^ never possible",
    ] {
        assert!(aside.contains(part), "{part}: {aside}");
    }
    assert_eq!(document["warnings"][1]["place"]["line"], 2, "{document}");
    let (said, aside, document) = of(&RIGHT.replace("me(1), you(1)", "me(1), you(1), he(1)"));
    assert!(said.contains("these rules can be read and played, but not solved"), "{said}");
    assert!(
        aside.contains("note: a game for 3 players: only games for two players can be solved"),
        "{aside}"
    );
    assert!(document["solvable"] == false && document["refused"]["place"]["line"] == 1, "{document}");
    let (said, aside, document) = of(&RIGHT.replace("put(x)", "({e} [x] + {x} [e])*"));
    assert!(
        said.contains("not compiled to sets; 'nerode solve' searches the reached positions instead"),
        "{said}"
    );
    assert!(aside.contains("note: "), "{aside}");
    assert!(document["solvable"] == false, "{document}");
    let quiet = run_program(at, &["check", "mine.rbg", "--quiet"]);
    assert!(quiet.stderr.is_empty());
}

/// A forward search to the end is refused, before it starts, if play may repeat positions.
#[test]
fn meet_is_refused_where_play_may_go_in_circles() {
    let dir = scratch();
    for command in ["solve", "estimate"] {
        let run = run_program(dir.path(), &[command, "rbg:dodgem", "--method", "meet"]);
        let text = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{text}");
        assert!(text.contains("may repeat positions"), "{text}");
        assert!(command != "solve" || text.contains("--plies N"), "{text}");
    }
    let some = ["solve", "rbg:dodgem", "--method", "meet", "--plies", "3", "--run-dir", "some"];
    let said = ends(dir.path(), 0, &some);
    assert!(said.contains("a position counts once for each ply at which it can occur"), "{said}");
}

/// Long rules of which play reaches few positions are not compiled.
#[test]
fn few_positions_of_long_rules_are_solved_without_compiling() {
    let dir = scratch();
    let at = dir.path();
    fs::write(at.join("kalah22.rbg"), include_str!("../../rules/tests/data/kalah22.rbg")).unwrap();
    let solved = json(at, &["solve", "kalah22.rbg"]);
    // The interpreter tells 4 finished games apart by scores of which sets keep only the winner.
    assert_eq!(
        (&solved["positions"], &solved["file"]),
        (&"29".into(), &"runs/kalah22.rbg.tbl".into()),
        "{solved}"
    );
    assert_eq!(solved["start"]["category"], "loss", "{solved}");
    let start = json(at, &["query", "runs/kalah22.rbg.tbl", "start"]);
    assert_eq!(start["category"], "loss", "{start}");
    ends(at, 0, &["verify", "runs/kalah22.rbg.tbl"]);
    // Neither the name of the table nor the replacement of one changes the method.
    let named = json(at, &["solve", "kalah22.rbg", "--out", "named.tbl"]);
    assert_eq!((&named["positions"], &named["file"]), (&"29".into(), &"named.tbl".into()), "{named}");
    assert!(refused(at, &["solve", "kalah22.rbg"]).contains("runs/kalah22.rbg.tbl already exists"));
    let again = json(at, &["solve", "kalah22.rbg", "--overwrite"]);
    assert_eq!((&again["positions"], &again["file"]), (&"29".into(), &solved["file"]), "{again}");
    // Without a solution, a query finds the same one.
    fs::remove_dir_all(at.join("runs")).unwrap();
    assert_eq!(json(at, &["query", "kalah22.rbg"])["category"], "loss");
    ends(at, 0, &["verify", "kalah22.rbg"]);
    // The names of solutions and the options of sets still lead to sets.
    let short = json(at, &["solve", "rbg:tictactoe"]);
    assert!(short["run_dir"].is_string(), "{short}");
}

/// Misère play exchanges wins and losses in games from files and in built-in games alike.
#[test]
fn misere_games_are_solved_by_name_and_by_option() {
    let dir = scratch();
    let at = dir.path();
    let of = |arguments: &[&str]| json(at, &[&["solve"], arguments, &["--engine", "reached"]].concat());
    let file = of(&["rbg:tictactoe", "--misere"]);
    assert_eq!(file["game"], "rbg:tictactoe:misere", "{file}");
    let built_in = of(&["tictactoe:3x3,misere"]);
    for key in ["positions", "win", "draw", "loss", "dtw_histogram"] {
        assert_eq!(file[key], built_in[key], "{key}");
    }
    assert_eq!((&file["start"]["category"], &file["positions"]), (&"draw".into(), &"5478".into()), "{file}");
    let usual = of(&["tictactoe:3x3"]);
    assert_ne!(usual["win"], file["win"], "{file}");
    ends(at, 0, &["verify", "runs/rbg_tictactoe_misere.tbl"]);
    let said = ends(at, 0, &["info", "nim:3x3,misere"]);
    assert!(said.contains("Misère: a player who would have won has lost"), "{said}");
    let said = refused(at, &["solve", "tictactoe:3x3", "--misere"]);
    assert!(said.contains("such as tictactoe:3x4,misere"), "{said}");
    ends(at, 0, &["solve", "nim:2x3,misere", "--run-dir", "nim"]);
    ends(at, 0, &["verify", "nim", "--explicit"]);
}

/// Checks that an estimate of rules that cannot be compiled gives the same reason as a solve.
#[test]
fn estimates_of_rules_that_cannot_be_compiled_say_why() {
    let dir = scratch();
    fs::write(dir.path().join("mine.rbg"), RIGHT.replace("put(x) right", "(put(x) right [e] left)* {e}"))
        .unwrap();
    let said = refused(dir.path(), &["estimate", "mine.rbg", "--quiet"]);
    assert!(said.contains("error: unsupported loop"), "{said}");
    // Such rules are played instead.
    let solved = json(dir.path(), &["solve", "mine.rbg", "--quiet"]);
    assert_eq!(
        (&solved["positions"], &solved["start"]["category"]),
        (&"2".into(), &"draw".into()),
        "{solved}"
    );
}

/// Dodgem never has more than two pieces of a side. Such boards are words of the sets, and count as drawn there.
#[test]
fn positions_that_play_cannot_reach_are_refused() {
    let dir = scratch();
    ends(dir.path(), 0, &["solve", "rbg:dodgem", "--run-dir", "run"]);
    for position in ["b../b../rrb blue", "rrb/r../... blue", "bbb/rr./... blue"] {
        let said = refused(dir.path(), &["query", "run", position]);
        assert!(said.contains("play from the start never leads to these pieces"), "{position}: {said}");
        let any = json(dir.path(), &["query", "run", position, "--any"]);
        assert_eq!(any["category"], "draw", "{position}");
    }
    assert_eq!(json(dir.path(), &["query", "run", "..b/r../..b blue"])["dtw"], 3);
}

/// No position that play reaches is refused, also where the game is over.
#[test]
fn positions_of_play_are_never_refused() {
    for spec in
        ["rbg:dodgem", "rbg:hexapawn", "rbg:tapatan", "rbg:kalah", "rbg:tictactoe", "rbg:laukatakati:quiet=2"]
    {
        let game = nerode::registry().open(spec).unwrap();
        let mut found =
            std::collections::BTreeSet::from([(game.start_position().board, game.start_position().side)]);
        let mut next: Vec<_> = found.iter().cloned().collect();
        while let Some((board, side)) = next.pop() {
            assert_eq!(game.why_illegal(&board, side), None, "{spec}: {board:?} {side}");
            let mut moves = Vec::new();
            game.legal_moves(&board, side, &mut moves);
            for mv in moves {
                let mut after = board.clone();
                for change in &mv {
                    after[usize::from(change.cell)] = change.after;
                }
                if found.len() < 3000 && found.insert((after.clone(), side.other())) {
                    next.push((after, side.other()));
                }
            }
        }
        assert!(found.len() > 20, "{spec}: {} positions", found.len());
    }
}

/// More scores than codes are refused with advice, which helps.
#[test]
fn scores_that_have_no_code_are_refused_with_advice() {
    let dir = scratch();
    let text = RIGHT.replace("me(1)", "me(70000)").replace("->> [$ me = 1]", "[$ me = 70000] ->>");
    fs::write(dir.path().join("mine.rbg"), text).unwrap();
    let said = refused(dir.path(), &["solve", "mine.rbg", "--score"]);
    assert!(said.contains("a score of 70000 cannot be represented"), "{said}");
    assert!(
        said.contains("hint: lower the bounds of the players' scores, in the file or with --bound PLAYER=N"),
        "{said}"
    );
    let solved = json(dir.path(), &["solve", "mine.rbg", "--score", "--bound", "me=7"]);
    assert_eq!(solved["start"]["score"], 7, "{solved}");
}
